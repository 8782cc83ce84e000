//! Values that a call sends, walked together with what the new schema takes.
//!
//! Literals of the operation and the values of its variables are told and mended by the same
//! rules: an input field that is gone is left out, or goes by its new name where only one fits;
//! anything else that no longer fits is beyond repair, because nobody knows what would be meant.
//! Only what is sent is walked, and that is no deeper than its readers let it be.

use fossick_contract::{Additional, ArrayShape, Kind as ShapeKind, ObjectShape, Shape, ShapeId};
use fossick_query::Literal;
use fossick_validate::Direction;
use serde_json::{Map, Number, Value};

use super::{Ground, Kind, Notes, similar};

pub(super) struct Inputs<'a, 'n> {
    pub(super) ground: &'n Ground<'a>,
    pub(super) notes: &'n mut Notes,
    pub(super) variables: &'n mut Map<String, Value>,
    /// What is sent, for people: `rooms(filter)`.
    pub(super) place: String,
}

impl Inputs<'_, '_> {
    /// A literal as it should be.
    pub(super) fn literal(&mut self, shape: ShapeId, literal: &Literal) -> Literal {
        let told = self.ground.new.shape(shape).clone();
        match (literal, &told.kind) {
            (Literal::Variable(name), _) => {
                if let Some(value) = self.variables.get(name).cloned() {
                    let value = self.value(shape, value);
                    self.variables.insert(name.clone(), value);
                }
                literal.clone()
            }
            (Literal::Null, _) => {
                self.null(&told);
                Literal::Null
            }
            (Literal::List(items), ShapeKind::Array(list)) => {
                let items = items.iter().enumerate();
                let mended = items
                    .map(|(at, item)| self.at(&at.to_string(), |inner| inner.item(list, at, item)));
                Literal::List(mended.collect())
            }
            (Literal::Object(fields), ShapeKind::Object(object)) => {
                Literal::Object(self.fields(object, fields, Self::literal))
            }
            (single, ShapeKind::Array(list)) => self.item(list, 0, single),
            (single, _) => {
                self.scalar(shape, &told, &json(single));
                literal.clone()
            }
        }
    }

    fn item(&mut self, list: &ArrayShape, at: usize, item: &Literal) -> Literal {
        match item_shape(list, at) {
            Some(shape) => self.literal(shape, item),
            None => item.clone(),
        }
    }

    /// A value as it should be.
    pub(super) fn value(&mut self, shape: ShapeId, value: Value) -> Value {
        let told = self.ground.new.shape(shape).clone();
        match (value, &told.kind) {
            (Value::Null, _) => {
                self.null(&told);
                Value::Null
            }
            (Value::Array(items), ShapeKind::Array(list)) => {
                let items = items.into_iter().enumerate();
                let mended = items.map(|(at, item)| match item_shape(list, at) {
                    Some(shape) => self.at(&at.to_string(), |inner| inner.value(shape, item)),
                    None => item,
                });
                Value::Array(mended.collect())
            }
            (Value::Object(fields), ShapeKind::Object(object)) => {
                let step =
                    |inner: &mut Self, shape, value: &Value| inner.value(shape, value.clone());
                let fields: Vec<_> = fields.into_iter().collect();
                Value::Object(self.fields(object, &fields, step).into_iter().collect())
            }
            // GraphQL takes a single value for a list with one item.
            (single, ShapeKind::Array(list)) if self.ground.new.is_graphql() => {
                match item_shape(list, 0) {
                    Some(shape) => self.value(shape, single),
                    None => single,
                }
            }
            (value, _) => {
                self.scalar(shape, &told, &value);
                value
            }
        }
    }

    fn fields<V: Clone>(
        &mut self,
        object: &ObjectShape,
        given: &[(String, V)],
        step: impl Fn(&mut Self, ShapeId, &V) -> V,
    ) -> Vec<(String, V)> {
        let mut mended = Vec::new();
        for (name, value) in given {
            let Some(name) = self.field_name(object, name, given) else {
                continue;
            };
            let value = match object.property(&name).map(|property| property.shape) {
                Some(shape) => self.at(&name, |inner| step(inner, shape, value)),
                None => value.clone(),
            };
            mended.push((name, value));
        }
        let given = |name: &str| mended.iter().any(|(known, _)| known == name);
        let missing: Vec<String> = object
            .properties
            .iter()
            .filter(|property| property.required && !given(&property.name))
            .map(|property| property.name.to_string())
            .collect();
        for name in missing {
            let told = format!(
                "{} must have {name} now, and nobody knows which",
                self.place
            );
            let place = format!("{}/{name}", self.place);
            self.notes.lost(Kind::RequiredInputField, &place, told);
        }
        mended
    }

    /// The name of an input field now; none where it is gone.
    fn field_name<V>(
        &mut self,
        object: &ObjectShape,
        name: &str,
        given: &[(String, V)],
    ) -> Option<String> {
        if object.property(name).is_some() || is_open(object) {
            return Some(name.to_owned());
        }
        let place = format!("{}/{name}", self.place);
        let told = format!("{} has no {name} any more", self.place);
        let free = object.properties.iter().map(|property| &*property.name);
        let free = free.filter(|other| given.iter().all(|(known, _)| known != other));
        let other = similar::only(name, free).map(str::to_owned);
        let change = match &other {
            Some(other) => format!("{place} is now {other}"),
            None => format!("{place} is left out"),
        };
        self.notes.mended(Kind::NoInputField, &place, told, change);
        other
    }

    fn null(&mut self, told: &Shape) {
        if !told.nullable && !matches!(told.kind, ShapeKind::Any | ShapeKind::Null) {
            let why = format!("{} may not be null any more", self.place);
            let place = self.place.clone();
            self.notes.lost(Kind::Value, &place, why);
        }
    }

    fn scalar(&mut self, shape: ShapeId, told: &Shape, value: &Value) {
        let validators = self.ground.validators;
        let fits = validators.is_valid(Direction::Request, shape, value)
            || validators.is_valid_but_for_formats(shape, value);
        if fits {
            return;
        }
        let place = self.place.clone();
        let (kind, what) = match &told.kind {
            ShapeKind::Enum(_) => (Kind::NoMember, "is no member of"),
            _ => (Kind::Value, "does not fit"),
        };
        let of = told.name.as_deref().unwrap_or("what is taken now");
        self.notes
            .lost(kind, &place, format!("{value} {what} {of} ({place})"));
    }

    fn at<T>(&mut self, key: &str, walk: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.place.len();
        self.place.push('/');
        self.place.push_str(key);
        let done = walk(self);
        self.place.truncate(length);
        done
    }
}

fn item_shape(list: &ArrayShape, at: usize) -> Option<ShapeId> {
    list.prefix.get(at).copied().or(list.items)
}

fn is_open(object: &ObjectShape) -> bool {
    !matches!(object.additional, Additional::Forbidden) || !object.patterns.is_empty()
}

/// A literal without variables as JSON.
fn json(literal: &Literal) -> Value {
    match literal {
        Literal::Variable(_) | Literal::Null => Value::Null,
        Literal::Boolean(flag) => Value::Bool(*flag),
        Literal::Number(text) => text
            .parse::<Number>()
            .map_or_else(|_| Value::String(text.clone()), Value::Number),
        Literal::Text(text) | Literal::Enum(text) => Value::String(text.clone()),
        Literal::List(items) => items.iter().map(json).collect(),
        Literal::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), json(value)));
            Value::Object(fields.collect())
        }
    }
}
