//! Selections that others wrote, taken over and deviated from.

use fossick_contract::Argument;
use fossick_genes::{Gene, Maker, Manner, NotInSchema, Rng, Selection, Source, Values};
use fossick_query::{Literal, Pick, read, write_compact};
use fossick_validate::Validators;
use rand::SeedableRng as _;
use serde_json::{Map, Value};

use crate::judge::Subject;

/// A selection written and taken over from what was written.
pub(crate) fn again(maker: &mut Maker<'_>, selection: &Selection) -> Option<Selection> {
    let mut plain = |_: &Argument, gene: &Gene| literal(&gene.value());
    let picks = selection.picks(&maker.api.types, &mut plain);
    maker
        .adopt_selection(selection.on, &picks, Source::Harvested)
        .ok()
}

/// Some of the selections that differ in one field.
pub(crate) fn deviations(
    maker: &mut Maker<'_>,
    selection: &Selection,
) -> Vec<(Selection, &'static str)> {
    let some = |all: Vec<Selection>, what| {
        let step = all.len() / 4 + 1;
        all.into_iter().step_by(step).map(move |one| (one, what))
    };
    let mut found: Vec<_> = some(selection.thinner(), "thinner").collect();
    found.extend(some(maker.wider(selection), "wider"));
    found
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::Null => Literal::Null,
        Value::Bool(flag) => Literal::Boolean(*flag),
        Value::Number(number) => Literal::Number(number.to_string()),
        Value::String(text) => Literal::Text(text.clone()),
        Value::Array(items) => Literal::List(items.iter().map(literal).collect()),
        Value::Object(map) => {
            let member = |(name, inner): (&String, &Value)| (name.clone(), literal(inner));
            Literal::Object(map.iter().map(member).collect())
        }
    }
}

const ZOO: &str = "
    interface Animal { id: ID! name: String friend: Animal }
    type Cat implements Animal { id: ID! name: String friend: Animal lives: Int! naps(first: Int!, deep: Boolean): [String!]! }
    type Dog implements Animal { id: ID! name: String friend: Animal tricks: [String!]! }
    union Pet = Cat | Dog
    type Query { animal: Animal! cat: Cat! pet: Pet }";

struct Zoo {
    subject: Subject,
    validators: Validators,
}

impl Zoo {
    fn new() -> Self {
        let subject = Subject::of("zoo.graphql", ZOO.to_owned()).expect("it is read");
        Self {
            validators: Validators::new(&subject.api),
            subject,
        }
    }

    fn making<T>(&self, work: impl FnOnce(&mut Maker<'_>) -> T) -> T {
        work(&mut Maker {
            api: &self.subject.api,
            validators: &self.validators,
            values: &Values::new(),
            rng: &mut Rng::seed_from_u64(1),
            manner: Manner::Plausible,
        })
    }

    fn adopt(&self, text: &str) -> Result<(String, Selection), NotInSchema> {
        let document = read(text, None).expect("an operation");
        let picks = document.resolved(&Map::new());
        let [Pick::Field(asked)] = picks.as_slice() else {
            panic!("one root field");
        };
        let label = format!("query {}", asked.name);
        let api = &self.subject.api;
        let index = api.find(&label).expect("it is there");
        let root = api.operation(index).graphql.as_ref().expect("a root field");
        let on = api.root_field(root).returns.named;
        let adopted =
            self.making(|maker| maker.adopt_selection(on, &asked.picks, Source::Harvested));
        Ok((label, adopted?))
    }

    fn text(&self, label: &str, selection: &Selection) -> String {
        let index = self.subject.api.find(label).expect("it is there");
        let operation = self.subject.api.operation(index);
        let text = write_compact(&self.subject.document(operation, selection));
        text.split_once('{').expect("a selection").1.to_owned()
    }

    /// What becomes of an operation, judged on the way.
    fn again(&self, text: &str) -> String {
        let (label, selection) = self.adopt(text).expect("the schema has all of it");
        let index = self.subject.api.find(&label).expect("it is there");
        self.subject
            .judge(self.subject.api.operation(index), &selection, "adopted");
        self.text(&label, &selection)
    }
}

#[test]
fn what_is_asked_for_stays_with_its_keys_and_values() {
    let zoo = Zoo::new();
    assert_eq!(
        zoo.again("{ cat { naps(first: 2) long: naps(first: 9) id } }"),
        "cat{id naps(first:$v0)long:naps(first:$v1)}}"
    );
    assert_eq!(zoo.again("{ cat { __typename } }"), "cat{__typename}}");
}

#[test]
fn fragments_that_always_hold_are_laid_in_and_others_are_parts() {
    let zoo = Zoo::new();
    assert_eq!(
        zoo.again("{ cat { ... on Animal { name friend { id } } ... { id friend { name } } } }"),
        "cat{id name friend{__typename id name}}}"
    );
    assert_eq!(
        zoo.again("{ animal { id ... on Cat { lives } ... on Dog { tricks } } }"),
        "animal{__typename id ...on Cat{lives}...on Dog{tricks}}}"
    );
    assert_eq!(
        zoo.again("{ pet { ... on Animal { id ... on Dog { tricks } } } }"),
        "pet{__typename ...on Cat{id}...on Dog{id tricks}}}"
    );
}

#[test]
fn what_the_schema_does_not_have_is_refused() {
    let zoo = Zoo::new();
    for (text, why) in [
        ("{ cat { wings } }", "Cat has no field wings"),
        ("{ cat { naps } }", "naps must be given first"),
        (
            "{ cat { naps(first: \"two\") } }",
            "first of naps may not have this value",
        ),
        (
            "{ cat { naps(first: 1, loud: true) } }",
            "naps takes no argument loud",
        ),
        (
            "{ cat { friend } }",
            "friend has fields of which some must be asked for",
        ),
        (
            "{ cat { id { x } } }",
            "id has no fields that could be asked for",
        ),
        ("{ pet { ... on Fish { id } } }", "there is no type Fish"),
    ] {
        let told = zoo.adopt(text).expect_err(text).to_string();
        assert_eq!(told, why);
    }
}

#[test]
fn a_deviation_differs_by_one_field() {
    let zoo = Zoo::new();
    let (label, selection) = zoo
        .adopt("{ cat { id friend { id name } } }")
        .expect("all of it");
    let texts = |all: Vec<Selection>| -> Vec<String> {
        all.iter().map(|one| zoo.text(&label, one)).collect()
    };
    assert_eq!(
        texts(selection.thinner()),
        [
            "cat{friend{__typename id name}}}",
            "cat{id}}",
            "cat{id friend{__typename name}}}",
            "cat{id friend{__typename id}}}",
        ]
    );
    assert_eq!(
        texts(zoo.making(|maker| maker.wider(&selection))),
        [
            "cat{id name friend{__typename id name}}}",
            "cat{id friend{__typename id name}lives}}",
            "cat{id friend{__typename id name friend{__typename id}}}}",
        ]
    );
    assert_eq!(texts(selection.hollow()), ["cat{id friend}}"]);
}
