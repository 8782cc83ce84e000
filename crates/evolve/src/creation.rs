//! Handlings: a template carried out on a resource, after everything that it needs.

use fossick_contract::OperationIndex;
use fossick_trace::Role;

use crate::dice;
use crate::sequence::{Handling, Sequence};
use crate::workshop::Workshop;
use crate::{ResourceId, Template};

/// Things below things below things: no service nests deeper than this and means it.
const DEPTH: usize = 5;
/// How often a handling is about things below what was handled before.
const SHARED: f64 = 0.5;

/// Where a step finds what it works on: in its own handling, then in those from `since` on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) own: usize,
    pub(crate) since: usize,
}

impl Workshop<'_> {
    /// Adds a handling at the end. Tells whether it could; if not, nothing is added. With a view to
    /// dependencies, now and then it lies below what earlier handlings made, and not below parents
    /// of its own.
    pub(crate) fn handle(
        &mut self,
        sequence: &mut Sequence,
        resource: ResourceId,
        template: Template,
        dependent: bool,
    ) -> bool {
        let own = sequence.len();
        let shares = dependent && own > 0 && dice::chance(self.rng, SHARED);
        let since = if shares { 0 } else { own };
        self.handle_within(sequence, resource, template, Reach { own, since })
    }

    /// The same, with what is within reach.
    pub(crate) fn handle_within(
        &mut self,
        sequence: &mut Sequence,
        resource: ResourceId,
        template: Template,
        reach: Reach,
    ) -> bool {
        let Some(acting) = self.acting(resource, template) else {
            return false;
        };
        if template.creates_first() {
            self.create_for(sequence, acting, reach);
        } else if template == Template::Post {
            self.create_parents(sequence, acting, reach, &mut Vec::new());
        }
        for _ in 0..self.repeats(template) {
            let step = self.step(acting, Role::Main);
            self.place(sequence, step, reach);
        }
        self.close(sequence, reach.own, resource, Some(template))
    }

    /// Makes a handling of the steps since `first`, or takes them back if they are too many.
    pub(crate) fn close(
        &self,
        sequence: &mut Sequence,
        first: usize,
        resource: ResourceId,
        template: Option<Template>,
    ) -> bool {
        let steps = sequence.len() - first;
        if steps == 0 || sequence.len() > self.settings.max_test_size {
            sequence.truncate(first);
            return false;
        }
        sequence.handlings.push(Handling {
            resource,
            template,
            steps,
        });
        true
    }

    fn acting(&mut self, resource: ResourceId, template: Template) -> Option<OperationIndex> {
        let mut acting = self.resources.get(resource).with_deed(template.deed());
        if template.creates_first() {
            acting.retain(|index| self.creators.can_create(*index));
        }
        dice::pick(self.rng, &acting)
    }

    /// Whether a second partial update comes after the first.
    pub(crate) fn repeats(&mut self, template: Template) -> usize {
        match template {
            Template::CreatePatch => dice::size(self.rng, 1, 2),
            _ => 1,
        }
    }

    /// CREATE: what an operation works on is made by POST, or now and then by PUT.
    pub(crate) fn create_for(
        &mut self,
        sequence: &mut Sequence,
        acting: OperationIndex,
        reach: Reach,
    ) {
        let makers = self.creators.makers(acting);
        let by_put = makers.posts.is_empty()
            || (!makers.puts.is_empty() && dice::chance(self.rng, self.settings.put_creates()));
        let from = if by_put { &makers.puts } else { &makers.posts };
        if let Some(maker) = dice::pick(self.rng, from) {
            self.create(sequence, maker, reach, &mut Vec::new());
        }
        self.create_parents(sequence, acting, reach, &mut Vec::new());
    }

    fn create(
        &mut self,
        sequence: &mut Sequence,
        maker: OperationIndex,
        reach: Reach,
        above: &mut Vec<OperationIndex>,
    ) {
        if above.len() >= DEPTH
            || above.contains(&maker)
            || sequence.len() > self.settings.max_test_size
        {
            return;
        }
        self.create_parents(sequence, maker, reach, above);
        let step = self.step(maker, Role::Setup);
        self.place(sequence, step, reach);
    }

    /// Makes whatever an operation needs that no step within reach has made.
    pub(crate) fn create_parents(
        &mut self,
        sequence: &mut Sequence,
        of: OperationIndex,
        reach: Reach,
        above: &mut Vec<OperationIndex>,
    ) {
        above.push(of);
        let creators = self.creators;
        for parent in creators.parents(of) {
            if !self.is_made(sequence, of, parent, reach) {
                self.create(sequence, parent.maker, reach, above);
            }
        }
        above.pop();
    }

    /// Whether a step within reach makes a parent, or already works below it.
    fn is_made(
        &self,
        sequence: &Sequence,
        of: OperationIndex,
        parent: &crate::creators::Parent,
        reach: Reach,
    ) -> bool {
        let ours = self.api.operation(of);
        sequence.plan.steps.iter().skip(reach.since).any(|step| {
            let theirs = self.api.operation(step.operation);
            let shared = crate::binding::shared_keys(theirs, ours);
            step.operation == parent.maker || shared.iter().any(|(_, own)| *own == parent.spot)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, library, shop, tracker};
    use fossick_plan::Spot;

    fn handled(bench: &mut Bench, resource: &str, template: Template) -> Option<Sequence> {
        let resource = bench.resource(resource);
        let mut sequence = Sequence::default();
        let done = bench
            .workshop()
            .handle(&mut sequence, resource, template, false);
        assert!(sequence.is_sound());
        done.then_some(sequence)
    }

    #[test]
    fn a_created_item_is_read_by_the_identifier_of_its_creation() {
        let mut bench = Bench::of(shop(), 1);
        bench.settings.resources.as_mut().expect("set").put_creates = 0.0;
        let sequence =
            handled(&mut bench, "/products/{id}", Template::CreateGet).expect("can be made");
        assert_eq!(
            bench.labels(&sequence),
            ["POST /products", "GET /products/{id}"]
        );
        let bind = sequence.plan.steps[1].bind_at(&Spot::Parameter(0));
        assert_eq!(bind.map(|bind| bind.step), Some(0));
        assert_eq!(sequence.plan.steps[0].role, Role::Setup);
    }

    #[test]
    fn one_creation_in_five_is_a_put() {
        let mut bench = Bench::of(shop(), 2);
        let puts = (0..1000).filter(|_| {
            let sequence =
                handled(&mut bench, "/products/{id}", Template::CreateGet).expect("can be made");
            bench.labels(&sequence)[0].starts_with("PUT")
        });
        let share = puts.count() as f64 / 1000.0;
        assert!((share - 0.2).abs() < 0.05, "{share}");
    }

    #[test]
    fn steps_on_a_name_of_ours_all_say_the_same_name() {
        let mut bench = Bench::of(shop(), 3);
        let sequence =
            handled(&mut bench, "/warehouses/{name}", Template::CreateDelete).expect("can be made");
        assert_eq!(
            bench.labels(&sequence),
            ["POST /warehouses/{name}", "DELETE /warehouses/{name}"]
        );
        let name = |at: usize| sequence.plan.steps[at].value_at(&Spot::Parameter(0));
        assert!(name(0).is_some());
        assert_eq!(name(0), name(1));
    }

    #[test]
    fn ancestors_are_created_first_and_their_keys_are_shared() {
        let mut bench = Bench::of(tracker(), 4);
        let sequence = handled(
            &mut bench,
            "/projects/{id}/tasks/{task}",
            Template::CreateGet,
        )
        .expect("can be made");
        assert_eq!(
            bench.labels(&sequence),
            [
                "POST /projects",
                "POST /projects/{id}/tasks",
                "GET /projects/{id}/tasks/{task}"
            ]
        );
        let bound_to = |step: usize, at: usize| {
            let bind = sequence.plan.steps[step].bind_at(&Spot::Parameter(at));
            bind.map(|bind| bind.step)
        };
        assert_eq!(bound_to(1, 0), Some(0));
        assert_eq!(bound_to(2, 0), Some(0));
        assert_eq!(bound_to(2, 1), Some(1));
    }

    #[test]
    fn what_does_not_exist_is_handled_without_creating_it() {
        let mut bench = Bench::of(shop(), 5);
        for template in [
            Template::Get,
            Template::Patch,
            Template::Delete,
            Template::Put,
        ] {
            let sequence = handled(&mut bench, "/products/{id}", template).expect("can be handled");
            assert_eq!(sequence.len(), 1);
            assert!(sequence.plan.steps[0].binds.is_empty());
        }
    }

    #[test]
    fn a_partial_update_comes_once_or_twice() {
        let mut bench = Bench::of(shop(), 6);
        let lengths: std::collections::BTreeSet<usize> = (0..40)
            .filter_map(|_| handled(&mut bench, "/products/{id}", Template::CreatePatch))
            .map(|sequence| sequence.len())
            .collect();
        assert_eq!(lengths.into_iter().collect::<Vec<_>>(), [2, 3]);
    }

    #[test]
    fn what_does_not_fit_is_taken_back() {
        let mut bench = Bench::of(tracker(), 7);
        bench.settings.max_test_size = 2;
        assert!(
            handled(
                &mut bench,
                "/projects/{id}/tasks/{task}",
                Template::CreateGet
            )
            .is_none()
        );
    }

    #[test]
    fn graphql_follows_the_same_templates() {
        let mut bench = Bench::of(library(), 8);
        let sequence = handled(&mut bench, "Book", Template::CreateDelete).expect("can be made");
        assert_eq!(
            bench.labels(&sequence),
            [
                "mutation createAuthor",
                "mutation createBook",
                "mutation deleteBook"
            ]
        );
        let bind = sequence.plan.steps[2].bind_at(&Spot::Body("/id".to_owned()));
        assert_eq!(bind.map(|bind| bind.step), Some(1));
    }

    #[test]
    fn with_dependencies_half_of_the_handlings_share_their_parents() {
        let mut bench = Bench::of(tracker(), 9);
        let (project, tasks) = (
            bench.resource("/projects"),
            bench.resource("/projects/{id}/tasks"),
        );
        let own_parents = |dependent: bool, bench: &mut Bench| {
            let labels = (0..200).map(|_| {
                let (mut workshop, mut sequence) = (bench.workshop(), Sequence::default());
                assert!(workshop.handle(&mut sequence, project, Template::Post, dependent));
                assert!(workshop.handle(&mut sequence, tasks, Template::Post, dependent));
                let last = sequence.len() - 1;
                let above = sequence.plan.steps[last].bind_at(&Spot::Parameter(0));
                assert_eq!(above.map(|bind| bind.step), Some(last - 1));
                sequence.len()
            });
            labels.filter(|len| *len == 3).count()
        };
        assert_eq!(own_parents(false, &mut bench), 200);
        let own = own_parents(true, &mut bench);
        assert!((60..140).contains(&own), "{own}");
    }
}
