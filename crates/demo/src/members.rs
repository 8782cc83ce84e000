//! Members. Their identifiers are UUIDs that hold a running number, so that runs repeat exactly.

use serde::Deserialize;

use crate::desk::Call;
use crate::exchange::{Answer, Refusal, Reply};
use crate::faults::Fault;
use crate::store::{Loan, LoanState, Member};

const PREFIX: &str = "00000000-0000-4000-8000-";

#[derive(Debug, Deserialize)]
struct NewMember {
    name: String,
    email: String,
    #[serde(default = "basic")]
    tier: String,
    /// New members have none yet; an update brings them all.
    #[serde(default)]
    wishes: Vec<String>,
}

fn basic() -> String {
    "basic".to_owned()
}

impl NewMember {
    fn named(self, id: String) -> Member {
        Member {
            id,
            name: self.name,
            email: self.email,
            tier: self.tier,
            wishes: self.wishes,
        }
    }
}

pub(crate) fn create(call: &mut Call<'_>) -> Answer {
    let new: NewMember = call.body()?;
    if new.name.contains('\'') && call.faulty(Fault::Apostrophe) {
        return Err(Refusal::Crash);
    }
    let members = &mut call.store.members;
    let member = members.add(|number| new.named(format!("{PREFIX}{number:012x}")));
    Ok(Reply::empty(201).with("location", format!("/members/{}", member.id)))
}

pub(crate) fn get(call: &mut Call<'_>) -> Answer {
    let number = number(call);
    let unheard_of = !number.is_some_and(|number| call.store.members.has_given(number));
    if unheard_of && call.faulty(Fault::GuestInvented) {
        return Ok(Reply::json(200, guest(call)));
    }
    Ok(Reply::json(200, find(call)?))
}

fn guest(call: &Call<'_>) -> Member {
    Member {
        id: call.text("memberId").unwrap_or_default().to_owned(),
        name: "Guest".to_owned(),
        email: "guest@example.com".to_owned(),
        tier: basic(),
        wishes: Vec::new(),
    }
}

pub(crate) fn replace(call: &mut Call<'_>) -> Answer {
    let new: NewMember = call.body()?;
    let appends = call.faulty(Fault::WishesAppended);
    let member = find(call)?;
    let mut updated = new.named(member.id.clone());
    if appends {
        updated.wishes.splice(0..0, member.wishes.drain(..));
    }
    *member = updated;
    Ok(Reply::json(200, member))
}

pub(crate) fn delete(call: &mut Call<'_>) -> Answer {
    let id = find(call)?.id.clone();
    let loans = &mut call.store.loans;
    let has_tool = |loan: &Loan| loan.member_id == id && loan.state == LoanState::Out;
    if loans.all().any(has_tool) {
        return Err(Refusal::Problem(409, "the member has a tool".to_owned()));
    }
    loans.keep(|loan| loan.member_id != id);
    if let Some(number) = number(call) {
        call.store.members.remove(number);
    }
    Ok(Reply::empty(204))
}

/// The running number in the identifier that was asked for, if it is one of ours.
fn number(call: &Call<'_>) -> Option<u64> {
    let id = call.text("memberId")?.to_ascii_lowercase();
    u64::from_str_radix(id.strip_prefix(PREFIX)?, 16).ok()
}

pub(crate) fn find<'a>(call: &'a mut Call<'_>) -> Result<&'a mut Member, Refusal> {
    number(call)
        .and_then(|number| call.store.members.get_mut(number))
        .ok_or_else(|| Refusal::not_found("member"))
}
