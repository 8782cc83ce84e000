//! The front desk: every request passes here before anything is looked up or changed.
//!
//! It finds the operation, asks staff for their token, and holds parameters and body against the
//! document. Handlers therefore see valid input only and are left with what the document can't
//! say: which things exist and which are taken.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::{Document, Operation, Stray};
use crate::exchange::{Answer, Refusal, Reply, Request};
use crate::faults::{Fault, Faults};
use crate::input::{bad_request, checker, parameters, read, read_body, whole};
use crate::store::Store;
use crate::{loans, members, repairs, tools};

/// What staff send as `Authorization: Bearer …`. The document tells it too.
pub const STAFF_TOKEN: &str = "shed-staff-demo";

#[derive(Debug)]
pub(crate) struct Desk {
    faults: Faults,
    store: Mutex<Store>,
}

/// A request that has passed the desk.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) store: &'a mut Store,
    faults: Faults,
    parameters: BTreeMap<String, Value>,
    body: Value,
}

impl Call<'_> {
    pub(crate) fn faulty(&self, fault: Fault) -> bool {
        self.faults.has(fault)
    }

    /// A whole-number parameter; the desk has filled in its default.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.parameter(name).and_then(whole).unwrap_or_default()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.parameter(name)?.as_str()
    }

    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.parameter(name)?.as_bool()
    }

    pub(crate) fn raw_body(&self) -> &Value {
        &self.body
    }

    pub(crate) fn body<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        read(self.body.clone())
    }

    fn parameter(&self, name: &str) -> Option<&Value> {
        self.parameters.get(name)
    }
}

type Handler = fn(&mut Call<'_>) -> Answer;

fn handler(operation: &str) -> Option<Handler> {
    Some(match operation {
        "listTools" => tools::list,
        "createTool" => tools::create,
        "getTool" => tools::get,
        "replaceTool" => tools::replace,
        "changeTool" => tools::change,
        "deleteTool" => tools::delete,
        "listRepairs" => repairs::list,
        "createRepair" => repairs::create,
        "getRepair" => repairs::get,
        "deleteRepair" => repairs::delete,
        "createMember" => members::create,
        "getMember" => members::get,
        "replaceMember" => members::replace,
        "deleteMember" => members::delete,
        "createLoan" => loans::create,
        "getLoan" => loans::get,
        "returnLoan" => loans::take_back,
        "listLoans" => loans::list,
        _ => return None,
    })
}

impl Desk {
    pub(crate) fn new(faults: Faults) -> Self {
        Self {
            faults,
            store: Mutex::default(),
        }
    }

    /// The answer to a request; none means that the connection is to be dropped.
    pub(crate) fn answer(&self, request: &Request) -> Option<Reply> {
        if request.method == "GET" && request.path == "/openapi.json" {
            return Some(Reply::json(200, &Document::get().root));
        }
        match Document::get().find(&request.method, &request.path) {
            Ok(operation) => self
                .serve(operation, request)
                .map_or_else(Refusal::reply, Some),
            Err(stray) => turn_away(stray),
        }
    }

    fn serve(&self, operation: &Operation, request: &Request) -> Answer {
        if operation.for_staff && !is_staff(request) && !self.looks_away(operation) {
            return Err(Refusal::Problem(401, "this is staff work".to_owned()));
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let mut call = Call {
            store: &mut store,
            faults: self.faults,
            parameters: parameters(operation, request)?,
            body: read_body(operation, request)?,
        };
        self.check_body(operation, &mut call)?;
        handler(&operation.id).ok_or(Refusal::Crash)?(&mut call)
    }

    fn looks_away(&self, operation: &Operation) -> bool {
        operation.id == "listLoans" && self.faults.has(Fault::OpenLedger)
    }

    fn check_body(&self, operation: &Operation, call: &mut Call<'_>) -> Result<(), Refusal> {
        let Some(schema) = &operation.body else {
            return Ok(());
        };
        let mut problems = checker().problems(schema, &call.body);
        if operation.id == "createMember" && self.faults.has(Fault::OptionalPin) {
            problems.retain(|problem| problem.at != "/pin" || problem.rule != "required");
        }
        let Some(first) = problems.first() else {
            return Ok(());
        };
        let refusal = bad_request(format!("in the body, {first}"));
        if operation.id == "replaceTool" && self.faults.has(Fault::HalfReplaced) {
            tools::rename(call);
        }
        Err(refusal)
    }
}

fn turn_away(stray: Stray) -> Option<Reply> {
    match stray {
        Stray::Path => Refusal::not_found("path").reply(),
        Stray::Method(known) => {
            let refusal = Refusal::Problem(405, "this path has other methods".to_owned());
            Some(refusal.reply()?.with("allow", known.join(", ")))
        }
    }
}

fn is_staff(request: &Request) -> bool {
    request
        .authorization
        .as_deref()
        .and_then(|header| header.split_once(' '))
        .is_some_and(|(scheme, token)| {
            scheme.eq_ignore_ascii_case("bearer") && token.trim() == STAFF_TOKEN
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_operation_has_a_handler() {
        for operation in &Document::get().operations {
            assert!(handler(&operation.id).is_some(), "{}", operation.id);
        }
    }
}
