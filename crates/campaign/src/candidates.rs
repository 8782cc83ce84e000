//! Findings on their way from seen to reported.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_search::borrows;
use fossick_trace::{Episode, Finding, Intent, Script, Severity};

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
    /// How often one operation failed in one way, and where.
    failures: HashMap<String, Failures>,
    /// Mild findings of one cause that are waiting or were told.
    mild: HashMap<String, usize>,
    mild_kept: usize,
    /// Mild findings of new causes that were not kept, because there were so many already.
    pub(crate) left_out: u64,
    pub(crate) under_way: usize,
    pub(crate) done: Vec<Confirmed>,
}

/// Failures of one operation in one way.
#[derive(Debug, Default)]
struct Failures {
    times: usize,
    /// Places whose values were enough.
    places: BTreeSet<String>,
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
            return self.is_known_failure(finding, &episode.script);
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

    fn is_known_failure(&mut self, finding: &Finding, script: &Script) -> bool {
        let intent = &script.calls[finding.call].intent;
        let failures = self.failures.entry(way(finding, intent)).or_default();
        // One of two values together, or one alone, that is known to be enough.
        let known = |place: &str| failures.places.contains(place);
        let mut tellings = intent.tellings().into_iter();
        if tellings.any(|telling| known(&telling.place)) {
            return true;
        }
        let mut until = script.calls.iter().take(finding.call + 1);
        let telling = until.any(|call| call.intent.is_telling());
        let special = telling || intent.place().is_some();
        let most = if special { MOST_PLACES } else { 1 };
        let is_known = failures.times >= most;
        // A crash on plain valid data needs no place: whatever follows is the same.
        failures.times += if special { 1 } else { MOST_PLACES };
        let place = intent.place().map(str::to_owned);
        failures.places.extend(place);
        is_known
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
        let intent = &confirmed.script.calls[confirmed.finding.call].intent;
        if let Intent::Edges(all) = intent
            && let [only] = all.as_slice()
        {
            let failures = self.failures.entry(way(&confirmed.finding, intent));
            failures.or_default().places.insert(only.place.clone());
        }
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

/// One operation failing in one way, whatever was special about its input.
fn way(finding: &Finding, intent: &Intent) -> String {
    let way = finding.mark.replacen(intent.place().unwrap_or(""), "", 1);
    format!("{} {} {way}", finding.code, finding.operation)
}

/// The better, the lower.
fn rank(plan: &Plan) -> (bool, usize) {
    (borrows(plan), plan.steps.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::Method;
    use fossick_trace::{Call, Payload, Role, Sureness, Telling, Text};

    fn crash(mark: &str) -> Finding {
        Finding {
            code: "F101".to_owned(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation: "GET /a".to_owned(),
            call: 0,
            title: String::new(),
            why: String::new(),
            mark: mark.to_owned(),
            cause: String::new(),
        }
    }

    fn episode(intent: Intent) -> Arc<Episode> {
        let call = Call {
            operation: "GET /a".into(),
            method: Method::Get,
            target: Text::fixed("/a"),
            headers: Vec::new(),
            payload: Payload::None,
            user: None,
            role: Role::Main,
            intent,
            graphql: None,
        };
        let script = Arc::new(Script {
            calls: vec![call],
            names: Vec::new(),
        });
        Arc::new(Episode {
            script,
            exchanges: Vec::new(),
            reached: Vec::new(),
        })
    }

    fn telling(place: &str) -> Telling {
        Telling {
            place: place.to_owned(),
            value: Some("1".to_owned()),
            declared: true,
        }
    }

    fn one(place: &str) -> (Finding, Arc<Episode>) {
        let intent = Intent::Edge {
            place: place.to_owned(),
            value: "1".to_owned(),
            declared: true,
        };
        (crash(&format!("500 {place} oops")), episode(intent))
    }

    fn several(places: &[&str]) -> (Finding, Arc<Episode>) {
        let all = places.iter().map(|place| telling(place)).collect();
        (crash("500  oops"), episode(Intent::Edges(all)))
    }

    fn offer(candidates: &mut Candidates, (finding, episode): &(Finding, Arc<Episode>)) -> bool {
        candidates.offer(finding, &Plan::default(), episode)
    }

    #[test]
    fn two_values_are_no_news_where_one_of_them_was_enough() {
        let mut candidates = Candidates::default();
        assert!(offer(&mut candidates, &one("query a")));
        assert!(!offer(&mut candidates, &several(&["query a", "query b"])));
        assert!(offer(&mut candidates, &several(&["query b", "query c"])));
    }

    #[test]
    fn one_value_is_no_news_where_it_was_left_of_two() {
        let mut candidates = Candidates::default();
        assert!(offer(&mut candidates, &several(&["query a", "query b"])));
        let waiting = candidates.take().expect("it waits");
        let (finding, episode) = several(&["query b"]);
        candidates.put(Confirmed {
            finding,
            script: Arc::clone(&episode.script),
            episode,
            came_back: 3,
            replays: 3,
            shrunk_from: waiting.plan.steps.len(),
            borrows: false,
        });
        assert!(!offer(&mut candidates, &one("query b")));
        assert!(offer(&mut candidates, &one("query c")));
    }

    #[test]
    fn two_values_do_not_hide_what_one_value_does() {
        let mut candidates = Candidates::default();
        assert!(offer(&mut candidates, &several(&["query a", "query b"])));
        assert!(offer(&mut candidates, &one("query c")));
        assert!(!offer(&mut candidates, &one("query d")));
    }
}
