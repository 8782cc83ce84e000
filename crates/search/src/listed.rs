//! What a list last showed: enough to know which questions would tell something.

use fossick_contract::{Operation, RootKind, plain_name};
use serde_json::{Map, Value};

/// Items that are remembered of one list.
const KEPT: usize = 24;

/// The last look at a list.
#[derive(Debug, Default, Clone)]
pub(crate) struct Listed {
    /// JSON pointer of the list in the answer.
    pub(crate) list: String,
    /// From an item of the list to the thing: `/node`, mostly nothing.
    pub(crate) below: String,
    /// Where the answer told how to go on, if it ever did.
    pub(crate) cursor: Option<String>,
    pub(crate) count: usize,
    /// The scalar fields of the first of them.
    pub(crate) items: Vec<Map<String, Value>>,
    /// It was seen whole, with everything that its items have.
    pub(crate) surveyed: bool,
    /// So often as many items as may be were refused.
    pub(crate) refused: usize,
}

/// As many items as are asked for at once, and fewer where that was refused: how many a service
/// gives is often told in words alone.
const MOST: [u64; 4] = [100, 50, 20, 10];

impl Listed {
    /// As many items as may be asked for.
    pub(crate) fn most(&self) -> u64 {
        MOST[self.refused.min(MOST.len() - 1)]
    }

    /// Hears that so many were too many; tells whether fewer can be asked for.
    pub(crate) fn lower(&mut self) -> bool {
        self.refused += 1;
        self.refused < MOST.len()
    }

    /// The pointer of a field of one item.
    pub(crate) fn pointer(&self, at: usize, field: &str) -> String {
        let field = fossick_contract::escape_token(field);
        format!("{}/{at}{}/{field}", self.list, self.below)
    }

    /// Every value of a field that is not null, in order.
    pub(crate) fn values(&self, field: &str) -> Vec<&Value> {
        let values = self.items.iter().filter_map(|item| item.get(field));
        values.filter(|value| !value.is_null()).collect()
    }

    pub(crate) fn fields(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.items.iter().flat_map(Map::keys) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

/// Whether an operation answers with a list of things.
pub(crate) fn lists(operation: &Operation) -> bool {
    match &operation.graphql {
        Some(root) => root.listed && root.kind == RootKind::Query && root.thing.is_some(),
        None => {
            operation.method == fossick_contract::Method::Get && !operation.path.ends_with_hole()
        }
    }
}

/// Reads an answer to a list operation.
pub(crate) fn read(operation: &Operation, body: &Value, known: &mut Listed) {
    let Some((pointer, items)) = find(operation, body) else {
        return;
    };
    let is_node = |item: &Value| item.get("node").is_some_and(Value::is_object);
    known.below = match items.first() {
        Some(item) if is_node(item) => "/node".to_owned(),
        Some(_) => String::new(),
        None => std::mem::take(&mut known.below),
    };
    // A filter that lets nothing through says little of the list.
    if items.is_empty() && !known.items.is_empty() {
        return;
    }
    known.list = pointer;
    known.count = items.len();
    let thing = |item: &Value| item.pointer(&known.below).and_then(scalars);
    known.items = items.iter().take(KEPT).filter_map(thing).collect();
    let cursor = cursor(body, "", 0);
    known.cursor = cursor.or_else(|| known.cursor.take());
}

fn scalars(thing: &Value) -> Option<Map<String, Value>> {
    let fields = thing.as_object()?.iter();
    let scalars = fields.filter(|(_, value)| !value.is_array() && !value.is_object());
    Some(
        scalars
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

/// The list: the answer itself, or the first list near its root.
fn find<'v>(operation: &Operation, body: &'v Value) -> Option<(String, &'v Vec<Value>)> {
    let depth = if operation.graphql.is_some() { 4 } else { 2 };
    below(body, String::new(), depth)
}

fn below(value: &Value, pointer: String, depth: usize) -> Option<(String, &Vec<Value>)> {
    match value {
        Value::Array(items) => items
            .iter()
            .all(Value::is_object)
            .then_some((pointer, items)),
        Value::Object(map) if depth > 0 => {
            let inner = |wants_list: bool| {
                let mut fields = map
                    .iter()
                    .filter(|(_, value)| value.is_array() == wants_list);
                fields.find_map(|(name, value)| {
                    let name = fossick_contract::escape_token(name);
                    below(value, format!("{pointer}/{name}"), depth - 1)
                })
            };
            inner(true).or_else(|| inner(false))
        }
        _ => None,
    }
}

/// Where an answer says how to go on.
fn cursor(value: &Value, pointer: &str, depth: usize) -> Option<String> {
    const DEPTH: usize = 4;
    let map = value.as_object().filter(|_| depth < DEPTH)?;
    let goes_on = |name: &str| {
        matches!(
            plain_name(name).as_str(),
            "nextcursor"
                | "endcursor"
                | "cursor"
                | "nextpagetoken"
                | "nexttoken"
                | "next"
                | "continuationtoken"
                | "after"
        )
    };
    let here = map.iter().find(|(name, value)| {
        goes_on(name) && value.as_str().is_some_and(|text| !text.contains("://"))
    });
    if let Some((name, _)) = here {
        return Some(format!(
            "{pointer}/{}",
            fossick_contract::escape_token(name)
        ));
    }
    map.iter().find_map(|(name, inner)| {
        let name = fossick_contract::escape_token(name);
        cursor(inner, &format!("{pointer}/{name}"), depth + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_list_is_found_near_the_root() {
        let found = |body: Value| below(&body, String::new(), 4).map(|(pointer, _)| pointer);
        assert_eq!(found(json!([{"id": 1}])).as_deref(), Some(""));
        assert_eq!(
            found(json!({"meta": {"x": []}, "items": []})).as_deref(),
            Some("/items")
        );
        let data = json!({"data": {"books": {"edges": [{"node": {"id": 1}}]}}});
        assert_eq!(found(data).as_deref(), Some("/data/books/edges"));
        assert_eq!(found(json!({"tags": ["a"]})), None);
    }

    #[test]
    fn a_cursor_is_told_beside_the_list() {
        let body = json!({"data": {"books": {"pageInfo": {"endCursor": "x"}, "edges": []}}});
        let found = cursor(&body, "", 0);
        assert_eq!(found.as_deref(), Some("/data/books/pageInfo/endCursor"));
        assert_eq!(
            cursor(&json!({"items": [{"cursor": "x"}], "next": null}), "", 0),
            None
        );
    }
}
