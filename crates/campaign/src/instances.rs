//! The instances of the service, side by side.
//!
//! The search spreads its plans over all of them in turn, in the order of proposal, so that which
//! plan runs where does not depend on who answers first.

use std::cell::Cell;
use std::rc::Rc;

use fossick_transport::Client;

use crate::keep::Reset;
use crate::probes::{Probe, Probes};

/// One instance of the service.
#[derive(Clone)]
pub struct Instance {
    pub client: Client,
    pub probe: Option<Probe>,
    pub reset: Option<Reset>,
}

pub(crate) struct Instances {
    all: Vec<(Client, Option<Rc<Probes>>)>,
    next: Cell<usize>,
}

impl Instances {
    /// At least one. Each test begins with a reset only if `resets`.
    pub(crate) fn of<'i>(instances: impl Iterator<Item = &'i Instance>, resets: bool) -> Self {
        let all = instances.map(|instance| {
            let reset = instance.reset.clone().filter(|_| resets);
            let probe = instance.probe.clone();
            let needed = probe.is_some() || reset.is_some();
            let probes = needed.then(|| Rc::new(Probes::new(probe, reset)));
            (instance.client.clone(), probes)
        });
        Self {
            all: all.collect(),
            next: Cell::new(0),
        }
    }

    pub(crate) fn first_probes(&self) -> Option<Rc<Probes>> {
        self.all.first().and_then(|(_, probes)| probes.clone())
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whose turn it is.
    pub(crate) fn next(&self) -> (Client, Option<Rc<Probes>>) {
        let at = self.next.get();
        self.next.set((at + 1) % self.all.len());
        self.all[at].clone()
    }

    /// Why one of them could not be reset before a test.
    pub(crate) fn trouble(&self) -> Option<String> {
        let mut probes = self.all.iter().filter_map(|(_, probes)| probes.as_ref());
        probes.find_map(|probes| probes.trouble())
    }

    /// Requests that were sent to any of them.
    pub(crate) fn requests(&self) -> u64 {
        self.all.iter().map(|(client, _)| client.requests()).sum()
    }
}
