//! Values against schemas as documents write them.

use fossick_contract::{Api, ShapeId};
use fossick_ingest::{NoFetch, Source, read};
use fossick_testkit::document_with;
use fossick_validate::{Direction, Problem, Validators};
use serde_json::{Value, json};

struct Desk {
    validators: Validators,
    shape: ShapeId,
}

/// A document whose only body is the schema `Root` among these.
fn desk(schemas: &Value) -> Desk {
    let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Root"}}});
    let operation = json!({"requestBody": {"content": content}, "responses": {}});
    let paths = json!({"/things": {"post": operation}});
    let source = Source {
        name: "openapi.json".to_owned(),
        text: document_with(paths, json!({ "schemas": schemas })),
    };
    let api: Api = read(&source, &mut NoFetch).expect("it can be read").api;
    let body = api.operations[0].body.as_ref().expect("a body");
    Desk {
        validators: Validators::new(&api),
        shape: body.contents[0].shape.expect("a shape"),
    }
}

impl Desk {
    fn fits(&self, direction: Direction, value: &Value) -> bool {
        let fits = self.validators.is_valid(direction, self.shape, value);
        let problems = self.validators.problems(direction, self.shape, value);
        assert_eq!(fits, problems.is_empty(), "both say the same: {problems:?}");
        fits
    }

    fn problems(&self, value: &Value) -> Vec<Problem> {
        self.validators
            .problems(Direction::Response, self.shape, value)
    }
}

#[test]
fn what_is_required_depends_on_who_sends() {
    let desk = desk(&json!({"Root": {
        "type": "object",
        "required": ["id", "name", "pin"],
        "properties": {
            "id": {"type": "integer", "readOnly": true},
            "name": {"type": "string"},
            "pin": {"type": "string", "writeOnly": true},
        },
    }}));
    let (sent, shown) = (
        json!({"name": "a", "pin": "1"}),
        json!({"name": "a", "id": 1}),
    );
    assert!(desk.fits(Direction::Request, &sent));
    assert!(!desk.fits(Direction::Request, &shown));
    assert!(desk.fits(Direction::Response, &shown));
    assert!(!desk.fits(Direction::Response, &sent));
}

#[test]
fn a_schema_may_contain_itself() {
    let desk = desk(&json!({"Root": {"type": "object", "properties": {
        "next": {"$ref": "#/components/schemas/Root"}, "n": {"type": "integer"}}}}));
    let deep = |n: Value| (0..60).fold(json!({ "n": n }), |value, _| json!({ "next": value }));
    assert!(desk.fits(Direction::Response, &deep(json!(1))));
    assert!(!desk.fits(Direction::Response, &deep(json!("1"))));
}

#[test]
fn names_may_hold_any_characters() {
    let odd = "a/b~c d\"{é}";
    let reference = format!(
        "#/components/schemas/{}",
        odd.replace('~', "~0").replace('/', "~1")
    );
    let desk = desk(&json!({
        "Root": {"type": "object", "properties": {odd: {"$ref": reference}}},
        odd: {"type": "integer"},
    }));
    assert!(desk.fits(Direction::Response, &json!({odd: 1})));
    let problems = desk.problems(&json!({odd: "x"}));
    assert_eq!(problems.len(), 1);
    let at = &problems[0].at;
    assert_eq!(json!({odd: "x"}).pointer(at), Some(&json!("x")), "{at}");
}

#[test]
fn only_formats_may_stand_between_a_value_and_its_schema() {
    let when = json!({"type": "string", "format": "date-time"});
    let desk = desk(&json!({"Root": {"type": "object", "properties": {
        "when": {"anyOf": [when, {"type": "null"}]}, "n": {"type": "integer"}}}}));
    let but_for_formats = |value: &Value| {
        assert!(!desk.fits(Direction::Response, value), "{value}");
        desk.validators.is_valid_but_for_formats(desk.shape, value)
    };
    assert!(but_for_formats(&json!({"when": "yesterday"})));
    assert!(!but_for_formats(&json!({"when": "yesterday", "n": "x"})));
    assert!(!but_for_formats(&json!({"when": 7})));
}

#[test]
fn a_problem_names_the_constraint_and_not_its_number() {
    let desk = desk(&json!({"Root": {"allOf": [
        {"type": "object", "required": ["a"]},
        {"properties": {"7": {"maxLength": 1}}},
    ]}}));
    let keywords: Vec<String> = desk
        .problems(&json!({"7": "long"}))
        .into_iter()
        .map(|problem| problem.keyword)
        .collect();
    assert!(keywords.contains(&"required".to_owned()), "{keywords:?}");
    assert!(keywords.contains(&"maxLength".to_owned()), "{keywords:?}");
}

/// Messages go into reports; a body of megabytes must not.
#[test]
fn problems_are_few_and_short() {
    let desk = desk(&json!({"Root": {"type": "array", "items": {"type": "integer"}}}));
    let value: Value = (0..500).map(|_| json!("x".repeat(5_000))).collect();
    let problems = desk.problems(&value);
    assert_eq!(problems.len(), 8);
    assert!(problems.iter().all(|p| p.message.chars().count() <= 301));
}

#[test]
fn numbers_are_compared_by_what_they_are_worth() {
    let desk = desk(&json!({"Root": {"type": "integer", "minimum": 1, "multipleOf": 2}}));
    assert!(desk.fits(Direction::Response, &json!(2.0)));
    assert!(!desk.fits(Direction::Response, &json!(2.5)));
    assert!(!desk.fits(Direction::Response, &json!(3)));
}

#[test]
fn a_shape_that_nobody_has_accepts_everything() {
    let desk = desk(&json!({"Root": {"type": "integer"}}));
    let unknown = ShapeId(9_999);
    let value = json!("x");
    assert!(
        desk.validators
            .is_valid(Direction::Request, unknown, &value)
    );
    assert!(desk.validators.is_valid_but_for_formats(unknown, &value));
    let problems = desk
        .validators
        .problems(Direction::Response, unknown, &value);
    assert_eq!(problems, []);
}

#[test]
fn what_passed_is_remembered_for_its_own_shape_only() {
    let desk = desk(&json!({"Root": {"type": "integer"}}));
    assert!(!desk.validators.has_passed(desk.shape, 7));
    desk.validators.pass(desk.shape, 7);
    assert!(desk.validators.has_passed(desk.shape, 7));
    assert!(!desk.validators.has_passed(desk.shape, 8));
    assert!(!desk.validators.has_passed(ShapeId(9_999), 7));
}
