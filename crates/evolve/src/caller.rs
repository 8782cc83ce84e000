//! Who calls, and in which form a body is sent: both are parts of a test that change.

use fossick_contract::Operation;
use fossick_plan::{Step, writable_contents};
use fossick_trace::{Intent, Role};

use crate::dice;
use crate::workshop::Workshop;

/// How often a new call is somebody else's, or has another form, where there is a choice.
pub(crate) const RARELY: f64 = 0.1;

/// Whose call it is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Caller {
    Usual,
    User(String),
    Nobody,
}

impl Workshop<'_> {
    /// Whether there is anybody else whose call it could be. What only makes something for others is
    /// made by whoever is allowed to.
    pub(crate) fn has_callers(&self, step: &Step) -> bool {
        let operation = self.api.operation(step.operation);
        step.role != Role::Setup && self.callers(operation).len() > 1
    }

    fn callers(&self, operation: &Operation) -> Vec<Caller> {
        let users = self.settings.users.iter().cloned().map(Caller::User);
        let secured = self.settings.credentials && operation.needs_credentials();
        let nobody = secured.then_some(Caller::Nobody);
        std::iter::once(Caller::Usual)
            .chain(users)
            .chain(nobody)
            .collect()
    }

    /// Makes it another's call.
    pub(crate) fn change_caller(&mut self, step: &mut Step) {
        let now = match (&step.intent, &step.user) {
            (Intent::Unauthenticated { .. }, _) => Caller::Nobody,
            (_, Some(user)) => Caller::User(user.clone()),
            _ => Caller::Usual,
        };
        let mut others = self.callers(self.api.operation(step.operation));
        others.retain(|caller| *caller != now);
        if others.is_empty() {
            return;
        }
        let next = others.swap_remove(dice::index(self.rng, others.len()));
        (step.user, step.intent) = match next {
            Caller::Usual => (None, Intent::Valid),
            Caller::User(user) => (Some(user), Intent::Valid),
            Caller::Nobody => {
                let how = "without credentials".to_owned();
                (None, Intent::Unauthenticated { how })
            }
        };
    }
}

/// Forms in which a body may be sent: the usual one alone, or several.
pub(crate) fn forms(operation: &Operation) -> Vec<usize> {
    let body = operation.body.as_ref();
    body.map(writable_contents).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, rest};
    use fossick_contract::OperationIndex;
    use serde_json::json;
    use std::collections::BTreeSet;

    fn bench() -> Bench {
        let shape = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        let content = json!({"schema": shape});
        let contents = json!({
            "application/json": content,
            "application/x-www-form-urlencoded": content,
            "application/octet-stream": content,
        });
        let paths = json!({"/things": {"post": {
            "security": [{"key": []}],
            "requestBody": {"required": true, "content": contents},
            "responses": {"201": {"description": ""}},
        }}});
        Bench::of(rest(paths), 1)
    }

    /// Callers and forms of so many calls.
    fn drawn(bench: &mut Bench, role: Role) -> (BTreeSet<String>, BTreeSet<usize>) {
        let mut found = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..200 {
            let step = bench.workshop().step(OperationIndex(0), role);
            let nobody = matches!(step.intent, Intent::Unauthenticated { .. });
            let usual = if nobody { "nobody" } else { "usual" };
            found
                .0
                .insert(step.user.unwrap_or_else(|| usual.to_owned()));
            found.1.extend(step.body.map(|body| body.content));
        }
        found
    }

    #[test]
    fn every_user_nobody_and_every_form_come() {
        let mut bench = bench();
        bench.settings.users = vec!["anna".to_owned()];
        bench.settings.credentials = true;
        let (callers, forms) = drawn(&mut bench, Role::Main);
        assert_eq!(
            callers,
            ["anna", "nobody", "usual"].map(str::to_owned).into()
        );
        assert_eq!(forms.len(), 2, "what nobody can write is not sent");
        let (callers, _) = drawn(&mut bench, Role::Setup);
        assert_eq!(callers, ["usual".to_owned()].into());
    }

    #[test]
    fn without_credentials_there_is_nothing_to_leave_out() {
        let (callers, _) = drawn(&mut bench(), Role::Main);
        assert_eq!(callers, ["usual".to_owned()].into());
    }
}
