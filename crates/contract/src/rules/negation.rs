//! "Not", "must" and "if": what turns a phrase round, asks for it, or makes a condition of it.

use super::Voice;
use super::token::{Kind, Token};

const NEGATIONS: [&str; 19] = [
    "no",
    "not",
    "never",
    "cannot",
    "can't",
    "can’t",
    "mustn't",
    "shouldn't",
    "don't",
    "don’t",
    "doesn't",
    "doesn’t",
    "isn't",
    "isn’t",
    "aren't",
    "won't",
    "nor",
    "neither",
    "couldn't",
];

/// Words that may stand between "not" and what it denies.
const SMALL: [&str; 16] = [
    "be", "is", "are", "was", "have", "has", "contain", "a", "an", "any", "been", "to", "the",
    "exceed", "allowed", "equal",
];

/// Words by which somebody asks for something, rather than telling what is.
const ASKING: [&str; 21] = [
    "must",
    "should",
    "shall",
    "has",
    "have",
    "need",
    "needs",
    "ensure",
    "expected",
    "expects",
    "require",
    "required",
    "requires",
    "please",
    "may",
    "can",
    "cannot",
    "can't",
    "mustn't",
    "shouldn't",
    "only",
];

pub(super) fn is_negation(token: &Token<'_>) -> bool {
    token.is_any(&NEGATIONS)
}

/// Whether a "not" stands before a phrase, with small words between at most.
pub(super) fn is_denied(before: &[Token<'_>]) -> bool {
    let mut back = before.iter().rev();
    let telling = back.find(|token| !token.is_any(&SMALL));
    telling.is_some_and(is_negation)
}

pub(super) fn asks(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| token.is_any(&ASKING))
}

/// Whether what follows holds on a condition only.
pub(super) fn is_conditional(before: &[Token<'_>]) -> bool {
    let Some(at) = before.iter().rposition(|token| token.is_any(&IF)) else {
        return false;
    };
    // "If given, at most 5": that is no condition, but what is so with everything optional.
    let mut clauses = before[at + 1..].split(|token| token.kind == Kind::Comma);
    let clause = clauses.next().unwrap_or(&[]);
    let over = at + 1 + clause.len() < before.len();
    let given = clause.iter().all(|token| token.is_any(&GIVEN));
    !(over && given)
}

const IF: [&str; 7] = ["if", "when", "unless", "where", "once", "whenever", "while"];
const GIVEN: [&str; 12] = [
    "given",
    "provided",
    "specified",
    "set",
    "present",
    "supplied",
    "used",
    "included",
    "is",
    "it",
    "this",
    "sent",
];

/// Whether a phrase tells what is wrong, and not what is right. A refusal does unless it asks for
/// something.
pub(super) fn complains(before: &[Token<'_>], voice: Voice) -> bool {
    voice == Voice::Refusal && !asks(before)
}

/// Whether a comparison means its contrary: it is denied, or it is what is complained of.
pub(super) fn turns(before: &[Token<'_>], voice: Voice) -> bool {
    is_denied(before) != complains(before, voice)
}
