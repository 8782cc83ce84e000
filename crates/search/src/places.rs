//! Which operations stand at the same place: `GET`, `PUT` and `DELETE` of one item.
//!
//! Looked up for nearly every plan, so it is worked out once.

use std::collections::HashMap;

use fossick_contract::{Api, Method, OperationIndex};
use fossick_graph::Graph;

/// Operations by place, whatever their holes are called.
#[derive(Debug, Default)]
pub(crate) struct Places {
    place_of: Vec<usize>,
    at_place: Vec<Vec<(Method, OperationIndex)>>,
}

impl Places {
    pub(crate) fn of(api: &Api) -> Self {
        let mut places = Self::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (index, operation) in api.indexed() {
            let fresh = places.at_place.len();
            let place = *known.entry(key(&operation.path.text)).or_insert(fresh);
            if place == fresh {
                places.at_place.push(Vec::new());
            }
            places.place_of.push(place);
            places.at_place[place].push((operation.method, index));
        }
        places
    }

    /// The operation with this method at the same place as another.
    pub(crate) fn neighbour(&self, of: OperationIndex, method: Method) -> Option<OperationIndex> {
        let place = *self.place_of.get(of.0 as usize)?;
        let found = self.at_place[place].iter().find(|(m, _)| *m == method);
        found.map(|(_, index)| *index)
    }
}

impl Places {
    /// The operation that shows the one thing which another changes or removes.
    pub(crate) fn reader(
        &self,
        api: &Api,
        graph: &Graph,
        of: OperationIndex,
    ) -> Option<OperationIndex> {
        match api.operation(of).graphql {
            Some(_) => graph.reader_of(api, of),
            None => self.neighbour(of, Method::Get),
        }
    }

    /// The operation that lists what another creates.
    pub(crate) fn lister(
        &self,
        api: &Api,
        graph: &Graph,
        of: OperationIndex,
    ) -> Option<OperationIndex> {
        match api.operation(of).graphql {
            Some(_) => graph.lister_of(api, of),
            None => self.neighbour(of, Method::Get),
        }
    }
}

/// A path with nameless holes.
fn key(path: &str) -> String {
    let parts = path.trim_end_matches('/').split('/');
    let nameless: Vec<&str> = parts
        .map(|part| if part.contains('{') { "{}" } else { part })
        .collect();
    nameless.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_holes_do_not_tell_places_apart() {
        assert_eq!(key("/a/{x}/b/"), key("/a/{y}/b"));
        assert_ne!(key("/a/{x}"), key("/a/b"));
    }
}
