//! Whether a suite is written as the formatter of its language would write it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::tools::Tools;
use super::{tail, work};
use crate::program::program;

/// A formatter, what it is called with, and the files that it reads.
struct Formatter {
    command: Command,
    extensions: &'static [&'static str],
}

/// Fails where a formatter would write a file of the suite otherwise.
pub(super) fn check(writer: &str, suite: &Path, tools: &Tools) -> Result<()> {
    let files = files(suite)?;
    for formatter in formatters(writer, tools) {
        let reads = |file: &&PathBuf| {
            let extension = file.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| formatter.extensions.contains(&extension))
        };
        let mut command = formatter.command;
        command.current_dir(suite).args(files.iter().filter(reads));
        let ended = command.output().context("failed to start a formatter")?;
        if !ended.status.success() {
            let told = [ended.stdout, ended.stderr].concat();
            println!("{}", tail(&String::from_utf8_lossy(&told)));
            bail!("the {writer} suite is not written as {command:?} would write it");
        }
    }
    Ok(())
}

/// What a suite consists of, by its own list.
pub(super) fn files(suite: &Path) -> Result<Vec<PathBuf>> {
    let list = fs::read_to_string(suite.join(".fossick-files"))
        .with_context(|| format!("{} has no list of its files", suite.display()))?;
    Ok(list.lines().map(PathBuf::from).collect())
}

/// The neutral form and Postman's are for machines: nobody formats them.
fn formatters(writer: &str, tools: &Tools) -> Vec<Formatter> {
    match writer {
        "pytest" => vec![black(tools)],
        "jest" => vec![prettier()],
        "shell" => vec![shfmt(tools), shellcheck()],
        "hurl" => vec![hurlfmt(tools), shfmt(tools), shellcheck()],
        "phpunit" => vec![phpcs()],
        "rust" => vec![rustfmt()],
        "junit5" | "junit4" => vec![google_java_format(tools)],
        "junit5-kotlin" | "junit4-kotlin" => vec![ktlint(tools)],
        _ => Vec::new(),
    }
}

fn formatter(
    name: impl AsRef<std::ffi::OsStr>,
    arguments: &[&str],
    extensions: &'static [&'static str],
) -> Formatter {
    let mut command = program(name);
    command.args(arguments);
    Formatter {
        command,
        extensions,
    }
}

fn black(tools: &Tools) -> Formatter {
    formatter(
        &tools.python,
        &["-m", "black", "--quiet", "--diff", "--check"],
        &["py"],
    )
}

fn prettier() -> Formatter {
    let prettier = work().join("node_modules/.bin/prettier");
    formatter(prettier, &["--check"], &["js", "json"])
}

fn shfmt(tools: &Tools) -> Formatter {
    formatter(tools.python.with_file_name("shfmt"), &["-d"], &["sh"])
}

fn shellcheck() -> Formatter {
    formatter("shellcheck", &["-x"], &["sh"])
}

fn hurlfmt(tools: &Tools) -> Formatter {
    formatter(tools.hurl.join("hurlfmt"), &["--check"], &["hurl"])
}

/// Texts of a service are as long as they are, which the standard only warns of.
fn phpcs() -> Formatter {
    formatter("phpcs", &["--standard=PSR12", "-n"], &["php"])
}

fn rustfmt() -> Formatter {
    formatter("rustfmt", &["--edition", "2024", "--check"], &["rs"])
}

fn google_java_format(tools: &Tools) -> Formatter {
    let jar = tools.jar("google-java-format");
    let arguments = ["-jar", &jar, "--dry-run", "--set-exit-if-changed"];
    formatter("java", &arguments, &["java"])
}

fn ktlint(tools: &Tools) -> Formatter {
    let arguments = ["-jar", &tools.jar("ktlint-cli"), "--relative"];
    formatter("java", &arguments, &["kt"])
}
