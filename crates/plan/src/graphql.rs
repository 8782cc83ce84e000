//! A GraphQL step as a call.
//!
//! Arguments go as variables, so that a value can come from an earlier answer and the text of an
//! operation stays the same from call to call. On request they are written into the operation.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use fossick_contract::{Api, Argument, Field, Method, OperationIndex, RootField, ShapeId};
use fossick_genes::{Gene, Selection};
use fossick_query::{
    Asked, Directive, Document, Literal, Part, Pick, Variable, write, write_compact,
};
use fossick_trace::{Call, Fill, Payload, Text};
use serde_json::{Map, Value, json};

use crate::literal::literal;
use crate::parameter::escape;
use crate::render::{extra_headers, fills};
use crate::{Ask, Beside, DocumentFault, Spot, Step};

const MEDIA_TYPE: &str = "application/json";

pub(crate) fn call(api: &Api, label: &Arc<str>, step: &Step, root: &RootField) -> Call {
    let plain = Ask::default();
    let ask = step.ask.as_ref().unwrap_or(&plain);
    let mut writer = Writer::new(api, step, ask);
    let document = writer.document(step, root);
    let field = api.root_field(root);
    // What an earlier answer fills in can't be put into a URL piece by piece.
    let by_get = ask.get && step.binds.is_empty();
    let (method, target, payload) = if by_get {
        let target = in_url(&document, &writer.variables);
        (Method::Get, Text::fixed(target), Payload::None)
    } else {
        let payload = posted(&document, writer.variables, fills(step));
        (Method::Post, Text::default(), payload)
    };
    Call {
        operation: Arc::clone(label),
        method,
        target,
        headers: extra_headers(step).collect(),
        payload,
        user: step.user.clone(),
        role: step.role,
        intent: step.intent.clone(),
        graphql: Some(Arc::clone(&field.name)),
    }
}

fn in_url(document: &Document, variables: &Map<String, Value>) -> String {
    let query = escape(&write_compact(document));
    if variables.is_empty() {
        return format!("?query={query}");
    }
    let variables = Value::Object(variables.clone()).to_string();
    format!("?query={query}&variables={}", escape(&variables))
}

fn posted(document: &Document, variables: Map<String, Value>, fills: Vec<Fill>) -> Payload {
    let mut body = json!({ "query": write(document) });
    if !variables.is_empty() {
        body["variables"] = Value::Object(variables);
    }
    let media_type = MEDIA_TYPE.to_owned();
    if fills.is_empty() {
        let bytes = Bytes::from(body.to_string());
        return Payload::Bytes { media_type, bytes };
    }
    let below = |(pointer, capture)| (format!("/variables{pointer}"), capture);
    Payload::Json {
        media_type,
        value: body,
        fills: fills.into_iter().map(below).collect(),
    }
}

/// Collects variables while an operation is written.
struct Writer<'a> {
    api: &'a Api,
    ask: &'a Ask,
    /// Arguments of the main field that earlier answers fill, wholly or in part.
    filled: BTreeSet<String>,
    declared: Vec<Variable>,
    variables: Map<String, Value>,
}

impl<'a> Writer<'a> {
    fn new(api: &'a Api, step: &Step, ask: &'a Ask) -> Self {
        let filled = step.binds.iter().filter_map(|bind| match &bind.spot {
            Spot::Body(pointer) => pointer.split('/').nth(1).map(str::to_owned),
            Spot::Parameter(_) => None,
        });
        Self {
            api,
            ask,
            filled: filled.collect(),
            declared: Vec::new(),
            variables: Map::new(),
        }
    }

    fn document(&mut self, step: &Step, root: &RootField) -> Document {
        let field = self.api.root_field(root);
        let arguments = step.body.as_ref().map(|body| &body.gene);
        let selection = self.ask.selection.as_ref();
        let mut main = self.asked(field, None, arguments, selection);
        let mut picks = Vec::with_capacity(1 + self.ask.beside.len());
        if let Some(fault) = self.ask.fault {
            spoil(&mut main, fault);
        }
        picks.push(Pick::Field(main));
        for beside in &self.ask.beside {
            picks.extend(self.beside(beside));
        }
        Document {
            kind: root.kind,
            name: Some(field.name.to_string()),
            variables: std::mem::take(&mut self.declared),
            picks,
        }
    }

    fn beside(&mut self, beside: &Beside) -> Option<Pick> {
        let field = self.field_of(beside.operation)?;
        let alias = Some(beside.alias.as_str());
        let (arguments, selection) = (beside.arguments.as_ref(), beside.selection.as_ref());
        let asked = self.asked(field, alias, arguments, selection);
        Some(Pick::Field(asked))
    }

    fn field_of(&self, index: OperationIndex) -> Option<&'a Field> {
        let root = self.api.operation(index).graphql.as_ref()?;
        Some(self.api.root_field(root))
    }

    fn asked(
        &mut self,
        field: &Field,
        alias: Option<&str>,
        arguments: Option<&Gene>,
        selection: Option<&Selection>,
    ) -> Asked {
        let arguments = match arguments.map(Gene::value) {
            Some(Value::Object(given)) => self.root_arguments(field, alias, given),
            _ => Vec::new(),
        };
        let types = &self.api.types;
        let mut below = |argument: &Argument, gene: &Gene| self.nested(argument, gene);
        let picks = selection.map_or_else(Vec::new, |s| s.picks(types, &mut below));
        Asked {
            alias: alias.map(str::to_owned),
            name: field.name.to_string(),
            arguments,
            directives: Vec::new(),
            picks,
        }
    }

    fn root_arguments(
        &mut self,
        field: &Field,
        alias: Option<&str>,
        given: Map<String, Value>,
    ) -> Vec<(String, Literal)> {
        let mut written = Vec::with_capacity(given.len());
        for (name, value) in given {
            let declared = field.arguments.iter().find(|a| *a.name == *name);
            let keep = alias.is_none() && self.filled.contains(&name);
            let shape = declared.map(|argument| argument.shape);
            let variable = match alias {
                Some(alias) => format!("{alias}_{name}"),
                None => name.clone(),
            };
            // An argument that nobody declared is there to be refused; any type will do.
            let type_text = declared.map_or("String", |argument| &*argument.type_text);
            let text = self.value(variable, type_text, shape, value, keep);
            written.push((name, text));
        }
        written
    }

    fn nested(&mut self, argument: &Argument, gene: &Gene) -> Literal {
        let name = argument.name.to_string();
        let (shape, value) = (Some(argument.shape), gene.value());
        self.value(name, &argument.type_text, shape, value, false)
    }

    /// A value as a variable or, where that is wanted and can be, written out.
    fn value(
        &mut self,
        name: String,
        type_text: &str,
        shape: Option<ShapeId>,
        value: Value,
        must_vary: bool,
    ) -> Literal {
        if self.ask.inline && !must_vary {
            return literal(self.api, shape, &value);
        }
        let name = self.fresh(name);
        self.declared.push(Variable {
            name: name.clone(),
            type_text: type_text.to_owned(),
            default: None,
        });
        self.variables.insert(name.clone(), value);
        Literal::Variable(name)
    }

    /// A name that no other variable has.
    fn fresh(&self, name: String) -> String {
        if !self.variables.contains_key(&name) {
            return name;
        }
        let numbered = |n: usize| format!("{name}{n}");
        let free = (2..).map(numbered);
        free.into_iter()
            .find(|candidate| !self.variables.contains_key(candidate))
            .unwrap_or(name)
    }
}

/// Makes an operation wrong in one way.
fn spoil(main: &mut Asked, fault: DocumentFault) {
    let named = |name: &str| {
        Pick::Field(Asked {
            name: name.to_owned(),
            ..Asked::default()
        })
    };
    match fault {
        DocumentFault::UnknownField => main.picks.push(named("noSuchField")),
        DocumentFault::UnknownArgument => {
            let one = Literal::Number("1".to_owned());
            main.arguments.push(("noSuchArgument".to_owned(), one));
        }
        DocumentFault::NoSelection => main.picks.clear(),
        DocumentFault::SelectionOnScalar => main.picks.push(named("__typename")),
        DocumentFault::UndeclaredVariable => main.directives.push(Directive {
            name: "include".to_owned(),
            arguments: vec![(
                "if".to_owned(),
                Literal::Variable("nobodyDeclaredThis".to_owned()),
            )],
        }),
        DocumentFault::UnknownType => main.picks.push(Pick::Part(Part {
            on: Some("NoSuchType".to_owned()),
            picks: vec![named("__typename")],
            ..Part::default()
        })),
    }
}
