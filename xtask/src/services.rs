//! `cargo xtask services`: the services that searches are measured on, by checks of their own.
//!
//! A fault in one of them would be taken for a fault of the search. Each case study is written in
//! two languages and by two kinds of interface, and must answer alike in all; each gate must open
//! for what its list tells, and for nothing else.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::machine::cache;
use crate::program::{program, run};
use crate::root;

/// Written once in each language, with tests beside the code.
const CASE_STUDIES: [&str; 2] = ["ncs", "scs"];

/// Those with a program that starts them and looks at what they answer.
const CHECKED: [&str; 3] = ["ncs", "scs", "gates"];

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

/// One after the other: the first may have to install what all of them need.
fn answers(name: &str) -> Result<()> {
    let mut check = program("python3");
    check.arg("-B").arg(folder(name).join("check.py"));
    check.env("FOSSICK_CACHE", cache());
    run(check)
}
