//! Services of others that a lab starts, waits for, resets and ends.

use std::fs::{File, OpenOptions};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use fossick_lab::External;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::program::{Program, until_answers};
use crate::reset::reset;

/// A service that was started, or one that was running already.
pub(super) struct Started {
    /// With its port filled in.
    pub(super) told: External,
    running: Option<Program>,
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
        let running = told.command.as_deref().map(|line| spawn(line, log));
        let mut service = Self {
            running: running.transpose()?,
            told,
        };
        let ready = async {
            tokio::select! {
                ready = service.until_ready() => ready,
                _ = stop.wait_for(|stop| *stop) => bail!("the lab was stopped"),
            }
        };
        runtime
            .block_on(ready)
            .with_context(|| format!("failed to start the service; see {}", log.display()))?;
        runtime.block_on(service.reset())?;
        Ok(service)
    }

    async fn until_ready(&mut self) -> Result<()> {
        let ready = self.told.ready.as_ref().unwrap_or(&self.told.url);
        let program = self.running.as_mut();
        until_answers(ready, &headers(&self.told), program).await
    }

    async fn reset(&self) -> Result<()> {
        match &self.told.reset {
            Some(line) => reset(line, headers(&self.told)).await,
            None => Ok(()),
        }
    }
}

fn spawn(line: &str, log: &Path) -> Result<Program> {
    let log = log_file(log)?;
    let both = log.try_clone().context("failed to share the log")?;
    Program::start(line, both, log)
}

fn log_file(log: &Path) -> Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .with_context(|| format!("failed to write {}", log.display()))
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("there is no free port")?;
    Ok(listener.local_addr()?.port())
}
