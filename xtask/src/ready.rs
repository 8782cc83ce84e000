//! `cargo xtask test` and `cargo xtask ready`: what must hold before a change goes in.
//!
//! One path for people and for continuous integration. The cheap checks come first, and the first
//! that fails ends it.

use anyhow::Result;

use crate::machine::{SERVICES_PYTHON, postgres, prepare, services_python};
use crate::postgres::VARIABLE as POSTGRES;
use crate::program::{cargo, run};
use crate::steps::Steps;
use crate::{docs, fuzz, licences, links, middleware, probes, services, suites};

/// Where property tests start from. The same place each time here, so that a change fails for what
/// it changed; `cargo test` alone goes on looking from a new place each time.
const PROPERTIES_SEED: &str = "PROPTEST_RNG_SEED";

pub(crate) fn ready() -> Result<()> {
    let mut steps = Steps::default();
    steps.step("what the tests need", prepare)?;
    steps.step("format", || run(cargo(&["fmt", "--all", "--check"])))?;
    steps.step("lints", lints)?;
    steps.step("tests", tests)?;
    steps.step("probes in their languages", probes::check)?;
    steps.step("services that are measured on", services::check)?;
    steps.step("suites in their runners", || suites::check(&[]))?;
    steps.step("middleware in its frameworks", middleware::quick)?;
    steps.step("documentation of the code", rustdoc)?;
    steps.step("licences", licences::check)?;
    steps.step("generated pages", docs::check)?;
    steps.step("links", links::check)?;
    steps.step("fuzz targets on their seeds", fuzz::smoke)?;
    println!("{}", steps.summary());
    println!("ready");
    Ok(())
}

fn lints() -> Result<()> {
    run(cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

fn tests() -> Result<()> {
    let mut test = cargo(&["test", "--workspace"]);
    test.env(SERVICES_PYTHON, services_python()?);
    let postgres = postgres()?;
    test.env(POSTGRES, postgres.url());
    if std::env::var_os(PROPERTIES_SEED).is_none() {
        test.env(PROPERTIES_SEED, "1");
    }
    run(test)
}

fn rustdoc() -> Result<()> {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    run(doc)
}
