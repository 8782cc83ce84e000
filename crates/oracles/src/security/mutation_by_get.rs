//! A mutation that is carried out when it is sent with GET.

use fossick_contract::{Method, RootKind};
use fossick_trace::Finding;
use serde_json::Value;

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in scene.steps.iter().filter(|s| is_carried_out(s)) {
        let title = format!("{} is carried out with GET", step.operation.label);
        let why = "GET may be repeated, cached, and sent by any page that shows a link; it must not change anything.".to_owned();
        findings.push(
            step.finding(oracle, title, why)
                .marked("mutation by get")
                .caused_by("mutation by get"),
        );
    }
}

fn is_carried_out(step: &Shown<'_>) -> bool {
    let is_mutation = step
        .root()
        .is_some_and(|root| root.kind == RootKind::Mutation);
    let by_get = step.exchange.request.method == Method::Get;
    let is_clean = |body: &Value| {
        let errors = body.get("errors").filter(|errors| !errors.is_null());
        let none = errors.is_none_or(|errors| errors.as_array().is_some_and(Vec::is_empty));
        none && body.get("data").is_some_and(Value::is_object)
    };
    is_mutation
        && by_get
        && (200..300).contains(&step.status())
        && step.json().is_some_and(is_clean)
}
