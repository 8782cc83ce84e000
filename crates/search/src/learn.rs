//! Hearing what became of a proposal.

use fossick_contract::{Api, Method, OperationIndex};
use fossick_evolve::{Individual, Scores};
use fossick_genes::{Source, Values};
use fossick_graph::{Place, Yield};
use fossick_plan::{Ground, Plan, Spot, Step, keys, place_of, spot_of};
use fossick_trace::{Answer, Episode, Exchange, Finding, Outcome, Removal, Role, Said, Target};
use serde_json::Value;

use crate::archive::borrows;
use crate::evolved::near_misses;
use crate::knowledge::Merit;
use crate::proposal::{Proposal, Use, Way};
use crate::search::Search;
use crate::shares::Side;
use crate::tasks::{EdgeCase, EdgeValue, Task};
use crate::{listed, scalars, sour, told};

/// Answers of one operation that are read for values.
const ANSWERS_SEEN: u32 = 40;
/// Targets of every call that are not taken from its answer.
const OWN: usize = 2;
/// Plans about an operation after which an answer of null is taken for a success.
const PATIENCE: u32 = 6;

impl Search<'_> {
    /// Hears what became of a proposal. Must be called in the order of proposing.
    pub fn learn(&mut self, proposal: &Proposal, episode: &Episode, findings: &[Finding]) {
        let mut new = 0;
        let by_step = self.scores(proposal, episode, findings);
        for (at, step) in proposal.plan.steps.iter().enumerate().take(by_step.len()) {
            // That a second creation is refused says nothing of how to make the first.
            if !matches!(proposal.way, Way::Again(_)) || at < proposal.plan.main() {
                self.learn_step(step, episode, at);
            }
        }
        let length = proposal.plan.steps.len();
        let mut best_for = Vec::new();
        let borrows =
            self.settings.keep && (borrows(&proposal.plan) || self.leans(&proposal.plan, episode));
        let covered = by_step.iter().flatten().filter(|(_, score)| *score >= 1.0);
        for (target, _) in covered {
            new += usize::from(self.coverage.cover(*target, length));
            if self.settings.keep && self.archive.wants(target, length, borrows) {
                best_for.push(*target);
            }
        }
        self.archive.keep(&proposal.plan, best_for, borrows);
        self.learn_inside(proposal, episode, &by_step);
        let side = match proposal.way {
            Way::Evolved => Side::Evolved,
            Way::Sequence => Side::Sequences,
            Way::Harvested { .. } => Side::Harvested,
            Way::Deviation(_) => Side::Deviations,
            Way::Inside | Way::Climb(_) => Side::Inward,
            _ => Side::Own,
        };
        self.shares.credit(side, new, episode.exchanges.len());
        if let (Some(individual), Some(evolution)) = (&proposal.individual, &mut self.evolution) {
            let scores = Scores { by_step };
            evolution.learn(Individual::clone(individual), &scores);
        }
        self.learn_tables(&proposal.plan, episode);
        self.graph.sent(episode.exchanges.len());
        self.learn_edges(proposal, episode);
        self.learn_flows(&proposal.plan, episode);
        if proposal.way == Way::Sequence {
            self.keep_good(&proposal.plan, episode);
        }
        self.learn_origins(&proposal.plan, episode, findings);
        self.learn_recipes(&proposal.plan, episode);
        self.count_living(&proposal.plan, episode);
        self.learn_values(proposal, episode);
        self.learn_main(proposal, episode);
        self.learn_related(proposal, episode);
        self.learn_refused_write(proposal, episode);
        self.try_again(proposal, episode);
        self.learn_replay(proposal, episode);
        let known = &mut self.known[proposal.subject.0 as usize];
        known.gain = known.gain * 0.9 + (new as f64).min(3.0) * 0.1;
    }

    /// Resources whose calls touch the same tables have to do with each other.
    fn learn_tables(&mut self, plan: &Plan, episode: &Episode) {
        let Some(evolution) = &mut self.evolution else {
            return;
        };
        for (step, insight) in plan.steps.iter().zip(&episode.inside) {
            evolution.learn_tables(step.operation, &insight.tables);
        }
    }

    fn learn_step(&mut self, step: &Step, episode: &Episode, at: usize) {
        let index = step.operation;
        let outcome = &episode.exchanges[at].outcome;
        let known = &mut self.known[index.0 as usize];
        *known
            .statuses
            .entry(outcome.status().unwrap_or(0))
            .or_insert(0) += 1;
        // A telling value may be refused; that says nothing of how others fare.
        if step.role == Role::Setup && !step.intent.is_telling() {
            known.setups += 1;
            known.setups_failed += u32::from(!outcome.is_success());
        }
        let Some(answer) = outcome.answer() else {
            return;
        };
        self.learn_time(step, answer);
        let known = &mut self.known[index.0 as usize];
        if answer.said == Some(Said::Errors) {
            sour::taste(self.api, step, answer, &mut self.values);
        }
        if answer.is_success() && step.method.is_none() {
            known.succeeded += 1;
            let first = known.succeeded == 1;
            let some = known.succeeded <= ANSWERS_SEEN || known.succeeded.is_multiple_of(16);
            // What is gone when somebody wants to use it is no value to remember.
            if some && !episode.removed.contains(&Some(Removal::Removed)) {
                self.see(index, answer);
                self.see_custom_scalars(step, answer);
            }
            if first {
                self.graph.forgive(index);
                self.encourage(index);
                self.read_unique(index);
            }
            if step.intent.is_valid()
                && let Some(rules) = self.known[index.0 as usize].rules.get_mut()
            {
                rules.doubt(self.api, step);
            }
        } else if step.intent.is_valid() {
            self.hear_references(index, answer);
            let sent = &episode.exchanges[at].request.body;
            self.learn_taken(step, answer, sent);
            self.learn_missing(step, answer, sent);
            self.learn_astray(step, answer);
            if is_refusal(answer) {
                self.hear(index, answer);
                self.hear_rules(index, answer);
                self.hear_apart(step, answer);
            }
        }
    }

    /// What failed for want of something that can now be made is tried afresh, and soon.
    fn encourage(&mut self, maker: OperationIndex) {
        for (at, known) in self.known.iter_mut().enumerate() {
            let failed = known.succeeded == 0 && known.tried > 0;
            if failed && self.graph.is_made_for(OperationIndex(at as u32), maker) {
                known.tried = 0;
                self.schedule.wake(at);
            }
        }
    }

    fn see(&mut self, index: OperationIndex, answer: &Answer) {
        let Some(body) = answer.json() else { return };
        self.graph.see(self.api, index, body);
        self.graph.note_values(index, body);
        let operation = self.api.operation(index);
        if listed::lists(operation) {
            listed::read(operation, body, &mut self.known[index.0 as usize].listed);
        }
        let mut left = 60;
        see_scalars(&mut self.values, "", body, 0, &mut left);
    }

    /// Custom scalars that nobody described are learned from answers.
    fn see_custom_scalars(&mut self, step: &Step, answer: &Answer) {
        let root = self.api.operation(step.operation).graphql.as_ref();
        let selection = step.ask.as_ref().and_then(|ask| ask.selection.as_ref());
        let (Some(root), Some(selection)) = (root, selection) else {
            return;
        };
        let field = self.api.root_field(root);
        let data = answer.json().and_then(|body| body.get("data"));
        if let Some(value) = data.and_then(|data| data.get(&*field.name)) {
            scalars::see(&self.api.types, selection, value, &mut self.values);
        }
    }

    /// What each step that was sent reached. Of a test that evolves everything is told, for what it
    /// is worth must not depend on what was seen before it; else, whatever an answer shows is told
    /// once.
    pub(crate) fn scores(
        &mut self,
        proposal: &Proposal,
        episode: &Episode,
        findings: &[Finding],
    ) -> Vec<Vec<(Target, f64)>> {
        let mut by_step = Vec::with_capacity(episode.exchanges.len());
        for (at, (step, exchange)) in proposal
            .plan
            .steps
            .iter()
            .zip(&episode.exchanges)
            .enumerate()
        {
            let outcome = &exchange.outcome;
            let mut targets = Vec::new();
            match proposal.individual {
                Some(_) => {
                    self.coverage
                        .all_reached(step.operation, outcome, &mut targets);
                }
                None => self.coverage.reached(step.operation, outcome, &mut targets),
            }
            reach_pairs(self.api, step, outcome, &mut targets);
            let shown = findings.iter().filter(|finding| finding.call == at);
            targets.extend(shown.map(|f| Target::Fault(fault_hash(f))));
            let inside = episode.inside.get(at).map_or(0, |i| i.reached.len());
            let mut scores = Vec::with_capacity(targets.len() + OWN + inside);
            scores.extend(targets.into_iter().map(|target| (target, 1.0)));
            near_misses(step.operation, outcome, episode, at, &mut scores);
            by_step.push(scores);
        }
        by_step
    }

    fn learn_edges(&mut self, proposal: &Proposal, episode: &Episode) {
        for used in &proposal.uses {
            let Some(step) = proposal.plan.steps.get(used.step) else {
                continue;
            };
            let worked = match episode.exchanges.get(used.step) {
                Some(exchange) => match verdict(&exchange.outcome) {
                    Some(worked) => worked,
                    None => continue,
                },
                // The call was not made because the maker's answer lacked what was promised.
                None if gave_nothing(step, used, episode) => false,
                None => continue,
            };
            if step.intent.is_valid() && step.operation == used.consumer {
                self.graph
                    .record(step.operation, used.need, used.maker, &used.yields, worked);
                if worked || self.is_to_blame(step, used, episode) {
                    self.graph
                        .weigh(step.operation, used.need, used.maker, &used.yields, worked);
                }
            }
        }
    }

    /// Whether a failure is the fault of an edge: everything else that the call needs was carried
    /// to it as well, by edges that are trusted more.
    fn is_to_blame(&self, step: &Step, used: &Use, episode: &Episode) -> bool {
        let status = episode
            .exchanges
            .get(used.step)
            .and_then(|e| e.outcome.status());
        if status == Some(422) && matches!(self.place_of(used), Some(Place::Parameter(_))) {
            return false;
        }
        let needs = self.graph.needs(step.operation).iter();
        let mut guessed = needs.filter(|need| need.required);
        let guesses = guessed.any(|need| step.bind_at(&spot_of(&need.place)).is_none());
        !guesses
    }

    fn place_of(&self, used: &Use) -> Option<&Place> {
        let needs = self.graph.needs(used.consumer);
        needs.get(used.need).map(|need| &need.place)
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
                    let value = gene.value();
                    self.graph.worked(self.api, step.operation, need, &value);
                }
            }
            self.learn_body_values(step);
        }
    }

    fn learn_body_values(&mut self, step: &Step) {
        let Some(body) = &step.body else { return };
        let leaves = body.gene.leaves().into_iter();
        for leaf in leaves.filter(|leaf| leaf.source == Source::Seen) {
            let spot = Spot::Body(leaf.pointer);
            let need = self.graph.need_at(step.operation, &place_of(&spot));
            let value = step
                .value_at(&spot)
                .filter(|_| step.bind_at(&spot).is_none());
            if let (Some(value), Some(need)) = (value, need) {
                self.graph.worked(self.api, step.operation, need, &value);
            }
        }
    }

    fn learn_main(&mut self, proposal: &Proposal, episode: &Episode) {
        if let Way::Again(twice) = &proposal.way {
            self.learn_again(proposal, twice, episode);
            return;
        }
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
        self.get_works |= succeeded && is_query_by_get(step, exchange);
        let known = &mut self.known[proposal.subject.0 as usize];
        let merit = match exchange.outcome.answer().and_then(|answer| answer.said) {
            _ if succeeded => Some(Merit::Full),
            // Nothing came of it, but nobody minded either: better than no base at all.
            Some(Said::Nothing) if known.tried > PATIENCE => Some(Merit::Empty),
            _ => None,
        };
        let may_be_base = matches!(
            proposal.way,
            Way::Plain | Way::Sequence | Way::Harvested { .. }
        );
        if let Some(merit) = merit.filter(|_| may_be_base)
            && is_about_its_last(&proposal.plan)
        {
            let keyless = keys(self.api.operation(proposal.subject)).is_empty();
            let own = keyless || proposal.plan.ground(self.api, main) > Ground::Found;
            if known.keep(proposal, own, merit) {
                if succeeded {
                    known.note_first(self.api, &self.graph, proposal.subject, &proposal.plan);
                }
                self.note_names(proposal);
            }
        }
        if let Way::Edge {
            spot,
            declared: true,
            along,
        } = &proposal.way
            && matches!(exchange.outcome.status(), Some(400 | 422))
        {
            self.look_closer(proposal.subject, step, spot, along.as_ref());
        }
    }

    /// Finds out which values of a kept plan are names.
    fn note_names(&mut self, proposal: &Proposal) {
        let names = self.names_in(&proposal.plan);
        self.known[proposal.subject.0 as usize].names = names;
    }

    /// A declared value was refused: once for each place, contrast it with one that works.
    fn look_closer(
        &mut self,
        index: OperationIndex,
        step: &Step,
        spot: &Spot,
        along: Option<&Spot>,
    ) {
        let operation = self.api.operation(index);
        let Some(value) = step.value_at(spot) else {
            return;
        };
        let refused = EdgeValue {
            spot: spot.clone(),
            value: Some(value),
            declared: true,
            member: false,
        };
        let along = along.and_then(|spot| Some((spot.clone(), step.value_at(spot)?)));
        let known = &mut self.known[index.0 as usize];
        if known.contrasted.insert(spot.describe(operation)) {
            known.tasks.push_back(Task::Contrast(EdgeCase {
                along,
                ..EdgeCase::one(refused)
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

/// Whether all calls but the last are there for that one.
fn is_about_its_last(plan: &Plan) -> bool {
    let before = plan.steps.len().saturating_sub(1);
    let mut steps = plan.steps.iter().take(before);
    plan.main() == before && steps.all(|step| step.role == Role::Setup)
}

/// Whether an answer refuses what was asked, in the way of HTTP or of GraphQL.
fn is_refusal(answer: &Answer) -> bool {
    (400..500).contains(&answer.status)
        || matches!(
            answer.said,
            Some(Said::Errors | Said::Refusal | Said::Nonsense)
        )
}

/// Pairs of type and field that an operation asked for, where the service carried it out.
pub(crate) fn reach_pairs(api: &Api, step: &Step, outcome: &Outcome, into: &mut Vec<Target>) {
    let answer = outcome.answer().filter(|answer| was_carried_out(answer));
    let (Some(_), Some(ask)) = (answer, &step.ask) else {
        return;
    };
    let beside = ask.beside.iter().map(|b| (b.operation, &b.selection));
    for (operation, selection) in [(step.operation, &ask.selection)].into_iter().chain(beside) {
        if let Some(root) = &api.operation(operation).graphql {
            into.push(Target::Pair(root.on, root.field));
        }
        if let Some(selection) = selection {
            let mut push = |on, field| into.push(Target::Pair(on, field));
            selection.pairs(&api.types, &mut push);
        }
    }
}

/// Whether a GraphQL answer shows that the operation passed validation.
fn was_carried_out(answer: &Answer) -> bool {
    let data = || answer.json()?.get("data").filter(|data| !data.is_null());
    let path = || answer.json()?.get("errors")?.get(0)?.get("path");
    answer.said.is_some() && (answer.is_success() || data().is_some() || path().is_some())
}

/// What an outcome says of the values that were brought to the call; nothing where it failed for
/// reasons of its own.
pub(crate) fn verdict(outcome: &Outcome) -> Option<bool> {
    let Some(answer) = outcome.answer() else {
        return Some(false);
    };
    match (answer.said, answer.status) {
        (None | Some(Said::Data), 200..=299) => Some(true),
        (Some(Said::Errors | Said::Refusal), _) => misses_something(answer).then_some(false),
        (Some(Said::Nothing), _) | (None, 400 | 404 | 410 | 422) => Some(false),
        _ => None,
    }
}

/// Whether a GraphQL refusal is about a thing that is not there. One that minds another argument
/// says nothing of where the key came from.
fn misses_something(answer: &Answer) -> bool {
    told::says_missing(&refusal(answer))
}

fn is_query_by_get(step: &Step, exchange: &Exchange) -> bool {
    step.ask.as_ref().is_some_and(|ask| ask.get) && exchange.request.method == Method::Get
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

/// A refusal in a few words: the status and the body, or what GraphQL calls the error and says of
/// it.
pub(crate) fn refusal(answer: &Answer) -> String {
    let error = answer
        .said
        .and_then(|_| answer.json()?.get("errors")?.get(0));
    if let Some(said) = error.and_then(|error| error.get("message")?.as_str()) {
        let code = error.and_then(|error| error.pointer("/extensions/code")?.as_str());
        let said: String = said.chars().take(200).collect();
        return format!("{}: {said}", code.unwrap_or("error"));
    }
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
