//! Texts that show how a value is written: `YYYY-MM-DD`, `^[a-z]+$`.

use super::Rule;
use super::token::Token;

/// The rule of the first layout of a date or time in a text.
pub(super) fn rule(text: &str) -> Option<Rule> {
    let apart = |c: char| c.is_whitespace() || "<>`'\"()[]{},;*".contains(c);
    let around = |c: char| !c.is_alphanumeric();
    let mut words = text.split(apart).map(|word| word.trim_matches(around));
    words.find_map(of_layout)
}

fn of_layout(layout: &str) -> Option<Rule> {
    let upper = layout.to_ascii_uppercase();
    let telling = upper.contains("YYYY") || upper.contains("HH:MM");
    if !telling || layout.len() > 30 {
        return None;
    }
    match upper.as_str() {
        "YYYY-MM-DD" => Some(Rule::Format("date")),
        full if full.starts_with("YYYY-MM-DDTHH:MM") => Some(Rule::Format("date-time")),
        _ => written(&upper).map(Rule::Pattern),
    }
}

/// The pattern of a layout, run by run.
fn written(layout: &str) -> Option<String> {
    let mut pattern = String::from("^");
    let mut hours = false;
    let mut rest = layout;
    while let Some(c) = rest.chars().next() {
        let run = rest.chars().take_while(|next| *next == c).count();
        let piece = match (c, run) {
            ('Y', 4) => "20[0-4][0-9]",
            ('Y', 2) => "[0-4][0-9]",
            ('M', 2) if hours => "[0-5][0-9]",
            ('M', 2) => "(0[1-9]|1[0-2])",
            ('D', 2) => "(0[1-9]|1[0-9]|2[0-8])",
            ('H', 2) => "([01][0-9]|2[0-3])",
            ('S', 2) => "[0-5][0-9]",
            ('T' | 'Z' | '-' | ':' | '/' | '_', 1) => &rest[..1],
            ('.', 1) => r"\.",
            _ => return None,
        };
        hours |= c == 'H';
        pattern.push_str(piece);
        rest = &rest[run * c.len_utf8()..];
    }
    pattern.push('$');
    Some(pattern)
}

/// A regular expression soon after a word that announces one.
pub(super) fn pattern(text: &str, after: &Token<'_>) -> Option<String> {
    const NEAR: usize = 40;
    const LONGEST: usize = 200;
    let rest = text.get(after.end..)?;
    let announces = |c: char| c.is_alphabetic() || " :'\"`/(=\\".contains(c);
    let start = rest.find('^').filter(|at| *at <= NEAR)?;
    let before = &rest[..start];
    if !before.chars().all(announces) {
        return None;
    }
    let quote = before.chars().next_back().filter(|c| "'\"`/".contains(*c));
    let found = match quote {
        Some(quote) => rest[start..].split(quote).next()?,
        None => bare(&rest[start..]),
    };
    let found = found.trim_end_matches('\\');
    (found.len() > 1 && found.len() <= LONGEST).then(|| found.to_owned())
}

/// A pattern without quotes ends with its `$`, or where the next blank is.
fn bare(rest: &str) -> &str {
    let line = rest.lines().next().unwrap_or(rest);
    let word = line.split_whitespace().next().unwrap_or(line);
    if word.contains('$') {
        let end = word.rfind('$').map_or(word.len(), |at| at + 1);
        return &word[..end];
    }
    match line.rfind('$') {
        Some(end) => &line[..=end],
        None => word.trim_end_matches(['.', ',', ')', ';']),
    }
}
