//! A blocking HTTP client of one connection per request: enough to look at the service from
//! outside, and nothing of the service's own stack.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use fossick_demo::{Faults, STAFF_TOKEN, Service, serve};
use serde_json::{Value, json};

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    fn parse(text: &str) -> Option<Self> {
        let (head, text) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        Some(Self {
            status,
            headers: headers
                .map(|(n, v)| (n.to_lowercase(), v.to_owned()))
                .collect(),
            text: text.to_owned(),
        })
    }
}

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
        Answer::parse(&exchange(self.service.address, line, headers, body).ok()?)
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

fn exchange(
    address: SocketAddr,
    line: &str,
    headers: &[&str],
    body: &str,
) -> std::io::Result<String> {
    let headers: String = headers.iter().flat_map(|h| [h, "\r\n"]).collect();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: shed\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}
