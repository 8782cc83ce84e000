//! Checks values against the schemas of a contract.
//!
//! Hides the JSON Schema validator behind shapes: whoever holds a [`ShapeId`] can ask whether a
//! value fits and, if not, where and why. Validators are built on first use and kept for a while,
//! because building one costs as much as a hundred checks. A schema that can't be compiled accepts
//! everything: a tool that cries wolf over its own failure to read is worse than a silent one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use fossick_contract::{Api, Definitions, ShapeId};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

/// Who sends the value: required properties differ by direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Request,
    Response,
}

/// One way in which a value does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer into the value.
    pub at: String,
    /// The constraint that is broken: `type`, `maximum`, `required`, …
    pub keyword: String,
    /// JSON pointer into the schema.
    pub schema: String,
    pub message: String,
}

/// One validator per shape and direction, built when first asked for.
#[derive(Debug)]
pub struct Validators {
    request: Side,
    /// `None` where the document makes no difference between the two.
    response: Option<Side>,
    pointers: Vec<Arc<str>>,
    /// Answers that passed, by shape and digest.
    passed: Mutex<HashSet<(ShapeId, u64)>>,
}

/// Remembering more answers than this costs more than it saves.
const MOST_PASSED: usize = 8192;

#[derive(Debug)]
struct Side {
    text: Arc<Definitions>,
    built: Mutex<Built>,
}

/// Validators by shape, the latest few hundred: a large document has more shapes than memory, and
/// what is asked for again is asked for soon.
#[derive(Debug, Default)]
struct Built {
    kept: HashMap<ShapeId, Option<Arc<Validator>>>,
    order: VecDeque<ShapeId>,
}

const MOST_BUILT: usize = 128;

impl Validators {
    pub fn new(api: &Api) -> Self {
        let pointers: Vec<_> = api.shapes.iter().map(|(_, s)| s.pointer.clone()).collect();
        let same = Arc::ptr_eq(&api.schemas.request, &api.schemas.response);
        Self {
            request: Side::new(&api.schemas.request),
            response: (!same).then(|| Side::new(&api.schemas.response)),
            pointers,
            passed: Mutex::default(),
        }
    }

    /// Whether a response with this digest is known to fit.
    pub fn has_passed(&self, shape: ShapeId, digest: u64) -> bool {
        let passed = self.passed.lock();
        passed.is_ok_and(|passed| passed.contains(&(shape, digest)))
    }

    /// Remembers that a response fits.
    pub fn pass(&self, shape: ShapeId, digest: u64) {
        if let Ok(mut passed) = self.passed.lock()
            && passed.len() < MOST_PASSED
        {
            passed.insert((shape, digest));
        }
    }

    /// Whether only formats stand between a value and its schema: dates without a zone, odd URIs.
    pub fn is_valid_but_for_formats(&self, shape: ShapeId, value: &Value) -> bool {
        let side = self.response.as_ref().unwrap_or(&self.request);
        let Some(pointer) = self.pointers.get(shape.0 as usize) else {
            return true;
        };
        // Asked only of values that failed already, so it is not worth keeping.
        build(&side.text, pointer, false).is_none_or(|validator| validator.is_valid(value))
    }

    pub fn is_valid(&self, direction: Direction, shape: ShapeId, value: &Value) -> bool {
        self.validator(direction, shape)
            .is_none_or(|validator| validator.is_valid(value))
    }

    /// The first few problems of a value; empty if it fits.
    pub fn problems(&self, direction: Direction, shape: ShapeId, value: &Value) -> Vec<Problem> {
        const ENOUGH: usize = 8;
        let Some(validator) = self.validator(direction, shape) else {
            return Vec::new();
        };
        validator
            .iter_errors(value)
            .take(ENOUGH)
            .map(|error| Problem {
                at: error.instance_path().to_string(),
                keyword: keyword(&error.schema_path().to_string()),
                schema: error.schema_path().to_string(),
                message: clip(&error.masked().to_string()),
            })
            .collect()
    }

    fn validator(&self, direction: Direction, shape: ShapeId) -> Option<Arc<Validator>> {
        let side = match direction {
            Direction::Request => &self.request,
            Direction::Response => self.response.as_ref().unwrap_or(&self.request),
        };
        let pointer = self.pointers.get(shape.0 as usize)?;
        side.validator(shape, pointer)
    }
}

impl Side {
    fn new(text: &Arc<Definitions>) -> Self {
        Self {
            text: Arc::clone(text),
            built: Mutex::default(),
        }
    }

    fn validator(&self, shape: ShapeId, pointer: &str) -> Option<Arc<Validator>> {
        let fresh = || build(&self.text, pointer, true).map(Arc::new);
        let Ok(mut built) = self.built.lock() else {
            return fresh();
        };
        if let Some(known) = built.kept.get(&shape) {
            return known.clone();
        }
        if built.order.len() >= MOST_BUILT
            && let Some(oldest) = built.order.pop_front()
        {
            built.kept.remove(&oldest);
        }
        let new = fresh();
        built.order.push_back(shape);
        built.kept.insert(shape, new.clone());
        new
    }
}

/// A schema that stands alone, ready to be used often.
#[derive(Debug)]
pub struct Fit(Result<Validator, String>);

impl Fit {
    pub fn new(schema: &Value) -> Self {
        Self::with_formats(schema, true)
    }

    /// Formats are not looked at: few of those who read schemas agree on them.
    pub fn without_formats(schema: &Value) -> Self {
        Self::with_formats(schema, false)
    }

    fn with_formats(schema: &Value, formats: bool) -> Self {
        Self(
            jsonschema::draft202012::options()
                .should_validate_formats(formats)
                .should_ignore_unknown_formats(true)
                .build(schema)
                .map_err(|why| clip(&format!("can't be judged: its schema is none: {why}"))),
        )
    }

    /// Why a value does not fit; `None` if it does. Nothing fits a schema that is none.
    pub fn misfit(&self, value: &Value) -> Option<String> {
        let validator = match &self.0 {
            Ok(validator) => validator,
            Err(why) => return Some(why.clone()),
        };
        // Most values fit, and to say no more than that is quick.
        if validator.is_valid(value) {
            return None;
        }
        let error = validator.iter_errors(value).next()?;
        let error = telling(&error, DEEPEST);
        let at = error.instance_path().to_string();
        Some(clip(&format!("{at} {}", error.masked())))
    }
}

const DEEPEST: usize = 32;

/// Where none of several choices fits, what is wrong with the one that is missed by least. A
/// choice whose name another value has is not the one that is meant.
fn telling<'e>(error: &'e ValidationError<'e>, depth: usize) -> &'e ValidationError<'e> {
    let ValidationErrorKind::AnyOf { context } = error.kind() else {
        return error;
    };
    let nearest = context.iter().min_by_key(|choice| {
        let named_otherwise = choice.iter().any(|error| {
            let kind = error.kind();
            matches!(
                kind,
                ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. }
            )
        });
        (named_otherwise, choice.len(), Reverse(deepest(choice)))
    });
    match nearest.and_then(|choice| choice.first()) {
        Some(inner) if depth > 0 => telling(inner, depth - 1),
        _ => error,
    }
}

fn deepest(errors: &[ValidationError<'_>]) -> Option<usize> {
    let places = errors.iter().map(|error| error.instance_path().to_string());
    places.map(|place| place.matches('/').count()).max()
}

/// Why a value does not fit a schema that stands alone; `None` if it does.
pub fn first_misfit(schema: &Value, value: &Value) -> Option<String> {
    Fit::new(schema).misfit(value)
}

/// What is promised of answers of a shape, as a schema that stands alone.
pub fn standalone(api: &Api, shape: ShapeId) -> Option<Value> {
    let pointer = &api.shape(shape).pointer;
    (!pointer.is_empty()).then(|| Value::Object(schema_of(&api.schemas.response, pointer)))
}

fn build(text: &Definitions, pointer: &str, formats: bool) -> Option<Validator> {
    if pointer.is_empty() {
        return None;
    }
    jsonschema::draft202012::options()
        .should_validate_formats(formats)
        .should_ignore_unknown_formats(true)
        .build(&Value::Object(schema_of(text, pointer)))
        .ok()
}

/// What a pointer leads to, with everything that it refers to.
fn schema_of(text: &Definitions, pointer: &str) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert(
        "$ref".into(),
        Value::String(format!("#{}", escape(pointer))),
    );
    schema.insert("$defs".into(), Value::Object(reachable(text, pointer)));
    schema
}

/// A JSON pointer inside a URI fragment: what is not allowed there is percent-encoded.
fn escape(pointer: &str) -> String {
    let mut out = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        if byte.is_ascii_alphanumeric() || b"/~-_.$".contains(&byte) {
            out.push(byte as char);
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The definitions that a pointer needs, so that a small validator stays small in a large document.
fn reachable(text: &Definitions, pointer: &str) -> Map<String, Value> {
    let mut wanted = BTreeMap::new();
    let mut open: Vec<String> = Definitions::name_in(pointer).into_iter().collect();
    while let Some(name) = open.pop() {
        if !wanted.contains_key(&name)
            && let Some(schema) = text.get(&name)
        {
            references(&schema, &mut open);
            wanted.insert(name, schema);
        }
    }
    wanted.into_iter().collect()
}

fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str().filter(|_| key == "$ref") {
                    Some(target) => {
                        found.extend(Definitions::name_in(target.trim_start_matches('#')));
                    }
                    None => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// The keyword at the end of a schema path; an index into `allOf` and the like is not one.
fn keyword(path: &str) -> String {
    path.rsplit('/')
        .find(|part| !part.is_empty() && part.bytes().any(|b| !b.is_ascii_digit()))
        .unwrap_or("schema")
        .to_owned()
}

fn clip(message: &str) -> String {
    const LIMIT: usize = 300;
    match message.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_contract::{SchemaTexts, Shape};
    use serde_json::json;

    fn api(defs: &Value, pointer: &str) -> Api {
        let defs = defs.as_object().expect("named schemas").iter();
        let text: Definitions = defs.map(|(name, schema)| (&**name, schema)).collect();
        let text = Arc::new(text);
        let mut api = Api {
            schemas: SchemaTexts {
                request: Arc::clone(&text),
                response: text,
            },
            ..Api::default()
        };
        api.shapes.push(Shape {
            pointer: pointer.into(),
            ..Shape::default()
        });
        api
    }

    #[test]
    fn a_problem_names_place_and_constraint() {
        let node = json!({"type": "object", "properties": {
            "next": {"$ref": "#/$defs/Node"}, "size": {"type": "integer", "maximum": 3}}});
        let validators = Validators::new(&api(&json!({"Node": node}), "/$defs/Node"));
        let value = json!({"next": {"size": 4}});
        let problems = validators.problems(Direction::Response, ShapeId(0), &value);
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].at, "/next/size");
        assert_eq!(problems[0].keyword, "maximum");
    }

    #[test]
    fn a_pointer_may_lead_inside_a_definition() {
        let defs = json!({"A b": {"properties": {"x": {"type": "string"}}}});
        let validators = Validators::new(&api(&defs, "/$defs/A b/properties/x"));
        assert!(validators.is_valid(Direction::Request, ShapeId(0), &json!("y")));
        assert!(!validators.is_valid(Direction::Request, ShapeId(0), &json!(1)));
    }

    #[test]
    fn of_choices_the_nearest_is_told() {
        let object = |name: &str, kind: &str| json!({"properties": {"a": {"const": name}, "b": {"type": kind}}, "required": ["a", "b"]});
        let schema =
            json!({"anyOf": [object("x", "integer"), object("y", "string"), {"type": "null"}]});
        let told = first_misfit(&schema, &json!({"a": "y", "b": 1})).expect("it does not fit");
        assert!(told.starts_with("/b ") && told.contains("string"), "{told}");
    }

    #[test]
    fn a_schema_that_cannot_be_compiled_accepts_everything() {
        let validators = Validators::new(&api(&json!({"A": {"type": 7}}), "/$defs/A"));
        assert!(validators.is_valid(Direction::Request, ShapeId(0), &json!(1)));
    }

    #[test]
    fn nothing_fits_a_schema_that_is_none() {
        let fit = Fit::new(&json!({"type": "text"}));
        let why = fit.misfit(&json!("a")).expect("it can't be judged");
        assert!(why.contains("its schema is none"), "{why}");
        assert_eq!(
            Fit::new(&json!({"type": "string"})).misfit(&json!("a")),
            None
        );
    }
}
