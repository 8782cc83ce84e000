//! Tests that show something only over somebody else's things.

use fossick_contract::{Api, Deed, PathTemplate, StatusPattern};
use fossick_search::{Provenance, says_taken};
use fossick_trace::{Answer, Call, Episode, Exchange, Part, Role};
use percent_encoding::percent_decode_str;

use crate::candidate::Candidate;
use crate::kept::Wavering;

const CONFLICT: u16 = 409;

/// Faults that show only over somebody else's things are left out where the same cause shows
/// over the test's own: these come back on a service that begins anew.
pub(crate) fn leave_guests_out(faults: &mut Vec<Candidate>) -> Vec<Wavering> {
    let cause = |fault: &Candidate| {
        let finding = fault.finding.as_ref();
        finding.map(|finding| (finding.code.clone(), finding.cause.clone()))
    };
    let hosts: Vec<_> = faults.iter().filter(|f| !f.borrows).map(cause).collect();
    let (guests, own): (Vec<Candidate>, _) = std::mem::take(faults)
        .into_iter()
        .partition(|fault| fault.borrows && hosts.contains(&cause(fault)));
    *faults = own;
    let told = |guest: &Candidate| Wavering {
        what: guest.what(),
        why: "it shows only over things that others made".to_owned(),
    };
    guests.iter().map(told).collect()
}

/// Whether an answer fails over an item of a list. Who stands there is a matter of what others
/// made.
pub(crate) fn shows_a_guest(episode: &Episode) -> bool {
    let answers = episode.exchanges.iter().map(|e| e.outcome.answer());
    answers.flatten().any(Answer::fails_over_an_item)
}

/// Whether a call met something that the test did not make: a key that is taken, or a thing that was
/// replaced where it would have been made.
pub(crate) fn meets_a_leftover(api: &Api, episode: &Episode) -> bool {
    const CREATED: u16 = 201;
    let calls: Vec<(&Call, u16)> = episode
        .script
        .calls
        .iter()
        .zip(&episode.exchanges)
        .map(|(call, exchange)| (call, exchange.outcome.status().unwrap_or(0)))
        .collect();
    calls.iter().enumerate().any(|(at, (call, status))| {
        let operation = api.find(&call.operation).map(|index| api.operation(index));
        let Some(operation) = operation.filter(|_| call.captures().next().is_none()) else {
            return false;
        };
        let before = &calls[..at];
        match (operation.deed(), *status) {
            (Deed::Replace, 200 | 204) if call.role != Role::Setup => {
                let created = StatusPattern::Exact(CREATED);
                let documented = operation.responses.iter().any(|r| r.status == created);
                let made = |(other, status): &(&Call, u16)| {
                    *status == CREATED && other.target == call.target
                };
                documented && !before.iter().any(made)
            }
            (Deed::Create, CONFLICT) => {
                let made = |(other, status): &(&Call, u16)| {
                    *status < 300 && other.operation == call.operation
                };
                !before.iter().any(made)
            }
            _ => false,
        }
    })
}

/// Whether a write was refused because somebody has a text already that no call of the test sent or
/// saw before.
fn finds_it_taken(known: &Provenance, episode: &Episode, at: usize) -> bool {
    const LONG_ENOUGH: usize = 2;
    let exchange = &episode.exchanges[at];
    let Some(answer) = exchange.outcome.answer().filter(|a| !a.is_success()) else {
        return false;
    };
    let said = String::from_utf8_lossy(&answer.body).to_lowercase();
    let mut texts = exchange.request.data_texts();
    texts.retain(|text| text.len() >= LONG_ENOUGH);
    let quotes_one = || texts.iter().any(|text| said.contains(&text.to_lowercase()));
    let is_taken = says_taken(&said) || (answer.status == CONFLICT && quotes_one());
    let before = &episode.exchanges[..at];
    let is_known = |text: &String| {
        known.seeds.contains(text) || before.iter().any(|other| speaks_of(other, text))
    };
    is_taken && !texts.is_empty() && !texts.iter().any(is_known)
}

/// Whether a call was refused for the state of something where the test sent a key of what was there
/// before: the run may have used that up.
fn refused_over_a_seed(known: &Provenance, episode: &Episode, at: usize) -> bool {
    let is_key = |text: &String| {
        let digits = text.bytes().any(|b| b.is_ascii_digit());
        digits && text.bytes().any(|b| b.is_ascii_alphabetic()) && known.seeds.contains(text)
    };
    let mut sent = episode.exchanges[..at]
        .iter()
        .flat_map(|e| e.request.data_texts());
    episode.exchanges[at].outcome.status() == Some(CONFLICT) && sent.any(|text| is_key(&text))
}

/// Whether a call succeeded on something that the test did not make and that was not there before
/// the run: where keys are short, chance meets what earlier calls left, and whoever shortens a test
/// may leave out what made its things.
pub(crate) fn meets_by_chance(api: &Api, known: &Provenance, episode: &Episode) -> bool {
    let steps = episode.script.calls.iter().zip(&episode.exchanges);
    steps.enumerate().any(|(at, (call, exchange))| {
        let operation = api.find(&call.operation).map(|index| api.operation(index));
        let Some(operation) = operation else {
            return false;
        };
        let sets = matches!(
            operation.deed(),
            Deed::Create | Deed::Replace | Deed::Update
        );
        if sets && finds_it_taken(known, episode, at) {
            return true;
        }
        if refused_over_a_seed(known, episode, at) {
            return true;
        }
        let before = &episode.exchanges[..at];
        let is_leftover = |key: &String| {
            let made = known.numbers.contains(key) || known.made.contains_key(key);
            let of_the_run = made && !known.seeds.contains(key);
            of_the_run && !before.iter().any(|e| speaks_of(e, key))
        };
        if !met(exchange) {
            // Refused for another reason than that it is not there.
            let mut keys = keys_sent(&operation.path, &exchange.request.target).into_iter();
            let refused = matches!(exchange.outcome.status(), Some(400 | 422));
            return refused && keys.any(|key| is_leftover(&key));
        }
        let is_strange =
            |key: &String| !known.seeds.contains(key) && !before.iter().any(|e| speaks_of(e, key));
        let of_others = |key: &String| {
            let makers = known.made.get(key).into_iter().flatten();
            makers.into_iter().any(|maker| *maker != call.operation)
        };
        let mut keys = keys_sent(&operation.path, &exchange.request.target).into_iter();
        let mut texts = exchange.request.texts().into_iter();
        operation.deed() != Deed::Replace && keys.any(|key| is_strange(&key))
            || texts.any(|text| of_others(&text) && is_strange(&text))
    })
}

/// Whether a call looked in vain for a thing by the number of another one that the test made: it is
/// a matter of chance whether somebody has a thing of that number.
pub(crate) fn misses_by_chance(api: &Api, episode: &Episode) -> bool {
    const MISSING: u16 = 404;
    let deletes = |call: &Call| {
        let operation = api.find(&call.operation).map(|index| api.operation(index));
        operation.is_none_or(|operation| operation.deed() == Deed::Delete)
    };
    let mut deleted = false;
    for (call, exchange) in episode.script.calls.iter().zip(&episode.exchanges) {
        let missing = exchange.outcome.status() == Some(MISSING);
        let mut taken = call.target.0.iter().filter_map(|part| match part {
            Part::Captured(capture) => episode.answer(capture.call).map(|a| capture.take.from(a)),
            Part::Fixed(_) => None,
        });
        if missing && !deleted && taken.any(|value| value.is_some_and(|v| v.is_number())) {
            return true;
        }
        deleted |= exchange.outcome.is_success() && deletes(call);
    }
    false
}

/// Whether a call found what it names: it worked, or was refused for the state that it is in.
fn met(exchange: &Exchange) -> bool {
    let refused = matches!(exchange.outcome.status(), Some(409 | 412 | 423));
    exchange.outcome.is_success() || refused
}

/// What stands in the holes of a path.
fn keys_sent(path: &PathTemplate, target: &str) -> Vec<String> {
    let sent = target.split(['?', '#']).next().unwrap_or_default();
    let sent: Vec<&str> = sent.split('/').filter(|part| !part.is_empty()).collect();
    let template: Vec<&str> = path.segments().collect();
    // A base path may stand before it.
    let Some(first) = sent.len().checked_sub(template.len()) else {
        return Vec::new();
    };
    let pairs = template.iter().zip(&sent[first..]);
    let holes = pairs.filter(|(piece, _)| piece.starts_with('{') && piece.ends_with('}'));
    holes
        .map(|(_, value)| percent_decode_str(value).decode_utf8_lossy().into_owned())
        .collect()
}

fn speaks_of(exchange: &Exchange, key: &str) -> bool {
    let answer = exchange.outcome.answer();
    let has = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(key);
    let located = |answer: &Answer| {
        let location = answer.header("location");
        location.is_some_and(|location| location.contains(key))
    };
    has(&exchange.request.body) || answer.is_some_and(|a| has(&a.body) || located(a))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{Desk, GET, LOANS, Shed};
    use crate::trial::Trial;

    /// Two tests of one operation whose answer is a crash, one over somebody else's thing.
    fn crashes(label: &str) -> Vec<Candidate> {
        let context = Desk::new().context();
        let mut shed = Shed::with(|_, _| Some((500, json!({}))));
        let mut test = context.test(vec![match label {
            GET => context.about(GET, 1),
            _ => context.plain(label),
        }]);
        test.finding = Some(context.finding("F101", &test, &mut shed));
        let guest = Candidate {
            borrows: true,
            ..test.clone()
        };
        vec![test, guest]
    }

    #[test]
    fn keys_stand_in_the_holes_of_a_path() {
        let path = PathTemplate::parse("/sailings/{id}/bookings/{booking}");
        let sent = keys_sent(&path, "/v1/sailings/7/bookings/a%20b?full=1");
        assert_eq!(sent, ["7", "a b"]);
    }

    #[test]
    fn a_key_that_chance_met_is_a_leftovers() {
        let desk = Desk::new();
        let context = desk.context();
        let mut shed = Shed::with(|_, _| Some((200, json!({"id": 4}))));
        let test = context.test(vec![context.about(GET, 4)]);
        let episode = shed.run(&Trial {
            script: test.script,
            anew: false,
        });
        let known = |seed: &str| Provenance {
            seeds: [seed.to_owned()].into(),
            ..Provenance::default()
        };
        assert!(meets_by_chance(context.api, &known("7"), &episode));
        assert!(!meets_by_chance(context.api, &known("4"), &episode));
        let made_by = |label: &str| Provenance {
            made: [("4".to_owned(), vec![label.into()])].into(),
            ..known("4")
        };
        assert!(!meets_by_chance(context.api, &made_by(LOANS), &episode));
    }

    #[test]
    fn a_name_that_an_earlier_run_took_is_a_leftovers() {
        let desk = Desk::new();
        let context = desk.context();
        let taken = || Shed::with(|_, _| Some((422, json!({"error": "the name is taken"}))));
        let test = context.test(vec![context.make("hammer", None)]);
        let trial = Trial {
            script: test.script,
            anew: false,
        };
        let episode = taken().run(&trial);
        let nothing = Provenance::default();
        assert!(meets_by_chance(context.api, &nothing, &episode));
        let sent = episode.exchanges[0].request.data_texts();
        let seeds = Provenance {
            seeds: sent.into_iter().collect(),
            ..Provenance::default()
        };
        assert!(!meets_by_chance(context.api, &seeds, &episode));
        let blank = Shed::with(|_, _| Some((422, json!({"error": "the name is blank"}))));
        let episode = { blank }.run(&trial);
        assert!(!meets_by_chance(context.api, &nothing, &episode));
    }

    #[test]
    fn a_refusal_over_a_thing_of_the_run_is_a_leftovers() {
        let desk = Desk::new();
        let context = desk.context();
        let mut shed = Shed::with(|_, _| Some((422, json!({}))));
        let test = context.test(vec![context.about(GET, 62)]);
        let episode = shed.run(&Trial {
            script: test.script,
            anew: false,
        });
        let made = |number: &str| Provenance {
            numbers: [number.to_owned()].into(),
            ..Provenance::default()
        };
        assert!(meets_by_chance(context.api, &made("62"), &episode));
        assert!(!meets_by_chance(context.api, &made("63"), &episode));
        let named = Provenance {
            made: [("62".to_owned(), vec![LOANS.into()])].into(),
            ..Provenance::default()
        };
        assert!(meets_by_chance(context.api, &named, &episode));
    }

    #[test]
    fn what_is_missing_under_the_number_of_another_thing_is_so_by_chance() {
        let desk = Desk::new();
        let context = desk.context();
        let mut shed = Shed::with(|request, _| {
            let missing = request.target.contains("/tools/");
            missing.then(|| (404, json!({})))
        });
        let test = context.test(vec![context.make("axe", None), context.of_made(GET, 0)]);
        let episode = shed.run(&Trial {
            script: test.script,
            anew: false,
        });
        assert!(misses_by_chance(context.api, &episode));
    }

    #[test]
    fn a_fault_over_other_things_goes_where_it_shows_over_its_own() {
        let mut faults = crashes(GET);
        let told = leave_guests_out(&mut faults);
        assert_eq!((faults.len(), told.len()), (1, 1));
        assert!(!faults[0].borrows);
        assert!(told[0].what.starts_with("F101 GET /tools/{id}: "));
        assert_eq!(told[0].why, "it shows only over things that others made");
    }

    #[test]
    fn a_fault_over_other_things_stays_where_nothing_else_shows_it() {
        let mut alone = vec![crashes(GET).remove(1), crashes(LOANS).remove(0)];
        let same_cause = |one: &Candidate, other: &Candidate| {
            let cause = |test: &Candidate| test.finding.as_ref().map(|f| f.cause.clone());
            cause(one) == cause(other)
        };
        assert!(!same_cause(&alone[0], &alone[1]));
        assert_eq!(leave_guests_out(&mut alone), []);
        assert_eq!(alone.len(), 2);
    }
}
