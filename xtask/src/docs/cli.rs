//! The page of commands and flags: what `--help` says of each.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::program::{cargo, output, program, run};
use crate::target;

const COMMANDS: [&[&str]; 14] = [
    &["test"],
    &["replay"],
    &["inspect"],
    &["graph"],
    &["explain"],
    &["demo"],
    &["init"],
    &["synth"],
    &["lab"],
    &["harvest"],
    &["harvest", "list"],
    &["harvest", "suite"],
    &["harvest", "metrics"],
    &["harvest", "drift"],
];

const HEAD: &str = "\
# Commands and flags

<!-- Written by `cargo xtask docs` from what `fossick --help` says. -->

What each command is for is told on its own page; this one lists every flag. A key of the same
name in [fossick.toml](configuration.md) does the same.
";

pub(super) fn page() -> Result<String> {
    run(cargo(&["build", "--quiet", "--package", "fossick-cli"]))?;
    let fossick = target().join("debug/fossick");
    let help = output(asking(&fossick, &["--help"]))?;
    let mut page = HEAD.to_owned();
    page.push_str(&section("fossick", &help));
    for command in COMMANDS {
        let help = output(asking(&fossick, &[command, &["--help"]].concat()))?;
        page.push_str(&section(&format!("fossick {}", command.join(" ")), &help));
    }
    Ok(page)
}

/// Help looks the same on every machine: no terminal, no colour, no settings from outside.
fn asking(fossick: &Path, arguments: &[&str]) -> Command {
    let mut command = program(fossick);
    command
        .args(arguments)
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1");
    for (name, _) in std::env::vars_os() {
        if name
            .to_str()
            .is_some_and(|name| name.starts_with("FOSSICK_"))
        {
            command.env_remove(name);
        }
    }
    command
}

fn section(name: &str, help: &str) -> String {
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_has_no_trailing_spaces() {
        let text = section("fossick test", "Usage:  \n\n  --time\n\n");
        assert_eq!(
            text,
            "\n## fossick test\n\n```text\nUsage:\n\n  --time\n```\n"
        );
    }
}
