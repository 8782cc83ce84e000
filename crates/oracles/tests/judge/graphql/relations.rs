//! F501 to F507 where the service speaks GraphQL.

use fossick_ingest::{NoFetch, Source, read};
use fossick_validate::Validators;
use serde_json::{Value, json};

use crate::story::{Story, World};

const SCHEMA: &str = "
    type Venue { id: ID!  name: String!  city: String!  capacity: Int!  stageCount: Int!  stages(limit: Int): [Stage!]! }
    type Stage { id: ID!  name: String!  price(currency: String): Int!  venue: Venue!  fans: [Venue!]! }
    type StageEdge { cursor: String!  node: Stage! }
    type StageConnection { totalCount: Int!  edges: [StageEdge!]! }
    type VenuePage { totalCount: Int!  items: [Venue!]! }
    type Query {
        venues(city: String, minCapacity: Int, limit: Int, offset: Int): VenuePage!
        venue(id: ID!): Venue
        stage(id: ID!): Stage
        stages: StageConnection!
    }
";

fn festival() -> World {
    let source = Source {
        name: "schema.graphql".to_owned(),
        text: SCHEMA.to_owned(),
    };
    let api = read(&source, &mut NoFetch).expect("it can be read").api;
    let validators = Validators::new(&api);
    World { api, validators }
}

fn venue(id: u32) -> Value {
    json!({"id": id.to_string(), "city": "Bristol", "capacity": id * 100})
}

fn venues<'w>(story: Story<'w>, arguments: &str, ids: &[u32]) -> Story<'w> {
    let items: Vec<Value> = ids.iter().copied().map(venue).collect();
    let query = format!("{{ venues({arguments}) {{ totalCount items {{ id city capacity }} }} }}");
    let page = json!({"totalCount": ids.len(), "items": items});
    story.ask(&query, json!({}), json!({"data": {"venues": page}}))
}

#[test]
fn arguments_filter_and_cut_lists_as_queries_do() {
    let world = festival();
    let story = venues(
        world.story(),
        "city: \"Bristol\", minCapacity: 500",
        &[2, 6],
    );
    let found = story.one("F503");
    assert!(found.title.contains("capacity 200"), "{}", found.title);
    let story = venues(world.story(), "limit: 50", &[1, 2, 3]);
    let story = venues(story, "limit: 1", &[1]);
    let story = venues(story, "limit: 1, offset: 1", &[1]);
    venues(story, "limit: 50", &[1, 2, 3]).one("F501");
    let story = venues(
        world.story(),
        "city: \"bristol\", minCapacity: 200",
        &[2, 6],
    );
    story.silent("F503");
}

#[test]
fn a_list_that_nobody_asked_for_is_not_empty() {
    let world = festival();
    let data = json!({"data": {"venues": {"totalCount": 7}}});
    let story = world
        .story()
        .ask("{ venues { totalCount } }", json!({}), data);
    story.silent("F505");
    let data = json!({"data": {"venues": {"totalCount": 7, "items": []}}});
    let story = world.story();
    story
        .ask("{ venues { totalCount items { id } } }", json!({}), data)
        .one("F505");
}

#[test]
fn edges_without_nodes_are_not_nothing() {
    let world = festival();
    let asked = |edge: &str, edges: Value| {
        let data = json!({"data": {"stages": {"totalCount": 1, "edges": edges}}});
        let query = format!("{{ stages {{ totalCount edges {{ {edge} }} }} }}");
        world.story().ask(&query, json!({}), data)
    };
    asked("cursor", json!([{"cursor": "a"}])).silent("F505");
    asked("node { id }", json!([])).one("F505");
}

#[test]
fn a_count_is_not_held_against_a_list_that_was_narrowed() {
    let world = festival();
    let told = |query: &str| {
        let data = json!({"data": {"venue": {"stageCount": 2, "stages": [{"id": "5"}]}}});
        world.story().ask(query, json!({}), data)
    };
    told("{ venue(id: 1) { stageCount stages { id } } }").one("F505");
    told("{ venue(id: 1) { stageCount stages(limit: 1) { id } } }").silent("F505");
}

#[test]
fn a_thing_is_the_same_by_its_key_and_in_its_parent() {
    let world = festival();
    let story = |price: &str, inside: u32| {
        let by_key = format!("{{ stage(id: 5) {{ id {price} }} }}");
        let stage = || json!({"data": {"stage": {"id": "5", "price": 20}}});
        let above =
            json!({"data": {"venue": {"id": "1", "stages": [{"id": "5", "price": inside}]}}});
        world
            .story()
            .ask(&by_key, json!({}), stage())
            .ask(
                "{ venue(id: 1) { id stages { id price } } }",
                json!({}),
                above,
            )
            .ask(&by_key, json!({}), stage())
    };
    let found = story("price", 40).one("F506");
    assert_eq!(
        found.title,
        "price of 5 is 40 in query venue/stages and 20 in query stage"
    );
    story("price", 20).silent("F506");
    story("price(currency: \"EUR\")", 40).silent("F506");
}

#[test]
fn a_child_has_the_parent_that_lists_it() {
    let world = festival();
    let story =
        |query: &str, venue: Value| world.story().ask(query, json!({}), json!({"data": venue}));
    let moved =
        |id: &str| json!({"venue": {"id": "1", "stages": [{"id": "5", "venue": {"id": id}}]}});
    let query = "{ venue(id: 1) { id stages { id venue { id } } } }";
    story(query, moved("3")).one("F507");
    story(query, moved("1")).silent("F507");
    let fans = json!({"stage": {"id": "5", "fans": [{"id": "9", "stages": [{"id": "7"}]}]}});
    story("{ stage(id: 5) { id fans { id stages { id } } } }", fans).silent("F507");
}
