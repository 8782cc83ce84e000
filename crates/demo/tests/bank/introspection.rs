//! The schema, as it is told to those who ask for it.

use apollo_compiler::{Name, Schema};
use fossick_demo::{Faults, graphql_schema};
use serde_json::{Value, json};

use crate::client::Bank;

/// What tools of today ask for, deprecated arguments and specifications of scalars included.
const INTROSPECTION: &str = "
query IntrospectionQuery {
  __schema {
    description
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types { ...FullType }
    directives {
      name
      description
      isRepeatable
      locations
      args(includeDeprecated: true) { ...InputValue }
    }
  }
}
fragment FullType on __Type {
  kind
  name
  description
  specifiedByURL
  fields(includeDeprecated: true) {
    name
    description
    args(includeDeprecated: true) { ...InputValue }
    type { ...TypeRef }
    isDeprecated
    deprecationReason
  }
  inputFields(includeDeprecated: true) { ...InputValue }
  interfaces { ...TypeRef }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
  possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue {
  name
  description
  type { ...TypeRef }
  defaultValue
  isDeprecated
  deprecationReason
}
fragment TypeRef on __Type {
  kind name
  ofType { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name ofType { kind name ofType { kind name } } } } } } }
}";

struct Told(Value);

impl Told {
    fn get() -> Self {
        let bank = Bank::open(Faults::None);
        Self(bank.data(INTROSPECTION, &json!({}))["__schema"].clone())
    }

    fn of(&self, name: &str) -> &Value {
        named(&self.0["types"], name)
    }
}

fn named<'a>(list: &'a Value, name: &str) -> &'a Value {
    let found = list
        .as_array()
        .into_iter()
        .flatten()
        .find(|t| t["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {list}"))
}

fn names(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.filter_map(|item| item["name"].as_str()).collect()
}

#[test]
fn a_full_introspection_query_tells_every_type_of_the_schema() {
    let told = Told::get();
    let schema = Schema::parse_and_validate(graphql_schema(), "schema").expect("valid");
    let expected: Vec<_> = schema.types.keys().map(Name::as_str).collect();
    assert_eq!(names(&told.0["types"]), expected);
    for (name, kind) in &schema.types {
        if let Some(object) = kind.as_object() {
            let fields: Vec<_> = object.fields.keys().map(Name::as_str).collect();
            assert_eq!(names(&told.of(name)["fields"]), fields, "{name}");
        }
    }
    assert_eq!(told.0["queryType"]["name"], "Query");
    assert_eq!(told.0["mutationType"]["name"], "Mutation");
    assert_eq!(told.0["subscriptionType"], Value::Null);
}

#[test]
fn fifteen_root_fields_are_there_to_be_tested() {
    let told = Told::get();
    let queries = names(&told.of("Query")["fields"]).len();
    let mutations = names(&told.of("Mutation")["fields"]).len();
    assert_eq!((queries, mutations), (7, 8));
}

#[test]
fn abstract_types_defaults_and_deprecations_are_told() {
    let told = Told::get();
    let implementers = ["Variety", "Lot", "Keeper"];
    let mut items = names(&told.of("Item")["possibleTypes"]);
    items.sort_unstable_by_key(|name| implementers.iter().position(|i| i == name));
    assert_eq!(items, implementers);
    assert_eq!(names(&told.of("Found")["possibleTypes"]), implementers);
    let storage = named(&told.of("LotInput")["inputFields"], "storage");
    assert_eq!(storage["defaultValue"], "SHELF");
    assert_eq!(storage["type"]["kind"], "NON_NULL");
    let phone = named(&told.of("Keeper")["fields"], "phone");
    assert_eq!(phone["isDeprecated"], true);
    let uuid = &told.of("UUID")["specifiedByURL"];
    assert!(uuid.as_str().is_some_and(|url| url.starts_with("https:")));
}

#[test]
fn one_type_can_be_asked_for_next_to_data() {
    let bank = Bank::open(Faults::None);
    let query = "{ __typename __type(name: \"Habit\") { enumValues { name } } latest { name } }";
    let data = bank.data(query, &json!({}));
    let habits = names(&data["__type"]["enumValues"]).join(" ");
    assert_eq!(habits, "ANNUAL BIENNIAL PERENNIAL TREE");
    assert_eq!(data["__typename"], "Query");
    assert_eq!(data["latest"], json!([]));
}
