//! `fossick inspect`: what was understood of a document, and what was not.

use anyhow::Result;
use fossick_contract::{
    Api, Argument, Diagnostic, Level, Operation, Returned, RootField, RootKind,
};
use fossick_ingest::Scalars;
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
        users: &[],
        insecure: flags.insecure,
        scalars: &Scalars::default(),
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
    /// For each operation, what its prose and names tell beyond the schema.
    rules: Vec<Vec<String>>,
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
        let validators = Validators::new(api);
        let settings = fossick_search::Settings {
            free: true,
            ..Default::default()
        };
        let mut search = Search::new(api, &validators, settings);
        unusable.extend(unplannable(api, &mut search));
        let all = api.indexed().map(|(index, _)| index);
        Self {
            api,
            diagnostics: &document.diagnostics,
            unusable,
            rules: all.map(|index| search.document_rules(index)).collect(),
        }
    }

    fn json(&self) -> Value {
        let api = self.api;
        let with_rules = |(o, rules): (&Operation, &Vec<String>)| {
            let mut value = described(api, o);
            if !rules.is_empty() {
                value["rules"] = json!(rules);
            }
            value
        };
        let all = api.operations.iter().zip(&self.rules);
        let operations: Vec<Value> = all.map(with_rules).collect();
        let unusable: Vec<Value> = self
            .unusable
            .iter()
            .map(|u| json!({"operation": u.operation, "reason": u.reason, "place": u.place}))
            .collect();
        let mut view = json!({
            "format": "fossick-inspect", "version": 1,
            "title": api.title, "api_version": api.version, "dialect": api.dialect.to_string(),
            "servers": api.servers,
            "operations": api.operations.len(), "shapes": api.shapes.len(),
            "security_schemes": api.security_schemes.keys().collect::<Vec<_>>(),
            "operation_list": operations, "unusable": unusable,
            "diagnostics": self.diagnostics,
        });
        if api.is_graphql() {
            view["graphql"] = json!({
                "queries": fields(api, RootKind::Query), "mutations": fields(api, RootKind::Mutation),
                "types": api.types.len(), "pairs": api.types.pairs(),
            });
        }
        view
    }

    fn counts(&self) -> String {
        let api = self.api;
        let what = if api.is_graphql() {
            format!(
                "{} queries, {} mutations, {} types, {} pairs of type and field",
                fields(api, RootKind::Query),
                fields(api, RootKind::Mutation),
                api.types.len(),
                api.types.pairs(),
            )
        } else {
            let operations = api.operations.len() + api.unusable.len();
            format!("{operations} operations, {} shapes", api.shapes.len())
        };
        let unusable = self.unusable.len();
        format!("{what}, {unusable} of the operations can't be tested\n")
    }

    fn text(&self) -> String {
        let api = self.api;
        let mut out = format!("{}\n{}", title(api), self.counts());
        for (operation, rules) in api.operations.iter().zip(&self.rules) {
            out.push_str(&match &operation.graphql {
                Some(root) => format!("  {}\n", signature(api, operation, root)),
                None => summary(operation),
            });
            for rule in rules {
                out.push_str(&format!("    {}\n", fossick_report::one_line(rule)));
            }
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

fn title(api: &Api) -> String {
    let parts = [
        fossick_report::one_line(&api.title),
        fossick_report::one_line(&api.version),
        format!("({})", api.dialect),
    ];
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(" ")
}

fn fields(api: &Api, kind: RootKind) -> usize {
    let kinds = api.operations.iter().filter_map(|o| o.graphql.as_ref());
    kinds.filter(|root| root.kind == kind).count()
}

/// An operation for programs.
fn described(api: &Api, o: &Operation) -> Value {
    let mut value = json!({
        "id": o.label, "method": o.method.as_str(), "path": o.path.text,
        "operation_id": o.operation_id, "parameters": o.parameters.len(),
        "body": o.body.as_ref().map(|b| b.contents.iter().map(|c| &c.media_type).collect::<Vec<_>>()),
        "statuses": o.responses.iter().map(|r| r.status.to_string()).collect::<Vec<_>>(),
        "tags": o.tags, "needs_credentials": o.needs_credentials(),
    });
    if let Some(root) = &o.graphql {
        let field = api.root_field(root);
        let argument =
            |a: &Argument| json!({"name": a.name, "type": a.type_text, "required": a.required});
        value["kind"] = json!(root.kind);
        value["field"] = json!(field.name);
        value["arguments"] = field.arguments.iter().map(argument).collect();
        value["returns"] = json!(type_text(api, &field.returns));
        value["deprecated"] = json!(field.deprecated);
    }
    value
}

/// `  GET /projects  2 parameters + body -> 200, 404`
fn summary(operation: &Operation) -> String {
    let statuses: Vec<String> = operation
        .responses
        .iter()
        .map(|r| r.status.to_string())
        .collect();
    let body = operation.body.as_ref().map_or("", |_| " + body");
    format!(
        "  {}  {} parameters{body} -> {}\n",
        fossick_report::one_line(&operation.label),
        operation.parameters.len(),
        statuses.join(", ")
    )
}

/// `mutation addBook(input: BookInput!): Book`
fn signature(api: &Api, operation: &Operation, root: &RootField) -> String {
    let field = api.root_field(root);
    let arguments: Vec<String> = field
        .arguments
        .iter()
        .map(|argument| format!("{}: {}", argument.name, argument.type_text))
        .collect();
    let arguments = match arguments.as_slice() {
        [] => String::new(),
        some => format!("({})", some.join(", ")),
    };
    let text = format!(
        "{}{arguments}: {}",
        operation.label,
        type_text(api, &field.returns)
    );
    fossick_report::one_line(&text)
}

/// `[Book!]!`
fn type_text(api: &Api, returned: &Returned) -> String {
    let named = api.types.get(returned.named).name.to_string();
    let mark = |nullable: bool| if nullable { "" } else { "!" };
    let mut levels = returned.nullable.iter().rev();
    let innermost = levels.next().copied().unwrap_or(true);
    levels.fold(format!("{named}{}", mark(innermost)), |inner, nullable| {
        format!("[{inner}]{}", mark(*nullable))
    })
}

/// Operations for which no call can be written.
fn unplannable(api: &Api, search: &mut Search<'_>) -> Vec<Unusable> {
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
