//! Text of strangers, made harmless for the language that it is written into.
//!
//! Each function escapes for exactly one place. Control characters are gone before any of them is
//! called (see `tidy`); they are taken out here all the same where they would break the syntax.

/// For text and attributes of SVG and HTML alike.
pub(crate) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            _ if is_forbidden(c) => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(c),
        }
    }
    out
}

/// Characters that no XML document may have.
fn is_forbidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// A string of DOT, with its quotes.
pub(crate) fn dot(text: &str) -> String {
    format!("\"{}\"", dot_inner(text))
}

/// Lines of a label, in one pair of quotes; the break is Graphviz's own escape.
pub(crate) fn dot_lines(lines: &[&str]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| dot_inner(line)).collect();
    format!("\"{}\"", lines.join("\\n"))
}

/// A backslash is doubled, or `\N` would be the node's name.
fn dot_inner(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// JSON that stands between `<script>` and `</script>`: nothing in it can end the element or begin
/// a comment, and it reads as the same JSON. The signs can only be inside strings, so escapes of
/// JSON serve.
pub(crate) fn script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_xml_become_entities() {
        assert_eq!(
            xml("</text><script x='\"&"),
            "&lt;/text&gt;&lt;script x=&#39;&quot;&amp;"
        );
        assert_eq!(xml("a\u{0}b\nc"), "a\u{fffd}b c");
    }

    #[test]
    fn a_string_of_dot_ends_where_it_should() {
        assert_eq!(dot("a\"; b\\"), r#""a\"; b\\""#);
        assert_eq!(dot("\\N\n"), r#""\\N ""#);
        assert_eq!(dot_lines(&["a\"", "\"b"]), r#""a\"\n\"b""#);
    }

    #[test]
    fn a_script_can_not_be_ended_by_a_string_in_it() {
        let json = serde_json::json!({"a": "</script><!--\u{2028}&"}).to_string();
        let safe = script(&json);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        let back: serde_json::Value = serde_json::from_str(&safe).expect("it is still JSON");
        assert_eq!(back["a"], "</script><!--\u{2028}&");
    }
}
