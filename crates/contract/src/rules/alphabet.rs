//! Which characters a text may hold, in prose: "2 to 8 capital letters or digits", "letters, digits,
//! `.`, `-` or `_`", "only a-z and 0-9".
//!
//! Looked for are runs of words that each name a class of characters. A single such word says little
//! ("the number of letters"), so it counts only behind a number or a word such as "only".

use super::Rule;

/// Characters that a term names, as they stand between the brackets of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Term {
    Letters,
    Digits,
    Alphanumeric,
    /// Another character by itself.
    Other(char),
    /// `A-Z`
    Range(char, char),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letters {
    Any,
    Upper,
    Lower,
}

/// A run of terms, with the words before it.
#[derive(Debug, Default)]
struct Run {
    terms: Vec<(Term, Option<Letters>)>,
    start: usize,
    end: usize,
}

pub(super) fn rule(text: &str) -> Option<Rule> {
    let words: Vec<&str> = text.split_whitespace().flat_map(split_joined).collect();
    let mut at = 0;
    while at < words.len() {
        let run = run_at(&words, at);
        if run.terms.is_empty() {
            at += 1;
            continue;
        }
        if is_meant(&run, &words) {
            return Some(Rule::Pattern(pattern(&run.terms)));
        }
        at += run.terms.len();
    }
    None
}

/// `a-z/0-9` and `letters,digits` are two terms without a space between them.
fn split_joined(word: &str) -> impl Iterator<Item = &str> {
    let single = word.chars().count() < 4;
    word.split_inclusive(move |c: char| !single && matches!(c, ',' | '/' | '(' | ')'))
        .map(|part| part.trim_end_matches(['/', '(', ')']))
        .filter(|part| !part.is_empty())
}

fn run_at(words: &[&str], start: usize) -> Run {
    let mut run = Run {
        start,
        ..Run::default()
    };
    let mut case = None;
    for (at, word) in words.iter().enumerate().skip(start) {
        if let Some(adjective) = adjective(word) {
            case = Some(adjective);
        } else if let Some(term) = term(word) {
            run.terms.push((term, case.take()));
            run.end = at + 1;
        } else if case.is_some() && *word == "case" {
            // "upper case letters"
        } else if !is_joiner(word) || run.terms.is_empty() {
            break;
        }
        if ends_sentence(word) {
            break;
        }
    }
    run
}

fn ends_sentence(word: &str) -> bool {
    word.len() > 3 && word.ends_with(['.', ';'])
}

/// A word without what stands around it.
fn bare(word: &str) -> &str {
    let trimmed = word.trim_matches(|c: char| ",;:.!?\"'`()[]".contains(c));
    if trimmed.is_empty() { word } else { trimmed }
}

fn adjective(word: &str) -> Option<Letters> {
    match bare(word).to_lowercase().as_str() {
        "capital" | "uppercase" | "upper-case" | "upper" | "capitalised" | "capitalized" => {
            Some(Letters::Upper)
        }
        "lowercase" | "lower-case" | "lower" | "small" => Some(Letters::Lower),
        "ascii" | "latin" | "english" | "plain" | "basic" => Some(Letters::Any),
        _ => None,
    }
}

fn term(word: &str) -> Option<Term> {
    if let Some(quoted) = quoted(word) {
        return Some(Term::Other(quoted));
    }
    let word = bare(word);
    let mut chars = word.chars();
    if let (Some(first), Some('-' | '–'), Some(last), None) =
        (chars.next(), chars.next(), chars.next(), chars.next())
        && matches!((first, last), ('a', 'z') | ('A', 'Z') | ('0', '9'))
    {
        return Some(Term::Range(first, last));
    }
    match word.to_lowercase().as_str() {
        "letters" | "letter" => Some(Term::Letters),
        "digits" | "digit" | "numbers" | "numerals" => Some(Term::Digits),
        "alphanumeric" | "alphanumerics" | "alphanumerical" => Some(Term::Alphanumeric),
        "hyphens" | "hyphen" | "dashes" | "dash" => Some(Term::Other('-')),
        "underscores" | "underscore" => Some(Term::Other('_')),
        "dots" | "dot" | "periods" | "period" => Some(Term::Other('.')),
        "spaces" | "space" => Some(Term::Other(' ')),
        "apostrophes" | "apostrophe" => Some(Term::Other('\'')),
        _ => None,
    }
}

/// `-` of "`-`", of "'-'" and of a bare dash.
fn quoted(word: &str) -> Option<char> {
    let word = word.trim_end_matches([',', ';', ')']);
    let inner = word
        .trim_start_matches(['`', '"', '\'', '('])
        .trim_end_matches(['`', '"', '\'', '.']);
    // A dot between quotes is the dot itself.
    let inner = if inner.is_empty() && word.contains('.') {
        "."
    } else {
        inner
    };
    let mut chars = inner.chars();
    let (first, rest) = (chars.next()?, chars.next());
    (rest.is_none() && "-_.:+@#~*/".contains(first)).then_some(first)
}

fn is_joiner(word: &str) -> bool {
    let known = ["and", "or", "&", "and/or", "the", "characters", "case", ","];
    known.contains(&word.trim_matches(',').to_lowercase().as_str()) || word == ","
}

/// Whether a run tells what a text may hold, and not what it must or must not have among others.
fn is_meant(run: &Run, words: &[&str]) -> bool {
    const NEAR: usize = 5;
    const MADE: [&str; 6] = [
        "consist", "consists", "made", "composed", "string", "sequence",
    ];
    let before: Vec<String> = words[..run.start]
        .iter()
        .rev()
        .take(NEAR)
        .map(|word| bare(word).to_lowercase())
        .collect();
    let says = |wanted: &[&str]| before.iter().any(|word| wanted.contains(&word.as_str()));
    let denied = says(&[
        "not", "no", "never", "without", "cannot", "can't", "neither",
    ]);
    let among = says(&["least", "one"]) || before.first().is_some_and(|word| word == "a");
    // What goes on after a comma may say more.
    let goes_on = run.terms.len() == 1 && words[run.end - 1].ends_with(',');
    let counted = before
        .first()
        .is_some_and(|word| word.parse::<u32>().is_ok())
        && !goes_on;
    let told = match before.as_slice() {
        [word, ..] if ["only", "from", "contains", "contain", "be"].contains(&word.as_str()) => {
            true
        }
        [word, made, ..] if word == "of" => MADE.contains(&made.as_str()),
        _ => false,
    };
    let kinds = run.terms.iter().map(|(term, _)| term);
    let of_letters = kinds.clone().any(|term| !matches!(term, Term::Other(_)));
    let described = run.terms.iter().any(|(_, case)| case.is_some());
    let enough = run.terms.len() > 1 || described || counted || told;
    of_letters && enough && !denied && !among
}

fn pattern(terms: &[(Term, Option<Letters>)]) -> String {
    let mut classes: Vec<String> = Vec::new();
    let mut others = String::new();
    for (term, case) in terms {
        let letters = match case.unwrap_or(Letters::Any) {
            Letters::Any => "A-Za-z",
            Letters::Upper => "A-Z",
            Letters::Lower => "a-z",
        };
        let class = match term {
            Term::Letters => letters.to_owned(),
            Term::Digits => "0-9".to_owned(),
            Term::Alphanumeric => format!("{letters}0-9"),
            Term::Range(first, last) => format!("{first}-{last}"),
            Term::Other(other) => {
                others.push(*other);
                continue;
            }
        };
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    // A dash means itself only at the end.
    let dash = others.contains('-');
    others.retain(|c| c != '-');
    format!(
        "^[{}{others}{}]+$",
        classes.concat(),
        if dash { "-" } else { "" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        match rule(text)? {
            Rule::Pattern(pattern) => Some(pattern),
            other => panic!("a pattern: {other:?}"),
        }
    }

    #[test]
    fn classes_of_characters_become_a_pattern() {
        let cases = [
            (
                "code must be 2 to 8 capital letters or digits",
                "^[A-Z0-9]+$",
            ),
            (
                "2 to 20 letters, digits, `.`, `-` or `_`.",
                "^[A-Za-z0-9._-]+$",
            ),
            (
                "may hold lowercase letters, digits and hyphens only",
                "^[a-z0-9-]+$",
            ),
            ("must consist of upper case letters", "^[A-Z]+$"),
            ("only a-z, 0-9 and underscores", "^[a-z0-9_]+$"),
            ("3 letters", "^[A-Za-z]+$"),
            ("exactly 8 digits", "^[0-9]+$"),
            ("must be uppercase alphanumeric", "^[A-Z0-9]+$"),
        ];
        for (text, pattern) in cases {
            assert_eq!(read(text).as_deref(), Some(pattern), "{text}");
        }
    }

    #[test]
    fn what_only_speaks_of_characters_is_no_rule() {
        for text in [
            "The number of letters in the text",
            "must not contain spaces or digits",
            "must contain at least one digit and one letter",
            "Cover letter of the applicant",
            "A dash separates the parts",
            "Numbers of the pages",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
