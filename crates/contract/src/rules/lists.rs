//! Lists of values in prose: `a, b or c`, `['x', 'y']`, `'a' | 'b'`, one quoted value a line.

use serde_json::{Number, Value};

use super::token::{Kind, Token};

const MOST: usize = 24;
const LONGEST: usize = 60;

/// The list that begins here, after a few small words.
pub(super) fn read(tokens: &[Token<'_>], quoted_only: bool) -> Option<Vec<Value>> {
    let rest = after_small_words(tokens);
    let found = match rest.first()?.kind {
        Kind::Open => in_brackets(&rest[1..]),
        Kind::Stop => lines(rest),
        _ if quoted_only && rest.first()?.kind != Kind::Quoted => None,
        _ => in_a_row(rest),
    }?;
    let worth = found.len() > 1 || rest.first()?.kind == Kind::Quoted;
    (worth && !found.is_empty()).then_some(found)
}

fn after_small_words<'t>(tokens: &'t [Token<'t>]) -> &'t [Token<'t>] {
    const SMALL: [&str; 13] = [
        "the",
        "following",
        "values",
        "value",
        "are",
        "is",
        "these",
        "options",
        "choices",
        "be",
        "one",
        "of",
        "=",
    ];
    let small = |token: &&Token<'_>| token.kind == Kind::Colon || token.is_any(&SMALL);
    let count = tokens.iter().take(6).take_while(small).count();
    &tokens[count..]
}

fn separates(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Comma | Kind::Bar) || token.is_any(&["or", "and"])
}

/// `a, b | c]`: several words may make one value.
fn in_brackets(tokens: &[Token<'_>]) -> Option<Vec<Value>> {
    let close = tokens.iter().position(|token| token.kind == Kind::Close)?;
    let inner = &tokens[..close.min(MOST * 4)];
    let items = inner.split(separates).filter(|item| !item.is_empty());
    items.take(MOST).map(whole).collect()
}

/// One value made of all that stands between two separators.
fn whole(tokens: &[Token<'_>]) -> Option<Value> {
    match tokens {
        [one] => value(one),
        words if words.iter().all(|token| token.kind == Kind::Word) => {
            let text: Vec<&str> = words.iter().map(|token| token.text).collect();
            let text = text.join(" ");
            (text.len() <= LONGEST).then(|| Value::from(text))
        }
        _ => None,
    }
}

/// `a, b or c.`: bare words must end where the sentence does, or they are no list of values.
fn in_a_row(tokens: &[Token<'_>]) -> Option<Vec<Value>> {
    let quoted = tokens.first()?.kind == Kind::Quoted;
    let fits = |token: &Token<'_>| match token.kind {
        Kind::Quoted => quoted,
        Kind::Word => !quoted,
        Kind::Number(_) => true,
        _ => false,
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at).filter(|token| fits(token)) {
        found.push(value(token)?);
        at += 1;
        let between = tokens[at..].iter().take(2).take_while(|t| separates(t));
        let between = between.count();
        let goes_on = between > 0 && tokens.get(at + between).is_some_and(&fits);
        if !goes_on || found.len() >= MOST {
            break;
        }
        at += between;
    }
    let ends = match tokens.get(at) {
        None => true,
        Some(next) => quoted || matches!(next.kind, Kind::Stop | Kind::Open | Kind::Close),
    };
    ends.then_some(found)
}

/// One quoted value at the beginning of each line.
fn lines(tokens: &[Token<'_>]) -> Option<Vec<Value>> {
    let all = tokens.split(|token| token.kind == Kind::Stop);
    let mut found = Vec::new();
    for line in all.filter(|line| !line.is_empty()) {
        let first = line.iter().find(|token| token.kind != Kind::Dash);
        match first {
            Some(token) if token.kind == Kind::Quoted => found.extend(value(token)),
            _ => break,
        }
    }
    (found.len() > 1).then_some(found)
}

fn value(token: &Token<'_>) -> Option<Value> {
    match token.kind {
        Kind::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            Some(Value::from(number as i64))
        }
        Kind::Number(number) => Number::from_f64(number).map(Value::Number),
        Kind::Word | Kind::Quoted if token.text.len() <= LONGEST => Some(Value::from(token.text)),
        _ => None,
    }
}
