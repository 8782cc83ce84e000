//! GraphQL: which type stands at a pointer of an answer.

use fossick_contract::{Api, Operation, OperationIndex, TypeId};

use crate::graphql::items;

/// The thing that an operation answers with, where it stands, and whether it is one of several.
pub(crate) fn thing_of(api: &Api, operation: &Operation) -> Option<(TypeId, String, bool)> {
    let root = operation.graphql.as_ref()?;
    let thing = root.thing?;
    let field = api.root_field(root);
    let mut pointer = format!("/data/{}{}", field.name, items(field.returns.lists()));
    let mut on = field.returns.named;
    for name in &root.way {
        let field = api.types.field(on, name)?;
        pointer.push_str(&format!("/{name}{}", items(field.returns.lists())));
        on = field.returns.named;
    }
    let listed = root.listed;
    (on == thing || api.types.possible(on).contains(&thing)).then_some((thing, pointer, listed))
}

/// The composite type at a pointer of an operation's answer.
pub(crate) fn type_at(api: &Api, index: OperationIndex, pointer: &str) -> Option<TypeId> {
    let root = api.operation(index).graphql.as_ref()?;
    let mut parts = pointer.strip_prefix("/data/")?.split('/');
    let field = api.root_field(root);
    if parts.next() != Some(&*field.name) {
        return None;
    }
    let mut on = field.returns.named;
    for name in parts.filter(|part| part.parse::<usize>().is_err()) {
        let own = api.types.field(on, name);
        // Where several types may stand, the first that has the field does.
        let possible = || api.types.possible(on).iter();
        let any = || possible().find_map(|on| api.types.field(*on, name));
        on = own.or_else(any)?.returns.named;
    }
    api.types.get(on).is_composite().then_some(on)
}
