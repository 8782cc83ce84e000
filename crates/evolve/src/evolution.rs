//! The search itself: the next test, and hearing what it reached.

use std::sync::Arc;

use fossick_contract::Api;
use fossick_genes::{Rng, Values};
use fossick_graph::Graph;
use fossick_trace::Target;
use fossick_validate::Validators;
use rand::SeedableRng as _;

use crate::archive::{Archive, Gain};
use crate::creators::Creators;
use crate::dependencies::Dependencies;
use crate::impact::Impacts;
use crate::method::Methods;
use crate::mio::Mio;
use crate::mosa::Mosa;
use crate::observed::{Handled, observe};
use crate::relations::prematch;
use crate::tested::{Tested, digest};
use crate::wts::Wts;
use crate::{Algorithm, Dependency, Individual, Operator, Origin, Resources, Settings};

/// What each step of a plan that was made reached: 1 is covered, 0 not reached. Steps that were not
/// made are not there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    pub by_step: Vec<Vec<(Target, f32)>>,
}

/// An evolutionary search over sequences of calls.
///
/// Any number of proposals may be under way; they are learned in the order of proposing.
pub struct Evolution<'a> {
    pub(crate) api: &'a Api,
    pub(crate) validators: &'a Validators,
    pub(crate) settings: Settings,
    pub(crate) graph: Graph,
    pub(crate) resources: Resources,
    pub(crate) creators: Creators,
    pub(crate) dependencies: Dependencies,
    pub(crate) methods: Methods,
    pub(crate) impacts: Impacts,
    pub(crate) archive: Archive,
    pub(crate) state: State,
    pub(crate) rng: Rng,
    /// Values of which nothing was ever seen.
    pub(crate) blank: Values,
    pub(crate) proposed: u64,
    pub(crate) spent: f64,
}

pub(crate) enum State {
    Random,
    Mio(Mio),
    Wts(Wts),
    Mosa(Mosa),
}

impl<'a> Evolution<'a> {
    pub fn new(api: &'a Api, validators: &'a Validators, graph: Graph, settings: Settings) -> Self {
        let creators = Creators::of(api, &graph);
        let resources = Resources::of(api, |index| creators.can_create(index));
        let mut dependencies = Dependencies::new(resources.len());
        if let Some(wanted) = settings.resources.as_ref().filter(|r| r.prematch)
            && wanted.dependency > 0.0
        {
            prematch(api, &resources, wanted.likeness, &mut dependencies);
        }
        Self {
            api,
            validators,
            methods: Methods::of(&resources),
            impacts: Impacts::default(),
            archive: Archive::default(),
            state: match settings.algorithm {
                Algorithm::Random => State::Random,
                Algorithm::Mio => State::Mio(Mio::default()),
                Algorithm::Wts => State::Wts(Wts::default()),
                Algorithm::Mosa => State::Mosa(Mosa::default()),
            },
            rng: Rng::seed_from_u64(settings.seed),
            blank: Values::new(),
            proposed: 0,
            spent: 0.0,
            settings,
            graph,
            resources,
            creators,
            dependencies,
        }
    }

    /// The next test. `spent` is the used share of the budget; `values` are those seen so far.
    pub fn propose(&mut self, spent: f64, values: &Values) -> Individual {
        self.spent = spent;
        match self.settings.algorithm {
            Algorithm::Random => self.sample(values),
            Algorithm::Mio => self.propose_by_target(values),
            Algorithm::Wts => self.propose_by_suite(values),
            Algorithm::Mosa => self.propose_by_front(values),
        }
    }

    /// Hears what a test reached.
    pub fn learn(&mut self, individual: Individual, scores: &Scores) {
        let (mut individual, mut reached, mut by_handling) = (individual, Vec::new(), Vec::new());
        let before = individual.before.take();
        self.archive.begin();
        let keeps = self.settings.dependency() > 0.0;
        by_handling.resize(individual.handlings().len(), Vec::new());
        for (step, targets) in scores.by_step.iter().enumerate() {
            let handling = handling_of(&individual, step);
            for (target, value) in targets {
                let value = if value.is_nan() {
                    0.0
                } else {
                    value.clamp(0.0, 1.0)
                };
                let place = self.archive.collect(*target, value, &mut reached);
                if let Some(own) = by_handling.get_mut(handling).filter(|_| keeps) {
                    own.push((place, value));
                }
            }
        }
        let tested = Arc::new(Tested {
            individual,
            reached,
            by_handling,
            digest: digest(scores),
        });
        let gain = self.archive.add(&tested, self.limit());
        self.credit(&tested, before.as_deref(), gain);
        self.advance(&tested, gain);
    }

    /// Hears which tables of a database a step touched.
    pub fn learn_tables(&mut self, individual: &Individual, step: usize, tables: &[&str]) {
        if let Some(step) = individual.plan().steps.get(step) {
            let resource = self.resources.of_operation(step.operation);
            self.dependencies.touch(resource, tables);
        }
    }

    /// How many targets are covered.
    pub fn covered(&self) -> usize {
        self.archive.covered()
    }

    /// How many targets were ever told of, and how many of them are reached but not covered.
    pub fn targets(&self) -> (usize, usize) {
        (self.archive.targets(), self.archive.open())
    }

    /// The shortest test of each covered target.
    pub fn archive(&self) -> impl Iterator<Item = (Target, &Individual)> {
        let kept = self.archive.kept();
        kept.map(|(target, tested)| (target, &tested.individual))
    }

    /// What is believed of resources that depend on each other.
    pub fn dependencies(&self) -> impl Iterator<Item = Dependency> {
        self.dependencies.iter()
    }

    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The graph that binds are made by, so that it can be taught.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.graph
    }

    pub(crate) fn limit(&self) -> usize {
        self.slide(self.settings.population_limit).round() as usize
    }

    pub(crate) fn slide(&self, slide: crate::Slide) -> f64 {
        slide.at(self.spent, self.settings.focus_start)
    }
}

/// The handling that a step belongs to.
fn handling_of(individual: &Individual, step: usize) -> usize {
    let mut end = 0;
    let ends = individual.handlings().iter().map(|handling| {
        end += handling.steps;
        end
    });
    ends.take_while(|end| *end <= step).count()
}

/// Learning.
impl Evolution<'_> {
    /// Tells those who chose how the test came about whether it was worth it.
    fn credit(&mut self, tested: &Tested, before: Option<&Tested>, gain: Gain) {
        match (&tested.individual.origin, before) {
            (Origin::Sampled(method), _) if gain.nearer > 0 => self.methods.improve(*method),
            (Origin::Values(places), Some(before)) => {
                let differs = tested.digest != before.digest;
                for place in places {
                    self.impacts.record(*place, differs, gain.nearer > 0);
                }
            }
            (Origin::Structure(operator), Some(before)) => {
                self.note_dependencies(*operator, before, tested);
            }
            _ => {}
        }
    }

    fn note_dependencies(&mut self, operator: Operator, before: &Tested, after: &Tested) {
        if self.settings.dependency() <= 0.0 {
            return;
        }
        let (before, after) = (handled(before), handled(after));
        for note in observe(operator, &before, &after) {
            self.dependencies
                .depend(note.dependent, note.on, note.probability);
        }
    }

    fn advance(&mut self, tested: &Arc<Tested>, gain: Gain) {
        let archive = &self.archive;
        let covered = |target| archive.is_covered(target);
        match &mut self.state {
            State::Random => {}
            State::Mio(mio) => mio.learn(tested, gain.nearer > 0, covered),
            State::Wts(wts) => wts.learn(tested, &self.settings),
            State::Mosa(mosa) => mosa.learn(tested, self.settings.population, covered),
        }
    }
}

fn handled(tested: &Tested) -> Vec<Handled<'_>> {
    let handlings = tested.individual.handlings().iter();
    let pairs = handlings.zip(&tested.by_handling);
    let handled = pairs.map(|(handling, reached)| Handled {
        resource: handling.resource,
        reached,
    });
    handled.collect()
}
