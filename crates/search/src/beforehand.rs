//! Telling values in what is made beforehand.
//!
//! A service may take a value gladly and stumble over it later: where it is listed, or where
//! another operation works on the thing that has it. So an operation that works is called again
//! after something was made with one telling value.

use fossick_contract::{Api, Deed, OperationIndex};
use fossick_genes::{Gene, Manner, Source};
use fossick_plan::{Plan, Spot, Step};
use fossick_trace::Role;
use serde_json::Value;

use crate::builder::Builder;
use crate::edges::{EDGES_HELD, Row, body_rows, can_travel, edge_value, interleave};
use crate::pages::page;
use crate::proposal::{Proposal, Use, Way};
use crate::search::Search;
use crate::tasks::{EdgeCase, EdgeValue};

/// Cases of one operation.
const MOST: usize = 60;

/// Something that is made with a telling value before a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MadeCase {
    maker: OperationIndex,
    value: EdgeValue,
}

impl Search<'_> {
    /// A known good call after something was made with a telling value.
    pub(crate) fn beforehand(&mut self, index: OperationIndex) -> Option<Proposal> {
        let MadeCase { maker, value } = self.next_made(index)?;
        let (plan, uses) = self.base(index)?;
        let (mut plan, at) = self.with_creation(plan, uses, maker)?;
        let old = plan.steps[at].value_at(&value.spot);
        let mut made = plan.steps[at].clone();
        self.set_edge(maker, &mut made, &EdgeCase::one(value.clone()))?;
        plan.steps[at] = made;
        if let (Some(old), Some(new)) = (&old, &value.value) {
            carry(self.api, &mut plan, at, old, new)?;
        }
        let main = plan.main();
        let mut builder = self.builder(plan, Vec::new());
        builder.ask_for(main, &value.spot);
        Some(Proposal::new(
            builder.plan,
            index,
            Way::Beforehand,
            Vec::new(),
        ))
    }

    /// The plan with a creation before its main call, and where that stands.
    fn with_creation(
        &mut self,
        mut plan: Plan,
        uses: Vec<Use>,
        maker: OperationIndex,
    ) -> Option<(Plan, usize)> {
        let made = |step: &Step| step.operation == maker && step.role == Role::Setup;
        if let Some(at) = plan.steps.iter().position(made) {
            return Some((plan, at));
        }
        let main = plan.steps.pop()?;
        let mut builder = self.builder(plan, uses);
        let at = builder.call(maker, Role::Setup, Manner::Plausible)?;
        builder.plan.steps.push(main);
        Some((builder.plan, at))
    }

    fn next_made(&mut self, index: OperationIndex) -> Option<MadeCase> {
        let at = index.0 as usize;
        if self.known[at].made.are_used_up() {
            let size = page(EDGES_HELD, self.known.len());
            let all = self.made_cases(index);
            self.known[at].made.turn(all, size);
        }
        self.known[at].made.next()
    }

    fn made_cases(&mut self, index: OperationIndex) -> Vec<MadeCase> {
        let makers = self.makers_before(index);
        let mut builder = self.builder(Plan::default(), Vec::new());
        let mut by_maker = Vec::new();
        for (maker, step) in makers {
            let rows = body_rows(&mut builder, maker, &step);
            let rows = rows.iter().map(|row| telling(builder.api, maker, row));
            by_maker.push(interleave(rows.collect()));
        }
        let mut all = interleave(by_maker);
        all.truncate(MOST);
        all
    }

    /// Creations before a call, with their steps: those of its set-up, and those of what it lists.
    fn makers_before(&self, index: OperationIndex) -> Vec<(OperationIndex, Step)> {
        let Some((base, _)) = &self.known[index.0 as usize].base else {
            return Vec::new();
        };
        let set_up = base.steps[..base.main()].iter().cloned();
        let lists = self.api.operation(index).deed() == Deed::Read;
        let listed = self
            .api
            .indexed()
            .filter(|(other, _)| lists && *other != index && self.lister(*other) == Some(index));
        let listed = listed.filter_map(|(other, _)| {
            let (plan, _) = self.known[other.0 as usize].base.as_ref()?;
            Some(plan.steps[plan.main()].clone())
        });
        let mut found: Vec<(OperationIndex, Step)> = Vec::new();
        for step in set_up.chain(listed) {
            let known = found.iter().any(|(maker, _)| *maker == step.operation);
            if !known && self.is_worth_varying(index, &step) {
                found.push((step.operation, step));
            }
        }
        found
    }

    fn is_worth_varying(&self, index: OperationIndex, step: &Step) -> bool {
        let maker = self.api.operation(step.operation);
        // Whoever reads back what was made does so after every telling value anyway.
        let reads_back = maker.graphql.is_none()
            && self.graph.first_reader(self.api, step.operation) == Some(index);
        let known = &self.known[step.operation.0 as usize];
        maker.deed() == Deed::Create
            && step.body.is_some()
            && !reads_back
            && !known.waits_for_the_end()
    }
}

/// The values of a place that are not what everybody sends.
fn telling(api: &Api, maker: OperationIndex, row: &Row) -> Vec<MadeCase> {
    let marks = row.marks.iter();
    marks
        .filter(|mark| !matches!(mark.source, Source::Named | Source::Random))
        .map(|mark| MadeCase {
            maker,
            value: edge_value(api, row, mark),
        })
        .collect()
}

/// Where later calls go by what the caller chose, they go by the new value. None if it can't
/// stand there.
fn carry(api: &Api, plan: &mut Plan, at: usize, old: &Value, new: &Value) -> Option<()> {
    for step in plan.steps.iter_mut().skip(at + 1) {
        for spot in same_spots(step, old) {
            if let Spot::Parameter(at) = &spot {
                let parameter = api.operation(step.operation).parameters.get(*at)?;
                can_travel(parameter, new).then_some(())?;
            }
            step.fill(&spot, Gene::literal(new.clone(), Source::Fixed));
        }
    }
    Some(())
}

/// Spots that hold a copy of a value, and not the same one by chance.
fn same_spots(step: &Step, value: &Value) -> Vec<Spot> {
    let is_name = matches!(value, Value::String(text) if text.len() > 2);
    let copied = |source: Option<Source>| match source {
        Some(Source::Fixed) => true,
        Some(Source::Named | Source::Random) => is_name,
        _ => false,
    };
    let arguments = step.arguments.iter().enumerate();
    let arguments = arguments.filter_map(|(at, gene)| {
        let gene = gene.as_ref()?;
        let same = copied(gene.source()) && gene.value() == *value;
        same.then_some(Spot::Parameter(at))
    });
    let mut spots: Vec<Spot> = arguments.collect();
    let Some(body) = &step.body else {
        return spots;
    };
    let whole = body.gene.value();
    let leaves = body.gene.leaves().into_iter();
    let same = leaves
        .filter(|leaf| copied(Some(leaf.source)) && whole.pointer(&leaf.pointer) == Some(value));
    spots.extend(same.map(|leaf| Spot::Body(leaf.pointer)));
    spots
}

impl Builder<'_, '_> {
    /// Makes sure that a GraphQL step asks for the field that an argument of another one fills.
    pub(crate) fn ask_for(&mut self, at: usize, spot: &Spot) {
        let api = self.api;
        let root = |step: &Step| api.operation(step.operation).graphql.as_deref();
        let (Some(mut step), Spot::Body(pointer)) = (self.plan.steps.get(at).cloned(), spot) else {
            return;
        };
        let mut names = pointer
            .rsplit('/')
            .filter(|part| part.parse::<usize>().is_err());
        let (Some(root), Some(name)) = (root(&step), names.next()) else {
            return;
        };
        let path: Vec<&str> = root.way.iter().map(|part| &**part).chain([name]).collect();
        let selection = step.ask.as_mut().and_then(|ask| ask.selection.as_mut());
        if let Some(selection) = selection
            && selection.require(&mut self.maker(Manner::Plausible), &path)
        {
            self.plan.steps[at] = step;
        }
    }
}
