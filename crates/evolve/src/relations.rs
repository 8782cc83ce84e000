//! Dependencies that the document itself suggests: one resource speaks of another by name.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::Api;
use fossick_graph::nameless;

use crate::dependencies::{Dependencies, Evidence};
use crate::likeness::Trigrams;
use crate::vocabulary::{called, spellings, words_of};
use crate::{ResourceId, Resources};

/// Joins resources whose words are at least this alike to what others are called by. A path and
/// those below it are left out: whoever handles the lower makes the upper anyway.
pub(crate) fn prematch(
    api: &Api,
    resources: &Resources,
    likeness: f64,
    dependencies: &mut Dependencies,
) {
    let stems = called(resources);
    let mut lexicon = Lexicon::of(resources, likeness);
    let paths: Vec<String> = resources.iter().map(|(_, r)| nameless(&r.name)).collect();
    for (id, resource) in resources.iter() {
        for word in words_of(api, &stems, resource) {
            for (other, degree) in lexicon.named_like(word) {
                let lines = (&paths[id.0 as usize], &paths[other.0 as usize]);
                if *other != id && !same_line(lines.0, lines.1) {
                    dependencies.relate(id, *other, *degree, Evidence::Schema);
                }
            }
        }
    }
}

/// Which resources a word may mean. Each word is compared once, however many resources use it.
struct Lexicon {
    names: Vec<(ResourceId, Trigrams)>,
    least: f64,
    known: BTreeMap<String, Vec<(ResourceId, f64)>>,
}

impl Lexicon {
    fn of(resources: &Resources, least: f64) -> Self {
        let mut names = Vec::new();
        for (id, resource) in resources.iter().filter(|(_, r)| !r.token.is_empty()) {
            let mut written = BTreeSet::new();
            spellings(&resource.token, &mut written);
            names.extend(written.iter().map(|name| (id, Trigrams::of(name))));
        }
        Self {
            names,
            least,
            known: BTreeMap::new(),
        }
    }

    fn named_like(&mut self, word: String) -> &[(ResourceId, f64)] {
        let (names, least) = (&self.names, self.least);
        self.known.entry(word).or_insert_with_key(|word| {
            let own = Trigrams::of(word);
            let degrees = names.iter().map(|(id, name)| (*id, name.likeness(&own)));
            degrees.filter(|(_, degree)| *degree > least).collect()
        })
    }
}

fn same_line(a: &str, b: &str) -> bool {
    a.starts_with('/') && (below(a, b) || below(b, a))
}

fn below(path: &str, upper: &str) -> bool {
    let rest = path.strip_prefix(upper);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, library, shop};

    fn related(bench: &mut Bench, a: &str, b: &str) -> bool {
        let mut found = Dependencies::new(bench.resources.len());
        prematch(&bench.api, &bench.resources, 0.6, &mut found);
        let (a, b) = (bench.resource(a), bench.resource(b));
        found
            .iter()
            .any(|d| !d.directed && [(d.dependent, d.on), (d.on, d.dependent)].contains(&(a, b)))
    }

    #[test]
    fn a_parameter_names_the_resource_it_refers_to() {
        let mut bench = Bench::of(shop(), 0);
        assert!(related(
            &mut bench,
            "/stock/{productName}",
            "/warehouses/{name}"
        ));
        assert!(related(&mut bench, "/stock/{productName}", "/products"));
        assert!(!related(&mut bench, "/health", "/products"));
    }

    #[test]
    fn an_item_and_its_collection_are_no_pair() {
        let mut bench = Bench::of(shop(), 0);
        assert!(!related(&mut bench, "/products", "/products/{id}"));
    }

    #[test]
    fn types_are_related_by_their_arguments() {
        let mut bench = Bench::of(library(), 0);
        assert!(related(&mut bench, "Book", "Author"));
    }
}
