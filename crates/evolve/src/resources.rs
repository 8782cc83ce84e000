//! The resources of a service, and what can be done with each.
//!
//! In REST a resource is a place: a path, whatever its holes are called. In GraphQL it is the type
//! of the thing that operations are about; an operation about no thing is a resource of its own.

use std::collections::HashMap;

use fossick_contract::{Api, Deed, Operation, OperationIndex};
use fossick_graph::{Words, nameless};
use fossick_plan::Spot;

use crate::Template;
use crate::mentions::{embedded, mentions};

/// Where a resource stands in [`Resources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceId(pub u32);

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resource {
    /// A path, the name of a type, or the label of an operation.
    pub name: String,
    /// The word that stands for it: the last fixed segment of its path, the name of its type.
    pub token: String,
    /// The same as stems.
    pub(crate) words: Words,
    /// In the document's order.
    pub operations: Vec<(Deed, OperationIndex)>,
    /// Templates that can be followed on it.
    pub templates: Vec<Template>,
    /// Reads without any key: what comes back is a collection.
    pub plain_reads: Vec<OperationIndex>,
}

impl Resource {
    pub fn with_deed(&self, deed: Deed) -> Vec<OperationIndex> {
        let of_deed = self.operations.iter().filter(|(own, _)| *own == deed);
        of_deed.map(|(_, index)| *index).collect()
    }

    pub fn has(&self, deed: Deed) -> bool {
        self.operations.iter().any(|(own, _)| *own == deed)
    }

    /// Some template on it may change what later handlings find.
    pub fn may_matter(&self) -> bool {
        self.templates.iter().any(|t| !t.is_independent())
    }

    pub fn has_independent(&self) -> bool {
        self.templates.iter().any(|t| t.is_independent())
    }
}

/// All resources of a service.
#[derive(Debug, Clone, Default)]
pub struct Resources {
    all: Vec<Resource>,
    of_operation: Vec<ResourceId>,
    mentions: Vec<Vec<(Spot, Words)>>,
    embedded: Vec<Vec<(Spot, Words)>>,
}

impl Resources {
    /// `can_create` tells whether something makes what an operation works on.
    pub(crate) fn of(api: &Api, can_create: impl Fn(OperationIndex) -> bool) -> Self {
        let mut resources = Self::default();
        let mut known: HashMap<String, ResourceId> = HashMap::new();
        for (index, operation) in api.indexed() {
            let fresh = ResourceId(resources.all.len() as u32);
            let id = *known.entry(key(operation)).or_insert(fresh);
            if id == fresh {
                resources.all.push(named(api, operation));
            }
            resources.of_operation.push(id);
            resources.all[id.0 as usize].take_in(index, operation);
        }
        for resource in &mut resources.all {
            resource.templates = Template::applicable(resource, &can_create);
        }
        let called = resources.all.iter().map(|r| r.words.clone()).collect();
        let operations = api.operations.iter();
        let mentions = operations.map(|operation| mentions(api, operation, &called));
        resources.mentions = mentions.collect();
        let operations = api.operations.iter();
        let embedded = operations.map(|operation| embedded(api, operation, &called));
        resources.embedded = embedded.collect();
        resources
    }

    pub fn get(&self, id: ResourceId) -> &Resource {
        &self.all[id.0 as usize]
    }

    pub fn of_operation(&self, index: OperationIndex) -> ResourceId {
        self.of_operation[index.0 as usize]
    }

    /// Spots of an operation that speak of resources by name.
    pub(crate) fn mentions(&self, index: OperationIndex) -> &[(Spot, Words)] {
        &self.mentions[index.0 as usize]
    }

    /// Spots of an operation that hold what a thing of another resource is known by, inside its own.
    pub(crate) fn embedded(&self, index: OperationIndex) -> &[(Spot, Words)] {
        &self.embedded[index.0 as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (ResourceId, &Resource)> {
        let all = self.all.iter().enumerate();
        all.map(|(at, resource)| (ResourceId(at as u32), resource))
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl Resource {
    fn take_in(&mut self, index: OperationIndex, operation: &Operation) {
        // Nobody can say what else an operation does, but mostly it is done to what is there.
        let deed = match operation.deed() {
            Deed::Other => Deed::Update,
            deed => deed,
        };
        self.operations.push((deed, index));
        if deed == Deed::Read && fossick_plan::keys(operation).is_empty() {
            self.plain_reads.push(index);
        }
    }
}

fn named(api: &Api, operation: &Operation) -> Resource {
    let name = match &operation.graphql {
        None => operation.path.text.clone(),
        Some(root) => match root.thing {
            Some(thing) => api.types.get(thing).name.to_string(),
            None => operation.label.clone(),
        },
    };
    let token = token(operation, &name);
    Resource {
        words: Words::of(&token),
        token,
        name,
        ..Resource::default()
    }
}

fn token(operation: &Operation, name: &str) -> String {
    if operation.graphql.is_some() {
        return name.rsplit(['.', ' ']).next().unwrap_or(name).to_owned();
    }
    let mut segments = operation.path.segments().rev();
    let fixed = segments.find(|segment| !segment.contains('{'));
    fixed.unwrap_or_default().to_owned()
}

/// What tells resources apart.
fn key(operation: &Operation) -> String {
    match &operation.graphql {
        None => nameless(&operation.path.text),
        Some(root) => match root.thing {
            Some(thing) => format!("#{}", thing.0),
            None => operation.label.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{library, shop};

    #[test]
    fn a_path_is_a_resource_whatever_its_holes_are_called() {
        let api = shop();
        let resources = Resources::of(&api, |_| true);
        let names: Vec<&str> = resources.iter().map(|(_, r)| r.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "/products",
                "/products/{id}",
                "/warehouses/{name}",
                "/stock/{productName}",
                "/health"
            ]
        );
        let put = api.find("PUT /products/{key}").expect("declared");
        let get = api.find("GET /products/{id}").expect("declared");
        assert_eq!(resources.of_operation(put), resources.of_operation(get));
        assert_eq!(resources.get(resources.of_operation(get)).token, "products");
    }

    #[test]
    fn a_graphql_type_is_a_resource() {
        let api = library();
        let resources = Resources::of(&api, |_| true);
        let (_, book) = resources
            .iter()
            .find(|(_, r)| r.name == "Book")
            .expect("there are books");
        assert!(book.has(Deed::Create) && book.has(Deed::Read));
        assert!(!book.plain_reads.is_empty());
    }
}
