//! Input objects that can't be made because they need themselves.
//!
//! `input A { a: A! }` is a mistake that some servers let pass. Whatever needs such an argument
//! can't be called by anybody.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::outline::{DefinitionKind, Outline, Taken};

/// The input objects of which no value is finite.
pub(super) fn endless(outline: &Outline) -> HashSet<Arc<str>> {
    // How many needs of each type are still open, and who waits for whom.
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut waiting: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut done: Vec<&str> = Vec::new();
    for (name, definition) in &outline.types {
        if let DefinitionKind::Input(input) = &definition.kind {
            // Any one field makes a one-of whole; nobody writes an endless one of those.
            let fields = if input.one_of {
                &[]
            } else {
                input.fields.as_slice()
            };
            let needs: Vec<&str> = fields.iter().filter_map(|f| need(outline, f)).collect();
            if needs.is_empty() {
                done.push(name);
            }
            open.insert(name, needs.len());
            for need in needs {
                waiting.entry(need).or_default().push(name);
            }
        }
    }
    while let Some(name) = done.pop() {
        for waiter in waiting.remove(name).unwrap_or_default() {
            if let Some(left) = open.get_mut(waiter) {
                *left = left.saturating_sub(1);
                if *left == 0 {
                    done.push(waiter);
                }
            }
        }
    }
    let names = outline.types.keys();
    let never = names.filter(|name| open.get(&***name).is_some_and(|left| *left > 0));
    never.cloned().collect()
}

/// The input object that a value must hold; a list may be empty and needs none.
fn need<'o>(outline: &'o Outline, field: &'o Taken) -> Option<&'o str> {
    let needed = field.required() && !field.kind.is_list();
    let name = &*field.kind.named;
    (needed && outline.input(name).is_some()).then_some(name)
}

/// The first argument that nobody can give.
pub(super) fn impossible<'a>(
    endless: &HashSet<Arc<str>>,
    arguments: &'a [Taken],
) -> Option<&'a Taken> {
    let impossible = |taken: &&Taken| {
        taken.required() && !taken.kind.is_list() && endless.contains(&taken.kind.named)
    };
    arguments.iter().find(impossible)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::graphql::notes::Notes;

    #[test]
    fn only_what_needs_itself_is_endless() {
        let text = "type Query { a: Int }
            input Self { s: Self! } input A { b: B! } input B { a: A! } input UsesA { a: A! n: Int! }
            input Fine { f: Fine l: [Fine!]! d: Fine! = {l: []} } input Leaf { n: Int! }
            input Deep { l: Leaf! f: Fine! } input Choose @oneOf { c: Choose n: Int }";
        let source = Source {
            name: "x".to_owned(),
            text: text.to_owned(),
        };
        let outline = super::super::sdl::outline(&[source], &mut Notes::default());
        let mut found: Vec<_> = endless(&outline).into_iter().collect();
        found.sort();
        assert_eq!(
            found.iter().map(|n| &**n).collect::<Vec<_>>(),
            ["A", "B", "Self", "UsesA"]
        );
    }
}
