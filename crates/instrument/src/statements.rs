//! Statements: a counter before each, one behind a call that returned, and one ear for what leaves
//! a function by exception.

use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, Expression, FunctionBody, Statement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use crate::PLACEHOLDER;
use crate::plain;
use crate::rewriter::Rewriter;
use crate::slots::Kind;

/// What is caught on its way out of a function; no name of the user's can be meant by it there.
const CAUGHT: &str = "$e_fossick";

impl<'a> Rewriter<'_> {
    /// A statement in a list.
    pub(crate) fn statement(&mut self, statement: &Statement<'a>) {
        if !is_run(statement) {
            return walk::walk_statement(self, statement);
        }
        let call = self.enter(statement.span(), returns_from(statement));
        match (call, statement) {
            (Some(call), Statement::ReturnStatement(it)) => {
                let argument = it.argument.as_ref().expect("a call is in it");
                self.returned(argument, call);
            }
            (Some(call), _) => {
                walk::walk_statement(self, statement);
                let done = format!(";{PLACEHOLDER}[{call}]||{PLACEHOLDER}.h({call});");
                self.after(statement.span().end, &done);
            }
            (None, _) => walk::walk_statement(self, statement),
        }
    }

    /// Counts a statement that is about to run. The number is that of its call, if it has one;
    /// then that of the line is one less.
    fn enter(&mut self, span: Span, has_call: bool) -> Option<u32> {
        let Some(line) = self.slot(span, Kind::Line) else {
            // What follows may begin with a parenthesis, which must not call what came before.
            self.before(span.start, ";");
            return None;
        };
        let call = has_call.then(|| self.slot(span, Kind::Call)).flatten();
        let count = match call {
            Some(call) => format!("{PLACEHOLDER}[{call}]||{PLACEHOLDER}.e({call});"),
            None => format!("{PLACEHOLDER}[{line}]||{PLACEHOLDER}.h({line});"),
        };
        self.before(span.start, &count);
        call
    }

    /// Tells that the calls in an expression came back.
    fn returned(&mut self, expression: &Expression<'a>, call: u32) {
        self.open(expression.span(), call, "r", None);
        let is_row = matches!(expression, Expression::SequenceExpression(_));
        if is_row {
            self.after(expression.span().start, "(");
        }
        self.visit_expression(expression);
        self.after(expression.span().end, if is_row { "))" } else { ")" });
    }

    /// The body of an `if` or a loop, which may be a statement without braces.
    pub(crate) fn body(&mut self, body: &Statement<'a>) {
        let is_closed = matches!(
            body,
            Statement::BlockStatement(_) | Statement::FunctionDeclaration(_)
        );
        // A label before a function declaration is the one thing that no block may hold everywhere.
        if is_closed || matches!(body, Statement::LabeledStatement(_)) {
            return walk::walk_statement(self, body);
        }
        self.before(body.span().start, "{");
        self.statement(body);
        self.after(body.span().end, "}");
    }

    pub(crate) fn function_body(&mut self, body: &FunctionBody<'a>) {
        let is_asm = body.directives.iter().any(|it| it.directive == "use asm");
        let Some(first) = body.statements.first().filter(|_| !is_asm) else {
            return;
        };
        let is_guarded = self.places.of(first.span().start).is_some() && is_guardable(body);
        if is_guarded {
            self.before(first.span().start, "try{");
        }
        self.visit_statements(&body.statements);
        if is_guarded {
            self.after(body.span.end - 1, &heard());
        }
    }

    /// `=> value` becomes a body with a return, so that it can be heard failing.
    pub(crate) fn arrow_expression(&mut self, value: &Expression<'a>) {
        let span = value.span();
        let Some(line) = self.slot(span, Kind::Line) else {
            return self.visit_expression(value);
        };
        if !plain::may_fail(|search| search.visit_expression(value)) {
            let count = format!("({PLACEHOLDER}[{line}]||{PLACEHOLDER}.h({line}),");
            self.before(span.start, &count);
            self.visit_expression(value);
            return self.after(span.end, ")");
        }
        let call = plain::calls(value)
            .then(|| self.slot(span, Kind::Call))
            .flatten();
        let count = match call {
            Some(call) => format!("{{try{{{PLACEHOLDER}[{call}]||{PLACEHOLDER}.e({call});return "),
            None => format!("{{try{{{PLACEHOLDER}[{line}]||{PLACEHOLDER}.h({line});return "),
        };
        self.before(span.start, &count);
        match call {
            Some(call) => self.returned(value, call),
            None => self.visit_expression(value),
        }
        self.after(span.end, &format!("{}}}", heard()));
    }
}

fn heard() -> String {
    format!("}}catch({CAUGHT}){{throw {PLACEHOLDER}.x({CAUGHT})}}")
}

/// A block around the statements changes what function declarations among them mean; where there
/// are some, a function goes without.
fn is_guardable(body: &FunctionBody<'_>) -> bool {
    let is_function = |statement: &Statement<'_>| match statement {
        Statement::FunctionDeclaration(_) => true,
        Statement::LabeledStatement(it) => matches!(it.body, Statement::FunctionDeclaration(_)),
        _ => false,
    };
    !body.statements.iter().any(is_function)
        && plain::may_fail(|search| search.visit_statements(&body.statements))
}

/// Whether a statement does something when its turn comes.
fn is_run(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::BlockStatement(_)
        | Statement::EmptyStatement(_)
        | Statement::FunctionDeclaration(_)
        | Statement::ImportDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::ExportNamedDeclaration(_)
        | Statement::ExportFromDeclaration(_) => false,
        Statement::ExportDeclaration(it) => matches!(
            it.declaration,
            Declaration::VariableDeclaration(_) | Declaration::ClassDeclaration(_)
        ),
        Statement::ExportDefaultDeclaration(it) => !matches!(
            it.declaration,
            ExportDefaultDeclarationKind::FunctionDeclaration(_)
                | ExportDefaultDeclarationKind::TSInterfaceDeclaration(_)
        ),
        Statement::VariableDeclaration(it) => !it.declare,
        Statement::ClassDeclaration(it) => !it.declare,
        other => !other.is_typescript_syntax(),
    }
}

/// Statements whose calls are told apart: entered, and come back.
fn returns_from(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(it) => plain::calls(&it.expression),
        Statement::ReturnStatement(it) => it.argument.as_ref().is_some_and(plain::calls),
        Statement::VariableDeclaration(it) => {
            let mut values = it.declarations.iter().filter_map(|it| it.init.as_ref());
            values.any(plain::calls)
        }
        _ => false,
    }
}
