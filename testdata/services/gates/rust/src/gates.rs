//! What opens a gate, each kind of condition once.
//!
//! A function is one gate, and its line with the mark is run only when it opens. Gates that look at
//! the request itself are in the service. `Memory` holds the gates that need several calls.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::str::FromStr;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Datelike as _, NaiveDate, Timelike as _, Weekday};
use regex::Regex;
use serde_json::Value;
use uuid::Uuid;

const SHELF_SIZE: usize = 10_000;

static FEES: LazyLock<HashMap<&str, i64>> = LazyLock::new(|| {
    HashMap::from([
        ("NO1", 310),
        ("NO2", 545),
        ("IS1", 420),
        ("IS3", 1290),
        ("FO2", 780),
    ])
});
static AIRPORTS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| HashSet::from(["KEF", "TRD", "BGO", "SVG"]));

static SERIAL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[A-F]{2}[0-9]{4}-[xyz]$").expect("a pattern"));
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^v([0-9]+)\.([0-9]+)\.([0-9]+)$").expect("a pattern"));
static PAINT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^(red|green|blue)-(light|dark)-([0-9]{2})").expect("a pattern"));

#[derive(PartialEq)]
enum Size {
    Small,
    Medium,
    Large,
    Colossal,
}

impl FromStr for Size {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "SMALL" => Ok(Self::Small),
            "MEDIUM" => Ok(Self::Medium),
            "LARGE" => Ok(Self::Large),
            "COLOSSAL" => Ok(Self::Colossal),
            _ => Err(()),
        }
    }
}

pub fn text_equal(word: &str) -> bool {
    if word == "porcupine" {
        return true; // gate: text-equal
    }
    false
}

pub fn text_folded(word: &str) -> bool {
    if word.trim().to_lowercase() == "armadillo" {
        return true; // gate: text-folded
    }
    false
}

pub fn prefix_suffix(plate: &str) -> bool {
    if plate.starts_with("KX-") && plate.ends_with("-9Q") && plate.len() == 12 {
        return true; // gate: prefix-suffix
    }
    false
}

pub fn contains(note: &str) -> bool {
    if note.contains("overdue") && note.len() > 20 {
        return true; // gate: contains
    }
    false
}

pub fn regex_whole(serial: &str) -> bool {
    if SERIAL.is_match(serial) {
        return true; // gate: regex-whole
    }
    false
}

pub fn regex_groups(version: &str) -> bool {
    let Some(groups) = VERSION.captures(version) else {
        return false;
    };
    let number = |at: usize| groups[at].parse::<u64>().unwrap_or(0);
    if number(1) == 7 && number(2) > number(3) && number(3) == 21 {
        return true; // gate: regex-groups
    }
    false
}

pub fn regex_alternatives(paint: &str) -> bool {
    let Some(groups) = PAINT.captures(paint) else {
        return false;
    };
    if &groups[1] != "red" && &groups[2] == "dark" && &groups[3] == "42" {
        return true; // gate: regex-alternatives
    }
    false
}

pub fn slice_of_text(code: &str) -> bool {
    if code.get(2..5) == Some("xyz") && code.ends_with('7') {
        return true; // gate: slice
    }
    false
}

pub fn split(route: &str) -> bool {
    let stops: Vec<&str> = route.split(':').collect();
    if stops.len() == 3 && stops[0] == "oslo" && stops[2] == "rome" {
        return true; // gate: split
    }
    false
}

pub fn leap_day(text: &str) -> bool {
    let Ok(day) = text.parse::<NaiveDate>() else {
        return false;
    };
    if day.month() == 2 && day.day() == 29 && day.year() < 2000 {
        return true; // gate: leap-day
    }
    false
}

pub fn weekday(text: &str) -> bool {
    let Ok(moment) = DateTime::parse_from_rfc3339(text) else {
        return false;
    };
    if moment.weekday() == Weekday::Sun && moment.month() == 11 && moment.hour() == 3 {
        return true; // gate: weekday
    }
    false
}

pub fn date_after(arrival: &str, departure: &str) -> bool {
    let (Ok(first), Ok(last)) = (arrival.parse::<NaiveDate>(), departure.parse::<NaiveDate>())
    else {
        return false;
    };
    if last > first && (last - first).num_days() == 28 {
        return true; // gate: date-after
    }
    false
}

pub fn big_integer(number: i64) -> bool {
    if number == 738_265_914 {
        return true; // gate: big-integer
    }
    false
}

pub fn sum_product(width: i64, height: i64) -> bool {
    if width.wrapping_mul(height) == 7387 && width.wrapping_add(height) == 172 {
        return true; // gate: sum-product
    }
    false
}

/// Luhn's: from the right, each second digit counts twice, and its own digits are added.
pub fn checksum(card: &str) -> bool {
    let digits: Vec<u32> = card.chars().filter_map(|c| c.to_digit(10)).collect();
    let is_plain = digits.iter().all(|digit| digits.first() == Some(digit));
    if card.len() != 12 || digits.len() != 12 || is_plain {
        return false;
    }
    let mut total = 0;
    for (place, digit) in digits.iter().rev().enumerate() {
        let value = digit * (1 + place as u32 % 2);
        total += if value > 9 { value - 9 } else { value };
    }
    if total % 10 == 0 {
        return true; // gate: checksum
    }
    false
}

pub fn float_range(celsius: f64) -> bool {
    if celsius > 36.61 && celsius < 36.62 {
        return true; // gate: float-range
    }
    false
}

pub fn table_code(country: &str, weight: i64) -> bool {
    let begin: String = country.chars().take(2).collect();
    let fee = FEES.get(format!("{}{}", begin.to_uppercase(), weight / 10).as_str());
    if fee.is_some_and(|fee| *fee > 1000) {
        return true; // gate: table-code
    }
    false
}

pub fn member(airport: &str) -> bool {
    if AIRPORTS.contains(airport) {
        return true; // gate: member
    }
    false
}

pub fn enum_name(name: &str) -> bool {
    let Ok(size) = name.parse::<Size>() else {
        return false;
    };
    if size == Size::Colossal {
        return true; // gate: enum-name
    }
    false
}

pub fn cases(command: &str, argument: i64) -> bool {
    match command {
        "fill" | "empty" => false,
        "drain" if argument == 12 => {
            true // gate: cases
        }
        _ => false,
    }
}

pub fn inputs_equal(password: &str, repeated: &str) -> bool {
    if password.len() >= 8 && password == repeated {
        return true; // gate: inputs-equal
    }
    false
}

pub fn inputs_reversed(left: &str, right: &str) -> bool {
    let backwards: String = left.chars().rev().collect();
    if left.len() >= 5 && left != right && right == backwards {
        return true; // gate: inputs-reversed
    }
    false
}

pub fn inputs_upper(name: &str, label: &str) -> bool {
    if name.len() >= 4 && name != label && label == name.to_uppercase() {
        return true; // gate: inputs-upper
    }
    false
}

pub fn base64_json(token: &str) -> bool {
    let bytes = STANDARD.decode(token).unwrap_or_default();
    let Ok(claims) = serde_json::from_slice::<Value>(&bytes) else {
        return false;
    };
    if claims.get("role").and_then(Value::as_str) == Some("keeper") {
        return true; // gate: base64-json
    }
    false
}

pub fn json_text(document: &str) -> bool {
    let Ok(content) = serde_json::from_str::<Value>(document) else {
        return false;
    };
    if content.get("kind").and_then(Value::as_str) == Some("ledger") {
        return true; // gate: json-text
    }
    false
}

pub fn uuid_version(text: &str) -> bool {
    let Ok(identifier) = text.parse::<Uuid>() else {
        return false;
    };
    if identifier.get_version_num() == 5 {
        return true; // gate: uuid-version
    }
    false
}

pub fn array(items: &[String]) -> bool {
    if items.len() == 4 && items[2] == "lemon" {
        return true; // gate: array
    }
    false
}

pub fn four_conditions(amount: i64, months: i64, purpose: &str, grade: &str) -> bool {
    if amount > 50_000 && months % 12 == 0 {
        if purpose == "houseboat" && ["AA", "AAA"].contains(&grade) {
            return true; // gate: four-conditions
        }
    }
    false
}

/// What calls leave behind for later ones.
#[derive(Default)]
pub struct Memory {
    /// Of tickets.
    numbers: BTreeMap<i64, i64>,
    tickets: i64,
    ledgers: BTreeMap<String, Vec<i64>>,
    valves: BTreeMap<String, String>,
    rings: BTreeMap<String, u32>,
}

impl Memory {
    /// A new ticket and its number, which nobody can guess from the ticket.
    pub fn draw(&mut self) -> (i64, i64) {
        make_room(&mut self.numbers);
        self.tickets += 1;
        let number = 1000 + self.tickets * 7919 % 8999;
        self.numbers.insert(self.tickets, number);
        (self.tickets, number)
    }

    pub fn sum_of_answers(&self, first: i64, second: i64, total: i64) -> bool {
        let (Some(one), Some(other)) = (self.numbers.get(&first), self.numbers.get(&second)) else {
            return false;
        };
        if first != second && one + other == total {
            return true; // gate: sum-of-answers
        }
        false
    }

    pub fn enter(&mut self, ledger: String, amount: i64) {
        make_room(&mut self.ledgers);
        self.ledgers.entry(ledger).or_default().push(amount);
    }

    pub fn stored_sum(&self, ledger: &str, total: i64) -> bool {
        let Some(amounts) = self.ledgers.get(ledger) else {
            return false;
        };
        let sum = amounts
            .iter()
            .fold(0, |sum: i64, amount| sum.wrapping_add(*amount));
        if amounts.len() >= 2 && total > 1000 && sum == total {
            return true; // gate: stored-sum
        }
        false
    }

    pub fn turn(&mut self, valve: String, position: String) {
        make_room(&mut self.valves);
        self.valves.insert(valve, position);
    }

    pub fn state(&self, valve: &str) -> bool {
        if self
            .valves
            .get(valve)
            .is_some_and(|position| position == "bypass")
        {
            return true; // gate: state
        }
        false
    }

    pub fn counter(&mut self, bell: &str) -> bool {
        make_room(&mut self.rings);
        let rings = self.rings.entry(bell.to_owned()).or_default();
        *rings += 1;
        if *rings >= 3 {
            return true; // gate: counter
        }
        false
    }
}

/// A long run must not eat the machine.
fn make_room<K: Ord, V>(shelf: &mut BTreeMap<K, V>) {
    if shelf.len() >= SHELF_SIZE {
        shelf.pop_first();
    }
}
