//! Services of others that a lab starts, waits for, resets and ends.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use fossick_lab::External;
use fossick_service::{Launch, Log, Ready, Service, free_port};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::inside::{Inside, Sight, Wanted};
use crate::probe_name::ProbeName;
use crate::reset::reset;
use crate::service::{PATIENCE, failed};

/// A service that was started, or one that was running already.
pub(super) struct Started {
    /// With its port filled in.
    pub(super) told: External,
    _running: Option<Service>,
    /// Where it was started with a probe.
    pub(super) inside: Option<Inside>,
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
        let launch = told.command.as_deref().map(Launch::line);
        let inside = listen(&told, launch.as_ref(), (runtime, log))?;
        let launch = match (launch, &inside) {
            (Some(launch), Some(inside)) => Some(inside.applied_to(&launch)),
            (launch, _) => launch,
        };
        let starting = async {
            tokio::select! {
                started = started(&told, launch, log) => started,
                _ = stop.wait_for(|stop| *stop) => bail!("the lab was stopped"),
            }
        };
        let running = runtime
            .block_on(starting)
            .with_context(|| format!("failed to start the service; see {}", log.display()))?;
        let service = Self {
            _running: running,
            told,
            inside,
        };
        service.check(runtime)?;
        runtime.block_on(service.reset())?;
        Ok(service)
    }

    /// A lab that is to look inside and sees nothing would compare what nobody measured. The start
    /// of the service is counted; from here on only calls of the search are.
    fn check(&self, runtime: &Runtime) -> Result<()> {
        let Some(inside) = &self.inside else {
            return Ok(());
        };
        inside.count_the_rest(runtime);
        if inside.coverage(runtime).is_none() {
            match inside.told(runtime)? {
                Some(Sight::Blind(why)) => bail!(why),
                _ => bail!("no probe came up in the service"),
            }
        }
        Ok(())
    }

    async fn reset(&self) -> Result<()> {
        match &self.told.reset {
            Some(line) => reset(line, headers(&self.told)).await,
            None => Ok(()),
        }
    }
}

/// Listens for the probe that the service is to be started with, if it is.
fn listen(
    told: &External,
    launch: Option<&Launch>,
    (runtime, log): (&Runtime, &Path),
) -> Result<Option<Inside>> {
    let (Some(name), Some(launch)) = (&told.probe, launch) else {
        return Ok(None);
    };
    let wanted = Wanted {
        probe: ProbeName::named(name)?,
        cover: &told.cover,
        out: log.parent().unwrap_or(log),
    };
    wanted.listen(runtime, launch)
}

/// Starts it, or waits for one that is running already.
async fn started(told: &External, launch: Option<Launch>, log: &Path) -> Result<Option<Service>> {
    let ready = Ready::Url {
        url: told.ready.as_ref().unwrap_or(&told.url).clone(),
        headers: headers(told),
    };
    let log = Log::open(log);
    let Some(launch) = launch else {
        let waiting = ready.wait(&log, PATIENCE);
        return waiting.await.map(|()| None).map_err(failed);
    };
    let starting = Service::start(launch, ready, log, PATIENCE);
    starting.await.map(Some).map_err(failed)
}
