//! A parent that lists a child which names another parent.
//!
//! Told only where the two fields are each other's inverse by their names: `Venue.stages` and
//! `Stage.venue`, `/warehouses/{id}/bins` and `warehouseId`. A user's liked posts have other
//! authors, and rightly so.

use fossick_contract::plain_name;
use fossick_trace::{Finding, Location};
use serde_json::{Map, Value};

use crate::compare::{items, unwrapped};
use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;
use crate::thing::text;

/// A child and what is wrong with it.
struct Child {
    list: String,
    id: String,
    names: String,
    parent: String,
}

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| s.is_read() && s.succeeded()) {
        let child = match step.root() {
            Some(_) => step.payload().and_then(|body| {
                let root = scene.api.root_field(step.root()?).returns.named;
                let name = &scene.api.types.get(root).name;
                within(body, name, 0)
            }),
            None => of_path(step).or_else(|| of_item(step)),
        };
        // The list must be called after what it holds, not after what it means.
        if let Some(child) = child.filter(|child| is_kind(scene, &child.list)) {
            let title = format!(
                "{} lists {}, which names {}",
                child.parent, child.id, child.names
            );
            let why =
                "A thing that belongs to one parent must not be listed by another.".to_owned();
            let mark = format!("foreign child {}", child.list);
            if findings
                .iter()
                .all(|f| f.mark != mark || f.operation != step.operation.label)
            {
                let got = Value::from(vec![child.id.clone()]);
                findings.push(
                    step.finding(oracle, title, why)
                        .marked(mark)
                        .located(Location::List)
                        .got(Some(got)),
                );
            }
        }
    }
}

/// An answer in which a thing has a list of children, each with its parent in it. The type of the
/// thing is known by its name at the root, and below by the name of the field.
fn within(value: &Value, name: &str, depth: usize) -> Option<Child> {
    const DEPTH: usize = 6;
    match value {
        _ if depth > DEPTH => None,
        Value::Array(items) => items
            .iter()
            .take(100)
            .find_map(|item| within(item, name, depth + 1)),
        Value::Object(map) => foreign(map, name).or_else(|| {
            map.iter().find_map(|(key, inner)| {
                let inner_name = inner
                    .get("__typename")
                    .and_then(Value::as_str)
                    .unwrap_or(key);
                within(inner, &singular(inner_name), depth + 1)
            })
        }),
        _ => None,
    }
}

/// A child in one of the lists of a thing that names another thing of this name.
fn foreign(parent: &Map<String, Value>, name: &str) -> Option<Child> {
    let own = parent.get("id").and_then(text)?;
    parent.iter().find_map(|(list, value)| {
        value.as_array()?.iter().find_map(|child| {
            let names = named_parent(child, name).filter(|names| *names != own)?;
            let id = child.get("id").and_then(text)?;
            Some(Child {
                list: list.clone(),
                id,
                names,
                parent: own.clone(),
            })
        })
    })
}

/// Whether the API knows things of this name: a type, or a path.
fn is_kind(scene: &Scene<'_>, list: &str) -> bool {
    let (one, many) = (singular(list), plain_name(list));
    let mut types = scene.api.types.iter();
    let typed = types.any(|(_, kind)| plain_name(&kind.name) == one);
    let mut paths = scene.api.operations.iter().map(|o| &o.path);
    typed || paths.any(|path| path.segments().any(|part| plain_name(part) == many))
}

/// `venue: {id: 3}`, `venueId: 3`.
fn named_parent(child: &Value, name: &str) -> Option<String> {
    let name = plain_name(name);
    let fields = child.as_object()?.iter();
    let mut named = fields.filter_map(|(key, value)| {
        let key = plain_name(key);
        if key == name {
            return value.get("id").and_then(text);
        }
        (key.strip_suffix("id") == Some(&name)).then(|| text(value))?
    });
    named.next()
}

fn singular(name: &str) -> String {
    let name = plain_name(name);
    match name.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if ["ses", "xes", "ches", "shes"]
            .iter()
            .any(|end| name.ends_with(end)) =>
        {
            name[..name.len() - 2].to_owned()
        }
        None => name.strip_suffix('s').unwrap_or(&name).to_owned(),
    }
}

/// A list below a parent's path: `/warehouses/1/bins`.
fn of_path(step: &Shown<'_>) -> Option<Child> {
    if step.operation.path.ends_with_hole() {
        return None;
    }
    let parts: Vec<&str> = step.path().trim_end_matches('/').split('/').collect();
    let [.., collection, own, list] = parts.as_slice() else {
        return None;
    };
    let template: Vec<&str> = step.operation.path.segments().collect();
    if !template.iter().rev().nth(1)?.starts_with('{') {
        return None;
    }
    let parent = singular(collection);
    items(step.json()?)?.iter().find_map(|child| {
        let key =
            |(name, _): &(&String, &Value)| plain_name(name).strip_suffix("id") == Some(&parent);
        let (_, names) = child.as_object()?.iter().find(key)?;
        let names = text(names).filter(|names| names != own)?;
        let id = child
            .get("id")
            .or_else(|| child.get("code"))
            .and_then(text)?;
        Some(Child {
            list: (*list).to_owned(),
            id,
            names,
            parent: (*own).to_owned(),
        })
    })
}

/// Lists within one item: what is read at `/rooms/7` is a room.
fn of_item(step: &Shown<'_>) -> Option<Child> {
    if !step.operation.path.ends_with_hole() {
        return None;
    }
    let collection = step.path().trim_end_matches('/').rsplit('/').nth(1)?;
    foreign(unwrapped(step.json()?).as_object()?, &singular(collection))
}
