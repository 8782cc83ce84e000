//! The corrected twin keeps its document: it serves what is valid, refuses whatever breaks a
//! documented rule, and answers in the documented shapes.

use fossick_demo::Faults;
use serde_json::{Value, json};

use crate::client::{Shed, member, repair, tool, update};
use crate::judge::Twin;
use crate::violations::with;

/// Every operation with a body: request line, path of the document, a valid body.
fn writes(twin: &Twin) -> Vec<(String, &'static str, Value)> {
    let (tool_path, member_path) = (twin.shed.tool(), twin.shed.member());
    let tool_id = twin.shed.get(&tool_path).json()["id"].clone();
    let loan = json!({"toolId": tool_id, "days": 28});
    vec![
        ("POST /tools".into(), "/tools", tool()),
        (format!("PUT {tool_path}"), "/tools/{toolId}", tool()),
        (
            format!("PATCH {tool_path}"),
            "/tools/{toolId}",
            json!({"name": "Saw"}),
        ),
        (
            format!("POST {tool_path}/repairs"),
            "/tools/{toolId}/repairs",
            repair(),
        ),
        ("POST /members".into(), "/members", member()),
        (
            format!("PUT {member_path}"),
            "/members/{memberId}",
            update(),
        ),
        (
            format!("POST {member_path}/loans"),
            "/members/{memberId}/loans",
            loan,
        ),
    ]
}

#[test]
fn every_documented_constraint_of_a_body_is_enforced() {
    let twin = Twin::open();
    for (line, template, valid) in writes(&twin) {
        let method = line.split(' ').next().expect("a method");
        let violations = twin.violations(twin.body_schema(template, method), &valid);
        assert!(violations.len() > 10, "{line}");
        for (rule, body) in violations {
            let answer = twin.send(&line, template, Some(&body));
            assert_eq!(answer.status, 400, "{line}: {rule} with {body}");
        }
        let answer = twin.send(&line, template, Some(&valid));
        assert!(answer.status < 300, "{line} {valid}: {}", answer.text);
    }
}

#[test]
fn refused_writes_change_nothing() {
    let twin = Twin::open();
    let path = twin.shed.tool();
    let before = twin.shed.get(&path).json();
    for (rule, body) in twin.violations(twin.body_schema("/tools/{toolId}", "PUT"), &tool()) {
        if body.is_object() && !rule.starts_with("name") {
            let answer = twin.shed.put(&path, &with(&body, "name", json!("Other")));
            assert_eq!(answer.status, 400, "{rule}");
            assert_eq!(twin.shed.get(&path).json(), before, "{rule}");
        }
    }
}

#[test]
fn bodies_that_are_not_json_are_refused() {
    let twin = Twin::open();
    for (line, template, valid) in writes(&twin) {
        let (method, _) = line.split_once(' ').expect("a method");
        let text = valid.to_string();
        for (status, content_type, body) in [
            (415, "content-type: text/plain", text.as_str()),
            (415, "content-type: application/xml", "<tool/>"),
            (415, "x-nothing: at all", &text),
            (400, "content-type: application/json", ""),
            (400, "content-type: application/json", "{"),
            (400, "content-type: application/json", "{} {}"),
        ] {
            let answer = twin
                .shed
                .raw(&line, &[content_type], body)
                .expect("an answer");
            twin.judge(method, template, &answer);
            assert_eq!(answer.status, status, "{line} {content_type} {body}");
        }
        let charset = ["content-type: Application/JSON; charset=utf-8"];
        let answer = twin.shed.raw(&line, &charset, &text).expect("an answer");
        assert!(answer.status < 300, "{line}");
    }
}

#[test]
fn a_body_of_monstrous_depth_is_refused() {
    let shed = Shed::open(Faults::None);
    let deep = "[".repeat(100_000);
    let headers = ["content-type: application/json"];
    let answer = shed.raw("POST /tools", &headers, &deep).expect("an answer");
    assert_eq!(answer.status, 400);
    assert_eq!(shed.get("/tools").status, 200);
}

#[test]
fn unknown_things_are_not_found() {
    let twin = Twin::open();
    let member = "/members/00000000-0000-4000-8000-0000000000ff";
    let (loan, update) = (json!({"toolId": 1, "days": 1}), update());
    let change = json!({"deposit": 1});
    let (tool, repair) = (tool(), repair());
    for (line, template, body) in [
        ("GET /tools/99".to_owned(), "/tools/{toolId}", None),
        ("PUT /tools/99".to_owned(), "/tools/{toolId}", Some(&tool)),
        (
            "PATCH /tools/99".to_owned(),
            "/tools/{toolId}",
            Some(&change),
        ),
        ("DELETE /tools/99".to_owned(), "/tools/{toolId}", None),
        (
            "GET /tools/99/repairs".to_owned(),
            "/tools/{toolId}/repairs",
            None,
        ),
        (
            "POST /tools/99/repairs".to_owned(),
            "/tools/{toolId}/repairs",
            Some(&repair),
        ),
        (
            "GET /tools/99/repairs/1".to_owned(),
            "/tools/{toolId}/repairs/{repairId}",
            None,
        ),
        (
            "DELETE /tools/99/repairs/1".to_owned(),
            "/tools/{toolId}/repairs/{repairId}",
            None,
        ),
        (format!("GET {member}"), "/members/{memberId}", None),
        (
            format!("PUT {member}"),
            "/members/{memberId}",
            Some(&update),
        ),
        (
            format!("POST {member}/loans"),
            "/members/{memberId}/loans",
            Some(&loan),
        ),
        ("GET /loans/99".to_owned(), "/loans/{loanId}", None),
        (
            "POST /loans/99/return".to_owned(),
            "/loans/{loanId}/return",
            None,
        ),
    ] {
        assert_eq!(twin.send(&line, template, body).status, 404, "{line}");
    }
}

#[test]
fn a_tool_lives_and_dies_as_documented() {
    let twin = Twin::open();
    let one = "/tools/{toolId}";
    let made = twin.send(
        "POST /tools",
        "/tools",
        Some(&with(&tool(), "id", json!(77))),
    );
    let path = made.header("location").expect("a location").to_owned();
    let told = made.json();
    assert_eq!(path, "/tools/1", "an id that is sent is ignored");
    assert_eq!(twin.send(&format!("GET {path}"), one, None).json(), told);
    let bare = json!({"name": "Rake", "code": "GA-0001", "category": "garden", "deposit": 3.0});
    let replaced = twin.send(&format!("PUT {path}"), one, Some(&bare)).json();
    assert_eq!(
        (&replaced["deposit"], &replaced["tags"]),
        (&json!(3), &json!([]))
    );
    let change = json!({"boughtOn": "2024-02-29", "deposit": 4});
    let changed = twin
        .send(&format!("PATCH {path}"), one, Some(&change))
        .json();
    assert_eq!(
        (&changed["name"], &changed["deposit"]),
        (&json!("Rake"), &json!(4))
    );
    assert_eq!(
        twin.send("GET /tools", "/tools", None).json(),
        json!([changed])
    );
    assert_eq!(twin.send(&format!("DELETE {path}"), one, None).status, 204);
    assert_eq!(twin.send(&format!("DELETE {path}"), one, None).status, 404);
    assert_eq!(twin.send("GET /tools", "/tools", None).json(), json!([]));
}

#[test]
fn lists_are_cut_and_filtered() {
    let shed = Shed::open(Faults::None);
    for category in ["hand", "garden", "hand"] {
        shed.post("/tools", &with(&tool(), "category", json!(category)));
    }
    let ids = |query: &str| -> Vec<_> {
        let list = shed.get(&format!("/tools{query}")).json();
        let list = list.as_array().expect("a list").clone();
        list.iter().filter_map(|tool| tool["id"].as_u64()).collect()
    };
    assert_eq!(ids("?limit=2"), [1, 2]);
    assert_eq!(ids("?offset=1&limit=1"), [2]);
    assert_eq!(ids("?offset=10000"), [0; 0]);
    assert_eq!(ids("?category=hand"), [1, 3]);
    let loan = json!({"toolId": 3, "days": 1});
    shed.post(&format!("{}/loans", shed.member()), &loan);
    assert_eq!(ids("?available=true"), [1, 2]);
    assert_eq!(ids("?available=false&category=hand"), [3]);
}

#[test]
fn repairs_stay_with_their_tool_and_go_with_it() {
    let twin = Twin::open();
    let (list, one) = (
        "/tools/{toolId}/repairs",
        "/tools/{toolId}/repairs/{repairId}",
    );
    let (first, second) = (twin.shed.tool(), twin.shed.tool());
    let path = twin.shed.repair(&first);
    let told = twin.send(&format!("GET {path}"), one, None).json();
    assert_eq!(
        twin.send(&format!("GET {first}/repairs"), list, None)
            .json(),
        json!([told])
    );
    assert_eq!(
        twin.send(&format!("GET {second}/repairs"), list, None)
            .json(),
        json!([])
    );
    let elsewhere = path.replacen(&first, &second, 1);
    assert_eq!(
        twin.send(&format!("DELETE {elsewhere}"), one, None).status,
        404
    );
    assert_eq!(twin.shed.delete(&first).status, 204);
    assert_eq!(twin.send(&format!("GET {path}"), one, None).status, 404);
}

#[test]
fn a_lent_tool_holds_member_and_tool_until_it_is_back() {
    let twin = Twin::open();
    let (tool, member) = (twin.shed.tool(), twin.shed.member());
    let lend = format!("POST {member}/loans");
    let body = json!({"toolId": 1, "days": 28});
    let loans = "/members/{memberId}/loans";
    let loan = twin.send(&lend, loans, Some(&body));
    assert_eq!((loan.status, &loan.json()["fee"]), (201, &json!(1400)));
    assert_eq!(twin.send(&lend, loans, Some(&body)).status, 409);
    assert_eq!(
        twin.send(&format!("DELETE {tool}"), "/tools/{toolId}", None)
            .status,
        409
    );
    assert_eq!(twin.shed.as_staff(&format!("DELETE {member}")).status, 409);
    let back = "/loans/{loanId}/return";
    assert_eq!(twin.send("POST /loans/1/return", back, None).status, 200);
    assert_eq!(twin.send("POST /loans/1/return", back, None).status, 409);
    let told = twin.send("GET /loans/1", "/loans/{loanId}", None).json();
    assert_eq!(told["state"], "returned");
    assert_eq!(twin.shed.as_staff(&format!("DELETE {member}")).status, 204);
    let gone = twin.send(&format!("GET {member}"), "/members/{memberId}", None);
    assert_eq!(gone.status, 404);
    assert_eq!(
        twin.send("GET /loans/1", "/loans/{loanId}", None).status,
        404
    );
}

#[test]
fn staff_work_needs_the_token_and_the_token_is_enough() {
    let twin = Twin::open();
    let member = twin.shed.member();
    let list = "GET /staff/loans?state=out";
    for (line, template) in [
        (list.to_owned(), "/staff/loans"),
        (format!("DELETE {member}"), "/members/{memberId}"),
    ] {
        let (method, _) = line.split_once(' ').expect("a method");
        for header in [
            "x-no: token",
            "authorization: Bearer wrong",
            "authorization: Basic YQ==",
        ] {
            let answer = twin.shed.raw(&line, &[header], "").expect("an answer");
            twin.judge(method, template, &answer);
            assert_eq!(
                (answer.status, answer.header("www-authenticate")),
                (401, Some("Bearer"))
            );
        }
        let welcome = twin.shed.as_staff(&line);
        twin.judge(method, template, &welcome);
        assert!(welcome.status < 300, "{line}");
    }
    assert_eq!(twin.shed.as_staff("GET /staff/loans").status, 400);
    assert_eq!(
        twin.shed.as_staff("GET /staff/loans?state=lost").status,
        400
    );
}

#[test]
fn undeclared_methods_and_paths_are_refused_politely() {
    let shed = Shed::open(Faults::None);
    let answer = shed.send("PUT /tools", Some(&tool()));
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("GET, POST"))
    );
    assert_eq!(
        answer.header("content-type"),
        Some("application/problem+json")
    );
    assert_eq!(shed.get("/nowhere").status, 404);
    assert_eq!(shed.get("/openapi.json").json()["openapi"], "3.1.0");
}

#[test]
fn the_examples_of_the_document_are_welcome() {
    let twin = Twin::open();
    for (line, template, _) in writes(&twin) {
        let (method, _) = line.split_once(' ').expect("a method");
        let operation = &twin.document["paths"][template][method.to_lowercase()];
        let body = twin.resolve(&operation["requestBody"]);
        if let Some(example) = body["content"]["application/json"].get("example") {
            assert!(
                twin.send(&line, template, Some(example)).status < 300,
                "{line}"
            );
        }
    }
}
