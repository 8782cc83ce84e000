//! What makes a crate of the tests.

use fossick_suite::{Body, Suite, Template};
use serde_json::Value;

use super::comment;
use crate::arrange::Part;
use crate::names::words;
use crate::page::Page;
use crate::{Manner, prose};

const DEPENDENCIES: &str = r#"
[dev-dependencies]
fastrand = "=2.5.0"
jsonschema = { version = "=0.60.2", default-features = false }
percent-encoding = "=2.3.2"
reqwest = { version = "=0.13.5", features = ["json"] }
serde_json = "=1.0.154"
tokio = { version = "=1.54.1", features = ["macros", "rt", "sync", "time"] }

# Apart from whatever workspace lies around it.
[workspace]
"#;

pub(super) fn manifest(suite: &Suite, manner: &Manner) -> String {
    let name = if manner.name.is_empty() {
        &suite.title
    } else {
        &manner.name
    };
    let name = match words(name) {
        words if words.is_empty() => "api".to_owned(),
        words => words.join("-"),
    };
    let first = if name.starts_with(|c: char| c.is_ascii_digit()) {
        "api-"
    } else {
        ""
    };
    let mut page = Page::new("    ");
    comment(&mut page, "#", prose::head(suite, None));
    page.gap();
    page.line("[package]");
    page.line(format!("name = \"{first}{name}-tests\""));
    page.line("version = \"0.0.0\"");
    page.line("edition = \"2024\"");
    page.line("publish = false");
    page.finish() + DEPENDENCIES
}

pub(super) fn root(suite: &Suite, parts: &[Part]) -> String {
    let mut page = Page::new("    ");
    comment(&mut page, "//!", prose::head(suite, None));
    let needed = crate::variables::secrets(suite);
    if !needed.is_empty() {
        page.line("//!");
        let needed = format!("Needs in the environment: {}", needed.join(", "));
        comment(&mut page, "//!", [needed]);
    }
    page.gap();
    let reason = "a number of the service may look like one of mathematics";
    page.open("#![allow(");
    page.line("clippy::approx_constant,");
    page.line(format!("reason = \"{reason}\""));
    page.close(")]");
    if let Some(limit) = recursion_limit(suite) {
        page.line(format!("#![recursion_limit = \"{limit}\"]"));
    }
    page.gap();
    let mut names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    names.push("support");
    names.sort_unstable();
    page.lines(names.iter().map(|name| format!("mod {name};")));
    page.finish()
}

/// The compiler expands `json!` member by member and gives up early.
fn recursion_limit(suite: &Suite) -> Option<usize> {
    let steps = suite.tests.iter().flat_map(|test| &test.steps);
    let depth = steps.map(|step| match &step.request.body {
        Body::Json { value, .. } => depth(value),
        _ => 0,
    });
    let deepest = depth.max().unwrap_or(0);
    (deepest > 100).then(|| (deepest * 2).next_power_of_two())
}

fn depth(template: &Template) -> usize {
    match template {
        Template::Value(value) => depth_of(value),
        Template::Text(_) | Template::Variable(_) => 1,
        Template::List(items) => deeper(items.len(), items.iter().map(depth)),
        Template::Object(members) => {
            deeper(members.len(), members.iter().map(|(_, value)| depth(value)))
        }
    }
}

fn depth_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => deeper(items.len(), items.iter().map(depth_of)),
        Value::Object(members) => deeper(members.len(), members.values().map(depth_of)),
        _ => 1,
    }
}

fn deeper(members: usize, below: impl Iterator<Item = usize>) -> usize {
    4 * members + below.max().unwrap_or(0)
}
