//! Text into a document.
//!
//! The whole text is checked against the grammar; then one operation is taken out of it and its
//! fragments laid in. Directives of the operation itself and of its variables say nothing about
//! what is asked for and are left out.

use fossick_contract::RootKind;
use thiserror::Error;

use crate::Document;
use crate::lay::{Layer, position};
use crate::lex::{What, Wrong};
use crate::parse::{Operation, Texts, parse};

/// Why a text is not an operation. Lines and columns count from one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotReadable {
    #[error("not GraphQL at line {line}, column {column}: {message}")]
    Syntax {
        message: String,
        line: usize,
        column: usize,
    },
    #[error("the text has no operation")]
    NoOperation,
    #[error("the text has no operation named `{name}`")]
    NoSuchOperation { name: String },
    #[error(
        "the text has several operations, one of them at line {line}, column {column}: say which \
         by its name"
    )]
    SeveralOperations { line: usize, column: usize },
    #[error("the operation at line {line}, column {column} is a subscription")]
    Subscription { line: usize, column: usize },
    #[error("there is no fragment `{name}`, used at line {line}, column {column}")]
    NoSuchFragment {
        name: String,
        line: usize,
        column: usize,
    },
    #[error("fragment `{name}` leads back to itself at line {line}, column {column}")]
    Circle {
        name: String,
        line: usize,
        column: usize,
    },
    #[error("nested too deeply at line {line}, column {column}")]
    TooDeep { line: usize, column: usize },
    #[error("too large at line {line}, column {column}, or with all its fragments laid in")]
    TooLarge { line: usize, column: usize },
}

/// Reads the operation of this name, or the only one where none is named.
pub fn read(text: &str, operation: Option<&str>) -> Result<Document, NotReadable> {
    let texts = parse(text).map_err(|wrong| wrong.in_text(text))?;
    let chosen = choose(&texts, operation, text)?;
    Ok(Document {
        kind: kind(chosen, text)?,
        name: chosen.name.map(str::to_owned),
        variables: chosen.variables.clone(),
        picks: Layer::new(text, &texts.fragments).picks(&chosen.members)?,
    })
}

fn choose<'t, 'a>(
    texts: &'t Texts<'a>,
    name: Option<&str>,
    text: &str,
) -> Result<&'t Operation<'a>, NotReadable> {
    let mut operations = texts.operations.iter();
    if let Some(name) = name {
        return operations
            .find(|operation| operation.name == Some(name))
            .ok_or_else(|| NotReadable::NoSuchOperation {
                name: name.to_owned(),
            });
    }
    let only = operations.next().ok_or(NotReadable::NoOperation)?;
    match operations.next() {
        None => Ok(only),
        Some(second) => {
            let (line, column) = position(text, second.at);
            Err(NotReadable::SeveralOperations { line, column })
        }
    }
}

fn kind(operation: &Operation<'_>, text: &str) -> Result<RootKind, NotReadable> {
    operation.kind.ok_or_else(|| {
        let (line, column) = position(text, operation.at);
        NotReadable::Subscription { line, column }
    })
}

impl Wrong {
    fn in_text(self, text: &str) -> NotReadable {
        let (line, column) = position(text, self.at);
        match self.what {
            What::TooDeep => NotReadable::TooDeep { line, column },
            What::TooLarge => NotReadable::TooLarge { line, column },
            What::Syntax(message) => NotReadable::Syntax {
                message,
                line,
                column,
            },
        }
    }
}
