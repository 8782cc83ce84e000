//! Values that must be unique are found out, and are new ever after.

use std::collections::BTreeSet;
use std::sync::Arc;

use fossick_plan::Spot;
use fossick_search::{Search, Way};
use fossick_trace::Unique;

use crate::depot::{Depot, Refusal, world};
use crate::play::{World, free, play, run};

fn keys(search: &Search<'_>, world: &World, label: &str) -> Vec<Spot> {
    let keys = search
        .unique_keys()
        .swap_remove(world.index(label).0 as usize);
    keys.into_iter().collect()
}

fn body(pointer: &str) -> Spot {
    Spot::Body(pointer.to_owned())
}

#[test]
fn a_key_that_a_refusal_names_is_learned() {
    let world = world();
    let mut depot = Depot::new(Refusal::Named);
    let mut search = world.search(free(2));
    play(&mut search, 60, |request| depot.answer(request));
    assert_eq!(
        keys(&search, &world, "POST /suppliers"),
        [body("/taxNumber")]
    );
}

/// Nothing is said but that it can't be done; two equal creations and some less equal ones tell.
#[test]
fn a_key_that_nobody_names_is_found_by_trial() {
    let world = world();
    let mut depot = Depot::new(Refusal::Silent);
    let mut search = world.search(free(3));
    let rounds = play(&mut search, 150, |request| depot.answer(request));
    assert_eq!(
        keys(&search, &world, "POST /suppliers"),
        [body("/taxNumber")]
    );
    assert_eq!(keys(&search, &world, "POST /articles"), [body("/sku")]);
    assert_eq!(keys(&search, &world, "POST /orders"), []);
    let pairs = rounds
        .iter()
        .filter(|r| matches!(r.proposal.way, Way::Again(_)));
    assert!(pairs.count() <= 16);
}

#[test]
fn a_replay_has_new_keys_and_nothing_else_is_new() {
    let world = world();
    let mut depot = Depot::new(Refusal::Silent);
    let mut search = world.search(free(3));
    let rounds = play(&mut search, 150, |request| depot.answer(request));
    let accepted = rounds.iter().find(|round| {
        world.subject(round) == "POST /orders" && round.statuses().last() == Some(&201)
    });
    let plan = &accepted.expect("an order was accepted").proposal.plan;
    let script = search.render_repeatable(plan);
    let is_tax = |name: &&Unique| matches!(name, Unique::Number { field, least: 1, most: 5000, .. } if field == "taxNumber");
    assert!(
        script.names.iter().any(|name| is_tax(&name)),
        "{:?}",
        script.names
    );
    let numbers = script
        .names
        .iter()
        .filter(|name| !matches!(name, Unique::Text(_)));
    assert!(numbers.clone().all(|name| is_tax(&name)));

    let mut depot = Depot::new(Refusal::Silent);
    let mut seen = BTreeSet::new();
    for salt in 0..12 {
        let renamed = Arc::new(script.renamed(salt));
        let episode = run(&renamed, &mut |request: &_| depot.answer(request));
        let last = episode.exchanges.last().and_then(|e| e.outcome.status());
        assert_eq!(last, Some(201), "replay {salt}");
        seen.insert(
            renamed
                .names
                .iter()
                .find(is_tax)
                .map(Unique::value)
                .map(|v| v.to_string()),
        );
    }
    assert_eq!(seen.len(), 12);
}
