//! The fields of `Mutation`. Whoever is refused has changed nothing.

use serde_json::{Value, json};

use super::call::{Call, Outcome, Refused, read};
use super::faults::GraphqlFault;
use super::store::{KeeperInput, Lot, LotInput, VarietyInput, keeper_number, lot_number};

const LONGEST_TEXT: usize = 2000;
const LONGEST_LIST: usize = 50;

pub(crate) fn resolve(call: &mut Call<'_>, field: &str) -> Option<Outcome> {
    Some(match field {
        "createVariety" => create_variety(call),
        "updateVariety" => update_variety(call),
        "deleteVariety" => delete_variety(call),
        "createLot" => create_lot(call),
        "updateLot" => update_lot(call),
        "deleteLot" => delete_lot(call),
        "createKeeper" => create_keeper(call),
        "entrustLot" => entrust_lot(call),
        _ => return None,
    })
}

fn create_variety(call: &mut Call<'_>) -> Outcome {
    let told: VarietyInput = named_input(call)?;
    Ok(call.store.add_variety(told).shown())
}

fn update_variety(call: &mut Call<'_>) -> Outcome {
    let told: VarietyInput = named_input(call)?;
    let forgets_story = call.faulty(GraphqlFault::StoryKept);
    let id = variety_id(call, "id")?;
    let variety = call.store.varieties.get_mut(id);
    let variety = variety.ok_or_else(|| Refused::not_found("variety"))?;
    let old_story = std::mem::replace(&mut variety.told, told).story;
    let shown = variety.shown();
    if forgets_story {
        variety.told.story = old_story;
    }
    Ok(shown)
}

fn delete_variety(call: &mut Call<'_>) -> Outcome {
    let id = variety_id(call, "id")?;
    call.store.varieties.remove(id);
    call.store.lots.keep(|lot| lot.variety_id != id);
    Ok(json!(id))
}

fn variety_id(call: &Call<'_>, argument: &str) -> Result<u64, Refused> {
    let variety = call.store.variety(call.number(argument));
    let variety = variety.ok_or_else(|| Refused::not_found("variety"))?;
    Ok(variety.id)
}

fn create_lot(call: &mut Call<'_>) -> Outcome {
    let told: LotInput = call.input()?;
    let mut errors = problems(&told);
    let variety_id = variety_id(call, "varietyId");
    if variety_id.is_err() {
        errors.push(problem(&["varietyId"], "there is no such variety"));
    }
    if let Some(message) = too_much(&call.arguments["input"]) {
        errors.push(problem(&["input"], &message));
    }
    match (variety_id, errors.is_empty()) {
        (Ok(id), true) => {
            let lot = call.store.add_lot(id, told).shown();
            Ok(json!({"lot": lot, "userErrors": []}))
        }
        _ => Ok(json!({"lot": null, "userErrors": errors})),
    }
}

/// What is wrong with a lot, as user errors.
fn problems(lot: &LotInput) -> Vec<Value> {
    let mut found = Vec::new();
    if lot.quantity < 0 {
        found.push(problem(
            &["input", "quantity"],
            "quantity can't be negative",
        ));
    }
    for (at, trial) in lot.trials.iter().enumerate() {
        for (name, count) in [("sown", trial.sown), ("sprouted", trial.sprouted)] {
            if count < 0 {
                let field = ["input", "trials", &at.to_string(), name];
                found.push(problem(&field, &format!("{name} can't be negative")));
            }
        }
    }
    found
}

fn problem(field: &[&str], message: &str) -> Value {
    json!({"field": field, "message": message})
}

fn update_lot(call: &mut Call<'_>) -> Outcome {
    let changes = call.arguments["input"].clone();
    for name in ["quantity", "storage"] {
        if changes.get(name).is_some_and(Value::is_null) {
            return Err(Refused::bad_input(format!("{name} can't be null")));
        }
    }
    let lot = lot(call, "id")?;
    let mut told = json!(lot.told);
    if let (Value::Object(fields), Value::Object(changes)) = (&mut told, changes) {
        fields.extend(changes);
    }
    let told: LotInput = read(told)?;
    if let Some(problem) = problems(&told).first() {
        return Err(Refused::bad_input(text(&problem["message"])));
    }
    lot.told = told;
    Ok(lot.shown())
}

fn delete_lot(call: &mut Call<'_>) -> Outcome {
    let only_strikes_off = call.faulty(GraphqlFault::DeletedServed);
    let lot = lot(call, "id")?;
    let (id, number) = (lot.id.clone(), lot.number);
    if only_strikes_off {
        lot.struck_off = true;
    } else {
        call.store.lots.remove(number);
    }
    Ok(json!(id))
}

fn lot<'a>(call: &'a mut Call<'_>, argument: &str) -> Result<&'a mut Lot, Refused> {
    lot_number(&call.id(argument))
        .and_then(|number| call.store.lots.get_mut(number))
        .filter(|lot| !lot.struck_off)
        .ok_or_else(|| Refused::not_found("lot"))
}

fn create_keeper(call: &mut Call<'_>) -> Outcome {
    let told: KeeperInput = named_input(call)?;
    Ok(call.store.add_keeper(told).shown())
}

fn entrust_lot(call: &mut Call<'_>) -> Outcome {
    let keeper = call.text("keeperId").and_then(keeper_number);
    let known = keeper.filter(|number| call.store.keepers.get(*number).is_some());
    if known.is_none() && call.faulty(GraphqlFault::SilentRefusal) {
        return Err(Refused::Told("NOT_FOUND", String::new()));
    }
    let keeper = known.ok_or_else(|| Refused::not_found("keeper"))?;
    let lot = lot(call, "lotId")?;
    lot.keeper = Some(keeper);
    Ok(lot.shown())
}

/// An input with a name, which can't be blank.
fn named_input<T: serde::de::DeserializeOwned>(call: &Call<'_>) -> Result<T, Refused> {
    let input = &call.arguments["input"];
    if text(&input["name"]).trim().is_empty() {
        return Err(Refused::bad_input("name can't be blank"));
    }
    match too_much(input) {
        Some(message) => Err(Refused::bad_input(message)),
        None => call.input(),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Keeps the store small. Goes as deep as the schema's inputs, which have no cycles.
fn too_much(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.chars().count() > LONGEST_TEXT => {
            Some(format!("a text can't have over {LONGEST_TEXT} characters"))
        }
        Value::Array(items) if items.len() > LONGEST_LIST => {
            Some(format!("a list can't have over {LONGEST_LIST} items"))
        }
        Value::Array(items) => items.iter().find_map(too_much),
        Value::Object(fields) => fields.values().find_map(too_much),
        _ => None,
    }
}
