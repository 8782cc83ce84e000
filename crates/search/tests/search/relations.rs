//! Plans whose answers must go together.

use fossick_contract::Method;
use fossick_search::Way;
use serde_json::{Value, json};

use crate::play::{Round, World, free, play};
use crate::workshop::{Workshop, document, schemas};

fn related(world: &World) -> Vec<Round> {
    let mut rounds = world.played(free(1), 600);
    rounds.retain(|round| round.proposal.way == Way::Related);
    rounds
}

/// Whoever judges a list must know that nobody changed it meanwhile.
#[test]
fn what_is_asked_of_a_list_stands_between_two_equal_looks() {
    let world = World::workshop();
    let rounds = related(&world);
    let of_lists = rounds.iter().filter(|round| {
        let subject = world.subject(round);
        subject == "GET /projects" || subject == "GET /projects/{project_id}/tasks"
    });
    let mut framed = 0;
    for round in of_lists {
        let subject = world.subject(round);
        let calls = round.script.calls.iter();
        let looks: Vec<_> = calls.filter(|call| *call.operation == *subject).collect();
        let [first, .., last] = looks.as_slice() else {
            continue;
        };
        assert_eq!(first.target, last.target, "{subject}");
        framed += 1;
    }
    assert!(framed > 1, "{framed}");
}

#[test]
fn a_list_under_a_parent_has_something_in_it_when_it_is_asked() {
    let world = World::workshop();
    let rounds = related(&world);
    let nested = |round: &&Round| world.subject(round) == "GET /projects/{project_id}/tasks";
    let mut nested = rounds.iter().filter(nested).peekable();
    assert!(nested.peek().is_some());
    for round in nested {
        let verbs = world.verbs(&round.proposal.plan);
        assert!(verbs.starts_with("POST POST POST POST GET"), "{verbs}");
    }
}

fn query(name: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "schema": schema})
}

/// Looks at a list of projects by some parameter, each plan's apart; the service takes no notice of
/// it.
fn looks_by(handle: &str, handles: &[Value]) -> Vec<Vec<String>> {
    let mut paths = document();
    paths["/projects"]["get"]["parameters"] = json!(handles);
    let world = World::of(paths, json!({ "schemas": schemas() }));
    let mut workshop = Workshop::new();
    let mut search = world.search(free(1));
    let rounds = play(&mut search, 600, |request| {
        let mut request = request.clone();
        if request.method == Method::Get && request.target.starts_with("/projects?") {
            request.target.truncate("/projects".len());
        }
        workshop.answer(&request)
    });
    let looks = |round: &Round| -> Vec<String> {
        let requests = round.episode.exchanges.iter().map(|e| &e.request);
        requests
            .filter(|r| r.method == Method::Get && r.target.contains(&format!("{handle}=")))
            .map(|r| r.target.clone())
            .collect()
    };
    let related = rounds.iter().filter(|round| {
        world.subject(round) == "GET /projects" && round.proposal.way == Way::Related
    });
    related.map(looks).filter(|looks| looks.len() > 1).collect()
}

#[test]
fn pages_in_an_order_stand_between_looks_at_the_whole_in_that_order() {
    let number = json!({"type": "integer", "minimum": 1, "maximum": 50});
    let orders = json!({"type": "string", "enum": ["size", "-size"]});
    let handles = [
        query("limit", &number),
        query("offset", &json!({"type": "integer"})),
        query("sort", &orders),
    ];
    let plans = looks_by("sort", &handles);
    for order in ["size", "-size"] {
        let wanted = [
            format!("/projects?limit=50&sort={order}"),
            format!("/projects?limit=2&sort={order}"),
            format!("/projects?limit=2&offset=2&sort={order}"),
            format!("/projects?limit=50&sort={order}"),
        ];
        let asked = plans.iter().filter(|looks| **looks == wanted).count();
        assert_eq!(asked, 1, "{plans:?}");
    }
}

#[test]
fn a_list_without_a_limit_has_no_pages_in_any_order() {
    let orders = json!({"type": "string", "enum": ["size", "-size"]});
    let plans = looks_by("sort", &[query("sort", &orders)]);
    let all = ["/projects?sort=size", "/projects?sort=-size"];
    assert!(plans.iter().all(|looks| *looks == all), "{plans:?}");
}

#[test]
fn filtered_pages_stand_between_looks_at_all_that_the_filter_lets_through() {
    let number = json!({"type": "integer", "minimum": 1, "maximum": 50});
    let handles = [
        query("limit", &number),
        query("offset", &json!({"type": "integer"})),
        query("name", &json!({"type": "string"})),
    ];
    let plans = looks_by("name", &handles);
    let paged: Vec<&Vec<String>> = plans
        .iter()
        .filter(|looks| looks.iter().any(|look| look.contains("offset=2")))
        .collect();
    assert!(!paged.is_empty(), "{plans:?}");
    for looks in paged {
        let [whole, first, second, again] = looks.as_slice() else {
            panic!("{looks:?}");
        };
        assert_eq!(whole, again);
        assert_eq!(*first, whole.replace("limit=50", "limit=2"));
        assert_eq!(*second, whole.replace("limit=50", "limit=2&offset=2"));
    }
}

/// A long list shows only its beginning.
#[test]
fn what_is_looked_for_by_a_filter_after_its_removal_can_be_told_from_others() {
    let (mut paths, mut schemas) = (document(), schemas());
    let city = json!({"type": "string", "minLength": 1});
    paths["/projects"]["get"]["parameters"] = json!([query("city", &city)]);
    for schema in ["NewProject", "Project"] {
        schemas[schema]["properties"]["city"] = city.clone();
    }
    schemas["NewProject"]["required"] = json!(["name", "size", "city"]);
    let world = World::of(paths, json!({ "schemas": schemas }));
    let rounds = world.played(free(1), 600);
    let lives = rounds.iter().filter(|r| r.proposal.way == Way::Life);
    let targets = lives.flat_map(|round| {
        let requests = round.episode.exchanges.iter().map(|e| &e.request.target);
        let removes = world.subject(round) == "DELETE /projects/{project_id}";
        requests.filter(move |t| removes && t.starts_with("/projects?city="))
    });
    let cities: Vec<&String> = targets.collect();
    let sent = |city: &str| {
        let asked = city.replace("/projects?city=", "");
        let bodies = rounds.iter().flat_map(|round| &round.episode.exchanges);
        let made = bodies.filter(|e| String::from_utf8_lossy(&e.request.body).contains(&asked));
        made.count()
    };
    let [usual, own] = cities.as_slice() else {
        panic!("{cities:?}");
    };
    assert!(sent(usual) > 1 && sent(own) == 1, "{cities:?}");
}
