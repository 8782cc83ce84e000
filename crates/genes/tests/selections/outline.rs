//! A contract as SDL, for schemas that came by introspection or had to be mended: the judge reads
//! nothing else.
//!
//! Input types are all written as scalars; variables are declared with their names and no value
//! of theirs is looked at.

use std::collections::BTreeSet;

use fossick_contract::{Api, Composite, Field, Returned, Type, TypeGraph, TypeId, TypeKind};

pub(crate) fn sdl(api: &Api) -> String {
    let types = &api.types;
    let name = |id: TypeId| &types.get(id).name;
    let mut out = String::from("schema {");
    for (word, root) in [("query", types.query), ("mutation", types.mutation)] {
        out.extend(root.map(|id| format!(" {word}: {}", name(id))));
    }
    out.push_str(" }\n");
    let composites = types.iter().flat_map(|(id, _)| types.fields(id));
    let arguments = composites.flat_map(|field| &field.arguments);
    let inputs: BTreeSet<&str> = arguments
        .map(|argument| argument.type_text.trim_matches(['[', ']', '!']))
        .filter(|name| types.find(name).is_none() && !is_built_in(name))
        .collect();
    out.extend(inputs.iter().map(|name| format!("scalar {name}\n")));
    out.extend(types.iter().map(|(id, kind)| definition(types, id, kind)));
    out
}

fn is_built_in(name: &str) -> bool {
    matches!(name, "Int" | "Float" | "String" | "Boolean" | "ID")
}

/// The interfaces that a type has, also those that it forgot to name.
fn interfaces(types: &TypeGraph, of: TypeId) -> Vec<TypeId> {
    let has = |id: TypeId| types.get(id).is_abstract() && types.possible(id).contains(&of);
    let ids = types.iter().map(|(id, _)| id);
    ids.filter(|id| !types.fields(*id).is_empty() && has(*id))
        .collect()
}

fn definition(types: &TypeGraph, id: TypeId, kind: &Type) -> String {
    let name = &kind.name;
    let joined = |ids: &[TypeId], between| {
        let names: Vec<&str> = ids.iter().map(|id| &*types.get(*id).name).collect();
        names.join(between)
    };
    let composite = |word: &str, of: &Composite| {
        let above = match interfaces(types, id).as_slice() {
            [] => String::new(),
            ids => format!(" implements {}", joined(ids, " & ")),
        };
        let fields: String = of.fields.iter().map(|one| field(types, one)).collect();
        format!("{word} {name}{above} {{ {fields} }}\n")
    };
    match &kind.kind {
        TypeKind::Scalar(_) if is_built_in(name) => String::new(),
        TypeKind::Scalar(_) => format!("scalar {name}\n"),
        TypeKind::Enum(members) => format!("enum {name} {{ {} }}\n", members.join(" ")),
        TypeKind::Union(ids) if ids.is_empty() => format!("union {name}\n"),
        TypeKind::Union(ids) => format!("union {name} = {}\n", joined(ids, " | ")),
        TypeKind::Object(of) => composite("type", of),
        TypeKind::Interface(of) => composite("interface", of),
    }
}

fn field(types: &TypeGraph, field: &Field) -> String {
    let arguments = field.arguments.iter().map(|argument| {
        // What is required has no default; what has one only differs in that it is not required.
        let kind = if argument.required {
            &argument.type_text
        } else {
            argument.type_text.trim_end_matches('!')
        };
        format!("{}: {kind} ", argument.name)
    });
    let arguments: String = arguments.collect();
    let arguments = if arguments.is_empty() {
        arguments
    } else {
        format!("({arguments})")
    };
    format!(
        "{}{arguments}: {} ",
        field.name,
        returned(types, &field.returns)
    )
}

fn returned(types: &TypeGraph, returned: &Returned) -> String {
    let mut levels = returned.nullable.iter().rev();
    let mark = |nullable: Option<&bool>| if nullable == Some(&false) { "!" } else { "" };
    let mut text = format!("{}{}", types.get(returned.named).name, mark(levels.next()));
    for nullable in levels {
        text = format!("[{text}]{}", mark(Some(nullable)));
    }
    text
}
