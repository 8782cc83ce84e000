//! What the service printed while a finding was seen, where we started it and know what it prints.
//!
//! In the run others call it as well, so each finding is seen once more when everything is quiet.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use fossick_trace::Severity;

use crate::hunt::Hunt;

/// Tells how much the service has printed by now, and the lines after a place in that.
pub type Printed = Rc<dyn Fn(u64) -> (u64, Vec<String>)>;

/// Names of these replays lie in a range of their own.
const SALT: u64 = 11 << 32;
/// What is printed may come a little after the answer.
const FLUSHED: Duration = Duration::from_millis(30);

impl Hunt<'_> {
    pub(crate) async fn hear_what_is_printed(&self) {
        let Some(printed) = &self.settings.printed else {
            return;
        };
        for (at, salt) in (0..self.done()).zip(SALT..) {
            let candidate = self.done_at(at);
            let is_told =
                candidate.case.is_confirmed() && candidate.case.finding.severity > Severity::Low;
            if !is_told || self.clock.is_past_hard_end() {
                continue;
            }
            let (before, _) = printed(u64::MAX);
            let script = Arc::new(candidate.script.renamed(salt));
            let probes = self.probes.as_deref();
            self.reviver.run(&self.client, script, probes).await;
            tokio::time::sleep(FLUSHED).await;
            self.candidates.borrow_mut().done[at].case.log = printed(before).1;
        }
    }
}
