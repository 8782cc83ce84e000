//! A request of the collection, and what must be done before it is sent.
//!
//! Postman fills in `{{ }}` wherever it stands, again and again, in values too. So no value that
//! came from a service is ever put in as it is: paths escape braces, JSON escapes them, and texts
//! are put together in a script that makes every hole stand for itself.

use fossick_suite::{Body, Piece, Request, Template, User};
use serde_json::{Value, json};

use super::script::{Script, text};
use crate::json as files;
use crate::layout::{Doc, JSON, Kind};
use crate::scope::Scope;

pub(super) const BASE_URL: &str = "FOSSICK_BASE_URL";

/// How a variable stands in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Path,
    Json,
    InsideJson,
}

pub(super) struct Sender<'a> {
    pub(super) scope: &'a Scope,
    /// The variables are those of the environment, and not saved ones.
    pub(super) secrets: bool,
    pub(super) script: Script,
    /// Bodies that are no text: files beside the collection.
    pub(super) bodies: &'a mut Vec<Vec<u8>>,
}

impl Sender<'_> {
    pub(super) fn request(&mut self, request: &Request) -> Value {
        let url = self.url(&request.path);
        let mut headers = Vec::new();
        for (place, (name, pieces)) in request.headers.iter().enumerate() {
            let value = self.text(&format!("header_{}", place + 1), pieces);
            headers.push(json!({"key": name, "value": value}));
        }
        let body = self.body(&request.body);
        if let Some(media_type) = media_type(&request.body) {
            headers.push(json!({"key": "Content-Type", "value": media_type}));
        }
        let mut written = json!({"method": request.method.as_str(), "header": headers, "url": url});
        if let Some(body) = body {
            written["body"] = body;
        }
        written
    }

    /// The headers that tell who sends, in front of the others.
    pub(super) fn credentials(&mut self, user: &User, token: Option<&str>) -> Vec<Value> {
        let mut headers = Vec::new();
        for secret in &user.headers {
            self.need(&secret.variable);
            let value = format!("{{{{{}}}}}", secret.variable);
            headers.push(json!({"key": secret.name, "value": value}));
        }
        if let (Some(login), Some(variable)) = (&user.login, token) {
            let value = format!("{}{{{{{variable}}}}}", login.prefix);
            headers.push(json!({"key": login.header, "value": value}));
        }
        headers
    }

    fn need(&mut self, secret: &str) {
        let call = self.script.call("need", vec![text(secret)]);
        self.script.statement(0, &call);
    }

    fn url(&mut self, pieces: &[Piece]) -> String {
        let mut url = format!("{{{{{BASE_URL}}}}}");
        for piece in pieces {
            match piece {
                // A segment that begins with a colon would be a variable of Postman's.
                Piece::Fixed(fixed) => {
                    let fixed = fixed.replace('{', "%7B").replace('}', "%7D");
                    url.push_str(&fixed.replace("/:", "/%3A"));
                }
                Piece::Variable(variable) => url.push_str(&self.hole(variable, Place::Path)),
            }
        }
        url
    }

    /// `{{tool_id_in_path}}`, and the line of the script that sets it.
    fn hole(&mut self, variable: &str, place: Place) -> String {
        let name = self.scope.get(variable).name;
        let (suffix, helper) = match place {
            Place::Path => ("in_path", "inPath"),
            Place::Json => ("as_json", "asJson"),
            Place::InsideJson => ("in_json", "inJson"),
        };
        let hole = format!("{name}_{suffix}");
        let value = self.value(variable);
        let written = self.script.call(helper, vec![value]);
        self.set(&hole, written);
        format!("{{{{{hole}}}}}")
    }

    fn set(&mut self, name: &str, value: Doc) {
        let call = Doc::call("pm.variables.set", vec![text(name), value]);
        self.script.statement(0, &call);
    }

    fn value(&mut self, variable: &str) -> Doc {
        if self.secrets {
            self.need(variable);
            return Doc::call("pm.environment.get", vec![text(variable)]);
        }
        let name = self.scope.get(variable).name;
        self.script.call("saved", vec![text(&name)])
    }

    /// Text that goes out as it is: in place if it is fixed, else put together in the script.
    fn text(&mut self, name: &str, pieces: &[Piece]) -> String {
        let fixed: String = pieces.iter().map(fixed).collect();
        if !pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Variable(_)))
        {
            if fixed.contains("{{") {
                let call = self.script.call("keep", vec![text(&fixed)]);
                self.script.statement(0, &call);
            }
            return fixed;
        }
        let mut parts = Vec::new();
        for piece in pieces {
            parts.push(match piece {
                Piece::Fixed(fixed) => text(fixed),
                Piece::Variable(variable) => {
                    let value = self.value(variable);
                    self.script.call("asText", vec![value])
                }
            });
        }
        let whole = match parts.len() {
            1 => parts.remove(0),
            _ => Doc::list("[", parts, "].join(\"\")", Kind::Call),
        };
        let whole = self.script.call("keep", vec![whole]);
        self.set(name, whole);
        format!("{{{{{name}}}}}")
    }

    fn body(&mut self, body: &Body) -> Option<Value> {
        match body {
            Body::None => None,
            Body::Json { value, .. } => {
                let doc = self.json(value);
                let raw = JSON.statement(0, "", &doc, "");
                Some(json!({"mode": "raw", "raw": raw, "options": {"raw": {"language": "json"}}}))
            }
            Body::Text { text: pieces, .. } => {
                Some(json!({"mode": "raw", "raw": self.text("body", pieces)}))
            }
            Body::Bytes { bytes, .. } => {
                self.bodies.push(bytes.clone());
                let name = file_name(self.bodies.len());
                Some(json!({"mode": "file", "file": {"src": name}}))
            }
        }
    }

    fn json(&mut self, template: &Template) -> Doc {
        match template {
            Template::Value(value) => files::doc_with(value, string),
            Template::Text(pieces) => {
                let mut inside = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Fixed(fixed) => inside.push_str(inner(&string(fixed))),
                        Piece::Variable(variable) => {
                            inside.push_str(&self.hole(variable, Place::InsideJson));
                        }
                    }
                }
                Doc::text(format!("\"{inside}\""))
            }
            Template::Variable(variable) => Doc::text(self.hole(variable, Place::Json)),
            Template::List(items) => {
                let items = items.iter().map(|item| self.json(item)).collect();
                Doc::list("[", items, "]", Kind::Array)
            }
            Template::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(key, field)| Doc::pair(format!("{}: ", string(key)), self.json(field)));
                Doc::list("{", fields.collect(), "}", Kind::Object)
            }
        }
    }
}

pub(super) fn file_name(number: usize) -> String {
    format!("body_{number}.bin")
}

/// A text of JSON without anything that Postman would fill in.
fn string(text: &str) -> String {
    files::string(text).replace("{{", "\\u007b\\u007b")
}

fn inner(quoted: &str) -> &str {
    let open = quoted.strip_prefix('"').unwrap_or(quoted);
    open.strip_suffix('"').unwrap_or(open)
}

fn fixed(piece: &Piece) -> &str {
    match piece {
        Piece::Fixed(text) => text,
        Piece::Variable(_) => "",
    }
}

fn media_type(body: &Body) -> Option<&str> {
    match body {
        Body::None => None,
        Body::Json { media_type, .. }
        | Body::Text { media_type, .. }
        | Body::Bytes { media_type, .. } => Some(media_type),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn json_texts_have_no_holes_and_come_back(text in "(?s).{0,30}|[{}a\"\\\\]{0,20}") {
            let literal = string(&text);
            prop_assert!(!literal.contains("{{"));
            prop_assert_eq!(serde_json::from_str::<String>(&literal).expect("JSON"), text);
        }
    }
}
