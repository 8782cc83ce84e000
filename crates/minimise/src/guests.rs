//! Tests that show something only over somebody else's things.

use fossick_contract::{Api, Deed, PathTemplate, StatusPattern};
use fossick_search::Provenance;
use fossick_trace::{Answer, Call, Episode, Exchange, Part, Role};
use percent_encoding::percent_decode_str;

use crate::candidate::Candidate;
use crate::kept::Wavering;

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
            (Deed::Create, 409) => {
                let made = |(other, status): &(&Call, u16)| {
                    *status < 300 && other.operation == call.operation
                };
                !before.iter().any(made)
            }
            _ => false,
        }
    })
}

/// Whether a call succeeded on something that the test did not make and that was not there before
/// the run: where keys are short, chance meets what earlier calls left, and whoever shortens a test
/// may leave out what made its things.
pub(crate) fn meets_by_chance(api: &Api, known: &Provenance, episode: &Episode) -> bool {
    let steps = episode.script.calls.iter().zip(&episode.exchanges);
    steps.enumerate().any(|(at, (call, exchange))| {
        let operation = api.find(&call.operation).map(|index| api.operation(index));
        let Some(operation) = operation.filter(|_| met(exchange)) else {
            return false;
        };
        let before = &episode.exchanges[..at];
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
