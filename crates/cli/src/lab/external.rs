//! Services of others that a lab starts, waits for, resets and ends.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use fossick_lab::External;
use fossick_service::{Launch, Log, Ready, Service, free_port};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::reset::reset;
use crate::service::{PATIENCE, failed};

/// A service that was started, or one that was running already.
pub(super) struct Started {
    /// With its port filled in.
    pub(super) told: External,
    _running: Option<Service>,
}

pub(super) fn headers(told: &External) -> Vec<(String, String)> {
    let pair = |(name, value): (&String, &String)| (name.clone(), value.clone());
    told.headers.iter().map(pair).collect()
}

impl Started {
    /// When this returns, the service answers and is as at its beginning.
    pub(super) fn start(
        told: &External,
        runtime: &Runtime,
        log: &Path,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Self> {
        let told = told.at_port(free_port()?);
        let starting = async {
            tokio::select! {
                started = started(&told, log) => started,
                _ = stop.wait_for(|stop| *stop) => bail!("the lab was stopped"),
            }
        };
        let running = runtime
            .block_on(starting)
            .with_context(|| format!("failed to start the service; see {}", log.display()))?;
        let service = Self {
            _running: running,
            told,
        };
        runtime.block_on(service.reset())?;
        Ok(service)
    }

    async fn reset(&self) -> Result<()> {
        match &self.told.reset {
            Some(line) => reset(line, headers(&self.told)).await,
            None => Ok(()),
        }
    }
}

/// Starts it, or waits for one that is running already.
async fn started(told: &External, log: &Path) -> Result<Option<Service>> {
    let ready = Ready::Url {
        url: told.ready.as_ref().unwrap_or(&told.url).clone(),
        headers: headers(told),
    };
    let log = Log::open(log);
    let Some(line) = &told.command else {
        let waiting = ready.wait(&log, PATIENCE);
        return waiting.await.map(|()| None).map_err(failed);
    };
    let starting = Service::start(Launch::line(line), ready, log, PATIENCE);
    starting.await.map(Some).map_err(failed)
}
