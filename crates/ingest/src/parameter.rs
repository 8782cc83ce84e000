//! Parameters: which there are, where they go, and how their values become text.
//!
//! Those of the operation override those of its path. Body and form parameters of Swagger 2.0
//! are only collected here; `body` makes something of them.

use std::sync::LazyLock;

use fossick_contract::{Encoding, Location, Parameter, PathTemplate, Piece, Style};
use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::document::{Broken, Call, Walk};
use crate::reader::Reader;
use crate::reference::Node;
use crate::swagger2;

/// The schema of a parameter that has none: text.
static TEXT: LazyLock<Value> = LazyLock::new(|| json!({ "type": "string" }));

/// The parameters that hold for an operation, as nodes.
#[derive(Default)]
pub(crate) struct Declared<'d> {
    plain: IndexMap<(Location, String), (&'d str, Node<'d>)>,
    pub(crate) body: Option<Node<'d>>,
    /// In the order of the document.
    pub(crate) form: IndexMap<&'d str, Node<'d>>,
}

/// Collects the parameters of a path and of an operation.
pub(crate) fn collect<'d>(
    reader: Reader<'d>,
    items: &[Node<'d>],
    operation: Node<'d>,
) -> Declared<'d> {
    let mut all = Declared::default();
    for holder in items.iter().rev().copied().chain([operation]) {
        let mut level = Declared::default();
        let listed = holder.get("parameters");
        let nodes = listed.into_iter().flat_map(|list| {
            let single = list.value.is_object().then_some(list);
            list.items().chain(single)
        });
        for node in nodes {
            level.add(reader, node);
        }
        all.plain.extend(level.plain);
        all.form.extend(level.form);
        all.body = level.body.or(all.body);
    }
    all
}

impl<'d> Declared<'d> {
    fn add(&mut self, reader: Reader<'d>, listed: Node<'d>) {
        let Some(node) = reader.follow_or_note(listed, "a parameter") else {
            return;
        };
        let Some(name) = node.text("name") else {
            self.add_nameless(reader, listed, node);
            return;
        };
        let place = node.text("in").unwrap_or("").to_ascii_lowercase();
        let known = location(&place);
        match place.as_str() {
            "body" => self.body = self.body.or(Some(node)),
            "formdata" | "form" => {
                self.form.entry(name).or_insert(node);
            }
            _ => {
                let location = known.unwrap_or_else(|| guessed(reader, node, name, &place));
                self.add_plain(reader, listed, (location, name, node));
            }
        }
    }

    fn add_nameless(&mut self, reader: Reader<'d>, listed: Node<'d>, node: Node<'d>) {
        if node.text("in") == Some("body") {
            self.body = self.body.or(Some(node));
            return;
        }
        reader.error(listed, "a parameter without a name is left out");
    }

    fn add_plain(
        &mut self,
        reader: Reader<'d>,
        listed: Node<'d>,
        (location, name, node): (Location, &'d str, Node<'d>),
    ) {
        if location == Location::Header && !reader.is_swagger2() && is_reserved(name) {
            return;
        }
        let key = match location {
            Location::Header => name.to_ascii_lowercase(),
            _ => name.to_owned(),
        };
        if self.plain.contains_key(&(location, key.clone())) {
            let told = format!(
                "the {location} parameter `{name}` is declared twice; the first one counts"
            );
            reader.warn(listed, told);
            return;
        }
        self.plain.insert((location, key), (name, node));
    }

    fn is_in_path(&self, name: &str) -> bool {
        self.plain.contains_key(&(Location::Path, name.to_owned()))
    }
}

fn location(text: &str) -> Option<Location> {
    match text {
        "path" => Some(Location::Path),
        "query" => Some(Location::Query),
        "header" => Some(Location::Header),
        "cookie" => Some(Location::Cookie),
        _ => None,
    }
}

fn guessed(reader: Reader<'_>, node: Node<'_>, name: &str, place: &str) -> Location {
    let told = format!(
        "the parameter `{name}` is in `{place}`, which is nowhere; read as a query parameter"
    );
    reader.warn(node, told);
    Location::Query
}

/// Headers that are described elsewhere, says OpenAPI 3.
fn is_reserved(name: &str) -> bool {
    ["accept", "content-type", "authorization"].contains(&name.to_ascii_lowercase().as_str())
}

/// The path's template, with each hole under the name that a parameter declares.
///
/// `{+path}`, `{id}?` and the like are how some write a hole; a fragment is never sent.
pub(crate) fn template(path: &str, declared: &Declared<'_>) -> PathTemplate {
    let sent = path.split('#').next().unwrap_or(path);
    let mut template = PathTemplate::parse(sent);
    path.clone_into(&mut template.text);
    for piece in &mut template.pieces {
        if let Piece::Hole(name) = piece
            && !declared.is_in_path(name)
        {
            let core = core_name(name);
            if declared.is_in_path(core) {
                *name = core.to_owned();
            }
        }
    }
    template
}

fn core_name(hole: &str) -> &str {
    let before = hole.split(':').next().unwrap_or(hole);
    before.trim_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Reads all plain parameters of an operation.
pub(crate) fn read_all<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    declared: Declared<'d>,
) -> Result<Vec<Parameter>, Broken<'d>> {
    let mut parameters = Vec::new();
    for ((location, _), (name, node)) in declared.plain {
        let stray = location == Location::Path && !call.template.holes().any(|hole| hole == name);
        if stray {
            let told = format!(
                "the path `{}` has no `{{{name}}}`; the parameter is left out",
                call.template
            );
            walk.reader.warn(node, told);
            continue;
        }
        parameters.push(read(walk, call, location, name, node)?);
    }
    add_undeclared(walk, call, &mut parameters);
    Ok(parameters)
}

/// Every hole of a path needs a value, whether or not somebody declared it.
fn add_undeclared<'d>(walk: &mut Walk<'d>, call: &Call<'d>, parameters: &mut Vec<Parameter>) {
    let holes: Vec<_> = call.template.holes().map(str::to_owned).collect();
    for name in holes {
        let known = |p: &Parameter| p.location == Location::Path && p.name == name;
        if parameters.iter().any(known) {
            continue;
        }
        let told = format!("the path parameter `{name}` is not declared; read as text");
        walk.reader.warn(call.node, told);
        let shape = text_shape(walk);
        parameters.push(Parameter {
            name,
            location: Location::Path,
            required: true,
            shape,
            encoding: default_encoding(Location::Path),
            examples: Vec::new(),
            description: String::new(),
            deprecated: false,
            allow_reserved: false,
        });
    }
}

fn text_shape(walk: &mut Walk<'_>) -> fossick_contract::ShapeId {
    let node = walk.reader.root().at(&TEXT);
    let shape = walk.schemas.root(node, || "text".to_owned());
    shape.unwrap_or_else(|_| walk.schemas.anything())
}

fn read<'d>(
    walk: &mut Walk<'d>,
    call: &Call<'d>,
    location: Location,
    name: &str,
    node: Node<'d>,
) -> Result<Parameter, Broken<'d>> {
    let required = location == Location::Path || node.flag("required");
    let label = || format!("{} {location} {name}", call.label);
    let (schema, encoding) = schema_and_encoding(walk.reader, location, name, node);
    let shape = match walk.schemas.root(schema, label) {
        Ok(shape) => shape,
        Err(reason) if required => {
            let reason = format!("its {location} parameter `{name}` is not understood: {reason}");
            return Err(Broken { reason, node });
        }
        Err(reason) => {
            let told = format!("the {location} parameter `{name}` is read as anything: {reason}");
            walk.reader.warn(node, told);
            walk.schemas.anything()
        }
    };
    Ok(Parameter {
        name: name.to_owned(),
        location,
        required,
        shape,
        encoding,
        examples: examples(walk.reader, node),
        description: node.text("description").unwrap_or("").to_owned(),
        deprecated: node.flag("deprecated"),
        allow_reserved: node.flag("allowReserved"),
    })
}

/// Where the schema of a parameter stands, and how its values become text.
fn schema_and_encoding<'d>(
    reader: Reader<'d>,
    location: Location,
    name: &str,
    node: Node<'d>,
) -> (Node<'d>, Encoding) {
    if let Some(schema) = node.get("schema").filter(|schema| !schema.value.is_null()) {
        return (schema, encoding(reader, location, node));
    }
    let content = node
        .get("content")
        .and_then(|content| content.entries().next());
    if let Some((media_type, content)) = content {
        let content = reader.follow(content).unwrap_or(content);
        let schema = content
            .get("schema")
            .unwrap_or(content.at(&Value::Bool(true)));
        return (schema, Encoding::Content(media_type.to_owned()));
    }
    let typed = ["type", "enum", "format", "items"]
        .iter()
        .any(|key| node.get(key).is_some());
    let encoding = encoding(reader, location, node);
    if typed {
        if !reader.is_swagger2() {
            reader.warn(
                node,
                format!(
                    "the parameter `{name}` needs a `schema`; its own keywords are read as one"
                ),
            );
        }
        return (node, encoding);
    }
    reader.warn(
        node,
        format!("the parameter `{name}` has no schema; read as text"),
    );
    (node.at(&TEXT), encoding)
}

fn default_encoding(location: Location) -> Encoding {
    match location {
        Location::Path | Location::Header => Encoding::Style {
            style: Style::Simple,
            explode: false,
        },
        Location::Query | Location::Cookie => Encoding::Style {
            style: Style::Form,
            explode: true,
        },
    }
}

fn encoding(reader: Reader<'_>, location: Location, node: Node<'_>) -> Encoding {
    if let Some(format) = node.get("collectionFormat") {
        return swagger2::collection_encoding(reader, location, format);
    }
    if reader.is_swagger2() {
        let style = swagger2::list_style(location);
        return Encoding::Style {
            style,
            explode: false,
        };
    }
    let said = node
        .get("style")
        .and_then(|said| style(reader, location, said));
    let Some(style) = said else {
        return with_explode(default_encoding(location), node);
    };
    let explode = style == Style::Form;
    with_explode(Encoding::Style { style, explode }, node)
}

fn with_explode(encoding: Encoding, node: Node<'_>) -> Encoding {
    match (encoding, node.value.get("explode").and_then(Value::as_bool)) {
        (Encoding::Style { style, .. }, Some(explode)) => Encoding::Style { style, explode },
        (encoding, _) => encoding,
    }
}

fn style(reader: Reader<'_>, location: Location, said: Node<'_>) -> Option<Style> {
    let style = said.value.as_str().and_then(style_named);
    let fits = style.is_some_and(|style| {
        matches!(
            (location, style),
            (Location::Path, Style::Simple | Style::Label | Style::Matrix)
                | (Location::Header, Style::Simple)
                | (Location::Cookie, Style::Form)
                | (
                    Location::Query,
                    Style::Form | Style::SpaceDelimited | Style::PipeDelimited | Style::DeepObject
                )
        )
    });
    if !fits {
        let told = format!(
            "the style {} does not fit a {location} parameter; ignored",
            said.value
        );
        reader.warn(said, told);
    }
    style.filter(|_| fits)
}

pub(crate) fn style_named(name: &str) -> Option<Style> {
    match name {
        "simple" => Some(Style::Simple),
        "label" => Some(Style::Label),
        "matrix" => Some(Style::Matrix),
        "form" => Some(Style::Form),
        "spaceDelimited" => Some(Style::SpaceDelimited),
        "pipeDelimited" => Some(Style::PipeDelimited),
        "deepObject" => Some(Style::DeepObject),
        _ => None,
    }
}

/// The examples that a parameter or a media type gives, in any of the ways in use.
pub(crate) fn examples(reader: Reader<'_>, node: Node<'_>) -> Vec<Value> {
    let single = ["example", "x-example"]
        .iter()
        .filter_map(|key| node.value.get(*key).cloned());
    let mut found: Vec<Value> = single.collect();
    let Some(many) = node.get("examples") else {
        return found;
    };
    found.extend(many.items().map(|example| example.value.clone()));
    for (name, example) in many.entries() {
        match reader.follow(example) {
            Ok(example) => found.extend(example.value.get("value").cloned()),
            Err(reason) => {
                reader.warn(
                    example,
                    format!("the example `{name}` is left out: {reason}"),
                );
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(name: &'static str) -> Declared<'static> {
        let node = Node {
            value: &Value::Null,
            document: 0,
        };
        let mut declared = Declared::default();
        let key = (Location::Path, name.to_owned());
        declared.plain.insert(key, (name, node));
        declared
    }

    #[test]
    fn holes_get_the_name_that_is_declared() {
        for path in ["/{+name}", "/{name*}", "/{name}", "/{name:[a-z]+}"] {
            let template = template(path, &declared("name"));
            assert_eq!(template.holes().collect::<Vec<_>>(), ["name"], "{path}");
            assert_eq!(template.text, path);
        }
        let other = template("/{+name}", &declared("other"));
        assert_eq!(other.holes().collect::<Vec<_>>(), ["+name"]);
    }

    #[test]
    fn a_fragment_names_an_operation_but_is_not_sent() {
        let template = template("/#Target=List", &Declared::default());
        assert_eq!(template.pieces, [Piece::Fixed("/".to_owned())]);
        assert_eq!(template.text, "/#Target=List");
    }
}
