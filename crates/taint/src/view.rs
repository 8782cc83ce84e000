//! The inputs of a call, as they are and as a service may look at them.

use std::borrow::Cow;

use serde_json::Value;

use crate::layer::Layer;

/// What a service may see of one input: itself, or what lies below some layers.
#[derive(Debug, Clone)]
pub struct View {
    pub input: usize,
    pub(crate) layers: Vec<Layer>,
    pub(crate) seen: Value,
}

impl View {
    /// What is seen as a text, a number in its digits.
    pub(crate) fn text(&self) -> Option<Cow<'_, str>> {
        match &self.seen {
            Value::String(text) => Some(Cow::Borrowed(text)),
            Value::Number(number) => Some(Cow::Owned(number.to_string())),
            _ => None,
        }
    }
}

/// The inputs of a call with all their views.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    pub(crate) sent: Vec<Value>,
    pub(crate) views: Vec<View>,
}

/// Base64 of JSON with a date in it is three deep.
const DEEPEST: usize = 3;
/// Of one input.
const MOST_VIEWS: usize = 96;
/// Longer texts are looked at as they are.
const LONGEST: usize = 2048;

impl Inputs {
    pub fn of(sent: Vec<Value>) -> Self {
        let mut views = Vec::new();
        for (input, value) in sent.iter().enumerate() {
            let from = views.len();
            views.push(View {
                input,
                layers: Vec::new(),
                seen: value.clone(),
            });
            if !is_long(value) {
                open_all(&mut views, from);
            }
        }
        Self { sent, views }
    }

    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// The input with which the service sees `seen` through a view.
    pub(crate) fn with(&self, view: &View, seen: Value) -> Option<Value> {
        close(&view.layers, &self.sent[view.input], seen)
    }
}

fn is_long(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() > LONGEST)
}

fn open_all(views: &mut Vec<View>, from: usize) {
    let mut next = from;
    while next < views.len() && views.len() - from < MOST_VIEWS {
        let view = views[next].clone();
        next += 1;
        if view.layers.len() >= DEEPEST {
            continue;
        }
        for (layer, seen) in Layer::all_of(&view.seen) {
            let known = views[from..]
                .iter()
                .any(|v| v.seen == seen && !matches!(layer, Layer::Date(_)));
            // Two letters' cases on top of each other show nothing new.
            if !known {
                let mut layers = view.layers.clone();
                layers.push(layer);
                views.push(View {
                    input: view.input,
                    layers,
                    seen,
                });
            }
        }
    }
    views.truncate(from + MOST_VIEWS);
}

fn close(layers: &[Layer], sent: &Value, seen: Value) -> Option<Value> {
    let Some((layer, below)) = layers.split_first() else {
        return Some(seen);
    };
    let inner = close(below, &layer.open(sent)?, seen)?;
    layer.close(sent, inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_of_json_behind_base64_is_seen_and_changed() {
        // {"role":"guest"}
        let inputs = Inputs::of(vec![json!("eyJyb2xlIjoiZ3Vlc3QifQ==")]);
        let view = inputs.views.iter().find(|view| view.seen == json!("guest"));
        let new = inputs.with(view.expect("it is seen"), json!("admin"));
        assert_eq!(new, Some(json!("eyJyb2xlIjoiYWRtaW4ifQ==")));
    }

    #[test]
    fn numbers_are_seen_as_they_are() {
        let inputs = Inputs::of(vec![json!(7), json!(true)]);
        assert_eq!(inputs.views.len(), 2);
    }

    #[test]
    fn a_long_text_has_one_view() {
        assert_eq!(Inputs::of(vec![json!("a".repeat(5000))]).views.len(), 1);
    }
}
