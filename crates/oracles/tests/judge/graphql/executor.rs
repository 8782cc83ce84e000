//! A service that is always right, and one that is wrong in exactly one place.
//!
//! A small executor answers by the rules of the specification, with values, nulls and failures by
//! chance. It shares no code with what judges it, so neither can hide a mistake of the other.

use std::sync::LazyLock;

use fossick_contract::{Field, JsonKind, Scalar, TypeGraph, TypeId, TypeKind};
use fossick_query::{Asked, Pick, read};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::ask::library;
use crate::story::World;

static WORLD: LazyLock<World> = LazyLock::new(library);

const QUERIES: [&str; 6] = [
    "{ book(id: 1) { id title pages rating inPrint genre tags notes grid added } count }",
    "{ books { a: title author { id name } author { born } editor { name } reviews { stars by { name } } } }",
    "{ booksBy { ...B reviews { by { id } } } } fragment B on Book { grid tags author { books { title } } }",
    "{ items { __typename title ... on Book { pages editor { born } } ... on Film { minutes } ... on Item { id } } }",
    "{ search(text: \"x\") { kind: __typename ... on Author { name books { id } } ... on Item { title } } }",
    "{ x: surely(id: 1) { author { name } } y: book(id: 2) { author { name } grid } }",
];

/// Null took the place of something that may not be null.
struct Risen;

struct Executor<'t> {
    types: &'t TypeGraph,
    state: u64,
    errors: Vec<Value>,
    path: Vec<Value>,
}

impl Executor<'_> {
    /// A number below another, by a walk that every seed begins elsewhere.
    fn roll(&mut self, below: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.state >> 33) % below
    }

    fn object(&mut self, on: TypeId, picks: &[&Pick]) -> Result<Value, Risen> {
        let mut asked: Vec<(String, Vec<&Asked>)> = Vec::new();
        self.collect(on, picks, &mut asked);
        let mut object = Map::new();
        let mut risen = false;
        for (key, fields) in asked {
            self.path.push(json!(key));
            match self.field(on, &fields) {
                Ok(value) => _ = object.insert(key, value),
                Err(Risen) => risen = true,
            }
            self.path.pop();
        }
        if risen {
            Err(Risen)
        } else {
            Ok(Value::Object(object))
        }
    }

    fn collect<'p>(
        &self,
        on: TypeId,
        picks: &[&'p Pick],
        asked: &mut Vec<(String, Vec<&'p Asked>)>,
    ) {
        for pick in picks {
            match pick {
                Pick::Field(field) => match asked.iter_mut().find(|(key, _)| key == field.key()) {
                    Some((_, fields)) => fields.push(field),
                    None => asked.push((field.key().to_owned(), vec![field])),
                },
                Pick::Part(part) => {
                    let name = part.on.as_deref().expect("parts here have types");
                    let part_type = self.types.find(name).expect("and the types are there");
                    if self.types.possible(part_type).contains(&on) {
                        let inner: Vec<&Pick> = part.picks.iter().collect();
                        self.collect(on, &inner, asked);
                    }
                }
            }
        }
    }

    fn field(&mut self, on: TypeId, fields: &[&Asked]) -> Result<Value, Risen> {
        let name = &fields[0].name;
        if name == "__typename" {
            return Ok(json!(&*self.types.get(on).name));
        }
        let field = self.types.field(on, name).expect("the query is valid");
        let picks: Vec<&Pick> = fields.iter().flat_map(|asked| &asked.picks).collect();
        self.complete(&field.clone(), 0, &picks)
    }

    fn complete(&mut self, field: &Field, level: usize, picks: &[&Pick]) -> Result<Value, Risen> {
        let nullable = field.returns.nullable[level];
        let value = if self.roll(14) == 0 {
            self.errors
                .push(json!({"message": "not found", "path": self.path}));
            Err(Risen)
        } else if nullable && self.roll(6) == 0 {
            Ok(Value::Null)
        } else if level < field.returns.lists() {
            self.list(field, level, picks)
        } else {
            self.single(field.returns.named, picks)
        };
        match value {
            Err(Risen) if nullable => Ok(Value::Null),
            value => value,
        }
    }

    fn list(&mut self, field: &Field, level: usize, picks: &[&Pick]) -> Result<Value, Risen> {
        let mut items = Vec::new();
        for at in 0..self.roll(4) {
            self.path.push(json!(at));
            let item = self.complete(field, level + 1, picks);
            self.path.pop();
            items.push(item?);
        }
        Ok(Value::Array(items))
    }

    fn single(&mut self, named: TypeId, picks: &[&Pick]) -> Result<Value, Risen> {
        let types = self.types;
        Ok(match &types.get(named).kind {
            TypeKind::Enum(members) => json!(&*members[self.roll(members.len() as u64) as usize]),
            TypeKind::Scalar(scalar) => self.scalar(scalar),
            _ => {
                let possible = types.possible(named);
                let kind = possible[self.roll(possible.len() as u64) as usize];
                return self.object(kind, picks);
            }
        })
    }

    fn scalar(&mut self, scalar: &Scalar) -> Value {
        let odd = self.roll(2) == 0;
        match scalar {
            Scalar::Int => json!(if odd { 0 } else { -2_147_483_648_i64 }),
            Scalar::Float => json!(if odd { 0.0 } else { -0.5 }),
            Scalar::String => json!(if odd { "" } else { "null" }),
            Scalar::Boolean => json!(odd),
            Scalar::Id => {
                if odd {
                    json!("")
                } else {
                    json!(7)
                }
            }
            Scalar::Custom {
                json: JsonKind::Text,
                ..
            } => json!("2024-05-17T10:30:00Z"),
            Scalar::Custom { .. } => json!({"any": []}),
        }
    }
}

fn answered(query: &str, seed: u64) -> Value {
    let document = read(query, None).expect("it is an operation");
    let types = &WORLD.api.types;
    let mut executor = Executor {
        types,
        state: seed,
        errors: Vec::new(),
        path: Vec::new(),
    };
    let picks: Vec<&Pick> = document.picks.iter().collect();
    let root = types.query.expect("there are queries");
    let data = executor.object(root, &picks).unwrap_or(Value::Null);
    let mut answer = json!({ "data": data });
    if !executor.errors.is_empty() {
        answer["errors"] = Value::Array(executor.errors);
    }
    answer
}

/// Pointers to everything below `data`.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), value))
            .collect(),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    for (key, value) in inner {
        let place = format!("{at}/{key}");
        found.push(place.clone());
        places(value, &place, found);
    }
}

/// Spoils one place: another type, a key taken out or one put in.
fn spoil(answer: &mut Value, place: &str, how: u8) {
    let (parent, key) = place.rsplit_once('/').expect("a place in something");
    let parent = answer.pointer_mut(parent).expect("it was found there");
    match (parent, how) {
        (Value::Object(map), 0) => _ = map.shift_remove(key),
        (Value::Object(map), 1) => _ = map.insert("nobody asked".to_owned(), json!(1)),
        (Value::Object(map), _) => _ = map.insert(key.to_owned(), json!({"spoilt": [{}]})),
        (Value::Array(items), _) => {
            let at: usize = key.parse().expect("an index");
            items[at] = json!({"spoilt": [{}]});
        }
        _ => unreachable!("only these have places"),
    }
}

fn told(query: &str, answer: &Value) -> Vec<String> {
    let story = WORLD.story().ask(query, json!({}), answer.clone());
    let mut findings = story.findings();
    findings.retain(|finding| ["F208", "F209", "F210"].contains(&finding.code.as_str()));
    findings.into_iter().map(|finding| finding.title).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_service_that_is_right_is_left_alone(seed: u64, query in prop::sample::select(QUERIES.to_vec())) {
        let answer = answered(query, seed);
        prop_assert_eq!(told(query, &answer), Vec::<String>::new(), "{}", answer);
    }

    #[test]
    fn one_wrong_place_is_found(
        seed: u64,
        query in prop::sample::select(QUERIES.to_vec()),
        at: prop::sample::Index,
        how in 0_u8..3,
    ) {
        let mut answer = answered(query, seed);
        let mut found = Vec::new();
        places(&answer["data"], "/data", &mut found);
        prop_assume!(!found.is_empty());
        spoil(&mut answer, &found[at.index(found.len())], how);
        prop_assert!(!told(query, &answer).is_empty(), "{}", answer);
    }
}
