//! The service of a suite, started before its tests and stopped after them.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use fossick_suite::Service;
use tokio::runtime::Runtime;

use crate::program::{Program, until_answers};
use crate::reset::shell;

/// As long as this is there, the service runs.
pub(super) struct Held {
    stop: Option<String>,
    program: Option<Program>,
    /// What the service printed; it is kept where the service did not start.
    log: PathBuf,
}

impl Held {
    /// Starts a service and waits until it answers.
    pub(super) fn start(service: &Service, url: &str, runtime: &Runtime) -> Result<Self> {
        let name = format!("fossick-service-{}.log", std::process::id());
        let log = std::env::temp_dir().join(name);
        let mut held = Self {
            stop: service.stop.clone(),
            program: None,
            log,
        };
        if let Some(line) = &service.start {
            let told = || format!("failed to write {}", held.log.display());
            let out = File::create(&held.log).with_context(told)?;
            let err = out.try_clone().with_context(told)?;
            held.program = Some(Program::start(line, out, err)?);
            runtime
                .block_on(until_answers(url, &[], held.program.as_mut()))
                .with_context(|| {
                    let log = held.log.display();
                    format!("failed to start the service with `{line}`; see {log}")
                })?;
            // Nobody looks at it any more; the service writes on into a file without a name.
            let _ = std::fs::remove_file(&held.log);
        }
        Ok(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(line) = &self.stop {
            match shell(line).status() {
                Ok(status) if status.success() => {}
                Ok(status) => eprintln!("the stop `{line}` ended with {status}"),
                Err(error) => eprintln!("failed to run the stop `{line}`: {error}"),
            }
        }
        drop(self.program.take());
    }
}
