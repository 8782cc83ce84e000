//! The fields of things that are more than a look into their JSON.

use serde_json::{Value, json};

use super::call::{Call, Outcome, Refused};
use super::faults::GraphqlFault;
use super::store::{Keeper, Lot, Variety};

/// The value of a field of `thing`, which is of the named type.
pub(crate) fn resolve(call: &Call<'_>, type_name: &str, field: &str, thing: &Value) -> Outcome {
    match (type_name, field) {
        ("Variety", "lots") => lots_of(call, |lot| lot.variety_id == number(thing, "id")),
        ("Keeper", "lots") => lots_of(call, |lot| lot.keeper == Some(number(thing, "number"))),
        ("Lot", "name") => Ok(lot_name(call, thing)),
        ("Lot", "variety") => Ok(variety_of(call, thing)),
        ("Lot", "keeper") => Ok(keeper_of(call, thing)),
        ("Lot", "shelfMark") => Ok(shelf_mark(thing)),
        ("Lot", "share") => share(call, thing),
        ("Trial", "rate") => Ok(rate(thing)),
        _ => Ok(thing[field].clone()),
    }
}

fn number(thing: &Value, name: &str) -> u64 {
    thing[name].as_u64().unwrap_or_default()
}

fn lots_of(call: &Call<'_>, is_one: impl Fn(&Lot) -> bool) -> Outcome {
    let storage = call.text("storage");
    let lots = call.store.lots().filter(|lot| is_one(lot));
    let lots = lots.filter(|lot| storage.is_none_or(|s| lot.told.storage == s));
    Ok(lots.take(call.first()?).map(Lot::shown).collect())
}

fn lot_name(call: &Call<'_>, thing: &Value) -> Value {
    let lot = call.store.lots.get(number(thing, "number"));
    json!(lot.map_or_else(|| "a former lot".to_owned(), |lot| call.store.lot_name(lot)))
}

fn variety_of(call: &Call<'_>, thing: &Value) -> Value {
    let variety = call.store.varieties.get(number(thing, "varietyId"));
    json!(variety.map(Variety::shown))
}

fn keeper_of(call: &Call<'_>, thing: &Value) -> Value {
    let keeper = call.store.keepers.get(number(thing, "keeper"));
    json!(keeper.map(Keeper::shown))
}

fn shelf_mark(thing: &Value) -> Value {
    let letter = match thing["storage"].as_str() {
        Some("FREEZER") => "X",
        Some("FRIDGE") => "F",
        _ => "S",
    };
    json!(format!("{letter}-{}", thing["number"]))
}

fn share(call: &Call<'_>, thing: &Value) -> Outcome {
    let (among, quantity) = (call.number("among"), thing["quantity"].as_i64());
    if among == 0 && call.faulty(GraphqlFault::ShareAmongNobody) {
        return Err(Refused::broken(
            "thread 'worker-3' panicked at src/lots/share.rs:27:18: attempt to divide by zero",
        ));
    }
    let shared = quantity.filter(|_| among > 0).map(|all| all / among);
    Ok(json!(shared))
}

fn rate(trial: &Value) -> Value {
    match (trial["sprouted"].as_f64(), trial["sown"].as_f64()) {
        (Some(sprouted), Some(sown)) if sown > 0.0 => json!(sprouted / sown),
        _ => Value::Null,
    }
}
