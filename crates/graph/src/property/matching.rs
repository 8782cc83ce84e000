//! Parameters that are called like properties.
//!
//! Names alone say little: `status` of an order is no `status` of a pet. Such edges are drawn all
//! the same, for the record of each tells them apart soon enough; but only few for one parameter.

use std::collections::BTreeMap;

use fossick_contract::{Api, Location, OperationIndex, Parameter};

use super::nodes::Sort;
use super::{Properties, SchemaIndex};
use crate::Words;

/// Schemas that one parameter may be met from.
const MOST_SCHEMAS: usize = 6;

/// Parameters that steer the answer and name nothing in it.
const STEERING: [&str; 18] = [
    "limit", "offset", "page", "size", "sort", "order", "cursor", "field", "filter", "search",
    "query", "q", "expand", "includ", "format", "locale", "lang", "callback",
];

pub(crate) struct Matcher {
    by_words: BTreeMap<Words, Vec<(SchemaIndex, String)>>,
}

impl Matcher {
    pub(crate) fn of(properties: &Properties) -> Self {
        let mut by_words: BTreeMap<Words, Vec<(SchemaIndex, String)>> = BTreeMap::new();
        // What nobody answers with gives nothing.
        for schema in properties.producers.keys() {
            for property in &properties.nodes.get(*schema).properties {
                if property.sort != Sort::Part {
                    let same = by_words.entry(Words::of(&property.name)).or_default();
                    same.push((*schema, property.name.clone()));
                }
            }
        }
        Self { by_words }
    }

    /// Properties that a parameter is called like, those of the operation's own subject first.
    pub(crate) fn matches(
        &self,
        api: &Api,
        properties: &Properties,
        index: OperationIndex,
        parameter: &Parameter,
    ) -> Vec<(SchemaIndex, String)> {
        let words = Words::of(&parameter.name);
        let subject = properties.subjects[index.0 as usize];
        let wanted = Sort::of(api, parameter.shape);
        let fits = |(schema, name): &&(SchemaIndex, String)| {
            let property = properties.nodes.get(*schema).property(name);
            let own = Some(*schema) == subject;
            property.is_some_and(|p| p.sort.fits(wanted)) && (own || !words.is_bare())
        };
        let found = self.by_words.get(&words).into_iter().flatten();
        let mut found: Vec<_> = found.filter(fits).cloned().collect();
        found.sort_by_key(|(schema, _)| Some(*schema) != subject);
        found.truncate(MOST_SCHEMAS);
        found
    }
}

/// A parameter that holds one value of its own.
pub(crate) fn is_plain_place(api: &Api, parameter: &Parameter) -> bool {
    let located = matches!(parameter.location, Location::Path | Location::Query);
    let words = Words::of(&parameter.name);
    let steers = words.0.iter().all(|word| STEERING.contains(&word.as_str()));
    let boolean = matches!(
        api.shape(parameter.shape).kind,
        fossick_contract::Kind::Boolean
    );
    located && !steers && !boolean && Sort::of(api, parameter.shape) != Sort::Part
}
