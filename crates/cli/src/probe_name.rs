//! Which probe a service gets, as people name it.

use anyhow::{Result, bail};
use clap::ValueEnum;
use serde::Deserialize;

/// Which probe a service gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProbeName {
    /// Whichever its language takes
    #[default]
    Auto,
    Python,
    Node,
    /// Java, Kotlin and what else runs on the JVM
    Jvm,
    Rust,
    /// None: the service is only seen from outside
    None,
}

impl ProbeName {
    /// As a lab file has it, where there is no point in naming none.
    pub(crate) fn named(name: &str) -> Result<Self> {
        match Self::from_str(name, false) {
            Ok(Self::None) | Err(_) => {
                bail!("there is no probe `{name}`; auto, python, node, jvm and rust there are")
            }
            Ok(probe) => Ok(probe),
        }
    }
}
