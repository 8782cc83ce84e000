//! `cargo xtask probes`: the probes by their own tests, and real packages with a probe inside.
//!
//! A probe is written in the language of the services that it looks into, and so are its tests.
//! The packages bring tests of their own: what becomes of each must be the same with the probe.
//! Where a line to the tool is all that matters, `crates/service` asks every probe the same.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::machine::{cache, node_with, python_with};
use crate::program::{build, fossick, program, run};
use crate::root;

/// Everything that is there in a few minutes: what every change is held to.
pub(crate) fn check() -> Result<()> {
    python()?;
    rust()?;
    jvm()?;
    build()?;
    node()
}

fn python() -> Result<()> {
    let folder = folder("python");
    let mut tests = program("python3");
    // What is compiled here would be in the way of whoever packs the folder.
    tests.args(["-B", "-m", "unittest"]);
    run_in(&folder.join("tests"), tests)?;
    let proof = folder.join("proof");
    let python = python_with(&cache().join("proof"), &proof.join("tools.txt"))?;
    let mut proving = program(python);
    proving.args(["-B", "proof.py", "--keep"]);
    proving.arg(cache().join("proof-sources"));
    run_in(&proof, proving)
}

/// In a target folder of ours: the probe's own folder is carried in the binary.
fn rust() -> Result<()> {
    let mut testing = program("cargo");
    testing.args(["test", "--quiet", "--target-dir"]);
    testing.arg(cache().join("probe-rust"));
    run_in(&folder("rust"), testing)
}

fn node() -> Result<()> {
    let folder = folder("node");
    let (tests, proof) = (folder.join("tests/typescript"), folder.join("proof"));
    for packages in [&tests, &proof] {
        node_with(packages, packages)?;
    }
    let mut testing = program("npm");
    testing.args(["test", "--silent"]);
    run_in(&folder, with_rewriter(testing))?;
    let mut proving = program("node");
    proving.arg("run.js");
    run_in(&proof, with_rewriter(proving))
}

/// The probe of the JVM is committed as it was built, so that a build of fossick needs no Java. It
/// must be what its sources give.
fn jvm() -> Result<()> {
    let (folder, proof) = (folder("jvm"), folder("jvm").join("proof"));
    let (built, libraries) = (cache().join("probe-jvm"), cache().join("proof-jvm"));
    maven(&folder, "verify", &built)?;
    let jar = built.join("fossick-probe.jar");
    let mut comparing = program("java");
    comparing.arg("Same.java").arg(&jar);
    comparing.arg(folder.join("dist/fossick-probe.jar"));
    run_in(&proof, comparing)?;
    maven(&proof, "package", &libraries)?;
    let mut proving = program("java");
    proving.arg("Proof.java").args([&libraries, &jar]);
    run_in(&proof, proving)
}

fn maven(project: &Path, phase: &str, out: &Path) -> Result<()> {
    let mut maven = program("mvn");
    maven.args(["-q", "-B", "-ntp", phase]);
    maven.arg(format!("-Dout={}", out.display()));
    run_in(project, maven)
}

/// The probe of Node.js asks fossick to rewrite sources; here the one that was just built.
fn with_rewriter(mut command: Command) -> Command {
    command.env("FOSSICK_BINARY", fossick());
    command
}

fn folder(language: &str) -> PathBuf {
    root().join("probes").join(language)
}

fn run_in(folder: &Path, mut command: Command) -> Result<()> {
    command.current_dir(folder);
    run(command)
}
