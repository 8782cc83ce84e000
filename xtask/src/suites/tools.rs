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
const HURLS: [&str; 2] = ["hurl", "hurlfmt"];

/// Formatters of Java and Kotlin, each one file with all that it needs: group, name, version and
/// the kind of the file.
const JARS: [(&str, &str, &str, &str); 2] = [
    (
        "com.google.googlejavaformat",
        "google-java-format",
        "1.28.0",
        "all-deps",
    ),
    ("com.pinterest.ktlint", "ktlint-cli", "1.7.1", "all"),
];

/// What fetches them.
const FETCH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

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
    /// The folder of Hurl and its formatter.
    pub(super) hurl: PathBuf,
    jars: PathBuf,
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
        install_missing(&["curl", "jq", "shellcheck"])?;
        php()?;
        let hurl = hurl(&folder.join("hurl"))?;
        Ok(Self {
            python: python_with(&folder.join("python"), &lists.join("requirements.txt"))?,
            path: with_folder(hurl.clone())?,
            hurl,
            jars: jars(folder.join("jars"))?,
            cargo_lock: lists.join("Cargo.lock"),
        })
    }

    /// Where a formatter of [`JARS`] lies.
    pub(super) fn jar(&self, wanted: &str) -> String {
        let mut known = JARS.iter().filter(|(_, name, ..)| *name == wanted);
        let file = known.next().map(jar_file).unwrap_or_default();
        self.jars.join(file).display().to_string()
    }

    /// Pins the crates of a Rust suite.
    pub(super) fn pin(&self, suite: &Path) -> Result<()> {
        let to = suite.join("Cargo.lock");
        fs::copy(&self.cargo_lock, to).context("failed to pin the crates")?;
        Ok(())
    }
}

fn jar_file((_, name, version, kind): &(&str, &str, &str, &str)) -> String {
    format!("{name}-{version}-{kind}.jar")
}

fn jars(folder: PathBuf) -> Result<PathBuf> {
    for jar @ (group, name, version, kind) in &JARS {
        if folder.join(jar_file(jar)).exists() {
            continue;
        }
        let mut maven = program("mvn");
        maven.args(["-B", "-ntp", "-q", FETCH]);
        maven.arg(format!("-Dartifact={group}:{name}:{version}:jar:{kind}"));
        maven.arg(format!("-DoutputDirectory={}", folder.display()));
        run(maven)?;
    }
    Ok(folder)
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
    if has_curl && find("phpunit").is_some() && find("phpcs").is_some() {
        return Ok(());
    }
    install_packages(&[
        "php-cli",
        "php-curl",
        "php-mbstring",
        "php-xml",
        "phpunit",
        "php-codesniffer",
    ])
}

/// The folder of a Hurl of the right version and its formatter, built where there are none.
fn hurl(folder: &Path) -> Result<PathBuf> {
    let programs = folder.join("bin");
    let is_there = |folder: &Path| {
        let is_right = |name| version(&folder.join(name)).split_whitespace().nth(1) == Some(HURL);
        HURLS.into_iter().all(is_right)
    };
    if is_there(&programs) {
        return Ok(programs);
    }
    let known = find("hurl").and_then(|found| found.parent().map(Path::to_owned));
    if let Some(known) = known.filter(|known| is_there(known)) {
        return Ok(known);
    }
    install_packages(&HURL_NEEDS)?;
    for name in HURLS {
        let mut install = cargo_elsewhere(&["install", name, "--locked", "--quiet"]);
        install.args(["--version", HURL, "--root"]).arg(folder);
        // It waits for services all the time: a third of the time to build is worth more.
        for (setting, value) in [("LTO", "off"), ("OPT_LEVEL", "1"), ("CODEGEN_UNITS", "16")] {
            install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
        }
        run(install)?;
    }
    Ok(programs)
}
