//! Findings on their way from seen to reported.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use fossick_plan::Plan;
use fossick_search::borrows;
use fossick_trace::{Case, Episode, Finding, Intent, Script, Severity};

/// A case with the plan that shows it.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) plan: Plan,
    /// The script of its episode, before its names were made anew.
    pub(crate) script: Arc<Script>,
    pub(crate) case: Case,
}

impl Candidate {
    pub(crate) fn seen(finding: &Finding, plan: &Plan, episode: &Arc<Episode>) -> Self {
        Self {
            plan: plan.clone(),
            script: Arc::clone(&episode.script),
            case: Case::seen(finding.clone(), Arc::clone(episode)),
        }
    }

    fn is(&self, fingerprint: &str) -> bool {
        self.case.finding.fingerprint() == fingerprint
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
    left_out: u64,
    /// Other plans that showed what is waiting, under way or unsure.
    others: HashMap<String, Others>,
    pub(crate) under_way: usize,
    pub(crate) done: Vec<Candidate>,
}

/// Other ways to see a finding, tried where the first one does not do.
#[derive(Debug, Default)]
struct Others {
    plans: Vec<Candidate>,
    /// How many were taken already.
    taken: usize,
}

/// So many ways of seeing one finding are tried, where they borrow from others.
const MOST_BORROWED: usize = 6;
/// And so many in all: what makes everything itself is worth a look.
const MOST_TRIED: usize = 16;
/// And so many are held at a time.
const MOST_OTHERS: usize = 3;
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
            return self.another_way(fingerprint, finding, plan, episode);
        }
        if self.is_more_of_the_same(finding, episode) {
            return false;
        }
        self.seen.insert(fingerprint, 1);
        self.waiting.push(Candidate::seen(finding, plan, episode));
        true
    }

    /// The same crash at yet another place, or the same pedantry yet again.
    fn is_more_of_the_same(&mut self, finding: &Finding, episode: &Episode) -> bool {
        if fossick_oracles::find(&finding.code).is_some_and(|oracle| oracle.anywhere) {
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
        let failures = self.failures.entry(way(finding)).or_default();
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

    /// A finding was seen again. What stands alone is better than what borrows, and then what is
    /// short; where nothing did so far, it gets another chance. Tells whether it waits anew.
    fn another_way(
        &mut self,
        fingerprint: String,
        finding: &Finding,
        plan: &Plan,
        episode: &Arc<Episode>,
    ) -> bool {
        let sure = |c: &Candidate| c.is(&fingerprint) && c.case.is_confirmed();
        let is_over = finding.severity == Severity::Low || self.done.iter().any(sure);
        let has_room = !is_over && self.has_room(&fingerprint, plan);
        let waiting = self.waiting.iter_mut().find(|c| c.is(&fingerprint));
        let is_better = |c: &&mut Candidate| rank(&c.plan) > rank(plan);
        let waits = waiting.is_some();
        let worse = waiting.filter(is_better);
        if worse.is_none() && !has_room {
            return false;
        }
        let mut other = Candidate::seen(finding, plan, episode);
        if let Some(worse) = worse {
            std::mem::swap(worse, &mut other);
        }
        if !has_room {
            return false;
        }
        let is_done = !waits && self.done.iter().any(|c| c.is(&fingerprint));
        let others = self.others.entry(fingerprint).or_default();
        if is_done {
            others.taken += 1;
            self.waiting.push(other);
        } else {
            others.plans.push(other);
            others.plans.sort_by_key(|other| rank(&other.plan));
        }
        is_done
    }

    /// Whether one more way to see a finding may be kept.
    fn has_room(&self, fingerprint: &str, plan: &Plan) -> bool {
        let Some(others) = self.others.get(fingerprint) else {
            return true;
        };
        let most = if borrows(plan) {
            MOST_BORROWED
        } else {
            MOST_TRIED
        };
        others.taken + others.plans.len() < most && others.plans.len() < MOST_OTHERS
    }

    /// Other ways in which a candidate was seen.
    pub(crate) fn others_of(&mut self, candidate: &Candidate) -> Vec<Candidate> {
        let fingerprint = candidate.case.finding.fingerprint();
        let others = self.others.remove(&fingerprint);
        others.map_or_else(Vec::new, |others| others.plans)
    }

    /// The weightiest candidate, oldest first among equals.
    pub(crate) fn take(&mut self) -> Option<Candidate> {
        let rank = |c: &Candidate| (c.case.finding.severity, c.case.finding.sureness);
        let best = self
            .waiting
            .iter()
            .enumerate()
            .max_by(|(a, x), (b, y)| rank(x).cmp(&rank(y)).then(b.cmp(a)))
            .map(|(at, _)| at)?;
        self.under_way += 1;
        Some(self.waiting.remove(best))
    }

    /// Takes a candidate back; gives what is to be told of it, if that is news. One that is not sure
    /// yet is tried in another way, if there is one.
    pub(crate) fn put(&mut self, candidate: Candidate) -> Option<Case> {
        self.under_way -= 1;
        let fingerprint = candidate.case.finding.fingerprint();
        self.remember_place(&candidate);
        if !candidate.case.is_confirmed()
            && let Some(others) = self.others.get_mut(&fingerprint)
            && !others.plans.is_empty()
        {
            others.taken += 1;
            self.waiting.push(others.plans.remove(0));
        }
        let known = |c: &Candidate| c.is(&fingerprint) && c.case.is_confirmed();
        let is_news = candidate.case.is_confirmed() && !self.done.iter().any(known);
        let news = is_news.then(|| candidate.case.clone());
        self.settle(candidate);
        news
    }

    /// Lets everything weighty that is not sure wait once more: the search may have learned since
    /// how to make what it leans on. Tells whether there is any.
    pub(crate) fn retry(&mut self) -> bool {
        let waits =
            |c: &Candidate| !c.case.is_confirmed() && c.case.finding.severity > Severity::Low;
        let again: Vec<Candidate> = self.done.iter().filter(|c| waits(c)).cloned().collect();
        for candidate in &again {
            let fingerprint = candidate.case.finding.fingerprint();
            if !self.waiting.iter().any(|c| c.is(&fingerprint)) {
                self.waiting.push(candidate.clone());
            }
        }
        !again.is_empty()
    }

    /// Where one of several values was enough, its place is known from now on.
    fn remember_place(&mut self, candidate: &Candidate) {
        let finding = &candidate.case.finding;
        let intent = &candidate.script.calls[finding.call].intent;
        if let Intent::Edges(all) = intent
            && let [only] = all.as_slice()
        {
            let failures = self.failures.entry(way(finding));
            failures.or_default().places.insert(only.place.clone());
        }
    }

    /// Of several forms of one finding the surest stays.
    fn settle(&mut self, candidate: Candidate) {
        let fingerprint = candidate.case.finding.fingerprint();
        let sureness = |c: &Candidate| (c.case.is_confirmed(), c.case.replays.0);
        match self.done.iter_mut().find(|c| c.is(&fingerprint)) {
            Some(known) if sureness(known) < sureness(&candidate) => *known = candidate,
            Some(_) => {}
            None => self.done.push(candidate),
        }
    }

    /// How many are sure.
    pub(crate) fn confirmed(&self) -> usize {
        let sure = self.done.iter().filter(|c| c.case.is_confirmed());
        sure.count()
    }

    /// What is said of those that were not kept.
    pub(crate) fn left_out(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            format!(
                "{} more sightings of mild findings are not listed; --ignore with their codes makes room",
                self.left_out
            )
        })
    }

    /// Everything that was seen, confirmed or not, each with how often.
    pub(crate) fn finish(&mut self) -> Vec<Case> {
        for waiting in std::mem::take(&mut self.waiting) {
            self.settle(waiting);
        }
        let all = std::mem::take(&mut self.done).into_iter();
        let counted = |candidate: Candidate| {
            let seen = self.seen.get(&candidate.case.finding.fingerprint());
            Case {
                seen: seen.copied().unwrap_or(1),
                ..candidate.case
            }
        };
        all.map(counted).collect()
    }

    /// How many are still to be confirmed, mild ones apart.
    pub(crate) fn pending(&self) -> (usize, usize) {
        let mild = self
            .waiting
            .iter()
            .filter(|c| c.case.finding.severity == Severity::Low)
            .count();
        (self.waiting.len() - mild + self.under_way, mild)
    }
}

/// One operation failing in one way, whatever was special about its input.
fn way(finding: &Finding) -> String {
    if let Some(raised) = &finding.evidence.raised {
        return format!("{} {} {raised}", finding.code, finding.operation);
    }
    let line = finding.evidence.last_line.as_ref();
    let line = line.map(ToString::to_string).unwrap_or_default();
    let way = finding.evidence.got.as_ref().map(ToString::to_string);
    let way = way.unwrap_or_default();
    format!("{} {} {way} {line}", finding.code, finding.operation)
}

/// The better, the lower.
fn rank(plan: &Plan) -> (bool, usize) {
    (borrows(plan), plan.steps.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::Method;
    use fossick_trace::{Call, Evidence, Location, Payload, Role, Sureness, Telling, Text};

    fn crash(mark: &str) -> Finding {
        Finding {
            code: "F101".to_owned(),
            severity: Severity::High,
            sureness: Sureness::Sure,
            operation: "GET /a".to_owned(),
            call: 0,
            location: Location::Outcome,
            evidence: Evidence {
                got: Some("500 oops".into()),
                ..Evidence::default()
            },
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
            ..Script::default()
        });
        Arc::new(Episode {
            script,
            exchanges: Vec::new(),
            inside: Vec::new(),
            removed: Vec::new(),
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
        candidates.take().expect("it waits");
        let (finding, episode) = several(&["query b"]);
        let mut shrunk = Candidate::seen(&finding, &Plan::default(), &episode);
        shrunk.case.replays = (3, 3);
        assert!(candidates.put(shrunk).is_some());
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

    #[test]
    fn what_did_not_come_back_is_tried_as_it_was_seen_later() {
        let mut candidates = Candidates::default();
        let seen = one("query a");
        assert!(offer(&mut candidates, &seen));
        let mut first = candidates.take().expect("it waits");
        first.case.replays = (0, 3);
        assert!(candidates.put(first).is_none());
        assert!(offer(&mut candidates, &seen), "it gets another chance");
        let mut second = candidates.take().expect("it waits anew");
        second.case.replays = (3, 3);
        assert!(candidates.put(second).is_some(), "that is news");
        assert!(!offer(&mut candidates, &seen));
        assert_eq!(candidates.finish().len(), 1);
    }

    #[test]
    fn what_was_seen_in_two_ways_while_it_waited_is_tried_in_both() {
        let mut candidates = Candidates::default();
        let seen = one("query a");
        assert!(offer(&mut candidates, &seen));
        assert!(!offer(&mut candidates, &seen), "it waits already");
        for tried in 0..2 {
            let mut way = candidates.take().expect("it waits");
            way.case.replays = (0, 3);
            assert!(candidates.put(way).is_none(), "{tried}");
        }
        assert!(candidates.take().is_none());
    }

    #[test]
    fn what_leans_on_leftovers_is_not_told_as_sure() {
        let mut candidates = Candidates::default();
        assert!(offer(&mut candidates, &one("query a")));
        let mut leaning = candidates.take().expect("it waits");
        leaning.case.replays = (3, 3);
        leaning.case.basis = fossick_trace::Basis::Leftovers(vec!["order 7".to_owned()]);
        assert!(candidates.put(leaning).is_none());
        let cases = candidates.finish();
        assert!(cases[0].came_back() && !cases[0].is_confirmed());
    }
}
