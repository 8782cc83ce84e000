//! Names and sentences that try to break out of the picture.

use fossick_contract::{Deed, Method};
use fossick_draw::{dot, html, json, read, svg};
use fossick_trace::{
    EdgeEvent, EdgeState, GraphEdge, Joins, OperationNode, PropertyGraph, PropertyUse, SchemaNode,
    SchemaProperty,
};
use proptest::prelude::*;

use crate::markup::{dot_skeleton, elements};
use crate::sample::petstore;

const NASTY: [&str; 24] = [
    "</script>",
    "<script>alert(1)</script>",
    "<!--",
    "-->",
    "]]>",
    "<![CDATA[",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\u{2028}",
    "\u{2029}",
    "\u{0}",
    "\u{1b}[2J",
    "\u{202e}",
    "&",
    "&lt;",
    "{{svg}}",
    "</style><svg onload=x>",
    "</title>",
    "\r\n",
    "}; evil [",
    "<b>",
    "\u{ffff}",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(NASTY.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z/{}]{1,12}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn operation() -> impl Strategy<Value = OperationNode> {
    let method = prop::sample::select(Method::ALL.to_vec());
    let deed = prop::sample::select(vec![Deed::Read, Deed::Create, Deed::Other]);
    (text(), prop::option::of(text()), method, deed, any::<u64>()).prop_map(
        |(label, name, method, deed, calls)| OperationNode {
            label,
            name,
            method,
            deed,
            calls,
            successes: calls / 2,
        },
    )
}

fn schema() -> impl Strategy<Value = SchemaNode> {
    let property = (text(), text()).prop_map(|(name, kind)| SchemaProperty { name, kind });
    let properties = prop::collection::vec(property, 0..12);
    (text(), properties, any::<bool>()).prop_map(|(name, properties, documented)| SchemaNode {
        name,
        properties,
        documented,
    })
}

fn joins() -> impl Strategy<Value = Joins> {
    let place = 0..6_u32;
    let uses = (text(), text()).prop_map(|(property, parameter)| PropertyUse {
        property,
        parameter,
    });
    let uses = prop::collection::vec(uses, 0..4);
    let pairs = prop::collection::vec((text(), text()), 0..3);
    prop_oneof![
        (place.clone(), place.clone())
            .prop_map(|(operation, schema)| Joins::Produces { operation, schema }),
        (place.clone(), place.clone(), uses).prop_map(|(schema, operation, uses)| {
            Joins::Consumes {
                schema,
                operation,
                uses,
            }
        }),
        (place.clone(), place.clone(), pairs).prop_map(|(one, other, pairs)| Joins::Equals {
            one,
            other,
            pairs
        }),
        (place.clone(), place).prop_map(|(one, other)| Joins::Endpoint { one, other }),
    ]
}

fn edge() -> impl Strategy<Value = GraphEdge> {
    let states = vec![
        EdgeState::Told,
        EdgeState::Added,
        EdgeState::Removed,
        EdgeState::Returned,
    ];
    let event = (0..9_u64, text()).prop_map(|(after, why)| EdgeEvent { after, why });
    (
        joins(),
        prop::sample::select(states),
        prop_oneof![Just(f64::NAN), Just(f64::INFINITY), -1.0..2.0],
        prop::collection::vec(event, 0..4),
    )
        .prop_map(|(joins, state, confidence, history)| GraphEdge {
            joins,
            state,
            confidence,
            worked: u32::MAX,
            failed: 0,
            history,
        })
}

/// Some of its edges lead nowhere.
fn graph() -> impl Strategy<Value = PropertyGraph> {
    (
        text(),
        prop::collection::vec(operation(), 0..6),
        prop::collection::vec(schema(), 0..5),
        prop::collection::vec(edge(), 0..10),
    )
        .prop_map(|(title, operations, schemas, edges)| PropertyGraph {
            version: PropertyGraph::VERSION,
            title,
            operations,
            schemas,
            edges,
            requests: 1,
        })
}

/// The graph inside a page, as its script would read it.
fn data(page: &str) -> serde_json::Value {
    let start = "<script type=\"application/json\" id=\"data\">";
    let after = page.split_once(start).expect("it has its data").1;
    let inside = after.split_once("</script>").expect("it ends").0;
    serde_json::from_str(inside).expect("it is JSON")
}

fn assert_harmless(graph: &PropertyGraph) {
    let picture = svg(graph);
    elements(&picture).unwrap_or_else(|why| panic!("{why}\n{picture}"));
    assert!(picture.trim_end().ends_with("</svg>"));
    let text = dot(graph);
    dot_skeleton(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let page = html(graph);
    let names = elements(&page).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(names.iter().filter(|name| *name == "script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert_eq!(page.matches("<!").count(), 1, "the doctype alone");
    assert!(!page.contains(['\u{2028}', '\u{202e}', '\u{0}']));
    let inside = data(&page);
    let operations = inside["graph"]["operations"].as_array().map(Vec::len);
    assert_eq!(operations, Some(graph.operations.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_breaks_out_of_any_format(graph in graph()) {
        assert_harmless(&graph);
    }

    #[test]
    fn json_keeps_every_text_as_it_is(mut graph in graph()) {
        let (operations, schemas) = (graph.operations.len() as u32, graph.schemas.len() as u32);
        graph.edges.retain(|edge| edge.confidence.is_finite() && match &edge.joins {
            Joins::Produces { operation, schema } | Joins::Consumes { operation, schema, .. } =>
                *operation < operations && *schema < schemas,
            Joins::Equals { one, other, .. } => one.max(other) < &schemas,
            Joins::Endpoint { one, other } => one.max(other) < &operations,
        });
        // The reader of numbers is allowed to be off by the last bit.
        graph.edges.iter_mut().for_each(|edge| edge.confidence = (edge.confidence * 8.0).round());
        let back = read(&json(&graph)).expect("it is ours");
        prop_assert_eq!(back, graph);
    }
}

#[test]
fn the_worst_names_of_all_are_only_text() {
    let mut graph = petstore("after");
    let worst = NASTY.concat();
    graph.title.clone_from(&worst);
    for operation in &mut graph.operations {
        operation.label = format!("GET {worst}");
        operation.name = Some(worst.clone());
    }
    for schema in &mut graph.schemas {
        schema.name.clone_from(&worst);
    }
    assert_harmless(&graph);
}

/// A small generator, so that what failed once fails again.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

#[test]
fn a_damaged_file_is_refused_or_drawn_and_never_a_panic() {
    let whole = json(&petstore("after")).into_bytes();
    let mut dice = Dice(7);
    let mut drawn = 0;
    for _ in 0..1500 {
        let mut bytes = whole.clone();
        for _ in 0..=dice.roll(3) {
            let at = dice.roll(bytes.len());
            match dice.roll(4) {
                0 => bytes[at] = dice.roll(256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at] = b"0123456789\"{}[],:-e"[dice.roll(19)],
                _ => {
                    bytes.remove(at);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(graph) = read(&text) {
            drawn += 1;
            if drawn % 10 == 0 {
                assert_harmless(&graph);
            }
        }
    }
    assert!(drawn > 20, "{drawn} could be read");
}
