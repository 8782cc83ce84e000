//! Every plan makes what it needs: what its lists name, and what it borrowed from others.

use std::sync::Arc;

use fossick_genes::{Gene, Source};
use fossick_plan::{Bind, Plan, Spot, Step};
use fossick_search::{Search, borrowed};
use fossick_trace::{Role, Take};
use serde_json::json;

use crate::depot::{Depot, Refusal, world};
use crate::play::{Round, World, free, play, run};

fn labels<'w>(world: &'w World, plan: &Plan) -> Vec<&'w str> {
    let label = |step: &Step| world.api.operation(step.operation).label.as_str();
    plan.steps.iter().map(label).collect()
}

/// A search that has played for a while, and a depot that knows nothing of it.
fn seasoned(world: &World, rounds: usize) -> (Search<'_>, Vec<Round>) {
    let mut depot = Depot::new(Refusal::Named);
    let mut search = world.search(free(1));
    let rounds = play(&mut search, rounds, |request| depot.answer(request));
    (search, rounds)
}

#[test]
fn what_every_item_of_a_list_names_is_made_first() {
    let world = world();
    let (_, rounds) = seasoned(&world, 60);
    let ordered = rounds.iter().find(|round| {
        let made = world.subject(round) == "POST /orders";
        made && round.statuses().last() == Some(&201)
    });
    let round = ordered.expect("an order was accepted");
    let main = round.main();
    let bound = |pointer: &str| {
        let spot = Spot::Body(pointer.to_owned());
        main.bind_at(&spot).map(|bind| bind.step)
    };
    assert!(bound("/lines/0/sku").is_some() && bound("/lines/1/sku").is_some());
    let backup = ["/backup/supplierIds/0", "/backup/supplierIds/1"].map(bound);
    assert!(backup[0].is_some() && backup[1].is_some());
    assert_ne!(backup[0], backup[1], "the list may hold nothing twice");
    let mut depot = Depot::new(Refusal::Named);
    let again = run(&round.script, &mut |request: &_| depot.answer(request));
    let last = again.exchanges.last().and_then(|e| e.outcome.status());
    assert_eq!(last, Some(201), "it works where nothing was before");
}

/// An order of things that others made: a literal, an item of a list, a number that exists.
fn leaning(world: &World, rounds: &[Round]) -> Plan {
    let accepted = |round: &&Round| {
        world.subject(round) == "POST /orders" && round.statuses().last() == Some(&201)
    };
    let round = rounds.iter().find(accepted).expect("an order was accepted");
    let mut order = round.main().clone();
    order.binds.clear();
    let sent: serde_json::Value = serde_json::from_slice(
        &round
            .episode
            .exchanges
            .last()
            .expect("it was sent")
            .request
            .body,
    )
    .expect("JSON");
    let body = order.body.as_mut().expect("a body");
    let article = sent["lines"][0]["sku"].clone();
    let suppliers = &sent["backup"]["supplierIds"];
    body.gene.set("/lines/0/sku", article, Source::Seen);
    body.gene
        .set("/backup/supplierIds/0", suppliers[0].clone(), Source::Seen);
    body.gene.set(
        "/backup/supplierIds/1",
        suppliers[1].clone(),
        Source::Random,
    );
    order.binds.push(Bind {
        spot: Spot::Body("/lines/1/sku".to_owned()),
        step: 0,
        take: Take::Pointer("/0/sku".to_owned()),
    });
    let mut list = Step::new(world.index("GET /articles"), 0);
    list.role = Role::Setup;
    let mut look = Step::new(world.index("GET /suppliers/{id}"), 1);
    look.arguments[0] = Some(Gene::literal(suppliers[0].clone(), Source::Seen));
    look.role = Role::Check;
    Plan {
        steps: vec![list, order, look],
    }
}

#[test]
fn a_plan_that_leans_on_others_is_made_to_stand_alone() {
    let world = world();
    let (mut search, rounds) = seasoned(&world, 60);
    let plan = leaning(&world, &rounds);
    let spots: Vec<(usize, Spot)> = borrowed(&plan)
        .into_iter()
        .map(|(at, spot, _)| (at, spot))
        .collect();
    let body = |pointer: &str| Spot::Body(pointer.to_owned());
    let expected = [
        (1, body("/lines/0/sku")),
        (1, body("/backup/supplierIds/0")),
        (1, body("/lines/1/sku")),
        (2, Spot::Parameter(0)),
    ];
    assert_eq!(spots, expected);

    let whole = search.stand_alone(&plan);
    assert!(whole.stands_alone(), "{:?}", whole.borrowed);
    let labels = labels(&world, &whole.plan);
    assert!(
        !labels.contains(&"GET /articles"),
        "the list is not needed any more: {labels:?}"
    );
    let count = |label: &str| labels.iter().filter(|l| **l == label).count();
    assert_eq!(
        (count("POST /orders"), count("GET /suppliers/{id}")),
        (1, 1)
    );

    let mut depot = Depot::new(Refusal::Named);
    let script = Arc::new(search.render(&whole.plan));
    let episode = run(&script, &mut |request: &_| depot.answer(request));
    let statuses: Vec<_> = episode
        .exchanges
        .iter()
        .filter_map(|e| e.outcome.status())
        .collect();
    assert_eq!(statuses.last(), Some(&200), "{labels:?} {statuses:?}");
    // The look is at the very supplier that the order names.
    let order = whole.plan.main();
    let named = whole.plan.steps[order].bind_at(&body("/backup/supplierIds/0"));
    let looked = whole.plan.steps[order + 1].bind_at(&Spot::Parameter(0));
    assert_eq!(
        named.map(|b| (b.step, &b.take)),
        looked.map(|b| (b.step, &b.take))
    );
}

#[test]
fn a_plan_that_borrows_nothing_borrows_nothing_afterwards() {
    let world = world();
    let (mut search, rounds) = seasoned(&world, 40);
    let alone = |r: &&crate::play::Round| borrowed(&r.proposal.plan).is_empty();
    let mut seen = 0;
    for round in rounds.iter().filter(alone).take(10) {
        let whole = search.stand_alone(&round.proposal.plan);
        let told = labels(&world, &whole.plan);
        assert!(borrowed(&whole.plan).is_empty(), "{told:?}");
        assert!(whole.plan.steps.len() >= round.proposal.plan.steps.len());
        seen += 1;
    }
    assert!(seen > 0);
}

/// Nobody makes ghosts: whoever speaks of one leans on somebody else.
#[test]
fn what_nobody_makes_stays_borrowed() {
    let world = World::workshop();
    let mut search = world.search(free(1));
    let mut ghost = Step::new(world.index("GET /ghosts/{ghost_id}"), 1);
    ghost.arguments[0] = Some(Gene::literal(json!(7), Source::Seen));
    let plan = Plan { steps: vec![ghost] };
    let whole = search.stand_alone(&plan);
    assert_eq!(whole.borrowed, [(0, Spot::Parameter(0), json!(7))]);
    assert_eq!(whole.plan, plan);
}

const SCHEMA: &str = "
    type Query { article(id: ID!): Article }
    type Mutation {
        addArticle(name: String!): Article!
        addOrder(note: String!, lines: [LineInput!]!): Order!
    }
    type Article { id: ID! name: String! }
    type Order { id: ID! note: String! }
    input LineInput { articleId: ID! count: Int! }
";

#[test]
fn items_of_graphql_lists_get_what_they_need_as_well() {
    let world = World::document("schema.graphql", SCHEMA.to_owned());
    let mut search = world.search(free(4));
    let mut made = 0;
    let rounds = play(&mut search, 120, |request| {
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let query = body["query"].as_str().unwrap_or("");
        made += 1;
        match () {
            () if query.contains("addArticle") => {
                let id = format!("article-{made}");
                (
                    200,
                    json!({"data": {"addArticle": {"id": id, "name": "x"}}}),
                )
            }
            () if query.contains("addOrder") => {
                let none = Vec::new();
                let lines = body["variables"]["lines"].as_array().unwrap_or(&none);
                let there = |line: &serde_json::Value| {
                    let id = line["articleId"].as_str();
                    id.is_some_and(|id| id.starts_with("article-"))
                };
                if !lines.is_empty() && lines.iter().all(there) {
                    return (200, json!({"data": {"addOrder": {"id": "o", "note": "x"}}}));
                }
                let told = json!([{"message": "article not found", "path": ["addOrder"]}]);
                (200, json!({"data": null, "errors": told}))
            }
            () => (
                200,
                json!({"data": {"article": {"id": "article-1", "name": "x"}}}),
            ),
        }
    });
    let bound = |round: &&Round| {
        let step = round.main();
        let lines = step.value_at(&Spot::Body("/lines".to_owned()));
        let count = lines.and_then(|lines| lines.as_array().map(Vec::len));
        let all = (0..count.unwrap_or(0)).all(|at| {
            let spot = Spot::Body(format!("/lines/{at}/articleId"));
            step.bind_at(&spot).is_some()
        });
        world.subject(round) == "mutation addOrder" && count > Some(1) && all
    };
    let many = rounds
        .iter()
        .find(bound)
        .expect("an order of several articles");
    assert!(
        many.episode
            .exchanges
            .iter()
            .all(|e| e.outcome.is_success())
    );
}
