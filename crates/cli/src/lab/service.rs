//! The service of a cell, started afresh for it and stopped with it.

use std::path::Path;

use anyhow::{Context as _, Result};
use fossick_campaign::{Probe, ProbeAt};
use fossick_ingest::{Scalars, Source};
use fossick_lab::{Demo, Service, ServiceKind, Synth};
use fossick_synth::{Coverage, RESET};
use fossick_trace::Count;
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::external::{self, Started};
use crate::credentials::header;
use crate::demo::BuiltIn;
use crate::document::{Access, Document};
use crate::synth;

/// A service that answers. It stops when this is dropped.
pub(super) struct Standing {
    pub(super) document: Document,
    /// Base URL, or endpoint.
    pub(super) url: String,
    pub(super) headers: Vec<(String, String)>,
    kept: Kept,
}

/// How much of the code was reached.
pub(super) struct Reached {
    pub(super) lines: Count,
    pub(super) branches: Count,
}

impl Reached {
    fn of_synth(coverage: Coverage) -> Self {
        let count = |told: fossick_synth::Count| Count {
            covered: told.covered,
            total: told.all,
        };
        Self {
            lines: count(coverage.lines),
            branches: count(coverage.branches),
        }
    }
}

/// What holds it up.
enum Kept {
    Synth {
        service: fossick_synth::Service,
        empties: bool,
    },
    Demo(#[expect(dead_code, reason = "dropping it stops the service")] BuiltIn),
    External(Box<Started>),
}

impl Standing {
    pub(super) fn start(
        service: &Service,
        runtime: &Runtime,
        out: &Path,
        stop: watch::Receiver<bool>,
    ) -> Result<Self> {
        match &service.kind {
            ServiceKind::Synth(it) => synthetic(it, runtime),
            ServiceKind::Demo(Demo::Rest) => rest(runtime),
            ServiceKind::Demo(Demo::Graphql) => graphql(runtime),
            ServiceKind::External(told) => {
                let log = out.join(format!("{}.log", service.name));
                let started = Started::start(told, runtime, &log, stop)?;
                let told = &started.told;
                let headers = external::headers(told);
                let schema = [told.schema.clone()];
                Ok(Self {
                    document: access(runtime, &headers).read(&schema)?,
                    url: told.url.clone(),
                    headers,
                    kept: Kept::External(Box::new(started)),
                })
            }
        }
    }

    /// How it tells what calls reach, where it does. A synthetic service counts by itself what a
    /// search reaches that does not look.
    pub(super) fn probe(&self, looks: bool) -> Option<Probe> {
        match &self.kept {
            Kept::Synth { service, empties } => looks.then(|| Probe {
                at: ProbeAt::Socket(service.probe_path().to_owned()),
                reset: empties.then(|| RESET.to_owned()),
                only_counts: false,
            }),
            Kept::External(started) => started.inside.as_ref().map(|inside| Probe {
                only_counts: !looks,
                ..inside.probe()
            }),
            Kept::Demo(_) => None,
        }
    }

    /// How much of it was reached, where it counts or a probe does, listened to or not.
    pub(super) fn reached(&self, runtime: &Runtime) -> Option<Reached> {
        match &self.kept {
            Kept::Synth { service, .. } => Some(Reached::of_synth(service.coverage())),
            Kept::External(started) => {
                let coverage = started.inside.as_ref()?.coverage(runtime)?;
                Some(Reached {
                    lines: coverage.lines(),
                    branches: coverage.branches(),
                })
            }
            Kept::Demo(_) => None,
        }
    }
}

fn access<'a>(runtime: &'a Runtime, headers: &'a [(String, String)]) -> Access<'a> {
    static NONE: std::sync::LazyLock<Scalars> = std::sync::LazyLock::new(Scalars::default);
    Access {
        runtime,
        headers,
        users: &[],
        insecure: false,
        scalars: &NONE,
    }
}

fn synthetic(told: &Synth, runtime: &Runtime) -> Result<Standing> {
    let model = synth::named(&told.shape)?;
    let service = fossick_synth::serve(&model, 0).context("failed to start the service")?;
    let source = Source {
        name: format!("{}/openapi.json", service.url()),
        text: fossick_synth::document(&model)?,
    };
    Ok(Standing {
        document: access(runtime, &[]).parse(source)?,
        url: service.url(),
        headers: Vec::new(),
        kept: Kept::Synth {
            service,
            empties: told.empties,
        },
    })
}

fn rest(runtime: &Runtime) -> Result<Standing> {
    let service = BuiltIn::rest()?;
    let source = Source {
        name: format!("{}/openapi.json", service.url),
        text: fossick_demo::document().to_owned(),
    };
    let document = access(runtime, &[]).parse(source)?;
    built_in(service, document)
}

fn graphql(runtime: &Runtime) -> Result<Standing> {
    let service = BuiltIn::graphql()?;
    let endpoint = [service.url.clone()];
    let document = access(runtime, &[]).read(&endpoint)?;
    built_in(service, document)
}

fn built_in(service: BuiltIn, document: Document) -> Result<Standing> {
    let headers = service.header.as_deref().map(header).transpose()?;
    Ok(Standing {
        document,
        url: service.url.clone(),
        headers: headers.into_iter().collect(),
        kept: Kept::Demo(service),
    })
}
