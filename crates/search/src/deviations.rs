//! Recorded calls changed by one rule: a field more or less, null, another type, nothing at all.
//!
//! The rules are those by which the literature deviates from production queries. What stays valid
//! is sent as valid; what the document now forbids is sent as broken, so that an answer that takes
//! it is a finding.

use fossick_contract::{Kind, Location, Operation, ShapeId, escape_token};
use fossick_genes::{Gene, Manner, Source, breakages_of};
use fossick_plan::{Plan, Spot, Step};
use fossick_trace::Intent;
use fossick_validate::Direction;
use serde_json::{Value, json};

use crate::builder::Builder;
use crate::edges::{document_breaks, missing, parameter_breaks};
use crate::proposal::{Proposal, Rule, Way};
use crate::search::Search;
use crate::tasks::BreakCase;
use crate::ways::{break_step, kept_uses};

impl Search<'_> {
    /// The next deviation of the recorded calls that worked, one of each in turn.
    pub(crate) fn deviation(&mut self) -> Option<Proposal> {
        while let Some(seed) = self.traffic.as_mut()?.good.pop_front() {
            let Some((plan, uses)) = self.worked_before(seed) else {
                continue;
            };
            let Some((rule, step)) = self.next_deviation(seed, &plan) else {
                continue;
            };
            let mut plan = plan;
            let main = plan.main();
            let subject = step.operation;
            plan.steps[main] = step;
            self.traffic.as_mut()?.good.push_back(seed);
            if !self.is_wanted(&plan) || !self.may_send(&plan, false) {
                return None;
            }
            return Some(Proposal::new(
                plan,
                subject,
                Way::Deviation(rule),
                kept_uses(uses, usize::MAX),
            ));
        }
        None
    }

    /// A changed main step by the rule whose turn it is; none when all rules are used up.
    fn next_deviation(&mut self, seed: usize, plan: &Plan) -> Option<(Rule, Step)> {
        let step = plan.steps.get(plan.main())?.clone();
        for _ in Rule::ALL {
            let grown = self.traffic.as_mut()?.grown(seed)?;
            let turn = grown.turn % Rule::ALL.len();
            grown.turn += 1;
            let (rule, done) = (Rule::ALL[turn], grown.made[turn]);
            let mut builder = self.builder(Plan::default(), Vec::new());
            let mut all = builder.deviations(&step, rule);
            if done < all.len() {
                self.traffic.as_mut()?.grown(seed)?.made[turn] += 1;
                return Some((rule, all.swap_remove(done)));
            }
        }
        None
    }
}

impl Builder<'_, '_> {
    /// Every step that differs from one by a rule in a single place.
    pub(crate) fn deviations(&mut self, step: &Step, rule: Rule) -> Vec<Step> {
        let operation = self.api.operation(step.operation);
        match rule {
            Rule::Field => {
                let mut all = self.other_selections(step);
                all.extend(self.other_parameters(step, operation));
                all.extend(self.other_properties(step, operation));
                all
            }
            Rule::NotNull => broken(step, self.null_cases(step, operation)),
            Rule::Type => {
                let mut cases = Vec::new();
                for (at, parameter) in operation.parameters.iter().enumerate() {
                    if step.arguments[at].is_some() {
                        parameter_breaks(self, operation, at, parameter, &mut cases);
                    }
                }
                cases.retain(|case| case.constraint == "type" && case.value.is_some());
                cases.extend(self.type_cases(step, operation));
                broken(step, cases)
            }
            Rule::Empty if operation.graphql.is_some() => self.no_selection(step),
            Rule::Empty => self.empty_body(step, operation),
        }
    }

    fn other_selections(&mut self, step: &Step) -> Vec<Step> {
        let Some(selection) = step.ask.as_ref().and_then(|ask| ask.selection.as_ref()) else {
            return Vec::new();
        };
        let mut others = selection.thinner();
        others.extend(self.maker(Manner::Plausible).wider(selection));
        let asked = others.into_iter().map(|selection| {
            let mut step = step.clone();
            if let Some(ask) = &mut step.ask {
                ask.selection = Some(selection);
            }
            step
        });
        asked.collect()
    }

    fn other_parameters(&mut self, step: &Step, operation: &Operation) -> Vec<Step> {
        let mut all = Vec::new();
        for (at, parameter) in operation.parameters.iter().enumerate() {
            if parameter.required || parameter.location == Location::Path {
                continue;
            }
            let absent = step.arguments[at].is_none();
            let mut maker = self.maker(Manner::Plausible);
            let new = absent.then(|| maker.sample(&parameter.name, parameter.shape));
            let mut step = step.clone();
            step.put(at, new);
            all.push(step);
        }
        all
    }

    /// An optional property of the body, or an optional argument, more or less.
    fn other_properties(&mut self, step: &Step, operation: &Operation) -> Vec<Step> {
        let (Some(shape), Some(body)) = (body_shape(step, operation), &step.body) else {
            return Vec::new();
        };
        let Kind::Object(object) = &self.api.shape(shape).kind else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for property in object
            .properties
            .iter()
            .filter(|property| !property.required)
        {
            if self.api.shape(property.shape).read_only {
                continue;
            }
            let pointer = format!("/{}", escape_token(&property.name));
            let mut maker = self.maker(Manner::Plausible);
            let mut gene = body.gene.clone();
            if !gene.remove(&pointer) {
                let new = maker.sample(&property.name, property.shape);
                match maker.with_gene("body", shape, &gene, &pointer, new) {
                    Some(fuller) => gene = fuller,
                    None => continue,
                }
            }
            if maker.is_valid(&gene, shape) {
                all.push(with_body(step, gene));
            }
        }
        all
    }

    /// Null at each place of the recorded body that may not have it.
    fn null_cases(&mut self, step: &Step, operation: &Operation) -> Vec<BreakCase> {
        let (Some(shape), Some(body)) = (body_shape(step, operation), &step.body) else {
            return Vec::new();
        };
        let whole = body.gene.value();
        let mut cases = Vec::new();
        for pointer in places(&whole) {
            let mut value = whole.clone();
            match value.pointer_mut(&pointer) {
                Some(place) if !place.is_null() => *place = Value::Null,
                _ => continue,
            }
            if !self.validators.is_valid(Direction::Request, shape, &value) {
                cases.push(BreakCase {
                    place: Spot::Body(pointer.clone()).describe(operation),
                    spot: Spot::Body(String::new()),
                    pointer,
                    value: Some(value),
                    constraint: "type".to_owned(),
                    detail: "null is not allowed there".to_owned(),
                    fault: None,
                });
            }
        }
        cases
    }

    /// Values of another type at each place of the recorded body.
    fn type_cases(&mut self, step: &Step, operation: &Operation) -> Vec<BreakCase> {
        let (Some(shape), Some(body)) = (body_shape(step, operation), &step.body) else {
            return Vec::new();
        };
        let mut found = breakages_of(
            &mut self.maker(Manner::Plausible),
            "body",
            shape,
            &body.gene,
        );
        found.retain(|b| b.constraint == "type" && !is_null_at(&b.value, &b.pointer));
        found.retain(|b| operation.graphql.is_none() || !b.pointer.is_empty());
        let case = |b: fossick_genes::Breakage| BreakCase {
            place: Spot::Body(b.pointer.clone()).describe(operation),
            spot: Spot::Body(String::new()),
            pointer: b.pointer,
            value: Some(b.value),
            constraint: b.constraint,
            detail: b.detail,
            fault: None,
        };
        found.into_iter().map(case).collect()
    }

    /// The operation without what it wants to have of a thing, at the root or below.
    fn no_selection(&self, step: &Step) -> Vec<Step> {
        let operation = self.api.operation(step.operation);
        let Some(root) = &operation.graphql else {
            return Vec::new();
        };
        let Some(selection) = step.ask.as_ref().and_then(|ask| ask.selection.as_ref()) else {
            return Vec::new();
        };
        let cases = document_breaks(self.api, root).into_iter();
        let mut all = broken(step, cases.filter(|case| case.constraint == "selection"));
        let hollow = selection.hollow().into_iter().map(|hollow| {
            let mut step = step.clone();
            if let Some(ask) = &mut step.ask {
                ask.selection = Some(hollow);
            }
            step.intent = Intent::Broken {
                place: "the operation".to_owned(),
                constraint: "selection".to_owned(),
                detail: "says nothing of what it wants of an object below".to_owned(),
            };
            step
        });
        all.extend(hollow);
        all
    }

    /// The body left out, and every object in it empty.
    fn empty_body(&mut self, step: &Step, operation: &Operation) -> Vec<Step> {
        let (Some(shape), Some(body)) = (body_shape(step, operation), &step.body) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        if operation.body.as_ref().is_some_and(|body| body.required) {
            let whole = Spot::Body(String::new());
            all.extend(broken(step, [missing(whole, "body".to_owned(), "body")]));
        }
        let whole = body.gene.value();
        for pointer in objects(&whole) {
            let mut value = whole.clone();
            if let Some(object) = value.pointer_mut(&pointer) {
                *object = json!({});
            }
            let mut maker = self.maker(Manner::Plausible);
            let gene = maker.adopt(&value, shape, Source::Harvested);
            if maker.is_valid(&gene, shape) {
                all.push(with_body(step, gene));
            } else {
                all.extend(broken(step, [emptied(operation, pointer, value)]));
            }
        }
        all
    }
}

fn emptied(operation: &Operation, pointer: String, value: Value) -> BreakCase {
    BreakCase {
        place: Spot::Body(pointer.clone()).describe(operation),
        spot: Spot::Body(String::new()),
        pointer,
        value: Some(value),
        constraint: "required".to_owned(),
        detail: "the object is empty".to_owned(),
        fault: None,
    }
}

fn is_null_at(value: &Value, pointer: &str) -> bool {
    value.pointer(pointer).is_some_and(Value::is_null)
}

fn broken(step: &Step, cases: impl IntoIterator<Item = BreakCase>) -> Vec<Step> {
    let changed = cases.into_iter().map(|case| {
        let mut step = step.clone();
        break_step(&mut step, &case);
        step
    });
    changed.collect()
}

/// The step with another body; links stay where it still has their places.
fn with_body(step: &Step, gene: Gene) -> Step {
    let mut step = step.clone();
    let value = gene.value();
    step.binds.retain(|bind| match &bind.spot {
        Spot::Body(pointer) => value.pointer(pointer).is_some(),
        Spot::Parameter(_) => true,
    });
    if let Some(body) = &mut step.body {
        body.gene = gene;
    }
    step
}

fn body_shape(step: &Step, operation: &Operation) -> Option<ShapeId> {
    let content = step.body.as_ref()?.content;
    operation.body.as_ref()?.contents.get(content)?.shape
}

/// Where objects with something in them stand, the outermost first.
fn objects(value: &Value) -> Vec<String> {
    const MOST: usize = 20;
    let full = |pointer: &String| {
        let object = value.pointer(pointer).and_then(Value::as_object);
        object.is_some_and(|map| !map.is_empty())
    };
    let inside = places(value).into_iter();
    let all = std::iter::once(String::new()).chain(inside);
    all.filter(full).take(MOST).collect()
}

/// The members of a value and theirs; the first item stands for all of a list.
fn places(value: &Value) -> Vec<String> {
    const MOST: usize = 200;
    let mut found = Vec::new();
    let mut waiting = std::collections::VecDeque::from([(String::new(), value)]);
    while let Some((pointer, value)) = waiting.pop_front() {
        if found.len() >= MOST {
            break;
        }
        let below = |token: &str| format!("{pointer}/{}", escape_token(token));
        match value {
            Value::Object(map) => {
                waiting.extend(map.iter().map(|(name, inner)| (below(name), inner)));
            }
            Value::Array(items) => waiting.extend(items.first().map(|item| (below("0"), item))),
            _ => {}
        }
        if !pointer.is_empty() {
            found.push(pointer);
        }
    }
    found
}
