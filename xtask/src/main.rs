//! The chores of the project: `cargo xtask COMMAND`, one file for each.
//!
//! Plain programs in order, no build system. Whatever continuous integration does is done here
//! too, under the same name, so that a red build can be seen at home.

#![expect(
    clippy::print_stdout,
    reason = "a program for the terminal; its libraries are its own modules"
)]

mod bench;
mod docs;
mod fuzz;
mod judge;
mod licences;
mod links;
mod machine;
mod middleware;
mod picture;
#[expect(
    dead_code,
    unreachable_pub,
    reason = "tests use all of it, from outside"
)]
#[path = "../../crates/testkit/src/postgres.rs"]
mod postgres;
mod probes;
mod program;
mod ready;
mod services;
mod spdx;
mod steps;
mod suites;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test                     everything that continuous integration checks, in its order
  ready                    the same, by the name one thinks of before pushing
  suites [WRITER...]       every kind of suite, or those of some writers, in their runners
  judge [SERVICE...]       findings and suites of planted services on copies that are fresh or
                           corrected [--seeds N] [--seed N] [--time T] [--no-suite] [--pytest]
  middleware               every middleware of the book in a service of its framework
  probes                   the probes by their own tests, and real packages with a probe inside
  services                 the services that searches are measured on, by checks of their own
  docs [--check]           write the generated pages of the book, or see whether they are current
  links                    see whether every link between the project's pages leads somewhere
  licences                 see whether every dependency may be used
  fuzz [TARGET] [SECONDS]  look for crashes in what reads untrusted input
  bench [--corpus DIR]     measure speed and memory, beside other tools where they are installed
  picture CAPTURE SVG      draw a terminal's output as a picture
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match obey(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn obey(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test" | "ready"] => ready::ready(),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["suites", named @ ..] => suites::check(named),
        ["judge", rest @ ..] => judge::judge(rest),
        ["middleware"] => middleware::check(),
        ["probes"] => probes::check(),
        ["services"] => services::check(),
        ["links"] => links::check(),
        ["licences"] => licences::check(),
        ["fuzz", rest @ ..] => fuzz::fuzz(rest),
        ["bench", rest @ ..] => bench::bench(rest),
        ["picture", capture, svg] => picture::picture(Path::new(capture), Path::new(svg)),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => bail!("`{}` is not understood\n{USAGE}", words.join(" ")),
    }
}

/// The folder of the whole project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where builds go, and what chores keep for next time.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}
