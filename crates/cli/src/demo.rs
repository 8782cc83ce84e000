//! `fossick demo`: the whole thing on faulty services that are built in.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use fossick_contract::Api;
use fossick_demo::{Faults, STAFF_TOKEN, document, serve, serve_graphql};
use fossick_ingest::{Scalars, Source};
use tokio::runtime::Runtime;

use crate::config::Config;
use crate::document::{Access, Document};
use crate::exit::Exit;
use crate::flags::{DemoCommand, DemoService, TestFlags};
use crate::test::{Session, runtime};

/// Long enough to find what is planted, short enough to wait for.
const REST_TIME: Duration = Duration::from_secs(12);
const GRAPHQL_TIME: Duration = Duration::from_secs(8);

/// One of the services, running. It stops when this is dropped.
pub(crate) struct BuiltIn {
    /// Base URL, or endpoint.
    pub(crate) url: String,
    /// What it asks of those who use it.
    pub(crate) header: Option<String>,
    service: fossick_demo::Service,
}

impl BuiltIn {
    pub(crate) fn rest() -> Result<Self> {
        let service = serve(Faults::Planted, 0).context("failed to start the built-in service")?;
        Ok(Self {
            url: service.url(),
            header: Some(format!("Authorization: Bearer {STAFF_TOKEN}")),
            service,
        })
    }

    pub(crate) fn graphql() -> Result<Self> {
        let service =
            serve_graphql(Faults::Planted, 0).context("failed to start the built-in service")?;
        Ok(Self {
            url: format!("{}/graphql", service.url()),
            header: None,
            service,
        })
    }
}

/// Starts the service again that a finding was made in.
pub(crate) fn start(api: &Api) -> Result<BuiltIn> {
    if api.is_graphql() {
        BuiltIn::graphql()
    } else {
        BuiltIn::rest()
    }
}

pub(crate) fn demo(command: &DemoCommand) -> Result<Exit> {
    let share = command.flags.time;
    let flags = &command.flags;
    match command.service {
        DemoService::Rest => rest(timed(flags, REST_TIME)),
        DemoService::GraphQl => graphql(timed(flags, GRAPHQL_TIME)),
        DemoService::Both => {
            let whole = REST_TIME + GRAPHQL_TIME;
            let part = |own: Duration| {
                let mut flags = flags.clone();
                flags.time =
                    share.map(|time| time.mul_f64(own.as_secs_f64() / whole.as_secs_f64()));
                timed(&flags, own)
            };
            let first = rest(part(REST_TIME))?;
            if !matches!(first, Exit::Clean | Exit::Findings) {
                return Ok(first);
            }
            let second = graphql(apart(part(GRAPHQL_TIME)))?;
            Ok(if second == Exit::Clean { first } else { second })
        }
    }
}

/// The flags with a time, unless they say how long to test already.
fn timed(flags: &TestFlags, time: Duration) -> TestFlags {
    let mut flags = flags.clone();
    flags.time = flags
        .time
        .or_else(|| flags.requests.is_none().then_some(time));
    flags
}

/// The flags of the second of two runs, which must leave alone what the first one wrote.
fn apart(mut flags: TestFlags) -> TestFlags {
    let out = flags
        .out
        .take()
        .unwrap_or_else(|| PathBuf::from(".fossick"));
    flags.out = Some(out.join("graphql"));
    for report in &mut flags.report {
        if let Some((format, path)) = report.split_once('=') {
            *report = format!("{format}={}", beside(Path::new(path)).display());
        }
    }
    flags
}

/// `reports/demo.json` becomes `reports/demo-graphql.json`.
fn beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(ending) => format!("{stem}-graphql.{}", ending.to_string_lossy()),
        None => format!("{stem}-graphql"),
    };
    path.with_file_name(name)
}

fn rest(flags: TestFlags) -> Result<Exit> {
    let service = BuiltIn::rest()?;
    let source = Source {
        name: format!("{}/openapi.json", service.url),
        text: document().to_owned(),
    };
    run(flags, &service, |access| access.parse(source))
}

fn graphql(flags: TestFlags) -> Result<Exit> {
    let service = BuiltIn::graphql()?;
    let endpoint = service.url.clone();
    run(flags, &service, |access| access.read(&[endpoint]))
}

fn run(
    mut flags: TestFlags,
    service: &BuiltIn,
    read: impl FnOnce(&Access<'_>) -> Result<Document>,
) -> Result<Exit> {
    flags.url = Some(service.url.clone());
    // One call at a time is quick enough here, and the same suite comes of it each time.
    if !flags.suite.is_empty() {
        flags.concurrency = flags.concurrency.or(Some(1));
    }
    if flags.identity.header.is_empty() {
        flags.identity.header.extend(service.header.clone());
    }
    let runtime: Runtime = runtime()?;
    let document = read(&Access {
        runtime: &runtime,
        headers: &[],
        users: &[],
        insecure: false,
        scalars: &Scalars::default(),
    })?;
    let config = Config::default();
    let mut session = Session::new(&flags, &config, &runtime, document)?;
    session.built_in = true;
    let reset = Rc::new(service.service.reset());
    session.reset = Some(Rc::new(move || {
        reset();
        Box::pin(std::future::ready(Ok(())))
    }));
    session.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_the_second_run_lie_beside_those_of_the_first() {
        let named = |path: &str| beside(Path::new(path)).display().to_string();
        assert_eq!(named("reports/demo.json"), "reports/demo-graphql.json");
        assert_eq!(named("demo"), "demo-graphql");
        assert_eq!(named("a.b/demo.tar.gz"), "a.b/demo.tar-graphql.gz");
    }
}
