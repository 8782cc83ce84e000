//! Numbers, strings and fixed sets of values.

use std::sync::Arc;

use fossick_contract::{Kind, NumberShape, StringShape};
use serde_json::{Number, Value};

use super::build::Made;
use super::flatten::Flat;
use super::{Schemas, mend};

impl<'d> Schemas<'d> {
    /// The values that all parts with an `enum` or `const` allow; `None` if there is no such part.
    pub(super) fn enum_values(&self, flat: &Flat<'d>) -> Option<Vec<Value>> {
        flat.parts()
            .filter_map(|own| mend::values(self.reader, own.node))
            .chain(flat.values.clone())
            .reduce(|mut all, more| {
                all.retain(|value| more.contains(value));
                all
            })
    }

    pub(super) fn integer(&mut self, flat: &Flat<'d>) -> Made {
        let Made { kind, needs_check } = self.number(flat);
        let Kind::Number(mut shape) = kind else {
            return kind.into();
        };
        if let Some(above) = shape.exclusive_minimum.take() {
            raise(&mut shape.minimum, Some(above.floor() + 1.0));
        }
        if let Some(below) = shape.exclusive_maximum.take() {
            sink(&mut shape.maximum, Some(below.ceil() - 1.0));
        }
        shape.minimum = shape.minimum.map(f64::ceil);
        shape.maximum = shape.maximum.map(f64::floor);
        if crossed(shape.minimum, shape.maximum) {
            return self.empty_range(flat);
        }
        Made {
            kind: Kind::Integer(shape),
            needs_check,
        }
    }

    pub(super) fn number(&mut self, flat: &Flat<'d>) -> Made {
        let mut shape = NumberShape::default();
        let mut needs_check = false;
        for own in flat.parts() {
            let bounds = mend::bounds(self.reader, own.node);
            let float = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
            raise(&mut shape.minimum, float(&bounds.minimum));
            sink(&mut shape.maximum, float(&bounds.maximum));
            raise(
                &mut shape.exclusive_minimum,
                float(&bounds.exclusive_minimum),
            );
            sink(
                &mut shape.exclusive_maximum,
                float(&bounds.exclusive_maximum),
            );
            if let Some(step) = float(&bounds.multiple_of) {
                needs_check |= shape.multiple_of.is_some_and(|other| other != step);
                shape.multiple_of.get_or_insert(step);
            }
            let format = mend::format(self.reader, own.node);
            shape.format = shape.format.or(format.map(Arc::from));
        }
        if crossed(shape.minimum, shape.maximum) {
            return self.empty_range(flat);
        }
        Made {
            kind: Kind::Number(shape),
            needs_check,
        }
    }

    pub(super) fn string(&mut self, flat: &Flat<'d>) -> Made {
        let mut shape = StringShape::default();
        let mut needs_check = false;
        for own in flat.parts() {
            let count = |key| mend::count(self.reader, own.node, key).map(|n| n as usize);
            shape.min_length = shape.min_length.max(count("minLength").unwrap_or(0));
            shape.max_length = least(shape.max_length, count("maxLength"));
            if let Some(format) = mend::format(self.reader, own.node) {
                needs_check |= shape.format.as_deref().is_some_and(|other| other != format);
                shape.format = shape.format.or(Some(format.into()));
            }
            self.add_pattern(own.node, &mut shape.patterns);
        }
        if shape.max_length.is_some_and(|max| max < shape.min_length) {
            return self.empty_range(flat);
        }
        Made {
            kind: Kind::String(shape),
            needs_check,
        }
    }

    fn add_pattern(&mut self, node: crate::reference::Node<'d>, patterns: &mut Vec<Arc<str>>) {
        let Some(found) = node.get("pattern") else {
            return;
        };
        let usable = found
            .value
            .as_str()
            .and_then(|pattern| self.patterns.usable(self.reader, found, pattern));
        if let Some(pattern) = usable.filter(|pattern| !pattern.is_empty()) {
            patterns.push(pattern.into());
        }
    }

    pub(super) fn empty_range(&self, flat: &Flat<'d>) -> Made {
        if let Some(own) = flat.parts().next() {
            self.reader.warn(
                own.node,
                "its lower bound is above its upper: no value fits",
            );
        }
        Kind::Never.into()
    }
}

/// Takes the higher of two lower bounds.
fn raise(bound: &mut Option<f64>, to: Option<f64>) {
    *bound = bound.iter().copied().chain(to).reduce(f64::max);
}

/// Takes the lower of two upper bounds.
fn sink(bound: &mut Option<f64>, to: Option<f64>) {
    *bound = bound.iter().copied().chain(to).reduce(f64::min);
}

pub(super) fn least(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    one.into_iter().chain(other).min()
}

fn crossed(low: Option<f64>, high: Option<f64>) -> bool {
    low.zip(high).is_some_and(|(low, high)| low > high)
}
