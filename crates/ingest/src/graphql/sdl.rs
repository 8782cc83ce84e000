//! Reads SDL: schemas as people write them, in one file or in several.
//!
//! The parser goes on after errors and hands over what it understood; every complaint of it
//! becomes a diagnostic with its place. Extensions may stand before, after and without what they
//! extend, also in other files. Whether the schema is valid in every respect is not asked: a
//! directive that only the server knows does no harm to anybody who calls it.

use std::collections::BTreeMap;
use std::sync::Arc;

use apollo_compiler::collections::IndexMap as Named;
use apollo_compiler::diagnostic::ToCliReport as _;
use apollo_compiler::parser::{FileId, Parser, SourceSpan};
use apollo_compiler::schema::{
    Component, ComponentName, ExtendedType, FieldDefinition, InputValueDefinition, Name,
};
use apollo_compiler::validation::DiagnosticList;
use apollo_compiler::{Node, Schema, ast};

use super::lines::Lines;
use super::notes::Notes;
use super::outline::{
    BUILT_IN, Default, Definition, DefinitionKind, Given, Input, Outline, Parts, Spot, Taken,
    TypeRef,
};
use super::{DEEPEST, MOST_TOKENS, literal};
use crate::Source;
use crate::source::without_mark;

pub(super) fn outline(sources: &[Source], notes: &mut Notes) -> Outline {
    let mut builder = Schema::builder()
        .adopt_orphan_extensions()
        .ignore_builtin_redefinitions();
    for source in sources {
        Parser::new()
            .recursion_limit(DEEPEST)
            .token_limit(MOST_TOKENS)
            .parse_into_schema_builder(without_mark(&source.text), &source.name, &mut builder);
    }
    let (schema, complaints) = match builder.build() {
        Ok(schema) => (schema, None),
        Err(broken) => (broken.partial, Some(broken.errors)),
    };
    let read = Read::new(&schema);
    if let Some(complaints) = complaints {
        read.complain(&complaints, notes);
    }
    read.outline(&schema)
}

/// The files of a schema, by the parser's numbers for them.
struct Read {
    numbers: BTreeMap<FileId, u32>,
    files: Vec<Lines>,
}

impl Read {
    fn new(schema: &Schema) -> Self {
        let mut read = Self {
            numbers: BTreeMap::new(),
            files: Vec::new(),
        };
        let given = schema.sources.iter();
        for (id, file) in given.filter(|(id, _)| **id != FileId::BUILT_IN) {
            read.numbers.insert(*id, read.files.len() as u32);
            let name = file.path().to_string_lossy();
            read.files.push(Lines::new(&name, file.source_text()));
        }
        read
    }

    fn spot(&self, span: Option<SourceSpan>) -> Option<Spot> {
        let span = span?;
        Some(Spot {
            file: *self.numbers.get(&span.file_id())?,
            offset: u32::try_from(span.offset()).ok()?,
        })
    }

    fn complain(&self, complaints: &DiagnosticList, notes: &mut Notes) {
        for complaint in complaints.iter() {
            let spot = self.spot(complaint.error.location());
            let place = spot.and_then(|spot| {
                let lines = self.files.get(spot.file as usize)?;
                Some(lines.place(spot.offset as usize))
            });
            notes.error(place, complaint.error.to_string());
        }
    }

    fn outline(self, schema: &Schema) -> Outline {
        let roots = &schema.schema_definition;
        let named = |root: &Option<ComponentName>| root.as_ref().map(|root| arc(&root.name));
        let mut outline = Outline {
            description: roots.description.as_ref().map(ToString::to_string),
            query: named(&roots.query),
            mutation: named(&roots.mutation),
            subscription: named(&roots.subscription),
            ..Outline::default()
        };
        if outline.query.is_none() && outline_has_query(schema) {
            outline.query = Some("Query".into());
        }
        for (name, declared) in &schema.types {
            if !name.starts_with("__") && !BUILT_IN.contains(&name.as_str()) {
                outline.types.insert(arc(name), self.definition(declared));
            }
        }
        outline.files = self.files;
        outline
    }

    fn definition(&self, declared: &ExtendedType) -> Definition {
        let description = declared.description().map(|text| Arc::from(text.as_str()));
        Definition {
            description,
            spot: self.spot(declared.name().location()),
            kind: self.kind(declared),
        }
    }

    fn kind(&self, declared: &ExtendedType) -> DefinitionKind {
        match declared {
            ExtendedType::Scalar(scalar) => DefinitionKind::Scalar {
                specified_by: scalar
                    .directives
                    .get("specifiedBy")
                    .and_then(|directive| text_argument(directive, "url")),
            },
            ExtendedType::Object(object) => DefinitionKind::Object(
                self.parts(&object.fields, object.implements_interfaces.iter()),
            ),
            ExtendedType::Interface(interface) => DefinitionKind::Interface(
                self.parts(&interface.fields, interface.implements_interfaces.iter()),
            ),
            ExtendedType::Union(union) => DefinitionKind::Union(
                union
                    .members
                    .iter()
                    .map(|member| arc(&member.name))
                    .collect(),
            ),
            ExtendedType::Enum(values) => {
                DefinitionKind::Enum(values.values.keys().map(arc).collect())
            }
            ExtendedType::InputObject(input) => DefinitionKind::Input(Input {
                fields: input
                    .fields
                    .values()
                    .map(|field| self.taken(field))
                    .collect(),
                one_of: input.directives.has("oneOf"),
            }),
        }
    }

    fn parts<'n>(
        &self,
        fields: &Named<Name, Component<FieldDefinition>>,
        interfaces: impl Iterator<Item = &'n ComponentName>,
    ) -> Parts {
        Parts {
            fields: fields.values().map(|field| self.given(field)).collect(),
            interfaces: interfaces.map(|interface| arc(&interface.name)).collect(),
        }
    }

    fn given(&self, field: &FieldDefinition) -> Given {
        Given {
            name: arc(&field.name),
            description: field.description.as_ref().map(|text| Arc::from(&**text)),
            arguments: field
                .arguments
                .iter()
                .map(|argument| self.taken(argument))
                .collect(),
            returns: type_ref(&field.ty),
            deprecated: field.directives.has("deprecated"),
            deprecated_for: reason(field),
            spot: self.spot(field.name.location()),
        }
    }

    fn taken(&self, value: &InputValueDefinition) -> Taken {
        Taken {
            name: arc(&value.name),
            description: value.description.as_ref().map(|text| Arc::from(&**text)),
            kind: type_ref(&value.ty),
            default: match &value.default_value {
                Some(default) => Default::Is(literal::json(default)),
                None => Default::None,
            },
            spot: self.spot(value.name.location()),
        }
    }
}

/// A `schema` that names no query type does not mean that there is none.
fn outline_has_query(schema: &Schema) -> bool {
    schema
        .types
        .get("Query")
        .is_some_and(ExtendedType::is_object)
}

fn arc(name: &Name) -> Arc<str> {
    Arc::from(name.as_str())
}

fn text_argument(directive: &Node<ast::Directive>, name: &str) -> Option<String> {
    let value = directive.specified_argument_by_name(name)?;
    value.as_str().map(str::to_owned)
}

/// Why a field is deprecated.
fn reason(field: &FieldDefinition) -> Option<Arc<str>> {
    let directive = field.directives.get("deprecated")?;
    text_argument(directive, "reason").map(Arc::from)
}

fn type_ref(kind: &ast::Type) -> TypeRef {
    let mut levels = Vec::new();
    let mut kind = kind;
    loop {
        levels.push(!kind.is_non_null());
        match kind {
            ast::Type::List(item) | ast::Type::NonNullList(item) => kind = item,
            ast::Type::Named(name) | ast::Type::NonNullNamed(name) => {
                return TypeRef::new(arc(name), levels);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(texts: &[&str]) -> (Outline, Vec<fossick_contract::Diagnostic>) {
        let files = texts.iter().enumerate().map(|(at, text)| Source {
            name: format!("{at}.graphql"),
            text: (*text).to_owned(),
        });
        let mut notes = Notes::default();
        let outline = outline(&files.collect::<Vec<_>>(), &mut notes);
        (outline, notes.into_all())
    }

    #[test]
    fn extensions_reach_across_files_in_any_order() {
        let (outline, notes) = read(&[
            "extend type Query { b: Int } extend type Later { c: Int }",
            "type Query { a: Int }",
            "extend schema { mutation: Doing } type Doing { d: Later }",
        ]);
        assert_eq!(notes, []);
        let names: Vec<_> = outline.fields("Query").iter().map(|f| &*f.name).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(outline.fields("Later").len(), 1);
        assert_eq!(outline.query.as_deref(), Some("Query"));
        assert_eq!(outline.mutation.as_deref(), Some("Doing"));
    }

    #[test]
    fn errors_are_told_with_their_place_and_the_rest_is_kept() {
        let (outline, notes) = read(&[
            "type Query { a: Int }",
            "\ntype Book {\n  title: String\n  title: Int\n}\ntype Broken { x }\n",
        ]);
        assert_eq!(outline.fields("Book").len(), 1);
        let places: Vec<_> = notes
            .iter()
            .filter_map(|note| note.place.as_ref().map(ToString::to_string))
            .collect();
        assert_eq!(places, ["1.graphql:4:3", "1.graphql:6:17"], "{notes:?}");
    }

    #[test]
    fn defaults_types_and_directives_are_read() {
        let (outline, _) = read(&["\"Books.\" schema { query: Root }
             type Root { a(x: [[Int!]]! = [[1]], y: C = RED): Int @deprecated(reason: \"Use b.\") }
             enum C { RED } scalar U @specifiedBy(url: \"https://u.example\")
             input I @oneOf { a: Int b: String }"]);
        assert_eq!(outline.description.as_deref(), Some("Books."));
        let field = &outline.fields("Root")[0];
        assert!(field.deprecated);
        assert_eq!(field.deprecated_for.as_deref(), Some("Use b."));
        assert_eq!(field.arguments[0].kind.text(), "[[Int!]]!");
        assert_eq!(field.arguments[0].default, Default::Is(json!([[1]])));
        assert!(!field.arguments[0].required());
        assert_eq!(field.arguments[1].default, Default::Is(json!("RED")));
        assert!(outline.input("I").is_some_and(|input| input.one_of));
        assert!(matches!(&outline.types["U"].kind,
            DefinitionKind::Scalar { specified_by: Some(url) } if url == "https://u.example"));
    }

    #[test]
    fn a_query_type_is_found_where_the_schema_forgets_it() {
        let (outline, _) =
            read(&["schema { mutation: M } type M { a: Int } type Query { b: Int }"]);
        assert_eq!(outline.query.as_deref(), Some("Query"));
        let (outline, _) = read(&["type Book { a: Int }"]);
        assert_eq!(outline.query, None);
    }

    #[test]
    fn scalars_that_every_schema_has_are_left_out() {
        let (outline, notes) = read(&["scalar ID scalar Date type Query { a: ID }"]);
        assert_eq!(notes, []);
        assert_eq!(
            outline.types.keys().map(|k| &**k).collect::<Vec<_>>(),
            ["Date", "Query"]
        );
    }
}
