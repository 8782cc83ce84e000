//! The algorithms against each other, where it is known which should win.

use fossick_contract::Api;
use fossick_evolve::{Algorithm, Evidence, Feedback, Scores, Settings};
use fossick_plan::Plan;
use fossick_trace::Target;
use fossick_validate::Validators;

use crate::services::{numbers, run_numbers, run_shop, search, shop};

const SEEDS: u64 = 3;

/// Targets covered over all seeds.
fn covered(
    api: &Api,
    settings: &Settings,
    budget: usize,
    run: impl Fn(&Api, &Plan) -> Scores + Copy,
) -> usize {
    let validators = Validators::new(api);
    let of_seed = |seed| {
        let settings = Settings {
            seed,
            ..settings.clone()
        };
        search(api, &validators, settings, budget, run).0.covered()
    };
    (0..SEEDS).map(of_seed).sum()
}

fn of(algorithm: Algorithm) -> Settings {
    Settings {
        algorithm,
        ..Settings::default()
    }
}

#[test]
fn every_guided_search_beats_a_random_one_on_numbers() {
    const BUDGET: usize = 9000;
    let api = numbers();
    let random = covered(&api, &of(Algorithm::Random), BUDGET, run_numbers);
    let small_suites = Settings {
        population: 8,
        suite_size: 6,
        ..of(Algorithm::Wts)
    };
    let focused = Settings {
        feedback: Feedback::FocusedQuickest,
        ..of(Algorithm::Mio)
    };
    for settings in [
        of(Algorithm::Mio),
        focused,
        of(Algorithm::Mio).with_resources(),
        of(Algorithm::Mosa),
        small_suites,
    ] {
        let guided = covered(&api, &settings, BUDGET, run_numbers);
        assert!(guided > random, "{guided} against {random} by {settings:?}");
    }
}

#[test]
fn resources_with_dependencies_beat_smart_sampling_and_that_beats_plain_search() {
    let api = shop();
    let plain = covered(&api, &of(Algorithm::Mio), 1500, run_shop);
    let smart = Settings {
        smart: 0.6,
        ..of(Algorithm::Mio)
    };
    let smart = covered(&api, &smart, 1500, run_shop);
    let resources = of(Algorithm::Mio).with_resources();
    let resources = covered(&api, &resources, 1500, run_shop);
    assert!(smart > plain, "smart {smart}, plain {plain}");
    assert!(resources > smart, "resources {resources}, smart {smart}");
}

#[test]
fn dependencies_are_found_and_told_with_their_direction() {
    let api = shop();
    let validators = Validators::new(&api);
    let settings = of(Algorithm::Mio).with_resources();
    let (evolution, _) = search(&api, &validators, settings, 1500, run_shop);
    let name = |id| evolution.resources().get(id).name.clone();
    let found = evolution.dependencies().find(|d| {
        d.directed
            && name(d.dependent).starts_with("/products")
            && name(d.on).starts_with("/warehouses")
    });
    let found = found.expect("products need warehouses");
    assert!(found.probability >= 0.5);
    assert!(found.evidence.contains(&Evidence::Fitness));
}

#[test]
fn the_archive_holds_the_shortest_test_of_each_covered_target() {
    let api = shop();
    let validators = Validators::new(&api);
    let settings = of(Algorithm::Mio).with_resources();
    let (evolution, plans) = search(&api, &validators, settings, 800, run_shop);
    let mut kept = 0;
    for (target, individual) in evolution.archive() {
        kept += 1;
        let reaches = |plan: &Plan| {
            let scores = run_shop(&api, plan).by_step;
            scores
                .iter()
                .flatten()
                .any(|(t, value)| *t == target && *value >= 1.0)
        };
        assert!(reaches(individual.plan()), "{target:?}");
        let shorter = plans.iter().filter(|p| p.steps.len() < individual.len());
        assert!(!shorter.clone().any(reaches), "{target:?}");
    }
    assert_eq!(kept, evolution.covered());
    let missing = Target::Status(fossick_contract::OperationIndex(0), 599);
    assert!(evolution.archive().all(|(target, _)| target != missing));
}

#[test]
fn one_seed_is_one_run() {
    let api = shop();
    let validators = Validators::new(&api);
    for algorithm in [
        Algorithm::Random,
        Algorithm::Mio,
        Algorithm::Wts,
        Algorithm::Mosa,
    ] {
        let run = |seed| {
            let settings = Settings {
                seed,
                ..of(algorithm).with_resources()
            };
            search(&api, &validators, settings, 400, run_shop).1
        };
        assert!(run(1) == run(1), "{algorithm:?}");
        assert!(run(1) != run(2), "{algorithm:?}");
    }
}
