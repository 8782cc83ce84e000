//! The graph in the language of Graphviz, for those who want another layout.

use fossick_trace::{
    EdgeState, GraphEdge, Joins, OperationNode, PropertyGraph, SchemaNode, SchemaProperty,
};

use crate::edge::{described, state_name, use_label};
use crate::escape::{dot as quoted, dot_lines, xml};
use crate::text::shortened;
use crate::tidy::tidy;
use crate::view::tint;

/// Letters of a name; Graphviz makes every node as wide as its text.
const NAME: usize = 60;

pub fn dot(graph: &PropertyGraph) -> String {
    let graph = tidy(graph);
    let mut out = format!(
        "digraph {} {{\n  rankdir=LR;\n  node [fontname=\"monospace\", fontsize=11];\n  edge [fontname=\"monospace\", fontsize=9];\n",
        quoted(&graph.title)
    );
    for (at, schema) in graph.schemas.iter().enumerate() {
        out.push_str(&card(at, schema));
    }
    for (at, operation) in graph.operations.iter().enumerate() {
        out.push_str(&pill(at, operation));
    }
    for edge in &graph.edges {
        out.extend(lines(&graph, edge));
    }
    out.push_str("}\n");
    out
}

fn card(at: usize, schema: &SchemaNode) -> String {
    let rows = schema.properties.iter().enumerate();
    let rows: Vec<String> = rows.map(|(row, property)| row_of(row, property)).collect();
    let rows = rows.concat();
    let style = if schema.documented { "solid" } else { "dashed" };
    format!(
        "  s{at} [shape=none, margin=0, style={style}, label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\"><tr><td port=\"head\" bgcolor=\"#eaeef2\"><b>{}</b></td></tr>{rows}</table>>];\n",
        words(&shortened(&schema.name, NAME))
    )
}

fn row_of(row: usize, property: &SchemaProperty) -> String {
    format!(
        "<tr><td port=\"p{row}\" align=\"left\">{} <font color=\"#818b98\">{}</font></td></tr>",
        xml(&shortened(&property.name, NAME)),
        words(&shortened(&property.kind, NAME))
    )
}

/// Tags of Graphviz may not be empty.
fn words(text: &str) -> String {
    if text.is_empty() {
        return " ".to_owned();
    }
    xml(text)
}

fn pill(at: usize, operation: &OperationNode) -> String {
    let label = shortened(&operation.label, NAME);
    let name = operation.name.as_deref().map(|name| shortened(name, NAME));
    let lines: Vec<&str> = [Some(label.as_str()), name.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let label = dot_lines(&lines);
    format!(
        "  o{at} [shape=box, style=\"rounded,filled\", fillcolor=\"{}\", label={label}];\n",
        fill(tint(operation))
    )
}

fn fill(tint: &str) -> &'static str {
    match tint {
        "get" => "#ddeafd",
        "post" => "#dcf3e1",
        "put" => "#f7ecc9",
        "patch" => "#ebe2fb",
        "delete" => "#fbdedd",
        _ => "#eaeef2",
    }
}

fn lines(graph: &PropertyGraph, edge: &GraphEdge) -> Vec<String> {
    let look = look(graph, edge);
    match &edge.joins {
        Joins::Produces { operation, schema } => {
            vec![format!("  o{operation} -> s{schema}:head [{look}];\n")]
        }
        Joins::Consumes {
            schema,
            operation,
            uses,
        } if uses.is_empty() => vec![format!("  s{schema}:head -> o{operation} [{look}];\n")],
        Joins::Consumes {
            schema,
            operation,
            uses,
        } => uses
            .iter()
            .map(|one| {
                let port = port(graph, *schema, &one.property);
                let label = quoted(&shortened(&use_label(one), NAME));
                format!("  s{schema}:{port} -> o{operation} [label={label}, {look}];\n")
            })
            .collect(),
        Joins::Equals { one, other, pairs } if pairs.is_empty() => {
            vec![format!(
                "  s{one}:head -> s{other}:head [dir=none, penwidth=2.5, {look}];\n"
            )]
        }
        Joins::Equals { one, other, pairs } => pairs
            .iter()
            .map(|(a, b)| {
                let (a, b) = (port(graph, *one, a), port(graph, *other, b));
                format!("  s{one}:{a} -> s{other}:{b} [dir=none, penwidth=2.5, {look}];\n")
            })
            .collect(),
        Joins::Endpoint { one, other } => {
            vec![format!(
                "  o{one} -> o{other} [dir=none, constraint=false, {look}];\n"
            )]
        }
    }
}

fn port(graph: &PropertyGraph, schema: u32, property: &str) -> String {
    let node = graph.schemas.get(schema as usize);
    let row = node.and_then(|s| s.properties.iter().position(|p| p.name == property));
    row.map_or("head".to_owned(), |row| format!("p{row}"))
}

/// Style, colour, and the edge with its last event as a tooltip.
fn look(graph: &PropertyGraph, edge: &GraphEdge) -> String {
    let (style, color) = match (&edge.joins, edge.state) {
        (_, EdgeState::Added) => ("dashed", "#1a8f3c"),
        (_, EdgeState::Returned) => ("dashed", "#0f8b8d"),
        (_, EdgeState::Removed) => ("solid", "#d1666a"),
        (Joins::Endpoint { .. }, _) => ("dotted", "#818b98"),
        (Joins::Produces { .. }, _) => ("solid", "#33608f"),
        (Joins::Consumes { .. }, _) => ("solid", "#a15c14"),
        (Joins::Equals { .. }, _) => ("solid", "#8250df"),
    };
    let crossed = if edge.state == EdgeState::Removed {
        ", arrowhead=tee"
    } else {
        ""
    };
    let why = edge.history.last().map_or("", |event| event.why.as_str());
    let tooltip = format!(
        "{} ({}) {why}",
        described(graph, edge),
        state_name(edge.state)
    );
    format!(
        "style={style}, color=\"{color}\"{crossed}, tooltip={}",
        quoted(tooltip.trim_end())
    )
}
