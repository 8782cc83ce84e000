//! What suites are run with, in versions that are written down.
//!
//! Lists of packages lie in `testdata/suites/runners`; Maven's are in what is generated. Programs
//! of the system are taken as they are.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::version;
use crate::machine::{install_missing, install_packages, node_with, python_with};
use crate::program::{cargo_elsewhere, find, program, run};
use crate::root;

const HURL: &str = "8.0.1";

/// What Hurl is built with.
const HURL_NEEDS: [&str; 4] = [
    "libcurl4-openssl-dev",
    "libxml2-dev",
    "libclang-dev",
    "pkg-config",
];

pub(super) struct Tools {
    /// A Python that has pytest.
    pub(super) python: PathBuf,
    /// The path that programs are looked for in, with Hurl on it.
    pub(super) path: OsString,
    /// Crates that the Rust suites use, pinned.
    cargo_lock: PathBuf,
}

impl Tools {
    /// Installs what is missing, below `folder` where it can.
    pub(super) fn install(folder: &Path) -> Result<Self> {
        let lists = root().join("testdata/suites/runners");
        fs::create_dir_all(folder).context("failed to make the folder of suites")?;
        // Jest, Ajv and newman, where every suite below the folder finds them.
        node_with(folder, &lists)?;
        install_missing(&["curl", "jq"])?;
        php()?;
        Ok(Self {
            python: python_with(&folder.join("python"), &lists.join("requirements.txt"))?,
            path: with_folder(hurl(&folder.join("hurl"))?)?,
            cargo_lock: lists.join("Cargo.lock"),
        })
    }

    /// Pins the crates of a Rust suite.
    pub(super) fn pin(&self, suite: &Path) -> Result<()> {
        let to = suite.join("Cargo.lock");
        fs::copy(&self.cargo_lock, to).context("failed to pin the crates")?;
        Ok(())
    }
}

fn with_folder(first: PathBuf) -> Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let others = std::env::split_paths(&path);
    Ok(std::env::join_paths([first].into_iter().chain(others))?)
}

fn php() -> Result<()> {
    let mut modules = program("php");
    modules.arg("-m");
    let has_curl = crate::program::output(modules)
        .is_ok_and(|told| told.lines().any(|module| module == "curl"));
    if has_curl && find("phpunit").is_some() {
        return Ok(());
    }
    install_packages(&["php-cli", "php-curl", "php-mbstring", "php-xml", "phpunit"])
}

/// The folder of a Hurl of the right version, built where there is none.
fn hurl(folder: &Path) -> Result<PathBuf> {
    let programs = folder.join("bin");
    let told = format!("hurl {HURL} ");
    if version(&programs.join("hurl")).starts_with(&told) {
        return Ok(programs);
    }
    if let Some(known) = find("hurl").filter(|found| version(found).starts_with(&told)) {
        return Ok(known.parent().unwrap_or(folder).to_owned());
    }
    install_packages(&HURL_NEEDS)?;
    let mut install = cargo_elsewhere(&["install", "hurl", "--locked", "--quiet"]);
    install.args(["--version", HURL, "--root"]).arg(folder);
    // It waits for services all the time: a third of the time to build is worth more.
    for (setting, value) in [("LTO", "off"), ("OPT_LEVEL", "1"), ("CODEGEN_UNITS", "16")] {
        install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    run(install)?;
    Ok(programs)
}
