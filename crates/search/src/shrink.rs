//! Simpler plans that may still show a fault.

use fossick_contract::{Api, Kind, Location};
use fossick_genes::{Gene, Maker, Manner, Rng, Source, Values};
use fossick_plan::{Ask, Plan, Spot, Step, field_path};
use fossick_trace::{Intent, Role, Take};
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
}

impl<'a> Shrinker<'a> {
    pub fn new(api: &'a Api, validators: &'a Validators, seed: u64) -> Self {
        Self {
            api,
            validators,
            values: Values::new(),
            rng: Rng::seed_from_u64(seed),
        }
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
            target
                .binds
                .retain(|b| !matches!(&b.spot, Spot::Body(p) if p.starts_with(&pointer)));
            if target
                .body
                .as_mut()
                .is_some_and(|body| body.gene.remove(&pointer))
            {
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
        let names = names_of(self.api, plan);
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
                if candidate != *plan {
                    out.push((candidate, shows));
                }
            }
        }
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
    let Some(place) = step.intent.place() else {
        return false;
    };
    let name = spot.describe(api.operation(step.operation));
    // A fault in the body as a whole, or in a field below or above this one.
    place == name
        || place.starts_with(&format!("{name}/"))
        || (matches!(spot, Spot::Body(_)) && matches!(step.intent, Intent::Broken { .. }))
}
