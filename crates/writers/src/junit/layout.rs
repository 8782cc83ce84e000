//! Expressions, laid out as the formatters of the two languages would lay them out.
//!
//! Java follows google-java-format, Kotlin ktlint: what fits on a line stays on it; otherwise the
//! outermost thing is broken first. A chain breaks before each dot, a call after its parenthesis,
//! a long text between words. Only the few forms that the tests need are known.

use std::fmt::Display;

use super::Language;
use super::text::{Part, cut, java_text, kotlin_text, width};

/// How long a line may be, in both.
pub(super) const WIDTH: usize = 100;
/// What is broken goes this far to the right, in both.
const STEP: usize = 4;
/// A literal has no more than 65535 bytes in a class file, and neither have literals that are
/// joined by `+`; a character has up to three.
const LONGEST: usize = 10_000;
/// ktlint breaks a chain of so many calls even where it would fit.
const LONG_CHAIN: usize = 4;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Atom(String),
    /// A text, in parts that may stand on lines of their own.
    Text(Vec<Part>),
    Call(String, Vec<Expression>),
    Chain(Box<Expression>, Vec<Link>),
    /// `"name" to value`
    Pair(Box<Expression>, Box<Expression>),
}

/// `.name(arguments)`, perhaps below a comment.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    pub notes: Vec<String>,
    pub name: String,
    pub arguments: Vec<Expression>,
}

impl Link {
    pub(super) fn new(name: &str, arguments: Vec<Expression>) -> Self {
        Self {
            notes: Vec::new(),
            name: name.to_owned(),
            arguments,
        }
    }
}

impl Expression {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.chars().map(Part::Char).collect())
    }

    pub(super) fn call(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call(name.to_owned(), arguments)
    }

    pub(super) fn chain(self, links: Vec<Link>) -> Self {
        if links.is_empty() {
            return self;
        }
        Self::Chain(Box::new(self), links)
    }
}

/// Each on a line of its own.
pub(super) fn lines<T: Display>(
    before: &str,
    items: impl IntoIterator<Item = T>,
    after: &str,
) -> String {
    let mut out = String::new();
    for item in items {
        out += &format!("{before}{item}{after}\n");
    }
    out
}

/// A statement, indented, with what ends it; `before` is `Response answer =`, `return` or nothing.
pub(super) fn statement(
    language: Language,
    indent: usize,
    before: &str,
    expression: &Expression,
) -> String {
    let layout = Layout { language };
    let stop = language.stop();
    let blank = " ".repeat(indent);
    if before.is_empty() {
        let laid = layout.lay(expression, indent, indent, stop.len());
        return format!("{blank}{laid}{stop}\n");
    }
    let column = indent + before.len() + 1;
    if !before.ends_with('=') {
        let laid = layout.lay(expression, indent, column, stop.len());
        return format!("{blank}{before} {laid}{stop}\n");
    }
    if let Some(flat) = layout.fitting(expression, column, stop.len()) {
        return format!("{blank}{before} {flat}{stop}\n");
    }
    let inner = indent + STEP;
    let laid = layout.lay(expression, inner, inner, stop.len());
    format!("{blank}{before}\n{}{laid}{stop}\n", " ".repeat(inner))
}

struct Layout {
    language: Language,
}

impl Layout {
    /// On one line, if it may and can.
    fn fitting(&self, expression: &Expression, column: usize, tail: usize) -> Option<String> {
        let flat = self.flat(expression)?;
        (column + width(&flat) + tail <= WIDTH).then_some(flat)
    }

    fn flat(&self, expression: &Expression) -> Option<String> {
        match expression {
            Expression::Atom(text) => Some(text.clone()),
            Expression::Text(parts) => (parts.len() <= WIDTH).then(|| self.text_flat(parts)),
            Expression::Call(name, arguments) => Some(format!("{name}({})", self.all(arguments)?)),
            Expression::Pair(name, value) => {
                Some(format!("{} to {}", self.flat(name)?, self.flat(value)?))
            }
            Expression::Chain(head, links) => self.chain_flat(head, links),
        }
    }

    fn all(&self, arguments: &[Expression]) -> Option<String> {
        let flat: Option<Vec<_>> = arguments.iter().map(|one| self.flat(one)).collect();
        Some(flat?.join(", "))
    }

    fn chain_flat(&self, head: &Expression, links: &[Link]) -> Option<String> {
        let noted = links.iter().any(|link| !link.notes.is_empty());
        let long = self.language == Language::Kotlin && links.len() >= LONG_CHAIN;
        if noted || long {
            return None;
        }
        let mut out = self.flat(head)?;
        for link in links {
            out += &format!(".{}({})", link.name, self.all(&link.arguments)?);
        }
        Some(out)
    }

    /// Begins at `column` of a line that is `indent` deep; `tail` characters follow on its last.
    fn lay(&self, expression: &Expression, indent: usize, column: usize, tail: usize) -> String {
        if let Some(flat) = self.fitting(expression, column, tail) {
            return flat;
        }
        match expression {
            Expression::Atom(text) => text.clone(),
            Expression::Text(parts) => self.text_broken(parts, indent, tail),
            Expression::Call(name, arguments) => self.call_broken(name, arguments, indent, tail),
            Expression::Chain(head, links) => self.chain_broken(head, links, indent, tail),
            Expression::Pair(name, value) => self.pair_broken(name, value, indent, tail),
        }
    }

    fn call_broken(
        &self,
        name: &str,
        arguments: &[Expression],
        indent: usize,
        tail: usize,
    ) -> String {
        if arguments.is_empty() {
            return format!("{name}()");
        }
        let inner = indent + STEP;
        let blank = " ".repeat(inner);
        match self.language {
            Language::Java => {
                let laid = self.java_arguments(arguments, inner, tail + 1);
                format!("{name}(\n{blank}{laid})")
            }
            Language::Kotlin => {
                let laid = arguments.iter().map(|one| self.lay(one, inner, inner, 1));
                let lines = lines(&blank, laid, ",");
                format!("{name}(\n{lines}{})", " ".repeat(indent))
            }
        }
    }

    /// All on the next line, or each on its own.
    fn java_arguments(&self, arguments: &[Expression], inner: usize, tail: usize) -> String {
        if let Some(flat) = self.all(arguments)
            && inner + width(&flat) + tail <= WIDTH
        {
            return flat;
        }
        let last = arguments.len() - 1;
        let laid: Vec<_> = arguments
            .iter()
            .enumerate()
            .map(|(at, one)| self.lay(one, inner, inner, if at == last { tail } else { 1 }))
            .collect();
        laid.join(&format!(",\n{}", " ".repeat(inner)))
    }

    fn chain_broken(
        &self,
        head: &Expression,
        links: &[Link],
        indent: usize,
        tail: usize,
    ) -> String {
        let inner = indent + STEP;
        let blank = " ".repeat(inner);
        let mut base = indent;
        let mut out = self.lay(head, self.head_indent(indent), indent, 0);
        for (at, link) in links.iter().enumerate() {
            let tail = if at + 1 == links.len() { tail } else { 0 };
            for note in &link.notes {
                out += &format!("\n{blank}{note}");
            }
            if !self.goes_on(&out, link) {
                out += &format!("\n{blank}");
                base = inner;
            }
            let call = Expression::Call(format!(".{}", link.name), link.arguments.clone());
            out += &self.lay(&call, base, inner, tail);
        }
        out
    }

    /// google-java-format sets what is in the head apart from the links.
    fn head_indent(&self, indent: usize) -> usize {
        match self.language {
            Language::Java => indent + STEP,
            Language::Kotlin => indent,
        }
    }

    /// ktlint has the next dot behind a parenthesis that stands on a line of its own.
    fn goes_on(&self, before: &str, link: &Link) -> bool {
        let last = before.lines().next_back().unwrap_or_default();
        self.language == Language::Kotlin && link.notes.is_empty() && last.trim() == ")"
    }

    fn pair_broken(
        &self,
        name: &Expression,
        value: &Expression,
        indent: usize,
        tail: usize,
    ) -> String {
        let inner = indent + STEP;
        let name = self.lay(name, indent, indent, " to".len());
        let value = match value {
            // One operator after another: the second goes no further to the right.
            Expression::Text(parts) if self.fitting(value, inner, tail).is_none() => {
                self.text_broken(parts, indent, tail)
            }
            value => self.lay(value, inner, inner, tail),
        };
        format!("{name} to\n{}{value}", " ".repeat(inner))
    }

    fn text_flat(&self, parts: &[Part]) -> String {
        match self.language {
            Language::Java => java_text(parts).join(" + "),
            Language::Kotlin => kotlin_text(parts),
        }
    }

    fn text_broken(&self, parts: &[Part], indent: usize, tail: usize) -> String {
        if parts.len() > LONGEST {
            let pieces = parts.chunks(LONGEST).flat_map(|some| self.piece(some));
            return self.joined(pieces.collect(), indent, tail);
        }
        let room = WIDTH.saturating_sub(indent + STEP + "+ \"\"".len() + tail + 1);
        let lines = cut(parts, room.max(20), self.language);
        let pieces: Vec<_> = lines.iter().flat_map(|line| self.piece(line)).collect();
        let blank = " ".repeat(indent + STEP);
        match self.language {
            Language::Java => pieces.join(&format!("\n{blank}+ ")),
            Language::Kotlin => pieces.join(&format!(" +\n{blank}")),
        }
    }

    /// Literals and holes that are to be joined.
    fn piece(&self, parts: &[Part]) -> Vec<String> {
        match self.language {
            Language::Java => java_text(parts),
            Language::Kotlin => vec![kotlin_text(parts)],
        }
    }

    /// As a value that is joined when the test runs: the compiler makes no constant of it.
    fn joined(&self, pieces: Vec<String>, indent: usize, tail: usize) -> String {
        let pieces = pieces.into_iter().map(Expression::Atom);
        match self.language {
            Language::Java => {
                let all = std::iter::once(Expression::text(""))
                    .chain(pieces)
                    .collect();
                self.lay(&Expression::call("String.join", all), indent, indent, tail)
            }
            Language::Kotlin => {
                let list = Expression::call("listOf", pieces.collect());
                let join = Link::new("joinToString", vec![Expression::text("")]);
                self.lay(&list.chain(vec![join]), indent, indent, tail)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(words: usize) -> Expression {
        Expression::text(&"word ".repeat(words))
    }

    #[test]
    fn what_fits_stays_on_its_line() {
        let chain = Expression::call("given", vec![]).chain(vec![Link::new("get", vec![long(3)])]);
        let written = statement(Language::Java, 4, "Response answer =", &chain);
        assert_eq!(
            written,
            "    Response answer = given().get(\"word word word \");\n"
        );
    }

    #[test]
    fn chains_break_before_dots_and_calls_after_parentheses() {
        let body = Expression::call("list", vec![long(12), long(12)]);
        let links = vec![Link::new("body", vec![body]), Link::new("post", vec![])];
        let chain = Expression::call("given", vec![]).chain(links);
        let text = "word ".repeat(12);
        assert_eq!(
            statement(Language::Java, 0, "", &chain),
            format!(
                "given()\n    .body(\n        list(\n            \"{text}\",\n            \
                 \"{text}\"))\n    .post();\n"
            )
        );
        assert_eq!(
            statement(Language::Kotlin, 0, "", &chain),
            format!(
                "given()\n    .body(\n        list(\n            \"{text}\",\n            \
                 \"{text}\",\n        ),\n    ).post()\n"
            )
        );
    }

    #[test]
    fn long_texts_break_between_words() {
        let written = statement(Language::Java, 2, "String name =", &long(30));
        assert!(written.lines().count() == 3, "{written}");
        assert!(written.lines().all(|line| line.len() <= WIDTH), "{written}");
        assert!(written.contains("word \"\n          + \"word"), "{written}");
    }
}
