//! All oracles over one episode.

use std::collections::HashMap;
use std::sync::OnceLock;

use fossick_contract::{Api, Operation};
use fossick_trace::{Call, Episode, Exchange, Finding};
use fossick_validate::Validators;

use crate::graphql::inquiry::Inquiry;
use crate::graphql::library::Library;
use crate::orders::Orders;
use crate::scene::{Scene, Shown};
use crate::table::ORACLES;

/// Judges episodes against one contract.
#[derive(Debug)]
pub struct Judge<'a> {
    api: &'a Api,
    validators: &'a Validators,
    by_label: HashMap<&'a str, &'a Operation>,
    /// Codes that the user does not want to hear of.
    silenced: Vec<String>,
    /// GraphQL operations and answers that were looked at before.
    library: Library,
    /// Read from the document when it is first asked for.
    orders: OnceLock<Orders>,
}

impl<'a> Judge<'a> {
    pub fn new(api: &'a Api, validators: &'a Validators) -> Self {
        let by_label = api
            .operations
            .iter()
            .map(|o| (o.label.as_str(), o))
            .collect();
        Self {
            api,
            validators,
            by_label,
            silenced: Vec::new(),
            library: Library::default(),
            orders: OnceLock::new(),
        }
    }

    pub fn silence(mut self, codes: Vec<String>) -> Self {
        self.silenced = codes;
        self
    }

    pub fn judge(&self, episode: &Episode) -> Vec<Finding> {
        let inquiries = self.inquiries(episode);
        let steps = self.steps(episode, &inquiries);
        let orders = self.orders.get_or_init(|| Orders::of(self.api));
        let scene = Scene::new(self.api, self.validators, &self.library, orders, steps);
        let mut findings = Vec::new();
        for oracle in ORACLES {
            if !self
                .silenced
                .iter()
                .any(|code| code.eq_ignore_ascii_case(oracle.code))
            {
                (oracle.check)(oracle, &scene, &mut findings);
            }
        }
        findings
    }

    /// What was asked in each step of a GraphQL service; nothing at all for the others.
    fn inquiries(&self, episode: &Episode) -> Vec<Inquiry> {
        if !self.api.is_graphql() {
            return Vec::new();
        }
        episode
            .exchanges
            .iter()
            .map(|exchange| Inquiry::read(&exchange.request, &self.library))
            .collect()
    }

    /// Calls of operations that the contract knows.
    fn steps<'s>(&'s self, episode: &'s Episode, inquiries: &'s [Inquiry]) -> Vec<Shown<'s>> {
        let step = |(at, call, exchange): (usize, &'s Call, &'s Exchange)| {
            let operation = *self.by_label.get(&*call.operation)?;
            let inquiry = inquiries.get(at).filter(|_| operation.graphql.is_some());
            Some(Shown {
                at,
                call,
                exchange,
                operation,
                inquiry,
                inside: episode.inside.get(at),
            })
        };
        episode.steps().filter_map(step).collect()
    }
}
