//! Labels of edges that would lie over each other, or over a box.
//!
//! An edge tells what it is when it is pointed at, and it begins at the property that it carries: a
//! label that can't be read is left out. What was learned goes before what the document tells.

use fossick_trace::{EdgeState, PropertyGraph};

use super::route::Label;
use super::{Area, Picture};
use crate::text::squeezed;

/// Letters of a label that fit between a card and a pill.
const LONGEST: usize = 21;
const LETTER: f64 = 6.7;
const ABOVE: f64 = 10.0;
const HEIGHT: f64 = 14.0;

/// Shortens labels, and takes those away that others lie over.
pub(super) fn thin(graph: &PropertyGraph, picture: &mut Picture) {
    let mut order: Vec<usize> = (0..picture.curves.len()).collect();
    let told = |at: &usize| {
        graph
            .edges
            .get(*at)
            .is_none_or(|e| e.state == EdgeState::Told)
    };
    order.sort_by_key(told);
    let mut taken: Vec<Area> = picture
        .pills
        .iter()
        .chain(&picture.cards)
        .copied()
        .collect();
    for at in order {
        for curve in &mut picture.curves[at] {
            let Some(label) = &mut curve.label else {
                continue;
            };
            label.text = squeezed(&label.text, LONGEST);
            let area = area(label);
            if taken.iter().any(|other| meet(&area, other)) {
                curve.label = None;
            } else {
                taken.push(area);
            }
        }
    }
}

fn area(label: &Label) -> Area {
    let width = label.text.chars().count() as f64 * LETTER;
    Area {
        x: label.at.0 - if label.ends { width } else { 0.0 },
        y: label.at.1 - ABOVE,
        width,
        height: HEIGHT,
    }
}

fn meet(a: &Area, b: &Area) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Curve;
    use fossick_trace::{GraphEdge, Joins};

    fn edge(state: EdgeState) -> GraphEdge {
        GraphEdge {
            joins: Joins::Produces {
                operation: 0,
                schema: 0,
            },
            state,
            confidence: 1.0,
            worked: 0,
            failed: 0,
            history: Vec::new(),
        }
    }

    fn labelled(at: (f64, f64)) -> Vec<Curve> {
        vec![Curve {
            from: (0.0, 0.0),
            to: (0.0, 0.0),
            bends: ((0.0, 0.0), (0.0, 0.0)),
            head: None,
            label: Some(Label {
                text: "id as toolId".to_owned(),
                at,
                ends: false,
            }),
        }]
    }

    #[test]
    fn of_labels_that_meet_the_learned_one_stays() {
        let graph = PropertyGraph {
            edges: vec![
                edge(EdgeState::Told),
                edge(EdgeState::Added),
                edge(EdgeState::Told),
            ],
            ..PropertyGraph::default()
        };
        let mut picture = Picture {
            curves: vec![
                labelled((10.0, 20.0)),
                labelled((30.0, 25.0)),
                labelled((10.0, 80.0)),
            ],
            ..Picture::default()
        };
        thin(&graph, &mut picture);
        let left: Vec<bool> = picture
            .curves
            .iter()
            .map(|c| c[0].label.is_some())
            .collect();
        assert_eq!(left, [false, true, true]);
    }
}
