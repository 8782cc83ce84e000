//! A refused value among other values: a rule between fields shows when the company changes.
//!
//! A service may refuse a value for what stands beside it. Before anybody says that it refuses what
//! its document promises, the value is sent again with everything else large, and with everything
//! else small or left out.

use fossick_contract::{Bound, Kind, Measure, Moment, OperationIndex, Rule};
use fossick_genes::Manner;
use fossick_plan::{Plan, Spot, Step, keys, spot_of};

use crate::builder::Builder;
use crate::search::Search;
use crate::tasks::EdgeCase;
use crate::ways::fill_body;

/// Which way the other values go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Others {
    Large,
    Small,
}

impl Search<'_> {
    /// Calls with the value of a case in other company; none where it has none.
    pub(crate) fn in_other_company(
        &mut self,
        index: OperationIndex,
        known: &Step,
        case: &EdgeCase,
    ) -> Vec<Step> {
        let mut found: Vec<Step> = Vec::new();
        // Two values together are a rule between fields already.
        let [value] = case.values.as_slice() else {
            return found;
        };
        let mut plain = known.clone();
        if self.set_edge(index, &mut plain, case).is_none() {
            return found;
        }
        for others in [Others::Large, Others::Small] {
            let mut builder = self.builder(Plan::default(), Vec::new());
            let mut step = builder.with_others(known, &value.spot, others);
            let set = self.set_edge(index, &mut step, case);
            if set.is_some() && step != plain && !found.contains(&step) {
                found.push(step);
            }
        }
        found
    }
}

impl Builder<'_, '_> {
    fn with_others(&mut self, known: &Step, spot: &Spot, others: Others) -> Step {
        let mut step = known.clone();
        if others == Others::Large {
            step = self.filled(step);
        }
        let fixed = self.fixed(known);
        let all = self.known;
        let book = all[known.operation.0 as usize]
            .rulebook(&self.maker(Manner::Plausible), known.operation);
        for place in book.places().filter(|place| place.spot != *spot) {
            let keeps = fixed.contains(&place.spot);
            if keeps && known.gene_at(&place.spot).is_some() {
                step.copy(known, &place.spot, &place.spot);
                continue;
            }
            let may_go = !place.required && (keeps || others == Others::Small);
            let gone = may_go && leave_out(&mut step, &place.spot);
            if !gone && step.gene_at(&place.spot).is_some() {
                let mut rules = book.at(&place.spot);
                rules.extend(extreme(&self.api.shape(place.shape).kind, others));
                let mut maker = self.maker(Manner::Plausible);
                let drawn = maker.sample_within(&place.name, place.shape, &rules);
                if let Some(gene) = drawn {
                    step.fill(&place.spot, gene);
                }
            }
        }
        step
    }

    /// The step with every optional field of its body.
    fn filled(&mut self, step: Step) -> Step {
        let plan = Plan {
            steps: vec![step.clone()],
        };
        let before = std::mem::replace(&mut self.plan, plan);
        fill_body(self);
        let filled = std::mem::replace(&mut self.plan, before);
        filled.steps.into_iter().next().unwrap_or(step)
    }

    /// Spots that name things: those stay, or the call would be about something else.
    fn fixed(&self, step: &Step) -> Vec<Spot> {
        let index = step.operation;
        let needs = self.graph.needs(index).iter();
        let mut fixed = keys(self.api.operation(index));
        fixed.extend(needs.map(|need| spot_of(&need.place)));
        fixed.extend(step.binds.iter().map(|bind| bind.spot.clone()));
        fixed
    }
}

/// Takes an optional field of the uppermost level away; false where there is none.
fn leave_out(step: &mut Step, spot: &Spot) -> bool {
    match spot {
        Spot::Parameter(at) => {
            let there = step.arguments.get(*at).is_some_and(Option::is_some);
            step.put(*at, None);
            there
        }
        Spot::Body(pointer) => {
            let outer = pointer.matches('/').count() == 1;
            let body = step.body.as_mut().filter(|_| outer);
            body.is_some_and(|body| body.gene.remove(pointer))
        }
    }
}

/// A rule that only large, or only small values keep.
fn extreme(kind: &Kind, others: Others) -> Option<Rule> {
    const LARGE: f64 = 100_000.0;
    const SMALL: f64 = 1.0;
    let bound = |side: fn(f64, Measure) -> Bound, value| Rule::Bound(side(value, Measure::Own));
    match (kind, others) {
        (Kind::Integer(number) | Kind::Number(number), Others::Large) => {
            let most = number.maximum.unwrap_or(LARGE);
            Some(bound(Bound::least, most))
        }
        (Kind::Integer(number) | Kind::Number(number), Others::Small) => {
            let least = number.minimum.unwrap_or(SMALL);
            Some(bound(Bound::most, least))
        }
        (Kind::String(text), _) => {
            let dated = matches!(text.format.as_deref(), Some("date" | "date-time"));
            dated.then_some(Rule::Moment(match others {
                Others::Large => Moment::Future,
                Others::Small => Moment::Past,
            }))
        }
        _ => None,
    }
}
