//! Every planted fault can be seen from outside, and the twin does not have it.
//!
//! Each fault is asked for alone, then together with all others, so that none hides another.

use crate::client::{Shed, member, repair, tool, update};
use fossick_demo::{Fault, Faults, PLANTED};
use serde_json::json;

const NOBODY: &str = "/members/7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// Whether a service shows a fault.
fn shows(fault: Fault, shed: &Shed) -> bool {
    match fault {
        Fault::OddLimit => shed.get("/tools?limit=73").status == 500,
        Fault::Apostrophe => apostrophe(shed),
        Fault::ZeroHours => zero_hours(shed),
        Fault::FeeAsText => fee_as_text(shed),
        Fault::Accepted => accepted(shed),
        Fault::OptionalPin => optional_pin(shed),
        Fault::StruckOffServed => struck_off_served(shed),
        Fault::DepositKept => deposit_kept(shed),
        Fault::UrgentUnlisted => urgent_unlisted(shed),
        Fault::WishesAppended => wishes_appended(shed),
        Fault::GuestInvented => shed.get(NOBODY).status == 200,
        Fault::AnyParent => any_parent(shed),
        Fault::HalfReplaced => half_replaced(shed),
        Fault::OpenLedger => shed.get("/staff/loans?state=out").status == 200,
    }
}

fn apostrophe(shed: &Shed) -> bool {
    let mut body = member();
    body["name"] = json!("Flann O'Brien");
    shed.post("/members", &body).status == 500
}

fn zero_hours(shed: &Shed) -> bool {
    let mut body = repair();
    body["hours"] = json!(0);
    let line = format!("POST {}/repairs", shed.tool());
    let headers = ["content-type: application/json"];
    shed.raw(&line, &headers, &body.to_string()).is_none()
}

fn fee_as_text(shed: &Shed) -> bool {
    let loan = shed.loan();
    assert!(shed.get(&loan).json()["fee"].is_u64());
    assert_eq!(shed.send(&format!("POST {loan}/return"), None).status, 200);
    shed.get(&loan).json()["fee"].is_string()
}

fn accepted(shed: &Shed) -> bool {
    assert_eq!(shed.delete(&shed.tool()).status, 204);
    let tool = shed.tool();
    shed.repair(&tool);
    shed.delete(&tool).status == 202
}

fn optional_pin(shed: &Shed) -> bool {
    let body = json!({"name": "Ada", "email": "ada@example.com"});
    shed.post("/members", &body).status == 201
}

fn struck_off_served(shed: &Shed) -> bool {
    let repair = shed.repair(&shed.tool());
    assert_eq!(shed.delete(&repair).status, 204);
    assert_eq!(shed.delete(&repair).status, 404);
    shed.get(&repair).status == 200
}

fn deposit_kept(shed: &Shed) -> bool {
    let tool = shed.tool();
    let changed = shed.patch(&tool, &json!({"deposit": 900, "name": "Saw"}));
    assert_eq!(changed.json()["deposit"], 900);
    let now = shed.get(&tool).json();
    assert_eq!(now["name"], "Saw");
    now["deposit"] != 900
}

fn urgent_unlisted(shed: &Shed) -> bool {
    let tool = shed.tool();
    let list = format!("{tool}/repairs");
    shed.repair(&tool);
    let mut body = repair();
    body["urgency"] = json!("urgent");
    assert_eq!(shed.post(&list, &body).status, 201);
    shed.get(&list).json().as_array().map(Vec::len) == Some(1)
}

fn wishes_appended(shed: &Shed) -> bool {
    let member = shed.member();
    let once = shed.put(&member, &update()).json();
    assert_eq!(once["wishes"], json!(["lathe"]));
    let twice = shed.put(&member, &update()).json();
    twice != once
}

fn any_parent(shed: &Shed) -> bool {
    let (tool, other) = (shed.tool(), shed.tool());
    let repair = shed.repair(&tool);
    shed.get(&repair.replacen(&tool, &other, 1)).status == 200
}

fn half_replaced(shed: &Shed) -> bool {
    let path = shed.tool();
    let mut body = tool();
    body["name"] = json!("Renamed");
    body["deposit"] = json!(-1);
    assert_eq!(shed.put(&path, &body).status, 400);
    shed.get(&path).json()["name"] == "Renamed"
}

#[test]
fn every_planted_fault_shows() {
    let shed = Shed::open(Faults::Planted);
    for plant in PLANTED {
        assert!(shows(plant.fault, &shed), "{:?}", plant.fault);
    }
}

#[test]
fn a_fault_that_is_planted_alone_shows_alone() {
    for planted in PLANTED {
        for asked in PLANTED {
            let shed = Shed::open(Faults::Only(planted.fault));
            let shown = shows(asked.fault, &shed);
            let expected = asked.fault == planted.fault;
            assert_eq!(shown, expected, "{:?} of {:?}", asked.fault, planted.fault);
        }
    }
}

#[test]
fn the_twin_shows_none() {
    let shed = Shed::open(Faults::None);
    for plant in PLANTED {
        assert!(!shows(plant.fault, &shed), "{:?}", plant.fault);
    }
}
