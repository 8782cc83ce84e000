//! What is judged, and how long.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::all_services;
use crate::target;

pub(super) struct Options {
    /// Names of services, or folders with a start script.
    pub(super) services: Vec<String>,
    first: u64,
    seeds: u64,
    pub(super) time: String,
    pub(super) suite: bool,
    pub(super) pytest: bool,
    fossick: Option<PathBuf>,
}

impl Options {
    pub(super) fn read(arguments: &[&str]) -> Result<Self> {
        let mut options = Self {
            services: Vec::new(),
            first: 1,
            seeds: 1,
            time: "20s".to_owned(),
            suite: true,
            pytest: false,
            fossick: None,
        };
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            let mut value = || {
                let value = rest.next().copied();
                value.with_context(|| format!("{word} needs a value"))
            };
            match *word {
                "--seeds" => options.seeds = value()?.parse().context("--seeds takes a number")?,
                "--seed" => options.first = value()?.parse().context("--seed takes a number")?,
                "--time" => value()?.clone_into(&mut options.time),
                "--fossick" => options.fossick = Some(PathBuf::from(value()?)),
                "--no-suite" => options.suite = false,
                "--pytest" => options.pytest = true,
                flag if flag.starts_with('-') => bail!("`{flag}` is not understood"),
                service => options.services.push(service.to_owned()),
            }
        }
        if options.services.is_empty() {
            options.services = all_services()?;
        }
        Ok(options)
    }

    pub(super) fn seeds(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.seeds
    }

    /// The release build, or another program to judge.
    pub(super) fn fossick(&self) -> PathBuf {
        let built = || target().join("release/fossick");
        self.fossick.clone().unwrap_or_else(built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_each_other() {
        let options = Options::read(&["tracker", "--seed", "3", "--seeds", "2"]).expect("it reads");
        assert_eq!(options.seeds().collect::<Vec<_>>(), [3, 4]);
        assert_eq!(options.services, ["tracker"]);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        assert!(Options::read(&["--sead", "3"]).is_err());
        assert!(Options::read(&["--seed"]).is_err());
    }
}
