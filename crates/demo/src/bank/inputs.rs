//! What the compiler leaves open about the values of an operation.
//!
//! It knows nothing of our scalars, does not look at variables inside of literals, lets a field
//! of a literal be given twice, and takes a variable that is missing inside of a literal for
//! null. The specification is stricter, and the twin has to be as strict.

use std::collections::BTreeSet;

use apollo_compiler::ast::{Type, Value as Literal};
use apollo_compiler::executable::{Operation, Selection, SelectionSet};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::response::{JsonMap, JsonValue};
use apollo_compiler::{ExecutableDocument, Name, Node};

use super::schema;
use crate::formats::{has_format, is_date_time};

/// Why an operation is refused as a whole.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) message: String,
    pub(crate) location: Option<SourceSpan>,
}

/// Checks the variables, which are coerced already, and all literals that the operation uses.
pub(crate) fn check(
    document: &ExecutableDocument,
    operation: &Operation,
    variables: &JsonMap,
) -> Result<(), Mistake> {
    for variable in &operation.variables {
        if let Some(value) = variables.get(variable.name.as_str())
            && let Some(bad) = bad_value(&variable.ty, value)
        {
            let message = format!("variable {} has a bad value: {bad}", variable.name);
            let location = variable.location();
            return Err(Mistake { message, location });
        }
    }
    let mut walk = Walk {
        document,
        operation,
        seen: BTreeSet::new(),
    };
    walk.selections(&operation.selection_set)
}

/// Describes the first value that is none of its scalar.
fn bad_value(ty: &Type, value: &JsonValue) -> Option<String> {
    match value {
        JsonValue::Null => None,
        JsonValue::Array(items) if ty.is_list() => items
            .iter()
            .find_map(|item| bad_value(ty.item_type(), item)),
        JsonValue::Object(fields) => {
            let Some(input) = schema().get_input_object(ty.inner_named_type()) else {
                return Some(mistaken(ty, value));
            };
            let mut known = input.fields.iter();
            known.find_map(|(name, field)| bad_value(&field.ty, fields.get(name.as_str())?))
        }
        other => (!takes(ty.inner_named_type(), other.as_str())).then(|| mistaken(ty, other)),
    }
}

fn mistaken(ty: &Type, value: impl std::fmt::Display) -> String {
    format!("{value} is no {}", ty.inner_named_type())
}

/// Whether a scalar takes a text, or (`None`) something that is no text. Scalars that are not
/// ours have been checked.
fn takes(scalar: &str, text: Option<&str>) -> bool {
    match scalar {
        "Date" => text.is_some_and(|text| has_format("date", text)),
        "UUID" => text.is_some_and(|text| has_format("uuid", text)),
        "DateTime" => text.is_some_and(is_date_time),
        _ => true,
    }
}

struct Walk<'a> {
    document: &'a ExecutableDocument,
    operation: &'a Operation,
    seen: BTreeSet<&'a Name>,
}

impl<'a> Walk<'a> {
    fn selections(&mut self, set: &'a SelectionSet) -> Result<(), Mistake> {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    for argument in &field.arguments {
                        if let Some(known) = field.definition.argument_by_name(&argument.name)
                            && !matches!(*argument.value, Literal::Variable(_))
                        {
                            self.literal(&known.ty, &argument.value)?;
                        }
                    }
                    self.selections(&field.selection_set)?;
                }
                Selection::InlineFragment(inline) => self.selections(&inline.selection_set)?,
                Selection::FragmentSpread(spread) => self.fragment(&spread.fragment_name)?,
            }
        }
        Ok(())
    }

    fn fragment(&mut self, name: &'a Name) -> Result<(), Mistake> {
        match self.document.fragments.get(name) {
            Some(fragment) if self.seen.insert(name) => self.selections(&fragment.selection_set),
            _ => Ok(()),
        }
    }

    fn literal(&self, ty: &Type, value: &Node<Literal>) -> Result<(), Mistake> {
        match &**value {
            Literal::Null | Literal::Variable(_) => Ok(()),
            Literal::List(items) if ty.is_list() => items
                .iter()
                .try_for_each(|item| self.inside(ty.item_type(), false, item)),
            Literal::Object(fields) => self.object(ty, value, fields),
            other if takes(ty.inner_named_type(), other.as_str()) => Ok(()),
            _ => Err(mistake(mistaken(ty, value), value)),
        }
    }

    fn object(
        &self,
        ty: &Type,
        value: &Node<Literal>,
        fields: &[(Name, Node<Literal>)],
    ) -> Result<(), Mistake> {
        let Some(input) = schema().get_input_object(ty.inner_named_type()) else {
            return Err(mistake(mistaken(ty, value), value));
        };
        let mut names = BTreeSet::new();
        for (name, value) in fields {
            if !names.insert(name) {
                return Err(mistake(format!("{name} is given more than once"), value));
            }
            if let Some(field) = input.fields.get(name) {
                self.inside(&field.ty, field.default_value.is_some(), value)?;
            }
        }
        Ok(())
    }

    /// A literal inside of another one, or a variable there, which must fit its place.
    fn inside(&self, ty: &Type, has_default: bool, value: &Node<Literal>) -> Result<(), Mistake> {
        let Literal::Variable(name) = &**value else {
            return self.literal(ty, value);
        };
        let variables = &self.operation.variables;
        let Some(variable) = variables.iter().find(|known| known.name == *name) else {
            return Ok(());
        };
        let own_default = variable.default_value.as_ref().filter(|d| !d.is_null());
        let place = if has_default || own_default.is_some() {
            ty.clone().nullable()
        } else {
            ty.clone()
        };
        if variable.ty.is_assignable_to(&place) {
            return Ok(());
        }
        let message = format!("variable {name} of type {} is no {ty}", variable.ty);
        Err(mistake(message, value))
    }
}

fn mistake(message: String, value: &Node<Literal>) -> Mistake {
    Mistake {
        message,
        location: value.location(),
    }
}

/// Takes fields out of literals whose variable has no value, as if they had not been written.
pub(crate) fn drop_missing(document: &mut ExecutableDocument, variables: &JsonMap) {
    let operations = &mut document.operations;
    for operation in operations
        .anonymous
        .iter_mut()
        .chain(operations.named.values_mut())
    {
        drop_missing_in(&mut operation.make_mut().selection_set, variables);
    }
    for fragment in document.fragments.values_mut() {
        drop_missing_in(&mut fragment.make_mut().selection_set, variables);
    }
}

fn drop_missing_in(set: &mut SelectionSet, variables: &JsonMap) {
    for selection in &mut set.selections {
        match selection {
            Selection::Field(field) => {
                let field = field.make_mut();
                for argument in &mut field.arguments {
                    prune(argument.make_mut().value.make_mut(), variables);
                }
                drop_missing_in(&mut field.selection_set, variables);
            }
            Selection::InlineFragment(inline) => {
                drop_missing_in(&mut inline.make_mut().selection_set, variables);
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn prune(value: &mut Literal, variables: &JsonMap) {
    match value {
        Literal::List(items) => {
            for item in items {
                prune(item.make_mut(), variables);
            }
        }
        Literal::Object(fields) => {
            fields.retain(|(_, value)| match &**value {
                Literal::Variable(name) => variables.contains_key(name.as_str()),
                _ => true,
            });
            for (_, value) in fields {
                prune(value.make_mut(), variables);
            }
        }
        _ => {}
    }
}
