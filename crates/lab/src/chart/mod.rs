//! The main metric over the budget, drawn: one chart for each service and one of them all.
//!
//! The charts are SVG texts that need nothing else: no script, no font, no style sheet. A strategy
//! has the same colour and dash in every chart; both tell it apart, so that neither colour-blind
//! eyes nor a grey printer lose it. Light and dark screens each have their own colours.

mod axis;
mod curve;
mod label;
mod overview;
mod palette;
mod panel;
mod single;
mod svg;

pub use curve::{Curve, CurvePoint, Plot, plots};

use crate::experiment::Experiment;
use crate::record::Records;

/// SVG texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charts {
    /// Name of the service and its chart, in the order of the lab file; services without a run are
    /// left out.
    pub services: Vec<(String, String)>,
    /// All services side by side; None where none has run yet.
    pub overview: Option<String>,
}

/// Draws the results that there are, those of the largest budget.
pub fn charts(experiment: &Experiment, records: &Records) -> Charts {
    let plots = plots(experiment, records);
    let draw = |plot: &Plot| (plot.service.clone(), single::draw(plot));
    Charts {
        services: plots.iter().map(draw).collect(),
        overview: (!plots.is_empty()).then(|| overview::draw(&experiment.title, &plots)),
    }
}

#[cfg(test)]
mod tests;
