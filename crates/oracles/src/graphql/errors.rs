//! Errors against `data`: what a failed field leaves behind.
//!
//! A field that fails is null; where it may not be, the nearest thing above it that may be null is
//! null in its place, up to `data` itself. A null in the walk's way is told by the walk.

use fossick_trace::{Severity, Sureness, Wrong};
use serde_json::Value;

use super::complaint::Complaint;
use super::outline::{Outline, SetId};
use super::review::Flaw;
use super::route::{Stop, route};
use super::walk::{owner, text};

/// How far `data` can be followed along a path.
enum End {
    /// Something above it, or it itself, is null.
    Null,
    /// Neither key nor item is there.
    Missing(usize),
    There,
}

/// What is wrong with `data` in the light of one error.
pub(super) fn left_behind<'a>(
    outline: &mut Outline<'a>,
    root: SetId,
    data: &Value,
    complaint: Complaint<'a>,
) -> Option<Flaw> {
    let path = complaint.path()?;
    let stops = route(outline, root, path).ok()?;
    let last = stops.last()?;
    let said = complaint.brief();
    match follow(data, path) {
        End::Null => None,
        End::There => Some(Flaw {
            place: place(path),
            wrong: Wrong::Value,
            got: None,
            title: format!(
                "{}: a value although an error says that it failed",
                place(path)
            ),
            why: format!("A field with an error is null; the error says: {said}"),
            mark: format!("{} value with error", place(path)),
            cause: format!("{} value with error", owner(outline.types, last.known)),
            severity: Severity::Low,
            sureness: Sureness::Likely,
        }),
        End::Missing(at) => {
            let stop = stops.get(at)?;
            (stop.nullable == Some(false)).then(|| swallowed(outline, path, at, stop, &said))
        }
    }
}

/// A key or an item is left out where null should have gone up.
fn swallowed(
    outline: &Outline<'_>,
    path: &[Value],
    at: usize,
    stop: &Stop<'_>,
    said: &str,
) -> Flaw {
    let place = place(path.get(..=at).unwrap_or(path));
    let returns = &stop.known.field.returns;
    let promised = text(outline.types, returns, stop.level);
    Flaw {
        title: format!("{place}: left out where {promised} is promised"),
        wrong: Wrong::Missing,
        got: None,
        why: format!(
            "It failed ({said}) and may not be null, so the nearest thing above it that may be null should be null in its place."
        ),
        mark: format!("{place} left out"),
        place,
        cause: format!("{} left out", owner(outline.types, stop.known)),
        severity: Severity::Medium,
        sureness: Sureness::Sure,
    }
}

/// `data` is null, which is right only if one of the errors could rise so far.
pub(super) fn all_lost<'a>(
    outline: &mut Outline<'a>,
    root: SetId,
    complaints: &[Complaint<'a>],
) -> Option<Flaw> {
    let mut stays_below = |complaint: &Complaint<'a>| {
        let stops = route(outline, root, complaint.path()?).ok()?;
        let stop = stops.iter().find(|stop| stop.nullable == Some(true))?;
        Some(text(outline.types, &stop.known.field.returns, stop.level))
    };
    let first = complaints.first()?;
    let mut promised = None;
    for complaint in complaints {
        promised = Some(stays_below(complaint)?);
    }
    let promised = promised?;
    let place = place(first.path()?);
    Some(Flaw {
        place: String::new(),
        wrong: Wrong::Value,
        got: Some(Value::Null),
        title: "data: null although every field that failed may be null itself".to_owned(),
        why: format!(
            "The error at {place} stops at {promised}, which may be null; the rest of data should be there."
        ),
        mark: "data lost".to_owned(),
        cause: "data lost".to_owned(),
        severity: Severity::Low,
        sureness: Sureness::Likely,
    })
}

fn follow(data: &Value, path: &[Value]) -> End {
    let mut here = data;
    for (at, element) in path.iter().enumerate() {
        if here.is_null() {
            return End::Null;
        }
        let next = match element {
            Value::String(key) => here.get(key),
            element => element.as_u64().and_then(|at| here.get(at as usize)),
        };
        match next {
            Some(next) => here = next,
            None => return End::Missing(at),
        }
    }
    if here.is_null() {
        End::Null
    } else {
        End::There
    }
}

/// A path as people read it, its indexes folded.
pub(super) fn place(path: &[Value]) -> String {
    let parts: Vec<&str> = path.iter().map(|e| e.as_str().unwrap_or("*")).collect();
    parts.join("/")
}
