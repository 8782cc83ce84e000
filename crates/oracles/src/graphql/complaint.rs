//! One entry of `errors`.

use serde_json::{Map, Value};

#[derive(Clone, Copy)]
pub(crate) struct Complaint<'a> {
    entry: &'a Map<String, Value>,
}

/// More entries than these say nothing new.
const MOST: usize = 200;

/// The entries of an answer that can be read at all.
pub(crate) fn complaints(answer: &Value) -> impl Iterator<Item = Complaint<'_>> {
    let entries = answer.get("errors").and_then(Value::as_array);
    let readable = entries.into_iter().flatten().filter_map(Value::as_object);
    readable.take(MOST).map(|entry| Complaint { entry })
}

impl<'a> Complaint<'a> {
    pub(crate) fn message(self) -> &'a str {
        self.get("message").and_then(Value::as_str).unwrap_or("")
    }

    /// The first line of the message, short enough to be read at a glance.
    pub(crate) fn brief(self) -> String {
        const LENGTH: usize = 120;
        let mut lines = self.message().lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty()).unwrap_or("");
        match line.char_indices().nth(LENGTH) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)),
            None => line.to_owned(),
        }
    }

    pub(crate) fn get(self, name: &str) -> Option<&'a Value> {
        self.entry.get(name)
    }

    /// Where in `data` it happened. Some write null where they have no path.
    pub(crate) fn path(self) -> Option<&'a [Value]> {
        let path = self.get("path")?.as_array()?;
        (!path.is_empty()).then_some(path.as_slice())
    }

    pub(crate) fn extensions(self) -> Option<&'a Map<String, Value>> {
        self.get("extensions")?.as_object()
    }

    /// Every text in its extensions, with the names that lead to it, in order and to some depth.
    pub(crate) fn texts(self) -> Vec<(&'a str, &'a str)> {
        let mut texts = Vec::new();
        for (name, value) in self.entry {
            if name != "message" && name != "path" {
                gather(name, value, 0, &mut texts);
            }
        }
        texts
    }
}

/// Every text of a value with the name that it stands under. Debug output may be as long as a
/// stack; its beginning tells enough.
pub(crate) fn gather<'a>(
    name: &'a str,
    value: &'a Value,
    depth: usize,
    texts: &mut Vec<(&'a str, &'a str)>,
) {
    const DEPTH: usize = 4;
    if depth > DEPTH || texts.len() > MOST {
        return;
    }
    match value {
        Value::String(text) => texts.push((name, text)),
        Value::Array(items) => {
            for item in items {
                gather(name, item, depth + 1, texts);
            }
        }
        Value::Object(map) => {
            for (name, value) in map {
                gather(name, value, depth + 1, texts);
            }
        }
        _ => {}
    }
}
