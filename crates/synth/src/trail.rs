//! What one call went through, in order.

use std::sync::Arc;

use fossick_probe::{Observation, Observed, Scalar, Seen, SourceLine, Value};

use crate::distance::Sides;
use crate::program::Condition;

/// Targets with what they are worth, and what ids and values were held against.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    hits: Vec<(u32, f64)>,
    observations: Vec<Observation>,
    last_line: u32,
}

impl Trail {
    pub(crate) fn line(&mut self, number: u32, target: u32) {
        self.last_line = number;
        self.hits.push((target, 1.0));
    }

    pub(crate) fn branch(&mut self, condition: &Condition, sides: Sides) {
        self.hits.push((condition.if_true, sides.if_true));
        self.hits.push((condition.if_false, sides.if_false));
    }

    pub(crate) fn compared(&mut self, sent: i32, with: Option<i32>) {
        let compared = with.map(|with| Observation {
            target: None,
            what: Observed::Equal(Scalar::Whole(sent.into()), Scalar::Whole(with.into())),
        });
        self.observations.extend(compared);
    }

    pub(crate) fn covered(&self) -> impl Iterator<Item = u32> {
        let full = self.hits.iter().filter(|(_, value)| *value >= 1.0);
        full.map(|(id, _)| *id)
    }

    pub(crate) fn seen(self, handler: &Arc<str>) -> Seen {
        let mut seen = Seen::default();
        for (id, value) in self.hits {
            seen.hit(id, Value::new(value));
        }
        for observation in self.observations {
            seen.observe(observation);
        }
        seen.last_line(SourceLine {
            file: handler.clone(),
            line: self.last_line,
        });
        seen
    }
}
