//! Values that one call gives and a later one of the same session sends.

use fossick_harvest::{Flow, Intake, Seen};
use serde_json::{Value, json as value};

use super::{answered, intake, json, sent, with_header};

fn of(who: &str, seen: Seen) -> Seen {
    with_header(seen, "Authorization", who)
}

fn told(flows: &[Flow]) -> Vec<String> {
    let told = |flow: &Flow| {
        format!(
            "{} {} -> {} {}",
            flow.from, flow.pointer, flow.to, flow.place
        )
    };
    flows.iter().map(told).collect()
}

fn get(target: &str, answer: &Value) -> Seen {
    of("ada", answered(sent("GET", target, "", ""), 200, answer))
}

fn post(target: &str, body: &Value, answer: &Value) -> Seen {
    of("ada", answered(json(target, body), 201, answer))
}

#[test]
fn an_id_flows_into_paths_queries_and_bodies() {
    let mut intake = intake();
    let made = post(
        "/projects",
        &value!({"name": "x"}),
        &value!({"id": 7, "total": 3}),
    );
    assert_eq!(intake.take(&made).flows, []);
    let task = post(
        "/projects/7/tasks",
        &value!({"projectId": 7, "size": 7}),
        &value!({"id": "t-00091"}),
    );
    assert_eq!(
        told(&intake.take(&task).flows),
        [
            "POST /projects /id -> POST /projects/{}/tasks body /projectId",
            "POST /projects /id -> POST /projects/{}/tasks path 0",
        ]
    );
    let both = get("/projects/7/tasks/t-00091?project=7&page=3", &value!({}));
    assert_eq!(
        told(&intake.take(&both).flows),
        [
            "POST /projects /id -> GET /projects/{}/tasks/{} path 0",
            "POST /projects /id -> GET /projects/{}/tasks/{} query project",
            "POST /projects/{}/tasks /id -> GET /projects/{}/tasks/{} path 1",
        ]
    );
}

#[test]
fn sessions_do_not_mix() {
    let mut intake = intake();
    intake.take(&post(
        "/projects",
        &value!({}),
        &value!({"id": "proj-123456"}),
    ));
    let of_another = of("bob", sent("GET", "/projects/proj-123456", "", ""));
    assert_eq!(intake.take(&of_another).flows, []);
    let nobody = sent("GET", "/projects/proj-123456", "", "");
    assert_eq!(intake.take(&nobody).flows, []);
    assert_eq!(
        intake
            .take(&get("/projects/proj-123456", &value!({})))
            .flows
            .len(),
        1
    );
}

#[test]
fn what_a_call_sent_itself_is_not_its_gift() {
    let mut intake = intake();
    intake.take(&get("/projects", &value!([{"id": "proj-123456"}])));
    intake.take(&get(
        "/projects/proj-123456",
        &value!({"id": "proj-123456"}),
    ));
    let last = intake.take(&get("/projects/proj-123456/tasks", &value!([])));
    assert_eq!(
        told(&last.flows),
        ["GET /projects /-/id -> GET /projects/{}/tasks path 0"]
    );
}

#[test]
fn a_slug_that_was_given_is_a_hole_for_everybody() {
    let mut intake = intake();
    intake.take(&get(
        "/articles",
        &value!({"items": [{"slug": "my-post", "status": "draft"}]}),
    ));
    let read = intake.take(&get(
        "/articles/my-post?status=draft",
        &value!({"authorId": "u-998877"}),
    ));
    assert_eq!(
        told(&read.flows),
        ["GET /articles /items/-/slug -> GET /articles/{} path 0"]
    );
    intake.take(&get("/articles/other", &value!({"authorId": "u-112233"})));
    let author = intake.take(&get("/authors/u-112233", &value!({})));
    assert_eq!(
        told(&author.flows),
        ["GET /articles/{} /authorId -> GET /authors/{} path 0"]
    );
}

#[test]
fn operations_of_graphql_are_named_by_their_root_fields() {
    let mut intake = intake();
    let graphql = |query: &str, variables: Value, answer: Value| {
        post(
            "/graphql",
            &value!({"query": query, "variables": variables}),
            &value!({"data": answer}),
        )
    };
    intake.take(&graphql(
        "mutation($n:String!){made:createProject(name:$n){it:project{id}} other{id}}",
        value!({"n": "x"}),
        value!({"made": {"it": {"id": "7"}}, "other": {"id": "ZZ-123456"}}),
    ));
    let taken = intake.take(&graphql(
        "query($p:ID!,$i:In){project(id:$p){tasks(after:\"ZZ-123456\"){id}} add(input:$i){id}}",
        value!({"p": "7", "i": {"projectId": "7", "size": 7}}),
        value!({}),
    ));
    assert_eq!(
        told(&taken.flows),
        [
            "createProject /data/createProject/project/id -> add argument add.input.projectId",
            "createProject /data/createProject/project/id -> project argument project.id",
            "other /data/other/id -> project argument project/tasks.after",
        ]
    );
}

#[test]
fn nothing_of_a_value_is_in_a_flow() {
    let mut intake = intake();
    let answer = value!({"people": {"ada@example.org": {"id": "secret-4711"}}, "list": [{"email": "ada@example.org"}]});
    intake.take(&get("/people", &answer));
    let taken = intake.take(&get("/people/ada@example.org?id=secret-4711", &value!({})));
    assert_eq!(
        told(&taken.flows),
        ["GET /people /list/-/email -> GET /people/{} path 0"]
    );
}

#[test]
fn an_old_session_is_over() {
    let mut intake = intake();
    intake.take(&post(
        "/projects",
        &value!({}),
        &value!({"id": "proj-123456"}),
    ));
    let mut late = get("/projects/proj-123456", &value!({}));
    late.at += 3_600_000;
    assert_eq!(intake.take(&late).flows, []);
}

/// Otherwise a recorder would grow with the number of clients.
#[test]
fn many_sessions_are_forgotten_in_turn() {
    let mut intake: Intake = intake();
    for who in 0..1500 {
        let made = answered(json("/p", &value!({})), 201, &value!({"id": "proj-123456"}));
        intake.take(&of(&who.to_string(), made));
    }
    let again = |who: &str| of(who, sent("GET", "/p/proj-123456", "", ""));
    assert_eq!(intake.take(&again("1")).flows, []);
    assert_eq!(intake.take(&again("1499")).flows.len(), 1);
}
