//! The service of a suite, started before its tests and stopped after them.

use std::fs::File;

use anyhow::{Context as _, Result, bail};
use fossick_suite::Service;
use tokio::runtime::Runtime;

use crate::program::{Program, until_answers};
use crate::reset::shell;

/// As long as this is there, the service runs.
pub(super) struct Held {
    stop: Option<String>,
    program: Option<Program>,
}

impl Held {
    /// Starts a service and waits until it answers.
    pub(super) fn start(service: &Service, url: &str, runtime: &Runtime) -> Result<Self> {
        let mut held = Self {
            stop: service.stop.clone(),
            program: None,
        };
        if let Some(line) = &service.start {
            let name = format!("fossick-service-{}.log", std::process::id());
            let log = std::env::temp_dir().join(name);
            let told = || format!("failed to write {}", log.display());
            let out = File::create(&log).with_context(told)?;
            let err = out.try_clone().with_context(told)?;
            held.program = Some(Program::start(line, out, err)?);
            let program = held.program.as_mut();
            runtime
                .block_on(async {
                    tokio::select! {
                        ready = until_answers(url, &[], program) => ready,
                        _ = tokio::signal::ctrl_c() => bail!("stopped"),
                    }
                })
                .with_context(|| {
                    let log = log.display();
                    format!("failed to start the service with `{line}`; see {log}")
                })?;
            // Nobody looks at it any more; the service writes on into a file without a name.
            let _ = std::fs::remove_file(&log);
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
