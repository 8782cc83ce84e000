//! Plans that evolution makes, and how it hears what they reached.

use fossick_contract::OperationIndex;
use fossick_evolve::{Context, Evolution, Settings as Evolving};
use fossick_graph::Yield;
use fossick_plan::{Plan, place_of};
use fossick_trace::{Episode, Outcome, Said, Target};
use rand::RngExt as _;

use crate::coverage::hash;
use crate::proposal::{Proposal, Use, Way};
use crate::search::{Search, Settings, Strategy};

/// Tests that may not be sent before the turn passes to somebody else.
const TRIES: usize = 20;

/// What evolution is set to: as told, or resources with dependencies where it is one of many ways.
pub(crate) fn evolving(settings: &Settings) -> Evolving {
    let wanted = match &settings.strategy {
        Strategy::Auto | Strategy::Graph(_) => Evolving::default().with_resources(),
        Strategy::Evolve(wanted) => Evolving::clone(wanted),
    };
    Evolving {
        seed: settings.seed,
        inline: settings.inline,
        users: settings.users.clone(),
        credentials: settings.credentials,
        ..wanted
    }
}

impl Search<'_> {
    /// Whether the next plan is evolution's.
    pub(crate) fn evolves(&mut self) -> bool {
        if matches!(self.settings.strategy, Strategy::Evolve(_)) {
            return true;
        }
        if matches!(self.settings.strategy, Strategy::Graph(_)) {
            return false;
        }
        // Seen from outside, values that were thought about beat chance, and every plan must make
        // what it needs. With a probe, evolution is shown the way.
        if !self.coverage.sees_code() {
            return false;
        }
        let share = self.shares.of_evolution();
        self.rng.random_bool(share)
    }

    pub(crate) fn evolved(&mut self) -> Option<Proposal> {
        let mut evolution = self.evolution.take().unwrap_or_else(|| {
            let settings = evolving(&self.settings);
            Box::new(Evolution::new(
                self.api,
                self.validators,
                &self.graph,
                settings,
            ))
        });
        // Every test makes what it works on or takes the service as it is: whatever is declared
        // may be called, wherever things may be removed at all.
        let allows = |plan: &Plan| {
            !plan.steps.is_empty() && self.is_wanted(plan) && self.may_send(plan, true)
        };
        let context = Context {
            spent: self.spent,
            values: &self.values,
            graph: &self.graph,
            allows: &allows,
        };
        let mut found = None;
        for _ in 0..TRIES {
            let individual = evolution.propose(&context);
            if allows(individual.plan()) {
                found = Some(individual);
                break;
            }
            evolution.discard(&individual);
        }
        self.evolution = Some(evolution);
        let individual = found?;
        let plan = individual.plan().clone();
        let (subject, uses) = (plan.steps[plan.main()].operation, self.uses_of(&plan));
        Some(Proposal {
            individual: Some(Box::new(individual)),
            ..Proposal::new(plan, subject, Way::Evolved, uses)
        })
    }

    /// The edges of the graph that the links of a plan go by.
    fn uses_of(&self, plan: &Plan) -> Vec<Use> {
        let steps = plan.steps.iter().enumerate();
        let links = steps.flat_map(|(at, step)| step.binds.iter().map(move |b| (at, step, b)));
        let uses = links.filter_map(|(at, step, bind)| {
            let place = place_of(&bind.spot);
            Some(Use {
                step: at,
                consumer: step.operation,
                need: self.graph.need_at(step.operation, &place)?,
                maker: plan.steps[bind.step].operation,
                yields: Yield::Answer(bind.take.clone()),
            })
        });
        uses.collect()
    }

    /// Whether a plan leaves alone what the user left out and what waits for the end.
    pub(crate) fn is_wanted(&self, plan: &Plan) -> bool {
        plan.steps.iter().all(|step| {
            let at = step.operation.0 as usize;
            self.active[at] && !self.known[at].waits_for_the_end() && !self.known[at].resting
        })
    }
}

/// What one call reached, with how near it came to what it did not: the values that EvoMaster
/// gives for success and failure, and whatever a probe says.
pub(crate) fn near_misses(
    index: OperationIndex,
    outcome: &Outcome,
    episode: &Episode,
    at: usize,
    into: &mut Vec<(Target, f64)>,
) {
    let (succeeds, fails) = match outcome.answer() {
        Some(answer) if answer.is_success() => (1.0, 0.5),
        Some(answer) if answer.status >= 500 => (0.5, 1.0),
        Some(_) => (0.1, 0.1),
        None => (0.0, 1.0),
    };
    into.push((Target::Succeeds(index), succeeds));
    into.push((Target::Fails(index), fails));
    let Some(insight) = episode.inside.get(at) else {
        return;
    };
    let reached = insight.reached.iter();
    into.extend(reached.map(|(id, value)| (Target::Code(*id), *value)));
    if let Some(line) = insight.last_line.as_ref().filter(|_| has_failed(outcome)) {
        into.push((Target::FailsAfter(index, hash(&line.to_string())), 1.0));
    }
}

/// By the service's own fault, as far as a status tells; with GraphQL, any error.
fn has_failed(outcome: &Outcome) -> bool {
    let answer = outcome.answer();
    answer.is_none_or(|answer| answer.status >= 500 || answer.said == Some(Said::Errors))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use fossick_ingest::{NoFetch, Source, read};
    use fossick_testkit::document;
    use fossick_trace::{Answer, Exchange};
    use fossick_validate::Validators;
    use serde_json::json;

    use super::*;

    fn answered(search: &Search<'_>, plan: &Plan) -> Episode {
        let script = Arc::new(search.render(plan));
        let mut episode = Episode {
            script: Arc::clone(&script),
            exchanges: Vec::new(),
            inside: Vec::new(),
            removed: Vec::new(),
        };
        for call in &script.calls {
            let request = episode
                .request(call)
                .expect("nothing is taken from answers");
            let body = json!({"id": 7, "name": "axe"}).to_string();
            let answer = Answer::new(200, vec![], body.into(), false, Duration::ZERO);
            let outcome = Outcome::Answered(answer);
            episode.exchanges.push(Exchange { request, outcome });
        }
        episode
    }

    /// A child that is answered just as its parent was is worth just as much.
    #[test]
    fn what_a_test_is_worth_does_not_depend_on_what_was_seen_before() {
        let source = Source {
            name: "openapi.json".to_owned(),
            text: document(
                json!({"/things": {"get": {"responses": {"200": {"description": ""}}}}}),
            ),
        };
        let api = read(&source, &mut NoFetch).expect("reads").api;
        let validators = Validators::new(&api);
        let strategy = Strategy::Evolve(Box::default());
        let settings = Settings {
            strategy,
            ..Settings::default()
        };
        let mut search = Search::new(&api, &validators, settings);
        let proposal = search.evolved().expect("there is something to try");
        let episode = answered(&search, &proposal.plan);
        let first = search.scores(&proposal, &episode, &[]);
        let fields = |scores: &[(Target, f64)]| {
            let of_field = |(target, _): &&(Target, f64)| matches!(target, Target::Field(..));
            scores.iter().filter(of_field).count()
        };
        assert_eq!(fields(&first[0]), 2);
        search.learn(&proposal, &episode, &[]);
        assert_eq!(search.scores(&proposal, &episode, &[]), first);
    }
}
