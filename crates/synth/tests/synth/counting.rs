//! What is counted, and what a reset leaves.

use fossick_synth::{Model, document, serve};
use serde_json::json;

use crate::service;

#[test]
fn coverage_grows_with_what_is_reached_and_outlives_a_reset() {
    let (service, mut caller) = service("sparse-straight-existence-hidden");
    let start = service.coverage();
    assert_eq!((start.lines.covered, start.branches.covered), (0, 0));
    assert!(start.lines.all > 100 && start.branches.all > 40);

    let body = json!({"id": 1, "name": "n", "value": 1});
    caller.post("/rn5Gas", &body);
    let made = service.coverage();
    // Eight lines of which the refusal is not reached, and one side of one branch.
    assert_eq!((made.lines.covered, made.branches.covered), (7, 1));
    caller.post("/rn5Gas", &body);
    let refused = service.coverage();
    assert_eq!((refused.lines.covered, refused.branches.covered), (8, 2));

    assert_eq!(caller.post("/__reset", &json!(null)), 204);
    assert_eq!(caller.get("/rn5Gas/1").0, 404);
    let (status, told) = caller.get("/__coverage");
    assert_eq!(status, 200);
    let now = service.coverage();
    assert_eq!(
        told,
        json!({
            "lines": {"covered": now.lines.covered, "all": now.lines.all},
            "branches": {"covered": now.branches.covered, "all": now.branches.all},
        })
    );
    assert!(now.lines.covered > refused.lines.covered);
}

#[test]
fn the_document_is_served() {
    let model = Model::named("dense-central-property-shown").expect("one of the twelve");
    let (_service, mut caller) = service(&model.name);
    let text = document(&model).expect("it is consistent");
    let served = caller.get("/openapi.json").1;
    assert_eq!(
        served,
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")
    );
}

#[test]
fn a_dropped_service_frees_port_and_socket() {
    let (service, caller) = service("sparse-straight-existence-hidden");
    let (address, socket) = (service.address, service.probe_path().to_owned());
    assert!(socket.exists());
    drop(caller);
    drop(service);
    assert!(std::net::TcpStream::connect(address).is_err());
    assert!(!socket.exists());
}

#[test]
fn a_model_that_contradicts_itself_is_not_served() {
    let mut model = Model::named("medium-deep-property-hidden").expect("one of the twelve");
    model.dependencies[0].to = "Nobody".to_owned();
    assert!(serve(&model, 0).is_err());
    assert!(document(&model).is_err());
}
