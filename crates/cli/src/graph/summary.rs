//! The graph in a few lines: how many edges of which kind, what changed last, and what to type
//! next.

use fossick_draw::{EdgeKind, described, state_name};
use fossick_report::one_line;
use fossick_trace::{EdgeState, GraphEdge, PropertyGraph};

use crate::flags::GraphFlags;

/// Edges that are told one by one.
const SHOWN: usize = 6;
const WIDTH: usize = 100;
const STATES: [EdgeState; 4] = [
    EdgeState::Told,
    EdgeState::Added,
    EdgeState::Removed,
    EdgeState::Returned,
];

/// What is said at the end.
pub(super) struct Next {
    written: Vec<String>,
    command: String,
}

impl Next {
    pub(super) fn of(flags: &GraphFlags) -> Self {
        let written = flags.out.iter().map(|path| path.display().to_string());
        let from: Vec<String> = match &flags.run {
            None => flags.schema.iter().map(|path| word(path)).collect(),
            Some(None) => vec!["--run".to_owned()],
            Some(Some(folder)) => {
                let folder = folder.display().to_string();
                vec!["--run".to_owned(), word(&folder)]
            }
        };
        Self {
            written: written.collect(),
            command: [vec!["fossick graph".to_owned()], from].concat().join(" "),
        }
    }

    fn line(&self) -> String {
        match self.written.as_slice() {
            [] => format!("{} --out graph.html draws it\n", self.command),
            some => format!("written: {}\n", some.join(", ")),
        }
    }
}

/// A word of a shell, in quotes only where it needs them.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._:-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    fossick_report::quote(text)
}

pub(super) fn summary(graph: &PropertyGraph, next: &Next) -> String {
    let mut out = format!("{}\n\n", heading(graph));
    for kind in EdgeKind::ALL {
        out.push_str(&counted(graph, kind));
    }
    let changed = changed(graph);
    if changed.is_empty() {
        out.push_str(&told(
            "edges and what speaks for them",
            &telling(graph),
            graph,
        ));
    } else {
        out.push_str(&told("changed last", &changed, graph));
    }
    out.push('\n');
    out.push_str(&next.line());
    out
}

fn heading(graph: &PropertyGraph) -> String {
    let when = match graph.requests {
        0 => "before a run".to_owned(),
        sent => format!("after {sent} requests"),
    };
    let title = one_line(&graph.title);
    let dot = if title.is_empty() { "" } else { " · " };
    format!(
        "{title}{dot}{} · {} · {} · {when}",
        plural(graph.operations.len(), "operation"),
        plural(graph.schemas.len(), "schema"),
        plural(graph.edges.len(), "edge")
    )
}

fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// `  consumes    6   3 told, 1 added, 2 removed`
fn counted(graph: &PropertyGraph, kind: EdgeKind) -> String {
    let own = |edge: &&GraphEdge| EdgeKind::of(&edge.joins) == kind;
    let edges: Vec<&GraphEdge> = graph.edges.iter().filter(own).collect();
    let states: Vec<String> = STATES
        .into_iter()
        .filter_map(|state| {
            let count = edges.iter().filter(|edge| edge.state == state).count();
            (count > 0).then(|| format!("{count} {}", state_name(state)))
        })
        .collect();
    let line = format!(
        "  {:<9} {:>5}   {}",
        kind.name(),
        edges.len(),
        states.join(", ")
    );
    format!("{}\n", line.trim_end())
}

/// Edges that answers added or removed, the latest first.
fn changed(graph: &PropertyGraph) -> Vec<&GraphEdge> {
    let changed = |edge: &&GraphEdge| edge.state != EdgeState::Told;
    let mut edges: Vec<&GraphEdge> = graph.edges.iter().filter(changed).collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.history.last().map_or(0, |e| e.after)));
    edges
}

/// Edges that join what the document does not join itself, the best tried first.
fn telling(graph: &PropertyGraph) -> Vec<&GraphEdge> {
    let joins = |edge: &&GraphEdge| {
        let kind = EdgeKind::of(&edge.joins);
        matches!(kind, EdgeKind::Consumes | EdgeKind::Equals)
    };
    let mut edges: Vec<&GraphEdge> = graph.edges.iter().filter(joins).collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.worked));
    edges
}

fn told(title: &str, edges: &[&GraphEdge], graph: &PropertyGraph) -> String {
    if edges.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{title}\n");
    for edge in edges.iter().take(SHOWN) {
        let line = format!(
            "{:<8}  {:<9}  {}",
            state_name(edge.state),
            record(edge),
            one_line(&described(graph, edge))
        );
        out.push_str(&format!("  {}\n", cut(&line, WIDTH - 2)));
        if let Some(event) = edge.history.last() {
            let why = format!("{}{}", when(event.after), one_line(&event.why));
            out.push_str(&format!("      {}\n", cut(&why, WIDTH - 6)));
        }
    }
    if edges.len() > SHOWN {
        out.push_str(&format!("  … and {} more\n", edges.len() - SHOWN));
    }
    out
}

/// How often an edge worked, of how often it was tried: `12 of 14`.
fn record(edge: &GraphEdge) -> String {
    match edge.worked + edge.failed {
        0 => "untried".to_owned(),
        tried => format!("{} of {tried}", edge.worked),
    }
}

fn when(after: u64) -> String {
    match after {
        0 => String::new(),
        sent => format!("request {sent}: "),
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    kept + "…"
}
