//! All oracles over one episode.

use std::collections::HashMap;

use fossick_contract::{Api, Operation};
use fossick_trace::{Episode, Finding};
use fossick_validate::Validators;

use crate::scene::Scene;
use crate::table::ORACLES;

/// Judges episodes against one contract.
#[derive(Debug)]
pub struct Judge<'a> {
    api: &'a Api,
    validators: &'a Validators,
    by_label: HashMap<&'a str, &'a Operation>,
    /// Codes that the user does not want to hear of.
    silenced: Vec<String>,
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
        }
    }

    pub fn silence(mut self, codes: Vec<String>) -> Self {
        self.silenced = codes;
        self
    }

    pub fn judge(&self, episode: &Episode) -> Vec<Finding> {
        let scene = Scene::new(self.api, self.validators, episode, |label| {
            self.by_label.get(label).copied()
        });
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
}
