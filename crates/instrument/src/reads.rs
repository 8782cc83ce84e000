//! Reads by name that may be of the request: `req.query.debug`, `const { role } = req.body`.
//!
//! Only what is not there is of interest, so a read costs a comparison with `undefined` and a
//! glance aside only where that holds.

use std::collections::HashSet;

use oxc_ast::ast::{
    BindingPattern, ComputedMemberExpression, Expression, ImportDeclarationSpecifier, Program,
    Statement, StaticMemberExpression, VariableDeclarator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use crate::PLACEHOLDER;
use crate::plain::{inner, is_plain};
use crate::rewriter::Rewriter;
use crate::slots::Kind;

/// Objects of the language, which no request fills.
const KNOWN: [&str; 24] = [
    "process",
    "Math",
    "JSON",
    "Object",
    "console",
    "module",
    "exports",
    "Number",
    "String",
    "Array",
    "Symbol",
    "Promise",
    "Reflect",
    "Buffer",
    "Date",
    "globalThis",
    "global",
    "Error",
    "Intl",
    "Atomics",
    "BigInt",
    "Boolean",
    "Function",
    "RegExp",
];

/// Members that objects have by themselves.
const OWN: [&str; 7] = [
    "length",
    "prototype",
    "constructor",
    "message",
    "stack",
    "exports",
    "default",
];

/// Names of counters of loops: what they lead to has no name.
const COUNTERS: [&str; 6] = ["i", "j", "k", "n", "idx", "index"];

impl<'a> Rewriter<'_> {
    pub(crate) fn read(&mut self, it: &StaticMemberExpression<'a>) {
        let slot = self.readable(it).then(|| self.slot(it.span, Kind::Silent));
        let Some(slot) = slot.flatten() else {
            return self.read_owner(&it.object);
        };
        let copy = self.member_copy(it.span, &it.object);
        self.open(it.span, slot, "u", copy.as_deref());
        self.kept_object(&it.object);
        let more = format!(",\"{}\",\"{}\"", it.property.name, last_name(&it.object));
        self.close(it.span, &more, copy.is_some());
    }

    /// `a?.b`, where nothing follows in the chain.
    pub(crate) fn optional_read(&mut self, it: &StaticMemberExpression<'a>) {
        let slot = self.readable(it).then(|| self.slot(it.span, Kind::Silent));
        let Some(slot) = slot.flatten() else {
            return self.owner(&it.object, true);
        };
        self.open(it.span, slot, "u", None);
        self.before(it.object.span().start, &format!("({PLACEHOLDER}.o="));
        self.owner(&it.object, true);
        self.after(it.object.span().end, ")");
        let more = format!(",\"{}\",\"{}\"", it.property.name, last_name(&it.object));
        self.close(it.span, &more, false);
    }

    pub(crate) fn computed_read(&mut self, it: &ComputedMemberExpression<'a>) {
        if let Expression::StringLiteral(key) = &it.expression
            && !it.optional
            && is_word(&key.value)
        {
            return self.quoted_read(it, &key.value);
        }
        let is_told = match inner(&it.expression) {
            Expression::Identifier(key) => !COUNTERS.contains(&key.name.as_str()),
            Expression::StaticMemberExpression(_) => is_plain(&it.expression),
            Expression::TemplateLiteral(_) | Expression::CallExpression(_) => true,
            _ => false,
        };
        let is_told = is_told && !it.optional && !matches!(it.object, Expression::Super(_));
        let slot = is_told.then(|| self.slot(it.span, Kind::Silent));
        let Some(slot) = slot.flatten() else {
            self.read_owner(&it.object);
            return self.visit_expression(&it.expression);
        };
        self.open(it.span, slot, "v", None);
        self.kept_object(&it.object);
        self.before(it.expression.span().start, &format!("{PLACEHOLDER}.q=("));
        self.visit_expression(&it.expression);
        self.after(it.expression.span().end, ")");
        self.close(it.span, "", false);
    }

    /// `a["b"]`, which is `a.b` for names that are no words.
    fn quoted_read(&mut self, it: &ComputedMemberExpression<'a>, name: &str) {
        let slot = self
            .is_filled(&it.object)
            .then(|| self.slot(it.span, Kind::Silent));
        let Some(slot) = slot.flatten() else {
            return self.read_owner(&it.object);
        };
        let copy = self.member_copy(it.span, &it.object);
        self.open(it.span, slot, "u", copy.as_deref());
        self.kept_object(&it.object);
        let more = format!(",\"{name}\",\"{}\"", last_name(&it.object));
        self.close(it.span, &more, copy.is_some());
    }

    fn kept_object(&mut self, object: &Expression<'a>) {
        self.before(object.span().start, &format!("({PLACEHOLDER}.o="));
        self.read_owner(object);
        self.after(object.span().end, ")");
    }

    /// The object of a member that is read. Members of a plain name, such as `req.body`, are seldom
    /// missing themselves.
    fn read_owner(&mut self, object: &Expression<'a>) {
        match object {
            Expression::StaticMemberExpression(it)
                if matches!(it.object, Expression::Identifier(_)) => {}
            other => self.visit_expression(other),
        }
    }

    fn readable(&self, it: &StaticMemberExpression<'a>) -> bool {
        !OWN.contains(&it.property.name.as_str()) && self.is_filled(&it.object)
    }

    /// Whether an object may have come with a request.
    fn is_filled(&self, object: &Expression<'a>) -> bool {
        match root(object) {
            Some(name) => !KNOWN.contains(&name) && !self.modules.contains(name),
            None => matches!(
                inner(object),
                Expression::AwaitExpression(_) | Expression::CallExpression(_)
            ),
        }
    }

    fn member_copy(&self, span: Span, object: &Expression<'a>) -> Option<String> {
        self.copy_of(object)?;
        let text = span.source_text(self.source);
        let is_simple = !text.contains(['\n', '\r']) && !text.contains("//");
        is_simple.then(|| text.to_owned())
    }

    /// `const { a, b } = value`: which names are looked for there.
    pub(crate) fn declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        let Some(value) = &it.init else { return };
        let names = names_of(&it.id).filter(|_| self.is_takeable(value));
        let slot = names.and_then(|names| Some((names, self.slot(value.span(), Kind::Silent)?)));
        let Some((names, slot)) = slot else {
            return self.visit_expression(value);
        };
        let text = value.span().source_text(self.source);
        // The engine quotes the source in its message; the probe has to say the same.
        let quoted = match value {
            Expression::AwaitExpression(_) => "(intermediate value)",
            _ => text,
        };
        let more = format!(",\"{names}\",\"{quoted}\",\"{}\"", last_name(value));
        self.open(value.span(), slot, "D", None);
        self.read_whole(value);
        self.close(value.span(), &more, false);
    }

    fn read_whole(&mut self, value: &Expression<'a>) {
        if let Expression::AwaitExpression(it) = value {
            self.visit_expression(&it.argument);
        }
    }

    fn is_takeable(&self, value: &Expression<'a>) -> bool {
        let text = value.span().source_text(self.source);
        match value {
            Expression::AwaitExpression(_) => true,
            Expression::StaticMemberExpression(_) | Expression::Identifier(_) => {
                let is_chain = text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$'));
                let is_module = root(value)
                    .is_some_and(|name| KNOWN.contains(&name) || self.modules.contains(name));
                is_chain && root(value).is_some() && !is_module
            }
            _ => false,
        }
    }
}

/// The names that a pattern takes out, in their order, if they are all simple words.
fn names_of(pattern: &BindingPattern<'_>) -> Option<String> {
    let BindingPattern::ObjectPattern(pattern) = pattern else {
        return None;
    };
    let names: Option<Vec<_>> = pattern
        .properties
        .iter()
        .map(|property| property.key.static_name().filter(|_| !property.computed))
        .collect();
    let names = names?;
    let is_usable = !names.is_empty() && names.iter().all(|name| is_word(name));
    is_usable.then(|| names.join(","))
}

fn is_word(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-'))
}

/// The name that a chain of members begins with.
fn root<'b>(expression: &'b Expression<'_>) -> Option<&'b str> {
    match expression {
        Expression::Identifier(it) => Some(it.name.as_str()),
        Expression::StaticMemberExpression(it) => root(&it.object),
        Expression::ComputedMemberExpression(it) => root(&it.object),
        Expression::ParenthesizedExpression(it) => root(&it.expression),
        Expression::TSNonNullExpression(it) => root(&it.expression),
        Expression::TSAsExpression(it) => root(&it.expression),
        _ => None,
    }
}

/// The last name of what is read from: `query` of `req.query`. A hint for the probe.
fn last_name(expression: &Expression<'_>) -> String {
    let name = match expression {
        Expression::Identifier(it) => it.name.as_str(),
        Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        Expression::ParenthesizedExpression(it) => return last_name(&it.expression),
        Expression::AwaitExpression(it) => return last_name(&it.argument),
        Expression::TSNonNullExpression(it) => return last_name(&it.expression),
        Expression::TSAsExpression(it) => return last_name(&it.expression),
        Expression::CallExpression(it) => match &it.callee {
            Expression::StaticMemberExpression(callee) => callee.property.name.as_str(),
            _ => "",
        },
        _ => "",
    };
    let is_word = name
        .bytes()
        .all(|it| it.is_ascii_alphanumeric() || it == b'_');
    if is_word {
        name.to_owned()
    } else {
        String::new()
    }
}

/// Names that the file gives to modules at its top.
pub(crate) fn modules(program: &Program<'_>) -> HashSet<String> {
    let mut names = HashSet::new();
    for statement in &program.body {
        match statement {
            Statement::ImportDeclaration(it) => {
                let specifiers = it.specifiers.iter().flatten();
                names.extend(specifiers.map(|it| match it {
                    ImportDeclarationSpecifier::ImportSpecifier(it) => it.local.name.to_string(),
                    ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                        it.local.name.to_string()
                    }
                    ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                        it.local.name.to_string()
                    }
                }));
            }
            Statement::VariableDeclaration(it) => {
                let required = it.declarations.iter().filter(|it| is_required(it));
                let named = required.filter_map(|it| it.id.get_identifier_name());
                names.extend(named.map(|name| name.to_string()));
            }
            _ => {}
        }
    }
    names
}

fn is_required(it: &VariableDeclarator<'_>) -> bool {
    let Some(value) = &it.init else { return false };
    match value {
        Expression::CallExpression(call) => matches!(
            &call.callee,
            Expression::Identifier(callee)
                if matches!(callee.name.as_str(), "require" | "__importDefault" | "__importStar" | "__toESM")
        ),
        _ => false,
    }
}
