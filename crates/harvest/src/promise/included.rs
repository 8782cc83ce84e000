//! Whether `@skip` and `@include` let something be asked for.

use fossick_query::{Directive, Document, Literal};
use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Included {
    Yes,
    No,
    /// It comes later or from elsewhere, or its condition is not known.
    Unsure,
}

/// What the directives of a field or part come to with these variables.
pub(super) fn included(
    directives: &[Directive],
    document: &Document,
    variables: &Map<String, Value>,
) -> Included {
    for directive in directives {
        let wanted = match directive.name.as_str() {
            "include" => true,
            "skip" => false,
            "defer" | "stream" | "client" => return Included::Unsure,
            _ => continue,
        };
        let condition = directive.arguments.iter().find(|(name, _)| name == "if");
        match condition.and_then(|(_, told)| flag(told, document, variables)) {
            Some(flag) if flag == wanted => {}
            Some(_) => return Included::No,
            None => return Included::Unsure,
        }
    }
    Included::Yes
}

fn flag(told: &Literal, document: &Document, variables: &Map<String, Value>) -> Option<bool> {
    let Literal::Variable(name) = told else {
        return boolean(told);
    };
    if let Some(value) = variables.get(name) {
        return value.as_bool();
    }
    let mut declared = document.variables.iter();
    let variable = declared.find(|variable| variable.name == *name)?;
    boolean(variable.default.as_ref()?)
}

fn boolean(literal: &Literal) -> Option<bool> {
    match literal {
        Literal::Boolean(flag) => Some(*flag),
        _ => None,
    }
}
