//! Loans: a member takes a tool and brings it back.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::desk::Call;
use crate::exchange::{Answer, Refusal, Reply};
use crate::faults::Fault;
use crate::input::read;
use crate::members;
use crate::store::{Loan, LoanState, whole_number};

const CENTS_PER_DAY: u64 = 50;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewLoan {
    #[serde(deserialize_with = "whole_number")]
    tool_id: u64,
    #[serde(deserialize_with = "whole_number")]
    days: u64,
}

pub(crate) fn create(call: &mut Call<'_>) -> Answer {
    let new: NewLoan = call.body()?;
    let member_id = members::find(call)?.id.clone();
    if call.store.tools.get(new.tool_id).is_none() || call.store.out.contains(&new.tool_id) {
        return Err(Refusal::Problem(409, "the tool is not there".to_owned()));
    }
    call.store.out.insert(new.tool_id);
    let loan = call.store.loans.add(|id| Loan {
        id,
        member_id,
        tool_id: new.tool_id,
        days: new.days,
        fee: new.days * CENTS_PER_DAY,
        state: LoanState::Out,
    });
    Ok(Reply::json(201, loan))
}

pub(crate) fn get(call: &mut Call<'_>) -> Answer {
    let loan = find(call)?.clone();
    Ok(Reply::json(200, shown(call, &loan)))
}

pub(crate) fn take_back(call: &mut Call<'_>) -> Answer {
    let loan = find(call)?;
    if loan.state == LoanState::Returned {
        return Err(Refusal::Problem(409, "the tool is back".to_owned()));
    }
    loan.state = LoanState::Returned;
    let (reply, tool_id) = (Reply::json(200, &*loan), loan.tool_id);
    call.store.out.remove(&tool_id);
    Ok(reply)
}

pub(crate) fn list(call: &mut Call<'_>) -> Answer {
    let state: LoanState = read(json!(call.text("state")))?;
    let loans: Vec<_> = call
        .store
        .loans
        .all()
        .rev()
        .filter(|loan| loan.state == state)
        .take(call.number("limit") as usize)
        .collect();
    Ok(Reply::json(200, loans))
}

fn find<'a>(call: &'a mut Call<'_>) -> Result<&'a mut Loan, Refusal> {
    let loan = call.store.loans.get_mut(call.number("loanId"));
    loan.ok_or_else(|| Refusal::not_found("loan"))
}

fn shown(call: &Call<'_>, loan: &Loan) -> Value {
    let mut value = json!(loan);
    if loan.state == LoanState::Returned && call.faulty(Fault::FeeAsText) {
        value["fee"] = Value::String(loan.fee.to_string());
    }
    value
}
