//! JSON through the rules: everything under a private name, and what gives itself away.

use serde_json::{Map, Number, Value};

use super::cover::{Cover, Place, Sense};
use super::pseudonym::pseudonym;
use super::shapes::is_card;
use crate::How;

impl Cover<'_> {
    pub(crate) fn body(&mut self, value: &mut Value) {
        self.json(value, Sense::Plain, &Place::Start("body"));
    }

    /// `sense` is that of the value's own name; `null` and booleans tell nothing and stay.
    pub(crate) fn json(&mut self, value: &mut Value, sense: Sense, place: &Place<'_>) {
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => self.number(number, sense, place),
            Value::String(text) => *text = self.text(text, sense, place),
            Value::Array(items) => {
                for item in items {
                    self.json(item, sense, &Place::Item(place));
                }
            }
            Value::Object(fields) => self.object(fields, sense, place),
        }
    }

    fn object(&mut self, fields: &mut Map<String, Value>, sense: Sense, place: &Place<'_>) {
        let told = told_name(fields).is_some_and(|n| self.guard.sense(sense, n) == Sense::Private);
        if fields.keys().any(|name| self.guard.is_marked(name)) {
            self.rename(fields, place);
        }
        for (name, value) in fields {
            let inner = match name.as_str() {
                "value" | "values" if told => Sense::Private,
                name => self.guard.sense(sense, name),
            };
            self.json(value, inner, &Place::Key(place, name));
        }
    }

    /// Names can be data too: a map from addresses to people.
    fn rename(&mut self, fields: &mut Map<String, Value>, place: &Place<'_>) {
        let named = std::mem::take(fields).into_iter().map(|(name, value)| {
            let name = self.text(&name, Sense::Plain, place);
            (name, value)
        });
        *fields = named.collect();
    }

    fn number(&mut self, number: &mut Number, sense: Sense, place: &Place<'_>) {
        let text = number.to_string();
        if sense != Sense::Private && (sense == Sense::Kept || !is_card(&text)) {
            return;
        }
        let made = pseudonym(self.guard.keyed(), &text);
        if let Ok(other) = made.parse::<Number>()
            && made != text
        {
            *number = other;
            self.tell(place, How::Pseudonym);
        }
    }
}

/// The name in `{"name": "password", "value": …}`.
fn told_name(fields: &Map<String, Value>) -> Option<&str> {
    let named = ["name", "key", "field"].iter();
    named
        .filter_map(|name| fields.get(*name))
        .find_map(Value::as_str)
}
