//! Lines that break where the formatters of Python and JavaScript break them.
//!
//! Both put a bracket's content on one line if it fits and else on a line per item. Where they
//! differ, [`Style`] says so. This is no printer for either language: it knows the few forms that
//! tests are written in.

use crate::letters::columns;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Doc {
    /// Never broken.
    Text(String),
    /// A name and what belongs to it: `json=`, `"name": `.
    Pair(String, Box<Doc>),
    List(List),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List {
    pub(crate) open: String,
    pub(crate) items: Vec<Doc>,
    pub(crate) close: &'static str,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Call,
    Object,
    Array,
    /// An array of numbers.
    Numbers,
}

/// The manner of a formatter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) width: usize,
    pub(crate) indent: usize,
    pub(crate) dialect: Dialect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// As black and ruff write it.
    Python,
    /// As prettier writes it: `{ spaces }` in braces, a last object that clings to its call, long
    /// texts on a line of their own below their key, numbers many to a line.
    Script,
    /// As prettier writes it: objects always spread, and no comma behind the last item.
    Json,
}

pub(crate) const JSON: Style = Style {
    width: 80,
    indent: 2,
    dialect: Dialect::Json,
};

impl Doc {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn pair(key: impl Into<String>, value: Self) -> Self {
        Self::Pair(key.into(), Box::new(value))
    }

    pub(crate) fn call(open: impl Into<String>, items: Vec<Self>) -> Self {
        Self::list(format!("{}(", open.into()), items, ")", Kind::Call)
    }

    pub(crate) fn list(
        open: impl Into<String>,
        items: Vec<Self>,
        close: &'static str,
        kind: Kind,
    ) -> Self {
        Self::List(List {
            open: open.into(),
            items,
            close,
            kind,
        })
    }
}

impl Style {
    /// A statement: what stands before, what may break, and what stands behind.
    pub(crate) fn statement(&self, depth: usize, before: &str, doc: &Doc, behind: &str) -> String {
        let margin = depth * self.indent;
        let column = margin + columns(before);
        let laid = self.lay(doc, margin, column, columns(behind));
        format!("{}{before}{laid}{behind}", " ".repeat(margin))
    }

    pub(crate) fn fits(&self, depth: usize, line: &str) -> bool {
        depth * self.indent + columns(line) <= self.width
    }

    pub(crate) fn flat(&self, doc: &Doc) -> String {
        match doc {
            Doc::Text(text) => text.clone(),
            Doc::Pair(key, value) => format!("{key}{}", self.flat(value)),
            Doc::List(list) => {
                let items: Vec<String> = list.items.iter().map(|item| self.flat(item)).collect();
                let pad = if self.dialect == Dialect::Script
                    && list.kind == Kind::Object
                    && !items.is_empty()
                {
                    " "
                } else {
                    ""
                };
                format!("{}{pad}{}{pad}{}", list.open, items.join(", "), list.close)
            }
        }
    }

    /// `behind` columns must stay free on the last line.
    fn lay(&self, doc: &Doc, margin: usize, column: usize, behind: usize) -> String {
        let flat = self.flat(doc);
        if !self.must_break(doc) && column + columns(&flat) + behind <= self.width {
            return flat;
        }
        match doc {
            Doc::Text(_) => flat,
            Doc::Pair(key, value) => self.lay_pair(key, value, margin, column, behind),
            Doc::List(list) if list.items.is_empty() => flat,
            Doc::List(list) if self.clings(list, column) => {
                self.lay_clinging(list, margin, column, behind)
            }
            Doc::List(list) if self.dialect != Dialect::Python && list.kind == Kind::Numbers => {
                self.lay_numbers(list, margin)
            }
            Doc::List(list) => self.lay_list(list, margin),
        }
    }

    fn lay_pair(
        &self,
        key: &str,
        value: &Doc,
        margin: usize,
        column: usize,
        behind: usize,
    ) -> String {
        let short = columns(key) <= self.indent + 2;
        let is_text = matches!(value, Doc::Text(text) if text.starts_with(['"', '\'']));
        if self.dialect == Dialect::Script && is_text && !short {
            let line = line(margin + self.indent);
            return format!("{}{line}{}", key.trim_end(), self.flat(value));
        }
        format!(
            "{key}{}",
            self.lay(value, margin, column + columns(key), behind)
        )
    }

    fn lay_list(&self, list: &List, margin: usize) -> String {
        let inner = margin + self.indent;
        let mut text = list.open.clone();
        for (place, item) in list.items.iter().enumerate() {
            let comma = self.comma(place, list);
            text.push_str(&line(inner));
            text.push_str(&self.lay(item, inner, inner, comma.len()));
            text.push_str(comma);
        }
        text.push_str(&line(margin));
        text + list.close
    }

    /// Numbers fill their lines as words do.
    fn lay_numbers(&self, list: &List, margin: usize) -> String {
        let inner = margin + self.indent;
        let mut text = list.open.clone() + &line(inner);
        let mut column = inner;
        for (place, item) in list.items.iter().enumerate() {
            let number = self.flat(item) + self.comma(place, list);
            if place > 0 && column + 1 + columns(&number) > self.width {
                text.push_str(&line(inner));
                column = inner;
            } else if place > 0 {
                text.push(' ');
                column += 1;
            }
            column += columns(&number);
            text.push_str(&number);
        }
        text.push_str(&line(margin));
        text + list.close
    }

    /// Whether the last argument, an object or a list, stays on the line of its call.
    fn clings(&self, list: &List, column: usize) -> bool {
        let Some((Doc::List(last), before)) = list.items.split_last() else {
            return false;
        };
        let head = self.clinging_head(list, before) + &last.open;
        self.dialect == Dialect::Script
            && list.kind == Kind::Call
            && last.kind != Kind::Call
            && !last.items.is_empty()
            && !is_crowded(last, before)
            && !before.iter().any(|item| self.must_break(item))
            && column + columns(&head) <= self.width
    }

    fn clinging_head(&self, list: &List, before: &[Doc]) -> String {
        let before = before.iter().map(|item| self.flat(item) + ", ");
        list.open.clone() + &before.collect::<String>()
    }

    fn lay_clinging(&self, list: &List, margin: usize, column: usize, behind: usize) -> String {
        let Some((last, before)) = list.items.split_last() else {
            return list.open.clone() + list.close;
        };
        let head = self.clinging_head(list, before);
        let behind = behind + list.close.len();
        let tail = match last {
            Doc::List(inner) if inner.kind == Kind::Numbers => self.lay_numbers(inner, margin),
            Doc::List(inner) => self.lay_list(inner, margin),
            other => self.lay(other, margin, column + columns(&head), behind),
        };
        head + &tail + list.close
    }

    /// Prettier spreads a list of several things that each hold several things.
    fn must_break(&self, doc: &Doc) -> bool {
        match doc {
            Doc::Text(_) => false,
            Doc::Pair(_, value) => self.must_break(value),
            Doc::List(list) => {
                self.spreads(list) || list.items.iter().any(|item| self.must_break(item))
            }
        }
    }

    fn spreads(&self, list: &List) -> bool {
        match self.dialect {
            Dialect::Python => false,
            Dialect::Script => is_table(list),
            Dialect::Json => {
                is_table(list) || (list.kind == Kind::Object && !list.items.is_empty())
            }
        }
    }

    /// Behind an item, unless it is the last and the dialect wants nothing there.
    fn comma(&self, place: usize, list: &List) -> &'static str {
        let is_last = place + 1 == list.items.len();
        if is_last && self.dialect == Dialect::Json {
            ""
        } else {
            ","
        }
    }
}

fn line(margin: usize) -> String {
    format!("\n{}", " ".repeat(margin))
}

/// Numbers cling to nothing but their bracket, and a list not to another list.
fn is_crowded(last: &List, before: &[Doc]) -> bool {
    let is_object = |kind| kind == Kind::Object;
    let neighbour = match before.last() {
        Some(Doc::List(list)) if list.kind != Kind::Call => Some(is_object(list.kind)),
        _ => None,
    };
    neighbour == Some(is_object(last.kind)) || (last.kind == Kind::Numbers && !before.is_empty())
}

fn is_table(list: &List) -> bool {
    let row = |item: &Doc| match item {
        Doc::List(inner) if inner.items.len() > 1 => Some(inner.kind == Kind::Object),
        _ => None,
    };
    let mut rows = list.items.iter().map(row);
    let first = rows.next().flatten();
    list.kind == Kind::Array
        && list.items.len() > 1
        && first.is_some()
        && rows.all(|kind| kind == first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON: Style = Style {
        width: 24,
        indent: 4,
        dialect: Dialect::Python,
    };
    const SCRIPT: Style = Style {
        width: 20,
        indent: 2,
        dialect: Dialect::Script,
    };

    fn object(items: Vec<Doc>) -> Doc {
        Doc::list("{", items, "}", Kind::Object)
    }

    fn call() -> Doc {
        let pairs = vec![
            Doc::pair("a: ", Doc::text("1")),
            Doc::pair("b: ", Doc::text("2")),
        ];
        Doc::call("send", vec![Doc::text("\"/x\""), object(pairs)])
    }

    #[test]
    fn what_fits_stays_on_its_line() {
        let wide = Style {
            width: 80,
            ..SCRIPT
        };
        assert_eq!(
            wide.statement(1, "x = ", &call(), ";"),
            "  x = send(\"/x\", { a: 1, b: 2 });"
        );
    }

    #[test]
    fn python_gives_every_argument_a_line() {
        let text = PYTHON.statement(1, "x = ", &call(), "");
        assert_eq!(
            text,
            "    x = send(\n        \"/x\",\n        {a: 1, b: 2},\n    )"
        );
    }

    #[test]
    fn the_last_object_of_a_script_clings_to_its_call() {
        let text = SCRIPT.statement(0, "x = ", &call(), ";");
        assert_eq!(text, "x = send(\"/x\", {\n  a: 1,\n  b: 2,\n});");
    }

    #[test]
    fn a_long_text_goes_below_its_key() {
        let pair = Doc::pair("query: ", Doc::text("\"a text that is long\""));
        let text = SCRIPT.statement(0, "", &object(vec![pair]), "");
        assert_eq!(text, "{\n  query:\n    \"a text that is long\",\n}");
    }

    #[test]
    fn numbers_of_a_script_fill_their_lines() {
        let numbers = (0..8).map(|n| Doc::text(n.to_string())).collect();
        let list = Doc::list("[", numbers, "]", Kind::Numbers);
        assert_eq!(
            SCRIPT.statement(0, "", &list, ""),
            "[\n  0, 1, 2, 3, 4, 5,\n  6, 7,\n]"
        );
    }
}
