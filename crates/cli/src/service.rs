//! The service under test, where fossick starts it itself.

use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use fossick_campaign::{Printed, Probe, Reset, Revive};
use fossick_service::{Failure, Launch, Log, PORT, Ready, Service, What, fill, free_port, is_free};
use fossick_transport::{Base, fetch};
use tokio::runtime::Runtime;
use tokio::sync::Mutex;

use crate::config::{Config, ResetConfig, ServiceConfig};
use crate::document::is_url;
use crate::exit::Unreachable;
use crate::inside::{Inside, Wanted};
use crate::plan::is_loopback;
use crate::reset::shell;

/// Services with a database behind them take their time.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);
/// Somebody else may take a port between its choice and its use.
const TRIES: usize = 3;

/// What a run may do to the service.
type Acting<T> = Rc<dyn Fn() -> Pin<Box<dyn Future<Output = Result<T, String>>>>>;

/// How the service is started, as flags and configuration tell.
pub(crate) struct Told<'t> {
    /// What stands after `--`.
    pub(crate) command: &'t [String],
    pub(crate) config: &'t Config,
    pub(crate) schema: &'t [String],
    pub(crate) url: Option<&'t String>,
    pub(crate) inside: Wanted<'t>,
    /// How many of it run side by side.
    pub(crate) instances: usize,
}

/// A service that runs as long as this is there; one that runs anyway is left alone.
pub(crate) struct Control {
    port: Option<u16>,
    /// Before the service itself: it is asked first.
    _stop: Option<Stop>,
    running: Option<Rc<Mutex<Service>>>,
    pub(crate) inside: Option<Inside>,
    /// More instances of the service.
    others: Vec<Control>,
}

/// What the search needs of one more instance.
pub(crate) struct Beside {
    pub(crate) port: u16,
    pub(crate) probe: Option<Probe>,
    pub(crate) reset: Option<Reset>,
}

impl Told<'_> {
    /// Starts the service, if anything says how, and waits until it is ready.
    pub(crate) fn start(&self, runtime: &Runtime, log: &Path) -> Result<Control> {
        let Some(launch) = self.launch() else {
            return self.nothing();
        };
        let ready = self.ready()?;
        let chooses = self.texts().any(|text| text.contains(PORT));
        if !chooses && self.command.is_empty() && answers(runtime, &ready) {
            return Ok(Control::idle());
        }
        if !chooses && let Some(port) = fixed_port(&ready).filter(|port| !is_free(*port)) {
            return Err(Failure::PortTaken(port).into());
        }
        if self.instances > 1 && !chooses {
            bail!(
                "several instances need a port each: write {{port}} for it in the command and in the URL"
            );
        }
        let inside = self.inside.listen(runtime, &launch)?;
        let mut first = self.start_one(inside, (&launch, &ready), chooses, runtime, log)?;
        for number in 1..self.instances {
            let inside = first.inside.as_ref();
            let inside = inside.map(|inside| inside.beside(runtime, number));
            let log = log.with_extension(format!("{}.log", number + 1));
            let told = (&launch, &ready);
            let other = self.start_one(inside.transpose()?, told, chooses, runtime, &log)?;
            first.others.push(other);
        }
        Ok(first)
    }

    /// Starts one instance, at another port if somebody else took the first.
    fn start_one(
        &self,
        inside: Option<Inside>,
        (launch, ready): (&Launch, &Ready),
        chooses: bool,
        runtime: &Runtime,
        log: &Path,
    ) -> Result<Control> {
        let launch = match &inside {
            Some(inside) => inside.applied_to(launch),
            None => launch.clone(),
        };
        let mut tries = 1;
        loop {
            let port = chooses.then(free_port).transpose()?;
            match self.start_at(port, (&launch, ready), runtime, log) {
                Err(lost) if chooses && tries < TRIES && lost_its_port(&lost) => tries += 1,
                started => {
                    return started.map(|started| Control { inside, ..started });
                }
            }
        }
    }

    fn start_at(
        &self,
        port: Option<u16>,
        (launch, ready): (&Launch, &Ready),
        runtime: &Runtime,
        log: &Path,
    ) -> Result<Control> {
        let (launch, ready) = match port {
            Some(port) => (launch.at_port(port), ready.at_port(port)),
            None => (launch.clone(), ready.clone()),
        };
        let text = launch.text();
        let starting = Service::start(launch, ready, Log::create(log)?, PATIENCE);
        let service = runtime.block_on(async {
            tokio::select! {
                service = starting => service.map_err(|why| told(why, &text, log)),
                _ = tokio::signal::ctrl_c() => Err(anyhow!("stopped")),
            }
        })?;
        // It belongs to `start`; a command is ended by a signal.
        let stop = self.config.service.stop.as_deref();
        let stop = stop.filter(|_| self.command.is_empty());
        let stop = stop.map(|line| port.map_or_else(|| line.to_owned(), |port| fill(line, port)));
        Ok(Control {
            port,
            _stop: stop.map(Stop),
            running: Some(Rc::new(Mutex::new(service))),
            inside: None,
            others: Vec::new(),
        })
    }

    fn nothing(&self) -> Result<Control> {
        if self.texts().any(|text| text.contains(PORT)) {
            bail!(
                "{{port}} stands for the port of a service that fossick starts; give its command after --, or as `start` in [service]"
            );
        }
        Ok(Control::idle())
    }

    /// All texts in which the port may stand.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let service = &self.config.service;
        let lines = [&service.start, &service.stop, &service.ready];
        let reset = service.reset.iter().flat_map(|reset| reset.texts());
        let told = self.schema.iter().chain(self.url).chain(self.command);
        let lines = lines.into_iter().flatten();
        let values = service.environment.values();
        let all = told.chain(lines).chain(values).map(String::as_str);
        all.chain(reset)
    }

    fn launch(&self) -> Option<Launch> {
        let service = &self.config.service;
        let what = match (self.command, &service.start) {
            ([], None) => return None,
            ([], Some(line)) => What::Line(line.clone()),
            (words, _) => What::Words(words.to_vec()),
        };
        let pair = |(name, value): (&String, &String)| (name.clone(), value.clone());
        Some(Launch {
            what,
            folder: service.folder.clone(),
            environment: service.environment.iter().map(pair).collect(),
        })
    }

    /// As told; else the document or the service answers.
    fn ready(&self) -> Result<Ready> {
        if let Some(told) = &self.config.service.ready {
            return Ok(as_ready(told));
        }
        let document = self.schema.iter().find(|schema| is_url(schema));
        let url = document.or(self.url).ok_or_else(|| {
            anyhow!("when is the service ready? Give --url, or `ready` in [service]: a URL, a port, or a line that it prints")
        })?;
        Ok(as_ready(url))
    }
}

fn as_ready(told: &str) -> Ready {
    match told.parse() {
        Ok(port) => Ready::Port(port),
        Err(_) if is_url(told) => Ready::Url {
            url: told.to_owned(),
            headers: Vec::new(),
        },
        Err(_) => Ready::Line(told.to_owned()),
    }
}

fn answers(runtime: &Runtime, ready: &Ready) -> bool {
    match ready {
        Ready::Url { url, headers } => runtime.block_on(fetch(url, headers, false)).is_ok(),
        Ready::Port(port) => !is_free(*port),
        Ready::Line(_) => false,
    }
}

/// The port on this machine that a service is to listen at.
fn fixed_port(ready: &Ready) -> Option<u16> {
    match ready {
        Ready::Url { url, .. } => {
            let base: Base = url.parse().ok()?;
            is_loopback(&base.host).then_some(base.port)
        }
        Ready::Port(port) => Some(*port),
        Ready::Line(_) => None,
    }
}

fn lost_its_port(error: &anyhow::Error) -> bool {
    let says = |line: &String| line.to_lowercase().contains("already in use");
    let died = error.downcast_ref();
    matches!(died, Some(Failure::Died { lines, .. }) if lines.iter().any(says))
}

fn told(failure: Failure, command: &str, log: &Path) -> anyhow::Error {
    failed(failure).context(format!(
        "failed to start the service with `{command}`; all that it printed is in {}",
        log.display()
    ))
}

/// A service that does not come is the world's fault, a command that is wrong the user's.
pub(crate) fn failed(failure: Failure) -> anyhow::Error {
    match failure {
        Failure::NeverReady { .. } => Unreachable(failure.to_string()).into(),
        _ => failure.into(),
    }
}

/// A line for a shell that is run when this is dropped.
pub(crate) struct Stop(pub(crate) String);

impl Drop for Stop {
    fn drop(&mut self) {
        let line = &self.0;
        match shell(line).status() {
            Ok(status) if status.success() => {}
            Ok(status) => eprintln!("the stop `{line}` ended with {status}"),
            Err(error) => eprintln!("failed to run the stop `{line}`: {error}"),
        }
    }
}

impl Control {
    /// How the service is started again where it is gone, any instance of it.
    pub(crate) fn revive(&self) -> Option<Revive> {
        let all = std::iter::once(self).chain(&self.others);
        let revive = |one: &Self| one.acting(async |service: &mut Service| service.revive().await);
        let each: Vec<Revive> = all.filter_map(revive).collect();
        if each.is_empty() {
            return None;
        }
        let each = Rc::new(each);
        Some(Rc::new(move || {
            let each = Rc::clone(&each);
            Box::pin(async move {
                let mut revived = false;
                for revive in each.iter() {
                    revived |= revive().await?;
                }
                Ok(revived)
            })
        }))
    }

    /// The other instances, with the reset as the configuration tells it.
    pub(crate) fn beside(&self, told: &ServiceConfig) -> Result<Vec<Beside>> {
        let others = self.others.iter();
        let beside = others.filter_map(|other| {
            let restarts = told.reset.as_ref().is_some_and(ResetConfig::restarts);
            let reset = if restarts {
                Ok(other.restart())
            } else {
                crate::reset::of(&other.filled(told))
            };
            let probe = other.inside.as_ref().map(Inside::probe);
            let port = other.port?;
            Some(reset.map(|reset| Beside { port, probe, reset }))
        });
        beside.collect()
    }

    /// How the service is ended and started once more.
    pub(crate) fn restart(&self) -> Option<Reset> {
        self.acting(async |service: &mut Service| service.restart().await)
    }

    /// Something that is done to the service, one at a time.
    fn acting<T: 'static>(
        &self,
        act: impl AsyncFn(&mut Service) -> Result<T, Failure> + Copy + 'static,
    ) -> Option<Acting<T>> {
        let running = Rc::clone(self.running.as_ref()?);
        Some(Rc::new(move || {
            let running = Rc::clone(&running);
            Box::pin(async move {
                let mut service = running.lock().await;
                act(&mut service).await.map_err(|why| why.to_string())
            })
        }))
    }

    /// What the service prints: its last lines are told with each finding.
    pub(crate) fn printed(&self, log: &Path) -> Option<Printed> {
        const MOST: usize = 40;
        let log = self.running.as_ref().map(|_| Log::open(log))?;
        Some(Rc::new(move |from| (log.len(), log.last_lines(from, MOST))))
    }

    /// Nothing was started.
    fn idle() -> Self {
        Self {
            port: None,
            _stop: None,
            running: None,
            inside: None,
            others: Vec::new(),
        }
    }

    /// The port that was chosen.
    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }

    /// A text with the port that was chosen.
    pub(crate) fn fill(&self, text: &str) -> String {
        match self.port {
            Some(port) => fill(text, port),
            None => text.to_owned(),
        }
    }

    /// The lines of the configuration with the port that was chosen.
    pub(crate) fn filled(&self, told: &ServiceConfig) -> ServiceConfig {
        let fill = |line: &Option<String>| line.as_deref().map(|line| self.fill(line));
        ServiceConfig {
            start: fill(&told.start),
            stop: fill(&told.stop),
            reset: told.reset.as_ref().map(|it| it.map(|text| self.fill(text))),
            ready: fill(&told.ready),
            ..told.clone()
        }
    }
}
