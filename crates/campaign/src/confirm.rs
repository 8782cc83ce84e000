//! Seeing it again: a finding is replayed on its own and made as short as it can be.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_oracles::Judge;
use fossick_plan::Plan;
use fossick_search::{Shrinker, Whole, borrows};
use fossick_trace::{Episode, Finding, Script, Severity};
use fossick_transport::Client;

use crate::candidates::{Candidate, Confirmed};
use crate::probes::Probes;
use crate::runner;

/// So often it must come back.
pub(crate) const REPLAYS: u32 = 3;

pub(crate) struct Confirmer<'a> {
    pub(crate) client: &'a Client,
    pub(crate) probes: Option<&'a Probes>,
    pub(crate) judge: &'a Judge<'a>,
    pub(crate) shrinker: Shrinker<'a>,
    pub(crate) render: &'a dyn Fn(&Plan) -> Script,
    /// The same plan with everything made that it borrowed.
    pub(crate) stand_alone: &'a dyn Fn(&Plan) -> Whole,
    /// Hears of a replay; tells whether the next one will have other keys.
    pub(crate) hear: &'a dyn Fn(&Plan, &Episode) -> bool,
    pub(crate) hard_end: Option<Instant>,
    /// Counts replays, so that each has names of its own.
    pub(crate) salt: &'a Cell<u64>,
}

/// How a plan is made simpler.
#[derive(Clone, Copy)]
enum Stage {
    Shorter,
    Plainer,
}

/// A way to see a finding.
struct Shown {
    plan: Plan,
    finding: Finding,
    episode: Arc<Episode>,
    script: Arc<Script>,
}

impl Confirmer<'_> {
    pub(crate) async fn confirm(&mut self, candidate: Candidate) -> Confirmed {
        let shrunk_from = candidate.plan.steps.len();
        let first = self.attempt(&candidate.plan, &candidate.finding).await;
        let Some(first) = first else {
            return self.insist(&candidate, shrunk_from).await;
        };
        let first = self.on_its_own(first).await;
        let shortest = self.shrink(first).await;
        let confirmed = self.replay(shortest, shrunk_from).await;
        if confirmed.is_sure() {
            return confirmed;
        }
        // The short form wavers: the form in which it was first seen may not.
        let original = Shown {
            plan: candidate.plan,
            finding: candidate.finding,
            script: Arc::clone(&candidate.episode.script),
            episode: candidate.episode,
        };
        let again = self.replay(original, shrunk_from).await;
        if again.came_back >= confirmed.came_back {
            again
        } else {
            confirmed
        }
    }

    /// It did not come back at once: two more chances, then it is told apart.
    async fn insist(&mut self, candidate: &Candidate, shrunk_from: usize) -> Confirmed {
        let mut came_back = 0;
        for _ in 1..REPLAYS {
            came_back += u32::from(
                self.attempt(&candidate.plan, &candidate.finding)
                    .await
                    .is_some(),
            );
        }
        Confirmed {
            finding: candidate.finding.clone(),
            episode: Arc::clone(&candidate.episode),
            script: Arc::clone(&candidate.episode.script),
            came_back,
            replays: REPLAYS,
            shrunk_from,
            borrows: borrows(&candidate.plan),
        }
    }

    /// The same without what it borrowed, where it shows without.
    async fn on_its_own(&self, shown: Shown) -> Shown {
        let whole = (self.stand_alone)(&shown.plan);
        if whole.plan == shown.plan {
            return shown;
        }
        let alone = self.attempt(&whole.plan, &shown.finding).await;
        alone.unwrap_or(shown)
    }

    /// A replay, and another one where the first met a key that is taken.
    async fn attempt(&self, plan: &Plan, wanted: &Finding) -> Option<Shown> {
        match self.try_once(plan, wanted).await {
            Ok(shown) => Some(shown),
            Err(episode) if (self.hear)(plan, &episode) => self.try_once(plan, wanted).await.ok(),
            Err(_) => None,
        }
    }

    async fn try_once(&self, plan: &Plan, wanted: &Finding) -> Result<Shown, Box<Episode>> {
        // Every replay meets the traces of those before it, so every replay has its own names.
        self.salt.set(self.salt.get() + 1);
        let script = Arc::new((self.render)(plan));
        let renamed = Arc::new(script.renamed(self.salt.get()));
        let mut episode = runner::run_alone(self.client, renamed, self.probes).await;
        let mut found = self.judge.judge(&episode).into_iter();
        let Some(finding) = found.find(|f| f.fingerprint() == wanted.fingerprint()) else {
            return Err(Box::new(episode));
        };
        episode.forget_parsed();
        Ok(Shown {
            plan: plan.clone(),
            finding,
            episode: Arc::new(episode),
            script,
        })
    }

    /// Takes away and simplifies as long as the fault stays.
    async fn shrink(&mut self, mut shown: Shown) -> Shown {
        let (mut trials, limit) = match shown.finding.severity {
            Severity::High => (60, Duration::from_secs(8)),
            Severity::Medium => (24, Duration::from_secs(4)),
            Severity::Low => (4, Duration::from_secs(1)),
        };
        let end = Instant::now() + limit;
        // Plainer values cost more than they tell, except where it matters most.
        let stages: &[Stage] = match shown.finding.severity {
            Severity::High => &[Stage::Shorter, Stage::Plainer],
            _ => &[Stage::Shorter],
        };
        'again: while trials > 0 {
            for stage in stages {
                let (plan, shows) = (&shown.plan, shown.finding.call);
                let candidates = match stage {
                    Stage::Shorter => self.shrinker.shorter(plan, shows),
                    Stage::Plainer => self.shrinker.plainer(plan, shows),
                };
                for (plan, _) in candidates {
                    if trials == 0 || Instant::now() > end || self.is_over() {
                        return shown;
                    }
                    trials -= 1;
                    if let Some(simpler) = self.attempt(&plan, &shown.finding).await {
                        shown = simpler;
                        continue 'again;
                    }
                }
            }
            break;
        }
        shown
    }

    async fn replay(&mut self, mut shown: Shown, shrunk_from: usize) -> Confirmed {
        let mut came_back = 0;
        let mut replays = 0;
        for _ in 0..REPLAYS {
            if self.is_over() && replays > 0 {
                break;
            }
            replays += 1;
            if let Some(again) = self.attempt(&shown.plan, &shown.finding).await {
                came_back += 1;
                shown = again;
            }
        }
        Confirmed {
            finding: shown.finding,
            episode: shown.episode,
            script: shown.script,
            came_back,
            replays,
            shrunk_from,
            borrows: borrows(&shown.plan),
        }
    }

    fn is_over(&self) -> bool {
        self.hard_end.is_some_and(|end| Instant::now() > end)
    }
}
