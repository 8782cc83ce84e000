//! Reads introspection: a schema as a service tells it of itself, saved as JSON.
//!
//! The forms differ by age and by who saved them: with and without `data`, with and without the
//! things of newer specifications. Whatever is missing counts as not said. Only what can't be
//! asked for at all is left out: names that are none, and fields whose type is cut off.

use std::sync::Arc;

use serde::Deserialize;

use super::loose::{Entry, Flag, Many, Text};
use super::notes::Notes;
use super::outline::{
    BUILT_IN, Cut, Default as Standing, Definition, DefinitionKind, Given, Input, Outline, Parts,
    Taken, TypeRef, is_name,
};
use super::{MOST_INTERFACES, literal};

/// An answer to the introspection query, or a part of one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    data: Entry<Holder>,
    #[serde(rename = "__schema")]
    schema: Entry<RawSchema>,
    // A schema that stands alone.
    description: Text,
    #[serde(rename = "queryType")]
    query: Entry<RawName>,
    #[serde(rename = "mutationType")]
    mutation: Entry<RawName>,
    #[serde(rename = "subscriptionType")]
    subscription: Entry<RawName>,
    types: Many<RawType>,
}

impl Answer {
    /// The schema, if it holds one.
    pub(super) fn schema(self) -> Option<RawSchema> {
        let held = self.data.0.and_then(|data| data.schema.0);
        held.or(self.schema.0).or_else(|| {
            (!self.types.0.is_empty() && self.query.0.is_some()).then_some(RawSchema {
                description: self.description,
                query: self.query,
                mutation: self.mutation,
                subscription: self.subscription,
                types: self.types,
            })
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Holder {
    #[serde(rename = "__schema")]
    schema: Entry<RawSchema>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct RawSchema {
    description: Text,
    #[serde(rename = "queryType")]
    query: Entry<RawName>,
    #[serde(rename = "mutationType")]
    mutation: Entry<RawName>,
    #[serde(rename = "subscriptionType")]
    subscription: Entry<RawName>,
    types: Many<RawType>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawName {
    name: Text,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawType {
    kind: Text,
    name: Text,
    description: Text,
    fields: Many<RawField>,
    input_fields: Many<RawValue>,
    interfaces: Many<RawName>,
    possible_types: Many<RawName>,
    enum_values: Many<RawName>,
    #[serde(rename = "specifiedByURL", alias = "specifiedByUrl")]
    specified_by: Text,
    is_one_of: Flag,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawField {
    name: Text,
    description: Text,
    args: Many<RawValue>,
    r#type: Entry<RawRef>,
    is_deprecated: Flag,
    deprecation_reason: Text,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawValue {
    name: Text,
    description: Text,
    r#type: Entry<RawRef>,
    default_value: Text,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawRef {
    kind: Text,
    name: Text,
    of_type: Entry<Box<RawRef>>,
}

pub(super) fn outline(raw: RawSchema, notes: &mut Notes) -> Outline {
    let mut read = Read {
        notes,
        cut_off: Vec::new(),
        cut_fields: Vec::new(),
    };
    let mut outline = Outline {
        description: raw.description.0,
        query: root(raw.query),
        mutation: root(raw.mutation),
        subscription: root(raw.subscription),
        ..Outline::default()
    };
    let mut possible = Vec::new();
    for declared in raw.types.0 {
        if let Some((name, definition)) = read.definition(declared, &mut possible) {
            read.keep(&mut outline, name, definition);
        }
    }
    read.tell_cut_off();
    outline.cut_off = read.cut_fields;
    implement(&mut outline, possible);
    usual_roots(&mut outline);
    outline
}

fn root(named: Entry<RawName>) -> Option<Arc<str>> {
    named.0?.name.0.map(Arc::from)
}

/// Listings without roots exist; the usual names are then what they mean.
fn usual_roots(outline: &mut Outline) {
    if outline.query.is_some() {
        return;
    }
    let usual = |name: &str| outline.is_object(name).then(|| Arc::from(name));
    let (query, mutation, subscription) =
        (usual("Query"), usual("Mutation"), usual("Subscription"));
    outline.query = query;
    outline.mutation = outline.mutation.take().or(mutation);
    outline.subscription = outline.subscription.take().or(subscription);
}

/// Some servers say only from above who implements an interface.
fn implement(outline: &mut Outline, possible: Vec<(Arc<str>, Vec<Arc<str>>)>) {
    for (interface, objects) in possible {
        for object in objects {
            let definition = outline.types.get_mut(&object);
            if let Some(DefinitionKind::Object(parts)) = definition.map(|found| &mut found.kind)
                && parts.interfaces.len() < MOST_INTERFACES
                && !parts.interfaces.contains(&interface)
            {
                parts.interfaces.push(Arc::clone(&interface));
            }
        }
    }
}

struct Read<'n> {
    notes: &'n mut Notes,
    /// Fields and arguments whose type ends before it has a name.
    cut_off: Vec<String>,
    cut_fields: Vec<Cut>,
}

impl Read<'_> {
    fn keep(&mut self, outline: &mut Outline, name: Arc<str>, definition: Definition) {
        if outline.types.contains_key(&name) {
            let told = format!("the type `{name}` is told twice; the first counts");
            self.notes.warn(None, told);
        } else {
            outline.types.insert(name, definition);
        }
    }

    /// A name that can be asked for; `of` tells where it stands.
    fn name(&mut self, text: Text, of: &str) -> Option<Arc<str>> {
        let text = text.0.unwrap_or_default();
        if !is_name(&text) {
            let shown: String = text.chars().take(60).collect();
            let told = format!("{of}: `{shown}` is not a name that GraphQL allows; left out");
            self.notes.error(None, told);
            return None;
        }
        (!text.starts_with("__")).then(|| Arc::from(text))
    }

    fn definition(
        &mut self,
        raw: RawType,
        possible: &mut Vec<(Arc<str>, Vec<Arc<str>>)>,
    ) -> Option<(Arc<str>, Definition)> {
        let name = self.name(raw.name, "a type")?;
        if BUILT_IN.contains(&&*name) {
            return None;
        }
        let described = described(raw.description);
        let members = || {
            raw.possible_types
                .0
                .into_iter()
                .filter_map(|member| member.name.0)
        };
        let kind = match kind_of(&raw.kind, &raw.fields, &raw.input_fields, &raw.enum_values) {
            "OBJECT" => DefinitionKind::Object(self.parts(&name, raw.fields, raw.interfaces)),
            "INTERFACE" => {
                possible.push((Arc::clone(&name), members().map(Arc::from).collect()));
                DefinitionKind::Interface(self.parts(&name, raw.fields, raw.interfaces))
            }
            "UNION" => DefinitionKind::Union(members().map(Arc::from).collect()),
            "ENUM" => DefinitionKind::Enum(self.values(&name, raw.enum_values)),
            "INPUT_OBJECT" => DefinitionKind::Input(Input {
                fields: self.all_taken(&name, raw.input_fields),
                one_of: raw.is_one_of.0,
            }),
            _ => DefinitionKind::Scalar {
                specified_by: raw.specified_by.0,
            },
        };
        let definition = Definition {
            description: described,
            spot: None,
            kind,
        };
        Some((name, definition))
    }

    fn parts(&mut self, name: &str, fields: Many<RawField>, interfaces: Many<RawName>) -> Parts {
        let mut kept: Vec<Given> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for field in fields.0 {
            if let Some(given) = self.given(name, field)
                && seen.insert(Arc::clone(&given.name))
            {
                kept.push(given);
            }
        }
        let interfaces = interfaces.0.into_iter();
        Parts {
            fields: kept,
            interfaces: interfaces
                .filter_map(|named| named.name.0.map(Arc::from))
                .collect(),
        }
    }

    fn given(&mut self, on: &str, raw: RawField) -> Option<Given> {
        let name = self.name(raw.name, on)?;
        let at = format!("{on}.{name}");
        let (nullable, listed) = outermost(&raw.r#type);
        let Some(returns) = self.type_ref(&at, raw.r#type) else {
            self.cut_fields.push(Cut {
                on: Arc::from(on),
                field: name,
                nullable,
                listed,
            });
            return None;
        };
        Some(Given {
            description: described(raw.description),
            arguments: self.all_taken(&at, raw.args),
            returns,
            deprecated: raw.is_deprecated.0,
            deprecated_for: described(raw.deprecation_reason),
            spot: None,
            name,
        })
    }

    fn all_taken(&mut self, of: &str, raw: Many<RawValue>) -> Vec<Taken> {
        let mut kept = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for value in raw.0 {
            if let Some(taken) = self.taken(of, value)
                && seen.insert(Arc::clone(&taken.name))
            {
                kept.push(taken);
            }
        }
        kept
    }

    fn taken(&mut self, of: &str, raw: RawValue) -> Option<Taken> {
        let name = self.name(raw.name, of)?;
        let at = format!("{of}({name})");
        let kind = self.type_ref(&at, raw.r#type)?;
        let default = match raw.default_value.0 {
            None => Standing::None,
            Some(text) => {
                literal::read(&text).map_or_else(|| self.unreadable(&at, &text), Standing::Is)
            }
        };
        Some(Taken {
            name,
            description: described(raw.description),
            kind,
            default,
            spot: None,
        })
    }

    fn unreadable(&mut self, at: &str, text: &str) -> Standing {
        let shown: String = text.chars().take(60).collect();
        let told = format!("{at}: its default `{shown}` can't be read; taken as optional");
        self.notes.warn(None, told);
        Standing::Unreadable
    }

    fn values(&mut self, of: &str, raw: Many<RawName>) -> Vec<Arc<str>> {
        let values = raw.0.into_iter();
        values
            .filter_map(|value| self.name(value.name, of))
            .collect()
    }

    fn type_ref(&mut self, at: &str, raw: Entry<RawRef>) -> Option<TypeRef> {
        let found = raw.0.and_then(unwrapped);
        if found.is_none() {
            self.cut_off.push(at.to_owned());
        }
        found
    }

    fn tell_cut_off(&mut self) {
        let Some(first) = self.cut_off.first() else {
            return;
        };
        let count = self.cut_off.len();
        let told = format!(
            "the types of {count} fields and arguments are cut off, {first} first; left out: \
             introspect again and ask for more levels of `ofType`"
        );
        self.notes.error(None, told);
    }
}

fn described(text: Text) -> Option<Arc<str>> {
    text.0.filter(|text| !text.is_empty()).map(Arc::from)
}

/// The kind of a type; where it is not told, by what it has.
fn kind_of<'k>(
    told: &'k Text,
    fields: &Many<RawField>,
    inputs: &Many<RawValue>,
    values: &Many<RawName>,
) -> &'k str {
    match &told.0 {
        Some(kind) => kind,
        None if !fields.0.is_empty() => "OBJECT",
        None if !inputs.0.is_empty() => "INPUT_OBJECT",
        None if !values.0.is_empty() => "ENUM",
        None => "SCALAR",
    }
}

/// Whether the outermost level may be null, and whether it is a list.
fn outermost(raw: &Entry<RawRef>) -> (bool, bool) {
    let kind = |raw: &RawRef, name: &str| raw.kind.0.as_deref() == Some(name);
    match &raw.0 {
        Some(raw) if kind(raw, "NON_NULL") => {
            let inner = raw.of_type.0.as_ref();
            (false, inner.is_some_and(|inner| kind(inner, "LIST")))
        }
        Some(raw) => (true, kind(raw, "LIST")),
        None => (true, false),
    }
}

/// Takes lists and non-nulls off; the JSON reader has bounded how many there are.
fn unwrapped(raw: RawRef) -> Option<TypeRef> {
    let mut levels = Vec::new();
    let mut nullable = true;
    let mut raw = raw;
    loop {
        match raw.kind.0.as_deref() {
            Some("NON_NULL") => nullable = false,
            Some("LIST") => {
                levels.push(nullable);
                nullable = true;
            }
            _ => {
                let name = raw.name.0.filter(|name| is_name(name))?;
                levels.push(nullable);
                return Some(TypeRef::new(Arc::from(name), levels));
            }
        }
        raw = *raw.of_type.0?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(answer: Value) -> (Outline, Vec<String>) {
        let answer: Answer = serde_json::from_value(answer).expect("it takes anything");
        let mut notes = Notes::default();
        let outline = outline(answer.schema().expect("a schema"), &mut notes);
        let told = notes.into_all().into_iter().map(|note| note.message);
        (outline, told.collect())
    }

    fn int() -> Value {
        json!({"kind": "SCALAR", "name": "Int"})
    }

    fn schema(types: &Value) -> Value {
        json!({"queryType": {"name": "Query"}, "types": types})
    }

    #[test]
    fn it_is_found_wherever_it_stands() {
        let types = json!([{"kind": "OBJECT", "name": "Query",
            "fields": [{"name": "a", "type": int()}]}]);
        let bare = schema(&types);
        for answer in [
            json!({"data": {"__schema": bare}}),
            json!({"__schema": bare}),
            bare.clone(),
        ] {
            let (outline, told) = read(answer);
            assert_eq!(outline.fields("Query").len(), 1);
            assert!(told.is_empty(), "{told:?}");
        }
        for other in [json!({}), json!({"types": [{}]}), json!({"data": null})] {
            let answer: Answer = serde_json::from_value(other).expect("it takes anything");
            assert!(answer.schema().is_none());
        }
    }

    #[test]
    fn wrapped_types_are_unwrapped_to_any_depth() {
        let mut wrapped = int();
        for _ in 0..10 {
            wrapped = json!({"kind": "LIST", "ofType": {"kind": "NON_NULL", "ofType": wrapped}});
        }
        let (outline, _) = read(schema(&json!([{"kind": "OBJECT", "name": "Query",
            "fields": [{"name": "a", "type": wrapped}]}])));
        let text = outline.fields("Query")[0].returns.text();
        assert_eq!(text, format!("{}Int!{}]", "[".repeat(10), "]!".repeat(9)));
    }

    #[test]
    fn what_is_cut_off_is_left_out_and_counted() {
        let cut = json!({"kind": "NON_NULL", "name": null});
        let (outline, told) = read(schema(
            &json!([{"kind": "OBJECT", "name": "Query", "fields": [
            {"name": "a", "type": cut}, {"name": "b", "type": int()}, {"name": "c"}]}]),
        ));
        assert_eq!(outline.fields("Query").len(), 1);
        let known = outline
            .cut_off
            .iter()
            .map(|cut| (&*cut.field, cut.nullable));
        assert_eq!(known.collect::<Vec<_>>(), [("a", false), ("c", true)]);
        assert_eq!(told.len(), 1);
        assert!(
            told[0].contains("of 2 fields") && told[0].contains("Query.a"),
            "{told:?}"
        );
    }

    #[test]
    fn names_that_are_none_are_left_out() {
        let (outline, told) = read(schema(&json!([
            {"kind": "OBJECT", "name": "a-b"}, {"kind": "OBJECT", "name": "__Type"}, 7,
            {"kind": "OBJECT", "name": "Query", "fields": [
                {"name": "x y", "type": int()},
                {"name": "ok", "type": int(), "args": [{"name": "", "type": int()}]}]},
            {"kind": "ENUM", "name": "E", "enumValues": [{"name": "A"}, {"name": "B C"}]}])));
        assert_eq!(outline.types.len(), 2);
        assert_eq!(outline.fields("Query").len(), 1);
        assert!(outline.fields("Query")[0].arguments.is_empty());
        assert!(matches!(&outline.types["E"].kind, DefinitionKind::Enum(v) if v.len() == 1));
        assert_eq!(told.len(), 4, "{told:?}");
    }

    #[test]
    fn interfaces_are_implemented_from_above_too() {
        let (outline, _) = read(schema(&json!([
            {"kind": "INTERFACE", "name": "Node", "possibleTypes": [{"name": "Book"}]},
            {"kind": "OBJECT", "name": "Book", "interfaces": null}])));
        let DefinitionKind::Object(parts) = &outline.types["Book"].kind else {
            panic!("an object");
        };
        assert_eq!(*parts.interfaces, [Arc::from("Node")]);
    }

    #[test]
    fn defaults_are_read_and_unreadable_ones_still_make_optional() {
        let required = json!({"kind": "NON_NULL", "ofType": int()});
        let value = |default: &str| json!({"name": "a", "type": required, "defaultValue": default});
        let (outline, told) = read(schema(&json!([
            {"kind": "INPUT_OBJECT", "name": "A", "isOneOf": true, "inputFields": [value("7")]},
            {"kind": "INPUT_OBJECT", "name": "B", "inputFields": [value("{{")]}])));
        let field = |name: &str| &outline.input(name).expect("an input").fields[0];
        assert_eq!(field("A").default, Standing::Is(json!(7)));
        assert_eq!(field("B").default, Standing::Unreadable);
        assert!(!field("B").required());
        assert!(outline.input("A").is_some_and(|input| input.one_of));
        assert_eq!(told.len(), 1);
    }

    #[test]
    fn a_listing_without_roots_has_the_usual_ones() {
        let object = |name: &str| json!({"kind": "OBJECT", "name": name});
        let types = json!([object("Query"), object("Mutation")]);
        let (outline, _) = read(json!({"__schema": {"types": types}}));
        assert_eq!(outline.query.as_deref(), Some("Query"));
        assert_eq!(outline.mutation.as_deref(), Some("Mutation"));
        let roots = json!({"queryType": {"name": "Query"}, "mutationType": null, "types": types});
        let (outline, _) = read(json!({ "__schema": roots }));
        assert_eq!(outline.mutation, None);
    }
}
