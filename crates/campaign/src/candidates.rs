//! Findings on their way from seen to reported.

use std::collections::HashMap;
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_search::borrows;
use fossick_trace::{Episode, Finding, Script, Severity};

/// Something that was seen and is yet to be confirmed.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    fingerprint: String,
    pub(crate) finding: Finding,
    pub(crate) plan: Plan,
    pub(crate) episode: Arc<Episode>,
}

/// What became of a candidate.
#[derive(Debug, Clone)]
pub(crate) struct Confirmed {
    pub(crate) finding: Finding,
    pub(crate) episode: Arc<Episode>,
    /// The script of the episode, before its names were made anew.
    pub(crate) script: Arc<Script>,
    pub(crate) came_back: u32,
    pub(crate) replays: u32,
    pub(crate) shrunk_from: usize,
    /// It holds values that earlier answers gave, and shows only where those still mean something.
    pub(crate) borrows: bool,
}

impl Confirmed {
    pub(crate) fn is_sure(&self) -> bool {
        self.replays > 0 && self.came_back == self.replays
    }
}

#[derive(Debug, Default)]
pub(crate) struct Candidates {
    waiting: Vec<Candidate>,
    /// How often each fingerprint was seen.
    seen: HashMap<String, u64>,
    /// Places at which one operation failed in one way.
    places: HashMap<String, usize>,
    /// Mild findings of one cause that are waiting or were told.
    mild: HashMap<String, usize>,
    mild_kept: usize,
    /// Mild findings of new causes that were not kept, because there were so many already.
    pub(crate) left_out: u64,
    pub(crate) under_way: usize,
    pub(crate) done: Vec<Confirmed>,
}

/// One failure of one operation at more places than this is most likely one fault.
const MOST_PLACES: usize = 2;
/// Mild findings of one cause: the first few are told one by one.
const MOST_MILD: usize = 40;
/// And of all causes together: nobody reads more, and each is kept with all its answers.
const MOST_MILD_IN_ALL: usize = 200;

impl Candidates {
    /// Takes a finding in. Tells whether it is a new one.
    pub(crate) fn offer(&mut self, finding: &Finding, plan: &Plan, episode: &Arc<Episode>) -> bool {
        let fingerprint = finding.fingerprint();
        if let Some(seen) = self.seen.get_mut(&fingerprint) {
            *seen += 1;
            self.prefer_better(&fingerprint, finding, plan, episode);
            return false;
        }
        if self.is_more_of_the_same(finding, episode) {
            return false;
        }
        self.seen.insert(fingerprint.clone(), 1);
        self.waiting.push(Candidate {
            fingerprint,
            finding: finding.clone(),
            plan: plan.clone(),
            episode: Arc::clone(episode),
        });
        true
    }

    /// The same crash at yet another place, or the same pedantry yet again.
    fn is_more_of_the_same(&mut self, finding: &Finding, episode: &Episode) -> bool {
        if matches!(finding.code.as_str(), "F101" | "F102" | "F103") {
            let place = episode.script.calls[finding.call].intent.place();
            let placed = place.is_some();
            // One operation failing in one way, whatever was wrong with its input.
            let way = finding.mark.replacen(place.unwrap_or(""), "", 1);
            let key = format!("{} {} {way}", finding.code, finding.operation);
            let places = self.places.entry(key).or_insert(0);
            let known = if placed {
                *places >= MOST_PLACES
            } else {
                *places > 0
            };
            // A crash on plain valid data needs no place: whatever follows is the same.
            *places += if placed { 1 } else { MOST_PLACES };
            return known;
        }
        if finding.severity == Severity::Low {
            let told = self
                .mild
                .entry(format!("{} {}", finding.code, finding.cause))
                .or_insert(0);
            *told += 1;
            if *told > MOST_MILD {
                return true;
            }
            self.mild_kept += 1;
            let full = self.mild_kept > MOST_MILD_IN_ALL;
            self.left_out += u64::from(full);
            return full;
        }
        false
    }

    /// What stands alone is better than what borrows, and then what is short.
    fn prefer_better(
        &mut self,
        fingerprint: &str,
        finding: &Finding,
        plan: &Plan,
        episode: &Arc<Episode>,
    ) {
        let known = |c: &&mut Candidate| c.fingerprint == fingerprint;
        let waiting = self.waiting.iter_mut().find(known);
        if let Some(candidate) = waiting.filter(|c| rank(&c.plan) > rank(plan)) {
            candidate.plan = plan.clone();
            candidate.finding = finding.clone();
            candidate.episode = Arc::clone(episode);
        }
    }

    /// The weightiest candidate, oldest first among equals.
    pub(crate) fn take(&mut self) -> Option<Candidate> {
        let rank = |c: &Candidate| (c.finding.severity, c.finding.sureness);
        let best = self
            .waiting
            .iter()
            .enumerate()
            .max_by(|(a, x), (b, y)| rank(x).cmp(&rank(y)).then(b.cmp(a)))
            .map(|(at, _)| at)?;
        self.under_way += 1;
        Some(self.waiting.remove(best))
    }

    pub(crate) fn put(&mut self, confirmed: Confirmed) {
        self.under_way -= 1;
        self.done.push(confirmed);
    }

    pub(crate) fn seen(&self, finding: &Finding) -> u64 {
        self.seen.get(&finding.fingerprint()).copied().unwrap_or(1)
    }

    /// How many are still to be confirmed, mild ones apart.
    pub(crate) fn pending(&self) -> (usize, usize) {
        let mild = self
            .waiting
            .iter()
            .filter(|c| c.finding.severity == Severity::Low)
            .count();
        (self.waiting.len() - mild + self.under_way, mild)
    }

    /// What nobody had time for.
    pub(crate) fn left_over(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.waiting)
    }
}

/// The better, the lower.
fn rank(plan: &Plan) -> (bool, usize) {
    (borrows(plan), plan.steps.len())
}
