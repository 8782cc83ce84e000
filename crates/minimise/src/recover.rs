//! What the run reached and no test of the archive reaches any more.
//!
//! A project that was not there has been made since; a list that could be read holds something
//! broken now. A test that asks for less, or for a thing that nobody will make, may get there
//! still.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use fossick_search::is_an_item;
use fossick_trace::{Call, Episode, Script, Target};

use crate::absence::far_away_at_once;
use crate::candidate::Candidate;
use crate::choose::missing;
use crate::context::Context;
use crate::look::{Look, Seen};
use crate::trial::Trial;

/// Variants of one test that are tried.
const TRIALS: usize = 40;

/// Looks for variants of tests that reach what no test of the archive reaches by itself. What a
/// fault's own test reaches counts for nothing here: it may waver yet.
pub(crate) struct Recover {
    waiting: VecDeque<Candidate>,
    lost: BTreeSet<Target>,
    recovered: Vec<Candidate>,
    variants: Option<Variants>,
}

impl Recover {
    pub(crate) fn new(archived: &[Candidate], in_run: &BTreeSet<Target>) -> Self {
        let steady = archived.iter().filter(|test| !test.borrows);
        Self {
            waiting: archived.iter().cloned().collect(),
            lost: missing(in_run, steady),
            recovered: Vec::new(),
            variants: None,
        }
    }

    pub(crate) fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        loop {
            let variants = self.variants.as_mut();
            if let Some(trial) = variants.and_then(|variants| variants.propose(context)) {
                return Some(trial);
            }
            self.take_in();
            self.variants = Some(self.begin(context)?);
        }
    }

    fn begin(&mut self, context: &Context<'_>) -> Option<Variants> {
        while !self.lost.is_empty() && context.may_measure() {
            let variants = Variants::of(self.waiting.pop_front()?, &self.lost);
            if variants.is_some() {
                return variants;
            }
        }
        None
    }

    fn take_in(&mut self) {
        let found = self.variants.take().map_or(Vec::new(), |one| one.found);
        for target in found.iter().flat_map(|variant| &variant.targets) {
            self.lost.remove(target);
        }
        self.recovered.extend(found);
    }

    pub(crate) fn learn(&mut self, context: &Context<'_>, episode: &Episode) {
        if let Some(variants) = &mut self.variants {
            variants.learn(context, episode);
        }
    }

    pub(crate) fn finish(self) -> Vec<Candidate> {
        self.recovered
    }
}

/// Variants of one test that reach again what it once reached and is lost. One that gets further
/// than the test did is where the next ones start from: more than one thing may stand in the way.
struct Variants {
    test: Candidate,
    wanted: BTreeSet<Target>,
    found: Vec<Candidate>,
    /// How far the test gets, or a variant of it; unknown before the test itself was seen.
    furthest: Option<usize>,
    waiting: VecDeque<Candidate>,
    trials: usize,
    look: Option<Look>,
}

impl Variants {
    fn of(test: Candidate, lost: &BTreeSet<Target>) -> Option<Self> {
        let once = test.reached_once.iter().copied();
        let wanted: BTreeSet<Target> = once.filter(|target| lost.contains(target)).collect();
        (!wanted.is_empty()).then(|| Self {
            look: Some(Look::as_left(test.clone())),
            test,
            wanted,
            found: Vec::new(),
            furthest: None,
            waiting: VecDeque::new(),
            trials: TRIALS,
        })
    }

    fn propose(&mut self, context: &Context<'_>) -> Option<Trial> {
        if self.look.is_none() && context.may_measure() {
            self.look = self.begin();
        }
        self.look.as_ref().map(Look::propose)
    }

    fn begin(&mut self) -> Option<Look> {
        if self.wanted.is_empty() {
            return None;
        }
        self.trials = self.trials.checked_sub(1)?;
        self.waiting.pop_front().map(Look::twice)
    }

    fn learn(&mut self, context: &Context<'_>, episode: &Episode) {
        let Some(look) = self.look.take() else { return };
        match look.learn(context, episode) {
            ControlFlow::Continue(look) => self.look = Some(look),
            ControlFlow::Break(seen) => self.see(context, seen),
        }
    }

    fn see(&mut self, context: &Context<'_>, Seen { test, how_far }: Seen) {
        let Some(furthest) = self.furthest else {
            self.furthest = Some(how_far);
            self.waiting = to_try(&self.test, context);
            return;
        };
        if how_far > furthest {
            self.furthest = Some(how_far);
            self.waiting = to_try(&test, context);
        }
        if !test.borrows && self.wanted.iter().any(|target| test.reaches(target)) {
            self.wanted.retain(|target| !test.reaches(target));
            self.found.push(test);
        }
    }
}

fn to_try(test: &Candidate, context: &Context<'_>) -> VecDeque<Candidate> {
    let mut variants = VecDeque::new();
    let Some(plan) = &test.plan else {
        return variants;
    };
    let whole = context.candidate(Arc::clone(plan));
    // By chance it named a thing that others had made; what is left of it may do so as well.
    let leans = test.borrows && !whole.borrows;
    variants.extend(far_away_at_once(&whole.script).map(|script| Candidate {
        plan: whole.plan,
        borrows: takes_an_item(&script),
        ..Candidate::new(script)
    }));
    let shorter = context.shorter(plan);
    variants.extend(shorter.map(|plan| context.candidate(Arc::new(plan))));
    for variant in &mut variants {
        variant.borrows |= leans;
    }
    variants
}

/// Whether a script takes something from an item of a list: who stands there depends on what
/// others made.
fn takes_an_item(script: &Script) -> bool {
    let mut captures = script.calls.iter().flat_map(Call::captures);
    captures.any(|capture| is_an_item(&capture.take))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Desk, GET, Shed, body, borrowing, paths, with_last};
    use fossick_contract::Method;
    use fossick_trace::Request;
    use serde_json::{Value, json};

    fn recover(tests: &[Candidate], context: &Context<'_>, shed: &mut Shed) -> Vec<Candidate> {
        let once = tests.iter().flat_map(|test| test.reached_once.clone());
        let mut recover = Recover::new(tests, &once.collect());
        while let Some(trial) = recover.propose(context) {
            recover.learn(context, &shed.run(&trial));
        }
        recover.finish()
    }

    /// A test that reaches nothing any more.
    fn lost(mut test: Candidate) -> Candidate {
        test.targets.clear();
        test
    }

    #[test]
    fn a_thing_that_was_made_since_is_looked_for_where_nobody_makes_one() {
        let context = Desk::new().resetting();
        let test = lost(context.chosen(vec![context.about(GET, 1)], &[(GET, 404)]));
        let found = recover(&[test.clone(), test], &context, &mut Shed::new().holding(1));
        assert_eq!(found.len(), 1, "what is found is not looked for again");
        assert_eq!(paths(&found[0]), ["/tools/2100000001"]);
        assert!(found[0].reaches(&context.status(GET, 404)));
    }

    /// Notes and languages are refused by now.
    fn pickier(request: &Request, _: usize) -> Option<(u16, Value)> {
        let noted = request.method == Method::Post && body(request).get("note").is_some();
        (noted || request.target.contains("lang=")).then(|| (400, json!({})))
    }

    #[test]
    fn a_variant_that_gets_further_is_where_the_next_ones_start() {
        let context = Desk::new().context();
        let steps = vec![
            context.make("saw", Some("blunt")),
            with_last(context.of_made(GET, 0), "en"),
        ];
        let test = lost(context.chosen(steps, &[(GET, 200)]));
        let found = recover(&[test], &context, &mut Shed::with(pickier));
        assert_eq!(found.len(), 1);
        assert_eq!(paths(&found[0]), ["/tools", "/tools/{}"]);
        assert!(found[0].reaches(&context.status(GET, 200)));
    }

    #[test]
    fn what_is_found_is_not_looked_for_any_further() {
        let context = Desk::new().context();
        let steps = vec![
            context.make("saw", Some("blunt")),
            with_last(context.of_made(GET, 0), "en"),
        ];
        let test = lost(context.chosen(steps, &[(GET, 200)]));
        let mut shed = Shed::with(|request, _| {
            let refused = request.target.contains("lang=");
            refused.then(|| (400, json!({})))
        });
        assert_eq!(recover(&[test], &context, &mut shed).len(), 1);
        assert_eq!(shed.log.len(), 3, "the test, and one variant twice");
    }

    #[test]
    fn what_only_borrowers_reach_is_lost() {
        let context = Desk::new().resetting();
        let mut borrower = borrowing(context.plain(GET), 0, json!(1));
        borrower = with_last(borrower, "en");
        let borrower = context.chosen(vec![borrower], &[(GET, 200)]);
        assert!(borrower.borrows);
        let steps = vec![context.make("saw", Some("blunt")), context.of_made(GET, 0)];
        let own = lost(context.chosen(steps, &[(GET, 200)]));
        let mut shed = Shed::with(pickier);
        assert_eq!(recover(&[borrower, own], &context, &mut shed).len(), 1);
    }

    #[test]
    fn what_counts_on_somebodys_things_recovers_nothing() {
        let context = Desk::new().resetting();
        let steps = vec![with_last(borrowing(context.plain(GET), 0, json!(1)), "en")];
        let test = lost(context.chosen(steps, &[(GET, 200)]));
        let mut shed = Shed::with(pickier).holding(1);
        assert!(recover(&[test], &context, &mut shed).is_empty());
        assert!(shed.log.len() > 1, "variants were tried");
    }

    #[test]
    fn nothing_is_tried_where_nothing_is_lost_or_half_of_the_time_is_used() {
        let mut context = Desk::new().resetting();
        let test = context.chosen(vec![context.about(GET, 1)], &[(GET, 404)]);
        let mut shed = Shed::new();
        assert!(recover(std::slice::from_ref(&test), &context, &mut shed).is_empty());
        context.spent = 0.5;
        assert!(recover(&[lost(test)], &context, &mut shed).is_empty());
        assert_eq!(shed.log, [""; 0]);
    }
}
