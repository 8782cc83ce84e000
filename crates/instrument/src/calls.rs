//! Calls that compare, look up or parse, told by name; whether they are what their name says, the
//! probe asks when they run.

use oxc_ast::ast::{Argument, CallExpression, Expression, MemberExpression, NewExpression};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};

use crate::PLACEHOLDER;
use crate::plain::{calls, inner, is_chained, is_plain, is_still};
use crate::rewriter::Rewriter;
use crate::slots::Kind;

/// Methods that say yes or no, or where.
const COMPARING: [&str; 18] = [
    "startsWith",
    "endsWith",
    "includes",
    "indexOf",
    "lastIndexOf",
    "localeCompare",
    "match",
    "search",
    "test",
    "exec",
    "has",
    "hasOwn",
    "hasOwnProperty",
    "timingSafeEqual",
    "isInteger",
    "isSafeInteger",
    "isNaN",
    "isFinite",
];

/// Methods that tell something of their input without comparing it.
const TELLING: [&str; 14] = [
    "get",
    "getAll",
    "header",
    "query",
    "cookie",
    "matchAll",
    "split",
    "replace",
    "replaceAll",
    "parse",
    "parseInt",
    "parseFloat",
    "from",
    "param",
];

/// Functions that are known without an object.
const FUNCTIONS: [&str; 9] = [
    "parseInt",
    "parseFloat",
    "Number",
    "BigInt",
    "isNaN",
    "isFinite",
    "atob",
    "decodeURIComponent",
    "decodeURI",
];

/// What may throw instead of answering; then that is the answer.
const THROWING: [&str; 6] = [
    "parse",
    "BigInt",
    "atob",
    "decodeURIComponent",
    "decodeURI",
    "new URL",
];

impl<'a> Rewriter<'_> {
    /// A call whose value is used; `whole` is the chain that it ends, where it is in one. A slot is
    /// there if it decides something.
    pub(crate) fn call(&mut self, whole: Span, it: &CallExpression<'a>, slot: Option<u32>) {
        if let Some(name) = listed_method(it) {
            let kind = if COMPARING.contains(&name) {
                Kind::Method
            } else {
                Kind::Silent
            };
            if let Some(number) = slot.or_else(|| self.slot(it.span, kind)) {
                return self.method(whole, it, name, number);
            }
        }
        if let Some(name) = listed_function(it)
            && let Some(number) = slot.or_else(|| self.slot(it.span, Kind::Silent))
        {
            return self.function(it, name, number);
        }
        let Some(slot) = slot else {
            return self.bare_call(it);
        };
        self.open(whole, slot, "t", None);
        self.bare_call(it);
        self.close(whole, "", false);
    }

    /// A call as it is, with what is inside.
    pub(crate) fn bare_call(&mut self, it: &CallExpression<'a>) {
        // A method would lose its `this` if it were tested.
        let is_free = matches!(
            inner(&it.callee),
            Expression::Identifier(_) | Expression::CallExpression(_)
        );
        if it.optional && is_free {
            self.null_test(&it.callee, Self::reference);
        } else {
            self.reference(&it.callee);
        }
        self.arguments(&it.arguments);
    }

    fn arguments(&mut self, arguments: &[Argument<'a>]) {
        for argument in arguments {
            self.visit_argument(argument);
        }
    }

    fn method(&mut self, whole: Span, it: &CallExpression<'a>, name: &str, slot: u32) {
        let member = it.callee.as_member_expression().expect("it is listed");
        let object = member.object();
        let first = it.arguments.first().and_then(Argument::as_expression);
        let rest_is_still = it.arguments.iter().all(|argument| {
            let argument = argument.as_expression();
            argument.is_some_and(|it| is_still(it) || is_regex(it))
        });
        let is_simple = is_still(object) && rest_is_still && !THROWING.contains(&name);
        if is_simple && !first.is_some_and(is_regex) {
            let text = |it: &Expression<'a>| it.span().source_text(self.source).to_owned();
            let told = first.map_or_else(|| "void 0".to_owned(), text);
            let second = it.arguments.get(1).and_then(Argument::as_expression);
            let second = second
                .map(|it| format!(",{}", text(it)))
                .unwrap_or_default();
            let more = format!(",{},{told}{second}", text(object));
            // A second reading on another line would be of another place.
            if !more.contains(['\n', '\r']) {
                self.before(whole.start, &format!("{PLACEHOLDER}.m({slot},\"{name}\","));
                self.bare_call(it);
                return self.after(whole.end, &format!("{more})"));
            }
        }
        self.before(whole.start, &format!("{PLACEHOLDER}.M({slot},\"{name}\","));
        self.receiver(it, member, name, slot);
        self.told(&it.arguments, slot, name);
        self.after(whole.end, ")");
    }

    /// The object of a method, kept for the moment when the method has answered.
    fn receiver(
        &mut self,
        it: &CallExpression<'a>,
        member: &MemberExpression<'a>,
        name: &str,
        slot: u32,
    ) {
        let object = member.object();
        let span = object.span();
        let optional = member.optional();
        self.before(span.start, &format!("{PLACEHOLDER}.g({slot},"));
        self.owner(object, optional);
        // Where what is called is no function, the probe can say so in the words of the engine,
        // if nothing else would have been seen before.
        let text = span.source_text(self.source);
        let is_short = text.len() < 60 && !text.contains(['\n', '\r', '"', '\\']);
        let mut arguments = it.arguments.iter().map(Argument::as_expression);
        let is_sure = !optional
            && !it.optional
            && is_plain(object)
            && arguments.all(|it| it.is_some_and(|it| is_plain(it) || is_regex(it)));
        if is_short && is_sure {
            self.after(span.end, &format!(",\"{name}\",\"{text}\")"));
        } else {
            self.after(span.end, ")");
        }
    }

    /// Arguments of which the first two are kept.
    fn told(&mut self, arguments: &[Argument<'a>], slot: u32, name: &str) {
        let throws = THROWING.contains(&name);
        for (at, argument) in arguments.iter().enumerate() {
            match argument.as_expression() {
                Some(value) if at < 2 && !is_function(value) => {
                    let method = if at == 0 { "a" } else { "b" };
                    let span = value.span();
                    self.before(span.start, &format!("{PLACEHOLDER}.{method}({slot},"));
                    self.visit_expression(value);
                    if at == 0 && throws {
                        self.after(span.end, &format!(",\"{name}\")"));
                    } else {
                        self.after(span.end, ")");
                    }
                }
                _ => self.visit_argument(argument),
            }
        }
    }

    fn function(&mut self, it: &CallExpression<'a>, name: &str, slot: u32) {
        self.before(
            it.span.start,
            &format!("{PLACEHOLDER}.P({slot},\"{name}\","),
        );
        self.told(&it.arguments, slot, name);
        self.after(it.span.end, &format!(",{name})"));
    }

    pub(crate) fn construction(&mut self, it: &NewExpression<'a>) {
        let name = match &it.callee {
            Expression::Identifier(callee) if matches!(callee.name.as_str(), "Date" | "URL") => {
                callee.name.as_str()
            }
            callee => {
                // Whatever is put around a part of it could end what `new` takes.
                if let Expression::ParenthesizedExpression(callee) = callee {
                    self.visit_expression(&callee.expression);
                }
                return self.arguments(&it.arguments);
            }
        };
        let first = it.arguments.first().and_then(Argument::as_expression);
        let slot = first.and_then(|_| self.slot(it.span, Kind::Silent));
        let Some(slot) = slot else {
            return self.arguments(&it.arguments);
        };
        self.before(
            it.span.start,
            &format!("{PLACEHOLDER}.P({slot},\"new {name}\","),
        );
        self.told(&it.arguments, slot, &format!("new {name}"));
        self.after(it.span.end, &format!(",{name})"));
    }
}

fn listed_method<'b>(it: &'b CallExpression<'_>) -> Option<&'b str> {
    let Expression::StaticMemberExpression(member) = &it.callee else {
        return None;
    };
    let name = member.property.name.as_str();
    let is_super = matches!(member.object, Expression::Super(_));
    // More than two are routes and callbacks: `app.get("/", one, two)`.
    let is_short = matches!(it.arguments.len(), 1 | 2);
    let is_listed = COMPARING.contains(&name) || TELLING.contains(&name);
    let is_route = name == "get" && it.arguments.len() > 1;
    let has_function = it.arguments.iter().any(|argument| {
        let argument = argument.as_expression();
        argument.is_some_and(is_function)
    });
    let is_replacing = matches!(name, "replace" | "replaceAll");
    // In `a?.b.has(c)` nothing may stand around `a?.b`, or its end would not be that of all.
    let is_cut_short = !member.optional && is_chained(&member.object);
    let is_lookup = is_listed && is_short && !is_super && !is_route && !is_cut_short;
    (is_lookup && (!has_function || is_replacing) && !it.optional && is_in_one_breath(it))
        .then_some(name)
}

/// While another task runs between an argument and the call, the probe would mix them up.
fn is_in_one_breath(it: &CallExpression<'_>) -> bool {
    let values = it.arguments.iter().map(Argument::as_expression);
    let mut values = values.map(|it| it.map(inner));
    values.all(|it| match it {
        Some(Expression::AwaitExpression(_) | Expression::YieldExpression(_)) | None => false,
        Some(it) => is_plain(it) || !calls_and_waits(it),
    })
}

fn calls_and_waits(expression: &Expression<'_>) -> bool {
    calls(expression) && crate::plain::waits(expression)
}

fn listed_function<'b>(it: &'b CallExpression<'_>) -> Option<&'b str> {
    let Expression::Identifier(callee) = &it.callee else {
        return None;
    };
    let name = callee.name.as_str();
    let is_listed = FUNCTIONS.contains(&name) && matches!(it.arguments.len(), 1 | 2);
    (is_listed && !it.optional && is_in_one_breath(it)).then_some(name)
}

fn is_regex(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::RegExpLiteral(_))
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(
        expression,
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)
    )
}

/// Calls that are told also where something is called on what they give: that is never missing, so
/// no message has to quote them.
pub(crate) fn is_told_anywhere(it: &CallExpression<'_>) -> bool {
    !it.optional && matches!(listed_method(it), Some("from" | "split"))
}
