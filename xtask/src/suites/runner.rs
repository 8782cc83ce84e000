//! How each kind of suite is run.

use std::fmt;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use anyhow::{Context, Result};

use super::format::files;
use super::service::Running;
use super::tools::Tools;
use super::work;
use crate::program::{cargo_elsewhere, fossick};

/// A kind of suite, by the name of its writer.
pub(super) struct Runner {
    pub(super) name: &'static str,
    /// Runs a suite, compiling it if it must be.
    first: fn(&Tools, &Path) -> Command,
    /// Runs a suite that is compiled already.
    again: fn(&Tools, &Path) -> Command,
    /// What it is told to run the tests of faults alone, where it can be told.
    faults: Option<&'static [&'static str]>,
}

/// How all tests together ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
        })
    }
}

/// Which run of a suite it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    First,
    Again,
    /// The tests of faults, and no others.
    Faults,
}

/// The slow ones first: two at a time end together then.
pub(super) static RUNNERS: [Runner; 12] = [
    compiled("junit5-kotlin"),
    compiled("junit4-kotlin"),
    compiled("junit5").telling(&["-Dtest=Faults*Test"]),
    compiled("junit4"),
    runner("shell", script).telling(&["faults.sh"]),
    runner("rust", cargo_test).telling(&["faults"]),
    runner("postman", newman),
    runner("jest", jest).telling(&["faults"]),
    runner("pytest", pytest).telling(&["-k", "test_faults"]),
    runner("phpunit", phpunit).telling(&["--filter", "Faults"]),
    runner("hurl", hurl),
    runner("json", replay),
];

const fn runner(name: &'static str, command: fn(&Tools, &Path) -> Command) -> Runner {
    Runner {
        name,
        first: command,
        again: command,
        faults: None,
    }
}

/// Compiling takes longer than all tests.
const fn compiled(name: &'static str) -> Runner {
    Runner {
        name,
        first: maven,
        again: surefire,
        faults: None,
    }
}

impl Runner {
    const fn telling(mut self, faults: &'static [&'static str]) -> Self {
        self.faults = Some(faults);
        self
    }

    /// Whether it can run the tests of faults alone.
    pub(super) fn knows_faults(&self) -> bool {
        self.faults.is_some()
    }

    /// Runs a suite against a service; gives how it ended and what it said.
    pub(super) fn run(
        &self,
        tools: &Tools,
        suite: &Path,
        service: &Running,
        turn: Turn,
    ) -> Result<(Verdict, String)> {
        let command = match turn {
            Turn::First | Turn::Faults => self.first,
            Turn::Again => self.again,
        };
        let mut command = command(tools, suite);
        if turn == Turn::Faults {
            make_new(suite)?;
            command.args(self.faults.unwrap_or_default());
        }
        command.current_dir(suite).stdin(Stdio::null());
        service.tell(&mut command);
        let ended = command
            .output()
            .with_context(|| format!("failed to run the {} suite", self.name))?;
        let told = [ended.stdout, ended.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
        let verdict = if ended.status.success() {
            Verdict::Passed
        } else {
            Verdict::Failed
        };
        Ok((verdict, told.concat()))
    }
}

/// Nothing that was built before is of these files.
fn make_new(suite: &Path) -> Result<()> {
    for file in files(suite)? {
        let open = File::options().append(true).open(suite.join(file))?;
        open.set_modified(SystemTime::now())?;
    }
    Ok(())
}

fn replay(_: &Tools, _: &Path) -> Command {
    let mut command = Command::new(fossick());
    command.args(["replay", "."]);
    command
}

fn pytest(tools: &Tools, _: &Path) -> Command {
    let mut command = Command::new(&tools.python);
    command.args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    command
}

fn jest(_: &Tools, _: &Path) -> Command {
    Command::new(work().join("node_modules/.bin/jest"))
}

fn newman(_: &Tools, _: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg("run.js");
    command
}

fn script(_: &Tools, suite: &Path) -> Command {
    Command::new(suite.join("run.sh"))
}

fn hurl(tools: &Tools, suite: &Path) -> Command {
    let mut command = script(tools, suite);
    command.env("PATH", &tools.path);
    command
}

fn phpunit(_: &Tools, _: &Path) -> Command {
    Command::new("phpunit")
}

/// All suites need the same crates, so they share a folder of builds; there cargo knows them by
/// the ages of their files.
fn cargo_test(_: &Tools, _: &Path) -> Command {
    let mut command = cargo_elsewhere(&["test", "--quiet"]);
    command.env("CARGO_TARGET_DIR", work().join("rust"));
    command
}

fn maven(_: &Tools, _: &Path) -> Command {
    maven_with(&["-Dkotlin.compiler.daemon=false", "test"])
}

fn surefire(_: &Tools, _: &Path) -> Command {
    maven_with(&["surefire:test"])
}

fn maven_with(rest: &[&str]) -> Command {
    let mut command = Command::new("mvn");
    command.args(["-B", "-ntp", "-q"]).args(rest);
    // They run for seconds: what they compute is never worth compiling well.
    let quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    command.env("JAVA_TOOL_OPTIONS", quick);
    command
}
