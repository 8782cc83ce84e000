//! References that only a refusal tells of: "article 12 not found", "unknown articleId".

use fossick_genes::Manner;
use fossick_graph::{Words, stem_words};
use fossick_plan::{Plan, Spot, Step, place_of};
use fossick_trace::{Answer, stands_in};
use serde_json::Value;

use crate::fresh::body_slots;
use crate::search::Search;
use crate::told;
use crate::unique::{sentences, value_sent};

/// Sentences of one refusal that are read.
const MOST: usize = 8;
/// So often in a row a link leads nowhere before others are tried.
const CONVINCED: u32 = 4;
/// So much of a sentence.
const LONGEST: usize = 300;

impl Search<'_> {
    /// Reads a refusal for references that lead nowhere. From then on they are needs.
    pub(crate) fn learn_missing(&mut self, step: &Step, answer: &Answer, sent: &[u8]) {
        let refused = matches!(answer.status, 400 | 404 | 409 | 410 | 422);
        let missing = |said: &String| said.len() < LONGEST && told::says_missing(said);
        let said = sentences(answer).into_iter().filter(missing).take(MOST);
        let said: Vec<String> = said.filter(|_| refused).collect();
        if said.is_empty() {
            return;
        }
        let sent: Value = serde_json::from_slice(sent).unwrap_or(Value::Null);
        let fields = self.given_values(step, &sent);
        for sentence in &said {
            let words = sentence.split_whitespace().flat_map(stem_words);
            let words = Words(words.collect());
            for spot in spoken_of(sentence, &fields) {
                let place = place_of(spot);
                self.graph.misses(self.api, step.operation, &place, &words);
            }
        }
    }

    /// Reads a refusal for links that lead nowhere, where an operation never worked: names have
    /// led astray, and other things are tried there.
    pub(crate) fn learn_astray(&mut self, step: &Step, answer: &Answer) {
        let index = step.operation;
        let known = &self.known[index.0 as usize];
        if known.succeeded > 0 {
            return;
        }
        let missing = |said: &String| said.len() < LONGEST && told::says_missing(said);
        let said: Vec<String> = sentences(answer)
            .into_iter()
            .filter(missing)
            .take(MOST)
            .collect();
        for bind in &step.binds {
            let need = self.graph.need_at(index, &place_of(&bind.spot));
            let Some(need) = need else { continue };
            let need_here = &self.graph.needs(index)[need];
            // A bare `id` is that of whatever has it.
            let name = Words::of(&need_here.name);
            let named = if name.is_bare() {
                &need_here.words
            } else {
                &name
            };
            let subject = named.subject();
            let speaks = |said: &String| {
                let words: Vec<String> = said.split_whitespace().flat_map(stem_words).collect();
                let wanted = &subject.0;
                !wanted.is_empty() && words.windows(wanted.len()).any(|part| part == wanted)
            };
            let astray = &mut self.known[index.0 as usize].astray;
            if !said.iter().any(speaks) {
                // Refused for something else: what it names is there.
                astray.remove(&need);
                continue;
            }
            let times = astray.entry(need).or_insert(0);
            *times += 1;
            if *times == CONVINCED {
                self.graph.widen(self.api, index, need);
            }
        }
    }

    /// Values of a step that are its own to say: the spot, the name and what was sent.
    fn given_values(&mut self, step: &Step, sent: &Value) -> Vec<(Spot, String, Value)> {
        let mut builder = self.builder(Plan::default(), Vec::new());
        let maker = builder.maker(Manner::Plausible);
        let slots = body_slots(&maker, step).unwrap_or_default();
        let body = slots.into_iter();
        let body = body.map(|slot| (Spot::Body(slot.pointer), slot.name));
        let parameters = maker.api.operation(step.operation).parameters.iter();
        let arguments = parameters.enumerate();
        let arguments = arguments.map(|(at, p)| (Spot::Parameter(at), p.name.clone()));
        let all = arguments.chain(body);
        let own = all.filter(|(spot, _)| step.bind_at(spot).is_none());
        own.filter_map(|(spot, name)| {
            step.value_at(&spot)?;
            let value = value_sent(step, &spot, sent);
            Some((spot, name, value))
        })
        .collect()
    }
}

/// The spots that a sentence speaks of: by their names, else by a value that stands nowhere else.
fn spoken_of<'f>(sentence: &str, fields: &'f [(Spot, String, Value)]) -> Vec<&'f Spot> {
    let heard = told::Sentence::of(sentence);
    let named = fields
        .iter()
        .filter(|(_, name, value)| heard.speaks_of(name, value));
    let named: Vec<&Spot> = named.map(|(spot, ..)| spot).collect();
    if !named.is_empty() {
        return named;
    }
    let quoted = |value: &Value| match value {
        Value::String(text) => !text.is_empty() && stands_in(sentence, text),
        Value::Number(number) => stands_in(sentence, &number.to_string()),
        _ => false,
    };
    let found: Vec<_> = fields
        .iter()
        .filter(|(_, _, value)| quoted(value))
        .collect();
    match found.as_slice() {
        [(spot, ..)] => vec![spot],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields() -> Vec<(Spot, String, Value)> {
        let field = |name: &str, value| {
            let spot = Spot::Body(format!("/{name}"));
            (spot, name.to_owned(), value)
        };
        vec![
            field("goods", json!(12)),
            field("size", json!(3)),
            field("rooms", json!(3)),
        ]
    }

    #[test]
    fn a_field_is_meant_by_its_name_or_by_a_value_of_its_own() {
        let fields = fields();
        let spoken = |sentence: &str| -> Vec<String> {
            let spots = spoken_of(sentence, &fields).into_iter();
            let told = |spot: &Spot| match spot {
                Spot::Body(pointer) => pointer.clone(),
                Spot::Parameter(_) => String::new(),
            };
            spots.map(told).collect()
        };
        assert_eq!(spoken("article 12 not found"), ["/goods"]);
        assert_eq!(spoken("the goods do not exist"), ["/goods"]);
        assert_eq!(spoken("article 3 not found"), [""; 0], "it may be either");
        assert_eq!(spoken("article 123 not found"), [""; 0]);
    }
}
