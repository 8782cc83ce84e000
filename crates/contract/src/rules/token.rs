//! Prose cut into words, numbers, quoted parts and marks.
//!
//! Bounded: descriptions may be whole manuals, and rules stand at their beginning.

/// So much of a text is read.
const LONGEST: usize = 4_000;
const MOST: usize = 600;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    /// As it is written; what stands between the quotes.
    pub(super) text: &'t str,
    /// Where it ends in the text.
    pub(super) end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Word,
    Number(f64),
    Quoted,
    /// `>=` and the like.
    Sign,
    Comma,
    Colon,
    /// A bar or slash between alternatives.
    Bar,
    /// A dash or dots between two numbers.
    Dash,
    Open,
    Close,
    /// The end of a sentence or line.
    Stop,
}

impl Token<'_> {
    pub(super) fn is(&self, word: &str) -> bool {
        !matches!(self.kind, Kind::Quoted) && self.text.eq_ignore_ascii_case(word)
    }

    pub(super) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }

    /// The number that it says, in figures or in words.
    pub(super) fn number(&self) -> Option<f64> {
        const WORDS: [&str; 11] = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        ];
        match self.kind {
            Kind::Number(number) => Some(number),
            Kind::Word => WORDS
                .iter()
                .position(|word| self.is(word))
                .map(|n| n as f64),
            _ => None,
        }
    }
}

/// The sentences of a text; none of them is empty.
pub(super) fn sentences<'t>(tokens: &'t [Token<'t>]) -> impl Iterator<Item = &'t [Token<'t>]> {
    tokens
        .split(|token| token.kind == Kind::Stop)
        .filter(|sentence| !sentence.is_empty())
}

pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let text = beginning(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if found.len() >= MOST {
            break;
        }
        let (kind, length) = token(text, at, first);
        if let Some((kind, inner)) = kind {
            found.push(Token {
                kind,
                text: &text[at + inner.0..at + inner.1],
                end: at + length,
            });
        }
        at += length;
    }
    found
}

pub(super) fn beginning(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// What a token is, which part of it counts, and how long it is with all that belongs to it.
type Read = (Option<(Kind, (usize, usize))>, usize);

fn token(text: &str, at: usize, first: char) -> Read {
    let rest = &text[at..];
    let whole = |kind, length| (Some((kind, (0, length))), length);
    if first.is_alphabetic() || first == '_' {
        return whole(Kind::Word, word_length(rest));
    }
    if let Some((number, length)) = number(text, at) {
        return match number {
            Some(number) => whole(Kind::Number(number), length),
            None => whole(Kind::Word, length),
        };
    }
    if let Some(inner) = quoted(text, at, first) {
        let mark = first.len_utf8();
        let close = rest[mark + inner..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        return (
            Some((Kind::Quoted, (mark, mark + inner))),
            mark + inner + close,
        );
    }
    if rest.starts_with("(s)") {
        return (None, 3);
    }
    if let Some(read) = markup(rest) {
        return read;
    }
    for sign in [">=", "<=", "==", ".."] {
        if rest.starts_with(sign) {
            let kind = if sign == ".." { Kind::Dash } else { Kind::Sign };
            return whole(kind, 2);
        }
    }
    let length = first.len_utf8();
    match first {
        '>' | '<' | '=' | '≥' | '≤' => whole(Kind::Sign, length),
        ',' => whole(Kind::Comma, length),
        ':' => whole(Kind::Colon, length),
        '|' | '/' => whole(Kind::Bar, length),
        '-' | '–' | '—' | '…' => whole(Kind::Dash, length),
        '[' | '(' | '{' => whole(Kind::Open, length),
        ']' | ')' | '}' => whole(Kind::Close, length),
        ';' | '!' | '?' | '\n' => whole(Kind::Stop, length),
        '.' if ends_sentence(text, at) => whole(Kind::Stop, length),
        _ => (None, length),
    }
}

/// A word may have marks inside: `can't`, `date-time`, `address.city`.
fn word_length(rest: &str) -> usize {
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner = "-'’.".contains(c)
            && chars
                .peek()
                .is_some_and(|(_, next)| next.is_alphanumeric() || *next == '_');
        if !(c.is_alphanumeric() || c == '_' || inner) {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// A number with its length; none in place of the number where it is part of a date, a version or
/// a name.
fn number(text: &str, at: usize) -> Option<(Option<f64>, usize)> {
    let rest = &text[at..];
    let before = text[..at].chars().next_back();
    let after_word = before.is_some_and(|c| c.is_alphanumeric() || "]})".contains(c));
    let signed = usize::from(rest.starts_with('-') && !after_word);
    let digits = &rest[signed..];
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut run = digits
        .find(|c: char| !(c.is_alphanumeric() || ".,:_".contains(c)))
        .unwrap_or(digits.len());
    // What follows a dash belongs to it where there are two dashes, as in a date.
    let longer = digits
        .find(|c: char| !(c.is_alphanumeric() || ".,:_-".contains(c)))
        .unwrap_or(digits.len());
    if digits[..longer].matches('-').count() > 1 {
        run = longer;
    }
    let written = digits[..run].trim_end_matches(['.', ',', ':', '-', '_']);
    // Two dots are a range, and what follows them is another number.
    let written = written.split("..").next().unwrap_or(written);
    // A list without blanks is a list of numbers.
    let written = first_of_list(written);
    let plain = without_groups(written);
    let value = plain.parse::<f64>().ok().filter(|n| n.is_finite());
    let value = value.map(|n| if signed == 1 { -n } else { n });
    Some((value, signed + written.len()))
}

/// `1,000` is a number, `1,2,3` three of them.
fn first_of_list(written: &str) -> &str {
    let mut parts = written.split(',');
    let first = parts.next().unwrap_or(written);
    let grouped = parts.all(|part| part.split('.').next().is_some_and(|p| p.len() == 3));
    if grouped { written } else { first }
}

fn without_groups(written: &str) -> String {
    written.replace(',', "")
}

/// The length of what stands between this mark and its like.
fn quoted(text: &str, at: usize, first: char) -> Option<usize> {
    let close = match first {
        '\'' | '"' | '`' => first,
        '‘' => '’',
        '“' => '”',
        _ => return None,
    };
    let inner = &text[at + first.len_utf8()..];
    let ends = |(end, c): &(usize, char)| {
        let next = inner[end + c.len_utf8()..].chars().next();
        *c == close && !(close == '\'' && next.is_some_and(char::is_alphanumeric))
    };
    let (end, _) = inner.char_indices().take(200).find(ends)?;
    (end > 0).then_some(end)
}

/// A tag of HTML: what it marks as code is quoted, a new line or paragraph ends a sentence, and all
/// others are not there.
fn markup(rest: &str) -> Option<Read> {
    const BREAKS: [&str; 9] = ["p", "br", "li", "ul", "ol", "div", "td", "tr", "dd"];
    let inner = rest.strip_prefix('<')?;
    let inner = &inner[..inner.find(['<', '>']).filter(|end| *end < 300)?];
    let closed = rest[inner.len() + 1..].starts_with('>');
    let name: &str = inner.trim_start_matches('/').split([' ', '/']).next()?;
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    // "a <b and c> d" compares.
    let plain = inner.trim_end_matches(['/', ' ']).contains(' ') && !inner.contains('=');
    if !closed || !named || plain {
        return None;
    }
    let length = inner.len() + 2;
    let code = rest[length..].find("</code>").filter(|end| *end < 200);
    if let Some(end) = code.filter(|_| name.eq_ignore_ascii_case("code") && !inner.starts_with('/'))
    {
        let whole = length + end + "</code>".len();
        return Some((Some((Kind::Quoted, (length, length + end))), whole));
    }
    let breaks = BREAKS.iter().any(|one| one.eq_ignore_ascii_case(name));
    Some((breaks.then_some((Kind::Stop, (0, length))), length))
}

/// A dot after `max.` or `e.g.` ends nothing.
fn ends_sentence(text: &str, at: usize) -> bool {
    const SHORT: [&str; 7] = ["max", "min", "e.g", "i.e", "approx", "incl", "no"];
    let next = text[at + 1..].chars().next();
    let last = text[..at].rsplit(char::is_whitespace).next().unwrap_or("");
    let last = last.trim_start_matches(|c: char| !c.is_alphanumeric());
    next.is_none_or(char::is_whitespace)
        && !SHORT.iter().any(|short| last.eq_ignore_ascii_case(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let show = |token: &Token<'_>| match token.kind {
            Kind::Number(n) => format!("#{n}"),
            Kind::Quoted => format!("'{}'", token.text),
            Kind::Stop => "|".to_owned(),
            _ => token.text.to_owned(),
        };
        tokens(text).iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn prose_is_cut_into_words_numbers_and_marks() {
        for (text, expected) in [
            ("at most 1,000 items.", "at most #1000 items |"),
            ("max. 10, e.g. 3", "max #10 , e.g #3"),
            ("1-5 or -2 or 0..10", "#1 - #5 or #-2 or #0 .. #10"),
            ("[1, 2,3]", "[ #1 , #2 , #3 ]"),
            ("on 2024-05-17, v1.2.3, 5MB", "on 2024-05-17 , v1.2.3 , 5MB"),
            ("can't be 'a b' or `c`", "can't be 'a b' or 'c'"),
            ("3 character(s)\nmore", "#3 character | more"),
            (">=3 and <= 4.5", ">= #3 and <= #4.5"),
            ("address.city: \"x\"", "address.city : 'x'"),
            ("don't say 'O'Hara'", "don't say 'O'Hara'"),
            (
                "<p>the <code>a_b</code>,<br/><b>not</b>",
                "| the 'a_b' , | not",
            ),
            ("a<b and c>d, x < 3", "a < b and c > d , x < #3"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn nothing_upsets_it() {
        for text in [
            "",
            "'",
            "\"\"",
            "-",
            "1.",
            "‘é",
            "((((",
            "..",
            "\u{0}7é9",
            "1,,2",
        ] {
            tokens(text);
        }
        assert!(tokens(&"a ".repeat(5_000)).len() <= MOST);
    }
}
