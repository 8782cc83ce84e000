//! What the variables of a test are called, and of what kind their values are.
//!
//! A text that is new each time comes from the script that runs all files at once, so its name is
//! unique among them. A value of an answer lives in its file. In a path a value goes by a second
//! name, under which it is escaped; in JSON it needs quotes or not, and the checks of the answer
//! that it came from tell which.

use std::collections::{BTreeMap, BTreeSet};

use fossick_suite::{Is, JsonKind, Key, Piece, Request, Save, Step, Test, What, jq};
use fossick_trace::Take;

use crate::arrange::variables;
use crate::names::{Taken, snake};
use crate::variables::environment;

/// Names that are functions of Hurl or variables of the script.
const RESERVED: [&str; 4] = ["base_url", "newdate", "newuuid", "getenv"];

/// The new texts of all tests.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    pub texts: Vec<FreshText>,
    counts: BTreeMap<String, usize>,
}

#[derive(Debug)]
pub(super) struct FreshText {
    pub name: String,
    pub like: String,
    pub is_in_path: bool,
}

impl Fresh {
    fn add(&mut self, variable: &str, like: &str, is_in_path: bool) -> String {
        let stem = snake(variable, "value");
        let count = self.counts.entry(stem.clone()).or_default();
        *count += 1;
        let name = format!("{stem}_{count}");
        self.texts.push(FreshText {
            name: name.clone(),
            like: like.to_owned(),
            is_in_path,
        });
        name
    }
}

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    /// What the value is in JSON, where that is known.
    kind: JsonKind,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    variables: BTreeMap<String, Variable>,
    in_paths: BTreeSet<String>,
}

impl Scope {
    pub(super) fn of(test: &Test, fresh: &mut Fresh) -> Self {
        let paths = test.steps.iter().flat_map(|step| &step.request.path);
        let mut scope = Self {
            in_paths: paths.filter_map(variable_of).collect(),
            ..Self::default()
        };
        let mut taken = Taken::with(&RESERVED);
        for new in &test.fresh {
            let is_in_path = scope.in_paths.contains(&new.variable);
            let name = taken.give(fresh.add(&new.variable, &new.like, is_in_path));
            scope.insert(&new.variable, name, JsonKind::String);
        }
        for step in &test.steps {
            for save in &step.saves {
                let name = taken.give(snake(&save.variable, "value"));
                scope.insert(&save.variable, name, kind_of(save, step));
            }
        }
        scope
    }

    /// The variables of a login are secrets.
    pub(super) fn of_login(request: &Request) -> Self {
        let mut scope = Self::default();
        for variable in variables(request) {
            let name = environment(&variable).to_ascii_lowercase();
            scope.insert(&variable, name, JsonKind::String);
        }
        scope
    }

    fn insert(&mut self, variable: &str, name: String, kind: JsonKind) {
        self.variables
            .insert(variable.to_owned(), Variable { name, kind });
    }

    pub(super) fn get(&self, variable: &str) -> String {
        let known = self.variables.get(variable).map(|known| known.name.clone());
        known.unwrap_or_else(|| snake(variable, "value"))
    }

    fn kind(&self, variable: &str) -> JsonKind {
        let known = self.variables.get(variable).map(|known| known.kind);
        known.unwrap_or(JsonKind::String)
    }

    /// Whether the value stands in quotes in JSON.
    pub(super) fn is_quoted(&self, variable: &str) -> bool {
        self.kind(variable) == JsonKind::String
    }

    /// An integer needs no escapes.
    pub(super) fn is_escaped(&self, variable: &str) -> bool {
        self.in_paths.contains(variable) && self.kind(variable) != JsonKind::Integer
    }

    pub(super) fn in_path(&self, variable: &str) -> String {
        let name = self.get(variable);
        match self.kind(variable) {
            JsonKind::Integer => name,
            _ => format!("{name}_uri"),
        }
    }
}

fn variable_of(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Variable(name) => Some(name.clone()),
        Piece::Fixed(_) => None,
    }
}

fn kind_of(save: &Save, step: &Step) -> JsonKind {
    let Take::Pointer(pointer) = &save.take else {
        return JsonKind::String;
    };
    let mut told = step.checks.iter().filter_map(|check| match &check.what {
        What::At { path, is } if is_at(path, pointer) => kind_told(is),
        _ => None,
    });
    // Where nothing is said of it, a text is what most ids are.
    told.next().unwrap_or(JsonKind::String)
}

fn is_at(path: &[Key], pointer: &str) -> bool {
    // No pointer leads to an item by what it carries.
    let text = |key: &Key| match key {
        Key::Index(index) => Some(index.to_string()),
        Key::Name(name) => Some(name.clone()),
        Key::Item(_) => None,
    };
    path.iter().map(text).eq(jq::segments(pointer).map(Some))
}

fn kind_told(is: &Is) -> Option<JsonKind> {
    match is {
        Is::Equal(value) => Some(JsonKind::of(value)),
        Is::Kind(kind) => Some(*kind),
        Is::Size(_) => Some(JsonKind::Array),
        Is::Same(_) | Is::Absent => None,
    }
}
