//! Seeing it again: a finding is replayed on its own and made as short as it can be.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_oracles::Judge;
use fossick_plan::Plan;
use fossick_search::{Search, Shrinker, Standing};
use fossick_trace::{Basis, Case, Episode, Finding, Script, Severity};
use fossick_transport::Client;

use crate::candidates::Candidate;
use crate::hunt::slim;
use crate::probes::Probes;
use crate::revive::Reviver;

/// So often it must come back.
pub(crate) const REPLAYS: u32 = 3;

pub(crate) struct Confirmer<'a, 's> {
    pub(crate) client: &'s Client,
    pub(crate) probes: Option<&'s Probes>,
    pub(crate) judge: &'s Judge<'a>,
    pub(crate) search: &'s RefCell<Search<'a>>,
    pub(crate) reviver: &'s Reviver,
    pub(crate) shrinker: Shrinker<'a>,
    pub(crate) hard_end: Option<Instant>,
    /// Counts replays, so that each has names of its own.
    pub(crate) salt: u64,
    /// What replays showed beside what they were run for.
    pub(crate) beside: Vec<Candidate>,
    /// The plan that was run last, as a script: most plans are run several times.
    pub(crate) rendered: Option<(Plan, Arc<Script>)>,
}

/// How a plan is made simpler.
#[derive(Clone, Copy)]
enum Stage {
    Shorter,
    Plainer,
}

impl Confirmer<'_, '_> {
    /// Sees it again from nothing, makes it short, blames the right thing, and replays it as often
    /// as it takes to be sure.
    pub(crate) async fn confirm(&mut self, candidate: Candidate) -> Candidate {
        // The probe has shown it; what it has shown it may not repeat.
        if fossick_oracles::needs_probe(&candidate.case.finding.code) {
            let mut seen = candidate;
            seen.case.replays = (1, 1);
            return seen;
        }
        // Held until it is over: others know then who ends the service.
        let _deadly = self.reviver.watch(&candidate.case);
        let Some(first) = self.first_sight(&candidate).await else {
            return self.insist(candidate).await;
        };
        let shortest = self.shrink(first).await;
        let blamed = self.blame(shortest).await;
        let mut short = self.replay(blamed).await;
        if short.case.came_back() && self.needs_its_writes(&short).await {
            short.case.basis = Basis::Itself;
        }
        if short.case.came_back() {
            return short;
        }
        // The short form wavers: the form in which it was first seen may not.
        let original = self.replay(candidate).await;
        if original.case.replays.0 >= short.case.replays.0 {
            original
        } else {
            short
        }
    }

    /// Whether a candidate shows once more, just as it is; nothing where the time is over before
    /// that is clear.
    pub(crate) async fn comes_back_within(
        &mut self,
        chances: usize,
        candidate: &Candidate,
    ) -> Option<bool> {
        for _ in 0..chances {
            if self.is_over() {
                return None;
            }
            let again = self.attempt(&candidate.plan, &candidate.case).await;
            if again.is_some() {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Sees it for the first time again: with everything made that it leans on, if that can be.
    async fn first_sight(&mut self, candidate: &Candidate) -> Option<Candidate> {
        if let Some(whole) = self.whole(candidate).await {
            return Some(whole);
        }
        let shown = self.attempt(&candidate.plan, &candidate.case).await?;
        let whole = self.whole(&shown).await;
        Some(whole.unwrap_or(shown))
    }

    /// The candidate as it shows from nothing; nothing where it does so anyway, or not at all.
    async fn whole(&mut self, candidate: &Candidate) -> Option<Candidate> {
        for plan in self.completed(candidate) {
            if self.is_over() {
                break;
            }
            let whole = self.attempt(&plan, &candidate.case).await;
            if let Some(whole) = whole.filter(|whole| whole.case.basis.is_sound()) {
                return Some(whole);
            }
        }
        None
    }

    /// The plan with what it leans on made before it: by the very steps that made it, then by
    /// whoever makes such things. Nothing where it stands alone.
    fn completed(&self, candidate: &Candidate) -> Vec<Plan> {
        let mut search = self.search.borrow_mut();
        let Case {
            episode, finding, ..
        } = &candidate.case;
        let standing = search.standing(&candidate.plan, episode, finding);
        if standing.leftovers.is_empty() {
            return Vec::new();
        }
        let mut plans: Vec<Plan> = search.completed(&candidate.plan, &standing);
        let other = search.stand_alone(&candidate.plan).plan;
        if other != candidate.plan {
            plans.push(other);
        }
        plans
    }

    /// It did not come back at once: two more chances, then it is told apart.
    async fn insist(&mut self, mut candidate: Candidate) -> Candidate {
        let mut came_back = 0;
        for _ in 1..REPLAYS {
            if self.is_over() {
                break;
            }
            let again = self.attempt(&candidate.plan, &candidate.case).await;
            came_back += u32::from(again.is_some());
        }
        candidate.case.replays = (came_back, REPLAYS);
        candidate
    }

    /// Runs a plan; gives the candidate as it shows now, if it does.
    async fn attempt(&mut self, plan: &Plan, known: &Case) -> Option<Candidate> {
        let is_it = |finding: &Finding| finding.is_of_fault(&known.finding);
        self.attempt_for(plan, known, &is_it).await
    }

    /// A replay, and another one where the first met a key that is taken.
    async fn attempt_for(
        &mut self,
        plan: &Plan,
        known: &Case,
        is_it: &dyn Fn(&Finding) -> bool,
    ) -> Option<Candidate> {
        match self.try_once(plan, known, is_it).await {
            Ok(shown) => Some(shown),
            Err(episode) if self.search.borrow_mut().hear_taken(plan, &episode) => {
                self.rendered = None;
                self.try_once(plan, known, is_it).await.ok()
            }
            Err(_) => None,
        }
    }

    async fn try_once(
        &mut self,
        plan: &Plan,
        known: &Case,
        is_it: &dyn Fn(&Finding) -> bool,
    ) -> Result<Candidate, Box<Episode>> {
        // Every replay meets the traces of those before it, so every replay has its own names.
        self.salt += 1;
        let mut script = self.render(plan);
        let renamed = Arc::new(script.renamed(self.salt));
        let (mut episode, _) = self.reviver.run(self.client, renamed, self.probes).await;
        self.search.borrow_mut().note_made(plan, &episode);
        let found = self.judge.judge(&episode).into_iter();
        let (mut wanted, others): (Vec<Finding>, Vec<Finding>) = found.partition(is_it);
        self.note_beside(plan, &episode, &others);
        if wanted.is_empty() {
            return Err(Box::new(episode));
        }
        let finding = wanted.remove(0);
        let standing = self.search.borrow().standing(plan, &episode, &finding);
        // Whoever reads it finds each value where it really lay.
        if let Cow::Owned(settled) = script.settled(&episode) {
            script = Arc::new(settled);
        }
        if let Cow::Owned(settled) = episode.script.settled(&episode) {
            episode.script = Arc::new(settled);
        }
        episode.forget_parsed();
        Ok(Candidate {
            plan: plan.clone(),
            script,
            case: Case {
                finding,
                episode: Arc::new(episode),
                basis: basis(standing),
                ..known.clone()
            },
        })
    }

    fn render(&mut self, plan: &Plan) -> Arc<Script> {
        if let Some((known, script)) = &self.rendered
            && known == plan
        {
            return Arc::clone(script);
        }
        let script = Arc::new(self.search.borrow_mut().render_repeatable(plan));
        self.rendered = Some((plan.clone(), Arc::clone(&script)));
        script
    }

    /// Plainer and shorter calls may meet other faults than the one that is looked for.
    fn note_beside(&mut self, plan: &Plan, episode: &Episode, others: &[Finding]) {
        let grave = others.iter().filter(|f| f.severity > Severity::Low);
        let mut shared: Option<Arc<Episode>> = None;
        for finding in grave {
            let episode = shared.get_or_insert_with(|| slim(episode.clone()));
            self.beside.push(Candidate::seen(finding, plan, episode));
        }
    }

    /// What the fault is blamed on is taken away, or exchanged for something else. Where it fails
    /// all the same, that was not it.
    async fn blame(&mut self, shown: Candidate) -> Candidate {
        let finding = &shown.case.finding;
        let (code, operation) = (finding.code.clone(), finding.operation.clone());
        let got = finding.evidence.got.clone();
        let oracle = fossick_oracles::find(&code);
        if !oracle.is_some_and(|oracle| oracle.anywhere) || self.is_over() {
            return shown;
        }
        let is_same = |other: &Finding| {
            (&other.code, &other.operation, &other.evidence.got) == (&code, &operation, &got)
        };
        for control in self.shrinker.controls(&shown.plan, finding.call) {
            if self.is_over() {
                break;
            }
            if let Some(other) = self.attempt_for(&control, &shown.case, &is_same).await {
                return other;
            }
        }
        shown
    }

    /// Takes away and simplifies as long as the fault stays.
    async fn shrink(&mut self, mut shown: Candidate) -> Candidate {
        let (mut trials, limit) = match shown.case.finding.severity {
            Severity::High => (60, Duration::from_secs(8)),
            Severity::Medium => (24, Duration::from_secs(4)),
            Severity::Low => (4, Duration::from_secs(1)),
        };
        let end = Instant::now() + limit;
        // Plainer values cost more than they tell, except where it matters most.
        let stages: &[Stage] = match shown.case.finding.severity {
            Severity::High => &[Stage::Shorter, Stage::Plainer],
            _ => &[Stage::Shorter],
        };
        'again: while trials > 0 {
            for stage in stages {
                let (plan, shows) = (&shown.plan, shown.case.finding.call);
                let candidates = match stage {
                    Stage::Shorter => self.shrinker.shorter(plan, shows),
                    Stage::Plainer => self.shrinker.plainer(plan, shows),
                };
                for (plan, _) in candidates {
                    if trials == 0 || Instant::now() > end || self.is_over() {
                        return shown;
                    }
                    trials -= 1;
                    if self.forgets_a_write(&shown, &plan) {
                        continue;
                    }
                    let simpler = self.attempt(&plan, &shown.case).await;
                    let sound = |simpler: &Candidate| {
                        simpler.case.basis.is_sound() || !shown.case.basis.is_sound()
                    };
                    if let Some(simpler) = simpler.filter(sound) {
                        shown = simpler;
                        continue 'again;
                    }
                }
            }
            break;
        }
        shown
    }

    /// What everybody's list shows may still be there because an earlier replay wrote it: writes
    /// before such a look are left alone.
    fn forgets_a_write(&self, shown: &Candidate, shorter: &Plan) -> bool {
        let call = shown.case.finding.call;
        let search = self.search.borrow();
        let writes = |plan: &Plan| {
            let steps = plan.steps.iter();
            steps.filter(|step| search.writes(step.operation)).count()
        };
        let look = &shown.plan.steps[call];
        let of_everybody = look.binds.is_empty() && !search.writes(look.operation);
        of_everybody && call > 0 && writes(shorter) < writes(&shown.plan)
    }

    /// Where nothing in an answer tells whose things it is wrong about: whether it is right as long
    /// as the plan's own writes are left out.
    async fn needs_its_writes(&mut self, shown: &Candidate) -> bool {
        let (plan, finding) = (&shown.plan, &shown.case.finding);
        let reads = {
            let search = self.search.borrow();
            let standing = search.standing(plan, &shown.case.episode, finding);
            let unknown = standing.leftovers.is_empty() && standing.unknown.is_some();
            search
                .without_writes(plan, finding.call)
                .filter(|_| unknown)
        };
        match reads {
            Some(reads) => self.attempt(&reads, &shown.case).await.is_none(),
            None => false,
        }
    }

    async fn replay(&mut self, mut shown: Candidate) -> Candidate {
        let (mut came_back, mut of) = (0, 0);
        let mut leaned = None;
        for _ in 0..REPLAYS {
            if self.is_over() && of > 0 {
                break;
            }
            of += 1;
            if let Some(again) = self.attempt(&shown.plan, &shown.case).await {
                came_back += 1;
                shown = again;
                // Names are others each time: what stands on its own does so each time.
                let basis = &shown.case.basis;
                leaned = leaned.or_else(|| (!basis.is_sound()).then(|| basis.clone()));
            }
        }
        shown.case.replays = (came_back, of);
        shown.case.basis = leaned.unwrap_or(shown.case.basis);
        shown
    }

    fn is_over(&self) -> bool {
        self.hard_end.is_some_and(|end| Instant::now() > end)
    }
}

fn basis(standing: Standing) -> Basis {
    if !standing.is_alone() {
        let what = standing.leftovers.into_iter().map(|leftover| leftover.what);
        return Basis::Leftovers(what.chain(standing.unknown).collect());
    }
    if standing.seeds.is_empty() {
        return Basis::Itself;
    }
    Basis::Seeds(standing.seeds)
}
