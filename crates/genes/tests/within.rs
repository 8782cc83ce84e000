//! Values that keep rules of prose: valid by the schema first, by the rule where that leaves room.

mod common;

use common::Subject;
use fossick_contract::{Bound, Case, Measure, Moment, Rule};
use fossick_genes::{Manner, keeps, told_landmarks};
use serde_json::{Value, json};

fn most(value: f64) -> Rule {
    Rule::Bound(Bound::most(value, Measure::Own))
}

fn least(value: f64) -> Rule {
    Rule::Bound(Bound::least(value, Measure::Own))
}

/// What is made of a schema and rules, of fifty seeds and both manners.
fn made(schema: Value, rules: &[Rule]) -> Option<Vec<Value>> {
    let subject = Subject::new("within", schema);
    let mut found = Vec::new();
    for seed in 0..50 {
        for manner in [Manner::Plausible, Manner::Varied] {
            let made = subject.with_maker(seed, manner, |maker| {
                maker.sample_within("field", subject.shape, rules)
            });
            let value = made?.value();
            subject.assert_valid(&value, "a value within rules");
            found.push(value);
        }
    }
    Some(found)
}

#[test]
fn what_is_made_keeps_rule_and_schema() {
    let text = json!({"type": "string", "minLength": 2, "maxLength": 80});
    let whole = json!({"type": "integer", "minimum": 1, "maximum": 100});
    let list = json!({"type": "array", "items": {"type": "integer"}});
    let date = json!({"type": "string", "format": "date"});
    for (schema, rule) in [
        (&text, most(5.0)),
        (&text, Rule::Pattern("^[a-c]+$".to_owned())),
        (&text, Rule::Format("email")),
        (&text, Rule::Case(Case::Upper)),
        (&text, Rule::Members(vec![json!("ab"), json!("cd")])),
        (&whole, least(99.0)),
        (&whole, Rule::MultipleOf(7.0)),
        (&whole, Rule::Members(vec![json!(5), json!("7")])),
        (&json!({"type": "number"}), Rule::MultipleOf(0.5)),
        (&list, least(3.0)),
        (&date, Rule::Moment(Moment::Future)),
        (&date, Rule::Moment(Moment::Past)),
        (&json!({}), Rule::Members(vec![json!("x")])),
    ] {
        let values = made(schema.clone(), std::slice::from_ref(&rule));
        for value in values.unwrap_or_else(|| panic!("{rule} leaves something")) {
            assert_eq!(keeps(&rule, &value), Some(true), "{value} keeps {rule}");
        }
    }
}

#[test]
fn a_rule_that_leaves_nothing_of_the_schema_is_passed_over() {
    let whole = json!({"type": "integer", "minimum": 10, "maximum": 20});
    assert_eq!(made(whole.clone(), &[most(5.0)]), None);
    assert_eq!(made(whole.clone(), &[Rule::Format("email")]), None);
    let both = made(whole, &[most(5.0), least(19.0)]).expect("the later one can be kept");
    assert!(both.iter().all(|value| value.as_i64() >= Some(19)));
    let members = json!({"enum": ["a", "b"]});
    assert_eq!(made(members, &[Rule::Members(vec![json!("c")])]), None);
}

#[test]
fn told_ends_are_worth_trying_where_the_document_allows_them() {
    let landmarks = |schema: Value, rule: Rule| -> Vec<Value> {
        let subject = Subject::new("within", schema);
        let found = told_landmarks(&subject.api, subject.shape, &[rule]);
        found.into_iter().map(|landmark| landmark.value).collect()
    };
    let whole = json!({"type": "integer", "maximum": 99});
    assert_eq!(landmarks(whole.clone(), most(80.0)), [json!(80), json!(81)]);
    assert_eq!(landmarks(whole, most(99.0)), [json!(99)]);
    let text = json!({"type": "string", "maxLength": 4});
    assert_eq!(landmarks(text, most(3.0)), [json!("aaa"), json!("aaaa")]);
    let flag = json!({"type": "boolean"});
    assert_eq!(landmarks(flag, most(3.0)), [] as [Value; 0]);
}
