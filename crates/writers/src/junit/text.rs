//! Texts in parts: characters, and holes that variables fill.
//!
//! Java joins literals and variables with `+`, Kotlin has templates in its literals. A text that is
//! too long for a line is cut between characters, never inside of an escape.

use super::Language;
use super::literal::escaped;

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Char(char),
    /// An expression whose value is a text.
    Hole(String),
}

/// What a fixed font shows: letters of East Asia are twice as wide.
pub(super) fn width(text: &str) -> usize {
    text.chars()
        .map(|c| if c < '\u{1100}' { 1 } else { 2 })
        .sum()
}

/// Literals, and between them what is put in.
pub(super) fn java_text(parts: &[Part]) -> Vec<String> {
    let mut out = Vec::new();
    for group in parts.chunk_by(|a, b| matches!((a, b), (Part::Char(_), Part::Char(_)))) {
        match group {
            [Part::Hole(expression)] => out.push(expression.clone()),
            chars => out.push(format!("\"{}\"", inner(chars, Language::Java))),
        }
    }
    if out.is_empty() {
        out.push("\"\"".into());
    }
    out
}

/// One literal with templates; a template alone needs none.
pub(super) fn kotlin_text(parts: &[Part]) -> String {
    match parts {
        [Part::Hole(expression)] => expression.clone(),
        parts => format!("\"{}\"", inner(parts, Language::Kotlin)),
    }
}

fn inner(parts: &[Part], language: Language) -> String {
    let nexts = parts.iter().skip(1).map(Some).chain([None]);
    let texts = parts.iter().zip(nexts).map(|(part, next)| match part {
        Part::Char(c) => escaped(*c, language),
        Part::Hole(expression) => template(expression, next),
    });
    texts.collect()
}

/// `$name`, with braces only where they are needed.
fn template(expression: &str, next: Option<&Part>) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let joins = matches!(next, Some(Part::Char(c)) if is_word(*c));
    if joins || !expression.chars().all(is_word) {
        format!("${{{expression}}}")
    } else {
        format!("${expression}")
    }
}

/// Parts for each line: broken where the text has lines, else after a blank, else anywhere.
pub(super) fn cut(parts: &[Part], room: usize, language: Language) -> Vec<Vec<Part>> {
    let mut lines = Vec::new();
    let mut rest = parts;
    while !rest.is_empty() {
        let end = line_end(rest, room, language);
        let (line, others) = rest.split_at(end);
        lines.push(line.to_vec());
        rest = others;
    }
    lines
}

fn line_end(parts: &[Part], room: usize, language: Language) -> usize {
    let (mut used, mut blank) = (0, None);
    for (at, part) in parts.iter().enumerate() {
        used += match part {
            Part::Char(c) => width(&escaped(*c, language)),
            Part::Hole(expression) => expression.len() + "\" +  + \"".len(),
        };
        if used > room {
            return blank.unwrap_or(at).max(1);
        }
        match part {
            Part::Char('\n') => return at + 1,
            Part::Char(' ') => blank = Some(at + 1),
            _ => {}
        }
    }
    parts.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(text: &str) -> Vec<Part> {
        text.chars().map(Part::Char).collect()
    }

    fn with_hole(before: &str, hole: &str, after: &str) -> Vec<Part> {
        let hole = [Part::Hole(hole.to_owned())];
        [&parts(before), &hole[..], &parts(after)].concat()
    }

    #[test]
    fn java_joins_and_kotlin_fills_in() {
        let text = with_hole("$", "name", "-");
        assert_eq!(java_text(&text), ["\"$\"", "name", "\"-\""]);
        assert_eq!(kotlin_text(&text), "\"\\$$name-\"");
        let close = with_hole("", "name", "s");
        assert_eq!(kotlin_text(&close), "\"${name}s\"");
        let call = with_hole("", "text(id)", "");
        assert_eq!(kotlin_text(&call), "text(id)");
        assert_eq!(java_text(&[]), ["\"\""]);
    }

    #[test]
    fn texts_with_lines_are_cut_at_them() {
        let lines = cut(&parts("{\n  id\n}"), 20, Language::Java);
        assert_eq!(lines, [parts("{\n"), parts("  id\n"), parts("}")]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_by_cutting(text in "(\\\\| |\n|\"|\u{1f6e0}|\\PC){0,200}", room in 20..80_usize) {
            let whole = parts(&text);
            for language in [Language::Java, Language::Kotlin] {
                let lines = cut(&whole, room, language);
                prop_assert_eq!(lines.concat(), whole.clone());
                for line in lines {
                    let escaped = inner(&line, language);
                    prop_assert!(width(&escaped) <= room, "{}", escaped);
                }
            }
        }
    }
}
