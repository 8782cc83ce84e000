//! Values that keep rules as well: what a schema allows, narrowed by what prose tells.
//!
//! A schema comes first. A rule that leaves nothing of it, or that says nothing of such values, is
//! passed over, and what is made is confirmed by the validator.

use std::sync::Arc;

use fossick_contract::{Api, Kind, Measure, Moment, Rule, Shape, ShapeId, Side, narrow};
use serde_json::Value;

use crate::fits::{fits, is_scalar};
use crate::gene::Gene;
use crate::landmarks::Landmark;
use crate::maker::Maker;
use crate::names::Named;
use crate::pattern::Pattern;
use crate::recipe::Recipe;
use crate::source::Source;

/// A value that breaks a rule by chance is made anew so often.
const TRIES: usize = 6;

/// Whether a value keeps a rule; none where the rule says nothing of such a value.
pub fn keeps(rule: &Rule, value: &Value) -> Option<bool> {
    match (rule, value) {
        (Rule::Pattern(pattern), Value::String(text)) => {
            let pattern = Pattern::new(&Arc::from(pattern.as_str()));
            Some(pattern.matches(text))
        }
        _ => rule.allows(value),
    }
}

impl Maker<'_> {
    /// A new value that keeps these rules besides; of rules that exclude each other the later ones
    /// count. None where they say nothing here, or where schema and rules leave no value.
    pub fn sample_within(&mut self, name: &str, id: ShapeId, rules: &[Rule]) -> Option<Gene> {
        let own = self.api.shape(id);
        let (shape, kept) = narrowed(own, rules)?;
        let named = Named::of(name);
        let recipe = is_scalar(&shape.kind).then(|| Recipe::of_scalar(self.api, &shape));
        (0..TRIES).find_map(|_| {
            let made = self.craft(|craft| match (&shape.kind, &recipe) {
                (Kind::Array(array), _) => Some(craft.sample_array(named, array, 0)),
                (_, Some(recipe)) => craft.scalar_by(named, &shape, recipe),
                _ => None,
            })?;
            let made = in_time(made, &kept);
            let value = made.value();
            let keeps_all = kept.iter().all(|rule| keeps(rule, &value) != Some(false));
            (keeps_all && self.is_valid(&made, id)).then_some(made)
        })
    }
}

/// A shape without what rules exclude, and the rules that could be kept; none if there are none.
fn narrowed(own: &Shape, rules: &[Rule]) -> Option<(Shape, Vec<Rule>)> {
    let mut shape = own.clone();
    let mut kept = Vec::new();
    for rule in rules.iter().rev() {
        let timely = matches!(rule, Rule::Moment(_)) && matches!(own.kind, Kind::String(_));
        if let Some(kind) = narrow(&shape.kind, rule) {
            shape.kind = kind;
            kept.push(rule.clone());
        } else if timely {
            kept.push(rule.clone());
        }
    }
    (!kept.is_empty()).then_some((shape, kept))
}

/// Puts a date into a year that is surely over, or surely to come: there is no clock here. Both
/// are leap years, so that every day of the calendar stays one.
fn in_time(gene: Gene, rules: &[Rule]) -> Gene {
    let moment = rules.iter().find_map(|rule| match rule {
        Rule::Moment(moment) => Some(*moment),
        _ => None,
    });
    let (Some(moment), Value::String(text)) = (moment, gene.value()) else {
        return gene;
    };
    let year = match moment {
        Moment::Past => "2012",
        Moment::Future => "2096",
    };
    let dated = text.len() > 4 && text.bytes().take(4).all(|b| b.is_ascii_digit());
    match text.get(4..).filter(|_| dated) {
        Some(rest) => {
            let source = gene.source().unwrap_or(Source::Named);
            Gene::literal(Value::from(format!("{year}{rest}")), source)
        }
        None => gene,
    }
}

/// What rules make worth trying at a scalar place: told ends, what lies just beyond them, and told
/// members. Only what the document allows.
pub fn told_landmarks(api: &Api, id: ShapeId, rules: &[Rule]) -> Vec<Landmark> {
    let shape = api.shape(id);
    if !is_scalar(&shape.kind) || shape.needs_check {
        return Vec::new();
    }
    let recipe = Recipe::of_scalar(api, shape);
    let values = rules.iter().flat_map(|rule| told(shape, rule));
    values
        .filter(|value| fits(shape, &recipe.detail, value))
        .map(|value| Landmark::new(value, Source::Told))
        .collect()
}

fn told(shape: &Shape, rule: &Rule) -> Vec<Value> {
    const LONGEST: f64 = 5000.0;
    let bound = match rule {
        Rule::Members(members) => return members.clone(),
        Rule::Bound(bound) => bound,
        _ => return Vec::new(),
    };
    let beyond = match bound.side {
        Side::Least => bound.value - 1.0,
        Side::Most => bound.value + 1.0,
    };
    let both = [bound.value, beyond];
    match (&shape.kind, bound.of) {
        (Kind::Integer(_), Measure::Own | Measure::Other) => {
            both.iter().map(|n| Value::from(*n as i64)).collect()
        }
        (Kind::Number(_), Measure::Own | Measure::Other) => {
            both.iter().map(|n| Value::from(*n)).collect()
        }
        (Kind::String(_), Measure::Own | Measure::Length) => {
            let lengths = both.iter().filter(|n| (0.0..LONGEST).contains(*n));
            lengths
                .map(|n| Value::from("a".repeat(*n as usize)))
                .collect()
        }
        _ => Vec::new(),
    }
}
