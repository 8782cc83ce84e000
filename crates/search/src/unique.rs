//! Which values a service wants to be unique, by whatever it says and does.
//!
//! It may say so in its document, or in a refusal that names the field or repeats the value. Where
//! it only refuses, two equal creations are sent, and then less and less equal ones, until it is
//! known which values must differ.

use std::collections::BTreeSet;

use fossick_contract::{Deed, OperationIndex};
use fossick_genes::{Manner, Slot, Source};
use fossick_graph::stem_words;
use fossick_plan::{Plan, Spot, Step, best_content, place_of, spots_of};
use fossick_trace::{Answer, Episode, Outcome, Role};
use rand::RngExt as _;
use serde_json::Value;

use crate::anew::way_anew;
use crate::builder::Builder;
use crate::fresh::{another, body_slots, declared, is_ours_alone, names_of, names_things};
use crate::proposal::{Proposal, Twice, Way};
use crate::recipes::Recipe;
use crate::search::Search;
use crate::tasks::Task;
use crate::told::{self, Sentence};

/// Fields of one operation that are looked at for uniqueness.
const MOST_FIELDS: usize = 16;
/// Pairs of creations that are sent for one operation.
const MOST_PAIRS: u32 = 14;

impl Search<'_> {
    /// Values of each operation's calls that must be unique, in the order of the operations.
    pub fn unique_keys(&self) -> Vec<BTreeSet<Spot>> {
        self.known
            .iter()
            .map(|known| known.unique.clone())
            .collect()
    }

    /// Hears of a plan that was run somewhere else, a replay for one. Tells whether it was refused
    /// for a value that is taken and that will be another one from now on.
    pub fn hear_taken(&mut self, plan: &Plan, episode: &Episode) -> bool {
        let mut learned = false;
        for (at, step) in plan.steps.iter().enumerate() {
            if let Some(exchange) = episode.exchanges.get(at)
                && let Outcome::Answered(answer) = &exchange.outcome
                && step.intent.is_valid()
            {
                let named = self.learn_taken(step, answer, &exchange.request.body);
                learned |= named == Some(true);
            }
        }
        learned
    }

    /// Reads a refusal for values that are taken. Tells whether that was news; none where it names
    /// nothing.
    pub(crate) fn learn_taken(
        &mut self,
        step: &Step,
        answer: &Answer,
        sent: &[u8],
    ) -> Option<bool> {
        let index = step.operation;
        let writes = matches!(
            step.deed(self.api.operation(index)),
            Deed::Create | Deed::Replace | Deed::Update
        );
        if answer.is_success() || !writes {
            return None;
        }
        let conflict = answer.status == 409;
        let mut taken = sentences(answer);
        taken.retain(|said| conflict || told::says_taken(said));
        if taken.is_empty() && !conflict {
            self.wonder(index);
            return None;
        }
        let sent: Value = serde_json::from_slice(sent).unwrap_or(Value::Null);
        let spoken = |heard: &[Sentence<'_>], spot: &Spot, name: &str| {
            let value = value_sent(step, spot, &sent);
            heard.iter().any(|said| said.speaks_of(name, &value))
        };
        let heard = Sentence::all_of(&taken);
        let mut fields = self.candidates(step);
        fields.retain(|(spot, name)| spoken(&heard, spot, name));
        let mut named: Vec<Spot> = fields.into_iter().map(|(spot, _)| spot).collect();
        if named.is_empty() && self.api.operation(index).deed() == Deed::Create {
            // It looked like a reference, but whoever makes a thing says what it is called.
            taken.retain(|said| told::says_taken(said));
            let all = self.builder(Plan::default(), Vec::new()).changeable(step);
            let heard = Sentence::all_of(&taken);
            let all = all
                .into_iter()
                .filter(|(spot, name)| spoken(&heard, spot, name));
            named = all
                .map(|(spot, _)| spot)
                .filter(|spot| !self.is_made_by_others(index, spot))
                .collect();
            let coined = &mut self.known[index.0 as usize].coined;
            coined.extend(named.iter().cloned());
        }
        if named.is_empty() {
            self.look_for_keys(index);
            return None;
        }
        Some(self.learn_unique(index, named))
    }

    /// Whether other operations make what stands at a spot.
    fn is_made_by_others(&self, index: OperationIndex, spot: &Spot) -> bool {
        let need = self.graph.need_at(index, &place_of(spot));
        let edges = need.map(|need| self.graph.edges(index, need));
        let mut edges = edges.into_iter().flatten();
        edges.any(|edge| edge.maker != index && edge.evidence.makes())
    }

    /// From now on these values are new in every call. Tells whether that was news.
    fn learn_unique(&mut self, index: OperationIndex, spots: Vec<Spot>) -> bool {
        let known = &mut self.known[index.0 as usize];
        let before = known.unique.len();
        known.unique.extend(spots);
        if let Some(rules) = known.rules.get() {
            // A day that moves alone passes the one that it must not pass.
            let moved = known.unique.iter();
            let along: Vec<Spot> = moved.flat_map(|s| rules.days_beside(self.api, s)).collect();
            known.unique.extend(along);
        }
        let news = known.unique.len() > before;
        if news {
            self.rename_kept(index);
        }
        news
    }

    /// A rule between fields was told: of a unique day others may have to move along.
    pub(crate) fn move_along(&mut self, index: OperationIndex) {
        if !self.known[index.0 as usize].unique.is_empty() {
            self.learn_unique(index, Vec::new());
        }
    }

    /// Finds out anew which values of kept plans are names.
    fn rename_kept(&mut self, index: OperationIndex) {
        for at in 0..self.known.len() {
            let calls_it = |plan: &&Plan| plan.steps.iter().any(|step| step.operation == index);
            let known = &self.known[at];
            let base = known.base.as_ref().map(|(plan, _)| plan).filter(calls_it);
            let recipe = known.recipe.as_ref().map(|recipe| &recipe.plan);
            let (base, recipe) = (base.cloned(), recipe.filter(calls_it).cloned());
            if let Some(plan) = base {
                self.known[at].names = self.names_in(&plan);
            }
            if let Some(plan) = recipe {
                let names = self.names_in(&plan);
                self.known[at].recipe = Some(Recipe { plan, names });
            }
        }
    }

    pub(crate) fn names_in(&mut self, plan: &Plan) -> Vec<crate::fresh::Name> {
        let mut builder = self.builder(Plan::default(), Vec::new());
        let (api, known) = (builder.api, builder.known);
        let keys = |index: OperationIndex| Some(&known[index.0 as usize].unique);
        names_of(api, &builder.maker(Manner::Plausible), plan, &keys)
    }

    /// What worked once and is refused now without a word may be refused for being the same.
    fn wonder(&mut self, index: OperationIndex) {
        if self.known[index.0 as usize].succeeded > 0 {
            self.look_for_keys(index);
        }
    }

    /// Two equal creations will tell, once, as soon as one works.
    fn look_for_keys(&mut self, index: OperationIndex) {
        let at = index.0 as usize;
        let creates = self.api.operation(index).deed() == Deed::Create;
        if !creates || self.known[at].pairs > 0 || self.known[at].base.is_none() {
            return;
        }
        self.known[at].pairs = 1;
        self.prepare(index);
        self.ask_again(index, Twice::default());
    }

    /// Others wait for what such a creation makes, so that it comes first.
    fn ask_again(&mut self, index: OperationIndex, twice: Twice) {
        let at = index.0 as usize;
        self.known[at].tasks.push_front(Task::Again(twice));
        self.schedule.wake(at);
    }

    /// What the document itself says of uniqueness.
    pub(crate) fn read_unique(&mut self, index: OperationIndex) {
        let operation = self.api.operation(index);
        let body = operation.body.as_ref();
        let shape = body.and_then(|body| body.contents.get(best_content(body))?.shape);
        let Some(shape) = shape.filter(|_| operation.deed() != Deed::Read) else {
            return;
        };
        let api = self.api;
        let mut builder = self.builder(Plan::default(), Vec::new());
        let slots = builder.maker(Manner::Plausible).slots(shape).into_iter();
        let says_so = |slot: &Slot| {
            let text = api.shape(slot.shape).description.as_deref();
            text.is_some_and(says_unique)
        };
        let spots: Vec<Spot> = slots
            .filter(says_so)
            .map(|slot| Spot::Body(slot.pointer))
            .filter(|spot| !builder.refers(index, spot))
            .collect();
        self.learn_unique(index, spots);
    }

    /// Values of a step that may have to be unique, each with the name of its field.
    fn candidates(&mut self, step: &Step) -> Vec<(Spot, String)> {
        self.builder(Plan::default(), Vec::new()).candidates(step)
    }

    /// Two creations, the second like the first but for what is to differ.
    pub(crate) fn again(&mut self, index: OperationIndex, mut twice: Twice) -> Option<Proposal> {
        let (mut plan, uses) = self.base(index)?;
        let main = plan.main();
        if main + 1 != plan.steps.len() {
            return None;
        }
        let pairs = &mut self.known[index.0 as usize].pairs;
        *pairs += 1;
        if *pairs > MOST_PAIRS {
            self.learn_unique(index, twice.all_open());
            return None;
        }
        let fields = self.candidates(&plan.steps[main]).into_iter();
        let fields: Vec<Spot> = fields.map(|(spot, _)| spot).collect();
        if twice.fields.is_empty() {
            twice.fields.clone_from(&fields);
        }
        let mut builder = self.builder(Plan::default(), Vec::new());
        // The first must be accepted: nothing in it may have been sent before.
        let salt = builder.rng.random();
        for spot in &fields {
            builder.make_another(&mut plan.steps[main], spot, salt);
        }
        let mut second = plan.steps[main].clone();
        let salt = builder.rng.random();
        for spot in twice.differing() {
            builder.make_another(&mut second, &spot, salt);
        }
        plan.steps[main].role = Role::Setup;
        plan.steps.push(second);
        Some(Proposal::new(plan, index, Way::Again(twice), uses))
    }

    /// Hears what became of two creations.
    pub(crate) fn learn_again(&mut self, proposal: &Proposal, twice: &Twice, episode: &Episode) {
        let index = proposal.subject;
        let main = proposal.plan.main();
        let Some(exchange) = episode.exchanges.get(main) else {
            return;
        };
        let Some(answer) = exchange.outcome.answer() else {
            return;
        };
        let accepted = answer.is_success();
        // The service may say it all by itself.
        let step = &proposal.plan.steps[main];
        let named = self.learn_taken(step, answer, &exchange.request.body);
        if named.is_some() {
            return;
        }
        match twice.clone().next(accepted) {
            Next::Pair(twice) => self.ask_again(index, twice),
            Next::Keys(keys) => {
                self.learn_unique(index, keys);
            }
        }
    }
}

/// What two creations lead to.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    /// Another pair.
    Pair(Twice),
    /// What must differ; nothing if nothing needs to, or if that is not enough.
    Keys(Vec<Spot>),
}

impl Twice {
    /// Fields that differ between the two.
    fn differing(&self) -> Vec<Spot> {
        match &self.open {
            None => Vec::new(),
            Some(open) => {
                let rest = open.iter().skip(1).flatten();
                self.must.iter().chain(rest).cloned().collect()
            }
        }
    }

    /// The first pair is equal; in the second all that can differ does. Then one part after the
    /// other is made equal again: where the pair is refused, something in that part must differ.
    fn next(mut self, accepted: bool) -> Next {
        let Some(open) = &mut self.open else {
            if accepted || self.fields.is_empty() {
                return Next::Keys(Vec::new());
            }
            self.open = Some(vec![Vec::new(), self.fields.clone()]);
            return Next::Pair(self);
        };
        let part = open.remove(0);
        match (accepted, part.as_slice()) {
            // Whatever differs, it is refused: uniqueness is not the reason.
            (false, []) => return Next::Keys(Vec::new()),
            (true, []) => halve(open.remove(0), open),
            (true, _) => {}
            (false, [one]) => self.must.push(one.clone()),
            (false, _) => halve(part, open),
        }
        self.skip_equal_pairs();
        match &self.open {
            Some(open) if !open.is_empty() => Next::Pair(self),
            _ => Next::Keys(self.must),
        }
    }

    /// Where nothing would differ, the answer is known: it was the first question.
    fn skip_equal_pairs(&mut self) {
        while self.must.is_empty()
            && let Some(open) = &mut self.open
            && open.len() == 1
        {
            match open.remove(0) {
                part if part.len() == 1 => self.must.extend(part),
                part => halve(part, open),
            }
        }
    }

    /// What must differ as far as is known, and what may have to.
    fn all_open(&self) -> Vec<Spot> {
        let open = self.open.iter().flatten().flatten();
        self.must.iter().chain(open).cloned().collect()
    }
}

fn halve(mut part: Vec<Spot>, open: &mut Vec<Vec<Spot>>) {
    let second = part.split_off(part.len().div_ceil(2));
    let halves = [part, second].into_iter().filter(|half| !half.is_empty());
    open.splice(0..0, halves);
}

pub(crate) fn sentences(answer: &Answer) -> Vec<String> {
    match answer.json() {
        Some(body) => told::sentences(body, answer.said.is_some()),
        None => vec![answer.excerpt(600)],
    }
}

/// What was sent at a spot: a replay has other names than its plan.
pub(crate) fn value_sent(step: &Step, spot: &Spot, sent: &Value) -> Value {
    let sent = match spot {
        Spot::Body(pointer) => sent.pointer(pointer).cloned(),
        Spot::Parameter(_) => None,
    };
    sent.or_else(|| step.value_at(spot)).unwrap_or(Value::Null)
}

fn says_unique(description: &str) -> bool {
    const NOT: [&str; 5] = [
        "not unique",
        "not be unique",
        "non-unique",
        "n't unique",
        "n't be unique",
    ];
    let lower = description.to_lowercase();
    let denied = NOT.iter().any(|word| lower.contains(word));
    let said = || {
        lower
            .split_whitespace()
            .flat_map(stem_words)
            .any(|w| w == "uniqu")
    };
    lower.contains("unique") && !denied && said()
}

impl Builder<'_, '_> {
    /// Whether a spot refers to something that others make.
    fn refers(&self, index: OperationIndex, spot: &Spot) -> bool {
        let need = self.graph.need_at(index, &place_of(spot));
        need.is_some_and(|need| !self.graph.edges(index, need).is_empty())
    }

    /// Values of a step's body that may have to be unique, those that are called names first.
    fn candidates(&mut self, step: &Step) -> Vec<(Spot, String)> {
        let index = step.operation;
        let mut found = self.changeable(step);
        found.retain(|(spot, _)| step.bind_at(spot).is_none() && !self.refers(index, spot));
        found.sort_by_key(|(_, name)| !names_things(name));
        found.truncate(MOST_FIELDS);
        found
    }

    /// Values of a step's body that can be others.
    fn changeable(&mut self, step: &Step) -> Vec<(Spot, String)> {
        let maker = self.maker(Manner::Plausible);
        let slots = body_slots(&maker, step).unwrap_or_default().into_iter();
        let varies = |slot: &Slot| {
            let value = step.value_at(&Spot::Body(slot.pointer.clone()));
            value.is_some_and(|v| way_anew(&maker, &slot.name, slot.shape, &v).is_some())
        };
        slots
            .filter(varies)
            .map(|slot| (Spot::Body(slot.pointer), slot.name))
            .collect()
    }

    /// Puts another value in the place of one.
    fn make_another(&mut self, step: &mut Step, spot: &Spot, salt: u64) {
        let rules = self.known[step.operation.0 as usize].rules.get();
        let rules = rules.map(|rules| rules.at(spot)).unwrap_or_default();
        let mut maker = self.maker(Manner::Plausible);
        let Some((field, shape)) = declared(&maker, step, spot) else {
            return;
        };
        let old = step.value_at(spot);
        let new = old.and_then(|old| another(&mut maker, (&field, shape), &rules, &old, salt));
        if let (Some(new), Spot::Body(pointer), Some(body)) = (new, spot, &mut step.body) {
            body.gene.set(pointer, new, Source::Named);
        }
    }

    /// Makes everything new in a step that must be. What was just made up by its name is new
    /// already, unless `again` says that all of it was sent before.
    pub(crate) fn renew(&mut self, step: &mut Step, again: bool) {
        let known = self.known;
        let salt = self.rng.random();
        for key in &known[step.operation.0 as usize].unique {
            for spot in spots_of(step, &place_of(key)) {
                let fresh = step.gene_at(&spot).is_some_and(is_ours_alone);
                if again || !fresh {
                    self.make_another(step, &spot, salt);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(name: &str) -> Spot {
        Spot::Body(format!("/{name}"))
    }

    /// Asks until it is known what must differ; a service is a function of what differs.
    fn asked(fields: &[&str], accepts: impl Fn(&[Spot]) -> bool) -> (Vec<Spot>, usize) {
        let mut twice = Twice {
            fields: fields.iter().map(|name| spot(name)).collect(),
            ..Twice::default()
        };
        for pairs in 1..50 {
            match twice.clone().next(accepts(&twice.differing())) {
                Next::Pair(next) => twice = next,
                Next::Keys(keys) => return (keys, pairs),
            }
        }
        panic!("it never ends: {twice:?}");
    }

    const FIELDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    #[test]
    fn one_key_among_many_is_found_in_few_pairs() {
        for name in FIELDS {
            let (keys, pairs) = asked(&FIELDS, |differs| differs.contains(&spot(name)));
            assert_eq!(keys, [spot(name)]);
            assert!(pairs <= 8, "{name}: {pairs}");
        }
    }

    #[test]
    fn two_keys_that_must_both_differ_are_both_found() {
        let (keys, pairs) = asked(&FIELDS, |differs| {
            differs.contains(&spot("b")) && differs.contains(&spot("g"))
        });
        assert_eq!(keys, [spot("b"), spot("g")]);
        assert!(pairs <= 12, "{pairs}");
    }

    #[test]
    fn of_a_pair_that_is_unique_together_one_is_enough() {
        let (keys, _) = asked(&FIELDS, |differs| {
            differs.contains(&spot("b")) || differs.contains(&spot("g"))
        });
        assert_eq!(keys.len(), 1);
    }

    #[test]
    fn where_nothing_is_unique_or_all_is_refused_nothing_is_learned() {
        assert_eq!(asked(&FIELDS, |_| true), (vec![], 1));
        assert_eq!(asked(&FIELDS, |_| false), (vec![], 2));
        assert_eq!(asked(&[], |_| false), (vec![], 1));
    }

    #[test]
    fn documents_say_what_is_unique_and_what_is_not() {
        for text in [
            "Unique within a tenant.",
            "Uniquely names the shelf",
            "must be unique",
        ] {
            assert!(says_unique(text), "{text}");
        }
        for text in ["need not be unique", "Not unique.", "a unicorn", ""] {
            assert!(!says_unique(text), "{text}");
        }
    }
}
