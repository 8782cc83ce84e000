//! References that only names tell, and keys of several parts.

use crate::desk::Desk;
use crate::schemas::FLAGS;

fn needs(desk: &Desk, label: &str) -> Vec<String> {
    let needs = desk.pointers(label).into_iter();
    needs.map(|(at, _)| at.to_owned()).collect()
}

#[test]
fn a_field_called_like_a_type_holds_the_key_of_one() {
    let desk = Desk::schema(FLAGS);
    let ways = desk.ways_at("mutation createFeature", "/input/feature/project");
    let expected = [
        "Creator mutation createProject /data/createProject/project/id",
        "Creator mutation createProject sent /input/project/id",
        "Lister query projects /data/projects/edges/0/node/id",
    ];
    assert_eq!(ways, expected, "and never the key that all nodes have");
    let best = desk.best_at("mutation createFeature", "/input/feature/user");
    let user = "Creator mutation createUser /data/createUser/user/username";
    assert_eq!(best, user, "a text, so it can't be the number");
    let best = desk.best_at("mutation createMetric", "/input/metric/environment");
    let environment = "Creator mutation createEnvironment /data/createEnvironment/environment/name";
    assert_eq!(best, environment);
}

#[test]
fn a_type_and_its_field_are_told_apart() {
    let desk = Desk::schema(FLAGS);
    let label = "mutation createFeatureEnvironment";
    let best = desk.best_at(label, "/input/featureEnvironment/featureName");
    let feature = "Creator mutation createFeature /data/createFeature/feature/name";
    assert_eq!(best, feature);
    let label = "mutation createMilestoneStrategy";
    let best = desk.best_at(label, "/input/milestoneStrategy/strategyName");
    let strategy = "Creator mutation createStrategy /data/createStrategy/strategy/name";
    assert_eq!(best, strategy);
    assert_eq!(
        needs(&desk, label),
        ["/input/milestoneStrategy/strategyName"]
    );
}

#[test]
fn a_key_that_only_one_type_has_refers_to_it() {
    let desk = Desk::schema(FLAGS);
    let best = desk.best_at("mutation createMetric", "/input/metric/appName");
    let application = "Creator mutation createClientApplication \
                       /data/createClientApplication/clientApplication/appName";
    assert_eq!(best, application);
}

/// Nor is a key beside the usual one a reference, nor what is chosen from a set.
#[test]
fn what_a_creation_calls_its_thing_is_no_reference() {
    let desk = Desk::schema(FLAGS);
    let feature = needs(&desk, "mutation createFeature");
    assert_eq!(feature, ["/input/feature/project", "/input/feature/user"]);
    let metric = needs(&desk, "mutation createMetric");
    assert_eq!(
        metric,
        ["/input/metric/appName", "/input/metric/environment"]
    );
    for label in ["createProject", "createUser", "createClientApplication"] {
        assert_eq!(
            needs(&desk, &format!("mutation {label}")),
            [""; 0],
            "{label}"
        );
    }
}

#[test]
fn what_names_alone_say_is_less_sure() {
    let desk = Desk::schema(FLAGS);
    let natural = desk.edges("mutation createFeature", "project")[0].confidence();
    let key = desk.edges("query project", "id")[0].confidence();
    assert!(natural < key - 0.1, "{natural} {key}");
}

#[test]
fn no_text_stands_for_a_number_and_no_number_for_a_text() {
    let desk = Desk::schema(
        "type Query { shelf(id: Int!): Shelf desk(id: String!): Desk }
         type Shelf { id: Int! } type Desk { id: String! } type Book { id: ID! }
         type Mutation { createShelf(label: String!): Shelf createDesk(label: String!): Desk
                         createBook(shelfId: String!, deskId: Int!, shelf: String!): Book
                         moveBook(shelfId: ID!, deskId: ID!): Boolean }",
    );
    let label = "mutation createBook";
    assert_eq!(needs(&desk, label), ["/shelfId", "/deskId"]);
    for pointer in ["/shelfId", "/deskId"] {
        assert_eq!(desk.ways_at(label, pointer), [""; 0], "{pointer}");
        assert_eq!(desk.ways_at("mutation moveBook", pointer).len(), 1);
    }
}

#[test]
fn all_keys_of_a_call_come_from_one_maker() {
    let desk = Desk::schema(FLAGS);
    let sent = "mutation createEmailsSent";
    for (label, above) in [
        ("query emailsSent", ""),
        ("mutation deleteEmailsSent", "/input"),
    ] {
        for field in ["id", "type"] {
            let best = desk.best_at(label, &format!("{above}/{field}"));
            let made = format!("Creator {sent} /data/createEmailsSent/emailsSent/{field}");
            assert_eq!(best, made, "{label}");
        }
    }
    let at = desk.best_at("query metric", "/at");
    assert_eq!(at, "Creator mutation createMetric sent /input/metric/at");
    let reader = desk.graph.first_reader(&desk.api, desk.index(sent));
    assert_eq!(desk.label(reader), "query emailsSent");
}

#[test]
fn what_stands_beside_a_patch_says_what_is_changed() {
    let desk = Desk::schema(FLAGS);
    let label = "mutation updateFeatureEnvironment";
    assert_eq!(
        needs(&desk, label),
        ["/input/environment", "/input/featureName"]
    );
    for field in ["environment", "featureName"] {
        let way = "/data/createFeatureEnvironment/featureEnvironment";
        let made = format!("Creator mutation createFeatureEnvironment {way}/{field}");
        assert_eq!(desk.best_at(label, &format!("/input/{field}")), made);
    }
}

/// `labelByKind` is the foreign key itself, and `labelByKindAndText` one of two columns.
#[test]
fn a_field_named_after_columns_says_where_they_lead() {
    let desk = Desk::schema(
        "type Query { kind(name: String!): Kind label(kind: String!, text: String!): Label
                      token(secret: String!): Token }
         type Kind { name: String! labelsByKind: LabelsConnection! }
         type Label { kind: String! text: String! kindByKind: Kind }
         type Token { secret: String! use: Use grantsBySecret: GrantsConnection! }
         type Use { tokenValue: String! tokenByTokenValue: Token }
         type Grant { secret: String! labelKind: String labelText: String
                      tokenBySecret: Token labelByLabelKindAndLabelText: Label }
         type LabelsConnection { nodes: [Label]! } type GrantsConnection { nodes: [Grant]! }
         type Mutation { createKind(name: String!): Kind
                         createLabel(kind: String!, text: String!): Label
                         createToken(secret: String!): Token
                         createUse(tokenValue: String!): Use
                         createGrant(secret: String!, labelKind: String, labelText: String): Grant }",
    );
    for (label, pointer, expected) in [
        ("createLabel", "/kind", "createKind /data/createKind/name"),
        (
            "createUse",
            "/tokenValue",
            "createToken /data/createToken/secret",
        ),
        (
            "createGrant",
            "/secret",
            "createToken /data/createToken/secret",
        ),
        (
            "createGrant",
            "/labelKind",
            "createLabel /data/createLabel/kind",
        ),
        (
            "createGrant",
            "/labelText",
            "createLabel /data/createLabel/text",
        ),
    ] {
        let best = desk.best_at(&format!("mutation {label}"), pointer);
        assert_eq!(best, format!("Creator mutation {expected}"), "{label}");
    }
    assert_eq!(needs(&desk, "mutation createToken"), [""; 0]);
    assert_eq!(needs(&desk, "mutation createKind"), [""; 0]);
}

#[test]
fn two_things_with_one_key_do_not_wait_for_each_other() {
    let desk = Desk::schema(
        "type Query { user(login: String!): User profile(login: String!): Profile }
         type User { login: String! profileByLogin: Profile }
         type Profile { login: String! userByLogin: User }
         type Mutation { createUser(login: String!): User createProfile(login: String!): Profile }",
    );
    assert_eq!(needs(&desk, "mutation createUser"), [""; 0]);
    assert_eq!(needs(&desk, "mutation createProfile"), [""; 0]);
}

#[test]
fn a_part_of_a_name_may_be_the_name_of_a_part() {
    let desk = Desk::schema(
        "type Query { tagType(name: String!): TagType tags: [Tag!]! }
         type TagType { name: String! } type Tag { type: String! value: String! }
         type Mutation { createTagType(name: String!): TagType
                         createTag(type: String!, value: String!): Tag }",
    );
    let best = desk.best_at("mutation createTag", "/type");
    assert_eq!(
        best,
        "Creator mutation createTagType /data/createTagType/name"
    );
    assert_eq!(needs(&desk, "mutation createTag"), ["/type"]);
}
