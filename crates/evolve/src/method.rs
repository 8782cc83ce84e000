//! How many resources a new test is about, and which of the ways to say so is drawn.

use fossick_genes::Rng;

use crate::{ResourceSettings, Resources, dice};

/// The four methods of resource-based sampling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// `S1iR`: one resource with an independent template.
    OneIndependent,
    /// `S1dR`: one resource with a template that may change what others find.
    One,
    /// `S2dR`: two resources.
    Two,
    /// `SMdR`: more than two resources.
    Many,
}

/// The five strategies to choose a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// All that can be applied are equally likely.
    EqualProbability,
    /// By how many templates there are of either sort.
    ActionBased,
    /// One resource first, several in the second half of the sampling time.
    UsedBudget,
    /// By how often a method brought something better.
    Archive,
    /// One resource first, then as [`Strategy::Archive`].
    ConArchive,
}

impl Method {
    pub const ALL: [Self; 4] = [Self::OneIndependent, Self::One, Self::Two, Self::Many];

    /// How many resources a test by it handles at least.
    pub(crate) fn least(self) -> usize {
        match self {
            Self::OneIndependent | Self::One => 1,
            Self::Two => 2,
            Self::Many => 3,
        }
    }

    /// The method that a test of so many resources is an example of.
    pub(crate) fn of(resources: usize) -> Option<Self> {
        match resources {
            0 => None,
            1 => Some(Self::One),
            2 => Some(Self::Two),
            _ => Some(Self::Many),
        }
    }

    fn is_of_one(self) -> bool {
        matches!(self, Self::OneIndependent | Self::One)
    }

    /// Fewer resources weigh more: a test of many costs more to run.
    fn weight(self) -> f64 {
        match self {
            Self::OneIndependent => 0.0,
            Self::One => 3.0,
            Self::Two => 2.0,
            Self::Many => 1.0,
        }
    }

    /// The precondition of a method.
    fn is_applicable(self, resources: &Resources) -> bool {
        let dependent = || resources.iter().filter(|(_, r)| r.may_matter()).count();
        match self {
            Self::OneIndependent => resources.iter().any(|(_, r)| r.has_independent()),
            Self::One => dependent() >= 1,
            Self::Two => dependent() >= 2,
            Self::Many => dependent() >= 3,
        }
    }
}

/// The methods that a service allows, with how well each did.
#[derive(Debug, Clone)]
pub(crate) struct Methods {
    applicable: Vec<Method>,
    improved: Vec<u32>,
    /// Of `Archive` and `ConArchive`, as learned so far.
    learned: Vec<f64>,
    templates: Templates,
}

/// How many templates there are over all resources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Templates {
    all: f64,
    dependent: f64,
}

impl Methods {
    pub(crate) fn of(resources: &Resources) -> Self {
        let all = Method::ALL.into_iter();
        let applicable: Vec<Method> = all.filter(|m| m.is_applicable(resources)).collect();
        let even = 1.0 / applicable.len().max(1) as f64;
        Self {
            improved: vec![0; applicable.len()],
            learned: vec![even; applicable.len()],
            templates: Templates::of(resources),
            applicable,
        }
    }

    /// Draws a method; `sampled` is the used share of the time in which tests are sampled.
    pub(crate) fn draw(
        &mut self,
        rng: &mut Rng,
        settings: &ResourceSettings,
        sampled: f64,
    ) -> Option<Method> {
        let weights = self.probabilities(settings, sampled);
        let at = dice::weighted(rng, &weights)?;
        self.applicable.get(at).copied()
    }

    /// A test that was sampled by a method brought something better.
    pub(crate) fn improve(&mut self, method: Method) {
        if let Some(at) = self.applicable.iter().position(|m| *m == method) {
            self.improved[at] += 1;
        }
    }

    fn probabilities(&mut self, settings: &ResourceSettings, sampled: f64) -> Vec<f64> {
        match settings.strategy {
            Strategy::EqualProbability => self.even(),
            Strategy::ActionBased => self.by_actions(settings.dependent_weight),
            Strategy::UsedBudget if sampled < settings.one_resource_until => {
                self.one_first(settings.one_resource)
            }
            Strategy::UsedBudget => self.one_first(1.0 - settings.one_resource),
            Strategy::ConArchive if sampled < settings.prepare_until => {
                self.one_first(settings.one_resource)
            }
            Strategy::Archive | Strategy::ConArchive => self.by_archive(settings.learning_rate),
        }
    }

    fn even(&self) -> Vec<f64> {
        vec![1.0 / self.applicable.len().max(1) as f64; self.applicable.len()]
    }

    /// `(n_at - n_dt) / (n_at + n_dt * k)` for one independent resource; the rest by weight.
    fn by_actions(&self, k: f64) -> Vec<f64> {
        let Templates { all, dependent } = self.templates;
        let has = |method| self.applicable.contains(&method);
        let independent = match has(Method::OneIndependent) {
            true if self.applicable.len() == 1 => 1.0,
            true => (all - dependent) / (all + dependent * k).max(1.0),
            false => 0.0,
        };
        let weights: f64 = self.applicable.iter().map(|m| m.weight()).sum();
        let share = |method: &Method| match method {
            Method::OneIndependent => independent,
            other => (1.0 - independent) * other.weight() / weights,
        };
        self.applicable.iter().map(share).collect()
    }

    /// Methods of one resource share this probability evenly, the others the rest.
    fn one_first(&self, probability: f64) -> Vec<f64> {
        let ones = self.applicable.iter().filter(|m| m.is_of_one()).count();
        let others = self.applicable.len() - ones;
        if ones == 0 || others == 0 {
            return self.even();
        }
        let share = |method: &Method| {
            if method.is_of_one() {
                probability / ones as f64
            } else {
                (1.0 - probability) / others as f64
            }
        };
        self.applicable.iter().map(share).collect()
    }

    /// `P = P * (1 - δ) + δ * r / Σr`, with the rank r by how often a method improved something.
    fn by_archive(&mut self, delta: f64) -> Vec<f64> {
        let ranks = ranks(&self.improved);
        let total: f64 = ranks.iter().sum();
        for (learned, rank) in self.learned.iter_mut().zip(ranks) {
            *learned = *learned * (1.0 - delta) + delta * rank / total;
        }
        self.learned.clone()
    }
}

impl Templates {
    fn of(resources: &Resources) -> Self {
        let all = resources.iter().flat_map(|(_, r)| &r.templates);
        let mut counted = Self::default();
        for template in all {
            counted.all += 1.0;
            counted.dependent += f64::from(u8::from(!template.is_independent()));
        }
        counted
    }
}

/// One for the lowest, and up; equals share the mean of their ranks.
fn ranks(counts: &[u32]) -> Vec<f64> {
    let rank = |count: &u32| {
        let below = counts.iter().filter(|other| *other < count).count();
        let equal = counts.iter().filter(|other| *other == count).count();
        below as f64 + f64::midpoint(equal as f64, 1.0)
    };
    counts.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::tests::{Bench, rest, shop};
    use serde_json::json;

    fn methods() -> Methods {
        Methods::of(&Bench::of(shop(), 0).resources)
    }

    fn near(found: &[f64], expected: &[f64]) {
        let equal = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(equal && found.len() == expected.len(), "{found:?}");
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn equal_probability_divides_evenly() {
        near(&methods().even(), &[0.25; 4]);
    }

    #[test]
    fn action_based_counts_templates() {
        let mut methods = methods();
        methods.templates = Templates {
            all: 15.0,
            dependent: 10.0,
        };
        let independent = 0.2;
        let rest = 1.0 - independent;
        near(
            &methods.by_actions(1.0),
            &[independent, rest * 3.0 / 6.0, rest * 2.0 / 6.0, rest / 6.0],
        );
    }

    #[test]
    fn used_budget_turns_from_one_resource_to_several() {
        let mut methods = methods();
        let settings = ResourceSettings {
            strategy: Strategy::UsedBudget,
            ..ResourceSettings::default()
        };
        near(
            &methods.probabilities(&settings, 0.4),
            &[0.4, 0.4, 0.1, 0.1],
        );
        near(
            &methods.probabilities(&settings, 0.6),
            &[0.1, 0.1, 0.4, 0.4],
        );
    }

    #[test]
    fn archive_based_moves_towards_the_ranks() {
        let mut methods = methods();
        near(&methods.by_archive(0.1), &[0.25; 4]);
        methods.improve(Method::Two);
        let (tied, best) = (0.25 * 0.9 + 0.1 * 0.2, 0.25 * 0.9 + 0.1 * 0.4);
        near(&methods.by_archive(0.1), &[tied, tied, best, tied]);
    }

    #[test]
    fn con_archive_prepares_with_one_resource() {
        let mut methods = methods();
        let settings = ResourceSettings::default();
        near(
            &methods.probabilities(&settings, 0.1),
            &[0.4, 0.4, 0.1, 0.1],
        );
        near(&methods.probabilities(&settings, 0.3), &[0.25; 4]);
    }

    #[test]
    fn a_method_needs_its_precondition() {
        let api = rest(json!({"/health": {"get": {"responses": {"200": {"description": ""}}}}}));
        let methods = Methods::of(&Bench::of(api, 0).resources);
        assert_eq!(methods.applicable, [Method::OneIndependent]);
        near(&methods.by_actions(1.0), &[1.0]);
        near(&methods.one_first(0.8), &[1.0]);
    }
}
