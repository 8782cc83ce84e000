//! What tests and calls are called, and what is said about them.

use fossick_query::{Document, Pick};
use fossick_suite::words;
use jiff::Timestamp;

use crate::{Call, Record};

/// A word more says little, and lines have an end.
const MOST_WORDS: usize = 10;

/// `products by category` of `ProductsByCategory`; the root fields where it has no name.
pub(super) fn of_document(document: &Document) -> String {
    let name = match &document.name {
        Some(name) => name.clone(),
        None => roots(document).join(" and "),
    };
    tidy(words(&name), document.kind.as_str())
}

fn roots(document: &Document) -> Vec<&str> {
    let picks = document.picks.iter();
    let fields = picks.filter_map(|pick| match pick {
        Pick::Field(asked) => Some(asked.name.as_str()),
        Pick::Part(_) => None,
    });
    fields.take(3).collect()
}

/// `get projects tasks`
pub(super) fn of_path(method: &str, path: &str) -> String {
    let fixed = path.split('/').filter(|part| !part.starts_with('{'));
    let mut all = words(method);
    all.extend(fixed.flat_map(words));
    tidy(all, "call")
}

fn tidy(mut words: Vec<String>, otherwise: &str) -> String {
    words.truncate(MOST_WORDS);
    if words
        .first()
        .is_none_or(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    {
        words.insert(0, otherwise.to_owned());
    }
    words.join(" ")
}

/// `query products`, `GET /projects/7`
pub(super) fn told(call: &Call) -> String {
    match call {
        Call::GraphQl(call) => {
            let name = call.operation_name.as_deref();
            let document = || fossick_query::read(&call.query, None).ok();
            let name = name.map_or_else(
                || document().map_or_else(String::new, |document| roots(&document).join(", ")),
                str::to_owned,
            );
            format!("{} {name}", call.root.as_str())
                .trim_end()
                .to_owned()
        }
        Call::Rest(call) => format!("{} {}", call.method, call.path),
    }
}

/// How a call is used, for a comment.
pub(super) fn about(record: &Record) -> Vec<String> {
    let times = match record.times_called {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{} times", grouped(times)),
    };
    let mut lines = vec![format!(
        "Called {times}, first {}, last {}.",
        date(record.created_at),
        date(record.updated_at)
    )];
    let statuses = record.statuses;
    let failed = statuses.client_error + statuses.server_error + statuses.with_errors;
    if failed > 0 {
        lines.push(format!(
            "Answers with errors at the time: {}.",
            grouped(failed)
        ));
    }
    lines
}

/// `2021-05-05 16:55:19`, in universal time.
pub fn date(milliseconds: u64) -> String {
    let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
    let Ok(time) = Timestamp::from_millisecond(milliseconds) else {
        return "never".to_owned();
    };
    let text = time.to_string();
    text.get(..19).unwrap_or(&text).replace('T', " ")
}

/// `301,016`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
