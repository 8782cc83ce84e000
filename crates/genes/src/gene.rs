//! The gene: a value with its kind, and where each part of it came from.
//!
//! An enum, not a trait: the set is closed, and the compiler then lists what a new kind owes.
//! Absent optional fields are simply not there, so a gene is as large as what it sends and never
//! as large as its schema.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::kinds::{
    Base64, Boolean, Choice, Date, DateTime, Enumerated, Integer, Number, Text, Time, Uuid,
};
use crate::source::Source;

#[derive(Debug, Clone, PartialEq)]
pub enum Gene {
    Null(Source),
    Boolean(Boolean),
    Integer(Integer),
    Number(Number),
    String(Text),
    Base64(Base64),
    /// A string walked from a regular expression.
    Pattern(Text),
    Enumerated(Enumerated),
    Date(Date),
    Time(Time),
    DateTime(DateTime),
    Uuid(Uuid),
    /// A string of another format: email, URI, address, duration, …
    Format(Text),
    Array(Vec<Gene>),
    /// An object whose keys are free.
    Map(Vec<Field>),
    Object(Vec<Field>),
    /// One of several shapes.
    Choice(Choice),
    /// Where a shape that cannot end was cut off.
    Cycle,
    /// Bound to something outside; mutation and shrinking leave it alone.
    Disruptive(Box<Gene>),
    /// A value taken as it is.
    Literal(Arc<Value>, Source),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: Arc<str>,
    pub gene: Gene,
}

/// A scalar inside a gene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// JSON pointer from the root of the gene.
    pub pointer: String,
    pub source: Source,
}

impl Gene {
    pub fn literal(value: Value, source: Source) -> Self {
        Self::Literal(Arc::new(value), source)
    }

    /// This gene, safe from mutation.
    pub fn bound(self) -> Self {
        Self::Disruptive(Box::new(self))
    }

    pub fn value(&self) -> Value {
        match self {
            Self::Null(_) | Self::Cycle => Value::Null,
            Self::Boolean(boolean) => Value::Bool(boolean.value),
            Self::Integer(integer) => Value::from(integer.value),
            Self::Number(number) => Value::from(number.value),
            Self::String(text) | Self::Pattern(text) | Self::Format(text) => {
                Value::String(text.text.clone())
            }
            Self::Base64(base64) => Value::String(base64.to_text()),
            Self::Enumerated(member) => member.value().clone(),
            Self::Date(date) => Value::String(date.to_text()),
            Self::Time(time) => Value::String(time.to_text()),
            Self::DateTime(moment) => Value::String(moment.to_text()),
            Self::Uuid(uuid) => Value::String(uuid.to_text()),
            Self::Array(items) => items.iter().map(Self::value).collect(),
            Self::Map(fields) | Self::Object(fields) => object_value(fields),
            Self::Choice(choice) => choice.gene.value(),
            Self::Disruptive(gene) => gene.value(),
            Self::Literal(value, _) => Value::clone(value),
        }
    }

    /// The text of [`Gene::value`], without building the tree.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null(_) | Self::Cycle => out.extend_from_slice(b"null"),
            Self::Boolean(boolean) => boolean.write(out),
            Self::Integer(integer) => integer.write(out),
            Self::Number(number) => number.write(out),
            Self::String(text) | Self::Pattern(text) | Self::Format(text) => text.write(out),
            Self::Base64(base64) => base64.write(out),
            Self::Enumerated(member) => written(member.value(), out),
            Self::Date(date) => date.write(out),
            Self::Time(time) => time.write(out),
            Self::DateTime(moment) => moment.write(out),
            Self::Uuid(uuid) => uuid.write(out),
            Self::Array(items) => write_array(items, out),
            Self::Map(fields) | Self::Object(fields) => write_object(fields, out),
            Self::Choice(choice) => choice.gene.write_json(out),
            Self::Disruptive(gene) => gene.write_json(out),
            Self::Literal(value, _) => written(value, out),
        }
    }

    /// Every scalar with its place and source, in the order of writing.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect_leaves(&mut String::new(), &mut leaves);
        leaves
    }

    fn collect_leaves(&self, pointer: &mut String, leaves: &mut Vec<Leaf>) {
        match self {
            Self::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    below(pointer, &at.to_string(), |p| item.collect_leaves(p, leaves));
                }
            }
            Self::Map(fields) | Self::Object(fields) => {
                for field in fields {
                    below(pointer, &field.name, |p| {
                        field.gene.collect_leaves(p, leaves);
                    });
                }
            }
            Self::Choice(choice) => choice.gene.collect_leaves(pointer, leaves),
            Self::Disruptive(gene) => gene.collect_leaves(pointer, leaves),
            Self::Literal(value, source) => literal_leaves(value, *source, pointer, leaves),
            scalar => leaves.push(Leaf {
                pointer: pointer.clone(),
                source: scalar.source().unwrap_or(Source::Fixed),
            }),
        }
    }

    /// Where a scalar came from; none for what has parts.
    pub fn source(&self) -> Option<Source> {
        Some(match self {
            Self::Null(source) | Self::Literal(_, source) => *source,
            Self::Boolean(boolean) => boolean.source,
            Self::Integer(integer) => integer.source,
            Self::Number(number) => number.source,
            Self::String(text) | Self::Pattern(text) | Self::Format(text) => text.source,
            Self::Base64(base64) => base64.source,
            Self::Enumerated(member) => member.source(),
            Self::Date(date) => date.source,
            Self::Time(time) => time.source,
            Self::DateTime(moment) => moment.source,
            Self::Uuid(uuid) => uuid.source,
            Self::Cycle => Source::Fixed,
            Self::Choice(choice) => return choice.gene.source(),
            Self::Disruptive(gene) => return gene.source(),
            Self::Array(_) | Self::Map(_) | Self::Object(_) => return None,
        })
    }

    /// Visits the source of every leaf; a literal counts once, however large it is.
    pub fn sources(&self, visit: &mut dyn FnMut(Source)) {
        match self {
            Self::Array(items) => {
                for item in items {
                    item.sources(visit);
                }
            }
            Self::Map(fields) | Self::Object(fields) => {
                for field in fields {
                    field.gene.sources(visit);
                }
            }
            Self::Choice(choice) => choice.gene.sources(visit),
            Self::Disruptive(gene) => gene.sources(visit),
            scalar => scalar.source().into_iter().for_each(visit),
        }
    }

    /// The number of leaves; an empty array or object has none.
    pub fn size(&self) -> usize {
        match self {
            Self::Array(items) => items.iter().map(Self::size).sum(),
            Self::Map(fields) | Self::Object(fields) => {
                fields.iter().map(|field| field.gene.size()).sum()
            }
            Self::Choice(choice) => choice.gene.size(),
            Self::Disruptive(gene) => gene.size(),
            Self::Literal(value, _) => value_size(value),
            _ => 1,
        }
    }

    /// The scalar gene that says the same as a JSON scalar; a literal for anything else.
    pub(crate) fn scalar(value: &Value, source: Source) -> Self {
        match value {
            Value::Null => Self::Null(source),
            Value::Bool(value) => Self::Boolean(Boolean {
                value: *value,
                source,
            }),
            Value::String(text) => Self::String(Text {
                text: text.clone(),
                source,
            }),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(value), _) => Self::Integer(Integer { value, source }),
                (None, Some(float)) if number.is_f64() => Self::Number(Number {
                    value: float,
                    source,
                }),
                _ => Self::literal(value.clone(), source),
            },
            Value::Array(_) | Value::Object(_) => Self::literal(value.clone(), source),
        }
    }

    /// What is written, without wrappers that say how it came about.
    pub(crate) fn bare(&self) -> &Self {
        match self {
            Self::Choice(choice) => choice.gene.bare(),
            Self::Disruptive(gene) => gene.bare(),
            other => other,
        }
    }
}

fn object_value(fields: &[Field]) -> Value {
    let mut map = Map::with_capacity(fields.len());
    for field in fields {
        map.insert(field.name.to_string(), field.gene.value());
    }
    Value::Object(map)
}

fn write_array(items: &[Gene], out: &mut Vec<u8>) {
    out.push(b'[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        item.write_json(out);
    }
    out.push(b']');
}

fn write_object(fields: &[Field], out: &mut Vec<u8>) {
    out.push(b'{');
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        quoted(&field.name, out);
        out.push(b':');
        field.gene.write_json(out);
    }
    out.push(b'}');
}

/// A text as a JSON string; the common case needs no escapes and is copied whole.
pub(crate) fn quoted(text: &str, out: &mut Vec<u8>) {
    // Without an early end the compiler looks at many bytes at once.
    let special = |b: u8| b < 0x20 || b == b'"' || b == b'\\';
    let escapes = text.bytes().fold(false, |found, b| found | special(b));
    if escapes {
        written(text, out);
    } else {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    }
}

/// Anything that serialises to JSON by itself.
pub(crate) fn written<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("a JSON value is written to memory");
}

fn literal_leaves(value: &Value, source: Source, pointer: &mut String, leaves: &mut Vec<Leaf>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                below(pointer, &at.to_string(), |p| {
                    literal_leaves(item, source, p, leaves);
                });
            }
        }
        Value::Object(map) => {
            for (name, item) in map {
                below(pointer, name, |p| literal_leaves(item, source, p, leaves));
            }
        }
        _ => leaves.push(Leaf {
            pointer: pointer.clone(),
            source,
        }),
    }
}

fn value_size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(value_size).sum(),
        Value::Object(map) => map.values().map(value_size).sum(),
        _ => 1,
    }
}

/// Runs something with one more token at the end of a pointer.
pub(crate) fn below(pointer: &mut String, token: &str, run: impl FnOnce(&mut String)) {
    let length = pointer.len();
    crate::pointer::push(pointer, token);
    run(pointer);
    pointer.truncate(length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> Gene {
        let field = |name: &str, gene| Field {
            name: name.into(),
            gene,
        };
        Gene::Object(vec![
            field(
                "a/b",
                Gene::Integer(Integer {
                    value: -3,
                    source: Source::Random,
                }),
            ),
            field(
                "list",
                Gene::Array(vec![
                    Gene::literal(json!({"x": [1, 2]}), Source::Example),
                    Gene::Number(Number {
                        value: 0.5,
                        source: Source::Seen,
                    }),
                ]),
            ),
            field(
                "t",
                Gene::String(Text {
                    text: "q\"\\\n\u{7f}é".into(),
                    source: Source::Special,
                }),
            ),
        ])
    }

    #[test]
    fn writing_says_the_same_as_the_value() {
        let gene = sample();
        let mut out = Vec::new();
        gene.write_json(&mut out);
        assert_eq!(out, serde_json::to_vec(&gene.value()).expect("writes"));
    }

    #[test]
    fn leaves_tell_their_place_and_source() {
        let gene = sample();
        let leaves: Vec<_> = gene
            .leaves()
            .into_iter()
            .map(|l| (l.pointer, l.source))
            .collect();
        let expected = [
            ("/a~1b", Source::Random),
            ("/list/0/x/0", Source::Example),
            ("/list/0/x/1", Source::Example),
            ("/list/1", Source::Seen),
            ("/t", Source::Special),
        ];
        assert_eq!(leaves, expected.map(|(p, s)| (p.to_owned(), s)));
        assert_eq!(gene.size(), 5);
        let mut visited = Vec::new();
        gene.sources(&mut |source| visited.push(source));
        assert_eq!(
            visited,
            [
                Source::Random,
                Source::Example,
                Source::Seen,
                Source::Special
            ]
        );
    }

    #[test]
    fn a_gene_is_small() {
        assert!(size_of::<Gene>() <= 40, "{}", size_of::<Gene>());
    }
}
