//! Carrying a value from one step to another.

use fossick_genes::{Gene, Maker, Source};
use fossick_graph::{Place, Yield};
use fossick_trace::Take;
use serde_json::Value;

use crate::{Bind, Plan, Spot, Step, field_path};

/// Fills a spot of a step with what an earlier step of the plan yields: by a bind where only the
/// answer will tell, by the same value where the earlier step sent it. Tells whether it could.
pub fn connect(
    plan: &mut Plan,
    from: usize,
    step: &mut Step,
    spot: &Spot,
    yields: &Yield,
    maker: &mut Maker<'_>,
) -> bool {
    let sent = match yields {
        Yield::Answer(take) => {
            if !ask_for(&mut plan.steps[from], take, maker) {
                return false;
            }
            step.binds.retain(|bind| bind.spot != *spot);
            step.binds.push(Bind {
                spot: spot.clone(),
                step: from,
                take: take.clone(),
            });
            return true;
        }
        Yield::SentParameter(parameter) => Spot::Parameter(*parameter),
        Yield::SentBody(pointer) => Spot::Body(pointer.clone()),
    };
    let made = &plan.steps[from];
    if let Some(bind) = made.bind_at(&sent) {
        let spot = spot.clone();
        step.binds.retain(|bind| bind.spot != spot);
        step.binds.push(Bind {
            spot,
            ..bind.clone()
        });
        return true;
    }
    let scalar = |value: &Value| value.is_string() || value.is_number();
    let value = made.value_at(&sent).filter(scalar);
    value.is_some_and(|value| {
        step.binds.retain(|bind| bind.spot != *spot);
        put(step, spot, value);
        true
    })
}

/// Makes sure that a GraphQL step asks for what a later one takes from its answer.
fn ask_for(step: &mut Step, take: &Take, maker: &mut Maker<'_>) -> bool {
    let selection = step.ask.as_mut().and_then(|ask| ask.selection.as_mut());
    match (selection, take) {
        (Some(selection), Take::Pointer(pointer)) => selection.require(maker, &field_path(pointer)),
        // A scalar comes whole, and nobody asks for headers.
        _ => true,
    }
}

fn put(step: &mut Step, spot: &Spot, value: Value) {
    match spot {
        Spot::Parameter(at) => {
            step.arguments[*at] = Some(Gene::literal(value, Source::Fixed).bound());
        }
        Spot::Body(pointer) => {
            if let Some(body) = &mut step.body {
                body.gene.set(pointer, value, Source::Fixed);
            }
        }
    }
}

/// Where in a step a need stands.
pub fn spot_of(place: &Place) -> Spot {
    match place {
        Place::Parameter(at) => Spot::Parameter(*at),
        Place::Body(pointer) => Spot::Body(pointer.clone()),
    }
}

/// Everywhere in a step that a need stands: at its place, or at that of each item that is there.
pub fn spots_of(step: &Step, place: &Place) -> Vec<Spot> {
    let Place::Body(pointer) = place else {
        return vec![spot_of(place)];
    };
    let body = step.body.as_ref();
    let places = body.map_or_else(Vec::new, |body| body.gene.places(pointer));
    places.into_iter().map(Spot::Body).collect()
}

pub fn place_of(spot: &Spot) -> Place {
    match spot {
        Spot::Parameter(at) => Place::Parameter(*at),
        Spot::Body(pointer) => Place::Body(pointer.clone()),
    }
}
