//! Whole GraphQL schemas under `testdata/graphql`, each against what was understood of it before.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fossick_contract::{
    Api, Diagnostic, Field, JsonKind, Kind, Level, Operation, Scalar, Shape, ShapeId, Type,
    TypeKind,
};
use fossick_ingest::{NoFetch, Reading, Source, read, read_sdl};
use fossick_validate::{Direction, Validators};
use serde_json::json;

pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../testdata/graphql"
    ))
    .join(name)
}

/// The schema files of a folder, in the order of their names.
fn sources(folder: &Path) -> Vec<Source> {
    let is_schema = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("graphql" | "gql" | "graphqls" | "json"))
    };
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(is_schema);
    paths.sort();
    let source = |path: &PathBuf| Source {
        name: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into(),
        text: std::fs::read_to_string(path).expect("a text"),
    };
    paths.iter().map(source).collect()
}

fn read_folder(name: &str) -> Reading {
    match sources(&folder(name)).as_slice() {
        [only] => read(only, &mut NoFetch).expect("it can be read"),
        several => read_sdl(several).expect("they can be read"),
    }
}

/// Compares what was understood of a schema with what was before.
fn golden(name: &str) {
    let reading = read_folder(name);
    check(&reading.api);
    let told = told(&reading);
    let golden = folder(name).join("expected.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &told).expect("testdata can be written");
    }
    let expected = std::fs::read_to_string(&golden).expect("testdata is there");
    assert_eq!(told, expected);
}

/// What must hold of every contract that was read from GraphQL.
fn check(api: &Api) {
    let validators = Validators::new(api);
    for (id, shape) in api.shapes.iter() {
        let schema = api.schemas.request.pointer(&shape.pointer);
        assert!(schema.is_some(), "{id:?} {} leads nowhere", shape.pointer);
        if let Some(default) = &shape.default {
            let fits = validators.is_valid(Direction::Request, id, default);
            assert!(fits, "{}: its default {default}", shape.pointer);
        }
    }
    for operation in &api.operations {
        let root = operation.graphql.as_ref().expect("a GraphQL operation");
        let field = api.root_field(root);
        assert_eq!(
            operation.label,
            format!("{} {}", root.kind.as_str(), field.name)
        );
        assert_eq!(operation.body.is_none(), field.arguments.is_empty());
        if let Some(arguments) = arguments(operation) {
            let odd = json!({"no such argument": 1});
            let refused = !validators.is_valid(Direction::Request, arguments, &odd);
            assert!(refused, "{}: its schema compiles", operation.label);
        }
        for key in &root.keys {
            assert!(leads(api, operation, key), "{}: {key}", operation.label);
        }
    }
}

fn arguments(operation: &Operation) -> Option<ShapeId> {
    operation
        .body
        .as_ref()
        .and_then(|body| body.contents[0].shape)
}

/// Whether a pointer leads to something in the arguments.
fn leads(api: &Api, operation: &Operation, pointer: &str) -> bool {
    let mut at = arguments(operation);
    for name in pointer.split('/').skip(1) {
        at = at.and_then(|id| match &api.shape(id).kind {
            Kind::Object(object) => object.property(name).map(|property| property.shape),
            _ => None,
        });
    }
    at.is_some()
}

fn told(reading: &Reading) -> String {
    let api = &reading.api;
    let mut told = format!("{} ({})\n\n", api.title, api.dialect);
    for operation in &api.operations {
        tell_operation(&mut told, api, operation);
    }
    for unusable in &api.unusable {
        writeln!(told, "can't: {}: {}", unusable.operation, unusable.reason).expect("a string");
    }
    told.push('\n');
    for (_, kind) in api.types.iter() {
        tell_type(&mut told, api, kind);
    }
    told.push('\n');
    for diagnostic in &reading.diagnostics {
        tell_diagnostic(&mut told, diagnostic);
    }
    told
}

fn tell_operation(told: &mut String, api: &Api, operation: &Operation) {
    let root = operation.graphql.as_ref().expect("a GraphQL operation");
    let thing = root.thing.map_or("nothing", |id| &api.types.get(id).name);
    write!(told, "{}: {:?} {thing}", operation.label, root.deed).expect("a string");
    if root.listed {
        told.push_str(", many");
    }
    if !root.way.is_empty() {
        write!(told, ", way {}", root.way.join("/")).expect("a string");
    }
    if !root.keys.is_empty() {
        write!(told, ", keys {}", root.keys.join(" ")).expect("a string");
    }
    if operation.deprecated {
        told.push_str(", deprecated");
    }
    told.push('\n');
    for argument in &api.root_field(root).arguments {
        let shape = tell_shape(api.shape(argument.shape));
        let required = if argument.required { ", required" } else { "" };
        let (name, text) = (&argument.name, &argument.type_text);
        writeln!(told, "    {name}: {text} = {shape}{required}").expect("a string");
    }
}

fn tell_shape(shape: &Shape) -> String {
    let kind = match &shape.kind {
        Kind::Any => "any".to_owned(),
        Kind::Boolean => "boolean".to_owned(),
        Kind::Integer(number) => format!("integer {}", range(number.minimum, number.maximum)),
        Kind::Number(number) => format!("number {}", range(number.minimum, number.maximum)),
        Kind::String(text) => {
            let format = text.format.as_deref().unwrap_or("");
            let patterns: Vec<&str> = text.patterns.iter().map(|pattern| &**pattern).collect();
            format!("text {format}{}", patterns.join(" "))
        }
        Kind::Enum(values) => format!("one of {}", values.len()),
        Kind::Array(_) => "list".to_owned(),
        Kind::Object(object) => format!("object of {}", object.properties.len()),
        Kind::Choice(choice) => format!("choice of {}", choice.options.len()),
        other => format!("{other:?}"),
    };
    let null = if shape.nullable { " or null" } else { "" };
    let default = shape.default.as_ref();
    let default = default.map_or_else(String::new, |value| format!(", else {value}"));
    format!("{}{null}{default}", kind.trim_end())
}

fn range(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low}..{high}"),
        _ => String::new(),
    }
}

fn tell_type(told: &mut String, api: &Api, kind: &Type) {
    let names = |ids: &[fossick_contract::TypeId]| {
        let names = ids.iter().map(|id| &*api.types.get(*id).name);
        names.collect::<Vec<_>>().join(" ")
    };
    let line = match &kind.kind {
        TypeKind::Scalar(scalar) => format!("scalar {}", tell_scalar(scalar)),
        TypeKind::Enum(values) => format!("enum {}", values.join(" ")),
        TypeKind::Object(composite) => format!("object [{}]", names(&composite.interfaces)),
        TypeKind::Interface(composite) => format!(
            "interface [{}], may be {}",
            names(&composite.interfaces),
            names(&composite.possible)
        ),
        TypeKind::Union(possible) => format!("union, may be {}", names(possible)),
    };
    writeln!(told, "{}: {}", kind.name, line.trim_end()).expect("a string");
    if let TypeKind::Object(composite) | TypeKind::Interface(composite) = &kind.kind {
        let fields: Vec<_> = composite
            .fields
            .iter()
            .map(|field| tell_field(api, field))
            .collect();
        writeln!(told, "    {}", fields.join(" ")).expect("a string");
    }
}

fn tell_scalar(scalar: &Scalar) -> String {
    let Scalar::Custom { json, format } = scalar else {
        return format!("{scalar:?}");
    };
    let json = match json {
        JsonKind::Text => "text",
        JsonKind::Integer => "integer",
        JsonKind::Number => "number",
        JsonKind::TextOrNumber => "text or number",
        JsonKind::Any => "anything",
    };
    format!("{json} {}", format.as_deref().unwrap_or(""))
}

fn tell_field(api: &Api, field: &Field) -> String {
    let lists = field.returns.lists();
    let named = &api.types.get(field.returns.named).name;
    let mark = |at: usize| if field.returns.nullable[at] { "" } else { "!" };
    let close: Vec<_> = (0..lists).rev().flat_map(|at| ["]", mark(at)]).collect();
    let arguments = if field.arguments.is_empty() {
        ""
    } else {
        "(…)"
    };
    format!(
        "{}{arguments}:{}{named}{}{}",
        field.name,
        "[".repeat(lists),
        mark(lists),
        close.concat()
    )
}

fn tell_diagnostic(told: &mut String, diagnostic: &Diagnostic) {
    let level = match diagnostic.level {
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let place = diagnostic.place.as_ref();
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    writeln!(told, "{place}{level}: {}", diagnostic.message).expect("a string");
}

#[test]
fn a_schema_in_the_manner_of_relay() {
    golden("relay");
}

#[test]
fn a_schema_in_the_manner_of_saleor() {
    golden("shop");
}

#[test]
fn a_schema_in_the_manner_of_postgraphile() {
    golden("postgraphile");
}

#[test]
fn a_schema_in_the_manner_of_hasura() {
    golden("hasura");
}

#[test]
fn a_schema_in_the_manner_of_prisma() {
    golden("prisma");
}

#[test]
fn a_schema_in_the_manner_of_tutorials() {
    golden("plain");
}

#[test]
fn everything_that_arguments_can_be() {
    golden("inputs");
}

#[test]
fn interfaces_and_unions() {
    golden("abstract");
}

#[test]
fn custom_scalars() {
    golden("scalars");
}

#[test]
fn a_schema_in_several_files() {
    golden("split");
}

#[test]
fn every_mistake_is_told_where_it_stands_and_the_rest_is_read() {
    golden("broken");
}

#[test]
fn introspection_of_an_old_server() {
    golden("introspection-2016");
}

#[test]
fn introspection_of_a_server_of_today() {
    golden("introspection-today");
}

/// The same schema must be the same contract, whichever way it is told.
#[test]
fn both_readers_say_the_same() {
    let sdl = "type Query { book(id: ID!, in: [Shade!] = [DARK]): Book } enum Shade { LIGHT DARK }
        interface Node { id: ID! } type Book implements Node { id: ID! tags: [[String!]!] }
        union Any = Book input Odd { a: Int! = 3 b: Odd }
        type Mutation { addBook(input: Odd!): Book }";
    let sdl = Source {
        name: "a.graphql".to_owned(),
        text: sdl.to_owned(),
    };
    let named = |kind: &str, name: &str| json!({"kind": kind, "name": name});
    let list = |of| json!({"kind": "LIST", "ofType": of});
    let must = |of| json!({"kind": "NON_NULL", "ofType": of});
    let taken = |name: &str, kind, default: Option<&str>| json!({"name": name, "type": kind, "defaultValue": default});
    let (id, int) = (must(named("SCALAR", "ID")), named("SCALAR", "Int"));
    let book = || named("OBJECT", "Book");
    let json = json!({"__schema": {
        "queryType": {"name": "Query"}, "mutationType": {"name": "Mutation"}, "types": [
        {"kind": "OBJECT", "name": "Query", "fields": [{"name": "book", "type": book(), "args": [
            taken("id", id.clone(), None),
            taken("in", list(must(named("ENUM", "Shade"))), Some("[DARK]"))]}]},
        {"kind": "ENUM", "name": "Shade", "enumValues": [{"name": "LIGHT"}, {"name": "DARK"}]},
        {"kind": "INTERFACE", "name": "Node", "fields": [{"name": "id", "type": id}]},
        {"kind": "OBJECT", "name": "Book", "interfaces": [{"name": "Node"}], "fields": [
            {"name": "id", "type": id},
            {"name": "tags", "type": list(must(list(must(named("SCALAR", "String")))))}]},
        {"kind": "UNION", "name": "Any", "possibleTypes": [book()]},
        {"kind": "INPUT_OBJECT", "name": "Odd", "inputFields": [
            taken("a", must(int), Some("3")), taken("b", named("INPUT_OBJECT", "Odd"), None)]},
        {"kind": "OBJECT", "name": "Mutation", "fields": [{"name": "addBook", "type": book(),
            "args": [taken("input", must(named("INPUT_OBJECT", "Odd")), None)]}]}]}});
    let json = Source {
        name: "a.json".to_owned(),
        text: json.to_string(),
    };
    let of_sdl = read(&sdl, &mut NoFetch).expect("read");
    let of_json = read(&json, &mut NoFetch).expect("read");
    assert_eq!(told(&of_sdl), told(&of_json));
    assert_eq!(of_sdl.api.schemas.request, of_json.api.schemas.request);
}

/// Reads every schema of the folder that `FOSSICK_GRAPHQL_CORPUS` names.
#[test]
#[ignore = "needs a folder of schemas, named by FOSSICK_GRAPHQL_CORPUS"]
fn a_whole_body_of_schemas_is_read() {
    let folder = std::env::var_os("FOSSICK_GRAPHQL_CORPUS").expect("which folder?");
    let all = sources(Path::new(&folder));
    assert!(
        !all.is_empty(),
        "no schemas in {}",
        Path::new(&folder).display()
    );
    for source in all {
        let start = Instant::now();
        let reading = read(&source, &mut NoFetch);
        let took = start.elapsed();
        let reading = reading.unwrap_or_else(|error| panic!("{error}"));
        assert!(
            took < Duration::from_secs(5),
            "{} took {took:?}",
            source.name
        );
        check(&reading.api);
    }
}
