//! A service under our control.

use std::time::{Duration, Instant};

use crate::ready::ASK_EVERY;
use crate::{Failure, Launch, Log, Program, Ready};

/// A service that does not answer for so long hangs.
const HANGS: Duration = Duration::from_secs(5);
/// Lines that are shown of a service that did not start.
const SHOWN: usize = 12;

/// As long as this is there, the service runs.
#[derive(Debug)]
pub struct Service {
    launch: Launch,
    ready: Ready,
    log: Log,
    patience: Duration,
    program: Option<Program>,
}

impl Service {
    /// Starts it and waits until it is ready. Services with a database behind them take their
    /// time; whoever waits says how long.
    pub async fn start(
        launch: Launch,
        ready: Ready,
        log: Log,
        patience: Duration,
    ) -> Result<Self, Failure> {
        let mut service = Self {
            launch,
            ready,
            log,
            patience,
            program: None,
        };
        service.restart().await?;
        Ok(service)
    }

    /// Ends it and starts it once more.
    pub async fn restart(&mut self) -> Result<(), Failure> {
        drop(self.program.take());
        let from = self.log.len();
        self.program = Some(Program::start(&self.launch, &self.log)?);
        let mut begun = Instant::now();
        loop {
            let missing = self.ready.missing(&self.log, from).await;
            let Some(why) = missing else { return Ok(()) };
            let lines = || self.log.last_lines(from, SHOWN);
            // A command that ends well may have left the service running behind it, as
            // `docker compose up -d` does.
            let ended = self.program.as_mut().and_then(Program::ended);
            if let Some(status) = ended.filter(|status| !status.success()) {
                let lines = lines();
                return Err(Failure::Died { status, lines });
            }
            // A service has not been slow as long as it is still being built.
            if self.log.tells_of_building(from) {
                begun = Instant::now();
            }
            if begun.elapsed() > self.patience {
                return Err(Failure::NeverReady {
                    waited: self.patience,
                    why,
                    lines: lines(),
                });
            }
            tokio::time::sleep(ASK_EVERY).await;
        }
    }

    /// Starts it again if it is gone, or does not answer in time. Tells whether it was so.
    pub async fn revive(&mut self) -> Result<bool, Failure> {
        // What it printed when it began says nothing of now.
        let is_there = if let Ready::Line(_) = self.ready {
            !self.has_ended()
        } else {
            let asked = self.ready.missing(&self.log, 0);
            matches!(tokio::time::timeout(HANGS, asked).await, Ok(None))
        };
        if !is_there {
            self.restart().await?;
        }
        Ok(!is_there)
    }

    /// Whether the command has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.program
            .as_mut()
            .is_none_or(|program| program.ended().is_some())
    }

    pub fn log(&self) -> &Log {
        &self.log
    }
}
