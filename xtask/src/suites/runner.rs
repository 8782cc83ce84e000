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
    /// Changes of the services that it must see; those that take long see the first.
    pub(super) changes: usize,
    command: fn(&Tools, &Path) -> Command,
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

/// Every change there is.
const ALL: usize = usize::MAX;

/// The quick ones first.
pub(super) static RUNNERS: [Runner; 12] = [
    runner("json", ALL, replay),
    runner("pytest", ALL, pytest),
    runner("jest", ALL, jest),
    runner("shell", ALL, script),
    runner("postman", ALL, newman),
    runner("hurl", ALL, hurl),
    runner("phpunit", ALL, phpunit),
    runner("rust", ALL, cargo_test),
    runner("junit5", ALL, maven),
    runner("junit4", ALL, maven),
    runner("junit5-kotlin", 1, maven),
    runner("junit4-kotlin", 1, maven),
];

const fn runner(
    name: &'static str,
    changes: usize,
    command: fn(&Tools, &Path) -> Command,
) -> Runner {
    Runner {
        name,
        changes,
        command,
    }
}

impl Runner {
    /// Runs a suite against a service; gives how it ended and what it said.
    pub(super) fn run(
        &self,
        tools: &Tools,
        suite: &Path,
        service: &Running,
    ) -> Result<(Verdict, String)> {
        let mut command = (self.command)(tools, suite);
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
    let mut command = Command::new("mvn");
    command.args(["-B", "-ntp", "-q", "-Dkotlin.compiler.daemon=false", "test"]);
    command
}
