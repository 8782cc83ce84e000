//! The property graph as the document tells it.

use std::collections::BTreeMap;

use fossick_contract::{Api, Kind, Operation, OperationIndex, ShapeId};
use fossick_trace::Take;

use super::matching::{Matcher, is_plain_place};
use super::standing::Standing;
use super::{Consumes, Produces, Properties, SchemaIndex, typed};
use crate::path_words::nameless;
use crate::{Edge, Evidence, Need, Place, Yield};

/// How deep into answers schemas are looked for.
const DEPTH: usize = 4;
/// Schemas of one answer; what is further inside is seldom taken from it.
pub(crate) const MOST_PRODUCED: usize = 40;
/// Options of a choice that are followed.
const OPTIONS: usize = 3;

impl Properties {
    pub(crate) fn of(api: &Api, needs: &[Vec<Need>], edges: &[Vec<Vec<Edge>>]) -> Self {
        let mut all = Self {
            produces: vec![Vec::new(); api.operations.len()],
            consumes: vec![Vec::new(); api.operations.len()],
            ..Self::default()
        };
        for (index, operation) in api.indexed() {
            if operation.graphql.is_some() {
                all.read_type(api, index, operation);
            } else {
                all.read_answers(api, index, operation);
                all.read_body(api, index, operation);
            }
        }
        all.subjects = all.told_subjects(api);
        all.read_edges(api, needs, edges);
        all.match_names(api, needs);
        all
    }

    fn read_answers(&mut self, api: &Api, index: OperationIndex, operation: &Operation) {
        for shape in operation.success_shapes() {
            let spot = Spot {
                pointer: String::new(),
                listed: false,
                own: true,
            };
            self.read_shape(api, index, shape, &spot, DEPTH);
        }
    }

    fn read_shape(
        &mut self,
        api: &Api,
        index: OperationIndex,
        id: ShapeId,
        spot: &Spot,
        depth: usize,
    ) {
        if depth == 0 || self.produces[index.0 as usize].len() >= MOST_PRODUCED {
            return;
        }
        match &api.shape(id).kind {
            Kind::Object(object) if !object.properties.is_empty() => {
                self.produce(api, index, id, spot);
                for property in &object.properties {
                    let inside = spot.inside(&property.name);
                    self.read_shape(api, index, property.shape, &inside, depth - 1);
                }
            }
            Kind::Array(array) => {
                if let Some(items) = array.items.or(array.prefix.first().copied()) {
                    self.read_shape(api, index, items, &spot.item(), depth - 1);
                }
            }
            Kind::Choice(choice) => {
                for option in choice.options.iter().take(OPTIONS) {
                    self.read_shape(api, index, *option, spot, depth - 1);
                }
            }
            _ => {}
        }
    }

    fn produce(&mut self, api: &Api, index: OperationIndex, id: ShapeId, spot: &Spot) {
        let label = &api.operation(index).label;
        // A nameless object inside another one is a part of that, and no thing of its own.
        if api.shape(id).name.is_none() && !spot.own {
            return;
        }
        let otherwise = format!("{label}{}", spot.pointer);
        let schema = self.nodes.of_shape(api, id, &otherwise);
        let known = self.produces[index.0 as usize].iter();
        if known
            .filter(|p| p.pointer == spot.pointer)
            .any(|p| p.schema == schema)
        {
            return;
        }
        let name = &self.nodes.get(schema).name;
        let why = format!("the document promises {name} as an answer of {label}");
        let produces = Produces {
            schema,
            pointer: spot.pointer.clone(),
            listed: spot.listed,
            own: spot.own,
            standing: Standing::told(why),
        };
        self.add_producer(index, produces);
    }

    /// A body that is a schema consumes it as a whole.
    fn read_body(&mut self, api: &Api, index: OperationIndex, operation: &Operation) {
        let content = operation.body.as_ref().and_then(|b| b.contents.first());
        let Some(mut shape) = content.and_then(|content| content.shape) else {
            return;
        };
        if let Kind::Array(array) = &api.shape(shape).kind
            && let Some(items) = array.items
        {
            shape = items;
        }
        if !matches!(api.shape(shape).kind, Kind::Object(_)) || api.shape(shape).name.is_none() {
            return;
        }
        let schema = self.nodes.of_shape(api, shape, "");
        let name = &self.nodes.get(schema).name;
        let why = format!("{} takes {name} as its body", operation.label);
        self.consumes[index.0 as usize].push(Consumes {
            schema,
            property: None,
            place: Place::Body(String::new()),
            parameter: "body".to_owned(),
            standing: Standing::told(why),
        });
    }

    fn read_type(&mut self, api: &Api, index: OperationIndex, operation: &Operation) {
        let Some((on, pointer, listed)) = typed::thing_of(api, operation) else {
            return;
        };
        let schema = self.nodes.of_type(api, on);
        let name = &self.nodes.get(schema).name;
        let why = format!(
            "the schema promises {name} as an answer of {}",
            operation.label
        );
        let produces = Produces {
            schema,
            pointer,
            listed,
            own: true,
            standing: Standing::told(why),
        };
        self.add_producer(index, produces);
    }

    /// What an operation is about: what it answers with, else what it takes, else what others at
    /// its path are about.
    fn told_subjects(&self, api: &Api) -> Vec<Option<SchemaIndex>> {
        let own: Vec<_> = (0..api.operations.len())
            .map(|at| self.own_subject(at))
            .collect();
        let neighbours = Neighbours::of(api, &own);
        let told = own.iter().zip(&api.operations);
        told.map(|(known, operation)| known.or_else(|| neighbours.subject(operation)))
            .collect()
    }

    fn own_subject(&self, at: usize) -> Option<SchemaIndex> {
        let produced = self.produces[at].iter().find(|produces| produces.own);
        let whole = self.consumes[at].iter().find(|c| c.property.is_none());
        produced
            .map(|produces| produces.schema)
            .or(whole.map(|consumes| consumes.schema))
    }

    /// Edges between operations say which properties they carry.
    fn read_edges(&mut self, api: &Api, needs: &[Vec<Need>], edges: &[Vec<Vec<Edge>>]) {
        for (at, ways) in edges.iter().enumerate() {
            let consumer = OperationIndex(at as u32);
            for (need, ways) in needs[at].iter().zip(ways) {
                for edge in ways {
                    self.read_edge(api, consumer, need, edge);
                }
            }
        }
    }

    /// Takes notice of an edge between operations. Tells whether that was new.
    pub(crate) fn read_edge(
        &mut self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        edge: &Edge,
    ) -> bool {
        let Yield::Answer(Take::Pointer(pointer)) = &edge.yields else {
            return false;
        };
        self.see_type(api, edge.maker, pointer);
        let Some((schema, property)) = self.property_at(edge.maker, pointer) else {
            return false;
        };
        if self
            .consumed_at(consumer, schema, &property, &need.place)
            .is_some()
        {
            return false;
        }
        let why = self.why(api, edge, schema, &property, consumer, need);
        let learned = matches!(
            edge.evidence,
            Evidence::SeenValue | Evidence::SameProperty | Evidence::Traffic
        );
        // Whatever is read off an answer is nothing that the document tells.
        let standing = if learned || self.requests > 0 {
            self.changes.added += 1;
            Standing::added(self.requests, why)
        } else {
            Standing::told(why)
        };
        self.consumes[consumer.0 as usize].push(Consumes {
            schema,
            property: Some(property),
            place: need.place.clone(),
            parameter: need.name.clone(),
            standing,
        });
        self.version += 1;
        true
    }

    /// Takes notice that real traffic went along an edge that is there already.
    pub(crate) fn note_traffic(
        &mut self,
        api: &Api,
        consumer: OperationIndex,
        need: &Need,
        edge: &Edge,
    ) {
        let Yield::Answer(Take::Pointer(pointer)) = &edge.yields else {
            return;
        };
        let Some((schema, property)) = self.property_at(edge.maker, pointer) else {
            return;
        };
        let Some(at) = self.consumed_at(consumer, schema, &property, &need.place) else {
            return;
        };
        let seen = Edge::new(edge.maker, edge.yields.clone(), Evidence::Traffic, 1.0);
        let why = self.why(api, &seen, schema, &property, consumer, need);
        let after = self.requests;
        self.consumes[consumer.0 as usize][at]
            .standing
            .note(after, why);
        self.version += 1;
    }

    /// In GraphQL, what lies inside an answer is there when it is asked for.
    fn see_type(&mut self, api: &Api, maker: OperationIndex, pointer: &str) {
        let Some((above, _)) = super::parent(pointer) else {
            return;
        };
        let full = self.produces[maker.0 as usize].len() >= MOST_PRODUCED;
        if full || self.schema_at(maker, above).is_some() {
            return;
        }
        let Some(on) = typed::type_at(api, maker, above) else {
            return;
        };
        let schema = self.nodes.of_type(api, on);
        let label = &api.operation(maker).label;
        let name = &self.nodes.get(schema).name;
        let why = format!("the schema promises {name} inside the answer of {label}");
        let produces = Produces {
            schema,
            pointer: above.to_owned(),
            listed: above.split('/').any(|part| part == "0"),
            own: false,
            standing: Standing::told(why),
        };
        self.add_producer(maker, produces);
    }

    fn why(
        &self,
        api: &Api,
        edge: &Edge,
        schema: SchemaIndex,
        property: &str,
        consumer: OperationIndex,
        need: &Need,
    ) -> String {
        let from = format!("{}.{property}", self.nodes.get(schema).name);
        let to = format!("{} of {}", need.name, api.operation(consumer).label);
        let maker = &api.operation(edge.maker).label;
        match edge.evidence {
            Evidence::Link => format!("a link of {maker} leads from {from} to {to}"),
            Evidence::Traffic => format!("seen in traffic: {from} of {maker} was sent as {to}"),
            Evidence::Creator => format!("{maker} makes what {to} names, and answers with {from}"),
            Evidence::PutsItself => format!("{maker} makes what {to} names"),
            Evidence::Lister => format!("{maker} lists what {to} names, with {from}"),
            Evidence::Caller => format!("{maker} shows the caller, whom {to} may name"),
            Evidence::SameName => format!("{from} is called like {to}"),
            Evidence::SeenValue => format!("a value of {from} worked as {to}"),
            Evidence::SameProperty => format!("{from} equals a property that is called like {to}"),
        }
    }

    /// Parameters that are no references may be called like properties all the same.
    fn match_names(&mut self, api: &Api, needs: &[Vec<Need>]) {
        let matcher = Matcher::of(self);
        let mut found = Vec::new();
        for (index, operation) in api.indexed().filter(|(_, o)| o.graphql.is_none()) {
            for (at, parameter) in operation.parameters.iter().enumerate() {
                let place = Place::Parameter(at);
                let is_need = needs[index.0 as usize].iter().any(|n| n.place == place);
                if is_need || !is_plain_place(api, parameter) {
                    continue;
                }
                for (schema, property) in matcher.matches(api, self, index, parameter) {
                    let name = &self.nodes.get(schema).name;
                    let to = &parameter.name;
                    let why = format!(
                        "{name}.{property} is called like {to} of {}",
                        operation.label
                    );
                    let consumes = Consumes {
                        schema,
                        property: Some(property),
                        place: place.clone(),
                        parameter: to.clone(),
                        standing: Standing::told(why),
                    };
                    found.push((index, consumes));
                }
            }
        }
        for (index, consumes) in found {
            self.consumes[index.0 as usize].push(consumes);
        }
    }
}

/// Where a walk through an answer stands.
struct Spot {
    pointer: String,
    listed: bool,
    own: bool,
}

impl Spot {
    fn item(&self) -> Self {
        Self {
            pointer: format!("{}/0", self.pointer),
            listed: true,
            own: self.own,
        }
    }

    fn inside(&self, name: &str) -> Self {
        Self {
            pointer: format!("{}/{}", self.pointer, fossick_contract::escape_token(name)),
            listed: self.listed,
            // `data` and `items` only wrap what the answer is about.
            own: self.own && crate::yields::wraps(name),
        }
    }
}

/// Subjects by place. Operations at the same path, then one step above it, are about the same.
struct Neighbours(BTreeMap<String, SchemaIndex>);

impl Neighbours {
    fn of(api: &Api, own: &[Option<SchemaIndex>]) -> Self {
        let mut by_place = BTreeMap::new();
        for (index, operation) in api.indexed().filter(|(_, o)| o.graphql.is_none()) {
            if let Some(schema) = own[index.0 as usize] {
                let place = nameless(&operation.path.text);
                by_place.entry(place).or_insert(schema);
            }
        }
        Self(by_place)
    }

    fn subject(&self, operation: &Operation) -> Option<SchemaIndex> {
        let path = nameless(&operation.path.text);
        let above = path.rsplit_once('/').map_or("", |(above, _)| above);
        let collection = || {
            self.0
                .get(above)
                .filter(|_| operation.path.ends_with_hole())
        };
        self.0.get(&path).or_else(collection).copied()
    }
}
