//! Simpler plans that may still show a fault.

use std::collections::BTreeSet;
use std::sync::Arc;

use fossick_contract::{Api, Kind, Location, OperationIndex};
use fossick_genes::{Gene, Maker, Manner, Rng, Source, Values};
use fossick_plan::{Ask, Plan, Spot, Step, field_path, render};
use fossick_trace::{Intent, Role, Script, Take, Telling};
use fossick_validate::Validators;
use rand::SeedableRng as _;
use serde_json::Value;

use crate::fresh::{Name, names_of};

/// Proposes simplifications of a plan; whoever asks decides which still show the fault.
pub struct Shrinker<'a> {
    api: &'a Api,
    validators: &'a Validators,
    values: Values,
    rng: Rng,
    /// Where calls hold values that the service wants to be unique, by operation.
    unique: Vec<BTreeSet<Spot>>,
}

impl<'a> Shrinker<'a> {
    pub fn new(api: &'a Api, validators: &'a Validators, seed: u64) -> Self {
        Self {
            api,
            validators,
            values: Values::new(),
            rng: Rng::seed_from_u64(seed),
            unique: Vec::new(),
        }
    }

    /// From now on values that must be unique stay as they are: a short one has few others.
    pub fn spare(&mut self, unique: Vec<BTreeSet<Spot>>) {
        self.unique = unique;
    }

    /// Candidates, the boldest first. `shows` is the step that shows the fault.
    pub fn simpler(&mut self, plan: &Plan, shows: usize) -> Vec<(Plan, usize)> {
        let mut candidates = self.shorter(plan, shows);
        candidates.extend(self.plainer(plan, shows));
        candidates
    }

    /// Candidates that leave something out.
    pub fn shorter(&self, plan: &Plan, shows: usize) -> Vec<(Plan, usize)> {
        let mut candidates = Vec::new();
        drop_steps(plan, shows, &mut candidates);
        for at in (0..plan.steps.len()).rev() {
            self.drop_tellings(plan, at, &mut candidates, shows);
            self.drop_values(plan, at, &mut candidates, shows);
        }
        candidates
    }

    /// Candidates with plainer values; dear to make, so asked for when nothing more can go.
    pub fn plainer(&mut self, plan: &Plan, shows: usize) -> Vec<(Plan, usize)> {
        let mut candidates = Vec::new();
        self.simplify_values(plan, shows, &mut candidates);
        candidates
    }

    /// The same calls without what the fault is blamed on, and with something else in its place:
    /// where one of these fails as well, the blame is wrong.
    pub fn controls(&mut self, plan: &Plan, shows: usize) -> Vec<Plan> {
        let step = &plan.steps[shows];
        let Some(spot) = self.blamed(step) else {
            return Vec::new();
        };
        let mut controls = Vec::new();
        let mut control = |changed: Option<Step>| {
            if let Some(step) = changed {
                let mut plan = plan.clone();
                plan.steps[shows] = Step {
                    intent: Intent::Valid,
                    ..step
                };
                controls.push(plan);
            }
        };
        control(self.without(step, &spot));
        control(self.with_another(step, &spot));
        controls
    }

    /// The spot that a step's intent speaks of, where it is one telling value.
    fn blamed(&self, step: &Step) -> Option<Spot> {
        let tellings = step.intent.tellings();
        let [Telling { place, .. }] = tellings.as_slice() else {
            return None;
        };
        let operation = self.api.operation(step.operation);
        let parameters = (0..operation.parameters.len()).map(Spot::Parameter);
        let leaves = step.body.iter().flat_map(|body| body.gene.leaves());
        let fields = leaves.map(|leaf| Spot::Body(leaf.pointer));
        let mut spots = parameters.chain(fields);
        spots.find(|spot| spot.describe(operation) == *place)
    }

    fn without(&self, step: &Step, spot: &Spot) -> Option<Step> {
        let mut step = step.clone();
        match spot {
            Spot::Parameter(at) => {
                let parameter = &self.api.operation(step.operation).parameters[*at];
                let may_go = !parameter.required && parameter.location != Location::Path;
                step.put(*at, None);
                may_go.then_some(step)
            }
            Spot::Body(pointer) => {
                let may_go = self.optional_fields(&step).contains(pointer);
                let gone = may_go && step.body.as_mut()?.gene.remove(pointer);
                gone.then_some(step)
            }
        }
    }

    fn with_another(&mut self, step: &Step, spot: &Spot) -> Option<Step> {
        let mut changed = step.clone();
        let operation = self.api.operation(step.operation);
        match spot {
            Spot::Parameter(at) => {
                let parameter = &operation.parameters[*at];
                let gene = self.maker().sample(&parameter.name, parameter.shape);
                changed.put(*at, Some(gene));
            }
            Spot::Body(pointer) => {
                let shape = self.body_shape(step)?;
                let slots = self.maker().slots(shape);
                let slot = slots.into_iter().find(|slot| slot.pointer == *pointer)?;
                let value = self.maker().sample(&slot.name, slot.shape).value();
                let body = changed.body.as_mut()?;
                body.gene.set(pointer, value, Source::Named);
            }
        }
        (changed.value_at(spot) != step.value_at(spot)).then_some(changed)
    }

    /// Without one of several telling values, or without that of another call than the one that
    /// shows the fault: perhaps the rest is enough.
    fn drop_tellings(&self, plan: &Plan, at: usize, out: &mut Vec<(Plan, usize)>, shows: usize) {
        let step = &plan.steps[at];
        // A fault that one value provokes bears the name of its place.
        if at == shows && matches!(step.intent, Intent::Edge { .. }) {
            return;
        }
        let tellings = step.intent.tellings();
        for (which, telling) in tellings.iter().enumerate() {
            let Some(mut plainer) = self.without_telling(step, &telling.place) else {
                continue;
            };
            let mut rest = tellings.clone();
            rest.remove(which);
            plainer.intent = if rest.is_empty() {
                Intent::Valid
            } else {
                Intent::Edges(rest)
            };
            let mut shorter = plan.clone();
            shorter.steps[at] = plainer;
            out.push((shorter, shows));
        }
    }

    /// A step with nothing at a place, or with a plain value where something must be.
    fn without_telling(&self, step: &Step, place: &str) -> Option<Step> {
        let mut rng = self.rng.clone();
        let mut maker = Maker {
            api: self.api,
            validators: self.validators,
            values: &self.values,
            rng: &mut rng,
            manner: Manner::Plausible,
        };
        let operation = self.api.operation(step.operation);
        let mut plainer = step.clone();
        let called = |spot: &Spot| spot.describe(operation) == place;
        let parameters = operation.parameters.iter().enumerate();
        if let Some((at, parameter)) = { parameters }.find(|(at, _)| called(&Spot::Parameter(*at)))
        {
            let gene = parameter
                .required
                .then(|| maker.sample(&parameter.name, parameter.shape));
            plainer.put(at, gene);
            return Some(plainer);
        }
        let shape = self.body_shape(step)?;
        let mut slots = maker.slots(shape).into_iter();
        let slot = slots.find(|slot| called(&Spot::Body(slot.pointer.clone())))?;
        let body = plainer.body.as_mut()?;
        let full = body.gene.clone();
        if !body.gene.remove(&slot.pointer) || !maker.is_valid(&body.gene, shape) {
            let plain = maker.sample(&slot.name, slot.shape);
            body.gene = maker.with_gene("body", shape, &full, &slot.pointer, plain)?;
        }
        Some(plainer)
    }

    /// Leaves out one optional parameter or body field at a time.
    fn drop_values(&self, plan: &Plan, at: usize, out: &mut Vec<(Plan, usize)>, shows: usize) {
        let step = &plan.steps[at];
        let operation = self.api.operation(step.operation);
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let there =
                step.arguments[index].is_some() || step.bind_at(&Spot::Parameter(index)).is_some();
            if there
                && !parameter.required
                && parameter.location != Location::Path
                && !is_about(self.api, step, &Spot::Parameter(index))
            {
                let mut shorter = plan.clone();
                shorter.steps[at].put(index, None);
                out.push((shorter, shows));
            }
        }
        self.ask_for_less(plan, at, out, shows);
        for pointer in self.optional_fields(step) {
            if is_about(self.api, step, &Spot::Body(pointer.clone())) {
                continue;
            }
            let mut shorter = plan.clone();
            let target = &mut shorter.steps[at];
            if target
                .body
                .as_mut()
                .is_some_and(|body| body.gene.remove(&pointer))
            {
                target.settle_binds();
                out.push((shorter, shows));
            }
        }
    }

    /// Asks for less: without what stands beside, then with smaller selections.
    fn ask_for_less(&self, plan: &Plan, at: usize, out: &mut Vec<(Plan, usize)>, shows: usize) {
        const MOST: usize = 24;
        let Some(ask) = &plan.steps[at].ask else {
            return;
        };
        let mut asks: Vec<Ask> = Vec::new();
        if !ask.beside.is_empty() {
            asks.push(Ask {
                beside: Vec::new(),
                ..ask.clone()
            });
        }
        let smaller = ask.selection.iter();
        let smaller = smaller.flat_map(|selection| selection.simpler(&self.api.types));
        asks.extend(smaller.take(MOST).map(|selection| Ask {
            selection: Some(selection),
            ..ask.clone()
        }));
        for ask in asks {
            let mut shorter = plan.clone();
            shorter.steps[at].ask = Some(ask);
            if still_gives(&shorter, self.api, at) {
                out.push((shorter, shows));
            }
        }
    }

    fn optional_fields(&self, step: &Step) -> Vec<String> {
        let Some(shape) = self.body_shape(step) else {
            return Vec::new();
        };
        let Kind::Object(object) = &self.api.shape(shape).kind else {
            return Vec::new();
        };
        object
            .properties
            .iter()
            .filter(|p| !p.required)
            .map(|p| format!("/{}", fossick_contract::escape_token(&p.name)))
            .collect()
    }

    fn body_shape(&self, step: &Step) -> Option<fossick_contract::ShapeId> {
        let body = step.body.as_ref()?;
        let operation = self.api.operation(step.operation);
        operation.body.as_ref()?.contents.get(body.content)?.shape
    }

    /// Simpler values in calls that carry plain valid data.
    fn simplify_values(&mut self, plan: &Plan, shows: usize, out: &mut Vec<(Plan, usize)>) {
        const MOST: usize = 12;
        let names = self.names_in(plan);
        for at in (0..plan.steps.len()).rev() {
            let step = &plan.steps[at];
            if !matches!(step.intent, Intent::Valid) || step.role == Role::Cleanup {
                continue;
            }
            let (Some(shape), Some(body)) = (self.body_shape(step), &step.body) else {
                continue;
            };
            let gene = body.gene.clone();
            let whole = gene.value();
            let simpler = self.maker().simpler(&gene, "body", shape);
            for mut gene in simpler.into_iter().take(MOST) {
                keep_names(&names, at, &whole, &mut gene);
                let mut candidate = plan.clone();
                if let Some(body) = &mut candidate.steps[at].body {
                    body.gene = gene;
                }
                candidate.steps[at].settle_binds();
                if candidate != *plan {
                    out.push((candidate, shows));
                }
            }
        }
    }

    /// A script that can be run again and again: its names are marked as such.
    pub fn repeatable(&self, labels: &[Arc<str>], plan: &Plan) -> Script {
        let mut rng = self.rng.clone();
        let maker = Maker {
            api: self.api,
            validators: self.validators,
            values: &self.values,
            rng: &mut rng,
            manner: Manner::Plausible,
        };
        let keys = |index: OperationIndex| self.unique.get(index.0 as usize);
        let names = names_of(self.api, &maker, plan, &keys);
        let uniques = names.iter().filter_map(|name| name.unique(plan, &maker));
        Script {
            names: uniques.collect(),
            ..render(self.api, labels, plan)
        }
    }

    fn names_in(&mut self, plan: &Plan) -> Vec<Name> {
        let unique = self.unique.clone();
        let keys = |index: OperationIndex| unique.get(index.0 as usize);
        names_of(self.api, &self.maker(), plan, &keys)
    }

    fn maker(&mut self) -> Maker<'_> {
        Maker {
            api: self.api,
            validators: self.validators,
            values: &self.values,
            rng: &mut self.rng,
            manner: Manner::Plausible,
        }
    }
}

/// Whether a step still asks for everything that later ones take from its answer.
fn still_gives(plan: &Plan, api: &Api, at: usize) -> bool {
    let Some(selection) = plan.steps[at]
        .ask
        .as_ref()
        .and_then(|a| a.selection.as_ref())
    else {
        return true;
    };
    let binds = plan.steps.iter().flat_map(|step| &step.binds);
    let taken = binds.filter(|bind| bind.step == at);
    taken
        .filter_map(|bind| match &bind.take {
            Take::Pointer(pointer) => Some(field_path(pointer)),
            _ => None,
        })
        .all(|path| selection.asks_for(&api.types, &path))
}

/// A name that was shortened could not be made anew at the next replay.
fn keep_names(names: &[Name], step: usize, whole: &Value, gene: &mut Gene) {
    for pointer in names.iter().flat_map(|name| name.body_places(step)) {
        if let Some(value) = whole
            .pointer(pointer)
            .filter(|_| gene.at(pointer).is_some())
        {
            gene.set(pointer, value.clone(), Source::Named);
        }
    }
}

/// Without what follows, and without each step that nobody needs.
fn drop_steps(plan: &Plan, shows: usize, out: &mut Vec<(Plan, usize)>) {
    if shows + 1 < plan.steps.len() {
        out.push((
            Plan {
                steps: plan.steps[..=shows].to_vec(),
            },
            shows,
        ));
    }
    for at in (0..plan.steps.len()).filter(|&at| at != shows) {
        if let Some(shorter) = plan.without(at) {
            out.push((shorter, if at < shows { shows - 1 } else { shows }));
        }
    }
}

/// Whether a step's intent speaks of this very spot: then it must stay as it is.
fn is_about(api: &Api, step: &Step, spot: &Spot) -> bool {
    let tellings = step.intent.tellings();
    let told = tellings.iter().map(|telling| telling.place.as_str());
    let mut places = step.intent.place().into_iter().chain(told);
    let name = spot.describe(api.operation(step.operation));
    // A fault in the body as a whole, or in a field below or above this one.
    places.any(|place| place == name || place.starts_with(&format!("{name}/")))
        || (matches!(spot, Spot::Body(_)) && matches!(step.intent, Intent::Broken { .. }))
}
