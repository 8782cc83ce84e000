//! Ways that real traffic went: a value of one call's answer that a later call sent.
//!
//! Nothing that names or types suggest is worth as much. Where names said nothing of a place, it
//! becomes a need; where an edge was guessed already, it is now believed.

use fossick_contract::{Api, Kind, OperationIndex, ShapeId, unescape_token};
use fossick_trace::Take;

use super::Graph;
use crate::{Edge, Evidence, Need, Place, Words, Yield};

impl Graph {
    /// Hears that values from an answer of `maker`, at this pointer, were sent to `consumer`.
    /// Tells whether the two have such places.
    pub fn seen_in_traffic(
        &mut self,
        api: &Api,
        maker: OperationIndex,
        pointer: &str,
        consumer: OperationIndex,
        place: &Place,
    ) -> bool {
        let Some(need) = need_at(api, consumer, place).filter(|_| maker != consumer) else {
            return false;
        };
        let need = self.need_like(consumer, need);
        let yields = Yield::Answer(Take::Pointer(pointer.to_owned()));
        let edges = &mut self.edges[consumer.0 as usize][need];
        let known = edges
            .iter_mut()
            .find(|e| e.maker == maker && e.yields == yields);
        if let Some(known) = known {
            known.in_traffic = true;
            let (edge, need) = (known.clone(), &self.needs[consumer.0 as usize][need]);
            self.properties.note_traffic(api, consumer, need, &edge);
        } else {
            let edge = Edge::new(maker, yields, Evidence::Traffic, 1.0);
            self.add(api, consumer, need, vec![edge]);
        }
        self.forget_readers();
        true
    }
}

fn need_at(api: &Api, consumer: OperationIndex, place: &Place) -> Option<Need> {
    let operation = api.operation(consumer);
    match place {
        Place::Parameter(at) => {
            operation.parameters.get(*at)?;
            Some(Need::of_parameter(operation, *at))
        }
        Place::Body(pointer) => {
            let content = operation.body.as_ref()?.contents.first()?;
            let (name, shape, required) = field_at(api, content.shape?, pointer)?;
            Some(Need {
                place: place.clone(),
                words: Words::of(&name),
                name,
                required,
                doubtful: false,
                shape,
                of: None,
            })
        }
    }
}

/// The field at a pointer, with its shape and whether it must be there.
fn field_at(api: &Api, shape: ShapeId, pointer: &str) -> Option<(String, ShapeId, bool)> {
    let (mut name, mut shape, mut required) = (String::new(), shape, true);
    for token in pointer.split('/').skip(1) {
        match &api.shape(shape).kind {
            Kind::Object(object) => {
                name = unescape_token(token);
                let property = object.property(&name)?;
                required &= property.required;
                shape = property.shape;
            }
            Kind::Array(array) => {
                required &= array.min_items > 0;
                shape = array.prefix.first().copied().or(array.items)?;
            }
            _ => return None,
        }
    }
    (!name.is_empty()).then_some((name, shape, required))
}
