//! Who makes what an operation works on.
//!
//! At its own place first, then whoever the graph says, then the closest ancestor in the path.
//! Worked out once: it is asked for every time something is sampled.

use std::collections::HashMap;

use fossick_contract::{Api, Deed, Operation, OperationIndex};
use fossick_graph::{Graph, nameless};
use fossick_plan::{Spot, item_path, keys, place_of};

/// The makers of one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Makers {
    pub(crate) posts: Vec<OperationIndex>,
    /// Those that put it in its place under an identifier of ours.
    pub(crate) puts: Vec<OperationIndex>,
}

/// Something that must be there before an operation can work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parent {
    pub(crate) spot: Spot,
    pub(crate) maker: OperationIndex,
}

#[derive(Debug, Default)]
pub(crate) struct Creators {
    makers: Vec<Makers>,
    /// Those POSTs that are the resource's own.
    own: Vec<Vec<OperationIndex>>,
    parents: Vec<Vec<Parent>>,
}

impl Creators {
    pub(crate) fn of(api: &Api, graph: &Graph) -> Self {
        let reader = Reader {
            api,
            graph,
            by_place: by_place(api),
        };
        let all = || api.indexed().map(|(index, _)| index);
        Self {
            makers: all().map(|index| reader.makers(index)).collect(),
            own: all().map(|index| reader.own(index, Deed::Create)).collect(),
            parents: all().map(|index| reader.parents(index)).collect(),
        }
    }

    pub(crate) fn makers(&self, index: OperationIndex) -> &Makers {
        &self.makers[index.0 as usize]
    }

    /// Creations in the very collection that an operation reads.
    pub(crate) fn own(&self, index: OperationIndex) -> &[OperationIndex] {
        &self.own[index.0 as usize]
    }

    /// What must be made before an operation is called, outermost first; what it makes itself is
    /// not among it.
    pub(crate) fn parents(&self, index: OperationIndex) -> &[Parent] {
        &self.parents[index.0 as usize]
    }

    pub(crate) fn can_create(&self, index: OperationIndex) -> bool {
        let makers = self.makers(index);
        !makers.posts.is_empty() || !makers.puts.is_empty()
    }
}

type ByPlace = HashMap<String, Vec<OperationIndex>>;

/// Operations by what they are about.
fn by_place(api: &Api) -> ByPlace {
    let mut places = ByPlace::new();
    for (index, operation) in api.indexed() {
        if let Some(place) = place(operation) {
            places.entry(place).or_default().push(index);
        }
    }
    places
}

fn place(operation: &Operation) -> Option<String> {
    match &operation.graphql {
        None => Some(nameless(&operation.path.text)),
        Some(root) => root.thing.map(|thing| format!("#{}", thing.0)),
    }
}

struct Reader<'a> {
    api: &'a Api,
    graph: &'a Graph,
    by_place: ByPlace,
}

impl Reader<'_> {
    fn makers(&self, index: OperationIndex) -> Makers {
        Makers {
            posts: self.makers_with(index, Deed::Create),
            puts: self.makers_with(index, Deed::Replace),
        }
    }

    fn makers_with(&self, index: OperationIndex, deed: Deed) -> Vec<OperationIndex> {
        let own = self.own(index, deed);
        if !own.is_empty() {
            return own;
        }
        let operation = self.api.operation(index);
        let edges = keys(operation).last().map(|key| self.by_edges(index, key));
        let mut edges = edges.unwrap_or_default();
        edges.retain(|maker| self.api.operation(*maker).deed() == deed);
        if edges.is_empty() && operation.graphql.is_none() {
            return self.at_ancestor(&operation.path.text, deed);
        }
        edges
    }

    fn own(&self, index: OperationIndex, deed: Deed) -> Vec<OperationIndex> {
        let place = place(self.api.operation(index));
        place.map(|place| self.at(&place, deed)).unwrap_or_default()
    }

    fn at(&self, place: &str, deed: Deed) -> Vec<OperationIndex> {
        let at = self.by_place.get(place).map_or(&[][..], Vec::as_slice);
        let does = |index: &&OperationIndex| self.api.operation(**index).deed() == deed;
        at.iter().filter(does).copied().collect()
    }

    fn at_ancestor(&self, path: &str, deed: Deed) -> Vec<OperationIndex> {
        let mut place = nameless(path);
        while let Some(cut) = place.rfind('/') {
            place.truncate(cut);
            let found = self.at(&place, deed);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Makers that the graph knows for a spot, the most promising first.
    fn by_edges(&self, index: OperationIndex, spot: &Spot) -> Vec<OperationIndex> {
        let Some(need) = self.graph.need_at(index, &place_of(spot)) else {
            return Vec::new();
        };
        let edges = self.graph.edges(index, need).into_iter();
        let makes = edges.filter(|edge| edge.evidence.makes() && edge.maker != index);
        let mut makers = Vec::new();
        for edge in makes {
            if !makers.contains(&edge.maker) {
                makers.push(edge.maker);
            }
        }
        makers
    }

    fn parents(&self, index: OperationIndex) -> Vec<Parent> {
        let operation = self.api.operation(index);
        let mut spots = keys(operation);
        if makes_at_its_path(operation) {
            spots.pop();
        }
        if operation.graphql.is_some() {
            spots.extend(self.required(index));
        }
        spots.dedup();
        let parent = |spot: Spot| {
            let maker = self.maker_at(index, &spot)?;
            Some(Parent { spot, maker })
        };
        spots.into_iter().filter_map(parent).collect()
    }

    /// Where there is no path, parents stand among the arguments.
    fn required(&self, index: OperationIndex) -> impl Iterator<Item = Spot> {
        let needs = self.graph.needs(index).iter().filter(|need| need.required);
        needs.map(|need| fossick_plan::spot_of(&need.place))
    }

    fn maker_at(&self, index: OperationIndex, spot: &Spot) -> Option<OperationIndex> {
        let by_edge = self.by_edges(index, spot).first().copied();
        by_edge.or_else(|| self.maker_by_path(index, spot))
    }

    /// What creates in the collection before a hole, or at the item itself.
    fn maker_by_path(&self, index: OperationIndex, spot: &Spot) -> Option<OperationIndex> {
        let item = item_path(self.api.operation(index), spot)?;
        let place = nameless(item);
        let collection = place.rsplit_once('/').map(|(before, _)| before)?;
        [
            (collection, Deed::Create),
            (&place, Deed::Create),
            (&place, Deed::Replace),
        ]
        .into_iter()
        .flat_map(|(place, deed)| self.at(place, deed))
        .find(|maker| *maker != index)
    }
}

/// Creates or replaces under an identifier that the caller says.
pub(crate) fn makes_at_its_path(operation: &Operation) -> bool {
    operation.graphql.is_none()
        && operation.path.ends_with_hole()
        && matches!(operation.deed(), Deed::Create | Deed::Replace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{library, shop, tracker};

    fn labels(api: &Api, all: &[OperationIndex]) -> Vec<String> {
        let label = |index: &OperationIndex| api.operation(*index).label.clone();
        all.iter().map(label).collect()
    }

    fn makers(api: &Api, label: &str) -> (Vec<String>, Vec<String>) {
        let creators = Creators::of(api, &Graph::of(api));
        let makers = creators.makers(api.find(label).expect("declared"));
        (labels(api, &makers.posts), labels(api, &makers.puts))
    }

    #[test]
    fn an_item_is_made_in_its_collection_or_put_in_its_place() {
        let (posts, puts) = makers(&shop(), "GET /products/{id}");
        assert_eq!(posts, ["POST /products"]);
        assert_eq!(puts, ["PUT /products/{key}"]);
    }

    #[test]
    fn a_resource_that_is_made_at_its_own_path_needs_no_collection() {
        let (posts, puts) = makers(&shop(), "GET /warehouses/{name}");
        assert_eq!(posts, ["POST /warehouses/{name}"]);
        assert!(puts.is_empty());
    }

    #[test]
    fn what_nothing_creates_has_no_maker() {
        assert_eq!(makers(&shop(), "GET /health"), (vec![], vec![]));
    }

    #[test]
    fn parents_come_outermost_first_and_nothing_is_its_own_parent() {
        let api = tracker();
        let creators = Creators::of(&api, &Graph::of(&api));
        let parents = |label: &str| {
            let index = api.find(label).expect("declared");
            let parents = creators.parents(index).iter().map(|p| p.maker);
            labels(&api, &parents.collect::<Vec<_>>())
        };
        assert_eq!(
            parents("GET /projects/{id}/tasks/{task}"),
            ["POST /projects", "POST /projects/{id}/tasks"]
        );
        assert_eq!(parents("POST /projects/{id}/tasks"), ["POST /projects"]);
        assert!(parents("POST /projects").is_empty());
        assert_eq!(parents("GET /projects/{id}/report"), ["POST /projects"]);
    }

    #[test]
    fn a_graphql_thing_is_made_by_the_mutation_that_creates_it() {
        let (posts, _) = makers(&library(), "query book");
        assert_eq!(posts, ["mutation createBook"]);
    }
}
