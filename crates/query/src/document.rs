//! One operation.

use fossick_contract::RootKind;

#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub kind: RootKind,
    pub name: Option<String>,
    pub variables: Vec<Variable>,
    pub picks: Vec<Pick>,
}

/// A variable as it is declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    /// `[ID!]!`
    pub type_text: String,
    pub default: Option<Literal>,
}

/// One member of a selection.
#[derive(Debug, Clone, PartialEq)]
pub enum Pick {
    Field(Asked),
    /// A part that holds only for some types.
    Part(Part),
}

/// A field that is asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asked {
    pub alias: Option<String>,
    pub name: String,
    pub arguments: Vec<(String, Literal)>,
    pub directives: Vec<Directive>,
    pub picks: Vec<Pick>,
}

impl Asked {
    /// The key under which the answer has it.
    pub fn key(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

/// `... on Book { … }`, and what stood in a named fragment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// No type at all where the part is only there for its directives.
    pub on: Option<String>,
    pub directives: Vec<Directive>,
    pub picks: Vec<Pick>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    pub name: String,
    pub arguments: Vec<(String, Literal)>,
}

/// A value as GraphQL writes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    Variable(String),
    Null,
    Boolean(bool),
    /// As written: a large number keeps its digits.
    Number(String),
    Text(String),
    Enum(String),
    List(Vec<Literal>),
    Object(Vec<(String, Literal)>),
}
