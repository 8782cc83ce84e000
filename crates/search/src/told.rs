//! Reading refusals: services say what they want, if one listens.

mod code;
mod foreign;
mod members;
mod missing;
mod taken;

use fossick_contract::{Rule, Voice, plain, rules_in};
use fossick_genes::Values;
use fossick_trace::remarks;
use serde_json::Value;

pub(crate) use code::{is_code, shown as code_shown};
pub(crate) use members::members;
pub(crate) use missing::says_missing;
pub(crate) use taken::Sentence;
pub use taken::says_taken;

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
            hear(error.get(said).unwrap_or(&Value::Null), &mut told);
        }
    }
    hear(body.get("data").unwrap_or(&Value::Null), &mut told);
    told.truncate(MOST);
    told
}

/// Everything that a refusal tells of fields and values.
pub(crate) fn read(body: &Value) -> Vec<Told> {
    let mut told = Vec::new();
    hear(body, &mut told);
    told.truncate(MOST);
    told
}

/// References that lead nowhere, and nothing else.
pub(crate) fn references(body: &Value) -> Vec<Told> {
    let mut told = Vec::new();
    for foreign in remarks(body)
        .iter()
        .filter_map(|remark| foreign::read(remark.text))
    {
        if !told.contains(&foreign) && told.len() < MOST {
            told.push(foreign);
        }
    }
    told
}

fn hear(said: &Value, told: &mut Vec<Told>) {
    for remark in remarks(said) {
        sentence(remark.text, remark.field.as_deref(), told);
    }
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
    let found = named_in(&lower, optional).into_iter();
    found.map(Told::Required).collect()
}

/// Whether a refusal minds that a thing has too little: "a recipe without steps".
pub(crate) fn lacks(refusal: &str) -> bool {
    const WORDS: [&str; 9] = [
        "without",
        "has no ",
        "have no ",
        "needs ",
        "must have",
        "lacks",
        "missing",
        "requires",
        "not have",
    ];
    let lower = refusal.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Fields whose names are words of a text.
pub(crate) fn named_in(text: &str, fields: &[String]) -> Vec<String> {
    const MOST: usize = 4;
    let words: Vec<String> = text
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(plain)
        .collect();
    let named = |name: &&String| words.contains(&plain(name));
    fields.iter().filter(named).take(MOST).cloned().collect()
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

/// Whether a refusal minds that something was sent twice.
pub(crate) fn says_twice(refusal: &str) -> bool {
    const WORDS: [&str; 8] = [
        "the same",
        "twice",
        "duplicat",
        "distinct",
        "different",
        "repeat",
        "more than once",
        "unique",
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
    for rule in rules_in(text, Voice::Refusal, &name) {
        // Bounds and formats are kept as rules of the operation; a value of a closed set is worth
        // trying wherever a field is called so.
        if let Rule::Members(members) = rule {
            let values = members.into_iter();
            told.extend(values.map(|value| Told::Value(name.clone(), value)));
        }
    }
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
    use serde_json::json;

    #[test]
    fn a_list_of_located_complaints_is_understood() {
        let body = json!({"detail": [
            {"type": "literal_error", "loc": ["body", "status"], "msg": "Input should be 'open', 'doing' or 'done'"},
            {"type": "missing", "loc": ["body", "title"], "msg": "Field required"},
        ]});
        let told = read(&body);
        assert!(
            told.contains(&Told::Value("status".into(), json!("doing"))),
            "{told:?}"
        );
        assert!(told.contains(&Told::Required("title".into())), "{told:?}");
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
        let told = read(&json!({"errors": {"owner": ["must be one of: ada, ben"]}}));
        assert!(
            matches!(&told[..], [Told::Value(name, _), _] if name == "owner"),
            "{told:?}"
        );
    }
}
