//! Whether a text is a GraphQL schema, and in which of its two forms.
//!
//! By the first word and not by trying: SDL and YAML are both forgiving enough that each would
//! take the other for broken text of its own.

use crate::Source;
use crate::source::without_mark;

const ENDINGS: [&str; 4] = [".graphql", ".gql", ".graphqls", ".sdl"];

const KEYWORDS: [&str; 9] = [
    "type",
    "schema",
    "extend",
    "interface",
    "input",
    "enum",
    "union",
    "scalar",
    "directive",
];

/// Whether it is worth reading as introspection; the reading itself decides.
pub(super) fn may_be_introspection(text: &str) -> bool {
    let object = without_mark(text).trim_start().starts_with('{');
    let bare = || text.contains("\"queryType\"") && text.contains("\"types\"");
    object && (text.contains("\"__schema\"") || bare())
}

/// By the name of its file, or by its first word.
pub(crate) fn is_sdl(source: &Source) -> bool {
    let named =
        |ending: &&str| fossick_contract::ends_with_ignoring_case(path(&source.name), ending);
    ENDINGS.iter().any(named) || begins_as_sdl(&source.text)
}

/// A name without what follows the path of a URL.
fn path(name: &str) -> &str {
    if name.contains("://") {
        name.split(['?', '#']).next().unwrap_or(name)
    } else {
        name
    }
}

fn begins_as_sdl(text: &str) -> bool {
    let text = after_description(without_mark(text));
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    // `type: object` is YAML; a name, a brace or an `@` must follow here.
    let follows = rest.trim_start();
    let goes_on = follows.starts_with(|c: char| c.is_ascii_alphabetic() || "_{@".contains(c));
    KEYWORDS.contains(&word)
        && goes_on
        && (rest.len() > follows.len() || rest.starts_with(['{', '@']))
}

/// The text after comments, blanks and descriptions.
fn after_description(text: &str) -> &str {
    let mut text = text;
    loop {
        let blank = |c: char| c.is_whitespace() || c == ',' || c == '\u{feff}';
        text = text.trim_start_matches(blank);
        let after = if text.starts_with('#') {
            text.find('\n').and_then(|end| text.get(end..))
        } else if let Some(block) = text.strip_prefix("\"\"\"") {
            block.find("\"\"\"").and_then(|end| block.get(end + 3..))
        } else if let Some(line) = text.strip_prefix('"') {
            line.find(['"', '\n']).and_then(|end| line.get(end + 1..))
        } else {
            return text;
        };
        text = after.unwrap_or("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sdl(name: &str, text: &str) -> bool {
        is_sdl(&Source {
            name: name.to_owned(),
            text: text.to_owned(),
        })
    }

    #[test]
    fn names_tell() {
        for name in [
            "a.graphql",
            "b/A.GQL",
            "x.graphqls",
            "x.sdl",
            "https://a/x.graphql?v=1",
        ] {
            assert!(sdl(name, ""), "{name}");
        }
        assert!(!sdl("x.yaml", ""));
    }

    #[test]
    fn the_first_word_tells() {
        for text in [
            "type Query { a: Int }",
            "\u{feff}\n# a comment\n\n\"\"\"\nA book.\n\"\"\"\ntype Book @key(fields: \"id\") {",
            "\"One line\" schema{ query: Q }",
            "extend type Query {\n",
            "directive @a on FIELD",
            "union A = B",
        ] {
            assert!(sdl("x", text), "{text}");
        }
        for text in [
            "type: object\nproperties: {}",
            "openapi: 3.0.0",
            "\"openapi\": 3.0.0",
            "schema: {a: 1}",
            "types Query {",
            "{\"type\": 1}",
            "query { a }",
            "\"",
            "# only this",
            "",
        ] {
            assert!(!sdl("x", text), "{text}");
        }
    }

    #[test]
    fn introspection_is_suspected_by_its_keys() {
        assert!(may_be_introspection(
            "\u{feff} {\"data\": {\"__schema\": {}}}"
        ));
        assert!(may_be_introspection("{\"types\": [], \"queryType\": {}}"));
        assert!(!may_be_introspection("{\"types\": []}"));
        assert!(!may_be_introspection("a: \"__schema\""));
    }
}
