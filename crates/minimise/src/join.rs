//! Tests about the same thing become one, as long as it still reaches what they reached.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use fossick_contract::Api;
use fossick_plan::Plan;
use fossick_suite::joined;
use fossick_trace::Episode;

use crate::candidate::Candidate;
use crate::context::Context;
use crate::look::Look;
use crate::trial::Trial;

/// Calls of a test that was joined from several.
const MOST_CALLS: usize = 10;

pub(crate) struct Join {
    /// Tests to come; the first of them is being joined.
    waiting: VecDeque<Themed>,
    whole: Vec<Themed>,
    /// The place of the one that it is joined with, or of the next that may be.
    at: usize,
    look: Option<Look>,
}

struct Themed {
    theme: String,
    test: Candidate,
}

impl Join {
    pub(crate) fn new(tests: Vec<Candidate>, api: &Api) -> Self {
        let themed = |test| Themed {
            theme: theme(&test, api),
            test,
        };
        Self {
            waiting: tests.into_iter().map(themed).collect(),
            whole: Vec::new(),
            at: 0,
            look: None,
        }
    }

    pub(crate) fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        while self.look.is_none() {
            let guest = self.waiting.pop_front()?;
            self.look = self.begin(&guest, context);
            if self.look.is_some() {
                self.waiting.push_front(guest);
            } else {
                self.whole.push(guest);
                self.at = 0;
            }
        }
        self.look.as_ref().map(Look::propose)
    }

    /// A look at a test joined with the next one of its theme.
    fn begin(&mut self, guest: &Themed, context: &Context<'_>) -> Option<Look> {
        while let Some(host) = self.whole.get(self.at) {
            if host.theme == guest.theme
                && !context.is_late()
                && let Some(both) = both(&host.test, &guest.test)
            {
                return Some(Look::everywhere(both, context));
            }
            self.at += 1;
        }
        None
    }

    pub(crate) fn learn(&mut self, context: &Context<'_>, episode: &Episode) {
        let Some(look) = self.look.take() else { return };
        match look.learn(context, episode) {
            ControlFlow::Continue(look) => self.look = Some(look),
            ControlFlow::Break(seen) => self.see(seen.test),
        }
    }

    fn see(&mut self, both: Candidate) {
        let host = self.whole.get_mut(self.at).map(|themed| &mut themed.test);
        let (Some(host), Some(guest)) = (host, self.waiting.front()) else {
            return;
        };
        let wanted = host.targets.iter().chain(&guest.test.targets);
        if both.borrows || !both.reaches_all(wanted) {
            self.at += 1;
            return;
        }
        *host = Candidate {
            works: host.works,
            ..both
        };
        self.waiting.pop_front();
        self.at = 0;
    }

    pub(crate) fn finish(self) -> Vec<Candidate> {
        self.whole.into_iter().map(|themed| themed.test).collect()
    }
}

/// What a test is about, and whether it shows that something works: `tools true`.
fn theme(test: &Candidate, api: &Api) -> String {
    let operation = api.find(test.subject()).map(|index| api.operation(index));
    let thing = operation.map_or(String::new(), |operation| match &operation.graphql {
        Some(root) => root
            .thing
            .map_or(String::new(), |id| api.types.get(id).name.to_string()),
        None => collection(&operation.path.text).to_owned(),
    });
    format!("{thing} {}", test.works)
}

/// `/tools` of `/tools/{id}`: both are about tools.
fn collection(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some((before, last)) if last.starts_with('{') => before,
        _ => path,
    }
}

/// Two tests as one, unless it would be too long to read.
fn both(one: &Candidate, other: &Candidate) -> Option<Candidate> {
    let both = joined(&one.script, &other.script);
    if both.script.calls.len() > MOST_CALLS {
        return None;
    }
    let mut steps = one.plan.as_ref()?.steps.clone();
    for (step, place) in other.plan.as_ref()?.steps.iter().zip(&both.places) {
        if *place >= steps.len() {
            steps.push(step.clone());
        }
    }
    Some(Candidate {
        plan: Some(Arc::new(Plan { steps })),
        parts: [one.own_parts(), other.own_parts()].concat(),
        ..Candidate::new(both.script)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{
        DELETE, Desk, GET, LIST, LOANS, MAKE, Shed, labels, over_an_item, with_last,
    };
    use fossick_contract::Method;

    fn join(tests: Vec<Candidate>, context: &Context<'_>, shed: &mut Shed) -> Vec<Candidate> {
        let mut join = Join::new(tests, context.api);
        while let Some(trial) = join.propose(context) {
            join.learn(context, &shed.run(&trial));
        }
        join.finish()
    }

    /// Makes a tool and reads it.
    fn read(context: &Context<'_>) -> Candidate {
        let steps = vec![context.make("saw", None), context.of_made(GET, 0)];
        context.chosen(steps, &[(GET, 200)])
    }

    /// Makes a tool and removes it.
    fn remove(context: &Context<'_>) -> Candidate {
        let steps = vec![context.make("axe", None), context.of_made(DELETE, 0)];
        context.chosen(steps, &[(DELETE, 204)])
    }

    #[test]
    fn tests_about_one_thing_become_one_that_makes_it_once() {
        let context = Desk::new().context();
        let tests = vec![read(&context), remove(&context)];
        let whole = join(tests, &context, &mut Shed::new());
        assert_eq!(whole.len(), 1);
        assert_eq!(labels(&whole[0]), [MAKE, GET, DELETE]);
        assert_eq!(whole[0].parts.len(), 2);
        assert!(whole[0].works);
    }

    #[test]
    fn one_that_takes_the_others_thing_away_stays_apart() {
        let context = Desk::new().context();
        let in_english = with_last(context.of_made(GET, 0), "en");
        let steps = vec![context.make("saw", None), in_english];
        let third = context.chosen(steps, &[(GET, 200)]);
        let list = context.chosen(vec![context.plain(LIST)], &[(LIST, 200)]);
        let tests = vec![remove(&context), read(&context), third, list];
        let whole = join(tests, &context, &mut Shed::new());
        assert_eq!(whole.len(), 2, "the third is joined with the second");
        assert_eq!(labels(&whole[0]), [MAKE, DELETE, LIST]);
        assert_eq!(labels(&whole[1]), [MAKE, GET, GET]);
    }

    #[test]
    fn what_fails_over_others_things_when_joined_stays_apart() {
        let context = Desk::new().context();
        let mut made = false;
        let mut shed = Shed::with(move |request, _| {
            made |= request.method == Method::Post;
            let fails = request.method == Method::Get && request.target == "/tools" && made;
            fails.then(|| (200, over_an_item()))
        });
        let list = context.chosen(vec![context.plain(LIST)], &[(LIST, 200)]);
        let whole = join(vec![read(&context), list], &context, &mut shed);
        assert_eq!(whole.len(), 2);
    }

    #[test]
    fn what_works_and_what_does_not_and_other_things_stay_apart() {
        let context = Desk::new().context();
        let list = context.chosen(vec![context.plain(LIST)], &[(LIST, 200)]);
        let loans = context.chosen(vec![context.plain(LOANS)], &[(LOANS, 200)]);
        let mut none = context.chosen(vec![context.about(GET, 9)], &[(GET, 404)]);
        none.works = false;
        let mut shed = Shed::new();
        assert_eq!(join(vec![list, loans, none], &context, &mut shed).len(), 3);
        assert_eq!(shed.log, [""; 0]);
    }

    #[test]
    fn what_nobody_would_read_is_not_joined() {
        let context = Desk::new().context();
        let long = || context.chosen(vec![context.plain(LIST); 6], &[(LIST, 200)]);
        let mut shed = Shed::new();
        assert_eq!(join(vec![long(), long()], &context, &mut shed).len(), 2);
        assert_eq!(shed.log, [""; 0]);
    }

    #[test]
    fn nothing_is_joined_when_time_is_up() {
        let mut context = Desk::new().context();
        context.spent = 1.1;
        let mut shed = Shed::new();
        let tests = vec![read(&context), remove(&context)];
        assert_eq!(join(tests, &context, &mut shed).len(), 2);
        assert_eq!(shed.log, [""; 0]);
    }
}
