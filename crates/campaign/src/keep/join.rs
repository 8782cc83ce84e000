//! Tests about the same thing become one.

use std::sync::Arc;

use fossick_plan::Plan;
use fossick_suite::joined;
use fossick_trace::Role;

use super::{Candidate, Keeper, reaches_all};

/// Calls of a test that was joined from several.
const MOST_CALLS: usize = 10;

impl Keeper<'_, '_> {
    /// Tests about the same thing become one, as long as it still reaches what they reached.
    pub(super) async fn join(&self, chosen: Vec<Candidate>) -> Vec<Candidate> {
        let mut whole: Vec<(String, Candidate)> = Vec::new();
        for candidate in chosen {
            let theme = self.theme(&candidate);
            let mut waiting = Some(candidate);
            for (known, test) in &mut whole {
                let Some(candidate) = waiting.take_if(|_| *known == theme) else {
                    continue;
                };
                match self.join_two(test, &candidate).await {
                    Some(both) => *test = both,
                    None => waiting = Some(candidate),
                }
            }
            whole.extend(waiting.map(|candidate| (theme, candidate)));
        }
        whole.into_iter().map(|(_, test)| test).collect()
    }

    /// What a test is about, and whether it shows that something works: `tools true`.
    fn theme(&self, candidate: &Candidate) -> String {
        let calls = &candidate.script.calls;
        let main = calls.iter().rev().find(|call| call.role == Role::Main);
        let label = main.or(calls.last()).map_or("", |call| &*call.operation);
        let api = self.hunt.api;
        let operation = api.find(label).map(|index| api.operation(index));
        let thing = operation.map_or(String::new(), |operation| match &operation.graphql {
            Some(root) => root
                .thing
                .map_or(String::new(), |id| api.types.get(id).name.to_string()),
            None => collection(&operation.path.text).to_owned(),
        });
        format!("{thing} {}", candidate.works)
    }

    async fn join_two(&self, one: &Candidate, other: &Candidate) -> Option<Candidate> {
        let both = joined(&one.script, &other.script);
        if both.script.calls.len() > MOST_CALLS || self.is_late() {
            return None;
        }
        let mut steps = one.plan.as_ref()?.steps.clone();
        for (step, place) in other.plan.as_ref()?.steps.iter().zip(&both.places) {
            if *place >= steps.len() {
                steps.push(step.clone());
            }
        }
        let plan = Plan { steps };
        let mut test = Candidate {
            plan: Some(Arc::new(plan)),
            parts: [parts(one), parts(other)].concat(),
            ..Candidate::new(both.script)
        };
        self.look(&mut test).await;
        test.works = one.works;
        let wanted = one.targets.iter().chain(&other.targets);
        (reaches_all(&test.targets, wanted) && !test.borrows).then_some(test)
    }
}

/// `/tools` of `/tools/{id}`: both are about tools.
fn collection(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some((before, last)) if last.starts_with('{') => before,
        _ => path,
    }
}

/// A test that was not joined yet is its own part.
fn parts(test: &Candidate) -> Vec<Candidate> {
    if test.parts.is_empty() {
        return vec![test.clone()];
    }
    test.parts.clone()
}
