//! What a refusal says: that a write was not carried out, and sometimes that something is taken.

use fossick_trace::Said;
use serde_json::Value;

use crate::graphql::blame::{Blame, blame};
use crate::graphql::complaint::complaints;
use crate::scene::Shown;

impl Shown<'_> {
    /// A write that the service says it did not carry out.
    pub(crate) fn is_refused(&self) -> bool {
        let refused = match self.root() {
            Some(_) => self.is_turned_down(),
            None => (400..500).contains(&self.status()),
        };
        refused && !self.is_safe()
    }

    /// The mutation itself turned it down, and blames the caller. An error further down, or one
    /// of the server's own, may well come after the deed was done.
    fn is_turned_down(&self) -> bool {
        let Some(answer) = self.answer() else {
            return false;
        };
        let of_the_caller = || {
            let body = answer.json().unwrap_or(&Value::Null);
            complaints(body).all(|complaint| {
                let at_root = complaint.path().is_none_or(|path| path.len() == 1);
                at_root && blame(complaint, answer, &self.call.intent).blame == Blame::Caller
            })
        };
        match answer.said {
            Some(Said::Refusal) => true,
            Some(Said::Errors) => self.payload().is_none_or(Value::is_null) && of_the_caller(),
            _ => false,
        }
    }

    /// Refused because another has the same key.
    pub(crate) fn is_told_taken(&self) -> bool {
        const WORDS: [&str; 8] = [
            "taken",
            "exist",
            "duplicate",
            "unique",
            "in use",
            "conflict",
            "used by",
            "already",
        ];
        // A parent that does not exist is another matter.
        const OTHERS: [&str; 3] = ["not exist", "n't exist", "no such"];
        let Some(answer) = self.answer().filter(|_| self.is_refused()) else {
            return false;
        };
        let told = String::from_utf8_lossy(&answer.body).to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| told.contains(word));
        match self.root() {
            None if answer.status == 409 => true,
            None if !matches!(answer.status, 400 | 422) => false,
            _ => says(&WORDS) && !says(&OTHERS),
        }
    }
}
