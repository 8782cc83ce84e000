//! An episode laid out for judging.

use fossick_contract::{Api, Method, Operation, ResponseSpec};
use fossick_trace::{
    Answer, Call, Evidence, Exchange, Finding, Insight, Location, Raised, Severity, SourceLine,
    Sureness, Wrong,
};
use fossick_validate::Validators;
use serde_json::Value;

use crate::graphql::inquiry::Inquiry;
use crate::graphql::library::Library;
use crate::graphql::review::Review;
use crate::orders::Orders;
use crate::table::Oracle;

/// Everything that an oracle may look at.
pub(crate) struct Scene<'a> {
    pub(crate) api: &'a Api,
    pub(crate) validators: &'a Validators,
    pub(crate) steps: Vec<Shown<'a>>,
    /// What descriptions tell of the order of fields.
    pub(crate) orders: &'a Orders,
    library: &'a Library,
}

/// One call with what came of it.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) at: usize,
    pub(crate) call: &'a Call,
    pub(crate) exchange: &'a Exchange,
    pub(crate) operation: &'a Operation,
    /// What it asked, where it is a call to a GraphQL service.
    pub(crate) inquiry: Option<&'a Inquiry>,
    /// What a probe says of it.
    pub(crate) inside: Option<&'a Insight>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(
        api: &'a Api,
        validators: &'a Validators,
        library: &'a Library,
        orders: &'a Orders,
        steps: Vec<Shown<'a>>,
    ) -> Self {
        Self {
            api,
            validators,
            steps,
            orders,
            library,
        }
    }

    /// A GraphQL answer held against what was asked.
    pub(crate) fn review(&self, step: &Shown<'a>) -> Option<&'a Review> {
        let answer = step.answer().filter(|answer| !answer.truncated)?;
        Some(step.inquiry?.review(self.api, self.library, answer))
    }

    /// Steps before and after one, nearest first.
    pub(crate) fn before(&self, at: usize) -> impl Iterator<Item = &Shown<'a>> {
        self.steps.iter().rev().filter(move |s| s.at < at)
    }

    pub(crate) fn after(&self, at: usize) -> impl Iterator<Item = &Shown<'a>> {
        self.steps.iter().filter(move |s| s.at > at)
    }
}

impl<'a> Shown<'a> {
    pub(crate) fn answer(&self) -> Option<&'a Answer> {
        self.exchange.outcome.answer()
    }

    pub(crate) fn status(&self) -> u16 {
        self.exchange.outcome.status().unwrap_or(0)
    }

    pub(crate) fn succeeded(&self) -> bool {
        self.exchange.outcome.is_success()
    }

    /// What the document promises of the answer. Of another method than the operation's own it
    /// promises nothing.
    pub(crate) fn promise(&self) -> Option<(&'a Answer, &'a ResponseSpec)> {
        let answer = self.answer()?;
        let own = self.method() == self.operation.method;
        let spec = self.operation.response(answer.status).filter(|_| own)?;
        Some((answer, spec))
    }

    pub(crate) fn json(&self) -> Option<&'a Value> {
        self.answer()?.json()
    }

    /// The path that was really called, without its query.
    pub(crate) fn path(&self) -> &'a str {
        let target = &self.exchange.request.target;
        target.split('?').next().unwrap_or(target)
    }

    pub(crate) fn query(&self) -> &'a str {
        let target = &self.exchange.request.target;
        target.split_once('?').map_or("", |(_, query)| query)
    }

    pub(crate) fn method(&self) -> Method {
        self.call.method
    }

    /// The exception behind an error: the one whose message it tells, else the last.
    fn raised(&self, message: &str) -> Option<&'a Raised> {
        let failures = &self.inside?.failures;
        let tells =
            |raised: &&Raised| !raised.message.is_empty() && message.contains(&raised.message);
        failures.iter().rev().find(tells).or(failures.last())
    }

    /// The last line of the service's own code that it ran.
    pub(crate) fn last_line(&self) -> Option<&'a SourceLine> {
        self.inside?.last_line.as_ref()
    }

    pub(crate) fn finding(&self, oracle: &Oracle, title: String, why: String) -> Finding {
        Finding {
            code: oracle.code.to_owned(),
            severity: oracle.severity,
            sureness: oracle.sureness,
            operation: self.operation.label.clone(),
            call: self.at,
            location: Location::Outcome,
            evidence: Evidence::default(),
            title,
            why,
            mark: String::new(),
            cause: self.operation.label.clone(),
        }
    }
}

/// Small changes to a finding, in the order one says them.
pub(crate) trait Shaded {
    fn marked(self, mark: impl Into<String>) -> Self;
    /// The fault of one call may show only in a later one.
    fn shown_by(self, step: &Shown<'_>) -> Self;
    fn caused_by(self, cause: impl Into<String>) -> Self;
    fn located(self, location: Location) -> Self;
    /// At a place in the body: a pointer, with `*` for items.
    fn in_body(self, path: impl Into<String>, wrong: Wrong) -> Self;
    /// The value that is wrong.
    fn got(self, value: Option<Value>) -> Self;
    /// What should have been otherwise: a place in the schema, or a resolver.
    fn promised_by(self, promised: impl Into<String>) -> Self;
    /// The exception behind it, or else the line where it ended: faults of one line are told
    /// together.
    fn failed_in(self, step: &Shown<'_>, message: &str) -> Self;
    /// Another call that it takes to see it.
    fn after(self, step: &Shown<'_>) -> Self;
    fn of(self, severity: Severity, sureness: Sureness) -> Self;
}

impl Shaded for Finding {
    fn marked(mut self, mark: impl Into<String>) -> Self {
        self.mark = mark.into();
        self
    }

    fn shown_by(mut self, step: &Shown<'_>) -> Self {
        self.call = step.at;
        self
    }

    fn caused_by(mut self, cause: impl Into<String>) -> Self {
        self.cause = cause.into();
        self
    }

    fn located(mut self, location: Location) -> Self {
        self.location = location;
        self
    }

    fn in_body(self, path: impl Into<String>, wrong: Wrong) -> Self {
        let path = path.into();
        self.located(Location::Body { path, wrong })
    }

    fn got(mut self, value: Option<Value>) -> Self {
        self.evidence.got = value;
        self
    }

    fn promised_by(mut self, promised: impl Into<String>) -> Self {
        self.evidence.promised = Some(promised.into());
        self
    }

    fn failed_in(mut self, step: &Shown<'_>, message: &str) -> Self {
        if let Some(raised) = step.raised(message) {
            self.cause = raised.to_string();
            self.evidence.raised = Some(raised.clone());
        } else {
            self.evidence.last_line = step.last_line().cloned();
        }
        self
    }

    fn after(mut self, step: &Shown<'_>) -> Self {
        self.evidence.calls.push(step.at);
        self
    }

    fn of(mut self, severity: Severity, sureness: Sureness) -> Self {
        self.severity = severity;
        self.sureness = sureness;
        self
    }
}
