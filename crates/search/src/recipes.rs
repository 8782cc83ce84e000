//! Recipes: the shortest plan that is known to make a thing from nothing.
//!
//! Values made up on the spot are often refused, and what worked may have worked only because of
//! what earlier plans left. A recipe did neither: each of its calls succeeded, and it leaned on
//! nothing but itself and what was there before the run. Whoever needs such a thing follows it,
//! with names of its own.

use fossick_genes::{Gene, Source};
use fossick_plan::{Bind, Plan, Step};
use fossick_trace::{Episode, Role};

use crate::archive::is_an_item;
use crate::fresh::Name;
use crate::search::Search;

/// A plan whose last step makes something.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    pub(crate) plan: Plan,
    /// Values that must be made anew each time.
    pub(crate) names: Vec<Name>,
}

/// Successes of one operation that are looked at before it is clear that all of them lean on others.
const PATIENCE: u32 = 100;

impl Search<'_> {
    /// Remembers how things were made, where that was done without the help of others.
    pub(crate) fn learn_recipes(&mut self, plan: &Plan, episode: &Episode) {
        for (at, step) in plan.steps.iter().enumerate() {
            let answer = episode.answer(at).filter(|answer| answer.is_success());
            let makes = answer.is_some_and(|answer| self.makes(step, answer));
            if !makes {
                // Whatever comes later may work only because this did not.
                if answer.is_none() {
                    return;
                }
                continue;
            }
            let known = &self.known[step.operation.0 as usize];
            let hopeless = known.succeeded > PATIENCE && !known.succeeded.is_multiple_of(32);
            let better = match &known.recipe {
                Some(recipe) => at + 1 < recipe.plan.steps.len(),
                None => !hopeless,
            };
            if better && let Some(recipe) = self.recipe(plan, at, episode) {
                self.known[step.operation.0 as usize].recipe = Some(recipe);
            }
        }
    }

    /// The steps up to one as a recipe, if they stand alone.
    fn recipe(&mut self, plan: &Plan, at: usize, episode: &Episode) -> Option<Recipe> {
        let steps = &plan.steps[..=at];
        let is_plain = |step: &Step| step.intent.is_valid() && step.method.is_none();
        if !steps.iter().all(is_plain) {
            return None;
        }
        let mut whole = Plan {
            steps: steps.to_vec(),
        };
        for step in &mut whole.steps {
            self.pin(step, episode)?;
        }
        if self.leans(&whole, episode) || self.is_too_little(&whole.steps[at]) {
            return None;
        }
        let mut plan = self.without_idle_looks(whole);
        for step in &mut plan.steps {
            step.role = Role::Setup;
        }
        let names = self.names_in(&plan);
        Some(Recipe { plan, names })
    }

    /// Whether what a step makes lacks something that others want it to have.
    fn is_too_little(&self, step: &Step) -> bool {
        let lacking = &self.known[step.operation.0 as usize].lacking;
        let leaves = step.body.iter().flat_map(|body| body.gene.leaves());
        let sent: Vec<String> = leaves.map(|leaf| leaf.pointer).collect();
        let has = |name: &String| {
            let mut parts = sent.iter().flat_map(|pointer| pointer.split('/'));
            parts.any(|part| part == name)
        };
        !lacking.iter().all(has)
    }

    /// Writes down what a step took from lists, where that was there before the run: who stands in a
    /// list at which place changes all the time. None where it was not.
    fn pin(&self, step: &mut Step, episode: &Episode) -> Option<()> {
        let of_lists = |bind: &Bind| is_an_item(&bind.take);
        for bind in step
            .binds
            .extract_if(.., |bind| of_lists(bind))
            .collect::<Vec<_>>()
        {
            let value = bind.take.from(episode.answer(bind.step)?)?;
            if !self.origins.is_seed(&value) {
                return None;
            }
            step.fill(&bind.spot, Gene::literal(value, Source::Seen));
        }
        Some(())
    }

    /// A plan without the looks that nobody takes anything from.
    fn without_idle_looks(&self, mut plan: Plan) -> Plan {
        for at in (0..plan.steps.len().saturating_sub(1)).rev() {
            if !self.writes(plan.steps[at].operation)
                && let Some(shorter) = plan.without(at)
            {
                plan = shorter;
            }
        }
        plan
    }
}
