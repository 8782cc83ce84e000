//! What the search knows of each operation.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::OnceLock;

use crate::beforehand::MadeCase;
use crate::fresh::Name;
use crate::listed::Listed;
use crate::pages::Pages;
use crate::preludes::{First, Guesses};
use crate::proposal::Proposal;
use crate::recipes::Recipe;
use crate::rules::Rulebook;
use crate::slow::Times;
use crate::tasks::{BreakCase, EdgeCase, Task};
use crate::{Risk, Use};
use fossick_contract::OperationIndex;
use fossick_plan::{Plan, Spot, Step};

/// More refusals for want of rights than this are believed.
const MOST_DENIED: u32 = 3;

#[derive(Debug)]
pub(crate) struct Knowledge {
    pub(crate) risk: Risk,
    /// Plans proposed about it, and calls spent on those.
    pub(crate) tried: u32,
    pub(crate) calls: u32,
    pub(crate) succeeded: u32,
    pub(crate) statuses: BTreeMap<u16, u32>,
    /// How often it was called for the sake of others, and did not do what they hoped for.
    pub(crate) setups: u32,
    pub(crate) setups_failed: u32,
    /// A plan whose main call succeeded, with the edges it relies on.
    pub(crate) base: Option<(Plan, Vec<Use>)>,
    pub(crate) base_is_own: bool,
    base_merit: Merit,
    /// How to make what it makes, from nothing.
    pub(crate) recipe: Option<Recipe>,
    /// The last call in a sequence that succeeded.
    pub(crate) good: Option<Box<Step>>,
    /// Values in the base that must be made anew each time.
    pub(crate) names: Vec<Name>,
    /// Where its calls hold values that the service wants to be unique.
    pub(crate) unique: BTreeSet<Spot>,
    /// Of these, what looked like a reference to something that is there already.
    pub(crate) coined: BTreeSet<Spot>,
    /// Pairs of creations that were sent to find that out.
    pub(crate) pairs: u32,
    /// What is to be tried next, once the operation has succeeded.
    pub(crate) tasks: VecDeque<Task>,
    /// What waits for something of its own to be tried on.
    pub(crate) later: Vec<Task>,
    pub(crate) prepared: bool,
    pub(crate) edges: Pages<EdgeCase>,
    /// Telling values in what is made before it.
    pub(crate) made: Pages<MadeCase>,
    /// Places whose refusal of a declared value was already looked at more closely.
    pub(crate) contrasted: BTreeSet<String>,
    pub(crate) breaks: Pages<BreakCase>,
    /// Optional fields that the service said it requires.
    pub(crate) insisted: BTreeSet<String>,
    /// Optional fields without which others refused what it made.
    pub(crate) lacking: BTreeSet<String>,
    /// Texts that it said its lists must hold, with the name of the list.
    pub(crate) members: BTreeSet<(String, String)>,
    /// It said that the items of a list must not be the same.
    pub(crate) apart: bool,
    /// It said that leaving out everything optional is too little.
    pub(crate) wants_more: bool,
    /// Refusals that said that the caller may not, whatever is sent.
    pub(crate) denied: u32,
    /// How often in a row what was brought to a need was not there, by need.
    pub(crate) astray: BTreeMap<usize, u32>,
    /// The operation that does what this one undoes.
    pub(crate) undoes: Option<OperationIndex>,
    /// What is done to the same thing before, since that once helped.
    pub(crate) first: Vec<First>,
    /// What may have to be done so; worked out when it is first asked for.
    pub(crate) guesses: RefCell<Guesses>,
    /// What is asked of its values beyond the schema; read when first needed.
    pub(crate) rules: OnceLock<Rulebook>,
    /// Rolling estimate of new targets per plan.
    pub(crate) gain: f64,
    /// How often the service failed when plans removed what they had made.
    pub(crate) crashed: u32,
    /// Kinds of refusals that were watched.
    pub(crate) refused: BTreeSet<String>,
    /// Last words of a refusal.
    pub(crate) refusal: Option<String>,
    /// Last words of a refusal that speaks of the state of something: others may come between.
    pub(crate) conflict: Option<String>,
    /// The service asked to be left alone with it for a while.
    pub(crate) resting: bool,
    /// Kept for the end of the run, whatever its risk says.
    pub(crate) held: bool,
    /// Alternates edges, breaks and variations.
    pub(crate) turn: u32,
    /// What it last showed, where it lists things.
    pub(crate) listed: Listed,
    /// How long its answers took.
    pub(crate) times: Times,
}

/// What a plan brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Merit {
    /// An answer of null.
    Empty,
    Full,
}

impl Knowledge {
    pub(crate) fn new(risk: Risk, undoes: Option<OperationIndex>) -> Self {
        Self {
            risk,
            tried: 0,
            calls: 0,
            succeeded: 0,
            setups: 0,
            setups_failed: 0,
            statuses: BTreeMap::new(),
            base: None,
            base_is_own: false,
            base_merit: Merit::Empty,
            recipe: None,
            good: None,
            names: Vec::new(),
            unique: BTreeSet::new(),
            coined: BTreeSet::new(),
            pairs: 0,
            tasks: VecDeque::new(),
            later: Vec::new(),
            prepared: false,
            edges: Pages::default(),
            made: Pages::default(),
            contrasted: BTreeSet::new(),
            breaks: Pages::default(),
            insisted: BTreeSet::new(),
            lacking: BTreeSet::new(),
            members: BTreeSet::new(),
            apart: false,
            wants_more: false,
            denied: 0,
            astray: BTreeMap::new(),
            undoes,
            first: Vec::new(),
            guesses: RefCell::default(),
            rules: OnceLock::new(),
            gain: 1.0,
            crashed: 0,
            refused: BTreeSet::new(),
            refusal: None,
            conflict: None,
            resting: false,
            held: false,
            turn: 0,
            listed: Listed::default(),
            times: Times::default(),
        }
    }

    pub(crate) fn waits_for_the_end(&self) -> bool {
        self.held || self.risk == Risk::Last
    }

    /// Whether it is time to look for a plan that brings something, or that makes what it needs:
    /// what gave nothing at first may give something once others have learned how to make that.
    pub(crate) fn wants_better(&self) -> bool {
        /// So long something of its own is looked for, where what worked was somebody else's.
        const LONG: u32 = 60;
        let empty = self.base_merit == Merit::Empty && self.tried.is_multiple_of(3);
        let foreign = self.works_on_others() && self.tried < LONG && self.tried.is_multiple_of(4);
        self.base.is_some() && (empty || foreign)
    }

    /// Whether all that worked so far was on what others made.
    pub(crate) fn works_on_others(&self) -> bool {
        self.base.is_some() && !self.base_is_own
    }

    /// Whether calls made up on the spot do worse than the one that is known to work.
    pub(crate) fn is_hard_to_set_up(&self) -> bool {
        let all: u32 = self.statuses.values().sum();
        let untried = self.setups == 0 && self.succeeded * 2 < all;
        self.base.is_some() && (untried || self.setups_failed * 2 > self.setups)
    }

    /// How it is called for the sake of others, where its recipe does better than what is made up on
    /// the spot, or nothing else will do.
    pub(crate) fn proven(&self, insists: bool) -> Option<(&Plan, &[Name])> {
        let fails = self.setups_failed * 6 > self.setups;
        if let Some(recipe) = self.recipe.as_ref().filter(|_| insists || fails) {
            return Some((&recipe.plan, &recipe.names));
        }
        let (plan, _) = self.base.as_ref().filter(|_| self.is_hard_to_set_up())?;
        Some((plan, &self.names))
    }

    /// Something is left that was thought about beforehand.
    pub(crate) fn has_plans(&self) -> bool {
        !self.tasks.is_empty() || (self.base.is_some() && self.edges.has_more())
    }

    /// How large its share is: what brings something new gets more, what only wastes calls sinks.
    pub(crate) fn weight(&self) -> f64 {
        let systematic = self.has_plans();
        match () {
            () if self.succeeded == 0 && self.denied > MOST_DENIED => 0.15,
            // Whatever works opens the way to more: until then it comes first.
            () if self.succeeded == 0 && self.tried < 8 => 4.0,
            () if self.succeeded == 0 && self.tried < 16 => 1.0,
            () if self.succeeded == 0 => 0.15 + self.gain,
            () if !self.tasks.is_empty() => 2.0,
            () if systematic => 1.0 + self.gain,
            () => 0.3 + self.gain,
        }
    }

    /// Remembers a plan that worked, preferring those that brought something, then those that work
    /// on their own things, then shorter ones. Tells whether it did.
    pub(crate) fn keep(&mut self, proposal: &Proposal, own: bool, merit: Merit) -> bool {
        let better = match &self.base {
            None => true,
            Some(_) if merit != self.base_merit => merit > self.base_merit,
            Some(_) if own != self.base_is_own => own,
            Some((plan, _)) => proposal.plan.steps.len() < plan.steps.len(),
        };
        if better {
            self.base = Some((proposal.plan.clone(), proposal.uses.clone()));
            self.base_is_own = own;
            self.base_merit = merit;
        }
        better
    }
}
