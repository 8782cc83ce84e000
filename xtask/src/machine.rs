//! What the machine needs before the tests can run, and how it gets there.
//!
//! Everything is looked for first and left alone where it is. What is fetched is kept below
//! `target/xtask`, so a second run fetches nothing.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::postgres::{Cluster, binaries};
use crate::program::{find, output, program, run};
use crate::{root, target};

/// Programs that tests start; each package is called as its program is.
const PROGRAMS: [&str; 3] = ["chromium", "curl", "jq"];

/// Tells the tests which Python can run the services of `testdata/services`.
pub(crate) const SERVICES_PYTHON: &str = "FOSSICK_SERVICES_PYTHON";

/// Where chores keep what they fetched or made.
pub(crate) fn cache() -> PathBuf {
    target().join("xtask")
}

/// Installs what is missing.
pub(crate) fn prepare() -> Result<()> {
    install_missing(&PROGRAMS)?;
    install_maven()?;
    if binaries().is_none() {
        install_packages(&["postgresql"])?;
    }
    let python = services_python()?;
    println!("the services run on {}", python.display());
    services_node()
}

/// A PostgreSQL server that ends, and leaves nothing, when the value is dropped.
pub(crate) fn postgres() -> Result<Cluster> {
    Cluster::start().map_err(|why| anyhow!("failed to start PostgreSQL: {why}"))
}

/// Java's compiler and what builds with it, for the probe of the JVM and services on it.
fn install_maven() -> Result<()> {
    if find("mvn").is_some() && find("javac").is_some() {
        return Ok(());
    }
    install_packages(&["maven", "openjdk-17-jdk-headless"])
}

/// Installs those programs that are not there, by the system's package manager.
pub(crate) fn install_missing(programs: &[&str]) -> Result<()> {
    let missing: Vec<&str> = programs
        .iter()
        .copied()
        .filter(|p| find(p).is_none())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    install_packages(&missing)
}

/// Installs packages by the system's package manager, whether they are there or not.
pub(crate) fn install_packages(packages: &[&str]) -> Result<()> {
    if find("apt-get").is_none() || !is_root()? {
        bail!("please install: {}", packages.join(", "));
    }
    // Lists of packages are often missing in small images; fetching them is only worth it then.
    if apt(packages).is_err() {
        let mut update = program("apt-get");
        update.args(["update", "-q"]);
        run(update)?;
        apt(packages)?;
    }
    Ok(())
}

fn apt(packages: &[&str]) -> Result<()> {
    let mut apt = program("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt.args(["install", "-q", "-y", "--no-install-recommends"]);
    apt.args(packages);
    run(apt)
}

fn is_root() -> Result<bool> {
    let mut id = program("id");
    id.arg("-u");
    Ok(output(id)?.trim() == "0")
}

/// A Python with what the services need, made on first use. One for all of them: what they share
/// is fetched once, and in the same version.
pub(crate) fn services_python() -> Result<PathBuf> {
    // The services' own start script keeps to the same place and the same rule.
    let wanted = root().join("testdata/services/requirements.txt");
    python_with(&cache().join("services"), &wanted)
}

/// Packages of Node for the services, put there by the script that the services themselves call: it
/// also makes the link by which they find them.
fn services_node() -> Result<()> {
    let mut packages = program(root().join("testdata/services/node-packages.sh"));
    packages.env("FOSSICK_CACHE", cache());
    run(packages)
}

/// A Python in a folder, with what a list wants.
pub(crate) fn python_with(folder: &Path, wanted: &Path) -> Result<PathBuf> {
    let python = folder.join("bin/python");
    // The list is copied last: a half-made environment has none and is made again.
    let list = folder.join("requirements.txt");
    if !same_text(wanted, &list) {
        make_environment(folder)?;
        let mut pip = program(&python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        pip.arg("-r").arg(wanted);
        run(pip)?;
        fs::copy(wanted, &list).context("failed to note what was installed")?;
    }
    Ok(python)
}

/// Packages of Node in a folder, as two lists want them; the lists may lie there already.
pub(crate) fn node_with(folder: &Path, lists: &Path) -> Result<()> {
    let wanted = lists.join("package-lock.json");
    // npm keeps a list of its own inside; ours is copied last, and tells that all went well.
    let done = folder.join("node_modules/.installed.json");
    if same_text(&wanted, &done) {
        return Ok(());
    }
    for name in ["package.json", "package-lock.json"] {
        let (from, to) = (lists.join(name), folder.join(name));
        if from != to {
            fs::copy(from, to).context("failed to list the packages")?;
        }
    }
    let mut npm = program("npm");
    npm.current_dir(folder);
    // It keeps to the lock file. `npm ci` does too, but fails where the file lacks an optional
    // package for another platform.
    npm.args([
        "install",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--silent",
    ]);
    run(npm)?;
    fs::copy(&wanted, &done).context("failed to note what was installed")?;
    Ok(())
}

pub(crate) fn same_text(one: &Path, other: &Path) -> bool {
    matches!((fs::read(one), fs::read(other)), (Ok(one), Ok(other)) if one == other)
}

fn make_environment(folder: &Path) -> Result<()> {
    let make = || {
        let mut venv = program("python3");
        venv.args(["-m", "venv", "--clear"]).arg(folder);
        run(venv)
    };
    // Some systems ship Python without the part that makes environments.
    make().or_else(|_| install_packages(&["python3-venv"]).and_then(|()| make()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_installed_where_nothing_is_missing() {
        install_missing(&["sh"]).expect("every machine has a shell");
    }

    #[test]
    fn a_missing_file_is_like_no_other() {
        let here = root().join("Cargo.toml");
        assert!(same_text(&here, &here));
        assert!(!same_text(&here, Path::new("/no/such/file")));
    }
}
