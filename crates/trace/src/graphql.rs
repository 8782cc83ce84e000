//! What a GraphQL answer says of itself. Its status is 200 whatever happens.

use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// What was asked for, and no error.
    Data,
    /// No error, and null: the thing is not there, or there is nothing to say.
    Nothing,
    /// No error by GraphQL's rules, but the payload lists some of its own (`userErrors`).
    Refusal,
    /// `errors` has entries.
    Errors,
    /// Not a GraphQL answer at all.
    Nonsense,
}

impl Said {
    /// Answered without `errors`: what the literature counts.
    pub fn is_without_errors(self) -> bool {
        matches!(self, Self::Data | Self::Nothing | Self::Refusal)
    }
}

/// Reads an answer to a call about one key of `data`.
pub(crate) fn said(body: Option<&Value>, key: &str) -> Said {
    let Some(Value::Object(body)) = body else {
        return Said::Nonsense;
    };
    if body.get("errors").is_some_and(|errors| !is_empty(errors)) {
        return Said::Errors;
    }
    match body.get("data") {
        None => Said::Nonsense,
        Some(data) => match data.get(key) {
            None | Some(Value::Null) => Said::Nothing,
            Some(payload) if complains(payload) => Said::Refusal,
            Some(_) => Said::Data,
        },
    }
}

fn is_empty(errors: &Value) -> bool {
    match errors {
        Value::Null => true,
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Whether a payload has a list of errors with something in it.
fn complains(payload: &Value) -> bool {
    let Value::Object(payload) = payload else {
        return false;
    };
    payload.iter().any(|(key, value)| {
        let names_errors = key == "errors" || key.ends_with("Errors") || key.ends_with("_errors");
        names_errors && matches!(value, Value::Array(entries) if !entries.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_status_says_nothing_and_the_body_all() {
        let said = |body| said(Some(&body), "book");
        assert_eq!(said(json!({"data": {"book": {"id": 1}}})), Said::Data);
        assert_eq!(said(json!({"data": {"book": null}})), Said::Nothing);
        assert_eq!(
            said(json!({"data": {"book": {}}, "errors": []})),
            Said::Data
        );
        assert_eq!(
            said(json!({"data": {"book": null}, "errors": [{"message": "no"}]})),
            Said::Errors
        );
        assert_eq!(
            said(json!({"data": {"book": {"userErrors": [{"message": "no"}]}}})),
            Said::Refusal
        );
        assert_eq!(said(json!([1])), Said::Nonsense);
        assert_eq!(said(json!({})), Said::Nonsense);
    }
}
