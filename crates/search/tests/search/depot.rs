//! A depot with suppliers, articles and orders: things that refer to each other from inside lists,
//! by keys of their own, and of which no two may be called the same.

use std::collections::BTreeMap;

use fossick_contract::Method;
use fossick_trace::Request;
use serde_json::{Value, json};

use crate::play::World;
use crate::workshop::Reply;

/// How the depot refuses what is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It names the field.
    Named,
    /// It says nothing at all.
    Silent,
}

#[derive(Debug)]
pub(crate) struct Depot {
    refusal: Refusal,
    suppliers: BTreeMap<u64, Value>,
    articles: BTreeMap<String, Value>,
    orders: BTreeMap<u64, Value>,
    last: u64,
}

pub(crate) fn world() -> World {
    let text = json!({"type": "string", "minLength": 1, "maxLength": 40});
    let number = json!({"type": "integer"});
    let object = |properties: Value| {
        let required: Vec<&String> = properties.as_object().expect("an object").keys().collect();
        json!({"type": "object", "required": required, "properties": properties})
    };
    let supplier = json!({"name": text, "grade": {"type": "integer", "minimum": 1, "maximum": 5},
        "taxNumber": {"type": "integer", "minimum": 1, "maximum": 5000}});
    let article = json!({"sku": text, "supplier": number});
    let line =
        object(json!({"sku": text, "quantity": {"type": "integer", "minimum": 1, "maximum": 9}}));
    let order = json!({"lines": {"type": "array", "minItems": 2, "maxItems": 4, "items": line},
        "backup": {"type": "object", "required": ["supplierIds"], "properties": {"supplierIds":
            {"type": "array", "uniqueItems": true, "minItems": 2, "items": number}}}});
    let with = |key: &str, schema: &Value, of: &Value| {
        let mut all = of.clone();
        all[key] = schema.clone();
        object(all)
    };
    let content = |schema: &Value| json!({"application/json": {"schema": schema}});
    let gives = |schema: &Value| json!({"responses": {"200": {"description": "", "content": content(schema)}}});
    let takes = |body: &Value, schema: &Value| {
        let mut told = gives(schema);
        told["requestBody"] = json!({"required": true, "content": content(body)});
        told
    };
    let hole = |name: &str, schema: &Value| json!([{"name": name, "in": "path", "required": true, "schema": schema}]);
    let many = |schema: &Value| json!({"type": "array", "items": schema});
    let (suppliers, articles) = (with("id", &number, &supplier), object(article));
    let orders = with("id", &number, &order);
    World::of(
        json!({
            "/suppliers": {"post": takes(&object(supplier), &suppliers), "get": gives(&many(&suppliers))},
            "/suppliers/{id}": {"parameters": hole("id", &number), "get": gives(&suppliers)},
            "/articles": {"post": takes(&articles, &articles), "get": gives(&many(&articles))},
            "/articles/{sku}": {"parameters": hole("sku", &text), "get": gives(&articles)},
            "/orders": {"post": takes(&object(order), &orders)},
            "/orders/{id}": {"parameters": hole("id", &number), "get": gives(&orders)},
        }),
        json!({}),
    )
}

impl Depot {
    pub(crate) fn new(refusal: Refusal) -> Self {
        Self {
            refusal,
            suppliers: BTreeMap::new(),
            articles: BTreeMap::new(),
            orders: BTreeMap::new(),
            last: 0,
        }
    }

    pub(crate) fn answer(&mut self, request: &Request) -> Reply {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let path = request.target.split('?').next().unwrap_or("");
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match (request.method, parts.as_slice()) {
            (Method::Post, ["suppliers"]) => self.add_supplier(body),
            (Method::Post, ["articles"]) => self.add_article(body),
            (Method::Post, ["orders"]) => self.add_order(body),
            (Method::Get, ["suppliers"]) => (200, self.suppliers.values().cloned().collect()),
            (Method::Get, ["articles"]) => (200, self.articles.values().cloned().collect()),
            (Method::Get, ["suppliers", id]) => {
                found(id.parse().ok().and_then(|id| self.suppliers.get(&id)))
            }
            (Method::Get, ["orders", id]) => {
                found(id.parse().ok().and_then(|id| self.orders.get(&id)))
            }
            (Method::Get, ["articles", sku]) => found(self.articles.get(*sku)),
            _ => found(None),
        }
    }

    fn taken(&self, field: &str) -> Reply {
        match self.refusal {
            Refusal::Named => (409, json!({"detail": format!("{field} is in use already")})),
            Refusal::Silent => (400, json!({"detail": "this can't be done"})),
        }
    }

    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn add_supplier(&mut self, mut body: Value) -> Reply {
        let number = body["taxNumber"].as_i64();
        if !number.is_some_and(|n| (1..=5000).contains(&n)) || !body["name"].is_string() {
            return (422, json!({"detail": "not valid"}));
        }
        if self
            .suppliers
            .values()
            .any(|other| other["taxNumber"] == body["taxNumber"])
        {
            return self.taken("taxNumber");
        }
        let id = self.next();
        body["id"] = json!(id);
        self.suppliers.insert(id, body.clone());
        (201, body)
    }

    fn has_supplier(&self, id: &Value) -> bool {
        id.as_u64()
            .is_some_and(|id| self.suppliers.contains_key(&id))
    }

    fn add_article(&mut self, body: Value) -> Reply {
        let Some(sku) = body["sku"].as_str().filter(|sku| !sku.is_empty()) else {
            return (422, json!({"detail": "not valid"}));
        };
        if self.articles.contains_key(sku) {
            return self.taken("sku");
        }
        if !self.has_supplier(&body["supplier"]) {
            return (422, json!({"detail": "no such supplier"}));
        }
        self.articles.insert(sku.to_owned(), body.clone());
        (201, body)
    }

    fn add_order(&mut self, mut body: Value) -> Reply {
        let none = Vec::new();
        let lines = body["lines"].as_array().unwrap_or(&none);
        let there = |line: &Value| {
            let sku = line["sku"].as_str();
            sku.is_some_and(|sku| self.articles.contains_key(sku))
        };
        if lines.len() < 2 || !lines.iter().all(there) {
            return (422, json!({"detail": "no such article"}));
        }
        let backup = body["backup"]["supplierIds"].as_array().unwrap_or(&none);
        let apart = backup
            .iter()
            .enumerate()
            .all(|(at, id)| !backup[..at].contains(id));
        if !apart || !backup.iter().all(|id| self.has_supplier(id)) {
            return (422, json!({"detail": "no such supplier"}));
        }
        let id = self.next();
        body["id"] = json!(id);
        self.orders.insert(id, body.clone());
        (201, body)
    }
}

fn found(thing: Option<&Value>) -> Reply {
    match thing {
        Some(thing) => (200, thing.clone()),
        None => (404, json!({"detail": "not found"})),
    }
}
