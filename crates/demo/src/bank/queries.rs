//! The fields of `Query`. Lists begin with the newest thing.

use serde_json::{Value, json};

use super::call::{Call, Outcome, Refused};
use super::faults::GraphqlFault;
use super::store::{Keeper, Lot, Variety, keeper_number, lot_number};

pub(crate) fn resolve(call: &Call<'_>, field: &str) -> Option<Outcome> {
    Some(match field {
        "variety" => Ok(json!(
            call.store.variety(call.number("id")).map(Variety::shown)
        )),
        "varieties" => varieties(call),
        "lot" => Ok(json!(lot(call).map(Lot::shown))),
        "lots" => lots(call),
        "keeper" => Ok(keeper(call)),
        "latest" => latest(call),
        "search" => search(call),
        _ => return None,
    })
}

fn varieties(call: &Call<'_>) -> Outcome {
    let named = call.text("named").unwrap_or_default();
    if named.contains('\'') && call.faulty(GraphqlFault::SqlShown) {
        return Err(Refused::broken(format!(
            "syntax error in SELECT * FROM varieties WHERE name LIKE '%{named}%' \
             at /srv/seedbank/src/db/varieties.rs:88"
        )));
    }
    let skips_trees = call.faulty(GraphqlFault::TreesUnlisted);
    let found = call.store.varieties.all().rev();
    let found = found
        .filter(|variety| contains(&variety.told.name, named))
        .filter(|variety| call.text("habit").is_none_or(|h| variety.told.habit == h))
        .filter(|variety| !(skips_trees && variety.told.habit == "TREE"));
    Ok(found.take(call.first()?).map(Variety::shown).collect())
}

fn contains(name: &str, part: &str) -> bool {
    name.to_lowercase().contains(&part.to_lowercase())
}

/// Does not ask whether the lot is struck off: without the planted fault none ever is.
fn lot<'a>(call: &'a Call<'_>) -> Option<&'a Lot> {
    call.store.lots.get(lot_number(&call.id("id"))?)
}

fn keeper(call: &Call<'_>) -> Value {
    let number = call.text("id").and_then(keeper_number);
    let keeper = number.and_then(|number| call.store.keepers.get(number));
    keeper.map_or(Value::Null, Keeper::shown)
}

fn lots(call: &Call<'_>) -> Outcome {
    let (first, after) = (call.first()?, after(call)?);
    let found: Vec<_> = call
        .store
        .lots()
        .filter(|lot| is_wanted(call, lot))
        .collect();
    let rest: Vec<_> = found.iter().filter(|lot| lot.number < after).collect();
    let edges: Vec<_> = rest
        .iter()
        .take(first)
        .map(|lot| json!({"cursor": cursor(lot), "node": lot.shown()}))
        .collect();
    let end = |edge: Option<&Value>| edge.map(|edge| edge["cursor"].clone());
    Ok(json!({
        "totalCount": found.len(),
        "pageInfo": {
            "hasNextPage": rest.len() > edges.len(),
            "hasPreviousPage": found.len() > rest.len(),
            "startCursor": end(edges.first()),
            "endCursor": end(edges.last()),
        },
        "edges": edges,
    }))
}

fn cursor(lot: &Lot) -> String {
    format!("after-{}", lot.number)
}

/// The number below which a page begins.
fn after(call: &Call<'_>) -> Result<u64, Refused> {
    let Some(cursor) = call.text("after") else {
        return Ok(u64::MAX);
    };
    let number = cursor.strip_prefix("after-").and_then(|n| n.parse().ok());
    number.ok_or_else(|| Refused::bad_input("after is not a cursor of ours"))
}

fn is_wanted(call: &Call<'_>, lot: &Lot) -> bool {
    let filter = &call.arguments["filter"];
    let of_variety = filter["varietyId"].as_i64();
    let stored_in = filter["storage"].as_array();
    let since = filter["collectedSince"].as_str();
    of_variety.is_none_or(|id| u64::try_from(id) == Ok(lot.variety_id))
        && stored_in.is_none_or(|any| any.iter().any(|one| *one == lot.told.storage))
        && since.is_none_or(|since| lot.told.collected_on.as_deref() >= Some(since))
}

fn latest(call: &Call<'_>) -> Outcome {
    let (store, first) = (&*call.store, call.first()?);
    let varieties = store.varieties.all().rev().take(first).map(Variety::shown);
    let keepers = store.keepers.all().rev().take(first).map(Keeper::shown);
    let lots = store.lots().take(first).map(Lot::shown);
    let mut things: Vec<_> = varieties.chain(keepers).chain(lots).collect();
    things.sort_by(|a, b| b["addedAt"].as_str().cmp(&a["addedAt"].as_str()));
    things.truncate(first);
    Ok(Value::Array(things))
}

fn search(call: &Call<'_>) -> Outcome {
    let text = call.text("text").unwrap_or_default();
    if text.is_empty() && call.faulty(GraphqlFault::EmptySearch) {
        return Err(Refused::Crash);
    }
    let store = &*call.store;
    let varieties = store.varieties.all().rev();
    let varieties = varieties.filter(|variety| contains(&variety.told.name, text));
    let keepers = store.keepers.all().rev();
    let keepers = keepers.filter(|keeper| contains(&keeper.told.name, text));
    let lots = store
        .lots()
        .filter(|lot| contains(&store.lot_name(lot), text));
    let found = keepers
        .map(Keeper::shown)
        .chain(varieties.map(Variety::shown))
        .chain(lots.map(Lot::shown));
    Ok(found.take(call.first()?).collect())
}
