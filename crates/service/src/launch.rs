//! What is run to start a service.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::Failure;
use crate::port::fill;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// For a shell.
    Line(String),
    /// A program and its arguments.
    Words(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    pub what: What,
    /// Where it runs; here, if none is told.
    pub folder: Option<PathBuf>,
    /// Beside what we have ourselves.
    pub environment: Vec<(String, String)>,
}

impl Launch {
    pub fn line(line: &str) -> Self {
        Self {
            what: What::Line(line.to_owned()),
            folder: None,
            environment: Vec::new(),
        }
    }

    /// With the port written in wherever `{port}` stands.
    #[must_use]
    pub fn at_port(&self, port: u16) -> Self {
        let what = match &self.what {
            What::Line(line) => What::Line(fill(line, port)),
            What::Words(words) => What::Words(words.iter().map(|w| fill(w, port)).collect()),
        };
        let filled = |(name, value): &(String, String)| (name.clone(), fill(value, port));
        Self {
            what,
            folder: self.folder.clone(),
            environment: self.environment.iter().map(filled).collect(),
        }
    }

    /// As one would type it.
    pub fn text(&self) -> String {
        match &self.what {
            What::Line(line) => line.clone(),
            What::Words(words) => words.join(" "),
        }
    }

    pub(crate) fn program(&self) -> String {
        match &self.what {
            What::Line(_) => "sh".to_owned(),
            What::Words(words) => words.first().cloned().unwrap_or_default(),
        }
    }

    pub(crate) fn command(&self) -> Result<Command, Failure> {
        let mut command = Command::new(self.program());
        match &self.what {
            What::Line(line) => command.args(["-c", line]),
            What::Words(words) => command.args(words.iter().skip(1)),
        };
        if let Some(folder) = &self.folder {
            if !folder.is_dir() {
                return Err(Failure::NoFolder(folder.clone()));
            }
            command.current_dir(folder);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        Ok(command)
    }
}
