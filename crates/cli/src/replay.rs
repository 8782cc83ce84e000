//! `fossick replay`: findings run again.

use std::path::Path;

use anyhow::{Context as _, Result};
use fossick_campaign::{Sought, Verdict, replay as run_again};
use fossick_ingest::Source;
use fossick_oracles::Judge;
use fossick_report::one_line;
use fossick_trace::Basis;
use fossick_transport::Client;
use fossick_validate::Validators;

use crate::config::{self, Config};
use crate::credentials::identity;
use crate::demo;
use crate::document::{Access, Document};
use crate::exit::Exit;
use crate::flags::{IdentityFlags, ReplayFlags};
use crate::plan;
use crate::run_folder::{self, Stored};
use crate::screen::print;
use crate::suite;

pub(crate) fn replay(flags: &ReplayFlags) -> Result<Exit> {
    let config = config::load(flags.config.as_deref())?;
    let runtime = crate::test::runtime()?;
    let mut worst = Exit::Clean;
    for path in &flags.paths {
        if let Some(file) = suite::find(path) {
            worst = worse(worst, suite::replay(flags, &runtime, &file)?);
            continue;
        }
        for file in run_folder::find(path)? {
            let exit = replay_file(flags, &config, &runtime, &file)?;
            worst = worse(worst, exit);
        }
    }
    Ok(worst)
}

/// What can't be decided outweighs what is there, and that outweighs what is gone.
fn worse(a: Exit, b: Exit) -> Exit {
    let rank = |exit: Exit| match exit {
        Exit::Clean => 0,
        Exit::Findings => 1,
        Exit::SetUpFailed => 2,
        _ => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn replay_file(
    flags: &ReplayFlags,
    config: &Config,
    runtime: &tokio::runtime::Runtime,
    file: &Path,
) -> Result<Exit> {
    let stored = run_folder::read(file)?;
    let document = document(flags, config, runtime, file, &stored)?;
    let built_in = stored.built_in && flags.url.is_none();
    let service = built_in.then(|| demo::start(&document.api)).transpose()?;
    let url = match &service {
        Some(service) => service.url.clone(),
        None => flags.url.clone().unwrap_or_else(|| stored.base_url.clone()),
    };
    let mut who = flags.identity.clone();
    if let Some(service) = service.as_ref().filter(|_| who.header.is_empty()) {
        who.header.extend(service.header.clone());
    }
    let client = client(flags, config, &document, &who, &url)?;
    let validators = Validators::new(&document.api);
    let judge = Judge::new(&document.api, &validators);
    let local = tokio::task::LocalSet::new();
    let (verdict, _) = local.block_on(
        runtime,
        run_again(
            &client,
            &judge,
            sought(&stored, &stored.finding.seen_from_outside()),
            flags.times,
        ),
    );
    let verdict = match verdict {
        Verdict::Gone if fossick_oracles::needs_probe(&stored.finding.code) => {
            Verdict::SetUpFailed {
                step: stored.finding.call + 1,
                why: "only a probe inside the service shows it".to_owned(),
            }
        }
        verdict => verdict,
    };
    let what = format!(
        "{} {}",
        one_line(&stored.finding.operation),
        one_line(&stored.finding.title)
    );
    let (line, exit) = match verdict {
        Verdict::StillThere { came_back, of } => (
            format!("still there   {what} ({came_back} of {of})"),
            Exit::Findings,
        ),
        Verdict::Gone => (format!("gone          {what}"), Exit::Clean),
        Verdict::SetUpFailed { step, why } => {
            let (verdict, needs) = set_up(&stored.basis);
            (
                format!("{verdict} {what} (step {step}: {why}{needs})"),
                Exit::SetUpFailed,
            )
        }
        Verdict::Unreachable(why) => (format!("unreachable   {what} ({why})"), Exit::Unreachable),
    };
    print(&format!("{line}\n"));
    Ok(exit)
}

fn sought<'s>(stored: &'s Stored, fingerprint: &'s str) -> Sought<'s> {
    Sought {
        script: &stored.script,
        fingerprint,
        shows: stored.finding.call,
        involved: &stored.finding.evidence.calls,
        heard: &stored.heard,
    }
}

/// Why a finding could not be set up: by itself, or for want of something that it does not make.
fn set_up(basis: &Basis) -> (&'static str, String) {
    match basis {
        Basis::Itself | Basis::Fresh => ("set-up failed", String::new()),
        Basis::Seeds(what) | Basis::Leftovers(what) => (
            "what it needs is not there",
            format!("; it needs {}", one_line(&what.join(", "))),
        ),
    }
}

/// The document as it was when the finding was made.
fn document(
    flags: &ReplayFlags,
    config: &Config,
    runtime: &tokio::runtime::Runtime,
    file: &Path,
    stored: &Stored,
) -> Result<Document> {
    let path = file.with_file_name(&stored.schema);
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("failed to read {}", path.display()))?;
    let access = Access {
        runtime,
        headers: &[],
        users: &[],
        insecure: flags.insecure,
        scalars: &config.graphql.scalars(),
    };
    access.parse(Source {
        name: stored.schema_name.clone(),
        text,
    })
}

fn client(
    flags: &ReplayFlags,
    config: &Config,
    document: &Document,
    who: &IdentityFlags,
    url: &str,
) -> Result<Client> {
    let identity = identity(Some(&document.api), who, config)?;
    let base = if document.api.is_graphql() {
        plan::endpoint(url)?
    } else {
        url.parse()?
    };
    let mut settings = fossick_transport::Settings::new(base);
    settings.headers = identity.headers;
    settings.users = identity.users;
    settings.insecure = flags.insecure || config.insecure;
    Ok(Client::new(settings)?)
}
