//! `cargo xtask fuzz`: looks for crashes in what reads untrusted input.
//!
//! Fuzzing proper needs a nightly compiler and cargo-fuzz; where they are missing it says how to
//! get them. [`smoke`] needs neither: it runs every target once over its committed seeds, so the
//! targets can't rot.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::program::{cargo, cargo_of, find, output, run};
use crate::{root, target};

/// One target for each reader of untrusted input, and for each writer of tests.
const TARGETS: [&str; 22] = [
    "openapi",
    "pattern",
    "answer",
    "stored",
    "property_graph",
    "config",
    "graphql_query",
    "graphql_schema",
    "harvest_intake",
    "probe_frame",
    "graphql_answer",
    "harvested",
    "suite_hurl",
    "suite_phpunit",
    "suite_rust",
    "suite_shell",
    "suite_junit",
    "write_pytest",
    "write_jest",
    "write_postman",
    "harvest_import",
    "javascript",
];

/// Seconds for each target, where nothing is said.
const SECONDS: &str = "60";

pub(crate) fn fuzz(arguments: &[&str]) -> Result<()> {
    let (targets, seconds) = match arguments {
        [] => (TARGETS.to_vec(), SECONDS),
        [target] => (vec![known(target)?], SECONDS),
        [target, seconds] => (vec![known(target)?], *seconds),
        _ => bail!("usage: cargo xtask fuzz [TARGET] [SECONDS]"),
    };
    if seconds.parse::<u32>().is_err() {
        bail!("`{seconds}` is no number of seconds");
    }
    tools_are_there()?;
    targets.into_iter().try_for_each(|name| one(name, seconds))
}

fn known(name: &str) -> Result<&'static str> {
    match TARGETS.into_iter().find(|target| *target == name) {
        Some(target) => Ok(target),
        None => bail!(
            "there is no target `{name}`; there are {}",
            TARGETS.join(", ")
        ),
    }
}

fn tools_are_there() -> Result<()> {
    if output(cargo_of("nightly", &["--version"])).is_err() {
        bail!("fuzzing needs a nightly compiler: rustup toolchain install nightly");
    }
    if find("cargo-fuzz").is_none() {
        bail!("fuzzing needs cargo-fuzz: cargo install cargo-fuzz --locked");
    }
    Ok(())
}

/// What is found new goes to the first folder, which is not committed; the seeds are only read.
fn one(name: &str, seconds: &str) -> Result<()> {
    let corpus = root().join("fuzz/corpus").join(name);
    std::fs::create_dir_all(&corpus)?;
    let mut fuzz = cargo_of("nightly", &["fuzz", "run", name]);
    fuzz.args([corpus, seeds(name)]);
    fuzz.args([
        "--",
        &format!("-max_total_time={seconds}"),
        "-timeout=10",
        "-rss_limit_mb=2048",
    ]);
    run(fuzz)
}

fn seeds(name: &str) -> PathBuf {
    root().join("fuzz/seeds").join(name)
}

/// Every target over its seeds, on the compiler at hand.
pub(crate) fn smoke() -> Result<()> {
    let mut test = cargo(&["test", "--manifest-path", "fuzz/Cargo.toml", "--lib"]);
    // The crates are built already; another folder would build them all again.
    test.arg("--target-dir").arg(target());
    run(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_program_and_seeds() {
        for name in TARGETS {
            let program = root().join(format!("fuzz/fuzz_targets/{name}.rs"));
            assert!(program.is_file(), "{name}");
            let seeds = std::fs::read_dir(seeds(name)).expect("its seeds are committed");
            assert!(seeds.count() > 0, "{name}");
        }
    }

    #[test]
    fn a_target_that_is_not_there_is_refused() {
        assert!(known("openapi").is_ok());
        assert!(known("opnapi").is_err_and(|error| error.to_string().contains("openapi")));
    }
}
