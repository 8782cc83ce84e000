//! A GraphQL operation walked together with the new schema, and mended on the way.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::{Argument, Field, RootKind, TypeGraph, TypeId};
use fossick_query::{Asked, Document, Literal, Part, Pick};
use serde_json::{Map, Value};

use super::inputs::Inputs;
use super::{Ground, Kind, Notes, similar, variables};

type Mended = Option<(Document, Map<String, Value>)>;

pub(super) fn mended(
    ground: &Ground<'_>,
    document: &Document,
    variables: &Map<String, Value>,
) -> (Mended, Notes) {
    let types = &ground.new.types;
    let root = match document.kind {
        RootKind::Query => types.query,
        RootKind::Mutation => types.mutation,
    };
    let Some(root) = root else {
        let told = format!("the schema has no {}", document.kind.as_str());
        return (None, Notes::hopeless("", told));
    };
    let mut mender = Mender {
        ground,
        types,
        document,
        variables: variables.clone(),
        retyped: BTreeMap::new(),
        notes: Notes::default(),
        place: Vec::new(),
        tells_arguments: tells_arguments(types),
    };
    let picks = mender.picks(&document.picks, root);
    mender.finished(picks)
}

/// Some saved schemas leave all arguments out; then nothing can be said of them.
fn tells_arguments(types: &TypeGraph) -> bool {
    let mut fields = types.iter().flat_map(|(id, _)| types.fields(id));
    types.cut_off.is_empty() || fields.any(|field| !field.arguments.is_empty())
}

struct Mender<'a> {
    ground: &'a Ground<'a>,
    types: &'a TypeGraph,
    document: &'a Document,
    variables: Map<String, Value>,
    /// Variables that must be declared otherwise.
    retyped: BTreeMap<String, String>,
    notes: Notes,
    place: Vec<String>,
    tells_arguments: bool,
}

impl<'a> Mender<'a> {
    /// The operation with what is left of its selection, and with the variables that it still uses.
    fn finished(mut self, picks: Vec<Pick>) -> (Mended, Notes) {
        if picks.is_empty() {
            self.notes.beyond.push("nothing is left of it".to_owned());
            return (None, self.notes);
        }
        let mut used = BTreeSet::new();
        variables::used(&picks, &mut used);
        let mut document = Document {
            picks,
            ..self.document.clone()
        };
        document
            .variables
            .retain(|variable| used.contains(&variable.name));
        for variable in &mut document.variables {
            if let Some(text) = self.retyped.remove(&variable.name) {
                variable.type_text = text;
            }
        }
        self.variables.retain(|name, _| used.contains(name));
        (Some((document, self.variables)), self.notes)
    }

    fn picks(&mut self, picks: &'a [Pick], on: TypeId) -> Vec<Pick> {
        let mended = picks.iter().filter_map(|pick| match pick {
            Pick::Field(asked) => {
                self.place.push(asked.name.clone());
                let mended = self.field(asked, picks, on);
                self.place.pop();
                mended.map(Pick::Field)
            }
            Pick::Part(part) => self.part(part, on).map(Pick::Part),
        });
        mended.collect()
    }

    fn part(&mut self, part: &'a Part, on: TypeId) -> Option<Part> {
        let narrowed = match part.on.as_deref() {
            None => on,
            Some(name) => self.narrowed(name, on)?,
        };
        let picks = self.picks(&part.picks, narrowed);
        (!picks.is_empty()).then(|| Part {
            picks,
            ..part.clone()
        })
    }

    /// The type of a part, if a value can be of it.
    fn narrowed(&mut self, name: &str, on: TypeId) -> Option<TypeId> {
        let of = &self.types.get(on).name;
        let place = format!("{} ... on {name}", self.place.join("."));
        let dropped = format!("the part on {name} is left out");
        let Some(part) = self
            .types
            .find(name)
            .filter(|id| self.types.get(*id).is_composite())
        else {
            let told = format!("there is no type {name} with parts any more");
            self.notes
                .mended(Kind::NoType, place.trim_start(), told, dropped);
            return None;
        };
        let possible = self.types.possible(part);
        let meets = self
            .types
            .possible(on)
            .iter()
            .any(|kind| possible.contains(kind));
        // A cut-off schema does not tell which types there may be.
        if !meets && part != on && self.types.cut_off.is_empty() {
            let told = format!("a value of {of} is never of {name}");
            self.notes
                .mended(Kind::NeverThere, place.trim_start(), told, dropped);
            return None;
        }
        Some(part)
    }

    fn field(&mut self, asked: &'a Asked, beside: &[Pick], on: TypeId) -> Option<Asked> {
        if asked.name.starts_with("__") {
            return Some(asked.clone());
        }
        if let Some(field) = self.types.field(on, &asked.name) {
            return self.known(asked, asked.clone(), field);
        }
        let cut = &self.types.cut_off;
        if cut
            .iter()
            .any(|cut| cut.on == on && *cut.field == *asked.name)
        {
            return Some(asked.clone());
        }
        let of = &self.types.get(on).name;
        let told = format!("{of} has no field {} any more", asked.name);
        let place = self.place.join(".");
        let Some(field) = self.followed(asked, beside, on) else {
            let change = format!("{place} is left out");
            self.notes.mended(Kind::NoField, &place, told, change);
            return None;
        };
        let change = format!("{place} is now {}", field.name);
        self.notes.mended(Kind::NoField, &place, told, change);
        let renamed = Asked {
            // Whoever reads the answer finds it where it was.
            alias: Some(asked.key().to_owned()),
            name: field.name.to_string(),
            ..asked.clone()
        };
        self.known(asked, renamed, field)
    }

    /// The only field that one which is gone can have become.
    fn followed(&self, asked: &Asked, beside: &[Pick], on: TypeId) -> Option<&'a Field> {
        let old = self.old_field(on, &asked.name);
        let reason = old.and_then(|field| field.deprecated_for.as_deref());
        let asked_beside = |name: &str| {
            let mut fields = beside.iter();
            fields.any(|pick| matches!(pick, Pick::Field(other) if other.name == name))
        };
        let fitting = self.types.fields(on).iter().filter(|field| {
            !asked_beside(&field.name)
                && self.may_stand_for(asked, field)
                && self.same_type(old, field)
        });
        let fitting: Vec<&Field> = fitting.collect();
        if let Some(reason) = reason {
            let mut named = fitting
                .iter()
                .filter(|field| similar::names(reason, &field.name));
            if let (Some(field), None) = (named.next(), named.next()) {
                return Some(field);
            }
        }
        match similar::only(&asked.name, fitting.iter().map(|field| &*field.name)) {
            Some(name) => fitting.into_iter().find(|field| &*field.name == name),
            None => self.only_change(on, old?, &fitting),
        }
    }

    /// The only new field of the type, where the one that is gone is the only one of its kind that
    /// is: whatever its name, nothing else can be meant.
    fn only_change(&self, on: TypeId, gone: &Field, fitting: &[&'a Field]) -> Option<&'a Field> {
        let old = &self.ground.old?.types;
        let before = old.fields(old.find(&self.types.get(on).name)?);
        let is_new = |field: &&&'a Field| before.iter().all(|known| known.name != field.name);
        let mut new = fitting.iter().filter(is_new);
        let (Some(field), None) = (new.next(), new.next()) else {
            return None;
        };
        let alike = |known: &&Field| {
            known.returns.named == gone.returns.named && self.types.field(on, &known.name).is_none()
        };
        (before.iter().filter(alike).count() == 1).then_some(*field)
    }

    /// The field as it was, where the old schema is known.
    fn old_field(&self, on: TypeId, name: &str) -> Option<&'a Field> {
        let old = &self.ground.old?.types;
        old.field(old.find(&self.types.get(on).name)?, name)
    }

    /// Whether it takes the same arguments and has parts where they are asked for.
    fn may_stand_for(&self, asked: &Asked, field: &Field) -> bool {
        let has_parts = self.types.get(field.returns.named).is_composite();
        let takes = |name: &str| {
            field
                .arguments
                .iter()
                .any(|argument| &*argument.name == name)
        };
        let given = |name: &str| asked.arguments.iter().any(|(given, _)| given == name);
        let needs = field.arguments.iter().filter(|argument| argument.required);
        has_parts != asked.picks.is_empty()
            && asked.arguments.iter().all(|(name, _)| takes(name))
            && needs.into_iter().all(|argument| given(&argument.name))
    }

    fn same_type(&self, old: Option<&Field>, new: &Field) -> bool {
        let (Some(field), Some(before)) = (old, self.ground.old) else {
            return true;
        };
        let before = &before.types.get(field.returns.named).name;
        *before == self.types.get(new.returns.named).name
            && field.returns.lists() == new.returns.lists()
    }

    /// A field that there is: its arguments and what is below it.
    fn known(&mut self, asked: &'a Asked, mut mended: Asked, field: &Field) -> Option<Asked> {
        let named = field.returns.named;
        let place = self.place.join(".");
        if self.types.get(named).is_composite() == asked.picks.is_empty() {
            return self.changed_parts(mended, &place, asked.picks.is_empty());
        }
        if self.tells_arguments {
            mended.arguments = self.arguments(asked, field);
        }
        if asked.picks.is_empty() {
            return Some(mended);
        }
        mended.picks = self.picks(&asked.picks, named);
        if mended.picks.is_empty() {
            self.notes
                .changes
                .push(format!("{place} is left out: nothing is left of it"));
            return None;
        }
        Some(mended)
    }

    /// What had no parts has some now, and nobody asked for any; or it has none any more.
    fn changed_parts(&mut self, mut mended: Asked, place: &str, has_now: bool) -> Option<Asked> {
        if has_now {
            let told = format!("{place} has parts now, and the call asks for none");
            let change = format!("{place} is left out");
            self.notes.mended(Kind::Parts, place, told, change);
            return None;
        }
        let told = format!("{place} has no parts any more");
        let change = format!("{place} is asked for as a whole");
        self.notes.mended(Kind::Parts, place, told, change);
        mended.picks = Vec::new();
        Some(mended)
    }

    fn arguments(&mut self, asked: &Asked, field: &Field) -> Vec<(String, Literal)> {
        let mut mended = Vec::new();
        for (name, value) in &asked.arguments {
            if let Some(argument) = self.argument(name, asked, field) {
                let value = self.argument_value(argument, value);
                mended.push((argument.name.to_string(), value));
            }
        }
        let given = |name: &str| mended.iter().any(|(given, _)| given == name);
        let needs = field.arguments.iter().filter(|argument| argument.required);
        for argument in needs.filter(|argument| !given(&argument.name)) {
            let (name, kind) = (&argument.name, &argument.type_text);
            let place = format!("{}({name})", self.place.join("."));
            let told = format!("{place} must be given now, a {kind}, and nobody knows which");
            self.notes.lost(Kind::RequiredArgument, &place, told);
        }
        mended
    }

    /// The argument that a given one is now.
    fn argument<'f>(
        &mut self,
        name: &str,
        asked: &Asked,
        field: &'f Field,
    ) -> Option<&'f Argument> {
        let by_name = |name: &str| {
            field
                .arguments
                .iter()
                .find(|argument| &*argument.name == name)
        };
        if let Some(known) = by_name(name) {
            return Some(known);
        }
        let place = format!("{}({name})", self.place.join("."));
        let told = format!("{} takes no {name} any more", self.place.join("."));
        let free = field.arguments.iter().map(|argument| &*argument.name);
        let free = free.filter(|other| asked.arguments.iter().all(|(given, _)| given != other));
        let other = similar::only(name, free).and_then(by_name);
        let change = match other {
            Some(other) => format!("{place} is now {}", other.name),
            None => format!("{place} is left out"),
        };
        self.notes.mended(Kind::NoArgument, &place, told, change);
        other
    }

    fn argument_value(&mut self, argument: &Argument, value: &Literal) -> Literal {
        let place = format!("{}({})", self.place.join("."), argument.name);
        let before = self.notes.beyond.len();
        let mut inputs = Inputs {
            ground: self.ground,
            notes: &mut self.notes,
            variables: &mut self.variables,
            place: place.clone(),
        };
        let value_now = inputs.literal(argument.shape, value);
        if let Literal::Variable(name) = value {
            let fits = self.notes.beyond.len() == before;
            self.declared(name, argument, &place, fits);
        }
        value_now
    }

    /// A variable whose declared type its place does not take any more is declared anew, where its
    /// value fits.
    fn declared(&mut self, name: &str, argument: &Argument, place: &str, fits: bool) {
        let mut variables = self.document.variables.iter();
        let Some(variable) = variables.find(|variable| variable.name == name) else {
            return;
        };
        let anew = self.retyped.get(name);
        let (declared, wanted) = (anew.unwrap_or(&variable.type_text), &*argument.type_text);
        let default = variable.default.is_some() || !argument.required;
        if variables::is_allowed(declared, wanted, default) {
            return;
        }
        let told = format!("{place} takes {wanted} now, and ${name} is declared as {declared}");
        let given = self
            .variables
            .get(name)
            .is_some_and(|value| !value.is_null());
        // Of two places that want different types only one can be right.
        if fits && anew.is_none() && (given || !wanted.ends_with('!')) {
            let change = format!("${name} is declared as {wanted}");
            self.retyped.insert(name.to_owned(), wanted.to_owned());
            self.notes.mended(Kind::ArgumentType, place, told, change);
        } else {
            self.notes.lost(Kind::ArgumentType, place, told);
        }
    }
}
