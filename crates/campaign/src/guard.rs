//! What keeps a run going: who must rest, whether we were locked out, and a call that tells.

use std::sync::Arc;

use fossick_contract::{Api, Deed, OperationIndex};
use fossick_plan::keys;
use fossick_trace::{Episode, Script};

use crate::lockout::{Alarm, Watch};
use crate::rest::Resting;

#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) watch: Watch,
    pub(crate) resting: Resting,
    /// A script that worked and changes nothing: it tells whether the service still answers us.
    pub(crate) witness: Option<Arc<Script>>,
}

impl Guard {
    pub(crate) fn new(api: &Api) -> Self {
        Self {
            watch: Watch::new(api),
            resting: Resting::default(),
            witness: None,
        }
    }

    /// Looks at what happened. Tells which operations must rest, and whether all is well.
    pub(crate) fn see(
        &mut self,
        api: &Api,
        episode: &Episode,
    ) -> (Vec<OperationIndex>, Option<Alarm>) {
        if self.witness.is_none() && is_witness(api, episode) {
            self.witness = Some(Arc::clone(&episode.script));
        }
        let tired = self.resting.see(api, episode);
        (tired, self.watch.see(api, episode))
    }
}

/// One valid read that worked. A thing that may be removed is no witness.
fn is_witness(api: &Api, episode: &Episode) -> bool {
    let ([call], [exchange]) = (&*episode.script.calls, &*episode.exchanges) else {
        return false;
    };
    let operation = api.find(&call.operation).map(|index| api.operation(index));
    call.intent.is_valid()
        && exchange.outcome.is_success()
        && operation.is_some_and(|o| o.deed() == Deed::Read && keys(o).is_empty())
}
