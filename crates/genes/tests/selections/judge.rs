//! A schema with its judge.

use std::path::Path;

use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use fossick_contract::{Api, Argument, Operation};
use fossick_genes::{Gene, Selection};
use fossick_ingest::{NoFetch, Source, read};
use fossick_query::{Asked, Document, Literal, Pick, Variable, write};

use crate::outline;

pub(crate) struct Subject {
    pub name: String,
    pub api: Api,
    /// It is SDL, and the judge finds no fault with it.
    pub sound: bool,
    schema: Valid<Schema>,
}

fn outlined(api: &Api) -> Valid<Schema> {
    let outline = Schema::parse(outline::sdl(api), "outline.graphql");
    Valid::assume_valid(outline.unwrap_or_else(|broken| broken.partial))
}

impl Subject {
    /// A schema from a file; the reason where it can't be read.
    pub(crate) fn read(file: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        Self::of(&file.display().to_string(), text)
    }

    /// A schema from its text. Where the judge finds fault with the text, or it is none for him, he
    /// gets what we understood of it.
    pub(crate) fn of(name: &str, text: String) -> Result<Self, String> {
        let source = Source {
            name: name.to_owned(),
            text,
        };
        let reading = read(&source, &mut NoFetch).map_err(|error| error.to_string())?;
        let judged = Schema::parse_and_validate(source.text, name);
        Ok(Self {
            name: name.to_owned(),
            sound: judged.is_ok(),
            schema: judged.unwrap_or_else(|_| outlined(&reading.api)),
            api: reading.api,
        })
    }

    /// Fails unless the judge finds no fault.
    pub(crate) fn judge(&self, operation: &Operation, selection: &Selection, what: &str) {
        if let Err(fault) = self.verdict(operation, selection) {
            panic!("{what} of {} in {}:\n{fault}", operation.label, self.name);
        }
    }

    /// What the judge says of the operation with every argument as a variable.
    pub(crate) fn verdict(
        &self,
        operation: &Operation,
        selection: &Selection,
    ) -> Result<(), String> {
        let text = write(&self.document(operation, selection));
        match ExecutableDocument::parse_and_validate(&self.schema, &text, "operation.graphql") {
            Ok(_) => Ok(()),
            Err(broken) => Err(format!("{text}\n{}", broken.errors)),
        }
    }

    pub(crate) fn document(&self, operation: &Operation, selection: &Selection) -> Document {
        let root = operation.graphql.as_ref().expect("a root field");
        let field = self.api.root_field(root);
        let mut variables: Vec<Variable> = Vec::new();
        let mut variable = |argument: &Argument, _: &Gene| {
            let name = format!("v{}", variables.len());
            variables.push(Variable {
                name: name.clone(),
                type_text: argument.type_text.to_string(),
                default: None,
            });
            Literal::Variable(name)
        };
        let required = field.arguments.iter().filter(|argument| argument.required);
        let arguments = required
            .map(|argument| (argument.name.to_string(), variable(argument, &Gene::Cycle)))
            .collect();
        let asked = Asked {
            name: field.name.to_string(),
            arguments,
            picks: selection.picks(&self.api.types, &mut variable),
            ..Asked::default()
        };
        Document {
            kind: root.kind,
            name: None,
            variables,
            picks: vec![Pick::Field(asked)],
        }
    }

    /// Whether a way of fields is asked for, each under its own name.
    pub(crate) fn has_way(&self, selection: &Selection, way: &[&str]) -> bool {
        let Some((name, rest)) = way.split_first() else {
            return true;
        };
        let types = &self.api.types;
        let sides = std::iter::once(selection).chain(&selection.parts);
        sides
            .flat_map(|side| side.fields.iter().map(|chosen| (side.on, chosen)))
            .any(|(on, chosen)| {
                let own = &*types.fields(on)[chosen.field as usize].name == *name;
                let below = match &chosen.inner {
                    Some(inner) => self.has_way(inner, rest),
                    None => rest.is_empty(),
                };
                own && chosen.alias.is_none() && below
            })
    }
}
