//! Scripts of a request: before it is sent and after it was answered.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::jest::string;
use crate::layout::{Dialect, Doc, Kind, Style};

pub(super) const STYLE: Style = Style {
    width: 80,
    indent: 2,
    dialect: Dialect::Script,
};

/// Lines of a script, and the helpers that they call.
#[derive(Debug, Default)]
pub(super) struct Script {
    lines: Vec<String>,
    helpers: BTreeSet<&'static str>,
}

impl Script {
    pub(super) fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A helper, which is then known to the script.
    pub(super) fn helper(&mut self, name: &'static str) -> &'static str {
        self.helpers.insert(name);
        name
    }

    pub(super) fn call(&mut self, name: &'static str, arguments: Vec<Doc>) -> Doc {
        Doc::call(self.helper(name), arguments)
    }

    pub(super) fn statement(&mut self, depth: usize, doc: &Doc) {
        let line = STYLE.statement(depth, "", doc, ";");
        self.line(line);
    }

    /// `pm.expect(…).to.equal(…)`
    pub(super) fn chain(&mut self, depth: usize, first: &Doc, verb: &str, last: Doc) {
        let open = format!("{}{verb}", STYLE.flat(first));
        let last = vec![last];
        if STYLE.fits(depth, &format!("{open}(")) {
            return self.statement(depth, &Doc::call(open, last));
        }
        let behind = STYLE.flat(&Doc::call(verb, last)) + ";";
        let line = STYLE.statement(depth, "", first, &behind);
        self.line(line);
    }

    /// The script as a listener of its request.
    pub(super) fn event(self, listen: &str) -> Option<Value> {
        if self.lines.is_empty() {
            return None;
        }
        let mut text = self.head();
        text.push_str(&self.lines.join("\n"));
        Some(event(listen, &text))
    }

    fn head(&self) -> String {
        if self.helpers.is_empty() {
            return String::new();
        }
        let names = self.helpers.iter().map(|&name| Doc::text(name)).collect();
        let names = Doc::list("{", names, "}", Kind::Object);
        STYLE.statement(0, "const ", &names, " = fossick(pm);") + "\n\n"
    }
}

pub(super) fn event(listen: &str, text: &str) -> Value {
    let lines: Vec<&str> = text.lines().collect();
    json!({"listen": listen, "script": {"type": "text/javascript", "exec": lines}})
}

pub(super) fn text(text: &str) -> Doc {
    Doc::text(string(text))
}
