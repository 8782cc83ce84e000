//! `cargo xtask services`: the services that searches are measured on, by checks of their own.
//!
//! A fault in one of them would be taken for a fault of the search. Each case study is written in
//! several languages and by two kinds of interface, and must answer alike in all; each gate must
//! open for what its list tells, and for nothing else.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::machine::cache;
use crate::program::{cargo_elsewhere, program, run};
use crate::root;

/// Written once in each language, with tests beside the code.
const CASE_STUDIES: [&str; 2] = ["ncs", "scs"];

const IN_RUST: [&str; 1] = ["scs"];

/// Those with a program that starts them and looks at what they answer.
const CHECKED: [&str; 4] = ["ncs", "scs", "gates", "customs"];

pub(crate) fn check() -> Result<()> {
    for name in CASE_STUDIES {
        let service = folder(name);
        tests(
            &service.join("python"),
            "python3",
            &["-B", "-m", "unittest"],
        )?;
        tests(&service.join("node"), "node", &["--test"])?;
    }
    IN_RUST.into_iter().try_for_each(rust_tests)?;
    java_tests()?;
    java_build()?;
    CHECKED.into_iter().try_for_each(answers)
}

fn folder(name: &str) -> PathBuf {
    root().join("testdata/services").join(name)
}

fn tests(folder: &Path, language: &str, arguments: &[&str]) -> Result<()> {
    let mut tests = program(language);
    tests.args(arguments).current_dir(folder);
    run(tests)
}

/// Built where the service is built too, so that nothing is compiled twice.
fn rust_tests(name: &str) -> Result<()> {
    let mut tests = cargo_elsewhere(&["test", "--quiet", "--locked", "--target-dir"]);
    tests.arg(cache().join("services-rust"));
    tests.current_dir(folder(name).join("rust"));
    run(tests)
}

/// Those in Java at once, since Maven and its compiler are slow to start.
fn java_tests() -> Result<()> {
    let modules = CASE_STUDIES.map(|name| format!(":{name}-java")).join(",");
    let build = cache().join("services-jvm/tests");
    let mut tests = program("mvn");
    tests.args(["-q", "-B", "-ntp", "-DfailIfNoTests", "-pl", &modules]);
    tests.arg("-f").arg(folder("jvm").join("pom.xml"));
    tests.arg(format!("-Dservices.build={}", build.display()));
    tests.arg("test");
    run(tests)
}

/// Before anybody waits for one of them to answer: the libraries may have to be fetched.
fn java_build() -> Result<()> {
    let mut build = program(folder("jvm-packages.sh"));
    build.env("FOSSICK_CACHE", cache());
    run(build)
}

/// One after the other: the first may have to install what all of them need.
fn answers(name: &str) -> Result<()> {
    let mut check = program("python3");
    check.arg("-B").arg(folder(name).join("check.py"));
    check.env("FOSSICK_CACHE", cache());
    run(check)
}
