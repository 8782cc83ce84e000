//! Reading refusals: services say what they want, if one listens.

mod code;
mod foreign;
mod members;
mod missing;
mod taken;

use fossick_genes::Values;
use serde_json::{Value, json};

pub(crate) use code::{is_code, shown as code_shown};
pub(crate) use members::members;
pub(crate) use missing::says_missing;
pub(crate) use taken::{says_taken, speaks_of, stands_in};

/// What one complaint says of one field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Told {
    /// The field must be there.
    Required(String),
    /// This value would do.
    Value(String, Value),
    /// This list must have an item with this text.
    Member(String, String),
    /// These fields together must be the key of something that is kept in this table.
    Foreign {
        fields: Vec<String>,
        table: String,
        /// What the table calls its key, in the order of the fields; empty where nobody says.
        keys: Vec<String>,
    },
}

const MOST: usize = 24;

/// The same of a GraphQL answer. The paths of its errors lead into the answer and not into what
/// was sent, so they name no field.
pub(crate) fn read_graphql(body: &Value) -> Vec<Told> {
    let mut told = Vec::new();
    let errors = body.get("errors").and_then(Value::as_array);
    for error in errors.into_iter().flatten().take(20) {
        for said in ["message", "extensions"] {
            walk(error.get(said).unwrap_or(&Value::Null), None, 0, &mut told);
        }
    }
    walk(body.get("data").unwrap_or(&Value::Null), None, 0, &mut told);
    told.truncate(MOST);
    told
}

/// Everything that a refusal tells of fields and values.
pub(crate) fn read(body: &Value) -> Vec<Told> {
    let mut told = Vec::new();
    walk(body, None, 0, &mut told);
    told.truncate(MOST);
    told
}

/// What a refusal says in whole sentences.
pub(crate) fn sentences(body: &Value, graphql: bool) -> Vec<String> {
    let mut said = Vec::new();
    match body.get("errors").and_then(Value::as_array) {
        Some(errors) if graphql => {
            let messages = errors.iter().filter_map(|error| error.get("message"));
            said.extend(messages.filter_map(Value::as_str).map(str::to_owned));
        }
        _ => gather(body, 0, &mut said),
    }
    said.truncate(MOST);
    said
}

fn gather(value: &Value, depth: usize, said: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(' ') => said.push(text.clone()),
        Value::Array(items) if depth < 6 => {
            let some = items.iter().take(MOST);
            some.for_each(|item| gather(item, depth + 1, said));
        }
        Value::Object(map) if depth < 6 => {
            let some = map.values().take(MOST);
            some.for_each(|inner| gather(inner, depth + 1, said));
        }
        _ => {}
    }
}

/// Optional fields that a refusal asks for in plain words: "name is required", "bad or missing
/// username". A word counts where it is the name of a field.
pub(crate) fn wanted(refusal: &str, optional: &[String]) -> Vec<Told> {
    let lower = refusal.to_lowercase();
    if !asks_for_more(&lower) {
        return Vec::new();
    }
    let words: Vec<String> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(plain)
        .collect();
    let named = |name: &&String| words.contains(&plain(name));
    let found = optional.iter().filter(named).take(4);
    found.map(|name| Told::Required(name.clone())).collect()
}

/// A name without case, underscores and a plural's last letter.
pub(crate) fn plain(name: &str) -> String {
    let bare = name.replace('_', "").to_lowercase();
    bare.strip_suffix('s').map_or(bare.clone(), str::to_owned)
}

/// Whether a refusal minds that nothing optional was sent, whichever it be.
pub(crate) fn wants_anything(refusal: &str) -> bool {
    const WORDS: [&str; 7] = [
        "at least one field",
        "at least one of",
        "no fields",
        "no field is set",
        "nothing to update",
        "no changes",
        "at least one property",
    ];
    let lower = refusal.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Whether a refusal says that the caller may not, whatever is sent.
pub(crate) fn denies(refusal: &str) -> bool {
    const WORDS: [&str; 9] = [
        "only admin",
        "permission denied",
        "not permitted",
        "not authorized",
        "unauthorized",
        "forbidden",
        "access denied",
        "must be logged in",
        "authentication must be",
    ];
    let lower = refusal.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

const ASKING: [&str; 7] = [
    "required",
    "missing",
    "must be provided",
    "can't be blank",
    "must not be null",
    "cannot be empty",
    "must be set",
];

fn asks_for_more(lower: &str) -> bool {
    ASKING.iter().any(|word| lower.contains(word))
}

pub(crate) fn remember(values: &mut Values, operation: &str, told: &[Told]) {
    for one in told {
        if let Told::Value(name, value) = one {
            values.tell(Some(operation), name, value.clone());
        }
    }
}

fn walk(value: &Value, field: Option<&str>, depth: usize, told: &mut Vec<Told>) {
    if depth > 6 || told.len() >= MOST {
        return;
    }
    match value {
        Value::String(text) => sentence(text, field, told),
        Value::Array(items) => items
            .iter()
            .take(20)
            .for_each(|item| walk(item, field, depth + 1, told)),
        Value::Object(map) => {
            let named = field_of(map);
            for (key, inner) in map {
                // A map from field names to complaints is the other common form.
                let own = if says(key) || named.is_some() {
                    None
                } else {
                    Some(key.as_str())
                };
                walk(inner, named.as_deref().or(own).or(field), depth + 1, told);
            }
        }
        _ => {}
    }
}

/// The field that a complaint object is about.
fn field_of(map: &serde_json::Map<String, Value>) -> Option<String> {
    const KEYS: [&str; 10] = [
        "loc",
        "field",
        "path",
        "param",
        "property",
        "pointer",
        "instancePath",
        "dataPath",
        "parameter",
        "name",
    ];
    KEYS.iter().find_map(|key| match map.get(*key)? {
        Value::Array(parts) => {
            let words: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            let inner = match words.split_first() {
                Some((&("body" | "query" | "path" | "header" | "cookie"), inner)) => inner,
                _ => &words,
            };
            (!inner.is_empty()).then(|| inner.join("."))
        }
        Value::String(text) => {
            let last = text
                .rsplit(['/', '.'])
                .next()?
                .trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
            (!last.is_empty() && !last.contains(' ')).then(|| last.to_owned())
        }
        _ => None,
    })
}

fn says(key: &str) -> bool {
    const KEYS: [&str; 16] = [
        "message",
        "msg",
        "detail",
        "details",
        "error",
        "errors",
        "title",
        "description",
        "reason",
        "type",
        "validation",
        "violations",
        "code",
        "name",
        "status",
        "ctx",
    ];
    KEYS.contains(&key)
}

fn sentence(text: &str, field: Option<&str>, told: &mut Vec<Told>) {
    if let Some(foreign) = foreign::read(text) {
        // Services say it twice: in the message, and in what they hand on of the database's.
        if !told.contains(&foreign) {
            told.push(foreign);
        }
        return;
    }
    if text.len() > 600 {
        return;
    }
    let lower = text.to_lowercase();
    let quoted = quoted(text);
    if asks_for_more(&lower) {
        let said = quoted.first().cloned().or_else(|| field.map(str::to_owned));
        let name = said
            .filter(|n| is_name(n))
            .or_else(|| leading_name(text, &quoted));
        told.extend(name.map(Told::Required));
        return;
    }
    let Some(name) = field
        .map(str::to_owned)
        .or_else(|| leading_name(text, &quoted))
    else {
        return;
    };
    let name = name.rsplit('.').next().unwrap_or(&name).to_owned();
    let values = values_in(&lower, text, &quoted, &name);
    told.extend(
        values
            .into_iter()
            .map(|value| Told::Value(name.clone(), value)),
    );
}

/// Values that a sentence offers.
fn values_in(lower: &str, text: &str, quoted: &[String], name: &str) -> Vec<Value> {
    let lists = [
        "one of",
        "allowed values",
        "permitted",
        "expected",
        "valid values",
        "should be",
        "must be",
        "choose from",
        "equal to one",
    ];
    if lists.iter().any(|word| lower.contains(word)) {
        let offered: Vec<Value> = quoted
            .iter()
            .filter(|q| q.as_str() != name)
            .map(|q| json!(q))
            .collect();
        if !offered.is_empty() {
            return offered;
        }
        if let Some(list) = bracketed(text) {
            return list;
        }
    }
    if let Some(range) = range(lower) {
        return range;
    }
    if let Some(number) = bound(lower) {
        return vec![number];
    }
    format_of(lower)
        .into_iter()
        .map(|example| json!(example))
        .collect()
}

/// `["a", "b"]` or `(a, b, c)` written into a sentence.
fn bracketed(text: &str) -> Option<Vec<Value>> {
    let open = text.find(['[', '('])?;
    let close = open + text[open..].find([']', ')'])?;
    let inner = &text[open + 1..close];
    let parts: Vec<Value> = inner
        .split([',', '|'])
        .map(|part| part.trim().trim_matches(['"', '\'']))
        .filter(|part| !part.is_empty() && part.len() < 60)
        .map(|part| json!(part))
        .collect();
    (parts.len() > 1).then_some(parts)
}

/// Both ends of `between 1 and 5`, `from 1 to 5`, `in the range 1-5`, and what lies in the middle.
fn range(lower: &str) -> Option<Vec<Value>> {
    const OPENINGS: [&str; 4] = ["between ", "from ", "in range ", "in the range "];
    let opening = OPENINGS.iter().find(|words| lower.contains(**words))?;
    let rest = &lower[lower.find(opening)? + opening.len()..];
    let mut numbers = rest
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(|part| part.trim_end_matches('-').parse::<i64>().ok());
    let (low, high) = (numbers.next()?, numbers.next()?);
    (low < high).then(|| {
        let middle = low.midpoint(high);
        [high, low, middle].iter().map(|n| json!(n)).collect()
    })
}

/// The number of `greater than or equal to 5`, `at most 10`, `>= 1`.
fn bound(lower: &str) -> Option<Value> {
    const WORDS: [(&str, i64); 12] = [
        ("greater than or equal to ", 0),
        ("less than or equal to ", 0),
        ("at least ", 0),
        ("at most ", 0),
        (">= ", 0),
        ("<= ", 0),
        ("minimum of ", 0),
        ("maximum of ", 0),
        ("no more than ", 0),
        ("greater than ", 1),
        ("less than ", -1),
        ("more than ", 1),
    ];
    WORDS.iter().find_map(|(words, shift)| {
        let rest = &lower[lower.find(words)? + words.len()..];
        let digits: String = rest
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '-')
            .collect();
        let number: i64 = digits.parse().ok()?;
        Some(json!(number.saturating_add(*shift)))
    })
}

/// An example of a format that a sentence names.
fn format_of(lower: &str) -> Option<&'static str> {
    const FORMATS: [(&str, &str); 10] = [
        ("uuid", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"),
        ("email", "ada@example.com"),
        ("date-time", "2024-05-17T10:30:00Z"),
        ("datetime", "2024-05-17T10:30:00Z"),
        ("iso 8601", "2024-05-17T10:30:00Z"),
        ("valid date", "2024-05-17"),
        ("url", "http://127.0.0.1/a"),
        ("uri", "http://127.0.0.1/a"),
        ("base64", "Zm9zc2ljaw=="),
        ("cron", "0 0 * * *"),
    ];
    let asks = lower.contains("valid") || lower.contains("format") || lower.contains("must be");
    FORMATS
        .iter()
        .find(|(word, _)| asks && lower.contains(word))
        .map(|(_, example)| *example)
}

/// Parts of a sentence in quotes of any kind.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['\'', '"', '`']) {
        let mark = rest[open..].chars().next().unwrap_or('"');
        let after = &rest[open + mark.len_utf8()..];
        let Some(close) = after.find(mark) else { break };
        let inner = &after[..close];
        if !inner.is_empty() && inner.len() <= 80 && found.len() < 20 {
            found.push(inner.to_owned());
        }
        rest = &after[close + mark.len_utf8()..];
    }
    found
}

/// The first word of a sentence, or the first quoted one, where it can be a field's name.
fn leading_name(text: &str, quoted: &[String]) -> Option<String> {
    let starts_quoted = text.trim_start().starts_with(['\'', '"', '`']);
    let word = if starts_quoted {
        quoted.first()?.as_str()
    } else {
        text.split_whitespace().next()?
    };
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    is_name(word).then(|| word.to_owned())
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word.len() <= 40
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_located_complaints_is_understood() {
        let body = json!({"detail": [
            {"type": "literal_error", "loc": ["body", "status"], "msg": "Input should be 'open', 'doing' or 'done'"},
            {"type": "missing", "loc": ["body", "title"], "msg": "Field required"},
            {"type": "greater_than_equal", "loc": ["query", "limit"], "msg": "Input should be greater than or equal to 3"},
        ]});
        let told = read(&body);
        assert!(
            told.contains(&Told::Value("status".into(), json!("doing"))),
            "{told:?}"
        );
        assert!(told.contains(&Told::Required("title".into())), "{told:?}");
        assert!(
            told.contains(&Told::Value("limit".into(), json!(3))),
            "{told:?}"
        );
    }

    #[test]
    fn what_minds_the_caller_or_an_empty_change_is_told_apart() {
        assert!(wants_anything(
            "200: At least one field to update must be provided."
        ));
        assert!(!wants_anything(
            "200: At least one example ID must be provided."
        ));
        assert!(denies("200: Only admin can perform this action"));
        assert!(!denies("200: input cost is required"));
    }

    #[test]
    fn a_range_is_understood() {
        let error = json!({"message": "stars must be between 1 and 5", "path": ["addReview"]});
        let told = read_graphql(&json!({"data": null, "errors": [error]}));
        let stars = |n: i64| Told::Value("stars".into(), json!(n));
        assert_eq!(told, [stars(5), stars(1), stars(3)]);
    }

    #[test]
    fn sentences_alone_are_understood_too() {
        let told = read(&json!({"message": "kind must be one of [small, large]"}));
        assert_eq!(
            told,
            [
                Told::Value("kind".into(), json!("small")),
                Told::Value("kind".into(), json!("large"))
            ]
        );
        let told =
            read(&json!({"message": "The request should have required property 'environment'"}));
        assert_eq!(told, [Told::Required("environment".into())]);
    }

    #[test]
    fn a_reference_that_leads_nowhere_is_told_once() {
        let detail = r#"Key (project)=(x) is not present in table "projects"."#;
        let told = read(&json!({"errors": [{
            "message": "insert or update on table \"sets\" violates foreign key constraint \"f\"",
            "detail": detail, "extensions": {"exception": {"detail": detail}},
            "path": ["createSet"]}]}));
        let expected = Told::Foreign {
            fields: vec!["project".into()],
            table: "projects".into(),
            keys: Vec::new(),
        };
        assert_eq!(told, [expected]);
    }

    #[test]
    fn a_map_from_fields_to_complaints_is_understood() {
        let told = read(&json!({"errors": {"owner": ["is not a valid uuid"]}}));
        assert!(
            matches!(&told[..], [Told::Value(name, _)] if name == "owner"),
            "{told:?}"
        );
    }
}
