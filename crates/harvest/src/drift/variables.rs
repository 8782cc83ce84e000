//! Types of variables, and which variables are still used.

use std::collections::BTreeSet;

use fossick_query::{Directive, Literal, Pick};

/// Whether a variable of one type may stand where another is taken, as the specification has it.
/// A default on either side stands in for null.
pub(super) fn is_allowed(variable: &str, place: &str, default: bool) -> bool {
    let place = match place.strip_suffix('!') {
        Some(nullable) if !variable.ends_with('!') && default => nullable,
        _ => place,
    };
    fits(variable.trim(), place.trim())
}

fn fits(variable: &str, place: &str) -> bool {
    if let Some(place) = place.strip_suffix('!') {
        return variable
            .strip_suffix('!')
            .is_some_and(|inner| fits(inner, place));
    }
    let variable = variable.strip_suffix('!').unwrap_or(variable);
    match (item(variable), item(place)) {
        (Some(variable), Some(place)) => fits(variable, place),
        (None, None) => variable == place,
        _ => false,
    }
}

fn item(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// The variables that a selection uses.
pub(super) fn used(picks: &[Pick], into: &mut BTreeSet<String>) {
    for pick in picks {
        let (directives, below) = match pick {
            Pick::Field(asked) => {
                for (_, value) in &asked.arguments {
                    named(value, into);
                }
                (&asked.directives, &asked.picks)
            }
            Pick::Part(part) => (&part.directives, &part.picks),
        };
        of_directives(directives, into);
        used(below, into);
    }
}

fn of_directives(directives: &[Directive], into: &mut BTreeSet<String>) {
    for (_, value) in directives.iter().flat_map(|directive| &directive.arguments) {
        named(value, into);
    }
}

fn named(value: &Literal, into: &mut BTreeSet<String>) {
    match value {
        Literal::Variable(name) => _ = into.insert(name.clone()),
        Literal::List(items) => items.iter().for_each(|item| named(item, into)),
        Literal::Object(fields) => fields.iter().for_each(|(_, value)| named(value, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_may_promise_more_than_its_place_wants_and_not_less() {
        for (variable, place) in [
            ("ID!", "ID"),
            ("ID", "ID"),
            ("[ID!]!", "[ID]"),
            ("[[Int!]]", "[[Int]]"),
        ] {
            assert!(is_allowed(variable, place, false), "{variable} {place}");
        }
        for (variable, place) in [
            ("ID", "ID!"),
            ("Int", "ID"),
            ("[ID]", "[ID!]"),
            ("ID", "[ID]"),
        ] {
            assert!(!is_allowed(variable, place, false), "{variable} {place}");
        }
        assert!(is_allowed("Int", "Int!", true));
        assert!(!is_allowed("Int", "Float!", true));
    }
}
