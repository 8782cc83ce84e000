//! Changing values: every gene of a test with its rate, and one for sure.
//!
//! What an earlier answer or step says stays said; steps that share a value change together.

use fossick_contract::{Kind, Location, Operation, Property};
use fossick_genes::{Field, Gene, Manner};
use fossick_plan::{Bind, BodyValue, Spot, field_path};
use fossick_trace::Take;

use crate::caller::forms;
use crate::dice;
use crate::impact::rates;
use crate::individual::GenePlace;
use crate::places::{Bound, Node, Visit, Walk, below};
use crate::sequence::Sequence;
use crate::workshop::Workshop;

/// A place of a test that can change.
#[derive(Debug, Clone, Copy)]
struct Place {
    step: usize,
    part: Part,
    key: u64,
    /// How many genes it is.
    size: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Argument(usize),
    /// An optional body, there or not.
    HasBody,
    /// The n-th place of the walk through the body.
    Body(usize),
    Selection,
    /// Whose call it is.
    Caller,
    /// The media type of the body.
    Form,
}

const BODY: u64 = 0x00b0_d900;
const SELECTION: u64 = 0x005e_1ec7;
const CALLER: u64 = 0x00ca_11e7;
const FORM: u64 = 0x00f0_0002;
const TRIES: usize = 6;

impl Workshop<'_> {
    /// The same test with other values, and where they changed; none if nothing can.
    pub(crate) fn change_values(
        &mut self,
        sequence: &Sequence,
    ) -> Option<(Sequence, Vec<GenePlace>)> {
        for _ in 0..TRIES {
            let mut changed = sequence.clone();
            let places = self.places(&mut changed);
            let chosen = self.choose(&changed, &places)?;
            self.apply(&mut changed, &places, &chosen);
            changed.settle();
            if changed.plan != sequence.plan {
                let key = |at: &usize| {
                    let place = &places[*at];
                    (sequence.plan.steps[place.step].operation, place.key)
                };
                return Some((changed, chosen.iter().map(key).collect()));
            }
        }
        None
    }

    fn places(&self, sequence: &mut Sequence) -> Vec<Place> {
        let mut places = Vec::new();
        for step in 0..sequence.len() {
            self.argument_places(sequence, step, &mut places);
            self.body_places(sequence, step, &mut places);
            self.outer_places(sequence, step, &mut places);
            let ask = sequence.plan.steps[step].ask.as_ref();
            if let Some(selection) = ask.and_then(|ask| ask.selection.as_ref()) {
                places.push(Place {
                    step,
                    part: Part::Selection,
                    key: SELECTION,
                    size: selection.size().max(1) as f64,
                });
            }
        }
        places
    }

    /// Who calls and in which form, where there is a choice.
    fn outer_places(&self, sequence: &Sequence, step: usize, places: &mut Vec<Place>) {
        let call = &sequence.plan.steps[step];
        let operation = self.api.operation(call.operation);
        let bound = |bind: &Bind| matches!(bind.spot, Spot::Body(_));
        let tied = sequence.ties.iter().any(|tie| {
            (tie.step == step && matches!(tie.spot, Spot::Body(_)))
                || (tie.from == step && matches!(tie.theirs, Spot::Body(_)))
        });
        let free = !tied && !call.binds.iter().any(bound);
        let several = call.body.is_some() && free && forms(operation).len() > 1;
        for (part, key, there) in [
            (Part::Caller, CALLER, self.has_callers(call)),
            (Part::Form, FORM, several),
        ] {
            if there {
                places.push(Place {
                    step,
                    part,
                    key,
                    size: 1.0,
                });
            }
        }
    }

    fn change_form(&mut self, sequence: &mut Sequence, step: usize) {
        let call = &sequence.plan.steps[step];
        let operation = self.api.operation(call.operation);
        let now = call.body.as_ref().map(|body| body.content);
        let mut others = forms(operation);
        others.retain(|form| Some(*form) != now);
        if let Some(form) = dice::pick(self.rng, &others) {
            let body = self.body_in(operation, form, Manner::Varied);
            sequence.plan.steps[step].body = body;
        }
    }

    fn argument_places(&self, sequence: &Sequence, step: usize, places: &mut Vec<Place>) {
        let call = &sequence.plan.steps[step];
        let operation = self.api.operation(call.operation);
        for (at, parameter) in operation.parameters.iter().enumerate() {
            if sequence.is_bound(step, &Spot::Parameter(at)) {
                continue;
            }
            let present = call.arguments.get(at).and_then(Option::as_ref);
            let value = present.map_or(0, |gene| gene.size().max(1));
            let size = value + usize::from(!is_required(operation, at));
            if size > 0 {
                places.push(Place {
                    step,
                    part: Part::Argument(at),
                    key: below(parameter.location as u64 + 1, &parameter.name),
                    size: size as f64,
                });
            }
        }
    }

    fn body_places(&self, sequence: &mut Sequence, step: usize, places: &mut Vec<Place>) {
        let operation = self.api.operation(sequence.plan.steps[step].operation);
        let Some(declared) = &operation.body else {
            return;
        };
        let bound = bound_of(sequence, step);
        if !declared.required && !bound.reaches(BODY) {
            places.push(Place {
                step,
                part: Part::HasBody,
                key: BODY - 1,
                size: 1.0,
            });
        }
        let Some(body) = &mut sequence.plan.steps[step].body else {
            return;
        };
        let Some(node) = root(operation, body) else {
            return;
        };
        let mut count = Count {
            step,
            places,
            next: 0,
        };
        let walk = Walk {
            api: self.api,
            bound: &bound,
        };
        walk.visit(&mut body.gene, node, &mut count);
    }

    /// Which places change: each with its rate, and at least one.
    fn choose(&mut self, sequence: &Sequence, places: &[Place]) -> Option<Vec<usize>> {
        let sizes: Vec<f64> = places.iter().map(|place| place.size).collect();
        let weight = |place: &Place| {
            let operation = sequence.plan.steps[place.step].operation;
            self.impacts.weight((operation, place.key))
        };
        let weights: Vec<f64> = places.iter().map(weight).collect();
        let share = self.settings.genes_changed;
        let share = share.at(self.spent, self.settings.focus_start);
        let wanted = (share * places.len() as f64).max(1.0);
        let rates = rates(&sizes, &weights, wanted, self.settings.even_share);
        let sure = dice::weighted(self.rng, &rates)?;
        let hits = rates.iter().enumerate();
        let chosen = hits.filter(|(at, rate)| *at == sure || dice::chance(self.rng, **rate));
        Some(chosen.map(|(at, _)| at).collect())
    }

    fn apply(&mut self, sequence: &mut Sequence, places: &[Place], chosen: &[usize]) {
        let mut rest = chosen.iter().map(|at| places[*at]).peekable();
        while let Some(place) = rest.next() {
            match place.part {
                Part::Argument(at) => self.change_argument(sequence, place.step, at),
                Part::HasBody => self.toggle_body(sequence, place.step),
                Part::Selection => self.reselect(sequence, place.step),
                Part::Caller => self.change_caller(&mut sequence.plan.steps[place.step]),
                Part::Form => self.change_form(sequence, place.step),
                Part::Body(first) => {
                    let mut ordinals = vec![first];
                    while let Some(Place {
                        part: Part::Body(next),
                        ..
                    }) = rest.next_if(|next| next.step == place.step && is_body(next.part))
                    {
                        ordinals.push(next);
                    }
                    self.change_body(sequence, place.step, ordinals);
                }
            }
        }
    }

    fn change_argument(&mut self, sequence: &mut Sequence, step: usize, at: usize) {
        let operation = self.api.operation(sequence.plan.steps[step].operation);
        let parameter = &operation.parameters[at];
        let call = &mut sequence.plan.steps[step];
        let optional = !is_required(operation, at);
        let Some(gene) = call.arguments.get_mut(at).and_then(Option::as_mut) else {
            let gene = self.argument(operation, at, Manner::Varied);
            sequence.plan.steps[step].put(at, Some(gene));
            return;
        };
        if optional && dice::index(self.rng, gene.size() + 1) == 0 {
            call.put(at, None);
            return;
        }
        self.mutate(gene, &parameter.name, parameter.shape);
    }

    fn toggle_body(&mut self, sequence: &mut Sequence, step: usize) {
        let operation = self.api.operation(sequence.plan.steps[step].operation);
        let body = match sequence.plan.steps[step].body {
            Some(_) => None,
            None => self.body(operation, Manner::Plausible),
        };
        sequence.plan.steps[step].body = body;
    }

    fn change_body(&mut self, sequence: &mut Sequence, step: usize, ordinals: Vec<usize>) {
        let operation = self.api.operation(sequence.plan.steps[step].operation);
        let bound = bound_of(sequence, step);
        let Some(body) = &mut sequence.plan.steps[step].body else {
            return;
        };
        let Some(node) = root(operation, body) else {
            return;
        };
        let before = body.gene.clone();
        let walk = Walk {
            api: self.api,
            bound: &bound,
        };
        let mut changer = Changer {
            workshop: self,
            bound: &bound,
            ordinals,
            next: 0,
            checked: false,
        };
        walk.visit(&mut body.gene, node, &mut changer);
        let checked = changer.checked;
        if checked && !self.maker(Manner::Varied).is_valid(&body.gene, node.shape) {
            body.gene = before;
        }
        drop_stale_binds(sequence, step);
    }

    /// Asks for something else, but still for what later steps take.
    fn reselect(&mut self, sequence: &mut Sequence, step: usize) {
        let (made, later) = sequence.plan.steps.split_at_mut(step + 1);
        let ask = made.last_mut().and_then(|call| call.ask.as_mut());
        let Some(selection) = ask.and_then(|ask| ask.selection.as_mut()) else {
            return;
        };
        let mut maker = self.maker(Manner::Varied);
        maker.reselect(selection);
        for call in later {
            call.binds.retain(|bind| match &bind.take {
                Take::Pointer(pointer) if bind.step == step => {
                    selection.require(&mut maker, &field_path(pointer))
                }
                _ => true,
            });
        }
    }

    /// Adds or drops an optional field that nobody else says.
    fn toggle_field(&mut self, gene: &mut Gene, node: Node<'_>, bound: &Bound) {
        let api = self.api;
        let (Gene::Object(fields), Kind::Object(object)) = (gene, &api.shape(node.shape).kind)
        else {
            return;
        };
        let free = |property: &&Property| {
            let shape = api.shape(property.shape);
            !property.required
                && !shape.read_only
                && !matches!(shape.kind, Kind::Never)
                && !bound.reaches(below(node.key, &property.name))
        };
        let optional: Vec<&Property> = object.properties.iter().filter(free).collect();
        let Some(property) = dice::pick(self.rng, &optional) else {
            return;
        };
        match fields.iter().position(|field| field.name == property.name) {
            Some(at) if fields.len() > object.min_properties => {
                fields.remove(at);
            }
            None if object.max_properties.is_none_or(|max| fields.len() < max) => {
                let mut maker = self.maker(Manner::Varied);
                let mut gene = maker.sample(&property.name, property.shape);
                self.redraw(&mut gene, property.shape);
                fields.push(Field {
                    name: property.name.clone(),
                    gene,
                });
            }
            _ => {}
        }
    }
}

fn is_body(part: Part) -> bool {
    matches!(part, Part::Body(_))
}

fn is_required(operation: &Operation, at: usize) -> bool {
    let parameter = operation.parameters.get(at);
    parameter.is_none_or(|p| p.required || p.location == Location::Path)
}

fn root<'n>(operation: &Operation, body: &BodyValue) -> Option<Node<'n>> {
    let contents = &operation.body.as_ref()?.contents;
    Some(Node {
        name: "body",
        shape: contents.get(body.content)?.shape?,
        key: BODY,
    })
}

/// The pointers of a body that are said elsewhere.
fn bound_of(sequence: &Sequence, step: usize) -> Bound {
    let mut bound = Bound::default();
    let binds = sequence.plan.steps[step]
        .binds
        .iter()
        .map(|bind| &bind.spot);
    let ties = sequence.ties.iter().filter(|tie| tie.step == step);
    for spot in binds.chain(ties.map(|tie| &tie.spot)) {
        if let Spot::Body(pointer) = spot {
            bound.add(BODY, pointer);
        }
    }
    bound
}

/// A bind into a part that is no longer there would have nothing to fill.
fn drop_stale_binds(sequence: &mut Sequence, step: usize) {
    let call = &mut sequence.plan.steps[step];
    let in_body = |spot: &Spot| matches!(spot, Spot::Body(_));
    if !call.binds.iter().any(|bind| in_body(&bind.spot)) {
        return;
    }
    let binds = std::mem::take(&mut call.binds);
    let stands = |spot: &Spot| !in_body(spot) || call.value_at(spot).is_some();
    let kept = binds
        .into_iter()
        .filter(|bind| stands(&bind.spot))
        .collect();
    call.binds = kept;
}

/// Writes the places of a body down.
struct Count<'p> {
    step: usize,
    places: &'p mut Vec<Place>,
    next: usize,
}

impl Visit for Count<'_> {
    fn place(&mut self, gene: &mut Gene, node: Node<'_>) {
        let size = match gene {
            Gene::Object(_) | Gene::Array(_) => 1,
            whole => whole.size().max(1),
        };
        self.places.push(Place {
            step: self.step,
            part: Part::Body(self.next),
            key: node.key,
            size: size as f64,
        });
        self.next += 1;
    }
}

/// Changes the places that were drawn.
struct Changer<'c, 'w> {
    workshop: &'c mut Workshop<'w>,
    bound: &'c Bound,
    ordinals: Vec<usize>,
    next: usize,
    checked: bool,
}

impl Visit for Changer<'_, '_> {
    fn place(&mut self, gene: &mut Gene, node: Node<'_>) {
        let hit = self.ordinals.contains(&self.next);
        self.next += 1;
        if !hit {
            return;
        }
        let kind = &self.workshop.api.shape(node.shape).kind;
        if matches!((&*gene, kind), (Gene::Object(_), Kind::Object(_))) {
            self.workshop.toggle_field(gene, node, self.bound);
        } else {
            self.workshop.mutate(gene, node.name, node.shape);
        }
    }

    fn checked(&mut self) {
        self.checked = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Template;
    use crate::workshop::tests::{Bench, library, shop, tracker};
    use fossick_validate::Direction;

    fn handled(bench: &mut Bench, resource: &str, template: Template) -> Sequence {
        let resource = bench.resource(resource);
        let mut sequence = Sequence::default();
        assert!(
            bench
                .workshop()
                .handle(&mut sequence, resource, template, false)
        );
        sequence
    }

    #[test]
    fn a_change_is_a_change_and_what_is_bound_stays_bound() {
        for (seed, api) in [shop(), tracker(), library()].into_iter().enumerate() {
            let mut bench = Bench::of(api, seed as u64);
            for _ in 0..100 {
                let sampled = bench.workshop().sample_by(crate::Method::One, false);
                let Some((sequence, _)) = sampled else {
                    continue;
                };
                let Some((changed, places)) = bench.workshop().change_values(&sequence) else {
                    continue;
                };
                assert!(changed.is_sound());
                assert!(changed.plan != sequence.plan && !places.is_empty());
                let binds = |s: &Sequence| s.plan.steps.iter().map(|s| s.binds.len()).sum();
                let (before, after): (usize, usize) = (binds(&sequence), binds(&changed));
                assert_eq!(before, after);
            }
        }
    }

    #[test]
    fn a_value_that_steps_share_changes_in_all_of_them() {
        let mut bench = Bench::of(shop(), 3);
        let sequence = handled(&mut bench, "/warehouses/{name}", Template::CreateDelete);
        let name = |s: &Sequence, at: usize| s.plan.steps[at].value_at(&Spot::Parameter(0));
        let mut renamed = 0;
        for _ in 0..60 {
            let (changed, _) = bench
                .workshop()
                .change_values(&sequence)
                .expect("a name can change");
            assert_eq!(name(&changed, 0), name(&changed, 1));
            renamed += usize::from(name(&changed, 0) != name(&sequence, 0));
        }
        assert!(renamed > 0);
    }

    #[test]
    fn optional_parameters_come_and_go() {
        let mut bench = Bench::of(shop(), 4);
        let sequence = handled(&mut bench, "/products", Template::Get);
        let mut states = std::collections::BTreeSet::new();
        for _ in 0..60 {
            let changed = bench.workshop().change_values(&sequence);
            let (changed, _) = changed.expect("a search can change");
            states.insert(changed.plan.steps[0].arguments[0].is_some());
        }
        assert!(states.contains(&sequence.plan.steps[0].arguments[0].is_none()));
    }

    #[test]
    fn bodies_stay_valid() {
        let mut bench = Bench::of(shop(), 5);
        let mut sequence = handled(&mut bench, "/products", Template::Post);
        let operation = bench.api.operation(sequence.plan.steps[0].operation);
        let contents = &operation.body.as_ref().expect("has one").contents;
        let shape = contents[0].shape.expect("has one");
        for _ in 0..200 {
            let workshop = &mut bench.workshop();
            let Some((changed, _)) = workshop.change_values(&sequence) else {
                continue;
            };
            let body = changed.plan.steps[0].body.as_ref().expect("is required");
            let value = body.gene.value();
            let valid = workshop
                .validators
                .is_valid(Direction::Request, shape, &value);
            assert!(valid, "{value}");
            sequence = changed;
        }
    }

    #[test]
    fn a_test_of_k_genes_changes_about_one_of_them() {
        let mut bench = Bench::of(shop(), 6);
        let sequence = handled(&mut bench, "/products/{id}", Template::CreatePatch);
        let changes: usize = (0..200)
            .filter_map(|_| bench.workshop().change_values(&sequence))
            .map(|(_, places)| places.len())
            .sum();
        let mean = changes as f64 / 200.0;
        assert!((1.0..2.2).contains(&mean), "{mean}");
    }

    #[test]
    fn a_test_without_genes_cannot_change_its_values() {
        let mut bench = Bench::of(shop(), 7);
        let sequence = handled(&mut bench, "/health", Template::Get);
        assert!(bench.workshop().change_values(&sequence).is_none());
    }
}
