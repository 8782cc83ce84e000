//! The walk over the tree: which part of the program gets which counter.
//!
//! Each file of `impl Rewriter` has its part of the syntax: statements here and in `statements`,
//! what decides in `conditions`, what is called in `calls`, what is looked for in `reads`.

use std::collections::HashSet;

use oxc_ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, CatchClause, ChainElement, ChainExpression, Class,
    Decorator, Expression, FunctionBody, Program, SimpleAssignmentTarget, Statement,
    TSEnumDeclaration, TSNamespaceDeclaration, UnaryOperator, WithStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use crate::edits::Edits;
use crate::maps::Places;
use crate::plain;
use crate::slots::{Kind, Slots, Tree};
use crate::{Instrumented, PLACEHOLDER};

/// Longer expressions are not written twice.
const LONGEST_COPY: usize = 100;

const LONGEST_LABEL: usize = 60;

pub(crate) struct Rewriter<'s> {
    pub(crate) source: &'s str,
    pub(crate) places: Places<'s>,
    pub(crate) edits: Edits,
    pub(crate) slots: Slots,
    pub(crate) trees: Vec<(u32, Tree)>,
    /// Names that stand for a module and never for what a request brought.
    pub(crate) modules: HashSet<String>,
}

pub(crate) fn rewrite(source: &str, program: &Program<'_>, map: Option<&str>) -> Instrumented {
    let mut rewriter = Rewriter {
        source,
        places: Places::new(source, map),
        edits: Edits::default(),
        slots: Slots::default(),
        trees: Vec::new(),
        modules: crate::reads::modules(program),
    };
    rewriter.visit_program(program);
    rewriter.finish()
}

impl Rewriter<'_> {
    fn finish(mut self) -> Instrumented {
        let reference = self.places.reference();
        if let Some(old) = reference {
            self.edits.replace(old.start, old.end, String::new());
        }
        let (code, shifts) = self.edits.apply(self.source);
        Instrumented {
            code,
            targets: self.slots.all,
            trees: self.trees,
            sources: self.places.sources(),
            map: self.places.moved(&shifts),
        }
    }

    pub(crate) fn slot(&mut self, span: Span, kind: Kind) -> Option<u32> {
        let place = self.places.of(span.start)?;
        let label = label(span.source_text(self.source));
        Some(self.slots.add(place, kind, label))
    }

    /// The two sides of a branch; the number is that of the true one.
    pub(crate) fn pair(&mut self, span: Span) -> Option<u32> {
        let yes = self.slot(span, Kind::True)?;
        self.slot(span, Kind::False)?;
        Some(yes)
    }

    /// Puts text in where no word must run into it.
    pub(crate) fn before(&mut self, at: u32, text: &str) {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
        let last = self.source.as_bytes()[..at as usize].last();
        let space = if last.is_some_and(|byte| is_word(*byte)) {
            " "
        } else {
            ""
        };
        self.edits.insert(at, format!("{space}{text}"));
    }

    pub(crate) fn after(&mut self, at: u32, text: &str) {
        self.edits.insert(at, text.to_owned());
    }

    /// The text of an expression that may stand twice, since it is short and on one line.
    pub(crate) fn copy_of(&self, expression: &Expression<'_>) -> Option<String> {
        let text = expression.span().source_text(self.source);
        let is_short = text.len() <= LONGEST_COPY && !text.contains(['\n', '\r']);
        let is_open = text.contains("//") || text.contains(['\u{2028}', '\u{2029}']);
        (is_short && !is_open && plain::is_copyable(expression)).then(|| text.to_owned())
    }

    /// `expression` becomes `$f.method(slot,expression`; what ends it is for [`Self::close`].
    /// Where the expression has a copy, it is evaluated as it was once the slot is hushed.
    pub(crate) fn open(&mut self, span: Span, slot: u32, method: &str, copy: Option<&str>) {
        let call = format!("{PLACEHOLDER}.{method}({slot},");
        match copy {
            Some(copy) => self.before(span.start, &format!("({PLACEHOLDER}[{slot}]?{copy}:{call}")),
            None => self.before(span.start, &call),
        }
    }

    pub(crate) fn close(&mut self, span: Span, more: &str, has_copy: bool) {
        let end = if has_copy { "))" } else { ")" };
        self.after(span.end, &format!("{more}{end}"));
    }

    /// An expression as the argument of a method of ours.
    pub(crate) fn pass(
        &mut self,
        expression: &Expression<'_>,
        slot: u32,
        method: &str,
        more: &str,
        visit: impl FnOnce(&mut Self),
    ) {
        let span = expression.span();
        let copy = self.copy_of(expression);
        self.open(span, slot, method, copy.as_deref());
        // A comma would end the argument.
        let is_row = matches!(expression, Expression::SequenceExpression(_));
        if is_row {
            self.after(span.start, "(");
        }
        visit(self);
        if is_row {
            self.after(span.end, ")");
        }
        self.close(span, more, copy.is_some());
    }
}

/// The first line of a text, cut.
fn label(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default().trim_end();
    let cut = line.char_indices().nth(LONGEST_LABEL);
    cut.map_or(line, |(at, _)| &line[..at])
}

impl<'a> Visit<'a> for Rewriter<'_> {
    fn visit_statements(&mut self, statements: &oxc_allocator::ArenaVec<'a, Statement<'a>>) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        self.function_body(body);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.visit_formal_parameters(&it.params);
        match &it.body {
            ArrowFunctionBody::FunctionBody(body) => self.function_body(body),
            body => self.arrow_expression(body.to_expression()),
        }
    }

    fn visit_if_statement(&mut self, it: &oxc_ast::ast::IfStatement<'a>) {
        self.condition(&it.test);
        self.body(&it.consequent);
        if let Some(alternate) = &it.alternate {
            self.body(alternate);
        }
    }

    fn visit_while_statement(&mut self, it: &oxc_ast::ast::WhileStatement<'a>) {
        self.condition(&it.test);
        self.body(&it.body);
    }

    fn visit_do_while_statement(&mut self, it: &oxc_ast::ast::DoWhileStatement<'a>) {
        self.body(&it.body);
        self.condition(&it.test);
    }

    fn visit_for_statement(&mut self, it: &oxc_ast::ast::ForStatement<'a>) {
        if let Some(init) = &it.init {
            self.visit_for_statement_init(init);
        }
        if let Some(test) = &it.test {
            self.condition(test);
        }
        if let Some(update) = &it.update {
            self.visit_expression(update);
        }
        self.body(&it.body);
    }

    fn visit_for_in_statement(&mut self, it: &oxc_ast::ast::ForInStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        self.visit_expression(&it.right);
        self.body(&it.body);
    }

    fn visit_for_of_statement(&mut self, it: &oxc_ast::ast::ForOfStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        self.visit_expression(&it.right);
        self.body(&it.body);
    }

    /// Names in it may be members of an object, ours too.
    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        self.visit_expression(&it.object);
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        if let Some(parameter) = &it.param {
            self.visit_catch_parameter(parameter);
        }
        // What was being parsed when it failed is known now.
        self.after(it.body.span.start + 1, &format!("{PLACEHOLDER}.z();"));
        self.visit_block_statement(&it.body);
    }

    fn visit_switch_statement(&mut self, it: &oxc_ast::ast::SwitchStatement<'a>) {
        self.switch(it);
    }

    fn visit_return_statement(&mut self, it: &oxc_ast::ast::ReturnStatement<'a>) {
        if let Some(argument) = &it.argument {
            self.visit_expression(argument);
        }
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        match expression {
            Expression::LogicalExpression(it) => self.choice(it),
            Expression::BinaryExpression(it)
                if crate::conditions::method(it.operator).is_some() =>
            {
                let slot = self.slot(it.span, Kind::Method);
                self.comparison(expression, it, slot);
            }
            Expression::UnaryExpression(it) if it.operator == UnaryOperator::LogicalNot => {
                self.parts(&it.argument);
            }
            Expression::UnaryExpression(it) if it.operator == UnaryOperator::Delete => {
                self.reference(&it.argument);
            }
            Expression::ConditionalExpression(it) => {
                self.condition(&it.test);
                self.visit_expression(&it.consequent);
                self.visit_expression(&it.alternate);
            }
            Expression::CallExpression(it) => self.call(expression.span(), it, None),
            Expression::NewExpression(it) => self.construction(it),
            Expression::TaggedTemplateExpression(it) => {
                self.reference(&it.tag);
                self.visit_template_literal(&it.quasi);
            }
            Expression::StaticMemberExpression(it) => self.read(it),
            Expression::ComputedMemberExpression(it) => self.computed_read(it),
            _ => walk::walk_expression(self, expression),
        }
    }

    fn visit_chain_expression(&mut self, it: &ChainExpression<'a>) {
        self.chain(it);
    }

    fn visit_variable_declarator(&mut self, it: &oxc_ast::ast::VariableDeclarator<'a>) {
        self.declarator(it);
    }

    fn visit_simple_assignment_target(&mut self, it: &SimpleAssignmentTarget<'a>) {
        // Of TypeScript: what stands inside is no value.
        match it {
            SimpleAssignmentTarget::TSNonNullExpression(it) => self.reference(&it.expression),
            SimpleAssignmentTarget::TSAsExpression(it) => self.reference(&it.expression),
            SimpleAssignmentTarget::TSSatisfiesExpression(it) => self.reference(&it.expression),
            SimpleAssignmentTarget::TSTypeAssertion(it) => self.reference(&it.expression),
            other => walk::walk_simple_assignment_target(self, other),
        }
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if let Some(heritage) = &it.heritage {
            self.visit_expression(&heritage.expression);
        }
        self.visit_class_body(&it.body);
    }

    // Types, and what the compiler looks at.
    fn visit_decorator(&mut self, _: &Decorator<'a>) {}
    fn visit_ts_enum_declaration(&mut self, _: &TSEnumDeclaration<'a>) {}
    fn visit_ts_namespace_declaration(&mut self, _: &TSNamespaceDeclaration<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &oxc_ast::ast::TSTypeAnnotation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &oxc_ast::ast::TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &oxc_ast::ast::TSTypeAliasDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(
        &mut self,
        _: &oxc_ast::ast::TSTypeParameterInstantiation<'a>,
    ) {
    }
    fn visit_ts_type_parameter_declaration(
        &mut self,
        _: &oxc_ast::ast::TSTypeParameterDeclaration<'a>,
    ) {
    }
    fn visit_ts_class_implements_list(
        &mut self,
        _: &oxc_allocator::ArenaVec<'a, oxc_ast::ast::TSClassImplements<'a>>,
    ) {
    }
}

impl Rewriter<'_> {
    /// Something that is meant and not read: what is called, deleted or tagged. Its parts are
    /// values, itself it stays as it is, or a method would lose its `this`.
    pub(crate) fn reference(&mut self, expression: &Expression<'_>) {
        match expression {
            Expression::StaticMemberExpression(it) => self.owner(&it.object, it.optional),
            Expression::PrivateFieldExpression(it) => self.owner(&it.object, it.optional),
            Expression::ComputedMemberExpression(it) => {
                self.owner(&it.object, it.optional);
                self.visit_expression(&it.expression);
            }
            Expression::ParenthesizedExpression(it) => self.reference(&it.expression),
            Expression::TSNonNullExpression(it) => self.reference(&it.expression),
            Expression::ChainExpression(it) => self.chain_reference(&it.expression),
            Expression::Identifier(_) | Expression::Super(_) => {}
            Expression::CallExpression(it) if crate::calls::is_told_anywhere(it) => {
                self.call(it.span, it, None);
            }
            Expression::CallExpression(it) => self.bare_call(it),
            other => self.visit_expression(other),
        }
    }

    fn chain_reference(&mut self, element: &ChainElement<'_>) {
        match element {
            ChainElement::CallExpression(it) => self.bare_call(it),
            ChainElement::TSNonNullExpression(it) => self.reference(&it.expression),
            ChainElement::StaticMemberExpression(it) => self.owner(&it.object, it.optional),
            ChainElement::PrivateFieldExpression(it) => self.owner(&it.object, it.optional),
            ChainElement::ComputedMemberExpression(it) => {
                self.owner(&it.object, it.optional);
                self.visit_expression(&it.expression);
            }
        }
    }

    /// The object of a member. A message such as `a.b.c is not a function` quotes the source, so
    /// members on the way to what is called are left alone.
    pub(crate) fn owner(&mut self, object: &Expression<'_>, is_optional: bool) {
        if is_optional {
            self.null_test(object, Self::before_optional);
        } else {
            self.reference(object);
        }
    }

    /// What stands before `?.` may be missing, so it is read like any other member. The chain is
    /// not cut short by that: what comes after `?.` is left out either way.
    fn before_optional(&mut self, object: &Expression<'_>) {
        match object {
            Expression::StaticMemberExpression(it) if it.optional => self.optional_read(it),
            Expression::StaticMemberExpression(it) if !self.is_in_chain(it.span) => self.read(it),
            other => self.reference(other),
        }
    }

    fn is_in_chain(&self, span: Span) -> bool {
        span.source_text(self.source).contains("?.")
    }

    fn chain(&mut self, it: &ChainExpression<'_>) {
        match &it.expression {
            ChainElement::CallExpression(call) => self.call(it.span, call, None),
            ChainElement::StaticMemberExpression(member) if member.optional => {
                self.optional_read(member);
            }
            other => self.chain_reference(other),
        }
    }
}
