//! Graphs of the size of real services: quick, the same every time, and nothing upon another.

use std::time::{Duration, Instant};

use fossick_draw::{html, svg};
use fossick_trace::PropertyGraph;

use crate::markup::elements;
use crate::sample::{made_up, petstore};

/// Left, top, right, bottom.
type Corners = [f64; 4];

/// Boxes of all cards and pills, read off the picture.
fn boxes(picture: &str) -> Vec<Corners> {
    let nodes = picture.split("<g class=\"n ").skip(1);
    nodes
        .map(|node| {
            let place = between(node, "translate(", ")");
            let (x, y) = place.split_once(' ').expect("two numbers");
            let (x, y) = (number(x), number(y));
            let width = number(between(node, " width=\"", "\""));
            let height = number(between(node, " height=\"", "\""));
            [x, y, x + width, y + height]
        })
        .collect()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let after = text.split_once(start).expect("it starts").1;
    after.split_once(end).expect("it ends").0
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

fn overlap(one: &Corners, other: &Corners) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

fn assert_tidy(graph: &PropertyGraph) {
    let picture = svg(graph);
    elements(&picture).expect("it is well formed");
    let boxes = boxes(&picture);
    assert_eq!(boxes.len(), graph.operations.len() + graph.schemas.len());
    for (at, one) in boxes.iter().enumerate() {
        let upon = boxes.iter().skip(at + 1).find(|other| overlap(one, other));
        assert_eq!(upon, None, "upon {one:?}");
    }
}

#[test]
fn no_node_lies_upon_another() {
    assert_tidy(&petstore("after"));
    assert_tidy(&made_up(120, 300));
    assert_tidy(&made_up(3, 90));
    assert_tidy(&made_up(200, 20));
    assert_tidy(&PropertyGraph::default());
}

#[test]
fn nodes_without_edges_have_a_place_too() {
    let mut graph = made_up(40, 100);
    graph.edges.clear();
    assert_tidy(&graph);
}

#[test]
fn three_hundred_operations_are_drawn_at_once_and_always_alike() {
    let graph = made_up(120, 300);
    assert!(graph.operations.len() == 300 && graph.edges.len() > 1000);
    let started = Instant::now();
    let first = svg(&graph);
    let took = started.elapsed();
    assert!(
        took < Duration::from_secs(2),
        "{took:?}, even on a busy machine"
    );
    assert_eq!(first, svg(&graph));
    assert_eq!(html(&graph), html(&graph));
}

#[test]
fn a_picture_is_about_as_wide_as_a_screen() {
    let picture = svg(&made_up(120, 300));
    let width = number(between(&picture, " width=\"", "\""));
    let height = number(between(&picture, " height=\"", "\""));
    let aspect = width / height;
    assert!((0.9..2.6).contains(&aspect), "{width} by {height}");
}

#[test]
fn thousands_of_operations_end_in_time() {
    let graph = made_up(120, 2000);
    let started = Instant::now();
    let picture = svg(&graph);
    assert!(
        started.elapsed() < Duration::from_secs(8),
        "{:?}",
        started.elapsed()
    );
    assert!(picture.ends_with("</svg>\n"));
}
