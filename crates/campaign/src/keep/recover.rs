//! What the run reached and no test of the archive reaches any more.
//!
//! A project that was not there has been made since; a list that could be read holds something
//! broken now. A test that asks for less, or for a thing that nobody will make, may get there
//! still.

use std::collections::{BTreeSet, VecDeque};

use fossick_plan::Plan;
use fossick_search::Shrinker;
use fossick_trace::Target;

use super::absence::far_away_at_once;
use super::choose::missing;
use super::{Candidate, Keeper};

/// Variants of one test that are tried.
const TRIALS: usize = 40;

impl Keeper<'_, '_> {
    /// Variants of tests that reach what no test of the archive reaches by itself. What a fault's
    /// own test reaches counts for nothing here: it may waver yet.
    pub(super) async fn recover(
        &self,
        archived: &[Candidate],
        in_run: &BTreeSet<Target>,
    ) -> Vec<Candidate> {
        let steady = archived.iter().filter(|test| !test.borrows);
        let mut lost = missing(in_run, steady);
        let mut recovered = Vec::new();
        for test in archived {
            if lost.is_empty() || !self.has_time_to_measure() {
                break;
            }
            for variant in self.variants(test, &lost).await {
                for target in &variant.targets {
                    lost.remove(target);
                }
                recovered.push(variant);
            }
        }
        recovered
    }

    /// Variants of a test that reach again what it once reached and is lost. One that gets further
    /// than the test did is where the next ones start from: more than one thing may stand in the
    /// way.
    async fn variants(&self, test: &Candidate, lost: &BTreeSet<Target>) -> Vec<Candidate> {
        let mut wanted: BTreeSet<Target> = test.reached_once.iter().copied().collect();
        wanted.retain(|target| lost.contains(target));
        let mut found = Vec::new();
        if wanted.is_empty() {
            return found;
        }
        let mut furthest = self.look_at(&mut test.clone()).await;
        let mut waiting = self.to_try(test);
        for _ in 0..TRIALS {
            let Some(mut variant) = waiting.pop_front().filter(|_| self.has_time_to_measure())
            else {
                break;
            };
            let how_far = self.look_at(&mut variant).await;
            self.look_again(&mut variant).await;
            if how_far > furthest {
                furthest = how_far;
                waiting = self.to_try(&variant);
            }
            let reaches = |target: &Target| variant.targets.binary_search(target).is_ok();
            if !variant.borrows && wanted.iter().any(reaches) {
                wanted.retain(|target| !reaches(target));
                found.push(variant);
            }
            if wanted.is_empty() {
                break;
            }
        }
        found
    }

    fn to_try(&self, test: &Candidate) -> VecDeque<Candidate> {
        let mut variants = VecDeque::new();
        let Some(plan) = &test.plan else {
            return variants;
        };
        let test = self.candidate(Plan::clone(plan));
        variants.extend(far_away_at_once(&test.script).map(|script| Candidate {
            plan: test.plan.clone(),
            ..Candidate::new(script)
        }));
        let seed = self.hunt.settings.search.seed;
        let shrinker = Shrinker::new(self.hunt.api, self.hunt.validators, seed);
        let shows = plan.steps.len().saturating_sub(1);
        let shorter = shrinker.shorter(plan, shows).into_iter();
        variants.extend(shorter.map(|(shorter, _)| self.candidate(shorter)));
        variants
    }
}
