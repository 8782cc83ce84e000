//! A GraphQL call and its answer in the words of GraphQL.
//!
//! On the wire a call is a JSON document with a text in it and values beside the text. People read
//! `mutation addReview(stars: 3) { id }`: values where they are used, long ones cut, and the names
//! of earlier answers where a value came from one. This is for reading only; what is to be run
//! again is written from what was sent.

use fossick_contract::Method;
use fossick_query::{Asked, Directive, Document, Literal, Part, Pick, read, write};
use fossick_trace::{Answer, Call, Payload, Request, Said};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::captures::Names;
use crate::{Style, one_line};

/// Longer texts are cut.
const LONGEST_TEXT: usize = 32;
/// So many items of a list are shown.
const MOST_ITEMS: usize = 4;
/// Values nested deeper are not written out.
const DEEPEST: usize = 12;

/// A call in three parts, so that each can have a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    /// `mutation`
    pub(crate) kind: &'static str,
    /// `addReview(stars: 3)`
    pub(crate) field: String,
    /// `{ id stars }`
    pub(crate) selection: String,
}

impl Told {
    pub(crate) fn on_one_line(&self) -> String {
        let parts = [self.kind, &self.field, &self.selection];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// A call as people write it down; `None` if it is not a GraphQL one.
pub(crate) fn told(call: &Call, request: &Request, names: &Names, style: &Style) -> Option<Told> {
    let key = call.graphql.as_deref()?;
    let (label_kind, field) = call
        .operation
        .split_once(' ')
        .unwrap_or(("query", &call.operation));
    let kind = match (label_kind, request.method) {
        // A mutation by GET is a fault of its own: it must be seen.
        ("mutation", Method::Get) => "GET mutation",
        ("mutation", _) => "mutation",
        (_, Method::Get) => "GET query",
        _ => "query",
    };
    let sent = Sent::of(request);
    let values = Values {
        variables: &sent.variables,
        filled: filled(call, names),
        more: style.symbols().more,
    };
    let document = read(&sent.query, None).ok();
    let asked = document.as_ref().and_then(|d| main_field(d, key));
    let Some(asked) = asked else {
        let shown = values.all();
        return Some(Told {
            kind,
            field: one_line(&format!("{field}{shown}")),
            selection: String::new(),
        });
    };
    let asked = values.laid_in(asked.clone());
    let beside = document.map_or(0, |d| d.picks.len() - 1);
    Some(Told {
        kind,
        field: format!("{}{}", head(&asked), others(beside)),
        selection: selection(asked.picks),
    })
}

fn others(beside: usize) -> String {
    match beside {
        0 => String::new(),
        _ => format!(" +{beside} more"),
    }
}

fn main_field<'d>(document: &'d Document, key: &str) -> Option<&'d Asked> {
    document.picks.iter().find_map(|pick| match pick {
        Pick::Field(asked) if asked.key() == key => Some(asked),
        _ => None,
    })
}

/// `addReview(stars: 3)`
fn head(asked: &Asked) -> String {
    let alone = Asked {
        picks: Vec::new(),
        ..asked.clone()
    };
    let braced = selection(vec![Pick::Field(alone)]);
    let inside = braced.strip_prefix("{ ").and_then(|b| b.strip_suffix(" }"));
    inside.unwrap_or(&braced).to_owned()
}

fn selection(picks: Vec<Pick>) -> String {
    if picks.is_empty() {
        return String::new();
    }
    one_line(&write(&Document {
        kind: fossick_contract::RootKind::Query,
        name: None,
        variables: Vec::new(),
        picks,
    }))
}

/// Text and values of an operation as they went out, by POST or by GET.
#[derive(Debug, Default)]
struct Sent {
    query: String,
    variables: Map<String, Value>,
}

impl Sent {
    fn of(request: &Request) -> Self {
        let parameter = |name: &str| {
            let (_, query) = request.target.split_once('?')?;
            let value = query.split('&').find_map(|pair| {
                let (known, value) = pair.split_once('=')?;
                (known == name).then_some(value)
            })?;
            Some(percent_decode_str(value).decode_utf8_lossy().into_owned())
        };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let query = body.get("query").and_then(Value::as_str).map(str::to_owned);
        let variables = match body.get("variables") {
            Some(variables) => variables.clone(),
            None => parameter("variables")
                .and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default(),
        };
        Self {
            query: query.or_else(|| parameter("query")).unwrap_or_default(),
            variables: match variables {
                Value::Object(map) => map,
                _ => Map::new(),
            },
        }
    }
}

/// Places in the variables that earlier answers filled, with the names of what they gave.
fn filled(call: &Call, names: &Names) -> Vec<(String, String)> {
    let Payload::Json { fills, .. } = &call.payload else {
        return Vec::new();
    };
    fills
        .iter()
        .filter_map(|(pointer, capture)| {
            let below = pointer.strip_prefix("/variables")?;
            Some((below.to_owned(), names.get(capture)?.to_owned()))
        })
        .collect()
}

/// The values of a call, to be laid into its operation.
struct Values<'a> {
    variables: &'a Map<String, Value>,
    filled: Vec<(String, String)>,
    more: &'static str,
}

impl Values<'_> {
    /// `(id: 3, name: "x")`, for an operation that can't be read.
    fn all(&self) -> String {
        let arguments: Vec<(String, Literal)> = self
            .variables
            .iter()
            .map(|(name, _)| (name.clone(), self.variable(name)))
            .collect();
        let made_up = Asked {
            arguments,
            name: "x".to_owned(),
            ..Asked::default()
        };
        head(&made_up).split_off(1)
    }

    fn laid_in(&self, mut asked: Asked) -> Asked {
        self.arguments(&mut asked.arguments);
        self.directives(&mut asked.directives);
        asked.picks = self.picks(asked.picks);
        asked
    }

    fn picks(&self, picks: Vec<Pick>) -> Vec<Pick> {
        let pick = |pick| match pick {
            Pick::Field(asked) => Pick::Field(self.laid_in(asked)),
            Pick::Part(part) => Pick::Part(self.part(part)),
        };
        picks.into_iter().map(pick).collect()
    }

    fn part(&self, mut part: Part) -> Part {
        self.directives(&mut part.directives);
        part.picks = self.picks(part.picks);
        part
    }

    fn directives(&self, directives: &mut [Directive]) {
        for directive in directives {
            self.arguments(&mut directive.arguments);
        }
    }

    fn arguments(&self, arguments: &mut [(String, Literal)]) {
        for (_, value) in arguments {
            let written = std::mem::replace(value, Literal::Null);
            *value = self.literal(written, 0);
        }
    }

    fn literal(&self, literal: Literal, depth: usize) -> Literal {
        match literal {
            Literal::Variable(name) => self.variable(&name),
            Literal::Text(text) => Literal::Text(self.short(&text)),
            Literal::List(items) => {
                let items = items.into_iter().map(|item| self.literal(item, depth + 1));
                self.list(items.collect())
            }
            Literal::Object(members) if depth < DEEPEST => {
                let member = |(name, value)| (name, self.literal(value, depth + 1));
                Literal::Object(members.into_iter().map(member).collect())
            }
            Literal::Object(_) => self.mark(),
            other => other,
        }
    }

    fn variable(&self, name: &str) -> Literal {
        match self.variables.get(name) {
            Some(value) => self.value(value, &format!("/{name}"), 0),
            None => Literal::Variable(name.to_owned()),
        }
    }

    fn value(&self, value: &Value, pointer: &str, depth: usize) -> Literal {
        if let Some((_, name)) = self.filled.iter().find(|(at, _)| at == pointer) {
            return Literal::Variable(name.clone());
        }
        let below = |value: &Value, step: &str| {
            let step = fossick_contract::escape_token(step);
            self.value(value, &format!("{pointer}/{step}"), depth + 1)
        };
        match value {
            Value::Null => Literal::Null,
            Value::Bool(flag) => Literal::Boolean(*flag),
            Value::Number(number) => Literal::Number(number.to_string()),
            Value::String(text) => Literal::Text(self.short(text)),
            _ if depth >= DEEPEST => self.mark(),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                self.list(items.map(|(at, v)| below(v, &at.to_string())).collect())
            }
            Value::Object(members) => {
                let member = |(name, value): (&String, &Value)| (name.clone(), below(value, name));
                Literal::Object(members.iter().map(member).collect())
            }
        }
    }

    fn list(&self, mut items: Vec<Literal>) -> Literal {
        if items.len() > MOST_ITEMS + 1 {
            items.truncate(MOST_ITEMS);
            items.push(self.mark());
        }
        Literal::List(items)
    }

    /// Says that something is left out; as bare as the member of an enumeration.
    fn mark(&self) -> Literal {
        Literal::Enum(self.more.to_owned())
    }

    fn short(&self, text: &str) -> String {
        match text.char_indices().nth(LONGEST_TEXT) {
            None => text.to_owned(),
            Some((end, _)) => format!("{}{}", text.get(..end).unwrap_or(""), self.more),
        }
    }
}

/// What an answer says of itself in a word or two: its status says little.
pub(crate) fn said(answer: &Answer) -> Option<String> {
    let word = match answer.said? {
        Said::Data => "data",
        Said::Nothing => "null",
        Said::Refusal => "refusal",
        Said::Errors => "errors",
        Said::Nonsense => return Some(answer.status.to_string()),
    };
    Some(match answer.status {
        200 => word.to_owned(),
        status => format!("{status} {word}"),
    })
}

/// The first error of an answer in its own words, where it is, and how many more there are.
pub(crate) fn first_error(answer: &Answer) -> Option<String> {
    let errors = answer.json()?.get("errors")?.as_array()?;
    let first = errors.first()?;
    let message = first.get("message").and_then(Value::as_str);
    let mut text = message.map_or_else(|| first.to_string(), str::to_owned);
    if let Some(path) = first.get("path").and_then(Value::as_array) {
        let steps: Vec<String> = path.iter().map(step).collect();
        text.push_str(&format!(" (at {})", steps.join(".")));
    }
    if errors.len() > 1 {
        text.push_str(&format!(" +{} more", errors.len() - 1));
    }
    Some(one_line(&text))
}

fn step(step: &Value) -> String {
    match step {
        Value::String(name) => name.clone(),
        other => other.to_string(),
    }
}

/// What came where it was asked for; `None` where nothing did.
pub(crate) fn data(answer: &Answer) -> Option<String> {
    let data = answer.json()?.get("data").filter(|data| !data.is_null())?;
    Some(one_line(&data.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(variables: &Map<String, Value>) -> Values<'_> {
        Values {
            variables,
            filled: vec![("/input/id".to_owned(), "b".to_owned())],
            more: "…",
        }
    }

    #[test]
    fn values_stand_where_they_are_used() {
        let Value::Object(variables) = json!({
            "input": {"id": "1", "tags": [1, 2, 3, 4, 5, 6]}, "comment": "x".repeat(40),
        }) else {
            unreachable!("an object");
        };
        let text = "mutation m($input: I!, $comment: String) { add(input: $input, comment: $comment) { id log(first: $none) } }";
        let document = read(text, None).expect("GraphQL");
        let asked = main_field(&document, "add").expect("it is there").clone();
        let asked = values(&variables).laid_in(asked);
        let short = format!("{}…", "x".repeat(32));
        assert_eq!(
            head(&asked),
            format!("add(input: {{id: $b, tags: [1, 2, 3, 4, …]}}, comment: \"{short}\")")
        );
        assert_eq!(selection(asked.picks), "{ id log(first: $none) }");
    }

    #[test]
    fn an_operation_that_can_not_be_read_is_told_by_its_values() {
        let Value::Object(variables) = json!({"input": {"id": 7}, "n": null}) else {
            unreachable!("an object");
        };
        assert_eq!(values(&variables).all(), "(input: {id: $b}, n: null)");
        assert_eq!(values(&Map::new()).all(), "");
    }

    #[test]
    fn an_error_is_told_with_its_place() {
        let answer = |body: Value| {
            let body = bytes::Bytes::from(body.to_string());
            Answer::new(200, vec![], body, false, std::time::Duration::ZERO)
        };
        let two = answer(json!({"errors": [
            {"message": "no\nauthor", "path": ["books", 0, "author"]}, {}], "data": {"books": []}}));
        assert_eq!(
            first_error(&two).as_deref(),
            Some("no author (at books.0.author) +1 more")
        );
        assert_eq!(data(&two).as_deref(), Some(r#"{"books":[]}"#));
        assert_eq!(first_error(&answer(json!({"errors": []}))), None);
        assert_eq!(data(&answer(json!({"data": null}))), None);
        let odd = answer(json!({"errors": [{"text": "x"}]}));
        assert_eq!(first_error(&odd).as_deref(), Some(r#"{"text":"x"}"#));
    }
}
