//! Calls that go by, and what of them is kept.

mod flows;
mod graphql;
mod leaks;
mod rest;
mod same;

use fossick_harvest::{
    Answered, Call, Intake, IntakeSettings, Privacy, Redaction, Seen, Sighting, Taken,
};
use serde_json::Value;

fn intake() -> Intake {
    Intake::new(IntakeSettings::new(Privacy::new([42; 32])))
}

/// Lets everything pass that does not give itself away.
fn open() -> Intake {
    let mut privacy = Privacy::new([42; 32]);
    privacy.fields.clear();
    Intake::new(IntakeSettings::new(privacy))
}

fn with_header(mut seen: Seen, name: &str, value: &str) -> Seen {
    seen.headers.push((name.to_owned(), value.to_owned()));
    seen
}

fn sent(method: &str, target: &str, media_type: &str, body: &str) -> Seen {
    let mut seen = Seen::once(1000, method, target);
    seen.body = body.as_bytes().to_vec();
    with_header(seen, "Content-Type", media_type)
}

fn json(target: &str, body: &Value) -> Seen {
    sent("POST", target, "application/json", &body.to_string())
}

fn answered(mut seen: Seen, status: u16, body: &Value) -> Seen {
    seen.answer = Some(Answered {
        status,
        media_type: Some("application/json".to_owned()),
        body: Some(body.to_string().into_bytes()),
        took: Some(1500),
    });
    seen
}

fn only(taken: Taken) -> Sighting {
    assert_eq!(taken.skipped, None);
    let [sighting] = taken.sightings.try_into().expect("one sighting");
    sighting
}

/// Everything that is stored of a sighting.
fn stored(sighting: &Sighting) -> String {
    let call = serde_json::to_string(&sighting.call).expect("JSON");
    let redactions = serde_json::to_string(&sighting.redactions).expect("JSON");
    format!("{call} {redactions} {sighting:?}")
}

fn places(redactions: &[Redaction]) -> Vec<&str> {
    redactions.iter().map(|told| told.place.as_str()).collect()
}

/// A call as somebody would make it again.
fn made_again(call: &Call) -> Seen {
    same::made_again(call)
}
