//! What a service says of its own failure, without the parts that vary.

use fossick_trace::{Answer, Request};
use serde_json::Value;

/// The message of an error answer, normalised so that the same cause reads the same.
pub fn normalised(answer: &Answer, request: &Request) -> String {
    let text = match answer.json() {
        Some(value) => said(value).unwrap_or_default(),
        None => first_line(&answer.excerpt(400)),
    };
    fold_told(&text, request)
}

/// Like [`fold`], of what a service says to a request. A text that was sent may hold quotes
/// itself: then it can't be known by the quotes around it.
pub(crate) fn fold_told(text: &str, request: &Request) -> String {
    let texts = request.texts();
    let mut sent: Vec<&String> = texts.iter().collect();
    sent.retain(|text| text.contains(['\'', '"', '`']) && text.chars().count() > 1);
    sent.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let bare = sent.iter().fold(text.to_owned(), |text, sent| {
        text.replace(sent.as_str(), "#")
    });
    let lone = ['\'', '"', '`'];
    let lone = lone
        .iter()
        .filter(|quote| texts.contains(&quote.to_string()));
    fold(&lone.fold(bare, |text, quote| without_the_odd_one(&text, *quote)))
}

/// A quote that was sent as it is stands between the service's own ones.
fn without_the_odd_one(text: &str, quote: char) -> String {
    let places: Vec<usize> = text.match_indices(quote).map(|(at, _)| at).collect();
    let mut text = text.to_owned();
    if places.len() > 2 && places.len() % 2 == 1 {
        text.replace_range(places[places.len() / 2]..=places[places.len() / 2], "#");
    }
    text
}

/// The words of a JSON error, wherever the service puts them.
fn said(value: &Value) -> Option<String> {
    const KEYS: [&str; 9] = [
        "message",
        "detail",
        "error",
        "title",
        "msg",
        "description",
        "reason",
        "errors",
        "error_message",
    ];
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => items.first().and_then(said),
        Value::Object(map) => KEYS.iter().find_map(|key| map.get(*key).and_then(said)),
        _ => None,
    }
}

fn first_line(text: &str) -> String {
    text.lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("")
        .trim()
        .to_owned()
}

/// Numbers, quoted parts and long identifiers become marks.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::new();
    for c in unquoted(text).chars() {
        match c {
            c if c.is_ascii_digit() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            c if c.is_control() && !c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    let words: Vec<&str> = out
        .split_whitespace()
        .map(|word| if is_identifier(word) { "#" } else { word })
        .collect();
    words.join(" ").chars().take(120).collect()
}

/// The text without what stands between quotes of any kind. An apostrophe inside a word is none.
fn unquoted(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut in_word = false;
    let mut chars = text.chars().take(600).peekable();
    while let Some(c) = chars.next() {
        let word_follows = chars.peek().is_some_and(|next| next.is_alphanumeric());
        let closes = quote == Some(c) && !(c == '\'' && word_follows);
        let opens = quote.is_none() && matches!(c, '"' | '`' | '\'') && !(c == '\'' && in_word);
        if closes {
            quote = None;
        } else if opens {
            quote = Some(c);
        }
        if closes || opens || quote.is_none() {
            out.push(c);
        }
        in_word = c.is_alphanumeric();
    }
    out
}

/// Hexadecimal runs with digits folded in them: what is left of a UUID or hash.
fn is_identifier(word: &str) -> bool {
    word.len() > 7
        && word.contains('#')
        && word
            .chars()
            .all(|c| c.is_ascii_hexdigit() || "#-_".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes as Body;
    use fossick_contract::Method;

    fn request(body: &str) -> Request {
        Request {
            method: Method::Post,
            target: "/members?sort=a%27b".to_owned(),
            headers: Vec::new(),
            body: Body::from(body.to_owned()),
            user: None,
            anonymous: false,
        }
    }

    fn told(answer: &Answer) -> String {
        normalised(answer, &request("{}"))
    }

    #[test]
    fn what_was_sent_with_quotes_in_it_does_not_make_a_difference() {
        let fold = |name: &str| {
            let text = format!("no such LIKE '%{name}%' in x.rs:88");
            let body = serde_json::json!({"variables": {"named": name}, "other": "such"});
            let folded = fold_told(&text, &request(&body.to_string()));
            let asked = format!("{{ varieties(first: 3, named: {}) }}", Value::from(name));
            let body = serde_json::json!({"query": asked});
            assert_eq!(folded, fold_told(&text, &request(&body.to_string())));
            folded
        };
        let one = fold("birch'");
        assert_eq!(one, fold("birch''"));
        assert_eq!(one, fold("' OR '1'='1"));
        assert_eq!(one, fold("'"));
        assert!(one.contains("no such LIKE"), "{one}");
    }
    use bytes::Bytes;
    use std::time::Duration;

    fn answer(body: &'static str) -> Answer {
        Answer::new(500, vec![], Bytes::from(body), false, Duration::ZERO)
    }

    #[test]
    fn what_varies_is_folded() {
        let one = told(&answer(
            r#"{"detail":"row 17 of \"x\" is gone: 9f8e7d6c-1234-4a5b-8c7d-001122334455"}"#,
        ));
        let two = told(&answer(
            r#"{"detail":"row 4 of \"yy\" is gone: 1f8e7d6c-9234-4a5b-8c7d-ab1122334455"}"#,
        ));
        assert_eq!(one, two);
    }

    #[test]
    fn quotes_of_any_kind_are_folded_and_apostrophes_are_not() {
        let said = |text: &str| {
            let body = Bytes::from(serde_json::json!({ "error": text }).to_string());
            told(&Answer::new(500, vec![], body, false, Duration::ZERO))
        };
        assert_eq!(said("KeyError: 'Ada'"), said("KeyError: 'O'Hara'"));
        assert_eq!(said("no `x` here"), said("no `y z` here"));
        assert_eq!(said("can't read it"), "can't read it");
        assert_ne!(said("can't read it"), said("can't write it"));
    }

    #[test]
    fn plain_text_gives_its_first_line() {
        assert_eq!(
            told(&answer("\n Internal Server Error\nmore")),
            "Internal Server Error"
        );
    }
}
