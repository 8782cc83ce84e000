//! Lists with the members that a service asked for.

use fossick_contract::{Kind, OperationIndex, ShapeId, plain};
use fossick_genes::{Gene, Manner, Slot};
use serde_json::Value;

use crate::builder::Builder;

impl Builder<'_, '_> {
    /// Gives the lists of a body one item for each text that the operation was heard to miss.
    pub(crate) fn fill_lists(&mut self, index: OperationIndex, shape: ShapeId, gene: &mut Gene) {
        let members = &self.known[index.0 as usize].members;
        if members.is_empty() {
            return;
        }
        let members: Vec<(String, String)> = members.iter().cloned().collect();
        for part in self.maker(Manner::Plausible).parts(shape) {
            let own = members.iter().filter(|(list, _)| *list == part.name);
            let texts: Vec<&str> = own.map(|(_, text)| text.as_str()).collect();
            if texts.is_empty() {
                continue;
            }
            let items = texts
                .iter()
                .filter_map(|text| self.item_saying(&part, text));
            let list = Gene::Array(items.collect());
            let mut maker = self.maker(Manner::Plausible);
            if let Some(fuller) = maker.with_gene("body", shape, gene, &part.pointer, list) {
                *gene = fuller;
            }
        }
    }

    /// An item of a list with this text in the field that most likely tells what it is.
    fn item_saying(&mut self, list: &Slot, text: &str) -> Option<Gene> {
        let api = self.api;
        let Kind::Array(array) = &api.shape(list.shape).kind else {
            return None;
        };
        let shape = array.items?;
        let mut maker = self.maker(Manner::Plausible);
        let mut item = maker.sample(&list.name, shape);
        let is_text = |slot: &&Slot| matches!(api.shape(slot.shape).kind, Kind::String(_));
        let slots = maker.slots(shape);
        let texts = || slots.iter().filter(is_text);
        let telling = texts().find(|slot| slot.required && says_what(&slot.name));
        let place = telling.or_else(|| texts().find(|slot| slot.required));
        let place = place.or_else(|| texts().next())?;
        let new = Gene::literal(Value::from(text), fossick_genes::Source::Told);
        item = maker.with_gene(&list.name, shape, &item, &place.pointer, new)?;
        Some(item)
    }
}

/// Whether a field says what its holder is.
fn says_what(name: &str) -> bool {
    let name = plain(name);
    let ends = ["type", "kind", "name", "key", "role", "code", "label"];
    ends.iter().any(|end| name.ends_with(end))
}
