//! The search itself: the next test, and hearing what it reached.

use std::sync::Arc;

use fossick_contract::{Api, OperationIndex};
use fossick_genes::{Rng, Values};
use fossick_graph::Graph;
use fossick_plan::Plan;
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
    pub by_step: Vec<Vec<(Target, f64)>>,
}

/// What a run knows when the next test is asked for.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    /// The used share of the budget.
    pub spent: f64,
    /// Values that were seen so far.
    pub values: &'c Values,
    /// Who gives what to whom, as the run has taught it.
    pub graph: &'c Graph,
    /// Whether a plan may be sent.
    pub allows: &'c dyn Fn(&Plan) -> bool,
}

/// After so many tests it is read again from the graph who makes what.
const REREAD: u64 = 64;

/// An evolutionary search over sequences of calls.
///
/// Any number of proposals may be under way; they are learned in the order of proposing.
pub struct Evolution<'a> {
    pub(crate) api: &'a Api,
    pub(crate) validators: &'a Validators,
    pub(crate) settings: Settings,
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
    pub fn new(
        api: &'a Api,
        validators: &'a Validators,
        graph: &Graph,
        settings: Settings,
    ) -> Self {
        let creators = Creators::of(api, graph);
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
            resources,
            creators,
            dependencies,
        }
    }

    /// The next test. It may still be one that the context does not allow, where nothing else
    /// could be made.
    pub fn propose(&mut self, context: &Context<'_>) -> Individual {
        self.spent = context.spent;
        if self.proposed.is_multiple_of(REREAD) {
            self.creators = Creators::of(self.api, context.graph);
        }
        match self.settings.algorithm {
            Algorithm::Random => self.sample(context),
            Algorithm::Mio => self.propose_by_target(context),
            Algorithm::Wts => self.propose_by_suite(context),
            Algorithm::Mosa => self.propose_by_front(context),
        }
    }

    /// Hears what a test reached.
    pub fn learn(&mut self, individual: Individual, scores: &Scores) {
        let (mut individual, mut reached, mut by_step) = (individual, Vec::new(), Vec::new());
        let before = individual.before.take();
        self.archive.begin();
        let keeps = self.settings.dependency() > 0.0;
        for targets in &scores.by_step {
            let mut of_step = Vec::new();
            for (target, value) in targets {
                let value = if value.is_nan() {
                    0.0
                } else {
                    value.clamp(0.0, 1.0)
                };
                let place = self.archive.collect(*target, value, &mut reached);
                if keeps {
                    of_step.push((place, value));
                }
            }
            if keeps {
                by_step.push(of_step);
            }
        }
        let tested = Arc::new(Tested {
            individual,
            reached,
            by_step,
            digest: digest(scores),
        });
        let gain = self.archive.add(&tested, self.limit());
        self.credit(&tested, before.as_deref(), gain);
        self.advance(&tested, gain);
    }

    /// Hears that a test was not sent: nothing is known of it, and nobody waits for it any longer.
    pub fn discard(&mut self, individual: &Individual) {
        if let State::Wts(wts) = &mut self.state {
            wts.discard(individual.id, &self.settings);
        }
    }

    /// Learns which tables of a database a call touched.
    pub fn learn_tables(&mut self, operation: OperationIndex, tables: &[String]) {
        let resource = self.resources.of_operation(operation);
        self.dependencies.touch(resource, tables);
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

    pub(crate) fn limit(&self) -> usize {
        self.slide(self.settings.population_limit).round() as usize
    }

    pub(crate) fn slide(&self, slide: crate::Slide) -> f64 {
        slide.at(self.spent, self.settings.focus_start)
    }
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
    let sent = &tested.by_step;
    let mut first = 0;
    let handlings = tested.individual.handlings().iter();
    let handled = handlings.map(|handling| {
        let steps = first.min(sent.len())..(first + handling.steps).min(sent.len());
        first += handling.steps;
        Handled {
            resource: handling.resource,
            sent: &sent[steps],
        }
    });
    handled.collect()
}
