//! Arguments of the fields that are asked for.

use fossick_contract::{Argument, Field};

use super::choose::Chooser;
use crate::dice;
use crate::gene::Gene;
use crate::maker::Manner;

impl Chooser<'_, '_> {
    /// What is required, and more by chance; none where something required can't be made.
    pub(super) fn arguments(&mut self, field: &Field) -> Option<Vec<(u32, Gene)>> {
        let mut arguments = Vec::new();
        for (at, argument) in field.arguments.iter().enumerate() {
            if argument.required || self.wants_argument() {
                let gene = self.argument(argument);
                if gene.is_none() && argument.required {
                    return None;
                }
                arguments.extend(gene.map(|gene| (at as u32, gene)));
            }
        }
        Some(arguments)
    }

    /// Only what is required; none where it can't be made.
    pub(super) fn required(&mut self, field: &Field) -> Option<Vec<(u32, Gene)>> {
        let arguments = field.arguments.iter().enumerate();
        let required = arguments.filter(|(_, argument)| argument.required);
        required
            .map(|(at, argument)| Some((at as u32, self.argument(argument)?)))
            .collect()
    }

    /// None where a value would have no end.
    pub(super) fn argument(&mut self, argument: &Argument) -> Option<Gene> {
        let gene = self.maker.sample(&argument.name, argument.shape);
        (gene != Gene::Cycle).then_some(gene)
    }

    fn wants_argument(&mut self) -> bool {
        match self.maker.manner {
            Manner::Plausible | Manner::Full => false,
            Manner::Varied => dice::one_in(self.maker.rng, 3),
        }
    }
}
