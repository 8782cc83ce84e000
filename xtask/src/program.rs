//! Other programs, started from the root of the project.
//!
//! `cargo xtask` itself runs under cargo, which leaves variables about this package in the
//! environment. A build script that asks about one of them would be run again for nothing, so they
//! are taken out before another cargo is started.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{root, target};

/// A program, by name or path, in the root of the project.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// The cargo that started us, or the one on the path.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = program(cargo);
    forget_this_package(&mut command);
    command.args(arguments);
    command
}

/// A cargo for something that is no part of the project, which is started where it lies and
/// brings settings of its own.
pub(crate) fn cargo_elsewhere(arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    // A build of ours may be told to be slow, checked or measured; others' need not be.
    for name in ["RUSTFLAGS", "CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] {
        command.env_remove(name);
    }
    command
}

/// A cargo of another toolchain, which only rustup's front can start.
pub(crate) fn cargo_of(toolchain: &str, arguments: &[&str]) -> Command {
    let mut command = program("cargo");
    forget_this_package(&mut command);
    for name in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC", "RUSTDOC"] {
        command.env_remove(name);
    }
    command.arg(format!("+{toolchain}")).args(arguments);
    command
}

fn forget_this_package(command: &mut Command) {
    const ABOUT_US: [&str; 5] = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_BIN_",
        "CARGO_CRATE_",
        "CARGO_PRIMARY_",
    ];
    for (name, _) in std::env::vars_os() {
        let known = name.to_str().unwrap_or("");
        if ABOUT_US.iter().any(|start| known.starts_with(start)) {
            command.env_remove(name);
        }
    }
}

/// Builds the programs under test, together: apart, they would be built with other features than
/// the tests have, and so once more.
pub(crate) fn build() -> Result<()> {
    run(cargo(&["build", "--workspace", "--bins", "--examples"]))
}

/// The program under test, as the tests' own build leaves it.
pub(crate) fn fossick() -> PathBuf {
    target().join("debug/fossick")
}

/// Runs to the end, with its output where ours goes.
pub(crate) fn run(mut command: Command) -> Result<()> {
    let told = shown(&command);
    println!("$ {told}");
    let status = command
        .status()
        .with_context(|| format!("failed to start {told}"))?;
    if !status.success() {
        bail!("{told} failed ({status})");
    }
    Ok(())
}

/// Runs to the end and gives what it wrote to its standard output.
pub(crate) fn output(mut command: Command) -> Result<String> {
    let told = shown(&command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("failed to start {told}"))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        bail!("{told} failed ({}): {}", output.status, why.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where a program lies on the path, if it does.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The command as one would type it, without the folders of our own making.
fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program());
    let mut words = vec![name.file_name().unwrap_or(name.as_os_str()).to_owned()];
    words.extend(command.get_args().map(OsStr::to_owned));
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_would_be_typed() {
        let mut command = Command::new("/somewhere/bin/cargo");
        command.args(["test", "--workspace"]);
        assert_eq!(shown(&command), "cargo test --workspace");
    }

    #[test]
    fn programs_are_found_on_the_path_only_if_they_can_be_run() {
        assert!(find("sh").is_some());
        assert!(find("no such program").is_none());
        assert!(!is_program(Path::new("/")));
    }

    #[test]
    fn what_fails_says_why() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo because >&2; exit 3"]);
        let error = output(command).expect_err("it exits with 3").to_string();
        assert!(error.contains("because") && error.contains('3'), "{error}");
    }
}
