//! What an expression is made of, asked without changing anything.

use oxc_ast::ast::{
    ArrowFunctionExpression, AwaitExpression, CallExpression, Class, ComputedMemberExpression,
    Expression, ForOfStatement, Function, ImportExpression, NewExpression, PrivateFieldExpression,
    StaticMemberExpression, TaggedTemplateExpression, ThrowStatement, UnaryOperator,
    YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;

/// Reading it twice is the same as reading it once, and no getter can tell.
pub(crate) fn is_still(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Identifier(_)
        | Expression::ThisExpression(_)
        | Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_) => true,
        Expression::ParenthesizedExpression(it) => is_still(&it.expression),
        _ => false,
    }
}

/// Only names, members and literals: short enough to stand twice in the code, of which one is run.
pub(crate) fn is_plain(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StaticMemberExpression(it) => !it.optional && is_plain(&it.object),
        Expression::ComputedMemberExpression(it) => {
            !it.optional && is_plain(&it.object) && is_plain(&it.expression)
        }
        Expression::UnaryExpression(it) => {
            it.operator != UnaryOperator::Delete && is_plain(&it.argument)
        }
        Expression::ParenthesizedExpression(it) => is_plain(&it.expression),
        other => is_still(other),
    }
}

/// Likewise with sums and the like: of two copies only one is evaluated.
pub(crate) fn is_copyable(expression: &Expression<'_>) -> bool {
    match inner(expression) {
        Expression::BinaryExpression(it) => {
            crate::conditions::method(it.operator).is_none()
                && is_copyable(&it.left)
                && is_copyable(&it.right)
        }
        other => is_plain(other),
    }
}

/// Without the parentheses around it.
pub(crate) fn inner<'b, 'a>(expression: &'b Expression<'a>) -> &'b Expression<'a> {
    match expression {
        Expression::ParenthesizedExpression(it) => inner(&it.expression),
        other => other,
    }
}

/// Whether it is part of a chain that may end early: `a?.b`, without parentheses around it.
pub(crate) fn is_chained(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StaticMemberExpression(it) => it.optional || is_chained(&it.object),
        Expression::ComputedMemberExpression(it) => it.optional || is_chained(&it.object),
        Expression::PrivateFieldExpression(it) => it.optional || is_chained(&it.object),
        Expression::CallExpression(it) => it.optional || is_chained(&it.callee),
        Expression::TSNonNullExpression(it) => is_chained(&it.expression),
        _ => false,
    }
}

/// Whether something is called in it, apart from what its functions do later.
pub(crate) fn calls(expression: &Expression<'_>) -> bool {
    let mut search = Search::default();
    search.visit_expression(expression);
    search.calls
}

/// Whether a function's statements could fail, as far as one can see.
pub(crate) fn may_fail<'a>(walk: impl FnOnce(&mut Search) + 'a) -> bool {
    let mut search = Search::default();
    walk(&mut search);
    search.calls || search.fails
}

#[derive(Debug, Default)]
pub(crate) struct Search {
    calls: bool,
    fails: bool,
}

impl<'a> Visit<'a> for Search {
    fn visit_call_expression(&mut self, _: &CallExpression<'a>) {
        self.calls = true;
    }

    fn visit_new_expression(&mut self, _: &NewExpression<'a>) {
        self.calls = true;
    }

    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.calls = true;
    }

    fn visit_tagged_template_expression(&mut self, _: &TaggedTemplateExpression<'a>) {
        self.calls = true;
    }

    fn visit_import_expression(&mut self, _: &ImportExpression<'a>) {
        self.calls = true;
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        self.fails = true;
        walk::walk_yield_expression(self, it);
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.fails = true;
        walk::walk_throw_statement(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.fails = true;
        walk::walk_for_of_statement(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        self.fails = true;
        walk::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        self.fails = true;
        walk::walk_computed_member_expression(self, it);
    }

    fn visit_private_field_expression(&mut self, it: &PrivateFieldExpression<'a>) {
        self.fails = true;
        walk::walk_private_field_expression(self, it);
    }

    fn visit_variable_declarator(&mut self, it: &oxc_ast::ast::VariableDeclarator<'a>) {
        self.fails |= !it.id.is_binding_identifier();
        walk::walk_variable_declarator(self, it);
    }

    // What these do, they do when they are called.
    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
    fn visit_class(&mut self, _: &Class<'a>) {}
}

/// Whether another task may run before it has its value.
pub(crate) fn waits(expression: &Expression<'_>) -> bool {
    let mut search = Waits(false);
    search.visit_expression(expression);
    search.0
}

struct Waits(bool);

impl<'a> Visit<'a> for Waits {
    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.0 = true;
    }

    fn visit_yield_expression(&mut self, _: &YieldExpression<'a>) {
        self.0 = true;
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}
    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}
