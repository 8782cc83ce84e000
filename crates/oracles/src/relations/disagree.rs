//! The same thing with another value elsewhere.

use fossick_trace::{Finding, Location};
use serde_json::Value;

use super::look::looks;
use super::sightings::{Sighting, sightings};
use crate::compare::{brief, same};
use crate::names::is_volatile;
use crate::scene::{Scene, Shaded};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    if !may_disagree(scene) {
        return;
    }
    let looks = looks(scene);
    let all = sightings(scene, &looks);
    for (at, middle) in all.iter().enumerate() {
        for other in all[..at]
            .iter()
            .filter(|other| is_same_thing(other, middle))
        {
            let Some(field) = difference(other, middle) else {
                continue;
            };
            let lasted =
                other.step.at == middle.step.at || lasts(scene, &all, other, middle, field);
            let found = report(oracle, other, middle, field);
            let known = |f: &Finding| f.code == found.code && f.cause == found.cause;
            if lasted && !findings.iter().any(known) {
                findings.push(found);
            }
        }
    }
}

/// It takes two looks, or one of GraphQL, which may show a thing twice. Most episodes have neither,
/// and gathering all things that an answer shows costs more than most oracles.
fn may_disagree(scene: &Scene<'_>) -> bool {
    let looks = scene.steps.iter().filter(|s| s.is_read() && s.succeeded());
    let graphql = scene.steps.iter().any(|s| s.root().is_some());
    graphql || looks.count() > 1
}

fn is_same_thing(a: &Sighting<'_, '_>, b: &Sighting<'_, '_>) -> bool {
    a.sort == b.sort && a.id == b.id && a.place != b.place && a.step.call.user == b.step.call.user
}

/// A plain field that both show, and that is not the same.
fn difference<'a>(a: &Sighting<'_, 'a>, b: &Sighting<'_, 'a>) -> Option<&'a str> {
    let differs = |(name, value): (&&'a str, &&'a Value)| {
        let other = b.fields.get(name)?;
        (!is_volatile(name) && !agree(value, other)).then_some(*name)
    };
    a.fields.iter().find_map(differs)
}

/// Null tells nothing, and a short form of something is no other thing.
fn agree(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => true,
        (Value::String(a), Value::String(b)) => {
            let bare = |text: &str| text.trim().trim_end_matches(['…', '.', '*']).to_lowercase();
            let (a, b) = (bare(a), bare(b));
            a.starts_with(&b) || b.starts_with(&a)
        }
        (Value::Number(x), Value::Number(y)) => {
            let [x, y] = [x.as_f64(), y.as_f64()].map(|n| n.unwrap_or(0.0));
            let rounded = |fine: f64, rough: f64| {
                [1.0, 10.0, 100.0]
                    .iter()
                    .any(|digits| (fine * digits).round() / digits == rough)
            };
            same(a, b) || (x.fract() != 0.0 && rounded(x, y)) || (y.fract() != 0.0 && rounded(y, x))
        }
        // Numbers as texts are an affair of schemas.
        (a, b) if std::mem::discriminant(a) != std::mem::discriminant(b) => true,
        (a, b) => same(a, b),
    }
}

/// One of them is seen again behind the other with the same value, and nothing was written
/// meanwhile: so nobody changed it in between.
fn lasts(
    scene: &Scene<'_>,
    all: &[Sighting<'_, '_>],
    first: &Sighting<'_, '_>,
    middle: &Sighting<'_, '_>,
    field: &str,
) -> bool {
    let again = all.iter().find(|later| {
        later.step.at > middle.step.at
            && (&later.sort, &later.id, &later.place) == (&first.sort, &first.id, &first.place)
    });
    again.is_some_and(|again| {
        let within = first.step.at..again.step.at;
        let wrote = scene
            .steps
            .iter()
            .any(|s| within.contains(&s.at) && !s.is_safe());
        !wrote && again.fields.get(field) == first.fields.get(field)
    })
}

fn report(
    oracle: &Oracle,
    first: &Sighting<'_, '_>,
    second: &Sighting<'_, '_>,
    field: &str,
) -> Finding {
    let shown = |sighting: &Sighting<'_, '_>| {
        sighting
            .fields
            .get(field)
            .map_or_else(String::new, |v| brief(v))
    };
    let title = format!(
        "{field} of {} is {} in {} and {} in {}",
        second.id,
        shown(second),
        second.place,
        shown(first),
        first.place
    );
    let why = "It is the same thing, and nothing was written in between.".to_owned();
    let mut places = [first.place.as_str(), second.place.as_str()];
    places.sort_unstable();
    second
        .step
        .finding(oracle, title, why)
        .marked(format!("{field} {}", places.join(" ")))
        .caused_by(format!("{field} {}", places.join(" ")))
        .located(Location::State {
            path: format!("/{field}"),
        })
        .got(second.fields.get(field).map(|value| (*value).clone()))
        .after(first.step)
}
