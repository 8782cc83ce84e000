//! Getting back in after a lock-out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fossick_contract::OperationIndex;
use fossick_trace::Ending;

use crate::hunt::Hunt;
use crate::lockout::{Alarm, Refusal};
use crate::runner;

impl Hunt<'_> {
    /// The service refuses what used to work: find out why, and get back in if there is a way.
    pub(crate) async fn deal_with(&self, alarm: &Alarm) {
        let culprit = alarm.suspects.first().map(|(index, request)| {
            format!(
                " {} did it, as far as can be told (request {request}).",
                self.api.operation(*index).label
            )
        });
        let mut note = format!(
            "since request {} the service {}.{}",
            alarm.since,
            alarm.refusal,
            culprit.unwrap_or_default()
        );
        let recovered = self.recover(alarm).await;
        match (&recovered, alarm.suspects.first()) {
            (Some(how), Some((index, _))) => {
                self.search.borrow_mut().hold(*index);
                note.push_str(&format!(
                    " {how}; that operation waits for the end of the run."
                ));
            }
            (Some(how), None) => note.push_str(&format!(" {how}.")),
            (None, _) => note.push_str(" It stayed so to the end of the run."),
        }
        self.note(note);
        match recovered {
            Some(_) => self.guard.borrow_mut().watch.forgive(),
            None => self.clock.end(Ending::ServiceLost),
        }
    }

    /// Logs in again, waits, tries once more. Tells what helped.
    async fn recover(&self, alarm: &Alarm) -> Option<String> {
        if self.still_answers().await {
            return Some("It answers again".to_owned());
        }
        if alarm.refusal == Refusal::Unreachable && self.restarted().await {
            return Some("It was started again".to_owned());
        }
        let denied = matches!(alarm.refusal, Refusal::Credentials(_));
        if denied
            && self.client.can_log_in(None)
            && self.client.log_in(None).await.is_ok()
            && self.still_answers().await
        {
            return Some("Logged in again".to_owned());
        }
        for (index, _) in &alarm.suspects {
            if self.undo(*index).await && self.still_answers().await {
                return Some(format!(
                    "Undone by {} with its switches turned",
                    self.api.operation(*index).label
                ));
            }
        }
        let mut waited = Duration::ZERO;
        for wait in [1, 2, 4, 8].map(Duration::from_secs) {
            let end = self.clock.hard_end();
            if end.is_some_and(|end| Instant::now() + wait > end) {
                break;
            }
            tokio::time::sleep(wait).await;
            waited += wait;
            if self.still_answers().await {
                return Some(format!("It came back after {} s", waited.as_secs()));
            }
        }
        let again = self.restarted().await;
        again.then(|| "It was started again".to_owned())
    }

    /// Starts the service again, where we started it and it is gone. Tells whether it answers as
    /// before.
    async fn restarted(&self) -> bool {
        let revived = self.reviver.look().await;
        revived && (self.guard.borrow().witness.is_none() || self.still_answers().await)
    }

    pub(crate) async fn still_answers(&self) -> bool {
        let witness = self.guard.borrow().witness.clone();
        let Some(script) = witness else { return false };
        let episode = runner::run(&self.client, script).await;
        episode
            .exchanges
            .last()
            .is_some_and(|e| e.outcome.is_success())
    }

    /// Calls a switch again with every flag turned off: maintenance modes end that way.
    async fn undo(&self, index: OperationIndex) -> bool {
        let script = self.search.borrow_mut().switch_off(index);
        let Some(script) = script else { return false };
        let episode = runner::run(&self.client, Arc::new(script)).await;
        episode
            .exchanges
            .last()
            .is_some_and(|e| e.outcome.is_success())
    }
}
