//! What lines and colours mean, below the picture; only what is in it.

use fossick_trace::{EdgeState, PropertyGraph};

use crate::edge::{EdgeKind, STATES, state_name};
use crate::text::width;

#[derive(Default)]
pub(crate) struct Legend {
    pub(crate) body: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

const LINE: f64 = 24.0;

pub(crate) fn legend(graph: &PropertyGraph) -> Legend {
    let kinds: Vec<Key> = EdgeKind::ALL
        .into_iter()
        .filter(|kind| has_kind(graph, *kind))
        .map(|kind| Key::new(kind, EdgeState::Told, of_kind(kind)))
        .collect();
    let states: Vec<Key> = STATES
        .into_iter()
        .filter(|state| *state != EdgeState::Told && has_state(graph, *state))
        .map(|state| Key::new(EdgeKind::Consumes, state, of_state(state)))
        .collect();
    let lines = [kinds, states];
    let full: Vec<&Vec<Key>> = lines.iter().filter(|line| !line.is_empty()).collect();
    let mut legend = Legend {
        body: String::new(),
        width: 0.0,
        height: LINE * full.len() as f64 + 16.0,
    };
    for (at, line) in full.iter().enumerate() {
        let (body, end) = written(line, LINE * at as f64 + 12.0);
        legend.body.push_str(&body);
        legend.width = legend.width.max(end + 40.0);
    }
    legend
}

struct Key {
    kind: EdgeKind,
    state: EdgeState,
    words: &'static str,
}

impl Key {
    fn new(kind: EdgeKind, state: EdgeState, words: &'static str) -> Self {
        Self { kind, state, words }
    }
}

fn written(keys: &[Key], y: f64) -> (String, f64) {
    let mut x = 40.0;
    let mut out = String::new();
    for key in keys {
        out.push_str(&swatch(key, x, y));
        out.push_str(&format!(
            "<text class=\"key\" x=\"{:.0}\" y=\"{:.0}\">{}</text>\n",
            x + 48.0,
            y + 4.0,
            key.words
        ));
        x += 48.0 + width(key.words, 12.0) + 28.0;
    }
    (out, x)
}

fn swatch(key: &Key, x: f64, y: f64) -> String {
    let wide = if key.kind == EdgeKind::Equals {
        3.2
    } else {
        1.8
    };
    let arrow = matches!(key.kind, EdgeKind::Produces | EdgeKind::Consumes);
    let (tip, top, bottom) = (x + 38.0, y - 4.0, y + 4.0);
    let mut out = format!(
        "<g class=\"k-{} s-{}\"><path class=\"l\" stroke-width=\"{wide}\" d=\"M{x:.0} {y:.0}H{:.0}\"/>",
        key.kind.name(),
        state_name(key.state),
        tip - 6.0
    );
    if arrow {
        let back = tip - 8.0;
        out.push_str(&format!(
            "<path class=\"h\" d=\"M{tip:.0} {y:.0}L{back:.0} {top:.0}V{bottom:.0}Z\"/>"
        ));
    }
    if key.state == EdgeState::Removed {
        let (left, right) = (x + 10.0, x + 18.0);
        out.push_str(&format!(
            "<path class=\"cross\" d=\"M{left:.0} {top:.0}L{right:.0} {bottom:.0}M{left:.0} {bottom:.0}L{right:.0} {top:.0}\"/>"
        ));
    }
    out.push_str("</g>\n");
    out
}

fn has_kind(graph: &PropertyGraph, kind: EdgeKind) -> bool {
    let mut kinds = graph.edges.iter().map(|e| EdgeKind::of(&e.joins));
    kinds.any(|own| own == kind)
}

fn has_state(graph: &PropertyGraph, state: EdgeState) -> bool {
    graph.edges.iter().any(|e| e.state == state)
}

fn of_kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Produces => "answers with it",
        EdgeKind::Consumes => "takes it, or a property of it",
        EdgeKind::Equals => "mean the same",
        EdgeKind::Endpoint => "same endpoint",
    }
}

fn of_state(state: EdgeState) -> &'static str {
    match state {
        EdgeState::Told => "the document tells it",
        EdgeState::Added => "added: answers showed it",
        EdgeState::Removed => "removed: failed too often",
        EdgeState::Returned => "returned: worked again",
    }
}
