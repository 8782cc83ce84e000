//! Writes schemas down as JSON Schema, draft 2020-12, whatever dialect they came in.
//!
//! Only keywords that validate are written, each in the form that the draft's own schema allows,
//! so that every text compiles: `nullable` becomes a type, boolean bounds become numbers, a list
//! under `items` becomes `prefixItems`, and every `$ref` leads to `#/$defs/<key>`. There are two
//! views of each schema, which differ in what is required; see `direction`.

use std::collections::HashSet;
use std::sync::Arc;

use fossick_contract::{Definitions, SchemaTexts};
use serde_json::{Map, Value, json};

use super::defs::{Defs, Field, Origin};
use super::direction::{self, View};
use super::pattern::Patterns;
use super::types::Types;
use super::{array, cycle, mend};
use crate::reader::Reader;
use crate::reference::Node;

/// Both views of all schemas.
pub(super) fn texts<'d>(
    reader: Reader<'d>,
    defs: Defs<'d>,
    patterns: &mut Patterns,
) -> SchemaTexts {
    let mut lowering = Lowering {
        reader,
        defs,
        patterns,
        view: View::Response,
        possible: direction::is_possible(reader),
        directed: false,
    };
    let response = Arc::new(lowering.document());
    if !lowering.directed {
        return SchemaTexts {
            request: Arc::clone(&response),
            response,
        };
    }
    lowering.view = View::Request;
    let request = Arc::new(lowering.document());
    SchemaTexts { request, response }
}

/// Whether the text of a schema is wrapped into a choice with `null`.
///
/// Where types are written, `null` simply joins them; but combined schemas would still refuse it.
fn wraps(node: Node<'_>) -> bool {
    const COMBINING: [&str; 7] = [
        "$ref",
        "$dynamicRef",
        "allOf",
        "oneOf",
        "anyOf",
        "not",
        "const",
    ];
    mend::nullable(node) && COMBINING.iter().any(|key| node.value.get(*key).is_some())
}

/// Where the keywords of a schema lie, given where its text lies.
pub(super) fn inside(node: Node<'_>, pointer: &Arc<str>) -> Arc<str> {
    if wraps(node) {
        return format!("{pointer}/anyOf/0").into();
    }
    Arc::clone(pointer)
}

/// Under which keyword a choice is written. A discriminator decides which option counts, so
/// overlapping options must not count as an error.
pub(super) fn written_keyword(node: Node<'_>, keyword: &'static str) -> &'static str {
    let says = |key: &str| node.value.get(key).is_some();
    if keyword == "oneOf" && says("discriminator") && !says("anyOf") {
        return "anyOf";
    }
    keyword
}

/// Names that need not be there in this view, as the schemas around say.
type Hidden<'d> = HashSet<&'d str>;

struct Lowering<'d, 'p> {
    reader: Reader<'d>,
    defs: Defs<'d>,
    patterns: &'p mut Patterns,
    view: View,
    /// The document has read-only or write-only properties at all.
    possible: bool,
    /// The views differ.
    directed: bool,
}

impl<'d> Lowering<'d, '_> {
    /// All entries; writing one may bring up others, which come after it.
    fn document(&mut self) -> Definitions {
        let mut entries = Map::new();
        let mut next = 0;
        while let Some((key, origin)) = self.defs.all.get(next).cloned() {
            entries.insert(key.to_string(), self.entry(origin));
            next += 1;
        }
        cycle::cut(&mut entries);
        entries
            .iter()
            .map(|(name, schema)| (&**name, schema))
            .collect()
    }

    fn entry(&mut self, origin: Origin<'d>) -> Value {
        let none = Hidden::new();
        match origin {
            Origin::Schema(node) => self.schema(node, &none),
            Origin::All(nodes) => {
                let all: Vec<_> = nodes.into_iter().map(|n| self.schema(n, &none)).collect();
                json!({ "allOf": all })
            }
            Origin::Form(fields) => self.form(&fields),
            Origin::Anything => json!({}),
        }
    }

    fn form(&mut self, fields: &[Field<'d>]) -> Value {
        let none = Hidden::new();
        let mut properties = Map::new();
        for field in fields {
            properties.insert(field.name.to_owned(), self.schema(field.node, &none));
        }
        let required: Vec<_> = fields
            .iter()
            .filter(|f| f.required)
            .map(|f| f.name)
            .collect();
        json!({ "type": "object", "properties": properties, "required": required })
    }

    fn schema(&mut self, node: Node<'d>, hidden: &Hidden<'d>) -> Value {
        if node.map().is_none() {
            return match node.value {
                Value::Bool(allowed) => Value::Bool(*allowed),
                _ => json!({}),
            };
        }
        let mut out = Map::new();
        if node.reference().is_some() {
            self.reference(node, &mut out);
        }
        if node.reference().is_none() || self.reader.siblings_count() {
            self.keywords(node, hidden, &mut out);
        }
        if wraps(node) {
            return json!({ "anyOf": [out, { "type": "null" }] });
        }
        Value::Object(out)
    }

    fn reference(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        if let Ok((_, key)) = self.defs.target(self.reader, node) {
            out.insert("$ref".to_owned(), format!("#/$defs/{key}").into());
        }
    }

    fn keywords(&mut self, node: Node<'d>, hidden: &Hidden<'d>, out: &mut Map<String, Value>) {
        self.types_and_values(node, out);
        self.scalars(node, out);
        self.arrays(node, out);
        self.objects(node, hidden, out);
        self.combinations(node, hidden, out);
        self.conditions(node, out);
    }

    fn types_and_values(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        let nullable = mend::nullable(node) && !wraps(node);
        let null = if nullable { Types::NULL } else { Types::NONE };
        if let Some(declared) = mend::declared(self.reader, node) {
            let mut names: Vec<_> = declared.types.or(null).names().map(Value::from).collect();
            let single = (names.len() == 1).then(|| names.pop()).flatten();
            out.insert("type".to_owned(), single.unwrap_or(Value::Array(names)));
        }
        if let Some(mut values) = mend::values(self.reader, node) {
            if nullable && !values.contains(&Value::Null) {
                values.push(Value::Null);
            }
            out.insert("enum".to_owned(), Value::Array(values));
        }
    }

    fn scalars(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        let bounds = mend::bounds(self.reader, node);
        for (key, bound) in [
            ("minimum", bounds.minimum),
            ("maximum", bounds.maximum),
            ("exclusiveMinimum", bounds.exclusive_minimum),
            ("exclusiveMaximum", bounds.exclusive_maximum),
            ("multipleOf", bounds.multiple_of),
        ] {
            put(out, key, bound.map(Value::Number));
        }
        self.counts(node, &["minLength", "maxLength"], out);
        if let Some(found) = node.get("pattern")
            && let Some(pattern) = found.value.as_str()
        {
            let usable = self.patterns.usable(self.reader, found, pattern);
            put(out, "pattern", usable.map(Value::from));
        }
        put(
            out,
            "format",
            mend::format(self.reader, node).map(Value::from),
        );
    }

    fn counts(&self, node: Node<'d>, keys: &[&str], out: &mut Map<String, Value>) {
        for key in keys {
            put(
                out,
                key,
                mend::count(self.reader, node, key).map(Value::from),
            );
        }
    }

    fn arrays(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        self.counts(node, &["minItems", "maxItems"], out);
        if node.flag("uniqueItems") {
            out.insert("uniqueItems".to_owned(), Value::Bool(true));
        }
        let items = array::items(self.reader, node);
        let prefix: Vec<_> = items.prefix.into_iter().map(|n| self.alone(n)).collect();
        put(
            out,
            "prefixItems",
            (!prefix.is_empty()).then_some(Value::Array(prefix)),
        );
        let mut rest = items.rest.map(|rest| self.alone(rest));
        if let Some(values) = mend::item_values(self.reader, node)
            && let Value::Object(items) = rest.get_or_insert_with(|| json!({}))
        {
            items.insert("enum".to_owned(), Value::Array(values.clone()));
        }
        put(out, "items", rest);
        self.one(node, &["contains", "unevaluatedItems"], out);
        self.counts(node, &["minContains", "maxContains"], out);
    }

    fn objects(&mut self, node: Node<'d>, hidden: &Hidden<'d>, out: &mut Map<String, Value>) {
        self.counts(node, &["minProperties", "maxProperties"], out);
        self.many(node, "properties", out);
        self.pattern_properties(node, out);
        self.one(
            node,
            &[
                "additionalProperties",
                "propertyNames",
                "unevaluatedProperties",
            ],
            out,
        );
        self.many(node, "dependentSchemas", out);
        self.dependencies(node, out);
        let required = self.required(node, hidden);
        put(
            out,
            "required",
            (!required.is_empty()).then_some(Value::Array(required)),
        );
    }

    fn pattern_properties(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        let Some(listed) = node.get("patternProperties") else {
            return;
        };
        let mut lowered = Map::new();
        for (pattern, schema) in listed.entries() {
            if self.patterns.usable(self.reader, schema, pattern).is_some() {
                lowered.insert(pattern.to_owned(), self.alone(schema));
            }
        }
        out.insert("patternProperties".to_owned(), Value::Object(lowered));
    }

    /// `dependentRequired`, and the older keyword that mixes names and schemas.
    fn dependencies(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        let (mut names, mut schemas) = (Map::new(), Map::new());
        for key in ["dependentRequired", "dependencies"] {
            for (name, needs) in node.get(key).into_iter().flat_map(Node::entries) {
                let listed: Vec<_> = needs.items().filter(|n| n.value.is_string()).collect();
                match needs.value {
                    Value::Array(_) => {
                        let listed = listed.into_iter().map(|n| n.value.clone()).collect();
                        names.insert(name.to_owned(), Value::Array(listed));
                    }
                    _ => {
                        schemas.insert(name.to_owned(), self.alone(needs));
                    }
                }
            }
        }
        put(
            out,
            "dependentRequired",
            (!names.is_empty()).then_some(Value::Object(names)),
        );
        if let Some(Value::Object(already)) = out.get_mut("dependentSchemas") {
            already.extend(schemas);
        } else if !schemas.is_empty() {
            out.insert("dependentSchemas".to_owned(), Value::Object(schemas));
        }
    }

    fn required(&mut self, node: Node<'d>, hidden: &Hidden<'d>) -> Vec<Value> {
        let mut names = mend::required(self.reader, node);
        if self.possible && !names.is_empty() {
            let here = |view| direction::hidden(self.reader, node, view);
            let (request, response) = (here(View::Request), here(View::Response));
            self.directed |= names
                .iter()
                .any(|n| request.contains(n) || response.contains(n));
            let by_view = if self.view == View::Request {
                request
            } else {
                response
            };
            self.directed |= names.iter().any(|name| hidden.contains(name));
            names.retain(|name| !by_view.contains(name) && !hidden.contains(name));
        }
        names.into_iter().map(Value::from).collect()
    }

    fn combinations(&mut self, node: Node<'d>, hidden: &Hidden<'d>, out: &mut Map<String, Value>) {
        let mut outer = None;
        for keyword in ["allOf", "oneOf", "anyOf"] {
            let parts = mend::schemas(self.reader, node, keyword);
            if parts.is_empty() {
                continue;
            }
            let hidden = &*outer.get_or_insert_with(|| self.hidden_for_parts(node, hidden));
            let lowered = parts
                .into_iter()
                .map(|part| self.schema(part, hidden))
                .collect();
            let written = written_keyword(node, keyword);
            out.insert(written.to_owned(), Value::Array(lowered));
        }
    }

    fn hidden_for_parts(&self, node: Node<'d>, hidden: &Hidden<'d>) -> Hidden<'d> {
        if !self.possible {
            return Hidden::new();
        }
        let mut all = direction::hidden(self.reader, node, self.view);
        all.extend(hidden.iter().copied());
        all
    }

    fn conditions(&mut self, node: Node<'d>, out: &mut Map<String, Value>) {
        self.one(node, &["not", "if", "then", "else"], out);
    }

    /// A schema that says something of another value than the one it stands in.
    fn alone(&mut self, node: Node<'d>) -> Value {
        self.schema(node, &Hidden::new())
    }

    fn one(&mut self, node: Node<'d>, keys: &[&str], out: &mut Map<String, Value>) {
        for key in keys {
            let found = node.get(key).filter(Node::is_schema);
            let lowered = found.map(|found| self.alone(found));
            put(out, key, lowered);
        }
    }

    fn many(&mut self, node: Node<'d>, key: &str, out: &mut Map<String, Value>) {
        let Some(found) = node.get(key).filter(|found| found.value.is_object()) else {
            return;
        };
        let mut lowered = Map::new();
        for (name, schema) in found.entries() {
            lowered.insert(name.to_owned(), self.alone(schema));
        }
        out.insert(key.to_owned(), Value::Object(lowered));
    }
}

fn put(out: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        out.insert(key.to_owned(), value);
    }
}
