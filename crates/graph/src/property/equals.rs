//! Which properties of two schemas mean the same, found out by elimination.
//!
//! Two objects met in one sequence, one made from a value of the other. Pairs of their properties
//! that hold equal values may mean the same; every further meeting rules out those that differ.
//! While a property is equal to several of the other object, nothing is decided; once only one is
//! left, and chance is out of question, the two are taken for the same. Flags, members of
//! enumerations and moments are often equal by chance and never looked at.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::nodes::{Schema, Sort};
use super::standing::Standing;

/// Names of properties, of the first schema and of the second.
pub(crate) type Pair = (String, String);

/// What is thought of two schemas that met.
#[derive(Debug, Default)]
pub(crate) struct Suspicion {
    /// Pairs that were equal in every meeting.
    left: BTreeMap<Pair, Met>,
    met: u32,
    decided: BTreeMap<Pair, Standing>,
}

/// How a pair was equal.
#[derive(Debug)]
struct Met {
    first: String,
    /// With different values in different meetings, or with one that is hardly a coincidence.
    sure: bool,
}

/// What a meeting brought.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdicts {
    pub(crate) decided: Vec<Pair>,
    pub(crate) refuted: Vec<Pair>,
}

/// Properties of one object that are compared.
const MOST_COMPARED: usize = 40;

impl Suspicion {
    pub(crate) fn decided(&self) -> impl Iterator<Item = (&Pair, &Standing)> {
        self.decided.iter()
    }

    /// Two objects met, of the first schema and of the second.
    pub(crate) fn meet(
        &mut self,
        (one, other): (&Schema, &Schema),
        (a, b): (&Map<String, Value>, &Map<String, Value>),
        why: impl Fn(&Pair) -> (u64, String),
    ) -> Verdicts {
        let (left, right) = (comparable(one, a), comparable(other, b));
        let refuted = self.check_decided(&left, &right, &why);
        let mut equal: BTreeMap<Pair, String> = BTreeMap::new();
        for (name, value) in &left {
            for (partner, _) in right.iter().filter(|(_, v)| *v == value) {
                let pair = ((*name).to_owned(), (*partner).to_owned());
                equal.insert(pair, value.clone());
            }
        }
        self.eliminate(&left, &right, &equal);
        let decided = self.decide(&why);
        Verdicts { decided, refuted }
    }

    /// What was decided is tried by every further meeting.
    fn check_decided(
        &mut self,
        left: &BTreeMap<&str, String>,
        right: &BTreeMap<&str, String>,
        why: impl Fn(&Pair) -> (u64, String),
    ) -> Vec<Pair> {
        let mut refuted = Vec::new();
        for (pair, standing) in &mut self.decided {
            let values = (left.get(pair.0.as_str()), right.get(pair.1.as_str()));
            let (Some(a), Some(b)) = values else {
                continue;
            };
            standing.count(a == b);
            if standing.is_used() && standing.is_hopeless(None, false) {
                let (after, _) = why(pair);
                standing.remove(after, "their values differed too often".to_owned());
                refuted.push(pair.clone());
            }
        }
        refuted
    }

    fn eliminate(
        &mut self,
        left: &BTreeMap<&str, String>,
        right: &BTreeMap<&str, String>,
        equal: &BTreeMap<Pair, String>,
    ) {
        let both =
            |pair: &Pair| left.contains_key(pair.0.as_str()) && right.contains_key(pair.1.as_str());
        self.left
            .retain(|pair, _| !both(pair) || equal.contains_key(pair));
        if self.left.is_empty() {
            // Where nothing is left, the objects had nothing to do with each other: begin anew.
            let met = |value: &String| Met {
                first: value.clone(),
                sure: is_telling(value),
            };
            self.left = equal.iter().map(|(p, v)| (p.clone(), met(v))).collect();
        }
        for (pair, value) in equal {
            if let Some(met) = self.left.get_mut(pair) {
                met.sure |= met.first != *value || is_telling(value);
            }
        }
        self.met += 1;
    }

    /// Pairs whose properties have no other partner left.
    fn decide(&mut self, why: impl Fn(&Pair) -> (u64, String)) -> Vec<Pair> {
        let alone = |pair: &Pair| {
            let mut rivals = self.left.keys().filter(|other| *other != pair);
            !rivals.any(|other| other.0 == pair.0 || other.1 == pair.1)
        };
        let sure = self.left.iter().filter(|(_, met)| met.sure);
        let singled: Vec<Pair> = sure.map(|(p, _)| p.clone()).filter(|p| alone(p)).collect();
        let mut new = Vec::new();
        for pair in singled {
            let (after, because) = why(&pair);
            match self.decided.get_mut(&pair) {
                Some(known) if known.is_used() => continue,
                Some(known) => known.bring_back(after, because),
                None => {
                    let standing = Standing::added(after, because);
                    self.decided.insert(pair.clone(), standing);
                }
            }
            new.push(pair);
        }
        new
    }
}

/// Values by which an object may be told from others, as texts.
fn comparable<'s>(schema: &'s Schema, object: &Map<String, Value>) -> BTreeMap<&'s str, String> {
    let properties = schema.properties.iter();
    let values = properties
        .filter(|property| !matches!(property.sort, Sort::Part | Sort::Closed))
        .filter_map(|p| Some((p.name.as_str(), text_of(object.get(&p.name)?)?)));
    values.take(MOST_COMPARED).collect()
}

/// Whole numbers and short texts; what looks like a moment is equal by chance.
fn text_of(value: &Value) -> Option<String> {
    const LONGEST: usize = 128;
    match value {
        Value::Number(number) if !number.is_f64() => Some(number.to_string()),
        Value::String(text) => {
            let fits = (1..=LONGEST).contains(&text.len());
            (fits && !text.contains(':')).then(|| text.clone())
        }
        _ => None,
    }
}

/// Hardly a coincidence: a large number, or a long text with digits.
fn is_telling(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    match text.parse::<u64>() {
        Ok(number) => number > 999,
        Err(_) => text.len() >= 6 && digits > 0 && !text.contains(' '),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::property::Nodes;

    struct Table {
        nodes: Nodes,
        suspicion: Suspicion,
    }

    impl Table {
        /// Schemas of a pet and an order, by example.
        fn new() -> Self {
            let mut nodes = Nodes::default();
            let pet = json!({"id": 1, "name": "a", "status": "b"});
            let order = json!({"id": 1, "petId": 1, "status": "b"});
            nodes.of_object("Pet", pet.as_object().unwrap());
            nodes.of_object("Order", order.as_object().unwrap());
            let suspicion = Suspicion::default();
            Self { nodes, suspicion }
        }

        fn meet(&mut self, pet: &Value, order: &Value) -> Verdicts {
            let all: Vec<&Schema> = self.nodes.iter().map(|(_, schema)| schema).collect();
            let objects = (pet.as_object().unwrap(), order.as_object().unwrap());
            let why = |_: &Pair| (0, String::new());
            self.suspicion.meet((all[0], all[1]), objects, why)
        }
    }

    fn pair(one: &str, other: &str) -> Pair {
        (one.to_owned(), other.to_owned())
    }

    #[test]
    fn a_pair_is_decided_when_a_value_singles_it_out() {
        let mut table = Table::new();
        let first = table.meet(
            &json!({"id": 1, "name": "cat", "status": "sold"}),
            &json!({"id": 1, "petId": 1, "status": "succ"}),
        );
        assert_eq!(first, Verdicts::default(), "id may be both");
        let second = table.meet(
            &json!({"id": 2, "name": "dog", "status": "sold"}),
            &json!({"id": 1, "petId": 2, "status": "succ"}),
        );
        assert_eq!(second.decided, [pair("id", "petId")]);
    }

    #[test]
    fn one_meeting_with_a_small_number_is_no_proof() {
        let mut table = Table::new();
        let meeting = (json!({"id": 3}), json!({"id": 9, "petId": 3}));
        assert_eq!(table.meet(&meeting.0, &meeting.1), Verdicts::default());
        assert_eq!(table.meet(&meeting.0, &meeting.1), Verdicts::default());
        let other = table.meet(&json!({"id": 4}), &json!({"id": 9, "petId": 4}));
        assert_eq!(other.decided, [pair("id", "petId")]);
    }

    #[test]
    fn one_meeting_with_a_telling_value_is_enough() {
        let mut table = Table::new();
        let met = table.meet(
            &json!({"id": 71_250, "status": "sold"}),
            &json!({"id": 3, "petId": 71_250, "status": "sold"}),
        );
        assert_eq!(met.decided, [pair("id", "petId")], "a word is not telling");
    }

    #[test]
    fn strangers_make_it_begin_anew() {
        let mut table = Table::new();
        table.meet(&json!({"id": 1}), &json!({"id": 9, "petId": 1}));
        table.meet(&json!({"id": 5}), &json!({"id": 2, "petId": 8}));
        let lone = table.meet(&json!({"id": 2}), &json!({"id": 9, "petId": 2}));
        assert_eq!(lone, Verdicts::default());
    }

    #[test]
    fn what_was_decided_falls_when_values_keep_differing() {
        let mut table = Table::new();
        table.meet(&json!({"id": 5000}), &json!({"id": 9, "petId": 5000}));
        let mut refuted = Vec::new();
        for at in 0..12 {
            let met = table.meet(&json!({"id": at}), &json!({"id": 77, "petId": 99}));
            refuted.extend(met.refuted);
        }
        assert_eq!(refuted, [pair("id", "petId")]);
    }
}
