//! Where an operation speaks of things by name: a `warehouse` that it takes is one of those under
//! `/warehouses`.

use std::collections::BTreeSet;

use fossick_contract::{Api, Operation};
use fossick_graph::Words;
use fossick_plan::{Spot, keys};

use crate::vocabulary::{body_fields, embedded_fields};

/// Spots of an operation whose names, without `id` or `name` at the end, are those of resources.
/// Keys are not among them: those are the operation's own.
pub(crate) fn mentions(
    api: &Api,
    operation: &Operation,
    called: &BTreeSet<Words>,
) -> Vec<(Spot, Words)> {
    let own = keys(operation);
    let parameters = operation.parameters.iter().enumerate();
    let parameters = parameters.map(|(at, p)| (Spot::Parameter(at), p.name.as_str()));
    let fields = body_fields(api, operation).map(|name| (Spot::Body(pointer(name)), name));
    parameters
        .chain(fields)
        .filter(|(spot, _)| !own.contains(spot))
        .map(|(spot, name)| (spot, Words::of(name).subject()))
        .filter(|(_, words)| called.contains(words))
        .collect()
}

/// Where an operation sends things inside its own: an order with its `address` sends one of those
/// under `/addresses`, and tells what it is known by.
pub(crate) fn embedded(
    api: &Api,
    operation: &Operation,
    called: &BTreeSet<Words>,
) -> Vec<(Spot, Words)> {
    let mut found = Vec::new();
    for (outer, inner) in embedded_fields(api, operation) {
        let words = Words::of(outer);
        if called.contains(&words) && Words::of(inner).is_identifier() {
            let spot = Spot::Body(format!("{}{}", pointer(outer), pointer(inner)));
            found.push((spot, words));
        }
    }
    found
}

fn pointer(name: &str) -> String {
    format!("/{}", fossick_contract::escape_token(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, orders, shop};

    #[test]
    fn a_thing_inside_another_is_known_by_its_identifier() {
        let bench = Bench::of(orders(), 0);
        let post = bench.api.find("POST /orders").expect("declared");
        let expected = (Spot::Body("/address/id".to_owned()), Words::of("addresses"));
        assert_eq!(bench.resources.embedded(post), [expected]);
    }

    #[test]
    fn a_mention_is_a_resource_by_name_and_no_key() {
        let bench = Bench::of(shop(), 0);
        let post = bench
            .api
            .find("POST /stock/{productName}")
            .expect("declared");
        let expected = (Spot::Parameter(1), Words::of("warehouse"));
        assert_eq!(bench.resources.mentions(post), [expected]);
    }
}
