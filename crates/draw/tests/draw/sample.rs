//! Graphs to draw: the petstore of `testdata`, and made-up ones of any size.

use fossick_contract::{Deed, Method};
use fossick_trace::{
    EdgeEvent, EdgeState, GraphEdge, Joins, OperationNode, PropertyGraph, PropertyUse, SchemaNode,
    SchemaProperty,
};

pub(crate) fn petstore(name: &str) -> PropertyGraph {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/graph/petstore");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).expect("it is there");
    fossick_draw::read(&text).expect("it is a graph")
}

/// A service with so many schemas, most with five operations, tied together as services are:
/// parts know their owner, and some schemas are used by everything.
pub(crate) fn made_up(schemas: usize, operations: usize) -> PropertyGraph {
    let mut graph = PropertyGraph {
        version: PropertyGraph::VERSION,
        title: "A made-up service".to_owned(),
        requests: 20_000,
        ..PropertyGraph::default()
    };
    for at in 0..schemas {
        graph.schemas.push(schema(at, owner(at)));
    }
    let mut at = 0;
    while graph.operations.len() < operations && at < schemas * 8 {
        family(&mut graph, at % schemas, at / schemas, operations);
        at += 1;
    }
    for at in 0..schemas {
        if let Some(owner) = owner(at).filter(|_| at % 3 != 1) {
            let pair = (format!("{}Id", word(owner)), "id".to_owned());
            let joins = Joins::Equals {
                one: at as u32,
                other: owner as u32,
                pairs: vec![pair],
            };
            graph.edges.push(edge(joins, at));
        }
    }
    graph
}

const WORDS: [&str; 24] = [
    "account", "invoice", "project", "member", "ticket", "comment", "label", "branch", "commit",
    "review", "release", "asset", "hook", "runner", "package", "secret", "team", "badge", "note",
    "event", "mirror", "wiki", "board", "column",
];

fn word(at: usize) -> String {
    let word = WORDS[at % WORDS.len()];
    match at / WORDS.len() {
        0 => word.to_owned(),
        round => format!(
            "{word}{}",
            ["", "Draft", "Policy", "Summary", "Archive"][round % 5]
        ),
    }
}

fn name(at: usize) -> String {
    let mut word = word(at);
    word[..1].make_ascii_uppercase();
    word
}

fn owner(at: usize) -> Option<usize> {
    (at > 0).then(|| at * 7 % at.clamp(1, 9))
}

fn schema(at: usize, owner: Option<usize>) -> SchemaNode {
    let mut properties = vec![property("id", "integer"), property("name", "string")];
    properties.extend(owner.map(|owner| property(&format!("{}Id", word(owner)), "integer")));
    let more = [
        "status",
        "createdAt",
        "description",
        "size",
        "url",
        "locked",
        "tags",
        "rank",
    ];
    let count = at * 5 % 14;
    for extra in 0..count {
        let round = extra / more.len();
        let name = format!(
            "{}{}",
            more[extra % more.len()],
            if round > 0 { "Other" } else { "" }
        );
        properties.push(property(&name, "string"));
    }
    SchemaNode {
        name: name(at),
        properties,
        documented: at % 17 != 16,
    }
}

fn property(name: &str, kind: &str) -> SchemaProperty {
    SchemaProperty {
        name: name.to_owned(),
        kind: kind.to_owned(),
    }
}

/// Operations of one schema, with their edges.
fn family(graph: &mut PropertyGraph, at: usize, round: usize, most: usize) {
    if at % 4 == 3 {
        return;
    }
    let word = word(at);
    let tail = if round > 0 {
        format!("/part{round}")
    } else {
        String::new()
    };
    let all = format!("/{word}s{tail}");
    let one = format!("/{word}s/{{{word}Id}}{tail}");
    let wanted = [
        (Method::Get, &all),
        (Method::Post, &all),
        (Method::Get, &one),
        (Method::Patch, &one),
        (Method::Delete, &one),
    ];
    let first = graph.operations.len() as u32;
    for (turn, (method, path)) in wanted.into_iter().enumerate() {
        if graph.operations.len() < most {
            operation(graph, at, turn, method, path);
        }
    }
    let last = graph.operations.len() as u32;
    for other in first + 3..last {
        let joins = Joins::Endpoint {
            one: first + 2,
            other,
        };
        graph.edges.push(edge(joins, 0));
    }
}

fn operation(graph: &mut PropertyGraph, at: usize, turn: usize, method: Method, path: &str) {
    let number = graph.operations.len() as u32;
    graph.operations.push(OperationNode {
        label: format!("{method} {path}"),
        name: (at % 5 != 4).then(|| format!("{}{}", method.as_str().to_lowercase(), name(at))),
        method,
        deed: Deed::of(method),
        calls: 40 + at as u64,
        successes: (at as u64 * 3 + turn as u64 * 7) % 40,
    });
    let schema = at as u32;
    let salt = at * 5 + turn;
    if method != Method::Delete {
        let joins = Joins::Produces {
            operation: number,
            schema,
        };
        graph.edges.push(edge(joins, salt));
    }
    if path.contains('{') {
        graph.edges.push(edge(
            consumes(schema, number, "id", &format!("{}Id", word(at))),
            salt + 1,
        ));
    } else if method == Method::Post {
        let joins = Joins::Consumes {
            schema,
            operation: number,
            uses: Vec::new(),
        };
        graph.edges.push(edge(joins, salt + 2));
    }
    if let Some(owner) = owner(at) {
        let parameter = format!("{}Id", word(owner));
        graph.edges.push(edge(
            consumes(owner as u32, number, "id", &parameter),
            salt + 3,
        ));
        graph.edges.push(edge(
            consumes(schema, number, &parameter, &parameter),
            salt + 4,
        ));
    }
}

fn consumes(schema: u32, operation: u32, property: &str, parameter: &str) -> Joins {
    Joins::Consumes {
        schema,
        operation,
        uses: vec![PropertyUse {
            property: property.to_owned(),
            parameter: parameter.to_owned(),
        }],
    }
}

fn edge(joins: Joins, salt: usize) -> GraphEdge {
    let state = match salt % 13 {
        5 => EdgeState::Added,
        9 => EdgeState::Removed,
        12 => EdgeState::Returned,
        _ => EdgeState::Told,
    };
    let first = EdgeEvent {
        after: if state == EdgeState::Added { 120 } else { 0 },
        why: "the names are the same".to_owned(),
    };
    let mut history = vec![first];
    if matches!(state, EdgeState::Removed | EdgeState::Returned) {
        history.push(EdgeEvent {
            after: 900,
            why: "ten calls with it failed and none worked".to_owned(),
        });
    }
    GraphEdge {
        joins,
        state,
        confidence: (salt * 37 % 100) as f64 / 100.0,
        worked: (salt % 23) as u32,
        failed: (salt % 7) as u32,
        history,
    }
}
