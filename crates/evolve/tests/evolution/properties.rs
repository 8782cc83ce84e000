//! Whatever is proposed can be sent: for all services, settings and scores.

use std::sync::Arc;

use fossick_contract::Api;
use fossick_evolve::{Algorithm, Feedback, ResourceSettings, Scores, Settings, Strategy};
use fossick_plan::{Plan, render};
use fossick_trace::Target;
use fossick_validate::Validators;
use proptest::prelude::{ProptestConfig, Strategy as _, any, prop, prop_assert, proptest};

use crate::services::{library, search, shop, tracker};

fn settings() -> impl prop::strategy::Strategy<Value = Settings> {
    let algorithm = prop::sample::select(vec![
        Algorithm::Random,
        Algorithm::Mio,
        Algorithm::Wts,
        Algorithm::Mosa,
    ]);
    let strategy = prop::sample::select(vec![
        Strategy::EqualProbability,
        Strategy::ActionBased,
        Strategy::UsedBudget,
        Strategy::Archive,
        Strategy::ConArchive,
    ]);
    let feedback = prop::sample::select(vec![Feedback::LeastSampled, Feedback::FocusedQuickest]);
    let numbers = (any::<u64>(), 0.0..1.0_f64, 1_usize..12, 0.0..1.0_f64);
    (algorithm, strategy, feedback, any::<bool>(), numbers).prop_map(
        |(algorithm, strategy, feedback, resources, (seed, smart, max_test_size, dependency))| {
            Settings {
                seed,
                algorithm,
                smart,
                feedback,
                max_test_size,
                population: 6,
                suite_size: 5,
                resources: resources.then(|| ResourceSettings {
                    strategy,
                    dependency,
                    ..ResourceSettings::default()
                }),
                ..Settings::default()
            }
        },
    )
}

/// Scores that depend on the plan and on nothing else, with odd values among them.
fn arbitrary(_: &Api, plan: &Plan) -> Scores {
    let mut state = plan.steps.len() as u64;
    let by_step = plan.steps.iter().map(|step| {
        let mut scores = Vec::new();
        for _ in 0..3 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(step.operation.0.into());
            let value = match state >> 60 {
                0 => f64::NAN,
                1 => 2.0,
                2 => -1.0,
                n => n as f64 / 16.0,
            };
            scores.push((Target::Fault(state >> 56), value));
        }
        scores
    });
    Scores {
        by_step: by_step.collect(),
    }
}

/// What is wrong with a plan, if anything is.
fn fault(api: &Api, plan: &Plan, most: usize) -> Option<String> {
    if plan.steps.is_empty() || plan.steps.len() > most {
        return Some(format!("{} steps", plan.steps.len()));
    }
    for (at, step) in plan.steps.iter().enumerate() {
        let operation = api.operation(step.operation);
        if step.arguments.len() != operation.parameters.len() {
            return Some("arguments do not fit".to_owned());
        }
        if step.binds.iter().any(|bind| bind.step >= at) {
            return Some(format!("step {at} binds forward"));
        }
    }
    let labels: Vec<Arc<str>> = api
        .operations
        .iter()
        .map(|o| Arc::from(o.label.as_str()))
        .collect();
    let script = render(api, &labels, plan);
    let captures = script.calls.iter().enumerate();
    let ahead = captures.flat_map(|(at, call)| call.captures().map(move |c| c.call >= at));
    ahead
        .into_iter()
        .any(|ahead| ahead)
        .then(|| "a capture looks ahead".to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_is_sound_and_can_be_written(settings in settings(), which in 0_usize..3) {
        let api = [tracker, library, shop][which]();
        let validators = Validators::new(&api);
        let most = settings.max_test_size;
        let (evolution, plans) = search(&api, &validators, settings, 120, arbitrary);
        for plan in &plans {
            let fault = fault(&api, plan, most);
            prop_assert!(fault.is_none(), "{fault:?}: {plan:?}");
        }
        let (told, open) = evolution.targets();
        prop_assert!(evolution.covered() + open <= told);
        prop_assert!(evolution.archive().all(|(_, kept)| kept.len() <= most));
    }
}

#[test]
fn a_service_without_operations_is_asked_nothing() {
    let api = Api::default();
    let validators = Validators::new(&api);
    for algorithm in [
        Algorithm::Random,
        Algorithm::Mio,
        Algorithm::Wts,
        Algorithm::Mosa,
    ] {
        let settings = Settings {
            algorithm,
            ..Settings::default().with_resources()
        };
        let (_, plans) = search(&api, &validators, settings, 60, arbitrary);
        assert!(plans.iter().all(|plan| plan.steps.is_empty()));
    }
}
