//! Schema nodes: objects that operations take and give, with their properties.

use std::collections::{BTreeMap, HashMap};

use fossick_contract::{Api, Kind, ShapeId, TypeId, TypeKind};
use serde_json::Value;

use crate::Words;

/// Where a schema stands in [`Nodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SchemaIndex(pub(crate) u32);

#[derive(Debug, Clone)]
pub(crate) struct Schema {
    pub(crate) name: String,
    pub(crate) words: Words,
    pub(crate) properties: Vec<Property>,
    /// The document has it; otherwise answers showed it.
    pub(crate) documented: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Property {
    pub(crate) name: String,
    /// `integer`, `string`, …; the name of a schema where it holds one.
    pub(crate) kind: String,
    pub(crate) sort: Sort,
}

/// What can be done with the value of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Number,
    Text,
    /// One of few: equal values say nothing.
    Closed,
    /// Holds something further.
    Part,
    Unknown,
}

impl Sort {
    /// Whether a place that wants the other may get this.
    pub(crate) fn fits(self, wanted: Self) -> bool {
        // Numbers are written as texts where texts are wanted, but not the other way round.
        !matches!(
            (self, wanted),
            (Self::Part, _) | (_, Self::Part) | (Self::Text, Self::Number)
        )
    }

    pub(crate) fn of(api: &Api, shape: ShapeId) -> Self {
        match &api.shape(shape).kind {
            Kind::Integer(_) | Kind::Number(_) => Self::Number,
            Kind::String(_) => Self::Text,
            Kind::Enum(_) | Kind::Boolean | Kind::Null | Kind::Never => Self::Closed,
            Kind::Array(_) | Kind::Object(_) => Self::Part,
            Kind::Any | Kind::Choice(_) | Kind::Opaque(_) => Self::Unknown,
        }
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::Text,
            Value::Bool(_) => Self::Closed,
            Value::Null => Self::Unknown,
            Value::Array(_) | Value::Object(_) => Self::Part,
        }
    }

    fn of_type(api: &Api, on: TypeId) -> Self {
        use fossick_contract::Scalar;
        match &api.types.get(on).kind {
            TypeKind::Scalar(Scalar::Int | Scalar::Float) => Self::Number,
            TypeKind::Scalar(Scalar::String | Scalar::Id) => Self::Text,
            TypeKind::Scalar(Scalar::Boolean) | TypeKind::Enum(_) => Self::Closed,
            TypeKind::Scalar(Scalar::Custom { .. }) => Self::Unknown,
            _ => Self::Part,
        }
    }
}

/// All schemas; one name, one schema.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    all: Vec<Schema>,
    by_name: HashMap<String, SchemaIndex>,
    /// Schemas that have a property of this name.
    by_property: BTreeMap<String, Vec<SchemaIndex>>,
}

/// More properties of one object are not looked at.
const MOST_PROPERTIES: usize = 80;

impl Nodes {
    pub(crate) fn get(&self, index: SchemaIndex) -> &Schema {
        &self.all[index.0 as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (SchemaIndex, &Schema)> {
        let indexed = self.all.iter().enumerate();
        indexed.map(|(at, schema)| (SchemaIndex(at as u32), schema))
    }

    pub(crate) fn with_property(&self, name: &str) -> &[SchemaIndex] {
        self.by_property.get(name).map_or(&[], Vec::as_slice)
    }

    /// The node of an object shape, under its own name or the one that is given.
    pub(crate) fn of_shape(&mut self, api: &Api, id: ShapeId, otherwise: &str) -> SchemaIndex {
        let name = api.shape(id).name.as_deref().unwrap_or(otherwise);
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let properties = match &api.shape(id).kind {
            Kind::Object(object) => object.properties.iter(),
            _ => [].iter(),
        };
        let properties = properties.take(MOST_PROPERTIES).map(|property| Property {
            name: property.name.to_string(),
            kind: kind_of_shape(api, property.shape),
            sort: Sort::of(api, property.shape),
        });
        let properties = properties.collect();
        self.push(name.to_owned(), properties, true)
    }

    /// The node of a GraphQL type.
    pub(crate) fn of_type(&mut self, api: &Api, on: TypeId) -> SchemaIndex {
        let name = &*api.types.get(on).name;
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let fields = api.types.fields(on).iter().take(MOST_PROPERTIES);
        let properties = fields.map(|field| Property {
            name: field.name.to_string(),
            kind: api.types.get(field.returns.named).name.to_string(),
            sort: match field.returns.lists() {
                0 => Sort::of_type(api, field.returns.named),
                _ => Sort::Part,
            },
        });
        let properties = properties.collect();
        self.push(name.to_owned(), properties, true)
    }

    /// The node of an object that no schema describes.
    pub(crate) fn of_object(
        &mut self,
        name: &str,
        object: &serde_json::Map<String, Value>,
    ) -> SchemaIndex {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let properties = object.iter().take(MOST_PROPERTIES);
        let properties = properties.map(|(name, value)| Property {
            name: name.clone(),
            kind: kind_of_value(value).to_owned(),
            sort: Sort::of_value(value),
        });
        let properties = properties.collect();
        self.push(name.to_owned(), properties, false)
    }

    fn push(&mut self, name: String, properties: Vec<Property>, documented: bool) -> SchemaIndex {
        let index = SchemaIndex(self.all.len() as u32);
        for property in &properties {
            let known = self.by_property.entry(property.name.clone()).or_default();
            known.push(index);
        }
        self.by_name.insert(name.clone(), index);
        self.all.push(Schema {
            words: Words::of(&name),
            name,
            properties,
            documented,
        });
        index
    }
}

impl Schema {
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }
}

/// What a property holds, in the words of JSON Schema, or the name of a schema.
fn kind_of_shape(api: &Api, id: ShapeId) -> String {
    let shape = api.shape(id);
    let plain = match &shape.kind {
        Kind::Boolean => "boolean",
        Kind::Integer(_) => "integer",
        Kind::Number(_) => "number",
        Kind::String(_) => "string",
        Kind::Enum(values) => values.first().map_or("any", kind_of_value),
        Kind::Null | Kind::Never => "null",
        Kind::Array(array) => {
            let name = array.items.and_then(|items| api.shape(items).name.clone());
            return name.map_or_else(|| "array".to_owned(), |name| format!("{name}[]"));
        }
        Kind::Object(_) => shape.name.as_deref().unwrap_or("object"),
        Kind::Choice(_) | Kind::Any | Kind::Opaque(_) => shape.name.as_deref().unwrap_or("any"),
    };
    plain.to_owned()
}

fn kind_of_value(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a value may stand where a property of this kind does; null may stand anywhere.
pub(crate) fn may_be(property: &Property, value: &Value) -> bool {
    match property.sort {
        _ if value.is_null() => true,
        Sort::Number => value.is_number(),
        Sort::Text => value.is_string(),
        Sort::Part => value.is_object() || value.is_array(),
        Sort::Closed | Sort::Unknown => true,
    }
}
