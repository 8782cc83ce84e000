//! What GraphQL gives, as a graph of types.
//!
//! All names first, then what they are made of, so that types may refer to each other in any
//! order. A type that is referred to and nowhere declared counts as a scalar of any kind: asking
//! for it may be wrong, but everything else can still be asked for.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fossick_contract::{
    Argument, Composite, CutOff, Field, JsonKind, Place, Returned, Scalar, Type, TypeGraph, TypeId,
    TypeKind,
};

use super::MOST_INTERFACES;
use super::inputs::Inputs;
use super::notes::Notes;
use super::outline::{Definition, DefinitionKind, Given, Outline, Parts};
use super::scalars::{Scalars, rule};

pub(super) fn graph<'o>(
    outline: &'o Outline,
    user: &Scalars,
    inputs: &mut Inputs<'o>,
    notes: &mut Notes,
) -> TypeGraph {
    let mut build = Build {
        outline,
        inputs,
        notes,
        graph: TypeGraph::default(),
    };
    for (name, definition) in &outline.types {
        build.name(name, definition, user);
    }
    for (name, definition) in &outline.types {
        build.fill(name, &definition.kind);
    }
    build.possible();
    build.roots();
    build.cut_off();
    build.graph
}

struct Build<'b, 'o> {
    outline: &'o Outline,
    inputs: &'b mut Inputs<'o>,
    notes: &'b mut Notes,
    graph: TypeGraph,
}

impl Build<'_, '_> {
    fn name(&mut self, name: &Arc<str>, definition: &Definition, user: &Scalars) {
        let kind = match &definition.kind {
            DefinitionKind::Scalar { .. } => {
                let rule = rule(name, Some(definition), user);
                TypeKind::Scalar(Scalar::Custom {
                    json: rule.json,
                    format: rule.format,
                })
            }
            DefinitionKind::Enum(values) => TypeKind::Enum(values.clone()),
            DefinitionKind::Object(_) => TypeKind::Object(Composite::default()),
            DefinitionKind::Interface(_) => TypeKind::Interface(Composite::default()),
            DefinitionKind::Union(_) => TypeKind::Union(Vec::new()),
            DefinitionKind::Input(_) => return,
        };
        self.graph.push(Type {
            name: Arc::clone(name),
            kind,
        });
    }

    fn fill(&mut self, name: &Arc<str>, kind: &DefinitionKind) {
        let Some(id) = self.graph.find(name) else {
            return;
        };
        let filled = match kind {
            DefinitionKind::Object(parts) => {
                let mut composite = self.composite(name, parts);
                composite.possible = vec![id];
                TypeKind::Object(composite)
            }
            DefinitionKind::Interface(parts) => TypeKind::Interface(self.composite(name, parts)),
            DefinitionKind::Union(members) => TypeKind::Union(self.members(name, members)),
            _ => return,
        };
        self.graph.get_mut(id).kind = filled;
    }

    fn composite(&mut self, name: &str, parts: &Parts) -> Composite {
        let fields = parts
            .fields
            .iter()
            .filter_map(|given| self.field(name, given));
        Composite {
            fields: fields.collect(),
            interfaces: self.interfaces(name, &parts.interfaces),
            possible: Vec::new(),
        }
    }

    fn interfaces(&mut self, name: &str, told: &[Arc<str>]) -> Vec<TypeId> {
        let mut found = Vec::new();
        for interface in told.iter().take(MOST_INTERFACES) {
            let id = self.graph.find(interface);
            let is_one = |id: &TypeId| matches!(self.graph.get(*id).kind, TypeKind::Interface(_));
            if let Some(id) = id.filter(is_one) {
                found.push(id);
            } else {
                let told = format!("`{name}` implements `{interface}`, which is no interface");
                self.notes.warn(self.declared_at(name), told);
            }
        }
        found
    }

    fn members(&mut self, name: &str, told: &[Arc<str>]) -> Vec<TypeId> {
        let mut found: Vec<TypeId> = Vec::new();
        for member in told {
            let id = self.graph.find(member);
            let is_one = |id: &TypeId| matches!(self.graph.get(*id).kind, TypeKind::Object(_));
            if let Some(id) = id.filter(is_one) {
                found.push(id);
            } else {
                let told = format!("`{name}` may be a `{member}`, which is no object; left out");
                self.notes.error(self.declared_at(name), told);
            }
        }
        let mut seen = HashSet::new();
        found.retain(|id| seen.insert(*id));
        found
    }

    fn declared_at(&self, name: &str) -> Option<Place> {
        let definition = self.outline.types.get(name);
        self.outline.place(definition.and_then(|found| found.spot))
    }

    fn field(&mut self, on: &str, given: &Given) -> Option<Field> {
        let at = format!("{on}.{}", given.name);
        let returns = Returned {
            named: self.returned(&at, given)?,
            nullable: given.returns.nullable().into(),
        };
        let arguments = given.arguments.iter().map(|taken| {
            let at = format!("{at}({})", taken.name);
            self.outline.remark_missing(&at, taken, self.notes);
            Argument {
                name: Arc::clone(&taken.name),
                type_text: taken.kind.text().into(),
                shape: self.inputs.taken(&at, taken),
                required: taken.required(),
            }
        });
        Some(Field {
            name: Arc::clone(&given.name),
            arguments: arguments.collect(),
            returns,
            deprecated: given.deprecated,
            deprecated_for: given.deprecated_for.clone(),
        })
    }

    /// The type that a field gives, declared or not; `None` where it can't be given at all.
    fn returned(&mut self, at: &str, given: &Given) -> Option<TypeId> {
        let name = &given.returns.named;
        if self.outline.input(name).is_some() {
            let told = format!("{at} gives a `{name}`, which is an input type; left out");
            self.notes.error(self.outline.place(given.spot), told);
            return None;
        }
        if self.outline.is_missing(name) {
            let told = format!(
                "{at} gives a `{name}`, which is not declared; taken as a scalar of any kind"
            );
            self.notes.warn(self.outline.place(given.spot), told);
        }
        Some(self.graph.find(name).unwrap_or_else(|| {
            self.graph.push(Type {
                name: Arc::clone(name),
                kind: TypeKind::Scalar(undeclared(name)),
            })
        }))
    }

    /// Finds the objects of each interface, also where an object names only an interface that
    /// implements another.
    fn possible(&mut self) {
        let mut possible: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
        for (id, kind) in self.graph.iter() {
            if let TypeKind::Object(composite) = &kind.kind {
                for interface in self.all_interfaces(&composite.interfaces) {
                    possible.entry(interface).or_default().push(id);
                }
            }
        }
        for at in 0..self.graph.len() {
            let id = TypeId(at as u32);
            if let TypeKind::Interface(composite) = &mut self.graph.get_mut(id).kind {
                composite.possible = possible.remove(&id).unwrap_or_default();
            }
        }
    }

    fn all_interfaces(&self, direct: &[TypeId]) -> Vec<TypeId> {
        let mut found: Vec<TypeId> = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<TypeId> = direct.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            if found.len() >= MOST_INTERFACES || !seen.insert(id) {
                continue;
            }
            found.push(id);
            if let TypeKind::Interface(composite) = &self.graph.get(id).kind {
                open.extend(composite.interfaces.iter().rev());
            }
        }
        found
    }

    fn roots(&mut self) {
        let (query, mutation) = (self.outline.query.clone(), self.outline.mutation.clone());
        self.graph.query = self.root(query.as_deref());
        self.graph.mutation = self.root(mutation.as_deref());
    }

    fn cut_off(&mut self) {
        let cut = self.outline.cut_off.iter().filter_map(|cut| {
            Some(CutOff {
                on: self.graph.find(&cut.on)?,
                field: Arc::clone(&cut.field),
                nullable: cut.nullable,
                listed: cut.listed,
            })
        });
        self.graph.cut_off = cut.collect();
    }

    fn root(&mut self, name: Option<&str>) -> Option<TypeId> {
        let name = name?;
        let id = self.graph.find(name);
        let id = id.filter(|id| matches!(self.graph.get(*id).kind, TypeKind::Object(_)));
        if id.is_none() {
            let told = format!("the root type `{name}` is not declared as an object");
            self.notes.error(self.declared_at(name), told);
        }
        id
    }
}

fn undeclared(name: &str) -> Scalar {
    match name {
        "Int" => Scalar::Int,
        "Float" => Scalar::Float,
        "String" => Scalar::String,
        "Boolean" => Scalar::Boolean,
        "ID" => Scalar::Id,
        _ => Scalar::Custom {
            json: JsonKind::Any,
            format: None,
        },
    }
}
