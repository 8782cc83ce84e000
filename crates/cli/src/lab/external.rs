//! Programs of others that a lab starts, waits for, resets and ends.
//!
//! A program runs in a process group of its own: what it starts in turn ends with it.

use std::fs::{File, OpenOptions};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use fossick_lab::External;
use fossick_transport::fetch;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::exit::Unreachable;
use crate::reset::{reset, shell};

/// Services with a database behind them take their time.
const PATIENCE: Duration = Duration::from_mins(2);
const ASK_EVERY: Duration = Duration::from_millis(100);
/// How long a program may tidy up.
const GRACE: Duration = Duration::from_secs(3);

/// A running program, or one that was running already.
pub(super) struct Program {
    /// With its port filled in.
    pub(super) told: External,
    child: Option<Child>,
}

pub(super) fn headers(told: &External) -> Vec<(String, String)> {
    let pair = |(name, value): (&String, &String)| (name.clone(), value.clone());
    told.headers.iter().map(pair).collect()
}

impl Program {
    /// When this returns, the service answers and is as at its beginning.
    pub(super) fn start(
        told: &External,
        runtime: &Runtime,
        log: &Path,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Self> {
        let told = told.at_port(free_port()?);
        let child = told.command.as_deref().map(|line| spawn(line, log));
        let mut program = Self {
            child: child.transpose()?,
            told,
        };
        let ready = async {
            tokio::select! {
                ready = program.until_ready() => ready,
                _ = stop.wait_for(|stop| *stop) => bail!("the lab was stopped"),
            }
        };
        runtime
            .block_on(ready)
            .with_context(|| format!("failed to start the service; see {}", log.display()))?;
        runtime.block_on(program.reset())?;
        Ok(program)
    }

    async fn until_ready(&mut self) -> Result<()> {
        let ready = self.told.ready.as_ref().unwrap_or(&self.told.url).clone();
        let headers = headers(&self.told);
        let started = Instant::now();
        loop {
            let why = match fetch(&ready, &headers, false).await {
                // A service that has no page at its base URL is there all the same.
                Ok((status, ..)) if status < 500 => return Ok(()),
                Ok((status, ..)) => format!("{ready} answers {status}"),
                Err(why) => format!("nothing answers at {ready} ({why})"),
            };
            if let Some(status) = self.child.as_mut().and_then(|c| c.try_wait().ok()?) {
                bail!("the command ended with {status} before the service answered");
            }
            if started.elapsed() > PATIENCE {
                return Err(Unreachable(why).into());
            }
            tokio::time::sleep(ASK_EVERY).await;
        }
    }

    async fn reset(&self) -> Result<()> {
        match &self.told.reset {
            Some(line) => reset(line, headers(&self.told)).await,
            None => Ok(()),
        }
    }

    fn end(&mut self) {
        let Some(mut child) = self.child.take() else {
            return;
        };
        signal(&child, "-TERM");
        let asked = Instant::now();
        while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Whatever is left of the group; fails where nothing is, which is as good.
        signal(&child, "-KILL");
        let _ = child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

fn signal(child: &Child, signal: &str) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill")
        .args([signal, "--", &group])
        .stderr(Stdio::null())
        .status();
}

fn spawn(line: &str, log: &Path) -> Result<Child> {
    let log = log_file(log)?;
    shell(line)
        .stdout(log.try_clone().context("failed to share the log")?)
        .stderr(log)
        .process_group(0)
        .spawn()
        .with_context(|| format!("failed to run `{line}`"))
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
