//! Each check of table 6 of the paper, met and not met.

use serde_json::{Value, json};

use crate::service;

fn plain(id: i32, value: i32) -> Value {
    json!({"id": id, "name": "n", "value": value})
}

/// A `UEear` with its two owned resources, which count instead of its own value.
fn ueear(id: i32, owned: [i32; 2]) -> Value {
    json!({
        "id": id, "name": "n", "value": 1000, "b8v25Id": 1, "iUJWoId": 1,
        "oEXmz": {"id": id * 10, "value": owned[0]},
        "w27dt": {"id": id * 10, "value": owned[1]},
    })
}

#[test]
fn a_plain_resource_lives_and_dies() {
    let (_service, mut caller) = service("sparse-straight-existence-hidden");
    let path = "/rn5Gas";
    assert_eq!(caller.get(path), (200, json!([])));
    assert_eq!(caller.get("/rn5Gas/4").0, 404);
    assert_eq!(caller.send("POST", path, &plain(4, 7)), (201, Value::Null));
    assert_eq!(caller.post(path, &plain(4, 8)), 409);
    assert_eq!(caller.get("/rn5Gas/4"), (200, plain(4, 7)));
    let mut patch = |id: i32, part: Value| {
        let path = format!("/rn5Gas/{id}");
        (caller.send("PATCH", &path, &part).0, caller.get(&path).1)
    };
    assert_eq!(patch(4, json!({"value": 9})), (200, plain(4, 9)));
    assert_eq!(patch(4, json!({"name": "n"})), (200, plain(4, 9)));
    assert_eq!(patch(4, json!({})), (200, plain(4, 9)));
    assert_eq!(patch(5, json!({})).0, 404);
    let put = |value: i32| json!({"name": "n", "value": value});
    assert_eq!(caller.send("PUT", "/rn5Gas/5", &put(1)).0, 201);
    assert_eq!(caller.send("PUT", "/rn5Gas/5", &put(2)).0, 200);
    assert_eq!(caller.send("PUT", "/rn5Gas/5", &json!({"value": 2})).0, 400);
    assert_eq!(caller.get(path), (200, json!([plain(4, 9), plain(5, 2)])));
    assert_eq!(caller.delete("/rn5Gas/4"), 204);
    assert_eq!(caller.delete("/rn5Gas/4"), 404);
    assert_eq!(caller.get(path), (200, json!([plain(5, 2)])));
}

#[test]
fn what_is_depended_on_must_exist() {
    let (_service, mut caller) = service("medium-deep-existence-hidden");
    let one = |need: i32| json!({"id": 1, "name": "n", "value": 0, "u1rA1Id": need});
    assert_eq!(caller.post("/xpOCts", &one(3)), 422);
    assert_eq!(caller.post("/u1rA1s", &plain(3, -5)), 201);
    assert_eq!(caller.post("/xpOCts", &one(3)), 201);
    assert_eq!(caller.get("/xpOCts/1"), (200, one(3)));
    let put = |need: i32| json!({"name": "n", "value": 0, "u1rA1Id": need});
    assert_eq!(caller.send("PUT", "/xpOCts/1", &put(4)).0, 422);
    assert_eq!(caller.send("PUT", "/xpOCts/1", &put(3)).0, 200);
    let patch = |need: i32| json!({"u1rA1Id": need});
    assert_eq!(caller.send("PATCH", "/xpOCts/1", &patch(4)).0, 422);
    assert_eq!(caller.get("/xpOCts/1"), (200, one(3)));
    assert_eq!(caller.post("/u1rA1s", &plain(4, 0)), 201);
    assert_eq!(caller.send("PATCH", "/xpOCts/1", &patch(4)).0, 200);
    assert_eq!(caller.get("/xpOCts/1"), (200, one(4)));
    assert_eq!(caller.delete("/u1rA1s/4"), 204);
    // The reference that was kept leads nowhere now.
    assert_eq!(caller.send("PATCH", "/xpOCts/1", &json!({})).0, 422);
}

#[test]
fn values_must_be_below_those_depended_on() {
    let (_service, mut caller) = service("sparse-straight-property-hidden");
    assert_eq!(caller.post("/jb9Xes", &plain(1, 10)), 201);
    let one = |id: i32, value: i32| json!({"id": id, "name": "n", "value": value, "jb9XeId": 1});
    assert_eq!(caller.post("/kd3Wps", &one(1, 11)), 422);
    assert_eq!(caller.post("/kd3Wps", &one(1, 10)), 422);
    assert_eq!(caller.post("/kd3Wps", &one(1, 9)), 201);
    let patch = |value: i32| json!({"value": value});
    assert_eq!(caller.send("PATCH", "/kd3Wps/1", &patch(10)).0, 422);
    assert_eq!(caller.get("/kd3Wps/1"), (200, one(1, 9)));
    assert_eq!(caller.send("PATCH", "/kd3Wps/1", &patch(-3)).0, 200);
}

#[test]
fn who_owns_several_counts_with_their_values() {
    let (_service, mut caller) = service("dense-central-property-hidden");
    assert_eq!(caller.post("/b8v25s", &plain(1, 10)), 201);
    assert_eq!(caller.post("/iUJWos", &plain(1, 20)), 201);
    // Median and average of what is depended on are 15.
    assert_eq!(caller.post("/uEears", &ueear(1, [10, 20])), 422);
    assert_eq!(caller.get("/oEXmzs"), (200, json!([])));
    assert_eq!(caller.post("/uEears", &ueear(1, [10, 19])), 201);
    assert_eq!(caller.get("/uEears/1"), (200, ueear(1, [10, 19])));
    let owned = json!({"id": 10, "name": "", "value": 10, "uEearId": 1});
    assert_eq!(caller.get("/oEXmzs/10"), (200, owned));
}

#[test]
fn what_is_owned_belongs_to_one_owner() {
    let (_service, mut caller) = service("dense-central-existence-hidden");
    assert_eq!(caller.post("/b8v25s", &plain(1, 0)), 201);
    assert_eq!(caller.post("/iUJWos", &plain(1, 0)), 201);
    assert_eq!(caller.post("/uEears", &ueear(1, [0, 0])), 201);
    let mut second = ueear(2, [0, 0]);
    second["w27dt"]["id"] = json!(10);
    assert_eq!(caller.post("/uEears", &second), 409);
    assert_eq!(caller.get("/oEXmzs/20").0, 404);
    second.as_object_mut().expect("an object").remove("id");
    assert_eq!(caller.send("PUT", "/uEears/2", &second).0, 409);
    let mut first = ueear(1, [3, 4]);
    first.as_object_mut().expect("an object").remove("id");
    assert_eq!(caller.send("PUT", "/uEears/1", &first).0, 200);
    // What the owner is given instead takes the place of what it had.
    first["oEXmz"]["id"] = json!(11);
    assert_eq!(caller.send("PUT", "/uEears/1", &first).0, 200);
    assert_eq!(caller.get("/oEXmzs/10").0, 404);
    assert_eq!(caller.get("/oEXmzs/11").0, 200);
    assert_eq!(caller.delete("/uEears/1"), 204);
    assert_eq!(caller.get("/oEXmzs"), (200, json!([])));
    assert_eq!(caller.get("/w27dts"), (200, json!([])));
}

#[test]
fn what_is_owned_does_not_exist_without_its_owner() {
    let (_service, mut caller) = service("dense-central-existence-hidden");
    let owned = |id: i32, owner: i32| json!({"id": id, "name": "n", "value": 5, "uEearId": owner});
    assert_eq!(caller.post("/oEXmzs", &owned(7, 1)), 422);
    assert_eq!(caller.post("/b8v25s", &plain(1, 0)), 201);
    assert_eq!(caller.post("/iUJWos", &plain(1, 0)), 201);
    assert_eq!(caller.post("/uEears", &ueear(1, [0, 0])), 201);
    assert_eq!(caller.post("/oEXmzs", &owned(7, 1)), 409);
    assert_eq!(caller.delete("/oEXmzs/10"), 204);
    assert_eq!(caller.get("/uEears/1").1.get("oEXmz"), None);
    assert_eq!(caller.post("/oEXmzs", &owned(7, 1)), 201);
    assert_eq!(
        caller.get("/uEears/1").1["oEXmz"],
        json!({"id": 7, "value": 5})
    );
    let put = |owner: i32| json!({"name": "n", "value": 6, "uEearId": owner});
    assert_eq!(caller.send("PUT", "/oEXmzs/7", &put(1)).0, 200);
    assert_eq!(caller.send("PUT", "/oEXmzs/8", &put(1)).0, 409);
    assert_eq!(caller.send("PUT", "/oEXmzs/7", &put(2)).0, 422);
    // Given to another owner, it is missing at the first.
    assert_eq!(caller.post("/uEears", &ueear(2, [0, 0])), 201);
    assert_eq!(caller.delete("/oEXmzs/20"), 204);
    assert_eq!(caller.send("PUT", "/oEXmzs/7", &put(2)).0, 200);
    assert_eq!(caller.get("/uEears/1").1.get("oEXmz"), None);
    let patched = caller.send("PATCH", "/oEXmzs/7", &json!({"value": 1}));
    assert_eq!(patched, (200, Value::Null));
    let mut moved = owned(7, 2);
    moved["value"] = json!(1);
    assert_eq!(caller.get("/oEXmzs/7"), (200, moved));
}

#[test]
fn shown_paths_carry_what_is_depended_on() {
    let (_service, mut caller) = service("dense-central-property-shown");
    let path = "/iUJWos/1/b8v25s/1/uEears";
    let owner = json!({
        "id": 1, "name": "n", "value": 0,
        "oEXmz": {"id": 1, "value": -5}, "w27dt": {"id": 1, "value": -5},
    });
    assert_eq!(caller.post(path, &owner), 404);
    assert_eq!(caller.post("/b8v25s", &plain(1, 0)), 201);
    assert_eq!(caller.post("/iUJWos", &plain(1, -5)), 201);
    assert_eq!(caller.post(path, &owner), 201);
    assert_eq!(caller.get(&format!("{path}/1")), (200, owner.clone()));
    assert_eq!(caller.post(path, &owner), 409);
    let one = format!("{path}/1");
    assert_eq!(caller.send("PATCH", &one, &json!({"value": 8})).0, 200);
    assert_eq!(
        caller
            .send("PATCH", "/iUJWos/2/b8v25s/1/uEears/1", &json!({}))
            .0,
        404
    );
    assert_eq!(caller.post("/uEears/1/oEXmzs", &plain(2, 0)), 409);
    assert_eq!(caller.post("/uEears/9/oEXmzs", &plain(2, 0)), 404);
    assert_eq!(caller.get("/uEears/1/oEXmzs").0, 200);
    assert_eq!(caller.get("/uEears/x/oEXmzs").0, 400);
}

#[test]
fn shown_paths_lead_through_the_whole_chain() {
    let (_service, mut caller) = service("medium-deep-existence-shown");
    assert_eq!(caller.post("/u1rA1s", &plain(1, 0)), 201);
    assert_eq!(caller.post("/u1rA1s/1/xpOCts", &plain(2, 0)), 201);
    let deeper = "/u1rA1s/1/xpOCts/2/hErqDs";
    assert_eq!(caller.post(deeper, &plain(3, 0)), 201);
    assert_eq!(
        caller.post(&format!("{deeper}/4/vIL0Ss"), &plain(5, 0)),
        404
    );
    assert_eq!(
        caller.post(&format!("{deeper}/3/vIL0Ss"), &plain(5, 0)),
        201
    );
    assert_eq!(
        caller.get(&format!("{deeper}/3/vIL0Ss/5")),
        (200, plain(5, 0))
    );
}

#[test]
fn what_cannot_be_read_is_refused() {
    let (_service, mut caller) = service("medium-deep-property-hidden");
    for body in [
        json!([]),
        json!({}),
        json!({"id": 1}),
        json!({"id": 1, "value": 2}),
        json!({"id": 1, "name": 7, "value": 2}),
        json!({"id": "1", "name": "n", "value": 2}),
        json!({"id": 1, "name": "n", "value": 2.5}),
        json!({"id": 1, "name": "n", "value": 3_000_000_000_u32}),
        json!({"id": 1, "name": "n", "value": null}),
    ] {
        assert_eq!(caller.post("/u1rA1s", &body), 400, "{body}");
    }
    assert_eq!(caller.post("/xpOCts", &plain(1, 2)), 400);
    assert_eq!(caller.get("/u1rA1s/one").0, 400);
    assert_eq!(caller.get("/nowhere").0, 404);
    assert_eq!(caller.delete("/u1rA1s"), 405);
}
