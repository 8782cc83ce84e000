//! What is made is valid: samples, mutants and shrunk values, judged by the schema's own text.

mod common;

use common::{Subject, subjects};
use fossick_genes::{Gene, Manner};
use serde_json::{Value, json};

const MANNERS: [Manner; 3] = [Manner::Plausible, Manner::Full, Manner::Varied];

#[test]
fn every_sample_is_valid() {
    for subject in subjects() {
        for manner in MANNERS {
            let count = if manner == Manner::Varied { 400 } else { 40 };
            subject.with_maker(1, manner, |maker| {
                for _ in 0..count {
                    let gene = maker.sample(subject.name, subject.shape);
                    subject.assert_good(&gene, "a sample");
                }
            });
        }
    }
}

#[test]
fn chained_mutations_stay_valid() {
    for subject in subjects() {
        subject.with_maker(2, Manner::Varied, |maker| {
            let mut gene = maker.sample(subject.name, subject.shape);
            for _ in 0..400 {
                maker.mutate(&mut gene, subject.name, subject.shape);
                subject.assert_good(&gene, "a mutant");
            }
        });
    }
}

#[test]
fn a_mutation_changes_the_value_where_it_can() {
    let still = ["null", "const", "empty", "nothing between"];
    for subject in subjects().iter().filter(|s| !still.contains(&s.name)) {
        let changed = subject.with_maker(3, Manner::Varied, |maker| {
            let gene = maker.sample(subject.name, subject.shape);
            (0..20).any(|_| {
                let mut other = gene.clone();
                maker.mutate(&mut other, subject.name, subject.shape);
                other.value() != gene.value()
            })
        });
        assert!(changed, "{} never changed", subject.name);
    }
}

#[test]
fn shrinking_stays_valid_and_ends() {
    for subject in subjects() {
        subject.with_maker(4, Manner::Varied, |maker| {
            for _ in 0..4 {
                let mut gene = maker.sample(subject.name, subject.shape);
                let mut steps = 0;
                loop {
                    let simpler = maker.simpler(&gene, subject.name, subject.shape);
                    for candidate in simpler.iter().take(20) {
                        subject.assert_good(candidate, "a simpler value");
                        assert_ne!(candidate.value().to_string(), gene.value().to_string());
                    }
                    // The least simplification is the longest way down.
                    let Some(next) = simpler.into_iter().next_back() else {
                        break;
                    };
                    gene = next;
                    steps += 1;
                    if steps > 40 {
                        break;
                    }
                }
            }
        });
    }
}

#[test]
fn the_simplest_way_down_is_short() {
    for subject in subjects() {
        subject.with_maker(5, Manner::Varied, |maker| {
            let mut gene = maker.sample(subject.name, subject.shape);
            for step in 0.. {
                assert!(
                    step < 30,
                    "{} takes too long: {}",
                    subject.name,
                    gene.value()
                );
                match maker
                    .simpler(&gene, subject.name, subject.shape)
                    .into_iter()
                    .next()
                {
                    Some(next) => gene = next,
                    None => break,
                }
            }
        });
    }
}

#[test]
fn the_same_seed_makes_the_same_values() {
    for subject in subjects() {
        let make = |seed| {
            subject.with_maker(seed, Manner::Varied, |maker| {
                let mut genes = Vec::new();
                for _ in 0..10 {
                    let mut gene = maker.sample(subject.name, subject.shape);
                    genes.push(gene.clone());
                    maker.mutate(&mut gene, subject.name, subject.shape);
                    genes.push(gene);
                }
                genes
            })
        };
        assert_eq!(make(7), make(7), "{}", subject.name);
    }
}

#[test]
fn bound_genes_are_left_alone() {
    let subjects = subjects();
    let subject = subjects
        .iter()
        .find(|s| s.name == "object")
        .expect("is there");
    subject.with_maker(8, Manner::Full, |maker| {
        let Gene::Object(mut fields) = maker.sample("", subject.shape) else {
            panic!("an object");
        };
        let bound = fields.remove(0).gene.bound();
        let value = bound.value();
        fields.insert(
            0,
            fossick_genes::Field {
                name: "name".into(),
                gene: bound,
            },
        );
        let mut gene = Gene::Object(fields);
        for _ in 0..300 {
            maker.mutate(&mut gene, "", subject.shape);
            assert_eq!(gene.value()["name"], value);
        }
        for candidate in maker.simpler(&gene, "", subject.shape) {
            // A fresh plausible sample may also be offered; everything else keeps what is bound.
            if gene.size() > candidate.size() + 1 {
                continue;
            }
            assert_eq!(candidate.value()["name"], value);
        }
    });
}

#[test]
fn a_likely_list_has_an_item_however_deep_it_stands() {
    let mut schema = json!({"type": "array", "items": {"type": "string"}});
    for name in ["f", "e", "d", "c", "b", "a"] {
        schema = json!({"type": "object", "required": [name], "properties": {name: schema}});
    }
    let subject = Subject::new("deep", schema);
    let made = subject.with_maker(1, Manner::Plausible, |maker| {
        maker.sample("deep", subject.shape).value()
    });
    let list = made.pointer("/a/b/c/d/e/f").and_then(Value::as_array);
    assert_eq!(list.map(Vec::len), Some(1), "{made}");
}

#[test]
fn objects_and_lists_are_told_as_parts_and_items_are_not() {
    let item = json!({"type": "object", "properties": {"kind": {"type": "string"}}});
    let schema = json!({"type": "object", "properties": {
        "name": {"type": "string"}, "costs": {"type": "array", "items": item},
        "meta": {"type": "object", "properties": {"inner": item}}}});
    let subject = Subject::new("parts", schema);
    let parts = subject.with_maker(1, Manner::Plausible, |maker| maker.parts(subject.shape));
    let pointers: Vec<&str> = parts.iter().map(|part| part.pointer.as_str()).collect();
    assert_eq!(pointers, ["/costs", "/meta", "/meta/inner"]);
}
