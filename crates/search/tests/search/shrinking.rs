//! Simpler plans: never longer, and still about what they were about.

use std::sync::Arc;

use fossick_plan::Plan;
use fossick_search::Shrinker;
use fossick_trace::Intent;

use crate::play::{World, free, run};
use crate::workshop::Workshop;

/// How much there is in a plan: its steps, arguments and the bytes of its bodies.
fn weight(plan: &Plan) -> (usize, usize, usize) {
    let arguments = plan.steps.iter().flat_map(|s| s.arguments.iter().flatten());
    let bodies = plan.steps.iter().filter_map(|s| s.body.as_ref());
    let bytes = bodies.map(|b| b.gene.value().to_string().len());
    (plan.steps.len(), arguments.count(), bytes.sum())
}

#[test]
fn candidates_are_never_longer() {
    let world = World::workshop();
    let mut shrinker = Shrinker::new(&world.api, &world.validators, 1);
    let mut seen = 0;
    for round in world.played(free(1), 400) {
        let plan = &round.proposal.plan;
        let (steps, arguments, _) = weight(plan);
        for (simpler, shows) in shrinker.simpler(plan, plan.main()) {
            let (fewer, less, _) = weight(&simpler);
            assert!(fewer <= steps && less <= arguments);
            assert!(shows < fewer);
            assert_ne!(&simpler, plan);
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn the_step_that_shows_the_fault_stays() {
    let world = World::workshop();
    let mut shrinker = Shrinker::new(&world.api, &world.validators, 1);
    for round in world.played(free(2), 400) {
        let plan = &round.proposal.plan;
        for shows in 0..plan.steps.len() {
            let shown = &plan.steps[shows];
            for (simpler, at) in shrinker.simpler(plan, shows) {
                assert_eq!(simpler.steps[at].operation, shown.operation);
                // Of several telling values some may go; nothing else becomes special.
                let (less, all) = (&simpler.steps[at].intent, shown.intent.tellings());
                match &shown.intent {
                    Intent::Edges(_) => assert!(less.tellings().iter().all(|t| all.contains(t))),
                    intent => assert_eq!(less, intent),
                }
            }
        }
    }
}

#[test]
fn what_an_intent_speaks_of_stays_as_it_is() {
    let world = World::workshop();
    let mut shrinker = Shrinker::new(&world.api, &world.validators, 1);
    let mut seen = 0;
    for round in world.played(free(3), 1500) {
        let plan = &round.proposal.plan;
        let main = plan.main();
        let step = &plan.steps[main];
        let fossick_search::Way::Edge { spot, .. } = &round.proposal.way else {
            continue;
        };
        for (simpler, at) in shrinker.simpler(plan, main) {
            assert_eq!(simpler.steps[at].value_at(spot), step.value_at(spot));
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_broken_body_is_not_mended() {
    let world = World::workshop();
    let mut shrinker = Shrinker::new(&world.api, &world.validators, 1);
    for round in world.played(free(4), 1500) {
        let plan = &round.proposal.plan;
        let main = plan.main();
        let step = &plan.steps[main];
        if !matches!(step.intent, Intent::Broken { .. }) {
            continue;
        }
        let body = |plan: &Plan, at: usize| {
            let body = plan.steps[at].body.as_ref();
            body.map(|body| body.gene.value())
        };
        for (simpler, at) in shrinker.simpler(plan, main) {
            assert_eq!(body(&simpler, at), body(plan, main));
        }
    }
}

/// Taking the first candidate that still shows the fault leads to the shortest plan.
#[test]
fn a_fault_is_shrunk_to_what_it_needs() {
    let world = World::workshop();
    let rounds = world.played(free(5), 600);
    let crashes = |plan: &Plan, at: usize| {
        let search = world.search(free(0));
        let script = Arc::new(search.render(plan));
        let mut workshop = Workshop::new();
        let episode = run(&script, &mut |request: &_| workshop.answer(request));
        let status = episode.exchanges.get(at).and_then(|e| e.outcome.status());
        &*script.calls[at].operation == "DELETE /projects/{project_id}" && status == Some(204)
    };
    let long = rounds
        .iter()
        .map(|round| &round.proposal.plan)
        .find(|plan| plan.steps.len() >= 4 && crashes(plan, plan.main()));
    let mut plan = long.expect("a handling of a removal").clone();
    let mut shows = plan.main();
    let mut shrinker = Shrinker::new(&world.api, &world.validators, 1);
    while let Some((simpler, at)) = shrinker
        .simpler(&plan, shows)
        .into_iter()
        .find(|(plan, at)| crashes(plan, *at))
    {
        (plan, shows) = (simpler, at);
    }
    assert_eq!(world.verbs(&plan), "POST DELETE");
    assert_eq!(world.label(&plan.steps[0]), "POST /projects");
    let body = plan.steps[0].body.as_ref().expect("a body").gene.value();
    assert!(body.get("kind").is_none(), "nobody needs it: {body}");
}
