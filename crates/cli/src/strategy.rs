//! Which strategy searches: `--strategy`, and `[search]` in fossick.toml for what the papers vary.
//!
//! The same settings are those of a strategy in a lab file.

use anyhow::{Result, bail};
use clap::ValueEnum;
use fossick_evolve::{Algorithm, Feedback, ResourceSettings, Settings, Slide};
use fossick_search::{RpgSettings, Strategy};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StrategyName {
    /// Everything fossick has, by what it brought lately
    Auto,
    /// Random search
    Random,
    /// Many independent objectives, with resources and their dependencies
    Mio,
    /// Whole test suites
    Wts,
    /// Many-objective sorting
    Mosa,
    /// Call sequences from the property graph
    Rpg,
}

/// How to evolve. What is left out is as the papers have it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct SearchConfig {
    smart: Option<Smart>,
    resources: Option<Resources>,
    p_s: Option<Share>,
    p_d: Option<Share>,
    prematch: Option<bool>,
    random_sampling: Option<Shares>,
    population_limit: Option<Counts>,
    mutations: Option<Counts>,
    focus_start: Option<Share>,
    feedback: Option<FeedbackName>,
    max_test_size: Option<Count>,
    structure_mutation: Option<Share>,
    even_share: Option<Share>,
    population: Option<Count>,
    elites: Option<Count>,
    crossover: Option<Share>,
    suite_size: Option<Count>,
    graph: Option<bool>,
    repair: Option<bool>,
    tries: Option<Count>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Resources {
    None,
    Equal,
    Action,
    Budget,
    Archive,
    ConArchive,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FeedbackName {
    LeastSampled,
    FocusedQuickest,
}

/// A probability, or a part of the budget.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
struct Share(f64);

/// A probability, or whether it is used at all.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
struct Smart(f64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "toml::Value")]
struct Count(usize);

/// One probability, or the first and the last.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
struct Shares(Slide);

/// One number, or the first and the last.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
struct Counts(Slide);

/// What the papers take where they say only that sampling is smart.
const SMART: f64 = 0.5;
/// More than this of anything is a slip of the keyboard.
const MOST: i64 = 10_000;

fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|n| n as f64))
}

fn share(value: &toml::Value) -> Result<f64, String> {
    number(value)
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| format!("expected a number between 0 and 1, not {value}"))
}

fn count(value: &toml::Value) -> Result<usize, String> {
    value
        .as_integer()
        .filter(|count| (1..=MOST).contains(count))
        .and_then(|count| usize::try_from(count).ok())
        .ok_or_else(|| format!("expected a whole number between 1 and {MOST}, not {value}"))
}

/// One value for all the time, or `[first, last]`.
fn slide(
    value: &toml::Value,
    read: impl Fn(&toml::Value) -> Result<f64, String>,
) -> Result<Slide, String> {
    match value {
        toml::Value::Array(both) => match both.as_slice() {
            [first, last] => Ok(Slide::of(read(first)?, read(last)?)),
            _ => Err("expected one number, or the first and the last of them".to_owned()),
        },
        one => read(one).map(|value| Slide::of(value, value)),
    }
}

impl TryFrom<toml::Value> for Share {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        share(&value).map(Self)
    }
}

impl TryFrom<toml::Value> for Smart {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        match value.as_bool() {
            Some(is_smart) => Ok(Self(if is_smart { SMART } else { 0.0 })),
            None => share(&value).map(Self),
        }
    }
}

impl TryFrom<toml::Value> for Count {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        count(&value).map(Self)
    }
}

impl TryFrom<toml::Value> for Shares {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        slide(&value, share).map(Self)
    }
}

impl TryFrom<toml::Value> for Counts {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        slide(&value, |one| count(one).map(|n| n as f64)).map(Self)
    }
}

/// The strategy of a run: what was told on the command line wins over the file.
pub(crate) fn chosen(
    flag: Option<StrategyName>,
    file: Option<StrategyName>,
    search: Option<&SearchConfig>,
) -> Result<Strategy> {
    let name = flag.or(file);
    if name.is_none() && search.is_some() {
        bail!("[search] is about random, mio, wts, mosa and rpg: add strategy = \"mio\", say");
    }
    if file == Some(StrategyName::Auto) && search.is_some() {
        bail!("[search] has no meaning for strategy = \"auto\"");
    }
    let none = SearchConfig::default();
    strategy(name.unwrap_or(StrategyName::Auto), search.unwrap_or(&none))
}

/// A strategy with its settings.
pub(crate) fn strategy(name: StrategyName, search: &SearchConfig) -> Result<Strategy> {
    let is_rpg = name == StrategyName::Rpg;
    if !is_rpg && search.without_graph() != *search {
        bail!("`graph`, `repair` and `tries` are about strategy = \"rpg\"");
    }
    let algorithm = match name {
        StrategyName::Auto => return Ok(Strategy::Auto),
        StrategyName::Rpg => return search.rpg().map(Strategy::Graph),
        StrategyName::Random => Algorithm::Random,
        StrategyName::Mio => Algorithm::Mio,
        StrategyName::Wts => Algorithm::Wts,
        StrategyName::Mosa => Algorithm::Mosa,
    };
    let mut settings = Settings {
        algorithm,
        smart: search.smart.map_or(0.0, |smart| smart.0),
        resources: search.resources(algorithm)?,
        ..Settings::default()
    };
    search.apply(&mut settings);
    Ok(Strategy::Evolve(Box::new(settings)))
}

impl SearchConfig {
    fn without_graph(&self) -> Self {
        Self {
            graph: None,
            repair: None,
            tries: None,
            ..self.clone()
        }
    }

    fn rpg(&self) -> Result<RpgSettings> {
        if self.without_graph() != Self::default() {
            bail!("`rpg` knows `graph`, `repair` and `tries` alone");
        }
        let (graph, repair) = (self.graph.unwrap_or(true), self.repair.unwrap_or(true));
        let told = self.repair.is_some() || self.tries.is_some();
        if (!graph && told) || (!repair && self.tries.is_some()) {
            bail!("without a graph nothing is repaired, and without repair no edge goes");
        }
        Ok(RpgSettings {
            graph,
            repair,
            tries: self.tries.map(|tries| tries.0 as u32),
        })
    }

    /// Resources are on for MIO, unless something was said that goes without them.
    fn resources(&self, algorithm: Algorithm) -> Result<Option<ResourceSettings>> {
        let is_smart = self.smart.is_some_and(|smart| smart.0 > 0.0);
        let by_default = if algorithm == Algorithm::Mio && !is_smart {
            Resources::ConArchive
        } else {
            Resources::None
        };
        let Some(strategy) = self.resources.unwrap_or(by_default).strategy() else {
            return self.without_resources();
        };
        if is_smart {
            bail!("`smart` and `resources` are two ways to sample: choose one");
        }
        let own = ResourceSettings::default();
        Ok(Some(ResourceSettings {
            strategy,
            sampling: self.p_s.map_or(own.sampling, |p| p.0),
            dependency: self.p_d.map_or(own.dependency, |p| p.0),
            prematch: self.prematch.unwrap_or(own.prematch),
            ..own
        }))
    }

    fn without_resources(&self) -> Result<Option<ResourceSettings>> {
        let prematch = self.prematch.unwrap_or(false);
        if self.p_s.is_some() || self.p_d.is_some() || prematch {
            bail!(
                "`p-s`, `p-d` and `prematch` are about resources: add resources = \"con-archive\", say"
            );
        }
        Ok(None)
    }

    fn apply(&self, settings: &mut Settings) {
        let shares = [
            (self.focus_start, &mut settings.focus_start),
            (self.structure_mutation, &mut settings.structure_mutation),
            (self.even_share, &mut settings.even_share),
            (self.crossover, &mut settings.crossover),
        ];
        for (told, setting) in shares {
            *setting = told.map_or(*setting, |share| share.0);
        }
        let counts = [
            (self.max_test_size, &mut settings.max_test_size),
            (self.population, &mut settings.population),
            (self.elites, &mut settings.elites),
            (self.suite_size, &mut settings.suite_size),
        ];
        for (told, setting) in counts {
            *setting = told.map_or(*setting, |count| count.0);
        }
        let slides = [
            (
                self.random_sampling.map(|s| s.0),
                &mut settings.random_sampling,
            ),
            (
                self.population_limit.map(|s| s.0),
                &mut settings.population_limit,
            ),
            (self.mutations.map(|s| s.0), &mut settings.mutations),
        ];
        for (told, setting) in slides {
            *setting = told.unwrap_or(*setting);
        }
        settings.feedback = match self.feedback {
            Some(FeedbackName::FocusedQuickest) => Feedback::FocusedQuickest,
            Some(FeedbackName::LeastSampled) => Feedback::LeastSampled,
            None => settings.feedback,
        };
    }
}

impl Resources {
    fn strategy(self) -> Option<fossick_evolve::Strategy> {
        use fossick_evolve::Strategy;
        match self {
            Self::None => None,
            Self::Equal => Some(Strategy::EqualProbability),
            Self::Action => Some(Strategy::ActionBased),
            Self::Budget => Some(Strategy::UsedBudget),
            Self::Archive => Some(Strategy::Archive),
            Self::ConArchive => Some(Strategy::ConArchive),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evolve(name: StrategyName, text: &str) -> Settings {
        let search: SearchConfig = toml::from_str(text).expect(text);
        match strategy(name, &search).expect(text) {
            Strategy::Evolve(settings) => *settings,
            other => panic!("{name:?} evolves: {other:?}"),
        }
    }

    #[test]
    fn mio_has_resources_unless_told_otherwise() {
        let plain = evolve(StrategyName::Mio, "");
        assert_eq!(plain.resources, Some(ResourceSettings::default()));
        for text in ["resources = \"none\"", "smart = 0.5", "smart = true"] {
            assert_eq!(evolve(StrategyName::Mio, text).resources, None, "{text}");
        }
        assert_eq!(evolve(StrategyName::Mio, "smart = true").smart, 0.5);
        let wts = evolve(StrategyName::Wts, "");
        assert_eq!((wts.algorithm, wts.resources), (Algorithm::Wts, None));
    }

    #[test]
    fn settings_of_the_papers_are_taken() {
        let text = "resources = \"budget\"\np-s = 1\np-d = 0\nprematch = false\n\
            random-sampling = [0.8, 0.1]\nmutations = 3\nmax-test-size = 7\n\
            feedback = \"focused-quickest\"\nfocus-start = 0.8";
        let settings = evolve(StrategyName::Mio, text);
        let resources = settings.resources.expect("they were asked for");
        assert_eq!(resources.strategy, fossick_evolve::Strategy::UsedBudget);
        assert_eq!((resources.sampling, resources.dependency), (1.0, 0.0));
        assert!(!resources.prematch);
        assert_eq!(settings.random_sampling, Slide::of(0.8, 0.1));
        assert_eq!(settings.mutations, Slide::of(3.0, 3.0));
        assert_eq!(settings.max_test_size, 7);
        assert_eq!(settings.feedback, Feedback::FocusedQuickest);
        assert_eq!(settings.focus_start, 0.8);
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for text in [
            "smart = 0.5\nresources = \"archive\"",
            "resources = \"none\"\np-d = 0.5",
            "smart = true\nprematch = true",
        ] {
            let search: SearchConfig = toml::from_str(text).expect(text);
            assert!(strategy(StrategyName::Mio, &search).is_err(), "{text}");
        }
        let search = SearchConfig::default();
        assert!(chosen(None, None, Some(&search)).is_err());
        assert!(chosen(None, Some(StrategyName::Auto), Some(&search)).is_err());
        assert!(chosen(Some(StrategyName::Wts), None, Some(&search)).is_ok());
    }

    #[test]
    fn the_graph_has_settings_of_its_own() {
        let rpg = |text: &str| {
            let search: SearchConfig = toml::from_str(text).expect(text);
            strategy(StrategyName::Rpg, &search)
        };
        let Ok(Strategy::Graph(settings)) = rpg("repair = true\ntries = 3") else {
            panic!("it follows the graph");
        };
        assert!(settings.graph && settings.repair);
        assert_eq!(settings.tries, Some(3));
        for text in [
            "graph = false\nrepair = true",
            "repair = false\ntries = 3",
            "population = 5",
            "smart = true",
        ] {
            assert!(rpg(text).is_err(), "{text}");
        }
        let search: SearchConfig = toml::from_str("graph = false").expect("it can be read");
        assert!(strategy(StrategyName::Mio, &search).is_err());
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for text in [
            "smart = 1.5",
            "p-d = \"much\"",
            "mutations = [1, 2, 3]",
            "random-sampling = [0.5, 2]",
            "population = 0",
            "max-test-size = 2.5",
            "resources = \"some\"",
        ] {
            assert!(toml::from_str::<SearchConfig>(text).is_err(), "{text}");
        }
    }
}
