//! `fossick test`: the main job, from flags to exit code.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use fossick_campaign::{
    Event, Hunt, Ignore, Instance, Keeping, Kept, Outcome, Printed, Reset, Revive, Settings, State,
};
use fossick_contract::Api;
use fossick_report as report;
use fossick_trace::{Case, Coverage, Ending, Run, Severity};
use fossick_transport::{Base, Client, accounts};
use fossick_validate::Validators;
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

use crate::config::{self, Config, ResetConfig};
use crate::credentials::{Identity, identity};
use crate::document::{Access, Document, is_elsewhere};
use crate::exit::Exit;
use crate::flags::{Format, IdentityFlags, TestCommand, TestFlags};
use crate::inside::{Inside, Sight, Wanted};
use crate::knock::knock;
use crate::plan::{self, ReportFormat, ReportTo};
use crate::reset;
use crate::run_folder;
use crate::screen::{Screen, print};
use crate::seeds::Harvest;
use crate::selection::is_selected;
use crate::service::{Beside, Told};
use crate::strategy::chosen;
use crate::suite::{self, SuiteTo};

/// What lies beyond is not read. Dozens of answers are held at a time, so this bounds the memory
/// of a run against a service that pours.
pub(crate) const LONGEST_ANSWER: usize = 2 << 20;

pub(crate) fn test(command: &TestCommand) -> Result<Exit> {
    let mut flags = command.flags.clone();
    let mut config = config::load(flags.config.as_deref())?;
    let schema = match command.schema.as_slice() {
        [] => config.schema.clone(),
        told => told.to_vec(),
    };
    if schema.is_empty() {
        bail!(
            "which API? Give a document, or a GraphQL endpoint: fossick test http://127.0.0.1:8000/openapi.json"
        );
    }
    // Before anything is called.
    strategy(&flags, &config)?;
    let runtime = runtime()?;
    let seed = flags.seed.or(config.seed).unwrap_or_else(fresh_seed);
    flags.seed = Some(seed);
    let out = out(&flags, &config);
    let cover = match flags.cover.as_slice() {
        [] => config.service.cover.clone(),
        told => told.to_vec(),
    };
    let told = Told {
        command: &command.command,
        config: &config,
        schema: &schema,
        url: flags.url.as_ref().or(config.url.as_ref()),
        instances: instances(&flags, &config)?,
        inside: Wanted {
            probe: flags.probe.or(config.service.probe).unwrap_or_default(),
            cover: &cover,
            out: &out,
        },
    };
    let folder = out.join(report::seed_text(seed));
    let log = folder.join(SERVICE_LOG);
    let service = told.start(&runtime, &log)?;
    let schema: Vec<String> = schema.iter().map(|text| service.fill(text)).collect();
    let url = flags.url.as_ref().or(config.url.as_ref());
    flags.url = url.map(|url| service.fill(url));
    let beside = service.beside(&config.service)?;
    config.service = service.filled(&config.service);
    let (flags, url) = (&flags, flags.url.as_ref());
    let asking = asking(flags, &config)?;
    let elsewhere = url.is_some_and(|url| schema.iter().any(|own| is_elsewhere(own, url)));
    let scalars = config.graphql.scalars();
    let access = Access {
        runtime: &runtime,
        headers: &asking.headers,
        users: if elsewhere { &[] } else { &asking.users },
        insecure: flags.insecure || config.insecure,
        scalars: &scalars,
    };
    let document = access.read(&schema)?;
    let mut session = Session::new(flags, &config, &runtime, document)?;
    session.revive = service.revive();
    session.printed = service.printed(&log);
    session.join(beside, service.port())?;
    if let Some(inside) = &service.inside {
        session.sight = inside.told(&runtime)?;
        session.inside = Some(inside);
    }
    if config
        .service
        .reset
        .as_ref()
        .is_some_and(ResetConfig::restarts)
    {
        session.reset = Some(service.restart().context(
            "the reset is `restart`, but fossick did not start the service: give `start` in [service], or its command after --",
        )?);
    }
    session.run()
}

/// How many instances of the service are to run side by side.
fn instances(flags: &TestFlags, config: &Config) -> Result<usize> {
    const MOST: usize = 64;
    let told = flags.instances.or(config.service.instances).unwrap_or(1);
    if !(1..=MOST).contains(&told) {
        bail!("{told} instances are not possible; between 1 and {MOST} are");
    }
    Ok(told)
}

/// What the service printed, where we started it.
const SERVICE_LOG: &str = "service.log";
/// Where runs leave what they leave.
fn out(flags: &TestFlags, config: &Config) -> PathBuf {
    let told = flags.out.clone().or_else(|| config.out.clone());
    told.unwrap_or_else(|| PathBuf::from(".fossick"))
}

fn strategy(flags: &TestFlags, config: &Config) -> Result<fossick_search::Strategy> {
    chosen(flags.strategy, config.strategy, config.search.as_ref())
}

/// Who asks for the schema. Where an API key goes only the document says, which is not there yet.
fn asking(flags: &TestFlags, config: &Config) -> Result<Identity> {
    let flags = IdentityFlags {
        api_key: Vec::new(),
        ..flags.identity.clone()
    };
    let config = Config {
        api_key: Vec::new(),
        ..config.clone()
    };
    identity(None, &flags, &config)
}

pub(crate) fn base(url: Option<&str>, document: &Document) -> Result<(Base, Option<String>)> {
    if document.api.is_graphql() {
        let base = plan::graphql_base(url, document.endpoint.as_deref())?;
        return Ok((base, None));
    }
    plan::base(url, &document.name(), &document.api)
}

/// One thread for everything: a tester's work is too small to be handed around.
pub(crate) fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("failed to start the runtime")
}

/// Everything that one run needs.
pub(crate) struct Session<'a> {
    flags: &'a TestFlags,
    config: &'a Config,
    runtime: &'a Runtime,
    document: Document,
    base: Base,
    identity: Identity,
    seed: u64,
    reports: Vec<ReportTo>,
    out: PathBuf,
    notes: Vec<String>,
    /// The service under test is the demo's.
    pub(crate) built_in: bool,
    suites: Vec<SuiteTo>,
    /// Recorded calls to begin with.
    harvest: Option<Harvest>,
    /// Brings the service back to where it was.
    pub(crate) reset: Option<Reset>,
    /// Starts the service again if it is gone, where we started it.
    pub(crate) revive: Option<Revive>,
    /// What the service prints, where we started it.
    pub(crate) printed: Option<Printed>,
    /// What looks into it, where we started it.
    inside: Option<&'a Inside>,
    sight: Option<Sight>,
    /// More instances of the service.
    beside: Vec<Instance>,
    /// How many there are, with the first.
    instances: usize,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        flags: &'a TestFlags,
        config: &'a Config,
        runtime: &'a Runtime,
        document: Document,
    ) -> Result<Self> {
        let url = flags.url.as_ref().or(config.url.as_ref());
        let (base, note) = base(url.map(String::as_str), &document)?;
        let identity = identity(Some(&document.api), &flags.identity, config)?;
        Ok(Self {
            reports: plan::reports(flags, config)?,
            out: out(flags, config),
            seed: flags.seed.or(config.seed).unwrap_or_else(fresh_seed),
            notes: note.into_iter().collect(),
            built_in: false,
            suites: suite::wanted(flags, config, &document.api.title)?,
            harvest: Harvest::wanted(flags.harvest.as_ref(), config, &document.api)?,
            reset: reset::of(&config.service)?,
            revive: None,
            printed: None,
            inside: None,
            sight: None,
            beside: Vec::new(),
            instances: instances(flags, config)?,
            flags,
            config,
            runtime,
            document,
            base,
            identity,
        })
    }

    /// Takes in more instances of the service.
    fn join(&mut self, beside: Vec<Beside>, port: Option<u16>) -> Result<()> {
        if !beside.is_empty() && port != Some(self.base.port) {
            bail!("several instances need {{port}} in the URL of the service");
        }
        for other in beside {
            let base = Base {
                port: other.port,
                ..self.base.clone()
            };
            self.beside.push(Instance {
                client: self.client(base)?,
                probe: other.probe,
                reset: other.reset,
            });
        }
        Ok(())
    }

    pub(crate) fn run(mut self) -> Result<Exit> {
        self.check_reports()?;
        let color = self.flags.color.unwrap_or_default();
        let mut screen = Screen::new(
            color,
            self.flags.all || self.config.all,
            self.flags.quiet || self.config.quiet,
        );
        self.introduce(&mut screen)?;
        let client = self.client(self.base.clone())?;
        self.knock(&client)?;
        for other in &self.beside {
            self.log_in(&other.client)?;
        }
        let mut outcome = self.hunt(&client, &mut screen)?;
        screen.clear();
        let kept = outcome.kept.take();
        let graph = std::mem::take(&mut outcome.property_graph);
        let graph = report::redacted_graph(graph, &self.secrets(&client));
        let run = self.describe(outcome, &client);
        self.write(&run)?;
        run_folder::write_graph(&self.folder(), &graph)?;
        self.tell(&run, &mut screen);
        if let Some(kept) = kept {
            self.keep(&kept, &client, &mut screen)?;
        }
        Ok(exit(&run))
    }

    /// Whoever wants coverage must not learn at the end that there is none.
    fn check_reports(&self) -> Result<()> {
        let of_coverage = |to: &&ReportTo| to.format.needs_probe();
        if let (Some(to), None) = (self.reports.iter().find(of_coverage), self.inside) {
            bail!(
                "there is no coverage for {}: only a service that fossick starts, and not with --probe none, is seen from inside",
                to.path.display()
            );
        }
        Ok(())
    }

    /// Says what is about to be tested, and what of the document can't be.
    fn introduce(&mut self, screen: &mut Screen) -> Result<()> {
        let api = &self.document.api;
        let heading = report::Heading {
            title: &api.title,
            api_version: &api.version,
            dialect: &api.dialect.to_string(),
            operations: api.operations.len(),
            seed: self.seed,
        };
        let line = report::heading(&heading, &screen.style);
        screen.line(line.trim_end());
        crate::inspect::warn(&self.document, screen);
        match self.sight.take() {
            Some(Sight::Seen(what)) => screen.line(&what),
            Some(Sight::Blind(why)) => self.notes.push(why),
            None => {}
        }
        for note in &self.notes {
            screen.line(&format!("note: {note}"));
        }
        if api.operations.is_empty() {
            bail!("the document has no operation that can be tested");
        }
        if !api.operations.iter().any(|o| self.selects(o)) {
            bail!(
                "no operation is left: --include and --exclude leave out all {}",
                api.operations.len()
            );
        }
        Ok(())
    }

    fn selects(&self, operation: &fossick_contract::Operation) -> bool {
        let both = |a: &[String], b: &[String]| [a, b].concat();
        let include = both(&self.config.include, &self.flags.include);
        let exclude = both(&self.config.exclude, &self.flags.exclude);
        is_selected(operation, &include, &exclude)
    }

    fn client(&self, base: Base) -> Result<Client> {
        let mut settings = fossick_transport::Settings::new(base);
        settings.timeout = plan::timeout(self.flags, self.config)?;
        settings.connections = self.connections();
        // The limit is for all instances together.
        let rate = self.flags.rate.or(self.config.rate);
        settings.rate = rate.map(|rate| rate / self.instances as f64);
        settings.headers.clone_from(&self.identity.headers);
        settings.users.clone_from(&self.identity.users);
        settings.insecure = self.flags.insecure || self.config.insecure;
        settings.http2 = self.flags.http2 || self.config.http2;
        // The hunt lets single operations rest; pausing everything for one would waste the run.
        settings.longest_pause = Duration::ZERO;
        settings.max_body = LONGEST_ANSWER;
        Ok(Client::new(settings)?)
    }

    /// What must not be shown, of any instance.
    fn secrets(&self, client: &Client) -> Vec<String> {
        let others = self.beside.iter().flat_map(|it| it.client.secrets());
        client.secrets().into_iter().chain(others).collect()
    }

    fn connections(&self) -> usize {
        let told = self.flags.concurrency.or(self.config.concurrency);
        told.unwrap_or(16).max(1)
    }

    /// Before anything else: is anybody there, and does it know us?
    fn knock(&self, client: &Client) -> Result<()> {
        let graphql = self.document.api.is_graphql();
        knock(self.runtime, client, &self.base, graphql)?;
        self.log_in(client)
    }

    fn log_in(&self, client: &Client) -> Result<()> {
        if client.can_log_in(None) {
            self.runtime
                .block_on(client.log_in(None))
                .context("failed to log in")?;
        }
        Ok(())
    }

    fn hunt(&self, client: &Client, screen: &mut Screen) -> Result<Outcome> {
        let api = &self.document.api;
        let validators = Validators::new(api);
        let settings = self.settings()?;
        let budget = settings.budget;
        let started = Instant::now();
        let mut listen = |event: Event<'_>| match event {
            Event::Progress(state) => screen.show(&progress(&state, api, &budget, started)),
            Event::Found(finding, name) if finding.severity > Severity::Low => {
                // Before the line is cut: half a secret would not be known as one.
                let mut finding = finding.clone();
                finding.title = report::redact(&finding.title, &self.secrets(client));
                let line = report::new_finding_line(name, &finding, &screen.style);
                screen.line(line.trim_end());
            }
            Event::Found(..) => {}
            Event::Note(note) => {
                let note = report::redact(note, &self.secrets(client));
                screen.line(&format!("note: {note}"));
            }
        };
        let mut hunt = Hunt::new(api, &validators, client.clone(), settings, &mut listen);
        hunt.search()
            .only(|index| self.selects(api.operation(index)));
        let depth = self.config.graphql.depth();
        hunt.search().values().select_to_depth(depth);
        for (name, values) in &self.config.values {
            for value in values.iter().filter_map(|v| serde_json::to_value(v).ok()) {
                hunt.search().values().add_word(name, value);
            }
        }
        if let Some(harvest) = &self.harvest {
            let sown = hunt.search().sow(&harvest.seeds);
            hunt.note(harvest.told(&sown));
        }
        let stop = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        Ok(LocalSet::new().block_on(self.runtime, hunt.run(stop)))
    }

    fn settings(&self) -> Result<Settings> {
        let destructive = self.flags.allow_destructive || self.config.allow_destructive;
        for code in &self.flags.ignore {
            if fossick_oracles::find(code).is_none() {
                bail!("there is no code {code}; `fossick explain` lists them");
            }
        }
        let ignore = self.config.ignore.iter().map(|i| Ignore {
            code: i.code.clone(),
            operation: i.operation.clone(),
        });
        Ok(Settings {
            budget: plan::budget(self.flags, self.config)?,
            search: fossick_search::Settings {
                seed: self.seed,
                free: destructive || plan::is_loopback(&self.base.host),
                undeclared: destructive,
                credentials: self.identity.has_credentials(),
                users: self.identity.others(),
                accounts: accounts(&self.identity.headers, &self.identity.users),
                inline: self.flags.inline_arguments || self.config.graphql.is_inline(),
                get: self.config.graphql.may_get(),
                strategy: strategy(self.flags, self.config)?,
                keep: false,
            },
            keep: self.keeping()?,
            reset: self.reset.clone(),
            revive: self.revive.clone(),
            printed: self.printed.clone(),
            in_order: self.connections() == 1 && !self.suites.is_empty(),
            ignore: ignore.collect(),
            probe: self.inside.map(Inside::probe),
            beside: self.beside.clone(),
            silenced: self
                .flags
                .ignore
                .iter()
                .map(|c| c.to_ascii_uppercase())
                .collect(),
        })
    }

    fn keeping(&self) -> Result<Option<Keeping>> {
        if self.suites.is_empty() {
            return Ok(None);
        }
        let time = plan::budget(self.flags, self.config)?.time;
        let mut keeping = suite::keeping(&self.config.keep, &self.identity, time)?;
        keeping.reset.clone_from(&self.reset);
        Ok(Some(keeping))
    }

    fn folder(&self) -> PathBuf {
        self.out.join(report::seed_text(self.seed))
    }

    /// The outcome as a report has it, secrets taken out.
    fn describe(&mut self, outcome: Outcome, client: &Client) -> Run {
        let api = &self.document.api;
        let folder = self.folder();
        let credentials = self.identity.credential_headers();
        let base_url = self.base.to_string();
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(outcome.notes);
        let coverage = self.inside.and_then(|inside| {
            inside.count_the_rest(self.runtime);
            inside.coverage(self.runtime)
        });
        notes.extend(self.unwritten(coverage.as_ref()));
        let mut findings = report::ready(outcome.findings, &base_url, &folder, &credentials);
        if let Some(inside) = self.inside {
            inside.show_source(self.runtime, &mut findings);
        }
        let run = Run {
            title: api.title.clone(),
            api_version: api.version.clone(),
            dialect: api.dialect.to_string(),
            schema: self.document.name(),
            seed: self.seed,
            elapsed_seconds: outcome.elapsed.as_secs_f64(),
            cpu_seconds: cpu_seconds(),
            requests: outcome.requests,
            targets: outcome.targets,
            operations: outcome.tallies,
            graphql: outcome.graphql,
            graph: outcome.graph,
            coverage,
            findings,
            notes,
            ending: outcome.ending,
            base_url,
        };
        report::redacted(run, &self.secrets(client))
    }

    /// The reports that can't be written because no probe came up.
    fn unwritten(&self, coverage: Option<&Coverage>) -> Vec<String> {
        let lacks = |to: &&ReportTo| to.format.needs_probe() && coverage.is_none();
        let told = |to: &ReportTo| {
            let path = to.path.display();
            format!("{path} was not written: nothing was seen of the service's code")
        };
        self.reports.iter().filter(lacks).map(told).collect()
    }

    fn write(&self, run: &Run) -> Result<()> {
        let (name, text) = (self.document.name(), self.document.text());
        run_folder::write(&self.folder(), run, (&name, &text), self.built_in)?;
        let json = report::json(run);
        std::fs::write(self.folder().join("report.json"), &json)
            .context("failed to write the run folder")?;
        for to in &self.reports {
            let text = match to.format {
                ReportFormat::Json => Some(json.clone()),
                ReportFormat::Junit => Some(report::junit(run)),
                ReportFormat::Lcov => report::lcov(run),
                ReportFormat::Cobertura => report::cobertura(run, since_1970().as_millis()),
            };
            let Some(text) = text else { continue };
            if let Some(parent) = to.path.parent().filter(|p| !p.as_os_str().is_empty()) {
                std::fs::create_dir_all(parent)
                    .with_context(|| format!("failed to make {}", parent.display()))?;
            }
            std::fs::write(&to.path, text)
                .with_context(|| format!("failed to write {}", to.path.display()))?;
        }
        Ok(())
    }

    /// Writes the suites, and says what is in them and what is not.
    fn keep(&self, kept: &Kept, client: &Client, screen: &mut Screen) -> Result<()> {
        // The built-in service has another port each time; a suite has not.
        let (base_url, origin) = if self.built_in {
            let path = if self.document.api.is_graphql() {
                "/graphql"
            } else {
                ""
            };
            let url = format!("http://127.0.0.1:8000{path}");
            (url, format!("fossick demo --seed {}", self.seed))
        } else {
            let origin = format!("fossick test {} --seed {}", self.document.name(), self.seed);
            (self.base.to_string(), origin)
        };
        let head = suite::Head {
            title: &self.document.api.title,
            base_url: &base_url,
            origin,
            service: &self.config.service,
        };
        let made = suite::suite(&head, &self.identity, kept);
        let secrets = self.secrets(client);
        let clean = |text: &str| report::redact(text, &secrets);
        screen.line("");
        screen.line(&suite::told(kept));
        // One that can't be written takes none of the others with it.
        let mut ended = Ok(());
        for to in &self.suites {
            let files = match suite::write(to, &made, self.flags.faults.into(), &clean) {
                Ok(1) => "1 file".to_owned(),
                Ok(files) => format!("{files} files"),
                Err(error) => {
                    ended = ended.and(Err(error));
                    continue;
                }
            };
            let folder = to.folder.display();
            screen.line(&format!("  {files} in {folder}: {}", to.writer.run));
        }
        ended
    }

    fn tell(&self, run: &Run, screen: &mut Screen) {
        if self.flags.format == Some(Format::Json) {
            print(&report::json(run));
            return;
        }
        screen.line("");
        let summary = report::summary(run, &screen.style);
        let findings = report::findings(run, &screen.style);
        screen.line(summary.trim_end());
        if !findings.trim().is_empty() {
            screen.say(&format!("\n{}", findings.trim_end()));
        }
        if run.operations.len() <= 40 || self.flags.all {
            screen.line(&format!(
                "\n{}",
                report::operations_table(run, &screen.style).trim_end()
            ));
        }
    }
}

fn progress(
    state: &State,
    api: &Api,
    budget: &fossick_campaign::Budget,
    started: Instant,
) -> report::Progress {
    let elapsed = started.elapsed().as_secs_f64().max(1e-3);
    report::Progress {
        elapsed: state.elapsed,
        total: budget.time,
        request_budget: budget.requests,
        tried: state.tried,
        operations: api.operations.len(),
        succeeded: state.succeeded,
        graphql: api.is_graphql(),
        findings: state.findings,
        requests: state.requests,
        rate: state.requests as f64 / elapsed,
    }
}

fn exit(run: &Run) -> Exit {
    match run.ending {
        Ending::Interrupted => Exit::Interrupted,
        Ending::ServiceLost => Exit::Unreachable,
        Ending::Finished if run.findings.iter().any(Case::is_confirmed) => Exit::Findings,
        Ending::Finished => Exit::Clean,
    }
}

/// A seed short enough to be typed.
fn fresh_seed() -> u64 {
    u64::from(since_1970().subsec_nanos()) % 1_000_000
}

fn since_1970() -> Duration {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
}

/// Processor time of this process so far, where the system tells.
fn cpu_seconds() -> f64 {
    cpu_seconds_of("/proc/self/stat")
}

/// Processor time by the system's own file about a process or a thread.
pub(crate) fn cpu_seconds_of(file: &str) -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let Ok(text) = std::fs::read_to_string(file) else {
        return 0.0;
    };
    // The second field is a name in parentheses that may hold anything.
    let Some((_, rest)) = text.rsplit_once(')') else {
        return 0.0;
    };
    let field = |at: usize| {
        rest.split_whitespace()
            .nth(at)
            .and_then(|t| t.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    (field(11) + field(12)) / TICKS_PER_SECOND
}
