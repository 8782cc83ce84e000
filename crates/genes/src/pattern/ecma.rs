//! Patterns as documents write them (ECMA 262) turned into the syntax of Rust's regex family.
//!
//! Differences that matter: `\d`, `\w` and `\s` are ASCII or fixed sets, `[` and `&&` mean
//! nothing inside a class, a lone `{` is a brace, `[^]` is anything. Also takes look-arounds out,
//! for the walk that makes strings; what it makes is confirmed against the whole pattern later.

use std::fmt::Write as _;

/// The pattern in Rust's syntax. Never fails: what is broken stays broken, and the parser says so.
pub(crate) fn translate(pattern: &str) -> String {
    let mut translator = Translator {
        rest: pattern.chars().collect(),
        at: 0,
        out: String::with_capacity(pattern.len() + 16),
    };
    translator.run();
    translator.out
}

/// `{1000000,2000000}` is longer than anybody needs; it bounds the looking ahead.
const LONGEST_QUANTIFIER: usize = 24;

struct Translator {
    rest: Vec<char>,
    at: usize,
    out: String,
}

const SPACES: &str =
    r"\t-\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

impl Translator {
    fn run(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => self.escape(false),
                '[' => self.class(),
                '{' if !self.is_quantifier() => self.out.push_str(r"\{"),
                c => self.out.push(c),
            }
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.get(self.at).copied();
        self.at += 1;
        c
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    /// Whether what follows an opening brace is `3}`, `3,}` or `3,5}`.
    fn is_quantifier(&self) -> bool {
        let body: String = self
            .rest
            .iter()
            .skip(self.at)
            .take(LONGEST_QUANTIFIER)
            .take_while(|c| **c != '}')
            .collect();
        let closed = self.rest.get(self.at + body.chars().count()) == Some(&'}');
        let (low, high) = body.split_once(',').unwrap_or((&body, ""));
        let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        closed && !low.is_empty() && number(low) && number(high)
    }

    fn escape(&mut self, in_class: bool) {
        let Some(c) = self.next() else {
            self.out.push_str(r"\\");
            return;
        };
        match c {
            'd' | 'w' | 's' => self.set(c, false, in_class),
            'D' | 'W' | 'S' => self.set(c.to_ascii_lowercase(), true, in_class),
            'b' if in_class => self.out.push_str(r"\x08"),
            'c' => self.control(),
            'u' => self.unicode(),
            'p' | 'P' | 'x' if self.peek(0) == Some('{') => self.braced(c),
            'Z' if !in_class => self.out.push_str(r"\z"),
            '0' if !self.peek(0).is_some_and(|c| c.is_ascii_digit()) => self.out.push_str(r"\x00"),
            // A letter that means nothing more, or a sign that Rust would read more into.
            '<' | '>' | '/' | 'a' | 'e' | 'g' | 'h' | 'i' | 'j' | 'l' | 'm' | 'o' | 'q' | 'y' => {
                self.out.push(c);
            }
            c if !c.is_ascii() => self.out.push(c),
            c => self.out.extend(['\\', c]),
        }
    }

    fn set(&mut self, which: char, negated: bool, in_class: bool) {
        let body = match which {
            'd' => "0-9",
            'w' => "A-Za-z0-9_",
            _ => SPACES,
        };
        match (negated, in_class) {
            (true, _) => self.push_all(&["[^", body, "]"]),
            (false, true) => self.out.push_str(body),
            (false, false) => self.push_all(&["[", body, "]"]),
        }
    }

    fn push_all(&mut self, parts: &[&str]) {
        self.out.extend(parts.iter().copied());
    }

    fn control(&mut self) {
        match self.peek(0).filter(char::is_ascii_alphabetic) {
            Some(letter) => {
                self.at += 1;
                let _ = write!(self.out, r"\x{:02x}", letter as u32 % 32);
            }
            None => self.out.push_str(r"\\c"),
        }
    }

    /// An escape that goes on in braces, which are no quantifier.
    fn braced(&mut self, letter: char) {
        self.out.extend(['\\', letter]);
        while let Some(c) = self.next() {
            self.out.push(c);
            if c == '}' {
                return;
            }
        }
    }

    /// `\u0041`, `\u{41}`, or a pair of surrogates.
    fn unicode(&mut self) {
        if self.peek(0) == Some('{') {
            return self.braced('u');
        }
        let Some(unit) = self.four_digits(0) else {
            self.out.push('u');
            return;
        };
        let low = (self.peek(4) == Some('\\') && self.peek(5) == Some('u'))
            .then(|| self.four_digits(6))
            .flatten();
        let mut point = unit;
        self.at += 4;
        if let (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) = (unit, low) {
            self.at += 6;
            point = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        }
        let _ = write!(self.out, r"\u{{{point:x}}}");
    }

    fn four_digits(&self, ahead: usize) -> Option<u32> {
        (0..4).try_fold(0, |unit, n| {
            Some(unit * 16 + self.peek(ahead + n)?.to_digit(16)?)
        })
    }

    fn class(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (Some(']'), _) => {
                self.at += 1;
                self.out.push_str("[a&&b]");
            }
            (Some('^'), Some(']')) => {
                self.at += 2;
                self.out.push_str("(?s:.)");
            }
            (Some('^'), _) => {
                self.at += 1;
                self.out.push_str("[^");
                self.members();
            }
            _ => {
                self.out.push('[');
                self.members();
            }
        }
    }

    fn members(&mut self) {
        // Whether the last item can begin a range, and whether a range waits for its end.
        let (mut atom, mut open) = (false, false);
        while let Some(c) = self.next() {
            match c {
                ']' => {
                    self.out.push(']');
                    return;
                }
                '-' if atom && !open && self.peek(0).is_some_and(|c| c != ']') => {
                    self.out.push('-');
                    (atom, open) = (false, true);
                    continue;
                }
                '\\' => {
                    let is_set = self.peek(0).is_some_and(|c| "dDwWsSpP".contains(c));
                    self.escape(true);
                    if is_set {
                        (atom, open) = (false, false);
                        continue;
                    }
                }
                '[' | '&' | '~' | '-' | '^' => self.out.extend(['\\', c]),
                c => self.out.push(c),
            }
            (atom, open) = (!open, false);
        }
    }
}

/// The pattern without its look-arounds, and whether there were any.
pub(crate) fn strip_look_arounds(pattern: &str) -> (String, bool) {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    let mut found = false;
    while let Some((before, after)) = next_look_around(rest) {
        out.push_str(before);
        rest = after;
        found = true;
    }
    out.push_str(rest);
    (out, found)
}

/// What stands before the next look-around, and after it.
fn next_look_around(text: &str) -> Option<(&str, &str)> {
    let start = ["(?=", "(?!", "(?<=", "(?<!"]
        .iter()
        .filter_map(|opening| text.find(opening))
        .min()?;
    let mut depth = 0_usize;
    let (mut escaped, mut in_class) = (false, false);
    for (at, c) in text[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ']' => in_class = false,
            '[' => in_class = true,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth -= 1,
            _ => {}
        }
        if depth == 0 && !escaped && c == ')' && !in_class {
            return Some((&text[..start], &text[start + at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        fancy_regex::Regex::new(&translate(pattern))
            .expect(pattern)
            .is_match(text)
            .expect("no backtracking to speak of")
    }

    #[test]
    fn digits_and_words_are_ascii() {
        assert!(matches(r"^\d$", "7") && !matches(r"^\d$", "٣"));
        assert!(matches(r"^[\w.]+$", "a.b_1") && !matches(r"^\w$", "é"));
        assert!(matches(r"^[^\d]$", "x") && matches(r"^[\D]$", "x") && !matches(r"^\D$", "1"));
        assert!(matches(r"^\s$", "\u{a0}") && matches(r"^\S+$", "ab"));
    }

    #[test]
    fn braces_and_brackets_may_be_plain_text() {
        assert!(matches(r"^{a}$", "{a}"));
        assert!(
            matches(r"^a{2}$", "aa") && matches(r"^a{1,2}$", "aa") && matches(r"^a{1,}$", "aaa")
        );
        assert!(matches(r"^a{,2}$", "a{,2}"));
        assert!(matches(r"^[[a]$", "[") && matches(r"^[&&a]$", "&") && matches(r"^[a~~]+$", "~a"));
        assert!(matches(r"^[^]$", "\n"));
        assert!(!matches(r"[]", "a"));
    }

    #[test]
    fn hyphens_keep_their_meaning() {
        assert!(matches(r"^[+--]$", ",") && matches(r"^[a-z-]+$", "a-z"));
        assert!(
            matches(r"^[\w-]+$", "a-b") && matches(r"^[-a]$", "-") && matches(r"^[\d-x]+$", "1-x")
        );
    }

    #[test]
    fn escapes_of_other_worlds_are_understood() {
        assert!(matches(r"^\u0041\/\-$", "A/-"));
        assert!(matches(r"^\ud83d\ude00$", "😀"));
        assert!(matches(r"^\cJ$", "\n") && matches(r"^[\b]$", "\u{8}") && matches(r"^\0$", "\0"));
        assert!(matches(r"^\<\>$", "<>"));
        assert!(matches(r"^\p{Lu}[\p{L}-]+\x{41}\u{42}$", "Éé-AB"));
    }

    #[test]
    fn look_arounds_are_taken_out_whole() {
        let (stripped, found) = strip_look_arounds(r"^(?=.*[)(])(?!x(y)z).{8,}$");
        assert_eq!((stripped.as_str(), found), ("^.{8,}$", true));
        assert_eq!(strip_look_arounds("^a$"), ("^a$".to_owned(), false));
        assert_eq!(strip_look_arounds("(?=a").0, "(?=a");
    }
}
