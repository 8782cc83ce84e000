//! A document as text.
//!
//! Names and numbers are written as they are; texts are escaped so that nothing in them can end
//! the literal. A part or selection without a field is never written: GraphQL has no word for it.

use fossick_contract::RootKind;

use crate::{Asked, Directive, Document, Literal, Part, Pick, Variable};

/// Writes a document the way people lay it out.
pub fn write(document: &Document) -> String {
    Writer::new(true).document(document)
}

/// Writes a document on one line with as few characters as it can.
pub fn write_compact(document: &Document) -> String {
    Writer::new(false).document(document)
}

struct Writer {
    out: String,
    /// Laid out in lines, and not on a single one.
    lines: bool,
    indent: usize,
}

impl Writer {
    fn new(lines: bool) -> Self {
        Self {
            out: String::with_capacity(512),
            lines,
            indent: 0,
        }
    }

    fn document(mut self, document: &Document) -> String {
        self.head(document);
        self.picks(&document.picks);
        if self.lines {
            self.out.push('\n');
        }
        self.out
    }

    /// A query without name and variables needs no word before its braces.
    fn head(&mut self, document: &Document) {
        let bare = document.name.is_none() && document.variables.is_empty();
        if bare && document.kind == RootKind::Query && !is_blank(&document.picks) {
            return;
        }
        self.out.push_str(document.kind.as_str());
        if let Some(name) = &document.name {
            self.out.push(' ');
            self.out.push_str(name);
        }
        if !document.variables.is_empty() {
            self.listed('(', ')', &document.variables, Self::variable);
        }
    }

    fn variable(&mut self, variable: &Variable) {
        self.out.push('$');
        self.out.push_str(&variable.name);
        self.colon();
        self.out.push_str(&variable.type_text);
        if let Some(default) = &variable.default {
            self.out.push_str(if self.lines { " = " } else { "=" });
            self.literal(default);
        }
    }

    fn picks(&mut self, picks: &[Pick]) {
        if is_blank(picks) {
            return;
        }
        self.gap();
        self.out.push('{');
        self.indent += 1;
        for (at, pick) in picks.iter().filter(|pick| !is_nothing(pick)).enumerate() {
            self.begin(at);
            match pick {
                Pick::Field(asked) => self.asked(asked),
                Pick::Part(part) => self.part(part),
            }
        }
        self.indent -= 1;
        if self.lines {
            self.line();
        }
        self.out.push('}');
    }

    fn begin(&mut self, at: usize) {
        if self.lines {
            self.line();
        } else if at > 0 && !self.out.ends_with(['}', ')']) {
            self.out.push(' ');
        }
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    /// A space where something stands before.
    fn gap(&mut self) {
        if self.lines && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    fn asked(&mut self, asked: &Asked) {
        if let Some(alias) = &asked.alias {
            self.out.push_str(alias);
            self.colon();
        }
        self.out.push_str(&asked.name);
        self.arguments(&asked.arguments);
        self.directives(&asked.directives);
        self.picks(&asked.picks);
    }

    fn part(&mut self, part: &Part) {
        self.out.push_str("...");
        if let Some(on) = &part.on {
            self.gap();
            self.out.push_str("on ");
            self.out.push_str(on);
        }
        self.directives(&part.directives);
        self.picks(&part.picks);
    }

    fn directives(&mut self, directives: &[Directive]) {
        for directive in directives {
            self.gap();
            self.out.push('@');
            self.out.push_str(&directive.name);
            self.arguments(&directive.arguments);
        }
    }

    fn arguments(&mut self, arguments: &[(String, Literal)]) {
        if !arguments.is_empty() {
            self.listed('(', ')', arguments, Self::named);
        }
    }

    fn named(&mut self, (name, value): &(String, Literal)) {
        self.out.push_str(name);
        self.colon();
        self.literal(value);
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Variable(name) => {
                self.out.push('$');
                self.out.push_str(name);
            }
            Literal::Null => self.out.push_str("null"),
            Literal::Boolean(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Literal::Number(text) | Literal::Enum(text) => self.out.push_str(text),
            Literal::Text(text) => quoted(text, &mut self.out),
            Literal::List(items) => self.listed('[', ']', items, Self::literal),
            Literal::Object(fields) => self.listed('{', '}', fields, Self::named),
        }
    }

    fn listed<T>(&mut self, open: char, close: char, items: &[T], write: fn(&mut Self, &T)) {
        self.out.push(open);
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.out.push_str(if self.lines { ", " } else { "," });
            }
            write(self, item);
        }
        self.out.push(close);
    }

    fn colon(&mut self) {
        self.out.push_str(if self.lines { ": " } else { ":" });
    }
}

/// Nothing in it can be written.
fn is_blank(picks: &[Pick]) -> bool {
    picks.iter().all(is_nothing)
}

fn is_nothing(pick: &Pick) -> bool {
    matches!(pick, Pick::Part(part) if is_blank(&part.picks))
}

/// A text between quotes. Everything that is not plainly a character goes as an escape.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // A byte order mark would be lost by some readers; what cannot be seen helps nobody.
            control if control.is_control() || control == '\u{feff}' => {
                out.push_str(&format!("\\u{:04X}", u32::from(control)));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}
