//! A graph that may be drawn: every text on one line, without control characters and marks that
//! reorder it, none longer than anybody reads; every edge between nodes that are there.
//!
//! Done once, before layout, so that no writer has to think of it.

use fossick_trace::{EdgeEvent, GraphEdge, Joins, OperationNode, PropertyGraph, SchemaNode};

use crate::read::is_whole;

const NAME: usize = 200;
const SENTENCE: usize = 600;
/// Events of one edge that are shown; the first and the last of them tell most.
const EVENTS: usize = 40;

pub(crate) fn tidy(graph: &PropertyGraph) -> PropertyGraph {
    let mut tidy = graph.clone();
    tidy.edges.retain(|edge| is_whole(graph, &edge.joins));
    clean(&mut tidy.title, NAME);
    tidy.operations.iter_mut().for_each(operation);
    tidy.schemas.iter_mut().for_each(schema);
    tidy.edges.iter_mut().for_each(edge);
    tidy
}

fn operation(node: &mut OperationNode) {
    clean(&mut node.label, NAME);
    if let Some(name) = &mut node.name {
        clean(name, NAME);
    }
    node.name.take_if(|name| name.is_empty());
}

fn schema(node: &mut SchemaNode) {
    clean(&mut node.name, NAME);
    for property in &mut node.properties {
        clean(&mut property.name, NAME);
        clean(&mut property.kind, NAME);
    }
}

fn edge(edge: &mut GraphEdge) {
    edge.confidence = if edge.confidence.is_nan() {
        0.0
    } else {
        edge.confidence.clamp(0.0, 1.0)
    };
    match &mut edge.joins {
        Joins::Consumes { uses, .. } => {
            for one in uses {
                clean(&mut one.property, NAME);
                clean(&mut one.parameter, NAME);
            }
        }
        Joins::Equals { pairs, .. } => {
            for (one, other) in pairs {
                clean(one, NAME);
                clean(other, NAME);
            }
        }
        Joins::Produces { .. } | Joins::Endpoint { .. } => {}
    }
    shorten(&mut edge.history);
    for event in &mut edge.history {
        clean(&mut event.why, SENTENCE);
    }
}

fn shorten(history: &mut Vec<EdgeEvent>) {
    if history.len() > EVENTS {
        let surplus = history.len() - EVENTS;
        history.drain(EVENTS / 2..EVENTS / 2 + surplus);
    }
}

fn clean(text: &mut String, most: usize) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    *text = line.chars().take(most).map(visible).collect();
    if line.chars().nth(most).is_some() {
        text.push('…');
    }
}

fn visible(c: char) -> char {
    let hidden = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}');
    if hidden || c.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_on_one_line_and_show_what_was_hidden() {
        let mut name = "a\n b\u{202e}c\u{0}d".to_owned();
        clean(&mut name, 100);
        assert_eq!(name, "a b\u{fffd}c\u{fffd}d");
        let mut long = "x".repeat(500);
        clean(&mut long, 10);
        assert_eq!(long, "xxxxxxxxxx…");
    }

    #[test]
    fn of_a_long_history_the_beginning_and_the_end_stay() {
        let event = |after| EdgeEvent {
            after,
            why: String::new(),
        };
        let mut history: Vec<EdgeEvent> = (0..1000).map(event).collect();
        shorten(&mut history);
        assert_eq!(history.len(), EVENTS);
        assert_eq!(history.first().map(|e| e.after), Some(0));
        assert_eq!(history.last().map(|e| e.after), Some(999));
    }
}
