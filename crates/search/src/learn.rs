//! Hearing what became of a proposal.

use fossick_contract::OperationIndex;
use fossick_genes::{Manner, Source, Values};
use fossick_graph::{Place, Yield};
use fossick_plan::{Ground, Plan, Spot, Step};
use fossick_trace::{Answer, Episode, Finding, Target};
use serde_json::Value;

use crate::fresh::names_of;
use crate::proposal::{Proposal, Use, Way};
use crate::search::Search;
use crate::tasks::{EdgeCase, Task};
use crate::told::{self, Told};

/// Answers of one operation that are read for values.
const ANSWERS_SEEN: u32 = 40;

impl Search<'_> {
    /// Hears what became of a proposal. Must be called in the order of proposing.
    pub fn learn(&mut self, proposal: &Proposal, episode: &Episode, findings: &[Finding]) {
        let mut new = 0;
        let mut targets = Vec::new();
        for (at, step) in proposal
            .plan
            .steps
            .iter()
            .enumerate()
            .take(episode.exchanges.len())
        {
            let outcome = &episode.exchanges[at].outcome;
            self.coverage.reached(step.operation, outcome, &mut targets);
            self.learn_step(step, episode, at);
        }
        let length = proposal.plan.steps.len();
        targets.extend(findings.iter().map(|f| Target::Fault(fault_hash(f))));
        for target in targets {
            new += usize::from(self.coverage.cover(target, length));
        }
        self.learn_edges(proposal, episode);
        self.learn_values(proposal, episode);
        self.learn_main(proposal, episode);
        let known = &mut self.known[proposal.subject.0 as usize];
        known.gain = known.gain * 0.9 + (new as f64).min(3.0) * 0.1;
    }

    fn learn_step(&mut self, step: &Step, episode: &Episode, at: usize) {
        let index = step.operation;
        let outcome = &episode.exchanges[at].outcome;
        let known = &mut self.known[index.0 as usize];
        *known
            .statuses
            .entry(outcome.status().unwrap_or(0))
            .or_insert(0) += 1;
        let Some(answer) = outcome.answer() else {
            return;
        };
        if answer.is_success() && step.method.is_none() {
            known.succeeded += 1;
            if known.succeeded <= ANSWERS_SEEN || known.succeeded.is_multiple_of(16) {
                self.see(index, answer);
            }
        } else if (400..500).contains(&answer.status) && step.intent.is_valid() {
            self.hear(index, answer);
        }
    }

    fn see(&mut self, index: OperationIndex, answer: &Answer) {
        let Some(body) = answer.json() else { return };
        self.graph.see(self.api, index, body);
        self.graph.note_values(index, body);
        let mut left = 60;
        see_scalars(&mut self.values, "", body, 0, &mut left);
    }

    /// Reads a refusal for what the service would rather have.
    fn hear(&mut self, index: OperationIndex, answer: &Answer) {
        let known = &mut self.known[index.0 as usize];
        let listening = known.succeeded == 0 || known.tried < 20;
        if known.refusal.is_none() || listening {
            known.refusal = Some(refusal(answer));
        }
        if !listening || matches!(answer.status, 401 | 403 | 404 | 405 | 429) {
            return;
        }
        let Some(body) = answer.json() else { return };
        let told = told::read(body);
        for one in &told {
            if let Told::Required(name) = one {
                known.insisted.insert(name.clone());
            }
        }
        told::remember(&mut self.values, &self.labels[index.0 as usize], &told);
    }

    fn learn_edges(&mut self, proposal: &Proposal, episode: &Episode) {
        for used in &proposal.uses {
            let Some(step) = proposal.plan.steps.get(used.step) else {
                continue;
            };
            let worked = match episode.exchanges.get(used.step) {
                Some(exchange) => match exchange.outcome.status() {
                    Some(200..=299) => true,
                    Some(400 | 404 | 410 | 422) | None => false,
                    _ => continue,
                },
                // The call was not made because the maker's answer lacked what was promised.
                None if gave_nothing(step, used, episode) => false,
                None => continue,
            };
            if step.intent.is_valid() && step.operation == used.consumer {
                self.graph
                    .record(step.operation, used.need, used.maker, &used.yields, worked);
            }
        }
    }

    /// A value that was seen somewhere and worked here joins the two places.
    fn learn_values(&mut self, proposal: &Proposal, episode: &Episode) {
        for (step, exchange) in proposal.plan.steps.iter().zip(&episode.exchanges) {
            if !exchange.outcome.is_success() || !step.intent.is_valid() {
                continue;
            }
            for (at, gene) in step.arguments.iter().enumerate() {
                let seen = gene.as_ref().filter(|g| g.source() == Some(Source::Seen));
                let need = self.graph.need_at(step.operation, &Place::Parameter(at));
                if let (Some(gene), Some(need)) = (seen, need) {
                    self.graph.worked(step.operation, need, &gene.value());
                }
            }
        }
    }

    fn learn_main(&mut self, proposal: &Proposal, episode: &Episode) {
        let main = proposal.plan.main();
        let Some(exchange) = episode.exchanges.get(main) else {
            return;
        };
        let succeeded = exchange.outcome.is_success();
        let step = &proposal.plan.steps[main];
        if step.intent.is_valid() && step.method.is_none() {
            let values = &mut self.values;
            let genes = step
                .arguments
                .iter()
                .flatten()
                .chain(step.body.iter().map(|b| &b.gene));
            genes.for_each(|gene| gene.sources(&mut |source| values.credit(source, succeeded)));
        }
        let known = &mut self.known[proposal.subject.0 as usize];
        if succeeded && matches!(proposal.way, Way::Plain) && main + 1 == proposal.plan.steps.len()
        {
            let own = proposal.plan.ground(self.api, main) > Ground::Found;
            if known.keep(proposal, own) {
                self.note_names(proposal);
            }
        }
        if let Way::Edge {
            spot,
            declared: true,
        } = &proposal.way
            && matches!(exchange.outcome.status(), Some(400 | 422))
        {
            self.look_closer(proposal.subject, step, spot);
        }
    }

    /// Finds out which texts of a kept plan are names.
    fn note_names(&mut self, proposal: &Proposal) {
        let mut builder = self.builder(Plan::default(), Vec::new());
        let names = names_of(
            builder.api,
            &builder.maker(Manner::Plausible),
            &proposal.plan,
        );
        self.known[proposal.subject.0 as usize].names = names;
    }

    /// A declared value was refused: once for each place, contrast it with one that works.
    fn look_closer(&mut self, index: OperationIndex, step: &Step, spot: &Spot) {
        let operation = self.api.operation(index);
        let Some(value) = step.value_at(spot) else {
            return;
        };
        let known = &mut self.known[index.0 as usize];
        if known.contrasted.insert(spot.describe(operation)) {
            known.tasks.push_back(Task::Contrast(EdgeCase {
                spot: spot.clone(),
                value,
                declared: true,
                member: false,
            }));
        }
    }
}

fn see_scalars(values: &mut Values, name: &str, value: &Value, depth: usize, left: &mut usize) {
    if depth > 5 || *left == 0 {
        return;
    }
    match value {
        Value::Object(map) => map
            .iter()
            .for_each(|(key, inner)| see_scalars(values, key, inner, depth + 1, left)),
        Value::Array(items) => items
            .iter()
            .take(3)
            .for_each(|item| see_scalars(values, name, item, depth + 1, left)),
        Value::String(_) | Value::Number(_) if !name.is_empty() => {
            values.see(name, value);
            *left -= 1;
        }
        _ => {}
    }
}

/// Whether an edge promised a value that the maker's successful answer does not hold.
fn gave_nothing(step: &Step, used: &Use, episode: &Episode) -> bool {
    let Yield::Answer(take) = &used.yields else {
        return false;
    };
    step.binds
        .iter()
        .filter(|bind| bind.take == *take)
        .any(|bind| {
            let answer = episode.answer(bind.step).filter(|a| a.is_success());
            answer.is_some_and(|answer| take.from(answer).is_none())
        })
}

/// A refusal in a few words.
fn refusal(answer: &Answer) -> String {
    let text = answer
        .excerpt(200)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    format!("{}: {text}", answer.status)
}

fn fault_hash(finding: &Finding) -> u64 {
    u64::from_str_radix(&finding.fingerprint(), 16).unwrap_or(0)
}
