//! The probe, compiled with the user's own compiler: once, and kept.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{fs, io, process};

/// What makes the compiler call the probe: at each block, with none left out, and at comparisons.
pub(crate) const COUNTING: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-trace-pc-guard",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-sanitizer-coverage-prune-blocks=0",
];

/// What programs are linked with.
#[derive(Debug, Clone)]
pub(crate) struct Library {
    pub(crate) folder: PathBuf,
}

/// Why there is none.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// For a person.
    Because(String),
    World(io::Error),
}

impl From<io::Error> for Unfit {
    fn from(error: io::Error) -> Self {
        Self::World(error)
    }
}

impl Library {
    pub(crate) const NAME: &str = "fossick_probe";

    /// Functions that do nothing, for what runs while the service is built.
    pub(crate) fn idle(&self) -> PathBuf {
        self.folder.join("idle.o")
    }

    /// The one of a compiler, below `cache`; made if it is not there.
    pub(crate) fn of(rustc: &OsStr, source: &Path, cache: &Path) -> Result<Self, Unfit> {
        let version = Command::new(rustc).arg("-vV").output()?;
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        let mut hasher = DefaultHasher::new();
        version.hash(&mut hasher);
        let library = Self {
            folder: cache.join(format!("rust-{:016x}", hasher.finish())),
        };
        if library.folder.is_dir() {
            return Ok(library);
        }
        // Several compilers run at once: the folder comes whole or not at all.
        let begun = cache.join(format!("rust-begun-{}", process::id()));
        fs::create_dir_all(&begun)?;
        let made = make(rustc, source, &begun, &version);
        if made.is_ok() {
            let _ = fs::rename(&begun, &library.folder);
        }
        let _ = fs::remove_dir_all(&begun);
        made.map(|()| library)
    }
}

fn make(rustc: &OsStr, source: &Path, into: &Path, version: &str) -> Result<(), Unfit> {
    let release = version.lines().next().unwrap_or("rustc").to_owned();
    let because = |what: &str, output: &Output| {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().find(|line| line.contains("error"));
        let said = said.unwrap_or("it failed").to_owned();
        Unfit::Because(format!("{release} {what}: {said}"))
    };
    let idle = || {
        let mut command = compile(rustc, &source.join("idle.rs"));
        command.args(["--crate-type=lib", "--emit=obj", "-Cpanic=abort"]);
        command
    };
    let counting = idle()
        .args(COUNTING)
        .arg("-o")
        .arg(into.join("try.o"))
        .output()?;
    if !counting.status.success() {
        return Err(because("can't add counters", &counting));
    }
    let made = idle().arg("-o").arg(into.join("idle.o")).output()?;
    if !made.status.success() {
        return Err(because("can't compile the probe", &made));
    }
    // Only what is ours: the rest of the standard library comes with the program.
    let mut probe = compile(rustc, &source.join("src/lib.rs"));
    probe.args([
        "--crate-name",
        Library::NAME,
        "--crate-type=rlib",
        "-Ccodegen-units=1",
    ]);
    let made = probe
        .arg("-o")
        .arg(into.join(format!("lib{}.a", Library::NAME)))
        .output()?;
    if !made.status.success() {
        return Err(because("can't compile the probe", &made));
    }
    Ok(())
}

fn compile(rustc: &OsStr, file: &Path) -> Command {
    let mut command = Command::new(rustc);
    command
        .arg(file)
        .args(["--edition=2021", "-Copt-level=3", "--cap-lints=allow"]);
    command
}
