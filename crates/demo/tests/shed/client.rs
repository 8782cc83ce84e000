//! The Shed as a caller sees it, and things to send to it.

use fossick_demo::{Faults, STAFF_TOKEN, Service, serve};
use serde_json::{Value, json};

pub(crate) use crate::wire::Answer;
use crate::wire::send;

pub(crate) struct Shed {
    service: Service,
}

impl Shed {
    pub(crate) fn open(faults: Faults) -> Self {
        let service = serve(faults, 0).expect("loopback has a free port");
        Self { service }
    }

    /// Sends what is given and not a header more; `None` if the connection is dropped.
    pub(crate) fn raw(&self, line: &str, headers: &[&str], body: &str) -> Option<Answer> {
        send(self.service.address, line, headers, body)
    }

    /// `line` is a method and a target, as `GET /tools`.
    pub(crate) fn send(&self, line: &str, body: Option<&Value>) -> Answer {
        let text = body.map(Value::to_string).unwrap_or_default();
        self.raw(line, &["content-type: application/json"], &text)
            .unwrap_or_else(|| panic!("no answer to {line} {text}"))
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path}"), None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&format!("POST {path}"), Some(body))
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(&format!("PUT {path}"), Some(body))
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(&format!("PATCH {path}"), Some(body))
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.send(&format!("DELETE {path}"), None)
    }

    pub(crate) fn as_staff(&self, line: &str) -> Answer {
        let token = format!("authorization: Bearer {STAFF_TOKEN}");
        self.raw(line, &[&token], "").expect("staff are answered")
    }

    /// Makes a tool and gives its path.
    pub(crate) fn tool(&self) -> String {
        let made = self.post("/tools", &tool());
        made.header("location").expect("a location").to_owned()
    }

    /// Makes a repair of a tool and gives its path.
    pub(crate) fn repair(&self, tool: &str) -> String {
        let repairs = format!("{tool}/repairs");
        let made = self.post(&repairs, &repair()).json();
        format!("{repairs}/{}", made["id"])
    }

    /// Makes a member and gives its path.
    pub(crate) fn member(&self) -> String {
        let made = self.post("/members", &member());
        made.header("location").expect("a location").to_owned()
    }

    /// Lends a new tool to a new member and gives the loan's path.
    pub(crate) fn loan(&self) -> String {
        let (tool, member) = (self.get(&self.tool()).json(), self.member());
        let body = json!({"toolId": tool["id"], "days": 7});
        let made = self.post(&format!("{member}/loans"), &body).json();
        format!("/loans/{}", made["id"])
    }
}

pub(crate) fn tool() -> Value {
    json!({"name": "Jigsaw", "code": "PO-0007", "category": "power", "deposit": 500,
           "boughtOn": "2020-02-29", "tags": ["wood", "loud"]})
}

pub(crate) fn repair() -> Value {
    json!({"note": "New blade", "hours": 1.5, "urgency": "low"})
}

pub(crate) fn member() -> Value {
    json!({"name": "Ada", "email": "ada@example.com", "tier": "plus", "pin": "4711"})
}

pub(crate) fn update() -> Value {
    json!({"name": "Ada", "email": "ada@example.com", "tier": "basic", "wishes": ["lathe"]})
}
