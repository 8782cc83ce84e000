//! Breaking arrays and objects: too few, too many, twice the same, missing, unasked for.

use fossick_contract::{Additional, ArrayShape, ObjectShape};
use serde_json::{Map, Value, json};

use super::{Break, Spot};
use crate::craft::Craft;
use crate::gene::Gene;
use crate::kinds::array::item_shape;
use crate::kinds::map::field_shape;
use crate::maker::Manner;
use crate::recipe::Detail;

/// Larger arrays and objects are not built only to be too large.
const LARGEST: usize = 1000;

impl Craft<'_> {
    pub(super) fn array_breaks(&mut self, array: &ArrayShape, spot: &Spot<'_>) -> Vec<Break> {
        let Gene::Array(items) = spot.gene else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if array.min_items > 0 {
            let detail = format!(
                "{} items are fewer than {}",
                array.min_items - 1,
                array.min_items
            );
            let fewer: Value = items
                .iter()
                .take(array.min_items - 1)
                .map(Gene::value)
                .collect();
            found.push(Break::new("minItems", detail, fewer));
        }
        if let Some(max) = array.max_items.filter(|max| *max < LARGEST) {
            let many = self.grown(array, items, max + 1, spot);
            let detail = format!("{} items are more than {max}", max + 1);
            found.extend(many.map(|many| Break::new("maxItems", detail, many)));
        }
        if array.unique {
            found.extend(twice(array, items));
        }
        found
    }

    /// The items with new ones added up to a number.
    fn grown(
        &mut self,
        array: &ArrayShape,
        items: &[Gene],
        wanted: usize,
        spot: &Spot<'_>,
    ) -> Option<Value> {
        let mut items = items.to_vec();
        let manner = std::mem::replace(&mut self.manner, Manner::Varied);
        while items.len() < wanted {
            let id = item_shape(array, items.len());
            let item = id.and_then(|id| self.new_item(spot.named, id, &items, array.unique, 3));
            match item {
                Some(item) => items.push(item),
                None => break,
            }
        }
        self.manner = manner;
        (items.len() == wanted).then(|| items.iter().map(Gene::value).collect())
    }

    pub(super) fn object_breaks(&mut self, object: &ObjectShape, spot: &Spot<'_>) -> Vec<Break> {
        let (Gene::Object(fields) | Gene::Map(fields)) = spot.gene else {
            return Vec::new();
        };
        let Value::Object(whole) = spot.gene.value() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for property in object.properties.iter().filter(|p| p.required) {
            let mut without = whole.clone();
            if without.shift_remove(&*property.name).is_some() {
                let detail = format!("the required property {:?} is missing", property.name);
                found.push(Break::new("required", detail, Value::Object(without)));
            }
        }
        found.extend(self.additional_break(object, spot, &whole));
        found.extend(self.count_breaks(object, spot, fields, &whole));
        found
    }

    fn additional_break(
        &self,
        object: &ObjectShape,
        spot: &Spot<'_>,
        whole: &Map<String, Value>,
    ) -> Option<Break> {
        const EXTRA: &str = "fossickExtra";
        let Detail::Object(recipe) = &self.recipe(spot.shape).detail else {
            return None;
        };
        let forbidden = object.additional == Additional::Forbidden;
        if !forbidden || field_shape(object, recipe, EXTRA).is_some() {
            return None;
        }
        let mut more = whole.clone();
        more.insert(EXTRA.to_owned(), json!("unasked"));
        let detail = format!("{EXTRA:?} is not among the properties");
        Some(Break::new(
            "additionalProperties",
            detail,
            Value::Object(more),
        ))
    }

    fn count_breaks(
        &mut self,
        object: &ObjectShape,
        spot: &Spot<'_>,
        fields: &[crate::gene::Field],
        whole: &Map<String, Value>,
    ) -> Vec<Break> {
        let mut found = Vec::new();
        if object.min_properties > 0 {
            found.push(fewer(object, fields, object.min_properties - 1));
        }
        let limit = object.max_properties.filter(|max| *max < LARGEST);
        if let (Some(max), Detail::Object(recipe)) = (limit, &self.recipe(spot.shape).detail) {
            let mut more = fields.to_vec();
            self.add_entries(&mut more, max + 1, object, recipe, 3);
            if more.len() > max.max(whole.len()) {
                let value = Gene::Object(more).value();
                let detail = format!("{} properties are more than {max}", max + 1);
                found.push(Break::new("maxProperties", detail, value));
            }
        }
        found
    }
}

/// The object with only so many fields, the required ones first.
fn fewer(object: &ObjectShape, fields: &[crate::gene::Field], keep: usize) -> Break {
    let mut kept = fields.to_vec();
    kept.sort_by_key(|field| !object.property(&field.name).is_some_and(|p| p.required));
    kept.truncate(keep);
    let detail = format!("{keep} properties are fewer than {}", object.min_properties);
    Break::new("minProperties", detail, Gene::Object(kept).value())
}

/// One item again, in place of another or beside it.
fn twice(array: &ArrayShape, items: &[Gene]) -> Option<Break> {
    let mut values: Vec<Value> = items.iter().map(Gene::value).collect();
    let at = array.prefix.len().min(values.len().checked_sub(1)?);
    let again = values.get(at)?.clone();
    if array.max_items.is_some_and(|max| values.len() >= max) {
        *values.get_mut(at + 1)? = again.clone();
    } else {
        values.push(again.clone());
    }
    let detail = format!("{again} stands in it twice");
    Some(Break::new("uniqueItems", detail, Value::Array(values)))
}
