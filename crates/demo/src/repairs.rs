//! Repairs, which belong to one tool and are found under it alone.

use serde::Deserialize;
use serde_json::Number;

use crate::desk::Call;
use crate::exchange::{Answer, Refusal, Reply};
use crate::faults::Fault;
use crate::store::Repair;
use crate::tools::find as find_tool;

#[derive(Debug, Deserialize)]
struct NewRepair {
    note: String,
    hours: Number,
    #[serde(default = "normal")]
    urgency: String,
}

fn normal() -> String {
    "normal".to_owned()
}

pub(crate) fn list(call: &mut Call<'_>) -> Answer {
    let tool_id = find_tool(call)?.id;
    let skips_urgent = call.faulty(Fault::UrgentUnlisted);
    let repairs: Vec<_> = call
        .store
        .repairs
        .all()
        .filter(|repair| repair.tool_id == tool_id && !repair.struck_off)
        .filter(|repair| !(skips_urgent && repair.urgency == "urgent"))
        .collect();
    Ok(Reply::json(200, repairs))
}

pub(crate) fn create(call: &mut Call<'_>) -> Answer {
    let new: NewRepair = call.body()?;
    let tool_id = find_tool(call)?.id;
    if new.hours.as_f64() == Some(0.0) && call.faulty(Fault::ZeroHours) {
        return Err(Refusal::HangUp);
    }
    let repair = call.store.repairs.add(|id| Repair {
        id,
        tool_id,
        note: new.note,
        hours: new.hours,
        urgency: new.urgency,
        struck_off: false,
    });
    Ok(Reply::json(201, repair))
}

pub(crate) fn get(call: &mut Call<'_>) -> Answer {
    let any_parent = call.faulty(Fault::AnyParent);
    let tool_id = call.number("toolId");
    let repair = call.store.repairs.get(call.number("repairId"));
    let here = repair.filter(|repair| any_parent || repair.tool_id == tool_id);
    let repair = here.ok_or_else(|| Refusal::not_found("repair"))?;
    Ok(Reply::json(200, repair))
}

pub(crate) fn delete(call: &mut Call<'_>) -> Answer {
    let (tool_id, id) = (call.number("toolId"), call.number("repairId"));
    let only_strikes_off = call.faulty(Fault::StruckOffServed);
    let repair = call
        .store
        .repairs
        .get_mut(id)
        .filter(|repair| repair.tool_id == tool_id && !repair.struck_off)
        .ok_or_else(|| Refusal::not_found("repair"))?;
    if only_strikes_off {
        repair.struck_off = true;
    } else {
        call.store.repairs.remove(id);
    }
    Ok(Reply::empty(204))
}
