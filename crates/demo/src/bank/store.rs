//! What the bank has, in memory and in order of arrival.
//!
//! Things are shown as JSON with the names of the schema. What the schema does not know, such as
//! a lot's `varietyId`, is in there as well, for nested fields to start from: nobody can select
//! it. Time is a count of additions, so that runs repeat exactly.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::store::Shelf;

const UUID_PREFIX: &str = "00000000-0000-4000-9000-";

#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) varieties: Shelf<Variety>,
    pub(crate) lots: Shelf<Lot>,
    pub(crate) keepers: Shelf<Keeper>,
    additions: u64,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variety {
    pub(crate) id: u64,
    pub(crate) added_at: String,
    #[serde(flatten)]
    pub(crate) told: VarietyInput,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct VarietyInput {
    pub(crate) name: String,
    pub(crate) habit: String,
    #[serde(default)]
    pub(crate) story: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) seasons: Vec<Vec<i32>>,
    #[serde(default)]
    origin: Option<Origin>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Origin {
    place: String,
    #[serde(default)]
    found_on: Option<String>,
    #[serde(default)]
    altitude: Option<i32>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Lot {
    pub(crate) id: String,
    pub(crate) number: u64,
    pub(crate) added_at: String,
    pub(crate) variety_id: u64,
    /// The running number in the identifier of its keeper.
    pub(crate) keeper: Option<u64>,
    /// Deleted, yet still on the shelf. Only a planted fault leaves such lots behind.
    #[serde(skip)]
    pub(crate) struck_off: bool,
    #[serde(flatten)]
    pub(crate) told: LotInput,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LotInput {
    pub(crate) quantity: i32,
    pub(crate) storage: String,
    #[serde(default)]
    pub(crate) collected_on: Option<String>,
    pub(crate) trials: Vec<Trial>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) sown: i32,
    pub(crate) sprouted: i32,
    #[serde(default)]
    on: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Keeper {
    pub(crate) id: String,
    pub(crate) number: u64,
    pub(crate) added_at: String,
    #[serde(flatten)]
    pub(crate) told: KeeperInput,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeeperInput {
    pub(crate) name: String,
    skills: Vec<String>,
    #[serde(default)]
    available_from: Option<String>,
}

impl Store {
    pub(crate) fn add_variety(&mut self, told: VarietyInput) -> &Variety {
        let added_at = self.now();
        let pushes_out = self.varieties.is_full();
        let id = self.varieties.add(|id| Variety { id, added_at, told }).id;
        if pushes_out {
            let varieties = &self.varieties;
            self.lots
                .keep(|lot| varieties.get(lot.variety_id).is_some());
        }
        self.varieties.get(id).expect("it was added just now")
    }

    pub(crate) fn add_lot(&mut self, variety_id: u64, told: LotInput) -> &Lot {
        let added_at = self.now();
        self.lots.add(|number| Lot {
            id: format!("lot-{number}"),
            number,
            added_at,
            variety_id,
            keeper: None,
            struck_off: false,
            told,
        })
    }

    pub(crate) fn add_keeper(&mut self, told: KeeperInput) -> &Keeper {
        let added_at = self.now();
        self.keepers.add(|number| Keeper {
            id: format!("{UUID_PREFIX}{number:012x}"),
            number,
            added_at,
            told,
        })
    }

    /// The newest first, like every list of the bank.
    pub(crate) fn lots(&self) -> impl Iterator<Item = &Lot> {
        self.lots.all().rev().filter(|lot| !lot.struck_off)
    }

    pub(crate) fn variety(&self, id: i64) -> Option<&Variety> {
        self.varieties.get(u64::try_from(id).ok()?)
    }

    pub(crate) fn lot_name(&self, lot: &Lot) -> String {
        let variety = self.varieties.get(lot.variety_id);
        let name = variety.map_or("seed", |variety| &variety.told.name);
        format!("{name}, lot {}", lot.number)
    }

    /// Goes on by one second with each addition. All months have 28 days here.
    fn now(&mut self) -> String {
        self.additions += 1;
        let (minutes, second) = (self.additions / 60, self.additions % 60);
        let (hours, minute) = (minutes / 60, minutes % 60);
        let (days, hour) = (hours / 24, hours % 24);
        let (months, day) = (days / 28, days % 28 + 1);
        let (year, month) = (2024 + months / 12, months % 12 + 1);
        format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// The running number in a lot's identifier.
pub(crate) fn lot_number(id: &str) -> Option<u64> {
    let number = id.strip_prefix("lot-")?.parse().ok()?;
    (id == format!("lot-{number}")).then_some(number)
}

pub(crate) fn keeper_number(id: &str) -> Option<u64> {
    let id = id.to_ascii_lowercase();
    u64::from_str_radix(id.strip_prefix(UUID_PREFIX)?, 16).ok()
}

impl Variety {
    pub(crate) fn shown(&self) -> Value {
        typed("Variety", json!(self))
    }
}

impl Lot {
    pub(crate) fn shown(&self) -> Value {
        typed("Lot", json!(self))
    }
}

impl Keeper {
    pub(crate) fn shown(&self) -> Value {
        typed("Keeper", json!(self))
    }
}

fn typed(name: &str, mut thing: Value) -> Value {
    thing["__typename"] = json!(name);
    thing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_each_other_and_are_valid() {
        let mut store = Store::default();
        assert_eq!(store.now(), "2024-01-01T00:00:01Z");
        store.additions = 60 * 60 * 24 * 28 * 12 - 2;
        assert_eq!(store.now(), "2024-12-28T23:59:59Z");
        assert_eq!(store.now(), "2025-01-01T00:00:00Z");
    }

    #[test]
    fn identifiers_have_one_spelling_or_none() {
        assert_eq!(lot_number("lot-17"), Some(17));
        for other in ["17", "lot-017", "lot-+17", "lot-", ""] {
            assert_eq!(lot_number(other), None, "{other}");
        }
        let keeper = "00000000-0000-4000-9000-00000000000F";
        assert_eq!(keeper_number(keeper), Some(15));
        assert_eq!(keeper_number("lot-15"), None);
    }
}
