//! The service of a suite, started before its tests and stopped after them.

use anyhow::{Context as _, Result, anyhow};
use fossick_service::{Launch, Log, Ready, Service as Running};
use fossick_suite::Service;
use tokio::runtime::Runtime;

use crate::service::{PATIENCE, Stop, failed};

/// As long as this is there, the service runs.
pub(super) struct Held {
    _stop: Option<Stop>,
    _running: Option<Running>,
}

impl Held {
    /// Starts a service and waits until it answers.
    pub(super) fn start(service: &Service, url: &str, runtime: &Runtime) -> Result<Self> {
        let stop = service.stop.clone().map(Stop);
        let Some(line) = &service.start else {
            return Ok(Self {
                _stop: stop,
                _running: None,
            });
        };
        let name = format!("fossick-service-{}.log", std::process::id());
        let path = std::env::temp_dir().join(name);
        let ready = Ready::Url {
            url: url.to_owned(),
            headers: Vec::new(),
        };
        let starting = Running::start(Launch::line(line), ready, Log::create(&path)?, PATIENCE);
        let running = runtime
            .block_on(async {
                tokio::select! {
                    running = starting => running.map_err(failed),
                    _ = tokio::signal::ctrl_c() => Err(anyhow!("stopped")),
                }
            })
            .with_context(|| {
                let log = path.display();
                format!("failed to start the service with `{line}`; see {log}")
            })?;
        // Nobody looks at it any more; the service writes on into a file without a name.
        let _ = std::fs::remove_file(&path);
        Ok(Self {
            _stop: stop,
            _running: Some(running),
        })
    }
}
