//! Messages that no one wrote for a reader: the text of an exception that was passed on as it is.
//!
//! Libraries put into `message` whatever an exception says of itself. For one that carries nothing
//! but a key or its arguments this is a quoted name, a tuple, or only the name of its class.

use super::blame::plain_code;
use super::words::CALLER_CODES;

/// What gives a message away as an exception's own text, as a part of a sentence.
pub(super) fn exception_text(message: &str) -> Option<&'static str> {
    let message = message.trim();
    if is_bare_key(message) {
        Some("the message is nothing but a quoted name, as of a key that is not there")
    } else if is_literal_list(message) {
        Some("the message is nothing but a list of values, as of an exception's arguments")
    } else if is_exception_name(message) {
        Some("the message is nothing but the name of an exception")
    } else {
        None
    }
}

/// What Python makes of a `KeyError`: `'title'`.
fn is_bare_key(message: &str) -> bool {
    const LONGEST: usize = 80;
    quoted(message).is_some_and(|key| {
        !key.is_empty() && key.len() <= LONGEST && key.split_whitespace().count() < 3
    })
}

/// `('artist', 'Nova')`, `[1, 2]`.
fn is_literal_list(message: &str) -> bool {
    let inner = [('(', ')'), ('[', ']')].iter().find_map(|(open, close)| {
        let inner = message.strip_prefix(*open)?;
        inner.strip_suffix(*close)
    });
    inner.is_some_and(|inner| {
        let parts = inner.trim_end_matches(',').split(',').map(str::trim);
        !inner.is_empty() && parts.into_iter().all(is_literal)
    })
}

fn is_literal(part: &str) -> bool {
    let constant = matches!(
        part,
        "None" | "True" | "False" | "nil" | "null" | "undefined"
    );
    constant || part.parse::<f64>().is_ok() || quoted(part).is_some()
}

/// The inside of a text that one pair of quotes encloses.
fn quoted(text: &str) -> Option<&str> {
    let inner = ['\'', '"'].iter().find_map(|quote| {
        let inner = text.strip_prefix(*quote)?.strip_suffix(*quote)?;
        (!inner.contains(*quote)).then_some(inner)
    })?;
    (!inner.contains('\n')).then_some(inner)
}

/// `IndexError`, `java.util.NoSuchElementException`; but not `NotFoundException`, which speaks to
/// a caller.
fn is_exception_name(message: &str) -> bool {
    let name = message.rsplit(['.', ':', '\\']).next().unwrap_or(message);
    let kind = ["Error", "Exception", "Panic"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\' | '$');
    kind.is_some_and(|kind| {
        !kind.is_empty() && is_word(kind) && message.chars().all(is_path) && !is_for_caller(kind)
    })
}

fn is_for_caller(kind: &str) -> bool {
    let plain = plain_code(kind);
    CALLER_CODES.iter().any(|code| plain.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_arguments_and_class_names_are_exceptions_texts() {
        for message in [
            "'title'",
            "'first name'",
            "\"x\"",
            "('artist', 'Nova')",
            "('artist',)",
            "(1, None)",
            "[3, 'a']",
            "IndexError",
            "java.util.NoSuchElementException",
            "App\\Errors\\LogicException",
        ] {
            assert!(exception_text(message).is_some(), "{message}");
        }
    }

    #[test]
    fn sentences_and_codes_for_callers_are_none() {
        for message in [
            "",
            "''",
            "'a' is no 'b'",
            "'The show is sold out already'",
            "(see the manual)",
            "[404] no such show",
            "[]",
            "()",
            "SOLD_OUT",
            "conflict",
            "NotFoundException",
            "ValidationError",
            "PermissionDeniedError",
            "Error",
            "the service had an Error",
        ] {
            assert!(exception_text(message).is_none(), "{message}");
        }
    }
}
