//! Credentials by their marks: how tokens, keys and logins begin, wherever they stand in a text.
//!
//! Every finder looks at a character a bounded number of times, whatever the text: senders may be
//! hostile.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// How tokens of well-known services begin, and how many characters follow at least.
const BEGINNINGS: [(&str, usize); 21] = [
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxa-", 10),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("sk_live_", 10),
    ("sk_test_", 10),
    ("rk_live_", 10),
    ("rk_test_", 10),
    ("whsec_", 16),
    ("npm_", 30),
    ("AIza", 30),
    ("ya29.", 16),
    ("sk-", 24),
];

/// Nothing shorter is one.
const SHORTEST: usize = 8;

/// `starts` are where words begin.
pub(super) fn credentials(text: &str, starts: &[usize]) -> Vec<Range<usize>> {
    if text.len() < SHORTEST {
        return Vec::new();
    }
    let mut found = armoured(text);
    found.extend(web_tokens(text, starts));
    found.extend(logins(text));
    found.extend(starts.iter().filter_map(|at| presented(text, *at)));
    found.extend(starts.iter().filter_map(|at| begun(text, *at)));
    found
}

/// Where letters and digits follow upon something else.
pub(super) fn starts(text: &str) -> Vec<usize> {
    let mut within = false;
    let mut starts = Vec::new();
    for (at, c) in text.char_indices() {
        let word = c.is_alphanumeric() || c == '_';
        if word && !within {
            starts.push(at);
        }
        within = word;
    }
    starts
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// No letter or digit stands before, so something begins here.
pub(super) fn begins(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

pub(super) fn run(text: &str, at: usize, holds: impl Fn(char) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.find(|c| !holds(c)).unwrap_or(rest.len())
}

/// A beginning may stand in the middle of a longer word with dashes.
fn begun(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let known = BEGINNINGS
        .iter()
        .find(|(beginning, _)| rest.starts_with(beginning));
    let (beginning, least) = known.filter(|_| !text[..at].ends_with('-'))?;
    let end = run(text, at + beginning.len(), is_token);
    (end - at >= beginning.len() + least).then_some(at..end)
}

/// JSON web tokens: three parts or more, the first of which is a JSON object in base64.
fn web_tokens(text: &str, starts: &[usize]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in starts.iter().copied() {
        let inside = found.last().is_some_and(|last| last.contains(&at));
        if !inside && let Some(end) = web_token(text, at) {
            found.push(at..end);
        }
    }
    found
}

fn web_token(text: &str, at: usize) -> Option<usize> {
    if !text.get(at..)?.starts_with("eyJ") {
        return None;
    }
    let head = run(text, at, is_token);
    let claims = run(text, head + 1, is_token);
    let dotted = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with('.'));
    let telling = dotted(head) && dotted(claims) && head - at >= 10 && claims > head + 2;
    telling.then(|| run(text, claims, |c| is_token(c) || matches!(c, '.' | '=')))
}

/// `Bearer …` and `Basic …`: the part that follows.
fn presented(text: &str, at: usize) -> Option<Range<usize>> {
    let begins = |scheme: &str| {
        let start = text.get(at..at + scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let (start, bearer) = match () {
        () if begins("bearer ") => (at + 7, true),
        () if begins("basic ") => (at + 6, false),
        () => return None,
    };
    let end = run(text, start, |c| is_token(c) || "._~+/=".contains(c));
    let token = text.get(start..end).filter(|token| !token.is_empty())?;
    let whole = at == 0 && end == text.len();
    let tells = if bearer {
        whole || bears(token)
    } else {
        is_login(token)
    };
    tells.then_some(start..end)
}

/// A word may follow `bearer` in a sentence; a token is longer or has digits.
fn bears(token: &str) -> bool {
    token.len() >= 20 || (token.len() >= 8 && token.bytes().any(|byte| byte.is_ascii_digit()))
}

/// A name and a password in base64.
fn is_login(token: &str) -> bool {
    STANDARD
        .decode(token)
        .is_ok_and(|said| said.contains(&b':'))
}

/// Keys and certificates between dashes; one without an end goes on to the end of the text.
fn armoured(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, _) in text.match_indices("-----BEGIN ") {
        if found.last().is_some_and(|last| last.contains(&at)) {
            continue;
        }
        let close = text[at..].find("-----END ").map(|end| at + end + 9);
        let end = close.and_then(|from| Some(from + text.get(from..)?.find("-----")? + 5));
        found.push(at..end.unwrap_or(text.len()));
    }
    found
}

/// The `user:password` of an address.
fn logins(text: &str) -> Vec<Range<usize>> {
    let starts = text.match_indices("://").map(|(at, mark)| at + mark.len());
    let of = |start: usize| {
        let end = run(text, start, |c| {
            !c.is_whitespace() && !"/?#\"'<>".contains(c)
        });
        let authority = text.get(start..end)?;
        let (login, _) = authority.rsplit_once('@')?;
        login.contains(':').then_some(start..start + login.len())
    };
    starts.filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut ranges = credentials(text, &starts(text));
        ranges.sort_by_key(|range| range.start);
        ranges.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn credentials_are_found_inside_a_text() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        assert_eq!(found(&format!("a token={token}, more")), [token]);
        assert_eq!(found("Authorization: Bearer abc123def"), ["abc123def"]);
        assert_eq!(found("bearer x"), ["x"]);
        assert_eq!(found("Basic dXNlcjpwYXNz"), ["dXNlcjpwYXNz"]);
        assert_eq!(
            found("see https://ada:lovelace@example.org/x"),
            ["ada:lovelace"]
        );
        assert_eq!(
            found("key ghp_abcdefghijklmnopqrstuvwx."),
            ["ghp_abcdefghijklmnopqrstuvwx"]
        );
        let pem = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----";
        assert_eq!(found(&format!("x {pem} y")), [pem]);
        assert_eq!(found("-----BEGIN RSA abc"), ["-----BEGIN RSA abc"]);
    }

    #[test]
    fn plain_words_are_none() {
        for text in [
            "the bearer of good news",
            "basic English course",
            "eyJust a word",
            "https://example.org/a@b:c",
            "npm_install",
            "risk-taking-in-the-long-run-of-life",
            "",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn hostile_texts_take_no_time() {
        for piece in [
            "eyJ.",
            "eyJaaaaaaaaaa.b",
            "sk-",
            "bearer ",
            "://a:",
            "-----BEGIN ",
            "@",
        ] {
            let text = piece.repeat(20_000);
            credentials(&text, &starts(&text));
        }
    }
}
