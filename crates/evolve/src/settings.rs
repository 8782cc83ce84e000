//! Every constant of the search, each with where it comes from.
//!
//! "Smart" is Arcuri's article on test generation for REST (TOSEM 2019), "resource" that of Zhang,
//! Marculescu and Arcuri on resources and dependencies (EMSE 2021), "GraphQL" that of Belhadi,
//! Zhang and Arcuri (TOSEM 2023); "peer" is what the tool of those authors has as its default.

use crate::Strategy;

/// What is searched with.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub seed: u64,
    pub algorithm: Algorithm,
    /// Probability that a new test follows a template of smart sampling (smart, section 5);
    /// 0 is plain MIO. Not used where `resources` is set.
    pub smart: f64,
    /// Handle tests as sequences of handlings of resources (resource, sections 5 and 6).
    pub resources: Option<ResourceSettings>,
    /// `P_r`: probability to sample a new test rather than change a kept one (smart and resource:
    /// 0.5, gone at the focus; peer: 0.8).
    pub random_sampling: Slide,
    /// n: how many tests are kept for one target (smart, peer: 10, then 1).
    pub population_limit: Slide,
    /// m: how many changes follow each other before another target is taken (smart, peer: 1,
    /// then 10).
    pub mutations: Slide,
    /// F: the share of the budget after which all slides have arrived (smart: 0.5; peer: 0.8).
    pub focus_start: f64,
    /// How the next target is chosen.
    pub feedback: Feedback,
    /// The most calls of one test (smart, peer: 10).
    pub max_test_size: usize,
    /// Probability that a change is one of structure (peer: 0.5).
    pub structure_mutation: f64,
    /// d: how much of the rate at which a gene changes is the same for all; the rest goes by
    /// impact (peer: 0.8). 1 switches impact off.
    pub even_share: f64,
    /// The share of genes that change together, where it is more than one gene. Smart has 1/k,
    /// that is 0; the peer begins with 0.5.
    pub genes_changed: Slide,
    /// Tests or suites of one generation (peer: 30). For WTS and MOSA.
    pub population: usize,
    /// Suites that live on unchanged (GraphQL: "e.g. 10%" of the population; peer: 1). For WTS.
    pub elites: usize,
    /// Probability of crossover (peer: 0.7). For WTS and MOSA.
    pub crossover: f64,
    /// How parents are chosen. For WTS; MOSA holds tournaments of two by rank and crowding.
    pub parents: ParentChoice,
    /// The most tests of one suite (peer: 50). For WTS.
    pub suite_size: usize,
    /// k: the most creations before a collection is read (smart, 5.2.1: "e.g. 3").
    pub collection_creations: usize,
    /// Probability that PUT is tried on something that was made first (smart, 5.2.3 leaves it
    /// open; ours).
    pub put_on_existing: f64,
    /// Probability that a call which only makes something is given the plainest values (ours:
    /// a creation that is refused makes the rest of the test worthless).
    pub plausible_creation: f64,
    /// Where the values of a new test come from.
    pub values: ValueSource,
    /// GraphQL arguments are written into the operation and not sent as variables.
    pub inline: bool,
    /// Users whom calls can be made as, beside the usual one.
    pub users: Vec<String>,
    /// Calls carry credentials, which may be left out.
    pub credentials: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0,
            algorithm: Algorithm::Mio,
            smart: 0.0,
            resources: None,
            random_sampling: Slide::of(0.5, 0.0),
            population_limit: Slide::of(10.0, 1.0),
            mutations: Slide::of(1.0, 10.0),
            focus_start: 0.5,
            feedback: Feedback::LeastSampled,
            max_test_size: 10,
            structure_mutation: 0.5,
            even_share: 0.8,
            genes_changed: Slide::of(0.0, 0.0),
            population: 30,
            elites: 3,
            crossover: 0.7,
            parents: ParentChoice::Rank { bias: 1.7 },
            suite_size: 50,
            collection_creations: 3,
            put_on_existing: 0.5,
            plausible_creation: 0.8,
            values: ValueSource::Known,
            inline: false,
            users: Vec::new(),
            credentials: false,
        }
    }
}

impl Settings {
    /// Rd-MIO: resources with dependencies.
    pub fn with_resources(self) -> Self {
        Self {
            resources: Some(ResourceSettings::default()),
            ..self
        }
    }

    /// The probability of using dependencies; zero without resources.
    pub(crate) fn dependency(&self) -> f64 {
        self.resources.as_ref().map_or(0.0, |r| r.dependency)
    }

    pub(crate) fn draws_values(&self) -> bool {
        self.values == ValueSource::Drawn
    }

    pub(crate) fn put_creates(&self) -> f64 {
        let default = ResourceSettings::default().put_creates;
        self.resources.as_ref().map_or(default, |r| r.put_creates)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Samples for ever and keeps what covers something.
    Random,
    /// Many independent objectives: a small population for each target.
    Mio,
    /// Whole test suites: a genetic algorithm whose individuals are suites.
    Wts,
    /// Many-objective sorting: a genetic algorithm that prefers the best test of each target.
    Mosa,
}

/// Where values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSource {
    /// Edges, names, and whatever was seen in answers compete (ours).
    Known,
    /// Whole numbers are drawn by their type alone, and nothing is carried from one test to the
    /// next (peer). For services that are emptied before each test, and for experiments that
    /// repeat those of the literature.
    Drawn,
}

/// What resource-based sampling and mutation do.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceSettings {
    /// `P_s`: probability that a new test is sampled by resources (resource: 1 was best; peer: 0.95).
    pub sampling: f64,
    pub strategy: Strategy,
    /// `P_d`: probability that sampling and mutation look at dependencies (resource: 1 was best; peer:
    /// 0.95).
    pub dependency: f64,
    /// PM: dependencies are read from the document before the search begins.
    pub prematch: bool,
    /// k of Action-Based: how much templates that may depend on others are preferred (resource:
    /// 1).
    pub dependent_weight: f64,
    /// Probability that something is created by PUT where POST would do too (resource: 0.2).
    pub put_creates: f64,
    /// δ of Archive-Based (resource: 0.1).
    pub learning_rate: f64,
    /// Probability of one resource alone, while that comes first (resource: 0.8).
    pub one_resource: f64,
    /// Used-Budget: the share of the sampling time in which one resource comes first (resource:
    /// 0.5).
    pub one_resource_until: f64,
    /// `ConArchive`: the share of the sampling time in which one resource comes first (peer: 0.2).
    pub prepare_until: f64,
    /// Names as like as this, and more, are taken for the same (resource: 0.6).
    pub likeness: f64,
    /// From this probability on a dependency is likely (resource: 0.6).
    pub likely: f64,
}

impl Default for ResourceSettings {
    fn default() -> Self {
        Self {
            sampling: 1.0,
            strategy: Strategy::ConArchive,
            dependency: 1.0,
            prematch: true,
            dependent_weight: 1.0,
            put_creates: 0.2,
            learning_rate: 0.1,
            one_resource: 0.8,
            one_resource_until: 0.5,
            prepare_until: 0.2,
            likeness: 0.6,
            likely: 0.6,
        }
    }
}

/// How the next target is chosen among those that are reached and not covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feedback {
    /// The one that was sampled least since it last came nearer (smart).
    LeastSampled,
    /// Stays with what goes well (peer): the last target while it was sampled less than twice as
    /// often as its last improvement took (20 times if there was none), else the one that improved
    /// quickest, else the least sampled.
    FocusedQuickest,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParentChoice {
    /// Linear ranking: the best is this many times likelier than the middle one (GraphQL: by
    /// rank; the bias is the usual one).
    Rank { bias: f64 },
    /// The best of so many (peer: 10).
    Tournament { size: usize },
}

/// A parameter that goes from one value to another until the focus begins, and stays there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    pub start: f64,
    pub end: f64,
}

impl Slide {
    pub fn of(start: f64, end: f64) -> Self {
        Self { start, end }
    }

    /// The value after this share of the budget.
    pub fn at(self, spent: f64, focus_start: f64) -> f64 {
        if spent >= focus_start {
            return self.end;
        }
        let way = (spent / focus_start).clamp(0.0, 1.0);
        self.start + (self.end - self.start) * way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slide_is_linear_until_the_focus_and_then_flat() {
        let slide = Slide::of(10.0, 1.0);
        assert_eq!(slide.at(0.0, 0.5), 10.0);
        assert_eq!(slide.at(0.25, 0.5), 5.5);
        assert_eq!(slide.at(0.5, 0.5), 1.0);
        assert_eq!(slide.at(0.9, 0.5), 1.0);
    }

    #[test]
    fn a_focus_from_the_very_beginning_is_all_exploitation() {
        assert_eq!(Slide::of(0.5, 0.0).at(0.0, 0.0), 0.0);
    }
}
