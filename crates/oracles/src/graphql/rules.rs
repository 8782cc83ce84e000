//! Errors that come before anything is carried out: an operation that validation refuses.

use fossick_trace::Answer;

use super::blame::plain_code;
use super::complaint::Complaint;
use crate::message::fold;

/// Codes by which servers say that the operation itself is wrong.
const CODES: [&str; 5] = [
    "graphqlvalidationfailed",
    "graphqlparsefailed",
    "validationerror",
    "invalidsyntax",
    "undefinedfield",
];

/// How servers word it, lower case.
const WORDS: [&str; 28] = [
    "cannot query field",
    "unknown argument",
    "unknown type",
    "unknown fragment",
    "unknown directive",
    "is not defined by type",
    "is not defined by operation",
    "is not defined in operation",
    "is not defined on",
    "got invalid value",
    "has an invalid value",
    "has coerced null value",
    "was not provided a value",
    "expected type",
    "expected value of type",
    "used in position expecting",
    "must have a selection of subfields",
    "must not have a selection",
    "doesn't exist on type",
    "does not exist on type",
    "doesn't accept argument",
    "can never be of type",
    "conflict because",
    "validation error",
    "syntax error:",
    "syntax error (",
    "syntax error graphql",
    "of required type",
];

/// Guards that any operation may meet, valid or not.
const LIMITS: [&str; 14] = [
    "complexity",
    "too complex",
    "depth",
    "cost",
    "rate limit",
    "too many",
    "throttl",
    "exceed",
    "maximum",
    "token limit",
    "aliases",
    "introspection",
    "persisted",
    "csrf",
];

/// Whether an error says that the operation breaks the rules of GraphQL. One that happened while
/// a field was resolved has a path into `data`.
pub(crate) fn is_of_validation(complaint: Complaint<'_>, answer: &Answer) -> bool {
    // Names of the schema stand in quotes, and one of them may be `cost`.
    let bare = fold(complaint.message()).to_lowercase();
    if LIMITS.iter().any(|word| bare.contains(word)) {
        return false;
    }
    let message = complaint.message().to_lowercase();
    // A null in the place of everything is an answer too; refusals before execution have no data.
    let executed = answer.json().is_some_and(|body| body.get("data").is_some());
    let by_code = code(complaint).is_some_and(|code| CODES.contains(&code.as_str()));
    let by_words = WORDS.iter().any(|word| message.contains(word));
    let in_data = complaint.path().is_some() && executed;
    (by_code || by_words) && !in_data
}

/// The code of an error without case and punctuation.
fn code(complaint: Complaint<'_>) -> Option<String> {
    let extensions = complaint.extensions()?;
    let code = ["code", "classification"]
        .iter()
        .find_map(|name| extensions.get(*name)?.as_str())?;
    Some(plain_code(code))
}
