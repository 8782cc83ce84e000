//! How long a proposal and its learning take, with very many targets. Not a test of every day:
//! `cargo test --release -p fossick-evolve -- --ignored --nocapture`.

use std::time::Instant;

use fossick_contract::Api;
use fossick_evolve::{Algorithm, Scores, Settings};
use fossick_plan::Plan;
use fossick_trace::Target;
use fossick_validate::Validators;

use crate::services::{library, search, tracker};

/// Every step reaches a hundred of ten thousand targets, some nearer than others.
fn many(_: &Api, plan: &Plan) -> Scores {
    let mut state = plan.steps.len() as u64;
    let by_step = plan.steps.iter().map(|step| {
        state = state.wrapping_mul(6_364_136_223_846_793_005) ^ u64::from(step.operation.0);
        let first = (state >> 33) % 10_000;
        let near = ((state >> 20) % 1000) as f32 / 1001.0;
        let each = (0..100).map(|n| (Target::Fault((first + n * 97) % 10_000), near));
        each.collect()
    });
    Scores {
        by_step: by_step.collect(),
    }
}

#[test]
#[ignore = "a measurement, for release builds"]
#[expect(clippy::print_stdout, reason = "a figure is what it is run for")]
fn a_proposal_and_its_learning_take_less_than_a_tenth_of_a_millisecond() {
    const BUDGET: usize = 20_000;
    for (name, api) in [("rest", tracker()), ("graphql", library())] {
        let validators = Validators::new(&api);
        for (kind, settings) in [
            ("random", (Algorithm::Random, false)),
            ("mio", (Algorithm::Mio, false)),
            ("mio with resources", (Algorithm::Mio, true)),
            ("mosa", (Algorithm::Mosa, false)),
            ("wts", (Algorithm::Wts, false)),
        ] {
            let base = Settings {
                algorithm: settings.0,
                ..Settings::default()
            };
            let settings = if settings.1 {
                base.with_resources()
            } else {
                base
            };
            let start = Instant::now();
            let (evolution, _) = search(&api, &validators, settings, BUDGET, many);
            let each = start.elapsed().as_secs_f64() * 1e6 / BUDGET as f64;
            let (told, _) = evolution.targets();
            println!("{name}, {kind}: {each:.1} µs each, {told} targets");
            assert!(
                !kind.starts_with("mio") || each < 100.0,
                "{name}, {kind}: {each:.1} µs"
            );
        }
    }
}
