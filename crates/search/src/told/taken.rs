//! Refusals that say that something of the kind is there already, and what of it.

use fossick_graph::stem_words;
use fossick_trace::stands_in;
use serde_json::Value;

/// Shorter texts stand in many sentences by chance.
const TELLING_TEXT: usize = 3;
/// And so do smaller numbers.
const TELLING_NUMBER: i64 = 100;

/// Whether a refusal says that a value is taken.
pub fn says_taken(text: &str) -> bool {
    const WORDS: [&str; 10] = [
        "already",
        "another",
        "taken",
        "duplicate",
        "unique",
        "in use",
        "exists",
        "conflict",
        "not available",
        "reserved",
    ];
    const NOT: [&str; 4] = ["not exist", "n't exist", "no longer exist", "nonexist"];
    let lower = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    says(&WORDS) && !says(&NOT)
}

/// What a service said, read once to be asked about many fields.
pub(crate) struct Sentence<'t> {
    text: &'t str,
    stems: Vec<String>,
}

impl<'t> Sentence<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let short: String = text.chars().take(600).collect();
        let stems = short.split_whitespace().flat_map(stem_words).collect();
        Self { text, stems }
    }

    pub(crate) fn all_of(texts: &'t [String]) -> Vec<Self> {
        texts.iter().map(|text| Self::of(text)).collect()
    }

    /// Whether it speaks of a field, by its name or by the value that was sent.
    pub(crate) fn speaks_of(&self, name: &str, value: &Value) -> bool {
        quotes(self.text, value) || self.names(name)
    }

    /// Whether the words of a name stand in it, one after the other.
    fn names(&self, name: &str) -> bool {
        let wanted = stem_words(name);
        !wanted.is_empty() && self.stems.windows(wanted.len()).any(|part| part == wanted)
    }
}

fn quotes(sentence: &str, value: &Value) -> bool {
    match value {
        Value::String(text) if text.chars().count() >= TELLING_TEXT => stands_in(sentence, text),
        Value::Number(number) if number.as_i64().is_some_and(|n| n >= TELLING_NUMBER) => {
            stands_in(sentence, &number.to_string())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn services_say_in_many_words_that_something_is_taken() {
        for text in [
            "sku already exists",
            "Duplicate entry 'a' for key 'articles.sku_UNIQUE'",
            "UNIQUE constraint failed: article.sku",
            "email has been taken",
            "This number is in use",
            "another article has this sku",
            "409: Conflict",
        ] {
            assert!(says_taken(text), "{text}");
        }
        for text in [
            "article 12 does not exist",
            "the customer doesn't exist",
            "not found",
            "name must not be empty",
        ] {
            assert!(!says_taken(text), "{text}");
        }
    }

    #[test]
    fn a_field_is_spoken_of_by_its_name_or_by_its_value() {
        let text = |value: &str| json!(value);
        let speaks_of =
            |sentence, name, value: &Value| Sentence::of(sentence).speaks_of(name, value);
        assert!(speaks_of("Tax number is in use", "taxNumber", &json!(5)));
        assert!(speaks_of(
            "UNIQUE constraint failed: article.tax_number",
            "taxNumber",
            &json!(5)
        ));
        assert!(speaks_of(
            "'birch-7' already exists",
            "label",
            &text("birch-7")
        ));
        assert!(speaks_of(
            "there is a supplier 48213 already",
            "code",
            &json!(48213)
        ));
        assert!(!speaks_of(
            "there are 12 suppliers already",
            "size",
            &json!(12)
        ));
        assert!(!speaks_of(
            "'birch-77' already exists",
            "label",
            &text("birch-7")
        ));
        assert!(!speaks_of("the number is in use", "taxNumber", &json!(5)));
    }
}
