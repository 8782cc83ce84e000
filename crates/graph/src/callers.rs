//! Operations that show the caller itself, and places where somebody is named.
//!
//! Users that a run creates are strangers to most of a service: they own nothing, and what they
//! may see is little. The caller's own identifier opens what theirs do not.

use fossick_contract::{Deed, Operation};

use crate::{Need, Place, Words};

/// What such operations are called, without what separates words.
const OWN: [&str; 14] = [
    "me",
    "whoami",
    "self",
    "myself",
    "current",
    "currentuser",
    "loggedinuser",
    "viewer",
    "userinfo",
    "user",
    "account",
    "profile",
    "myprofile",
    "myaccount",
];

/// Stems of what people are to a service.
const PEOPLE: [&str; 11] = [
    "user", "account", "member", "owner", "author", "profil", "person", "assigne", "creator",
    "custom", "me",
];

/// Whether an operation shows whoever calls it: `GET /users/me`. Whether it shows one thing or
/// several, its answer tells.
pub(crate) fn shows_caller(operation: &Operation) -> bool {
    let asks = operation.parameters.iter().any(|p| p.required);
    let path = &operation.path;
    operation.graphql.is_none()
        && operation.deed() == Deed::Read
        && !asks
        && path.holes().next().is_none()
        && path.segments().next_back().is_some_and(is_own)
}

/// Whether a name means the caller.
pub(crate) fn is_own(name: &str) -> bool {
    let plain: String = (name.chars())
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    OWN.contains(&plain.as_str())
}

/// Whether the caller may stand at a need of an operation: somebody is named there, and nothing
/// is done to them. A run that changes or removes its own account is over.
pub(crate) fn may_be_caller(operation: &Operation, need: &Need) -> bool {
    let in_path = matches!(need.place, Place::Parameter(at)
        if operation.parameters.get(at).is_some_and(|p| operation.path.holes().any(|h| h == p.name)));
    let harmless = match operation.deed() {
        Deed::Read => true,
        // What is made below the caller harms nobody; a verb at the end may.
        Deed::Create => !in_path || ends_in_a_collection(operation),
        // Something else is handed to them.
        Deed::Replace | Deed::Update => matches!(need.place, Place::Body(_)),
        Deed::Delete | Deed::Other => false,
    };
    harmless && names_somebody(&need.words)
}

fn names_somebody(words: &Words) -> bool {
    let subject = words.subject();
    subject.last().is_some_and(|last| PEOPLE.contains(&last))
}

fn ends_in_a_collection(operation: &Operation) -> bool {
    let last = operation.path.segments().next_back();
    last.is_some_and(|last| !last.contains('{') && last.ends_with('s'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_go_by_many_names() {
        for name in ["me", "whoAmI", "current-user", "viewer", "Account"] {
            assert!(is_own(name), "{name}");
        }
        for name in ["users", "accounts", "menu", "profiles", ""] {
            assert!(!is_own(name), "{name}");
        }
    }

    #[test]
    fn people_are_named_by_what_they_are() {
        for name in ["user_id", "ownerId", "assignee", "account_uuid"] {
            assert!(names_somebody(&Words::of(name)), "{name}");
        }
        for name in ["project_id", "id", "user_group_id"] {
            assert!(!names_somebody(&Words::of(name)), "{name}");
        }
    }
}
