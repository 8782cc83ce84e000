//! What the names of a lab file mean here: its strategies, synthetic services and metrics.
//!
//! All of them are looked at before the first run, because a misspelt word that shows only after a
//! night is an expensive one.

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_evolve::ValueSource;
use fossick_lab::{Experiment, External, ServiceKind, Strategy as Told};
use fossick_search::Strategy;
use serde::Deserialize as _;
use serde::de::value::{Error as Wrong, StrDeserializer};

use crate::nearest::{hint, nearest};
use crate::probe_name::ProbeName;
use crate::strategy::{SearchConfig, StrategyName, strategy};
use crate::synth;

/// What is measured of every run; lines and branches only where the service counts them,
/// `no_errors` and `with_errors` only of GraphQL, and `tests` only where it is asked for.
const METRICS: [&str; 20] = [
    "targets",
    "tests",
    "statuses",
    "operations_ok",
    "operations_5xx",
    "no_errors",
    "with_errors",
    "succeeded",
    "not_found",
    "sequences",
    "edges_added",
    "edges_removed",
    "findings",
    "requests",
    "lines",
    "branches",
    "lines_covered",
    "branches_covered",
    "seconds",
    "cpu_seconds",
];

/// Those whose course over a run is recorded.
const COURSES: [&str; 2] = ["targets", "succeeded"];

/// The strategies in the order of the file.
pub(super) struct Settings(Vec<Strategy>);

impl Settings {
    pub(super) fn of(&self, experiment: &Experiment, name: &str) -> Strategy {
        let place = experiment.strategies.iter().position(|s| s.name == name);
        let strategy = place.and_then(|place| self.0.get(place));
        strategy.expect("a cell has a strategy of its file").clone()
    }
}

pub(super) fn settings(experiment: &Experiment, file: &str) -> Result<Settings> {
    check_metrics(experiment).with_context(|| format!("failed to read {file}"))?;
    for service in &experiment.services {
        check_service(&service.kind)
            .with_context(|| format!("{file}: service `{}`", service.name))?;
    }
    let read =
        |told: &Told| searching(told).with_context(|| format!("{file}: strategy `{}`", told.name));
    let strategies: Result<Vec<_>> = experiment.strategies.iter().map(read).collect();
    Ok(Settings(strategies?))
}

fn check_service(kind: &ServiceKind) -> Result<()> {
    match kind {
        ServiceKind::Synth(it) => synth::named(&it.shape).map(drop),
        ServiceKind::External(External {
            probe: Some(probe), ..
        }) => ProbeName::named(probe).map(drop),
        ServiceKind::External(_) | ServiceKind::Demo(_) => Ok(()),
    }
}

fn check_metrics(experiment: &Experiment) -> Result<()> {
    for metric in &experiment.metrics {
        if !METRICS.contains(&metric.name.as_str()) {
            let advice = match nearest(&metric.name, METRICS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are: {}", METRICS.join(", ")),
            };
            bail!("there is no metric `{}`\n  {advice}", metric.name);
        }
    }
    if !COURSES.contains(&experiment.main.as_str()) {
        bail!(
            "only the courses of `targets` and `succeeded` are recorded: name one of them first, \
             or write main = \"targets\""
        );
    }
    Ok(())
}

/// A strategy of a lab file has the settings of `[search]`, with `_` where that has `-`.
fn searching(told: &Told) -> Result<Strategy> {
    let name = StrategyName::deserialize(StrDeserializer::<Wrong>::new(&told.strategy))
        .map_err(|error| complaint(&error.to_string()))?;
    let table = table(told);
    if name == StrategyName::Auto && (!table.is_empty() || told.draws_values) {
        let values = told.draws_values.then_some("values");
        let keys: Vec<&str> = table.keys().map(String::as_str).chain(values).collect();
        bail!("`auto` has no settings: leave out {}", keys.join(", "));
    }
    let search: SearchConfig = toml::Value::Table(table)
        .try_into()
        .map_err(|error: toml::de::Error| complaint(error.message()))?;
    let mut strategy = strategy(name, &search)?;
    if let Strategy::Evolve(settings) = &mut strategy
        && told.draws_values
    {
        settings.values = ValueSource::Drawn;
    }
    Ok(strategy)
}

fn complaint(message: &str) -> anyhow::Error {
    anyhow!("{message}{}", hint(message))
}

fn table(told: &Told) -> toml::Table {
    let own = [
        ("smart", told.smart.map(toml::Value::from)),
        ("resources", told.resources.clone().map(toml::Value::from)),
        ("p-s", told.p_s.map(toml::Value::from)),
        ("p-d", told.p_d.map(toml::Value::from)),
        ("prematch", told.prematch.map(toml::Value::from)),
    ];
    let own = own
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    let more = told.more.iter();
    own.chain(more.map(|(key, value)| (key.replace('_', "-"), value.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(strategy: &str) -> Result<Settings> {
        let text = format!(
            "budgets = 10\n[services.a]\nsynth = \"medium-deep-property-shown\"\n\
             [strategies.x]\n{strategy}"
        );
        let experiment = Experiment::read(&text, "lab.toml").expect("a sound file");
        settings(&experiment, "lab.toml")
    }

    fn complaint(strategy: &str) -> String {
        match read(strategy) {
            Ok(_) => panic!("{strategy} is wrong"),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn settings_are_those_of_the_search_table() {
        let settings =
            read("strategy = \"mio\"\nresources = \"archive\"\np_d = 0.5\nmax_test_size = 4");
        let Strategy::Evolve(settings) = &settings.expect("sound").0[0] else {
            panic!("mio evolves");
        };
        let resources = settings.resources.as_ref().expect("told");
        assert_eq!((resources.dependency, settings.max_test_size), (0.5, 4));
    }

    #[test]
    fn what_is_unknown_is_named_with_the_nearest() {
        assert_eq!(
            complaint("strategy = \"mia\""),
            "lab.toml: strategy `x`: unknown variant `mia`, expected one of `auto`, `random`, \
             `mio`, `wts`, `mosa`, `rpg`\n  did you mean `mio`?"
        );
        let unknown = complaint("strategy = \"wts\"\npopulaton = 4");
        assert!(unknown.starts_with("lab.toml: strategy `x`: unknown field"));
        assert!(unknown.ends_with("did you mean `population`?"), "{unknown}");
        let auto = complaint("strategy = \"auto\"\np_d = 1");
        assert!(auto.ends_with("leave out p-d"), "{auto}");
    }

    #[test]
    fn services_and_metrics_must_be_known() {
        for (from, to, words) in [
            (
                "-shown",
                "-shwon",
                "did you mean `medium-deep-property-shown`?",
            ),
            (
                "[services",
                "metrics = [\"targets\", \"line\"]\n[services",
                "`lines`?",
            ),
            (
                "[services",
                "metrics = [\"lines\"]\n[services",
                "only the course",
            ),
        ] {
            let text = "budgets = 10\n[services.a]\nsynth = \"medium-deep-property-shown\"\n\
                        [strategies.mio]\n";
            let text = text.replacen(from, to, 1);
            let experiment = Experiment::read(&text, "lab.toml").expect("a sound file");
            let Err(error) = settings(&experiment, "lab.toml") else {
                panic!("{to} is wrong");
            };
            let error = format!("{error:#}");
            assert!(error.contains(words), "{error}");
        }
    }
}
