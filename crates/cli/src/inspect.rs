//! `fossick inspect`: what was understood of a document, and what was not.

use anyhow::Result;
use fossick_contract::{Api, Diagnostic, Level};
use fossick_search::Search;
use fossick_validate::Validators;
use serde_json::{Value, json};

use crate::credentials::header;
use crate::document::{Access, Document};
use crate::exit::Exit;
use crate::flags::{Format, InspectFlags};
use crate::screen::{Screen, print};

pub(crate) fn inspect(flags: &InspectFlags) -> Result<Exit> {
    let runtime = crate::test::runtime()?;
    let headers = flags
        .header
        .iter()
        .map(|line| header(line))
        .collect::<Result<Vec<_>>>()?;
    let access = Access {
        runtime: &runtime,
        headers: &headers,
        insecure: flags.insecure,
    };
    let document = access.read(&flags.schema)?;
    let view = View::of(&document);
    match flags.format {
        Format::Json => print(&format!("{:#}\n", view.json())),
        Format::Text => print(&view.text()),
    }
    Ok(Exit::Clean)
}

/// An operation that can't be tested, and why.
struct Unusable {
    operation: String,
    reason: String,
    place: Option<String>,
}

struct View<'a> {
    api: &'a Api,
    diagnostics: &'a [Diagnostic],
    unusable: Vec<Unusable>,
}

impl<'a> View<'a> {
    fn of(document: &'a Document) -> Self {
        let api = &document.api;
        let mut unusable: Vec<Unusable> = api
            .unusable
            .iter()
            .map(|u| Unusable {
                operation: u.operation.clone(),
                reason: u.reason.clone(),
                place: u.place.as_ref().map(ToString::to_string),
            })
            .collect();
        unusable.extend(unplannable(api));
        Self {
            api,
            diagnostics: &document.diagnostics,
            unusable,
        }
    }

    fn json(&self) -> Value {
        let operations: Vec<Value> = self
            .api
            .operations
            .iter()
            .map(|o| {
                json!({
                    "id": o.label, "method": o.method.as_str(), "path": o.path.text,
                    "operation_id": o.operation_id, "parameters": o.parameters.len(),
                    "body": o.body.as_ref().map(|b| b.contents.iter().map(|c| &c.media_type).collect::<Vec<_>>()),
                    "statuses": o.responses.iter().map(|r| r.status.to_string()).collect::<Vec<_>>(),
                    "tags": o.tags, "needs_credentials": o.needs_credentials(),
                })
            })
            .collect();
        let unusable: Vec<Value> = self
            .unusable
            .iter()
            .map(|u| json!({"operation": u.operation, "reason": u.reason, "place": u.place}))
            .collect();
        json!({
            "format": "fossick-inspect", "version": 1,
            "title": self.api.title, "api_version": self.api.version, "dialect": self.api.dialect.to_string(),
            "servers": self.api.servers,
            "operations": self.api.operations.len(), "shapes": self.api.shapes.len(),
            "security_schemes": self.api.security_schemes.keys().collect::<Vec<_>>(),
            "operation_list": operations, "unusable": unusable,
            "diagnostics": self.diagnostics,
        })
    }

    fn text(&self) -> String {
        let api = self.api;
        let mut out = format!(
            "{} {} ({})\n{} operations, {} shapes, {} of the operations can't be tested\n",
            fossick_report::one_line(&api.title),
            fossick_report::one_line(&api.version),
            api.dialect,
            api.operations.len() + api.unusable.len(),
            api.shapes.len(),
            self.unusable.len()
        );
        for operation in &api.operations {
            let statuses: Vec<String> = operation
                .responses
                .iter()
                .map(|r| r.status.to_string())
                .collect();
            let body = operation.body.as_ref().map_or("", |_| " + body");
            out.push_str(&format!(
                "  {}  {} parameters{body} -> {}\n",
                fossick_report::one_line(&operation.label),
                operation.parameters.len(),
                statuses.join(", ")
            ));
        }
        for one in &self.unusable {
            let place = one
                .place
                .as_ref()
                .map_or(String::new(), |p| format!(" ({p})"));
            out.push_str(&format!(
                "can't be tested: {}: {}{place}\n",
                fossick_report::one_line(&one.operation),
                fossick_report::one_line(&one.reason)
            ));
        }
        for diagnostic in self.diagnostics {
            out.push_str(&line(diagnostic));
            out.push('\n');
        }
        out
    }
}

/// Operations for which no call can be written.
fn unplannable(api: &Api) -> Vec<Unusable> {
    let validators = Validators::new(api);
    let mut search = Search::new(
        api,
        &validators,
        fossick_search::Settings {
            free: true,
            ..Default::default()
        },
    );
    api.indexed()
        .filter(|(index, _)| search.sketch(*index).is_none())
        .map(|(_, operation)| Unusable {
            operation: operation.label.clone(),
            reason: "no call can be planned for it".to_owned(),
            place: operation.place.as_ref().map(ToString::to_string),
        })
        .collect()
}

fn line(diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.level {
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let place = diagnostic
        .place
        .as_ref()
        .map_or_else(|| diagnostic.pointer.clone(), ToString::to_string);
    format!(
        "{level}: {place}: {}",
        fossick_report::one_line(&diagnostic.message)
    )
}

/// Before a run: errors one by one, warnings by their number.
pub(crate) fn warn(document: &Document, screen: &mut Screen) {
    const MOST: usize = 5;
    let errors: Vec<&Diagnostic> = document
        .diagnostics
        .iter()
        .filter(|d| d.level == Level::Error)
        .collect();
    for diagnostic in errors.iter().take(MOST) {
        screen.line(&line(diagnostic));
    }
    if errors.len() > MOST {
        screen.line(&format!("… and {} more", errors.len() - MOST));
    }
    let warnings = document.diagnostics.len() - errors.len();
    if warnings > 0 {
        let noun = if warnings == 1 { "warning" } else { "warnings" };
        screen.line(&format!(
            "note: {warnings} {noun} about the document; fossick inspect shows them"
        ));
    }
}
