//! Tools: listed, added, looked at, replaced, changed and removed.

use serde_json::{Value, json};

use crate::desk::Call;
use crate::document::Document;
use crate::exchange::{Answer, Refusal, Reply};
use crate::faults::Fault;
use crate::input::{checker, read};
use crate::store::Tool;

/// The one limit that the planted fault trips over.
const ODD_LIMIT: u64 = 73;

pub(crate) fn list(call: &mut Call<'_>) -> Answer {
    let limit = call.number("limit");
    if limit == ODD_LIMIT && call.faulty(Fault::OddLimit) {
        return Err(Refusal::Crash);
    }
    let page: Vec<_> = call
        .store
        .tools
        .all()
        .filter(|tool| is_wanted(call, tool))
        .skip(call.number("offset") as usize)
        .take(limit as usize)
        .collect();
    Ok(Reply::json(200, page))
}

fn is_wanted(call: &Call<'_>, tool: &Tool) -> bool {
    let category = call.text("category").is_none_or(|c| tool.category == c);
    let available = call.flag("available");
    category && available.is_none_or(|wanted| wanted != call.store.out.contains(&tool.id))
}

pub(crate) fn create(call: &mut Call<'_>) -> Answer {
    let new: Tool = call.body()?;
    let tool = call.store.tools.add(|id| Tool { id, ..new });
    Ok(Reply::json(201, tool).with("location", format!("/tools/{}", tool.id)))
}

pub(crate) fn get(call: &mut Call<'_>) -> Answer {
    Ok(Reply::json(200, find(call)?))
}

pub(crate) fn replace(call: &mut Call<'_>) -> Answer {
    let new: Tool = call.body()?;
    let tool = find(call)?;
    *tool = Tool { id: tool.id, ..new };
    Ok(Reply::json(200, tool))
}

/// What is left of a replacement that was refused: a planted fault, and nothing else, calls this.
pub(crate) fn rename(call: &mut Call<'_>) {
    let schema = &Document::get().root["components"]["schemas"]["Tool"]["properties"]["name"];
    let Some(name) = call.raw_body().get("name").cloned() else {
        return;
    };
    if let (Value::String(new), true) = (&name, checker().problems(schema, &name).is_empty())
        && let Ok(tool) = find(call)
    {
        tool.name.clone_from(new);
    }
}

pub(crate) fn change(call: &mut Call<'_>) -> Answer {
    let changes = call.raw_body().clone();
    let forgets_deposit = call.faulty(Fault::DepositKept);
    let tool = find(call)?;
    let mut changed: Tool = read(merged(tool, changes))?;
    let reply = Reply::json(200, &changed);
    if forgets_deposit {
        changed.deposit = tool.deposit;
    }
    *tool = changed;
    Ok(reply)
}

fn merged(tool: &Tool, changes: Value) -> Value {
    let mut value = json!(tool);
    if let (Value::Object(fields), Value::Object(changes)) = (&mut value, changes) {
        fields.extend(changes);
    }
    value
}

pub(crate) fn delete(call: &mut Call<'_>) -> Answer {
    let id = find(call)?.id;
    if call.store.out.contains(&id) {
        return Err(Refusal::Problem(409, "the tool is lent".to_owned()));
    }
    let has_repairs = call.store.repairs.all().any(|r| r.tool_id == id);
    call.store.tools.remove(id);
    call.store.repairs.keep(|repair| repair.tool_id != id);
    let overeager = has_repairs && call.faulty(Fault::Accepted);
    Ok(Reply::empty(if overeager { 202 } else { 204 }))
}

pub(crate) fn find<'a>(call: &'a mut Call<'_>) -> Result<&'a mut Tool, Refusal> {
    let id = call.number("toolId");
    let tool = call.store.tools.get_mut(id);
    tool.ok_or_else(|| Refusal::not_found("tool"))
}
