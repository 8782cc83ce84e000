//! Fitting text into a width: wrapping, cutting, padding.
//!
//! Width is counted in characters. Wide and combining ones are off by a column here and there,
//! which costs a ragged edge and nothing else.

use crate::Style;

pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

pub(crate) fn padded(text: &str, to: usize) -> String {
    format!("{text:<to$}")
}

/// Breaks at spaces. A word that is too long stays whole: it may be something to copy.
pub(crate) fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks after a space or a comma where one is near, else anywhere, for text that nobody copies;
/// cut after so many lines.
pub(crate) fn folded(text: &str, limit: usize, lines: usize, style: &Style) -> Vec<String> {
    let limit = limit.max(4);
    let mut out = Vec::new();
    let mut rest: Vec<char> = text.chars().collect();
    while out.len() + 1 < lines && rest.len() > limit {
        let near = rest[limit * 3 / 4..limit]
            .iter()
            .rposition(|c| " ,".contains(*c));
        let end = near.map_or(limit, |at| limit * 3 / 4 + at + 1);
        let after = rest.split_off(end);
        out.push(String::from_iter(rest).trim_end().to_owned());
        rest = after;
    }
    if !rest.is_empty() {
        out.push(cut(&String::from_iter(rest), limit, style));
    }
    out
}

/// Facts joined by dots, on as few lines as they need.
pub(crate) fn facts(facts: &[String], limit: usize, style: &Style) -> Vec<String> {
    let mut lines: Vec<Vec<String>> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if width(&style.joined(line)) + 3 + width(fact) <= limit => {
                line.push(fact.clone());
            }
            _ => lines.push(vec![fact.clone()]),
        }
    }
    lines.iter().map(|line| style.joined(line)).collect()
}

/// At most so many characters, with a mark where the end is missing.
pub(crate) fn cut(text: &str, limit: usize, style: &Style) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let more = style.symbols().more;
    let keep = limit.saturating_sub(width(more));
    text.chars()
        .take(keep)
        .chain(more.chars())
        .take(limit)
        .collect()
}

/// At most so many characters, with a mark where the middle is missing: the end of a path tells
/// more than what lies between.
pub(crate) fn cut_middle(text: &str, limit: usize, style: &Style) -> String {
    let length = width(text);
    let more = style.symbols().more;
    if length <= limit || limit <= width(more) + 1 {
        return cut(text, limit, style);
    }
    let keep = limit - width(more);
    let head: String = text.chars().take(keep / 2).collect();
    let tail: String = text.chars().skip(length - (keep - keep / 2)).collect();
    format!("{head}{more}{tail}")
}

/// Puts each line behind an indent.
pub(crate) fn indented(lines: &[String], indent: usize) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(&" ".repeat(indent));
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// `a, b, c, +4 more`
pub(crate) fn listed(items: &[String], most: usize) -> String {
    let mut shown: Vec<String> = items.iter().take(most).cloned().collect();
    if items.len() > most {
        shown.push(format!("+{} more", items.len() - most));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn style() -> Style {
        Style::default()
    }

    #[test]
    fn a_long_word_is_not_broken() {
        assert_eq!(wrapped("a bb cccccc d", 4), ["a bb", "cccccc", "d"]);
        assert!(wrapped("  ", 4).is_empty());
    }

    #[test]
    fn the_middle_goes_first() {
        assert_eq!(
            cut_middle("/projects/{id}/tasks", 11, &style()),
            "/proj…tasks"
        );
        assert_eq!(cut_middle("short", 11, &style()), "short");
    }

    #[test]
    fn text_is_folded_where_it_reads_best_and_cut_at_its_end() {
        let lines = folded("one, two three four", 10, 2, &style());
        assert_eq!(lines, ["one, two", "three four"]);
        assert_eq!(folded("aaaaaaaaaaaa", 8, 2, &style()), ["aaaaaaaa", "aaaa"]);
        assert_eq!(
            folded(&"a".repeat(20), 8, 2, &style()),
            ["aaaaaaaa", "aaaaaaa…"]
        );
        assert!(folded("", 8, 2, &style()).is_empty());
    }

    #[test]
    fn facts_that_do_not_fit_go_to_the_next_line() {
        let all = ["aaa", "bbb", "cc"].map(str::to_owned);
        assert_eq!(facts(&all, 9, &style()), ["aaa · bbb", "cc"]);
        assert_eq!(facts(&all, 40, &style()), ["aaa · bbb · cc"]);
    }

    #[test]
    fn a_list_says_how_much_it_leaves_out() {
        let items = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(listed(&items, 2), "a, b, +1 more");
        assert_eq!(listed(&items, 3), "a, b, c");
    }

    proptest! {
        #[test]
        fn what_is_cut_fits(text in "\\PC{0,60}", limit in 0_usize..40, unicode: bool) {
            let style = Style { unicode, ..Style::default() };
            prop_assert!(width(&cut(&text, limit, &style)) <= limit);
            prop_assert!(width(&cut_middle(&text, limit, &style)) <= limit);
        }
    }
}
