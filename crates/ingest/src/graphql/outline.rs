//! A schema as both readers tell it: declarations by name, and nothing worked out yet.
//!
//! SDL and introspection say the same things in different words. Whatever differs ends here, so
//! that one lowering serves both and neither knows of the other. Names are GraphQL names, types
//! that begin with `__` and the five scalars that every schema has are left out.

use std::sync::Arc;

use fossick_contract::Place;
use indexmap::IndexMap;
use serde_json::Value;

use super::lines::Lines;
use super::notes::Notes;

/// The scalars that every schema has without saying so.
pub(super) const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) description: Option<String>,
    pub(super) query: Option<Arc<str>>,
    pub(super) mutation: Option<Arc<str>>,
    pub(super) subscription: Option<Arc<str>>,
    /// In the order of the schema.
    pub(super) types: IndexMap<Arc<str>, Definition>,
    /// The texts that [`Spot`]s lead into.
    pub(super) files: Vec<Lines>,
    /// Fields whose type ends before it has a name.
    pub(super) cut_off: Vec<Cut>,
}

/// A field that is left out because its type is cut off, and what is known of it.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) on: Arc<str>,
    pub(super) field: Arc<str>,
    pub(super) nullable: bool,
    pub(super) listed: bool,
}

impl Outline {
    pub(super) fn place(&self, spot: Option<Spot>) -> Option<Place> {
        let spot = spot?;
        let lines = self.files.get(spot.file as usize)?;
        Some(lines.place(spot.offset as usize))
    }

    /// The fields of an object or interface.
    pub(super) fn fields(&self, name: &str) -> &[Given] {
        match self.types.get(name).map(|definition| &definition.kind) {
            Some(DefinitionKind::Object(parts) | DefinitionKind::Interface(parts)) => &parts.fields,
            _ => &[],
        }
    }

    pub(super) fn is_object(&self, name: &str) -> bool {
        let definition = self.types.get(name);
        definition.is_some_and(|found| matches!(found.kind, DefinitionKind::Object(_)))
    }

    /// What an input object takes; `None` for every other type.
    pub(super) fn input(&self, name: &str) -> Option<&Input> {
        match &self.types.get(name)?.kind {
            DefinitionKind::Input(input) => Some(input),
            _ => None,
        }
    }

    pub(super) fn is_missing(&self, name: &str) -> bool {
        !self.types.contains_key(name) && !BUILT_IN.contains(&name)
    }

    /// Says so where an argument or field takes a type that is nowhere declared.
    pub(super) fn remark_missing(&self, at: &str, taken: &Taken, notes: &mut Notes) {
        let name = &taken.kind.named;
        if self.is_missing(name) {
            let told = format!(
                "{at} takes a `{name}`, which is not declared; taken as a scalar of any kind"
            );
            notes.warn(self.place(taken.spot), told);
        }
    }

    /// Whether values of this type have no parts and are not one of a few.
    pub(super) fn is_scalar(&self, name: &str) -> bool {
        match self.types.get(name) {
            Some(definition) => matches!(definition.kind, DefinitionKind::Scalar { .. }),
            None => true,
        }
    }
}

/// A place in one of the texts, before anybody asks for its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) file: u32,
    pub(super) offset: u32,
}

#[derive(Debug)]
pub(super) struct Definition {
    pub(super) description: Option<Arc<str>>,
    pub(super) spot: Option<Spot>,
    pub(super) kind: DefinitionKind,
}

#[derive(Debug)]
pub(super) enum DefinitionKind {
    Scalar { specified_by: Option<String> },
    Object(Parts),
    Interface(Parts),
    Union(Vec<Arc<str>>),
    Enum(Vec<Arc<str>>),
    Input(Input),
}

/// What an object or interface is made of.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) fields: Vec<Given>,
    pub(super) interfaces: Vec<Arc<str>>,
}

#[derive(Debug, Default)]
pub(super) struct Input {
    pub(super) fields: Vec<Taken>,
    /// Exactly one field must be given, and not null.
    pub(super) one_of: bool,
}

/// A field: what the service gives.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) name: Arc<str>,
    pub(super) description: Option<Arc<str>>,
    pub(super) arguments: Vec<Taken>,
    pub(super) returns: TypeRef,
    pub(super) deprecated: bool,
    pub(super) deprecated_for: Option<Arc<str>>,
    pub(super) spot: Option<Spot>,
}

/// An argument or a field of an input object: what the service takes.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) name: Arc<str>,
    pub(super) description: Option<Arc<str>>,
    pub(super) kind: TypeRef,
    pub(super) default: Default,
    pub(super) spot: Option<Spot>,
}

impl Taken {
    /// May not be null and has no default.
    pub(super) fn required(&self) -> bool {
        !self.kind.is_nullable() && matches!(self.default, Default::None)
    }
}

/// What stands in for a value that is not given.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Default {
    None,
    /// There is one, but it can't be read.
    Unreadable,
    Is(Value),
}

/// A named type inside any number of lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypeRef {
    pub(super) named: Arc<str>,
    /// Whether null may stand at each level, outermost first; never empty.
    nullable: Box<[bool]>,
}

impl TypeRef {
    /// `levels` are outermost first; a type without any is a nullable one.
    pub(super) fn new(named: Arc<str>, levels: Vec<bool>) -> Self {
        let nullable = if levels.is_empty() {
            Box::from([true])
        } else {
            levels.into_boxed_slice()
        };
        Self { named, nullable }
    }

    pub(super) fn is_nullable(&self) -> bool {
        self.nullable.first().copied().unwrap_or(true)
    }

    pub(super) fn is_list(&self) -> bool {
        self.nullable.len() > 1
    }

    pub(super) fn nullable(&self) -> &[bool] {
        &self.nullable
    }

    /// The type of a list's items.
    pub(super) fn item(&self) -> Option<Self> {
        let inner = self.nullable.get(1..).filter(|inner| !inner.is_empty())?;
        Some(Self {
            named: Arc::clone(&self.named),
            nullable: Box::from(inner),
        })
    }

    pub(super) fn non_null(&self) -> Self {
        let mut same = self.clone();
        if let Some(outermost) = same.nullable.first_mut() {
            *outermost = false;
        }
        same
    }

    /// As GraphQL writes it: `[Book!]!`.
    pub(super) fn text(&self) -> String {
        let lists = self.nullable.len().saturating_sub(1);
        let mut text = "[".repeat(lists);
        text.push_str(&self.named);
        for (closed, nullable) in self.nullable.iter().rev().enumerate() {
            if closed > 0 {
                text.push(']');
            }
            if !nullable {
                text.push('!');
            }
        }
        text
    }
}

/// Whether a text is a name as GraphQL has them.
pub(super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    let first = bytes.next();
    first.is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
        && bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_written_as_graphql_writes_it() {
        let text = |levels: &[bool]| TypeRef::new("Book".into(), levels.to_vec()).text();
        assert_eq!(text(&[true]), "Book");
        assert_eq!(text(&[false]), "Book!");
        assert_eq!(text(&[true, false]), "[Book!]");
        assert_eq!(text(&[false, true]), "[Book]!");
        assert_eq!(text(&[false, true, false]), "[[Book!]]!");
        assert_eq!(text(&[]), "Book");
    }

    #[test]
    fn items_lose_their_outermost_list() {
        let list = TypeRef::new("Int".into(), vec![false, true, false]);
        let item = list.item().expect("a list");
        assert_eq!(item.text(), "[Int!]");
        assert_eq!(item.non_null().text(), "[Int!]!");
        assert_eq!(item.item().and_then(|inner| inner.item()), None);
    }

    #[test]
    fn names_are_those_of_graphql() {
        assert!(["a", "_", "A1", "__typename"].into_iter().all(is_name));
        assert!(!["", "1a", "a-b", "a b", "ä"].into_iter().any(is_name));
    }
}
