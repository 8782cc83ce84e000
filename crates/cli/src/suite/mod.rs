//! `--suite`: what a run found and reached, as tests that a team keeps.

mod files;
mod people;
mod player;
mod replay;
mod service;
mod writer;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use fossick_campaign::{Keeping, Kept};
use fossick_report::one_line;
use fossick_suite::shell::quote;
use fossick_suite::{Group, Limits, Piece, Service, Suite, Test};
use fossick_writers::{Faults, Manner};

pub(crate) use people::{plain_headers, users};
pub(crate) use player::{Played, play_all};
pub(crate) use replay::{Reach, client, find, replay};
pub(crate) use writer::Writer;

use crate::config::{Config, KeepConfig, ResetConfig, ServiceConfig, SqlReset};
use crate::credentials::Identity;
use crate::document::is_url;
use crate::flags::{FaultTests, TestFlags, duration};

/// A suite to be written.
#[derive(Debug, Clone)]
pub(crate) struct SuiteTo {
    pub(crate) writer: &'static Writer,
    pub(crate) folder: PathBuf,
}

/// Suites that flags and configuration ask for, of an API with this title. Whether they can be
/// written is seen now: nobody likes to hear that when the run is over.
pub(crate) fn wanted(flags: &TestFlags, config: &Config, title: &str) -> Result<Vec<SuiteTo>> {
    let told = config.suite.iter().chain(&flags.suite);
    let suites: Vec<SuiteTo> = told.map(|text| parse(text)).collect::<Result<_>>()?;
    one_folder_each(&suites)?;
    for to in &suites {
        let likely = to
            .writer
            .write(&likely(title), &manner(title, Faults::Pass));
        files::has_room(&to.folder, &likely)?;
    }
    Ok(suites)
}

/// A suite removes files of the last one in its folder: two would remove each other's.
pub(crate) fn one_folder_each(suites: &[SuiteTo]) -> Result<()> {
    for (at, to) in suites.iter().enumerate() {
        if suites[..at].iter().any(|other| other.folder == to.folder) {
            let folder = to.folder.display();
            bail!("two suites want to be in {folder}; give each a folder of its own");
        }
    }
    Ok(())
}

/// A suite with the files that most have: a test of each group, and nothing in them.
fn likely(title: &str) -> Suite {
    let test = |group| Test {
        name: "likely".to_owned(),
        group,
        about: Vec::new(),
        fault: None,
        fresh: Vec::new(),
        quiet: false,
        steps: Vec::new(),
    };
    Suite {
        title: title.to_owned(),
        tests: [Group::Faults, Group::Successes, Group::Others]
            .map(test)
            .into(),
        ..Suite::default()
    }
}

fn manner(title: &str, faults: Faults) -> Manner {
    Manner {
        faults,
        name: files::name_of(title),
    }
}

impl From<FaultTests> for Faults {
    fn from(told: FaultTests) -> Self {
        match told {
            FaultTests::Pass => Self::Pass,
            FaultTests::Fail => Self::Fail,
        }
    }
}

/// Reads `pytest=tests/api`.
pub(crate) fn parse(text: &str) -> Result<SuiteTo> {
    let form = || anyhow!("`{text}` is no suite; write pytest=FOLDER");
    let (name, folder) = text.split_once('=').ok_or_else(form)?;
    if folder.is_empty() {
        return Err(form());
    }
    let Some(writer) = Writer::named(name) else {
        let nearest = crate::nearest::nearest(name, Writer::names());
        let hint = nearest.map_or_else(
            || ".".to_owned(),
            |near| format!("; did you mean `{near}`?"),
        );
        let names = Writer::names().collect::<Vec<_>>().join(", ");
        bail!("nobody writes `{name}`{hint} There are: {names}");
    };
    Ok(SuiteTo {
        writer,
        folder: PathBuf::from(folder),
    })
}

/// The least and the most time that making a suite may take, after the run.
const LEAST: Duration = Duration::from_secs(20);
const MOST: Duration = Duration::from_mins(5);

/// How the suite is made: as long as the run took, within reason, unless somebody says otherwise.
pub(crate) fn keeping(
    told: &KeepConfig,
    identity: &Identity,
    run: Option<Duration>,
) -> Result<Keeping> {
    let named = told.time.as_deref().map(duration).transpose();
    let named = named.map_err(|why| anyhow!("keep.time: {why}"))?;
    // Nobody who counts requests minds the time; and what is cut off differs from run to run.
    let time = named.unwrap_or_else(|| run.map_or(MOST, |run| run.clamp(LEAST, MOST)));
    Ok(Keeping {
        limits: limits(told),
        time,
        reset: None,
        users: users(identity),
    })
}

fn limits(told: &KeepConfig) -> Limits {
    let usual = Limits::default();
    Limits {
        checks: told.checks.unwrap_or(usual.checks),
        depth: told.depth.unwrap_or(usual.depth),
        items: told.items.unwrap_or(usual.items),
        text: told.text.unwrap_or(usual.text),
    }
}

/// What is known of a suite besides its tests.
pub(crate) struct Head<'h> {
    pub(crate) title: &'h str,
    pub(crate) base_url: &'h str,
    /// How it was made, for people.
    pub(crate) origin: String,
    pub(crate) service: &'h ServiceConfig,
}

/// The suite of what was kept.
pub(crate) fn suite(head: &Head<'_>, identity: &Identity, kept: &Kept) -> Suite {
    let mut tests = kept.tests.clone();
    let plain = plain_headers(identity);
    for step in tests.iter_mut().flat_map(|test| &mut test.steps) {
        for (name, value) in &plain {
            let pieces = vec![Piece::Fixed(value.clone())];
            step.request.headers.push((name.clone(), pieces));
        }
    }
    Suite {
        version: Suite::VERSION,
        title: head.title.to_owned(),
        origin: head.origin.clone(),
        base_url: head.base_url.trim_end_matches('/').to_owned(),
        users: users(identity),
        service: service(head.service),
        schemas: kept.schemas.clone(),
        tests,
    }
}

/// How the service is started, stopped and reset, as suites tell it.
pub(crate) fn service(told: &ServiceConfig) -> Service {
    Service {
        start: told.start.clone(),
        stop: told.stop.clone(),
        reset: told.reset.as_ref().and_then(suite_reset),
    }
}

/// Who runs the suite starts the service himself.
fn suite_reset(told: &ResetConfig) -> Option<fossick_suite::Reset> {
    match told {
        _ if told.restarts() => None,
        ResetConfig::Line(line) if is_url(line) => Some(fossick_suite::Reset::Url(line.clone())),
        ResetConfig::Line(line) => Some(fossick_suite::Reset::Command(line.clone())),
        ResetConfig::Sql(told) => Some(fossick_suite::Reset::Command(as_line(told))),
    }
}

/// Statements as a line for a shell. A password has no place in it.
fn as_line(told: &SqlReset) -> String {
    let sql = quote(&told.sql);
    if told.database.contains("://") {
        return format!("psql \"$DATABASE_URL\" --quiet --command {sql}");
    }
    format!("sqlite3 {} {sql}", quote(&told.database))
}

/// Tests that were left out and are told one by one.
const MOST_TOLD: usize = 8;

/// What was kept, in a few lines.
pub(crate) fn told(kept: &Kept) -> String {
    let (reached, all) = kept.targets;
    let (before, after) = kept.calls;
    let mut lines = vec![format!(
        "Kept: {} of {} tests, {reached} of {all} targets; their {before} calls became {after}",
        kept.tests.len(),
        kept.before,
    )];
    let changing: Vec<String> = kept
        .volatile
        .iter()
        .map(|(change, count)| format!("{count} {}", format!("{change:?}").to_lowercase()))
        .collect();
    if !changing.is_empty() {
        lines.push(format!(
            "  changing parts of answers are asserted by type: {}",
            changing.join(", ")
        ));
    }
    if kept.gone > 0 {
        lines.push(format!(
            "  targets that the run reached and nothing reaches again: {}",
            kept.gone
        ));
    }
    if kept.hurried {
        lines.push("  time was up: some tests could have been shorter".to_owned());
    }
    for left_out in kept.wavering.iter().take(MOST_TOLD) {
        let (what, why) = (one_line(&left_out.what), one_line(&left_out.why));
        lines.push(format!("  left out: {what} ({why})"));
    }
    if kept.wavering.len() > MOST_TOLD {
        lines.push(format!(
            "  and {} more that are left out",
            kept.wavering.len() - MOST_TOLD
        ));
    }
    lines.join("\n")
}

/// Writes a suite into its folder; `clean` takes secrets out of a text.
pub(crate) fn write(
    to: &SuiteTo,
    suite: &Suite,
    faults: Faults,
    clean: &dyn Fn(&str) -> String,
) -> Result<usize> {
    let mut written = to.writer.write(suite, &manner(&suite.title, faults));
    for file in &mut written {
        file.text = clean(&file.text);
    }
    files::write(&to.folder, &written)?;
    Ok(written.len())
}
