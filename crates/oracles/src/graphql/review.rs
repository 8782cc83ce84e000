//! An answer held against what was asked, once for all oracles that want to know.

use fossick_contract::Api;
use fossick_trace::{Answer, Severity, Sureness, Wrong};
use serde_json::Value;

use super::complaint::{Complaint, complaints};
use super::errors::{all_lost, left_behind};
use super::inquiry::Inquiry;
use super::library::Library;
use super::outline::Outline;
use super::route::{Astray, route};
use super::walk::{Walk, owner};

/// Flaws of one kind that are told of one answer.
const MOST_TOLD: usize = 24;

#[derive(Debug, Default)]
pub(crate) struct Review {
    /// Where `data` does not fit the selection.
    pub(crate) selection: Vec<Flaw>,
    /// Where null stands and may not.
    pub(crate) nulls: Vec<Flaw>,
}

/// What a finding is made of.
#[derive(Debug)]
pub(crate) struct Flaw {
    /// Names below `data`, `*` for items: `books/*/title`.
    pub(crate) place: String,
    pub(crate) wrong: Wrong,
    pub(crate) got: Option<Value>,
    pub(crate) title: String,
    pub(crate) why: String,
    pub(crate) mark: String,
    pub(crate) cause: String,
    pub(crate) severity: Severity,
    pub(crate) sureness: Sureness,
}

impl Inquiry {
    pub(crate) fn review(&self, api: &Api, library: &Library, answer: &Answer) -> &Review {
        self.review.get_or_init(|| {
            let digest = answer.digest();
            if library.has_passed(self.identity, digest) {
                return Review::default();
            }
            let review = self.reviewed(api, answer).unwrap_or_default();
            if review.selection.is_empty() && review.nulls.is_empty() {
                library.pass(self.identity, digest);
            }
            review
        })
    }

    fn reviewed(&self, api: &Api, answer: &Answer) -> Option<Review> {
        let document = self.document.as_deref()?;
        let body = answer.json()?;
        let data = body.get("data")?;
        let (mut outline, root) = Outline::new(&api.types, document, &self.variables)?;
        let complaints: Vec<Complaint<'_>> = complaints(body).collect();
        let mut review = Review::default();
        match data {
            Value::Object(map) => {
                let paths = complaints
                    .iter()
                    .filter_map(|complaint| complaint.path())
                    .collect();
                let mut walk = Walk::new(&mut outline, paths);
                walk.object(map, root);
                (review.selection, review.nulls) = (walk.selection, walk.nulls);
                let left = complaints
                    .iter()
                    .filter_map(|complaint| left_behind(&mut outline, root, data, *complaint));
                review.nulls.extend(left);
            }
            Value::Null => review
                .nulls
                .extend(all_lost(&mut outline, root, &complaints)),
            // Another oracle tells of it.
            _ => {}
        }
        distinct(&mut review.selection);
        distinct(&mut review.nulls);
        Some(review)
    }

    /// The field that an error's path leads to: `Book.pages`.
    pub(crate) fn resolver(&self, api: &Api, path: &[Value]) -> Option<String> {
        let document = self.document.as_deref()?;
        let (mut outline, root) = Outline::new(&api.types, document, &self.variables)?;
        let stops = route(&mut outline, root, path).ok()?;
        stops.last().map(|stop| owner(&api.types, stop.known))
    }

    /// Whether a path leads out of the selection. Where that can't be said it does not.
    pub(crate) fn leads_astray(&self, api: &Api, path: &[Value]) -> bool {
        let outline = || {
            let document = self.document.as_deref()?;
            Outline::new(&api.types, document, &self.variables)
        };
        outline().is_some_and(|(mut outline, root)| {
            matches!(route(&mut outline, root, path), Err(Astray::Outside))
        })
    }
}

/// One flaw for each mark: ten items of a list are one fault.
fn distinct(flaws: &mut Vec<Flaw>) {
    let mut kept: Vec<Flaw> = Vec::new();
    for flaw in flaws.drain(..) {
        if kept.len() < MOST_TOLD && kept.iter().all(|known| known.mark != flaw.mark) {
            kept.push(flaw);
        }
    }
    *flaws = kept;
}
