//! From an observation to what to send instead.

use fossick_genes::{Rng, matching};
use fossick_trace::{Matching, Observed, ReadFrom, Scalar};
use serde_json::{Map, Value};

use crate::compose::compose;
use crate::layer::{Layer, number, shown};
use crate::moment::Moment;
use crate::sample::samples;
use crate::view::{Inputs, View};

/// What to change in a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Advice {
    /// Another value for an input.
    Send { input: usize, value: Value },
    /// The same for several inputs at once.
    SendAll(Vec<(usize, Value)>),
    /// An input that the service looked for and did not find; beside it stood these.
    Add {
        from: ReadFrom,
        name: String,
        beside: Vec<String>,
        value: Value,
    },
}

/// Pieces of a text that are shorter than this may stand anywhere by chance.
const TELLING: usize = 3;
/// Places of a text that a short piece is looked for at.
const PLACES: usize = 4;
/// Texts that are made for a pattern.
const MATCHES: usize = 3;
const MOST: usize = 12;
const MOST_CANDIDATES: usize = 64;

/// What may turn a comparison round, the surest first. Nothing where no input had a part in it.
pub fn advise(inputs: &Inputs, observed: &Observed, rng: &mut Rng) -> Vec<Advice> {
    let mut advisor = Advisor {
        inputs,
        advice: Vec::new(),
    };
    match observed {
        Observed::Equal(left, right) => {
            advisor.equal(left, right);
            advisor.equal(right, left);
        }
        Observed::Order(left, right) => {
            advisor.order(left, right);
            advisor.order(right, left);
        }
        Observed::Same(left, right) => {
            advisor.replace_text(left, right);
            advisor.replace_text(right, left);
        }
        Observed::Prefix(text, part) => advisor.begin_with(text, part),
        Observed::Suffix(text, part) => advisor.end_with(text, part),
        Observed::Contains(text, part) => {
            advisor.begin_with(text, part);
            advisor.separate(text, part);
            advisor.replace_text(part, text);
        }
        Observed::Member(value, candidates) => {
            for candidate in candidates.iter().take(MOST_CANDIDATES) {
                advisor.equal(value, candidate);
            }
            return advisor.finish(MOST_CANDIDATES);
        }
        Observed::Pattern {
            text,
            pattern,
            flags,
            how,
        } => {
            let pattern = whole_pattern(pattern, flags, *how);
            for wanted in matching(&pattern, MATCHES, rng) {
                advisor.replace_text(text, &wanted);
            }
        }
        Observed::Parse {
            text,
            kind,
            format,
            worked,
        } if !worked || decodes_anything(kind) => {
            for wanted in samples(kind, format) {
                advisor.replace_text(text, &wanted);
            }
        }
        Observed::Parse { text, kind, .. } if kind == "uuid" => {
            for version in ['1', '3', '4', '5', '7'] {
                advisor.replace_text(text, &of_version(text, version));
            }
        }
        Observed::Read {
            from,
            name,
            found: false,
            beside,
        } => advisor.read(*from, name, beside),
        Observed::Parse { .. } | Observed::Read { .. } => {}
    }
    advisor.finish(MOST)
}

/// A pattern that a text as a whole matches where the original does.
fn whole_pattern(pattern: &str, flags: &str, how: Matching) -> String {
    let flags: String = flags.chars().filter(|c| "imsx".contains(*c)).collect();
    let plain = pattern
        .replace("(?P<", "(?<")
        .replace("\\Z", "$")
        .replace("\\A", "^");
    let body = match how {
        Matching::Anywhere => plain,
        Matching::FromStart => format!("^(?:{plain})"),
        Matching::Whole => format!("^(?:{plain})$"),
    };
    if flags.is_empty() {
        return body;
    }
    format!("(?{flags}){body}")
}

struct Advisor<'i> {
    inputs: &'i Inputs,
    advice: Vec<Advice>,
}

impl Advisor<'_> {
    fn finish(mut self, most: usize) -> Vec<Advice> {
        self.advice.truncate(most);
        self.advice
    }

    fn send(&mut self, view: &View, seen: Value) {
        let Some(value) = self.inputs.with(view, seen) else {
            return;
        };
        let advice = Advice::Send {
            input: view.input,
            value,
        };
        let old = &self.inputs.sent[view.input];
        let is_new = !matches!(&advice, Advice::Send { value, .. } if value == old);
        if is_new && !self.advice.contains(&advice) {
            self.advice.push(advice);
        }
    }

    /// Makes what is seen as `ours` equal to `theirs`.
    fn equal(&mut self, ours: &Scalar, theirs: &Scalar) {
        match (ours, theirs) {
            (Scalar::Text(ours), Scalar::Text(theirs)) => {
                let before = self.advice.len();
                self.replace_text(ours, theirs);
                if self.advice.len() == before {
                    self.advice
                        .extend(compose(self.inputs, ours, theirs).map(Advice::SendAll));
                }
            }
            (Scalar::Moment(ours), Scalar::Moment(theirs)) => self.move_moment(ours, theirs, 1),
            _ => {
                let wanted = json(theirs);
                if let (Scalar::Whole(ours), Scalar::Whole(theirs)) = (ours, theirs) {
                    self.replace_digits(*ours, *theirs);
                }
                self.each_equal(json(ours).as_ref(), |advisor, view| {
                    if let Some(wanted) = &wanted {
                        advisor.send(view, wanted.clone());
                    }
                });
            }
        }
    }

    /// Brings what is seen as `ours` to the other side of `theirs`, and onto it.
    fn order(&mut self, ours: &Scalar, theirs: &Scalar) {
        if let (Scalar::Moment(ours), Scalar::Moment(theirs)) = (ours, theirs) {
            self.move_moment(ours, theirs, 5);
            return;
        }
        if let (Scalar::Text(ours), Scalar::Text(theirs)) = (ours, theirs) {
            for wanted in around_text(theirs) {
                self.replace_text(ours, &wanted);
            }
            return;
        }
        let Some(bound) = as_real(theirs) else { return };
        let both_whole = matches!((ours, theirs), (Scalar::Whole(_), Scalar::Whole(_)));
        let around: Vec<Value> = steps(bound, both_whole)
            .into_iter()
            .filter_map(|value| number(value).map(Value::Number))
            .collect();
        self.each_equal(json(ours).as_ref(), |advisor, view| {
            for value in &around {
                advisor.send(view, value.clone());
            }
        });
        if let (Scalar::Whole(ours), Scalar::Whole(theirs)) = (ours, theirs) {
            for near in [0, 1, -1] {
                self.replace_digits(*ours, theirs.saturating_add(near));
            }
        }
    }

    /// A number that was read out of a text.
    fn replace_digits(&mut self, ours: i64, theirs: i64) {
        let digits = ours.to_string();
        for view in &self.inputs.views {
            let Some(text) = view.seen.as_str() else {
                continue;
            };
            if text.len() == digits.len() {
                continue;
            }
            for (at, _) in text.match_indices(&digits).take(PLACES) {
                let (before, after) = (&text[..at], &text[at + digits.len()..]);
                let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
                if !digit(before.chars().next_back()) && !digit(after.chars().next()) {
                    let new = format!("{before}{theirs}{after}");
                    self.send(view, Value::from(new));
                }
            }
        }
    }

    fn each_equal(&mut self, seen: Option<&Value>, mut act: impl FnMut(&mut Self, &View)) {
        let Some(seen) = seen else { return };
        let views = &self.inputs.views;
        for view in views.iter().filter(|view| is_same(&view.seen, seen)) {
            act(self, view);
        }
    }

    /// Puts a text where another is seen: as a whole, as a part, or around an input.
    fn replace_text(&mut self, seen: &str, wanted: &str) {
        let views = &self.inputs.views;
        let whole = views.iter().filter(|view| view.seen.as_str() == Some(seen));
        for view in whole {
            self.send(view, Value::from(wanted));
        }
        // A number that is compared as a text.
        let is_number = |view: &&View| {
            let number = view.seen.as_number();
            number.is_some_and(|number| number.to_string() == seen)
        };
        for view in views.iter().filter(is_number) {
            if let Some(number) = crate::number::as_number(wanted) {
                self.send(view, Value::Number(number));
            }
        }
        self.replace_part(seen, wanted);
        self.strip_around(seen, wanted);
    }

    /// The service cut `seen` out of an input.
    fn replace_part(&mut self, seen: &str, wanted: &str) {
        if seen.is_empty() {
            return;
        }
        for view in &self.inputs.views {
            let Some(text) = view.seen.as_str() else {
                continue;
            };
            if text.len() <= seen.len() {
                continue;
            }
            for (at, _) in text.match_indices(seen).take(PLACES) {
                let new = [&text[..at], wanted, &text[at + seen.len()..]].concat();
                self.send(view, Value::from(new));
            }
        }
    }

    /// The service put something around an input and compared the whole.
    fn strip_around(&mut self, seen: &str, wanted: &str) {
        for view in &self.inputs.views {
            let text = shown(&view.seen);
            if text.chars().count() < TELLING || text.len() >= seen.len() {
                continue;
            }
            let Some((before, after)) = seen.split_once(&text) else {
                continue;
            };
            let inner = wanted.strip_prefix(before);
            if let Some(inner) = inner.and_then(|rest| rest.strip_suffix(after)) {
                self.send(view, Value::from(inner));
            }
        }
    }

    fn begin_with(&mut self, text: &str, part: &str) {
        let rest: String = text.chars().skip(part.chars().count()).collect();
        for wanted in [
            format!("{part}{rest}"),
            format!("{part}{text}"),
            part.to_owned(),
        ] {
            self.replace_text(text, &wanted);
        }
        self.replace_text(part, text);
    }

    /// What looks for a short text may cut at it: several pieces.
    fn separate(&mut self, text: &str, part: &str) {
        if part.chars().count() > 2 || part.is_empty() {
            return;
        }
        let mut pieces = text.to_owned();
        for _ in 0..3 {
            pieces.push_str(part);
            pieces.push_str("piece");
            self.replace_text(text, &pieces);
        }
    }

    fn end_with(&mut self, text: &str, part: &str) {
        let kept = text.chars().count().saturating_sub(part.chars().count());
        let start: String = text.chars().take(kept).collect();
        for wanted in [
            format!("{start}{part}"),
            format!("{text}{part}"),
            part.to_owned(),
        ] {
            self.replace_text(text, &wanted);
        }
        self.replace_text(part, text);
    }

    fn move_moment(&mut self, ours: &str, theirs: &str, most: usize) {
        let (Some(ours), Some(theirs)) = (Moment::read(ours), Moment::read(theirs)) else {
            return;
        };
        for view in &self.inputs.views {
            let Some(seen) = view.seen.as_str().and_then(Moment::read) else {
                continue;
            };
            if seen.at != ours.at && seen.at.date() != ours.at.date() {
                continue;
            }
            for text in seen.around(theirs.at).into_iter().take(most) {
                self.send(view, Value::from(text));
            }
        }
    }

    /// A name that was looked for: in JSON inside a text it is added there, else it is for the
    /// caller to add.
    fn read(&mut self, from: ReadFrom, name: &str, beside: &[String]) {
        if from == ReadFrom::Key {
            let inputs = self.inputs;
            for view in &inputs.views {
                if let (Value::Object(map), false) = (&view.seen, view.layers.is_empty())
                    && holds_just(map, beside)
                {
                    let mut map = map.clone();
                    map.insert(name.to_owned(), Value::from(marker(name)));
                    self.send(view, Value::Object(map));
                }
            }
            // A text that is parsed and has no such object yet.
            for view in &inputs.views {
                let is_json =
                    matches!(view.layers.last(), Some(Layer::Json(pointer)) if pointer.is_empty());
                if is_json && beside.is_empty() && !view.seen.is_object() {
                    let map = [(name.to_owned(), Value::from(marker(name)))];
                    self.send(view, Value::Object(map.into_iter().collect()));
                }
            }
        }
        let mut values = vec![Value::from(marker(name))];
        if from == ReadFrom::Key {
            // What is looked for may have parts of its own.
            values.push(Value::Object(Map::new()));
        }
        let add = |value| Advice::Add {
            from,
            name: name.to_owned(),
            beside: beside.to_vec(),
            value,
        };
        self.advice.extend(values.into_iter().map(add));
    }
}

/// A value for a new input that is easily found again.
pub fn marker(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let mut text: String = letters.take(8).collect();
    text.push_str("7qx");
    text.to_ascii_lowercase()
}

/// Whether a parser takes any text: that it worked says nothing.
fn decodes_anything(kind: &str) -> bool {
    matches!(kind, "base64" | "base64url" | "hex")
}

/// A UUID of another version.
fn of_version(text: &str, version: char) -> String {
    let place = |(at, c): (usize, char)| if at == 14 { version } else { c };
    text.chars().enumerate().map(place).collect()
}

fn holds_just(map: &Map<String, Value>, names: &[String]) -> bool {
    map.len() == names.len() && names.iter().all(|name| map.contains_key(name))
}

fn json(scalar: &Scalar) -> Option<Value> {
    Some(match scalar {
        Scalar::Text(text) | Scalar::Moment(text) => Value::from(text.as_str()),
        Scalar::Whole(whole) => Value::from(*whole),
        Scalar::Real(real) => Value::Number(number(*real)?),
        Scalar::Boolean(boolean) => Value::from(*boolean),
        Scalar::Null => Value::Null,
    })
}

fn as_real(scalar: &Scalar) -> Option<f64> {
    match scalar {
        Scalar::Whole(whole) => Some(*whole as f64),
        Scalar::Real(real) => Some(*real),
        _ => None,
    }
}

/// Equal as a program would have it: 1 is 1.0.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    match (ours.as_f64(), theirs.as_f64()) {
        (Some(a), Some(b)) => a == b,
        _ => ours == theirs && !ours.is_null(),
    }
}

/// A number and its neighbours.
fn steps(bound: f64, whole: bool) -> Vec<f64> {
    if whole {
        return vec![bound, bound + 1.0, bound - 1.0];
    }
    let step = bound.abs().max(1.0) * 1e-6;
    vec![bound, bound + step, bound - step, bound + 1.0, bound - 1.0]
}

/// A text and its neighbours in order.
fn around_text(text: &str) -> Vec<String> {
    let mut around = vec![text.to_owned(), format!("{text}a")];
    let mut shorter = text.to_owned();
    if shorter.pop().is_some() {
        around.push(shorter);
    }
    let before = |c: char| char::from_u32(u32::from(c).wrapping_sub(1)).filter(|c| !c.is_control());
    let mut characters = text.chars();
    if let Some(last) = characters.next_back().and_then(before) {
        around.push(characters.as_str().to_owned() + &last.to_string());
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;
    use serde_json::json;

    fn sent(inputs: Vec<Value>, observed: &Observed) -> Vec<(usize, Value)> {
        let rng = &mut Rng::seed_from_u64(1);
        let advice = advise(&Inputs::of(inputs), observed, rng).into_iter();
        let send = |advice| match advice {
            Advice::Send { input, value } => Some((input, value)),
            Advice::Add { .. } | Advice::SendAll(_) => None,
        };
        advice.filter_map(send).collect()
    }

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.to_owned())
    }

    fn first(input: Value, observed: &Observed) -> Value {
        let all = sent(vec![input], observed);
        all.into_iter()
            .next()
            .map(|(_, value)| value)
            .unwrap_or_default()
    }

    #[test]
    fn an_input_that_is_compared_becomes_what_it_is_compared_with() {
        let equal = Observed::Equal(text("marker"), text("let-me-in"));
        assert_eq!(first(json!("marker"), &equal), json!("let-me-in"));
        let turned = Observed::Equal(text("let-me-in"), text("marker"));
        assert_eq!(first(json!("marker"), &turned), json!("let-me-in"));
        let none = Observed::Equal(text("zz"), text("yy"));
        assert_eq!(first(json!("marker"), &none), Value::Null);
    }

    #[test]
    fn what_the_service_did_to_an_input_is_undone() {
        let cases = [
            ("  Marker ", "marker", "open", "open"),
            ("MARKER", "marker", "open", "open"),
            ("abmarkerz", "marker", "key", "abkeyz"),
            ("marker", "rekram", "abc", "cba"),
            ("marker", "user:marker", "user:root", "root"),
            (r#"{"a":"marker"}"#, "marker", "x", r#"{"a":"x"}"#),
        ];
        for (input, seen, other, new) in cases {
            let observed = Observed::Equal(text(seen), text(other));
            assert_eq!(first(json!(input), &observed), json!(new), "{input}");
        }
    }

    #[test]
    fn a_piece_that_was_cut_out_is_replaced_in_its_place() {
        let observed = Observed::Equal(text("mint-5l9gw"), text("oslo"));
        let new = first(json!("mint-5l9gw:piece:piece"), &observed);
        assert_eq!(new, json!("oslo:piece:piece"));
    }

    #[test]
    fn numbers_are_met_and_passed() {
        let observed = Observed::Order(Scalar::Whole(5), Scalar::Whole(1000));
        let values: Vec<Value> = sent(vec![json!(5)], &observed)
            .into_iter()
            .map(|s| s.1)
            .collect();
        assert_eq!(values, [json!(1000), json!(1001), json!(999)]);
        let parsed = Observed::Equal(Scalar::Whole(5), Scalar::Whole(42));
        assert_eq!(first(json!("5"), &parsed), json!("42"));
        let length = Observed::Equal(Scalar::Whole(6), Scalar::Whole(8));
        assert_eq!(first(json!("marker"), &length), json!("marrrker"));
    }

    #[test]
    fn two_inputs_that_must_agree_take_each_others_values() {
        let observed = Observed::Equal(text("ALPHA"), text("beta"));
        let all = sent(vec![json!("alpha"), json!("beta")], &observed);
        assert!(all.contains(&(0, json!("beta"))) && all.contains(&(1, json!("ALPHA"))));
    }

    #[test]
    fn beginnings_ends_and_patterns_are_made() {
        let begin = Observed::Prefix("marker".to_owned(), "ord-".to_owned());
        assert_eq!(first(json!("marker"), &begin), json!("ord-er"));
        let end = Observed::Suffix("marker".to_owned(), ".pdf".to_owned());
        assert_eq!(first(json!("marker"), &end), json!("ma.pdf"));
        let pattern = Observed::Pattern {
            text: "marker".to_owned(),
            pattern: "[a-c]{3}(?P<n>[0-9]{2})".to_owned(),
            flags: String::new(),
            how: Matching::Whole,
        };
        let made = first(json!("marker"), &pattern);
        let made = made.as_str().expect("a text");
        assert!(made.len() == 5 && made[3..].parse::<u8>().is_ok(), "{made}");
    }

    #[test]
    fn every_member_is_a_candidate() {
        let members = vec![text("alpha"), text("beta"), text("gamma")];
        let observed = Observed::Member(text("marker"), members);
        assert_eq!(sent(vec![json!("marker")], &observed).len(), 3);
    }

    #[test]
    fn dates_are_moved_by_their_parts_and_as_a_whole() {
        let month = Observed::Equal(Scalar::Whole(5), Scalar::Whole(2));
        assert_eq!(first(json!("2023-05-07"), &month), json!("2023-02-07"));
        let day = Scalar::Moment("2023-05-07".to_owned());
        let other = Scalar::Moment("2020-02-29T00:00:00".to_owned());
        let moved = first(json!("2023-05-07"), &Observed::Order(day, other));
        assert_eq!(moved, json!("2020-02-29"));
    }

    #[test]
    fn what_is_read_and_missing_is_added() {
        let read = |from, beside: &[&str]| Observed::Read {
            from,
            name: "role".to_owned(),
            found: false,
            beside: beside.iter().map(|name| (*name).to_owned()).collect(),
        };
        // {"id":1}
        let inner = sent(vec![json!("eyJpZCI6MX0=")], &read(ReadFrom::Key, &["id"]));
        let decoded = Layer::Base64 { url: false }
            .open(&inner[0].1)
            .expect("is text");
        let map: Value = serde_json::from_str(decoded.as_str().expect("text")).expect("JSON");
        assert!(map["role"].is_string() && map["id"] == json!(1));
        let rng = &mut Rng::seed_from_u64(1);
        let header = advise(&Inputs::default(), &read(ReadFrom::Header, &[]), rng);
        assert!(matches!(
            &header[..],
            [Advice::Add {
                from: ReadFrom::Header,
                ..
            }]
        ));
    }

    #[test]
    fn what_cannot_be_parsed_becomes_what_can() {
        let parse = Observed::Parse {
            text: "marker".to_owned(),
            kind: "date".to_owned(),
            format: "%d.%m.%Y".to_owned(),
            worked: false,
        };
        assert_eq!(first(json!("marker"), &parse), json!("29.02.2024"));
    }
}
