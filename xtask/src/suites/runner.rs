//! How each kind of suite is run.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::service::Running;
use super::tools::Tools;
use super::{fossick, work};
use crate::program::cargo_elsewhere;

/// A kind of suite, by the name of its writer.
pub(super) struct Runner {
    pub(super) name: &'static str,
    /// Runs a suite, compiling it if it must be.
    first: fn(&Tools, &Path) -> Command,
    /// Runs a suite that is compiled already.
    again: fn(&Tools, &Path) -> Command,
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
}

/// The quick ones first.
pub(super) static RUNNERS: [Runner; 12] = [
    runner("json", replay),
    runner("pytest", pytest),
    runner("jest", jest),
    runner("shell", script),
    runner("postman", newman),
    runner("hurl", hurl),
    runner("phpunit", phpunit),
    runner("rust", cargo_test),
    compiled("junit5"),
    compiled("junit4"),
    compiled("junit5-kotlin"),
    compiled("junit4-kotlin"),
];

const fn runner(name: &'static str, command: fn(&Tools, &Path) -> Command) -> Runner {
    Runner {
        name,
        first: command,
        again: command,
    }
}

/// Compiling takes longer than all tests.
const fn compiled(name: &'static str) -> Runner {
    Runner {
        name,
        first: maven,
        again: surefire,
    }
}

impl Runner {
    /// Runs a suite against a service; gives how it ended and what it said.
    pub(super) fn run(
        &self,
        tools: &Tools,
        suite: &Path,
        service: &Running,
        turn: Turn,
    ) -> Result<(Verdict, String)> {
        let command = match turn {
            Turn::First => self.first,
            Turn::Again => self.again,
        };
        let mut command = command(tools, suite);
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

/// Both services' tests need the same crates, so they share a folder of builds.
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
    command
}
