//! Smart sampling without resources: one operation, and before it whatever brings the service into
//! a state in which it can do its work.

use fossick_contract::{Deed, OperationIndex};
use fossick_trace::Role;

use crate::creation::Reach;
use crate::dice;
use crate::sequence::Sequence;
use crate::workshop::Workshop;

/// A smart test is one handling.
const ALL: Reach = Reach { own: 0, since: 0 };

impl Workshop<'_> {
    /// A test by the template of a random operation, and whether it reads a collection; none if it
    /// does not fit.
    pub(crate) fn smart(&mut self) -> Option<(Sequence, bool)> {
        let count = self.api.operations.len();
        let index = OperationIndex(dice::index(self.rng, count) as u32);
        let operation = (count > 0).then(|| self.api.operation(index))?;
        let mut sequence = Sequence::default();
        let deed = operation.deed();
        let reads_collection = deed == Deed::Read
            && !operation.path.ends_with_hole()
            && operation.graphql.as_ref().is_none_or(|root| root.listed);
        match deed {
            Deed::Read if reads_collection => self.fill_collection(&mut sequence, index),
            Deed::Create => self.create_parents(&mut sequence, index, ALL, &mut Vec::new()),
            Deed::Replace if !dice::chance(self.rng, self.settings.put_on_existing) => {
                self.create_parents(&mut sequence, index, ALL, &mut Vec::new());
            }
            _ => self.create_for(&mut sequence, index, ALL),
        }
        let most = if deed == Deed::Update { 2 } else { 1 };
        for _ in 0..dice::size(self.rng, 1, most) {
            let step = self.step(index, Role::Main);
            self.place(&mut sequence, step, ALL);
        }
        let resource = self.resources.of_operation(index);
        let closed = self.close(&mut sequence, 0, resource, None);
        closed.then_some((sequence, reads_collection))
    }

    /// So many creations that a collection has something to show, where it can be added to; what it
    /// lies in comes first.
    fn fill_collection(&mut self, sequence: &mut Sequence, index: OperationIndex) {
        let wanted = dice::size(self.rng, 0, self.settings.collection_creations);
        self.create_parents(sequence, index, ALL, &mut Vec::new());
        for _ in 0..wanted {
            self.add_creation(sequence, index);
        }
    }

    fn add_creation(&mut self, sequence: &mut Sequence, reads: OperationIndex) {
        let posts = self.creators.own(reads);
        let Some(maker) = dice::pick(self.rng, posts) else {
            return;
        };
        self.create_parents(sequence, maker, ALL, &mut Vec::new());
        let step = self.step(maker, Role::Setup);
        self.place(sequence, step, ALL);
    }

    /// The one change of structure that a smart test allows: a creation more or fewer before the
    /// read of a collection.
    pub(crate) fn change_creations(&mut self, sequence: &Sequence) -> Option<Sequence> {
        let (read, before) = sequence.plan.steps.split_last()?;
        let posts = self.creators.own(read.operation);
        let made = before.iter().filter(|s| posts.contains(&s.operation));
        let fewer = made.count() > 0 && dice::chance(self.rng, 0.5);
        let mut changed = sequence.clone();
        changed.truncate(before.len());
        if fewer {
            let at = before.iter().rposition(|s| posts.contains(&s.operation))?;
            if at + 1 != before.len() {
                return None;
            }
            changed.truncate(at);
        } else {
            self.add_creation(&mut changed, read.operation);
        }
        self.place(&mut changed, read.clone(), ALL);
        let handling = changed.handlings.pop()?;
        let grown = self.close(&mut changed, 0, handling.resource, None);
        (grown && changed.len() != sequence.len()).then_some(changed)
    }
}

#[cfg(test)]
mod tests {
    use crate::workshop::tests::{Bench, library, shop, tracker};
    use std::collections::BTreeSet;

    fn samples(bench: &mut Bench) -> BTreeSet<Vec<String>> {
        let mut found = BTreeSet::new();
        for _ in 0..300 {
            if let Some((sequence, _)) = bench.workshop().smart() {
                assert!(sequence.is_sound());
                found.insert(bench.labels(&sequence));
            }
        }
        found
    }

    fn has(found: &BTreeSet<Vec<String>>, test: &[&str]) -> bool {
        found.contains(&test.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn every_method_has_its_template() {
        let found = samples(&mut Bench::of(shop(), 1));
        let post = "POST /products";
        assert!(has(&found, &["GET /products"]));
        assert!(has(&found, &[post, post, post, "GET /products"]));
        assert!(!has(&found, &[post, post, post, post, "GET /products"]));
        assert!(has(&found, &[post, "GET /products/{id}"]));
        assert!(has(&found, &[post]));
        assert!(has(&found, &["PUT /products/{key}"]));
        assert!(has(&found, &[post, "PUT /products/{key}"]));
        let patch = "PATCH /products/{id}";
        assert!(has(&found, &[post, patch]) && has(&found, &[post, patch, patch]));
        assert!(!has(&found, &["DELETE /products/{id}"]));
    }

    #[test]
    fn what_can_not_be_added_to_is_not_filled() {
        let found = samples(&mut Bench::of(tracker(), 5));
        let report = "GET /projects/{id}/report";
        let tests = found
            .iter()
            .filter(|test| test.last().is_some_and(|l| l == report));
        let tests: Vec<_> = tests.collect();
        assert_eq!(tests, [&["POST /projects".to_owned(), report.to_owned()]]);
    }

    #[test]
    fn intermediate_resources_are_made_first() {
        let found = samples(&mut Bench::of(tracker(), 2));
        let (project, task) = ("POST /projects", "POST /projects/{id}/tasks");
        assert!(has(&found, &[project, "GET /projects/{id}/report"]));
        assert!(has(&found, &[project, task]));
        assert!(has(
            &found,
            &[project, task, "GET /projects/{id}/tasks/{task}"]
        ));
    }

    #[test]
    fn graphql_has_them_too() {
        let found = samples(&mut Bench::of(library(), 3));
        assert!(has(
            &found,
            &["mutation createAuthor", "mutation createBook", "query book"]
        ));
    }

    #[test]
    fn only_the_creations_before_a_collection_come_and_go() {
        let mut bench = Bench::of(shop(), 4);
        let mut changed = 0;
        for _ in 0..200 {
            let Some((sequence, true)) = bench.workshop().smart() else {
                continue;
            };
            if let Some(other) = bench.workshop().change_creations(&sequence) {
                assert!(other.is_sound());
                assert_eq!(other.len().abs_diff(sequence.len()), 1);
                assert_eq!(bench.labels(&other).last(), bench.labels(&sequence).last());
                changed += 1;
            }
        }
        assert!(changed > 0);
    }
}
