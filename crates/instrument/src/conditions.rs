//! What decides: conditions and their parts, comparisons, cases, tests for null.

use oxc_ast::ast::{
    BinaryExpression, Expression, LogicalExpression, SwitchStatement, UnaryOperator,
};
use oxc_ast_visit::Visit;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator};

use crate::PLACEHOLDER;
use crate::plain::{self, inner};
use crate::rewriter::Rewriter;
use crate::slots::Tree;

/// The method of ours that compares like an operator.
pub(crate) fn method(operator: BinaryOperator) -> Option<&'static str> {
    Some(match operator {
        BinaryOperator::Equality => "eq",
        BinaryOperator::Inequality => "ne",
        BinaryOperator::StrictEquality => "seq",
        BinaryOperator::StrictInequality => "sne",
        BinaryOperator::LessThan => "lt",
        BinaryOperator::LessEqualThan => "le",
        BinaryOperator::GreaterThan => "gt",
        BinaryOperator::GreaterEqualThan => "ge",
        BinaryOperator::Instanceof => "inst",
        BinaryOperator::In => "has",
        _ => return None,
    })
}

impl<'a> Rewriter<'_> {
    /// An expression of which only its truth counts.
    pub(crate) fn condition(&mut self, expression: &Expression<'a>) {
        if !is_composed(expression) {
            self.parts(expression);
            return;
        }
        let span = expression.span();
        let Some(whole) = self.pair(span) else {
            self.parts(expression);
            return;
        };
        self.open(span, whole, "w", None);
        let tree = self.parts(expression);
        self.close(span, "", false);
        self.trees.push((whole, tree));
    }

    /// Measures each part of a condition by itself.
    pub(crate) fn parts(&mut self, expression: &Expression<'a>) -> Tree {
        match expression {
            Expression::ParenthesizedExpression(it) => self.parts(&it.expression),
            Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
                Tree::Not(Box::new(self.parts(&it.argument)))
            }
            Expression::LogicalExpression(it) if it.operator != LogicalOperator::Coalesce => {
                let left = Box::new(self.parts(&it.left));
                let right = Box::new(self.parts(&it.right));
                match it.operator {
                    LogicalOperator::And => Tree::And(left, right),
                    _ => Tree::Or(left, right),
                }
            }
            other => self.part(other),
        }
    }

    fn part(&mut self, expression: &Expression<'a>) -> Tree {
        let span = expression.span();
        if expression.is_literal() || is_function(expression) {
            self.visit_expression(expression);
            return Tree::Dark;
        }
        let Some(slot) = self.pair(span) else {
            self.visit_expression(expression);
            return Tree::Dark;
        };
        match expression {
            Expression::BinaryExpression(it) if method(it.operator).is_some() => {
                self.comparison(expression, it, Some(slot));
            }
            Expression::CallExpression(it) => self.call(span, it, Some(slot)),
            Expression::ChainExpression(it) => match &it.expression {
                oxc_ast::ast::ChainElement::CallExpression(call) => {
                    self.call(span, call, Some(slot));
                }
                _ => self.truth(expression, slot),
            },
            _ => self.truth(expression, slot),
        }
        Tree::Part(slot)
    }

    fn truth(&mut self, expression: &Expression<'a>, slot: u32) {
        self.pass(expression, slot, "t", "", |it| {
            it.visit_expression(expression);
        });
    }

    /// `a && b`, `a || b` or `a ?? b` as a value: what stands before the last part decides.
    pub(crate) fn choice(&mut self, it: &LogicalExpression<'a>) {
        if it.operator == LogicalOperator::Coalesce {
            self.null_test(&it.left, Self::visit_expression);
        } else {
            self.parts(&it.left);
        }
        self.visit_expression(&it.right);
    }

    /// What is left of `??` or `?.`: the true side is that it is nothing.
    pub(crate) fn null_test(
        &mut self,
        expression: &Expression<'a>,
        visit: impl FnOnce(&mut Self, &Expression<'a>),
    ) {
        if matches!(expression, Expression::Super(_)) {
            return;
        }
        match self.pair(expression.span()) {
            Some(slot) => self.pass(expression, slot, "n", "", |it| visit(it, expression)),
            None => visit(self, expression),
        }
    }

    pub(crate) fn comparison(
        &mut self,
        whole: &Expression<'a>,
        it: &BinaryExpression<'a>,
        slot: Option<u32>,
    ) {
        let (Some(slot), Some(method)) = (slot, method(it.operator)) else {
            self.visit_expression(&it.left);
            self.visit_expression(&it.right);
            return;
        };
        let copy = self.comparison_copy(whole, it);
        self.open(it.span, slot, method, copy.as_deref());
        self.visit_expression(&it.left);
        let operator = self.operator_between(it.left.span(), it.operator.as_str());
        self.edits
            .replace(operator.start, operator.end, ",".to_owned());
        self.visit_expression(&it.right);
        self.close(it.span, manner(it), copy.is_some());
    }

    fn comparison_copy(&self, whole: &Expression<'a>, it: &BinaryExpression<'a>) -> Option<String> {
        self.copy_of(&it.left)?;
        self.copy_of(&it.right)?;
        let text = whole.span().source_text(self.source);
        let is_simple =
            !text.contains(['\n', '\r', '\u{2028}', '\u{2029}']) && !text.contains("//");
        is_simple.then(|| text.to_owned())
    }

    /// Where the operator stands behind its left side, past comments.
    fn operator_between(&self, left: Span, operator: &str) -> Span {
        let mut at = left.end as usize;
        loop {
            let rest = &self.source[at..];
            if let Some(comment) = rest.strip_prefix("/*") {
                at += 4 + comment.find("*/").expect("the parser has seen its end");
            } else if rest.starts_with("//") {
                at += rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(0);
            } else if rest.starts_with(operator) {
                return Span::new(at as u32, (at + operator.len()) as u32);
            } else {
                at += rest.chars().next().map_or(0, char::len_utf8);
            }
        }
    }

    pub(crate) fn switch(&mut self, it: &SwitchStatement<'a>) {
        let is_list_of_conditions =
            matches!(inner(&it.discriminant), Expression::BooleanLiteral(value) if value.value);
        let tests = it.cases.iter().filter_map(|case| case.test.as_ref());
        let is_measured = !is_list_of_conditions && tests.clone().any(plain::is_plain);
        if is_measured {
            let span = it.discriminant.span();
            self.before(span.start, &format!("{PLACEHOLDER}.d=("));
            self.visit_expression(&it.discriminant);
            self.after(span.end, ")");
        } else {
            self.visit_expression(&it.discriminant);
        }
        for case in &it.cases {
            match &case.test {
                Some(test) if is_list_of_conditions => self.condition(test),
                Some(test) if is_measured && plain::is_plain(test) => self.case(test),
                Some(test) => self.visit_expression(test),
                None => {}
            }
            self.visit_statements(&case.consequent);
        }
    }

    fn case(&mut self, test: &Expression<'a>) {
        match self.pair(test.span()) {
            Some(slot) => self.pass(test, slot, "k", "", |_| {}),
            None => self.visit_expression(test),
        }
    }
}

/// Whether a condition has parts.
fn is_composed(expression: &Expression<'_>) -> bool {
    match inner(expression) {
        Expression::LogicalExpression(it) => it.operator != LogicalOperator::Coalesce,
        Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
            is_composed(&it.argument)
        }
        _ => false,
    }
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(
        expression,
        Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
    )
}

/// What a comparison is besides its operator: 1 of texts whose case was levelled before, 2 of the
/// names of types, which are nothing to send.
fn manner(it: &BinaryExpression<'_>) -> &'static str {
    let sides = [inner(&it.left), inner(&it.right)];
    let is_typeof = |side: &&Expression<'_>| matches!(side, Expression::UnaryExpression(it) if it.operator == UnaryOperator::Typeof);
    let is_levelled = |side: &&Expression<'_>| {
        let Expression::CallExpression(call) = side else {
            return false;
        };
        let name = call.callee.as_member_expression();
        let name = name.and_then(oxc_ast::ast::MemberExpression::static_property_name);
        matches!(
            name,
            Some("toLowerCase" | "toUpperCase" | "toLocaleLowerCase" | "toLocaleUpperCase")
        )
    };
    if sides.iter().any(is_typeof) {
        ",2"
    } else if sides.iter().any(is_levelled) {
        ",1"
    } else {
        ""
    }
}
