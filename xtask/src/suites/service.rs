//! The built-in services, as programs of their own that suites are run against.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::program::program;
use crate::target;

/// One of the built-in services, and which of its faults are mended to change it.
pub(super) struct Service {
    /// As `fossick demo` knows it.
    pub(super) name: &'static str,
    /// The example that serves it.
    example: &'static str,
    pub(super) changes: &'static [&'static str],
}

/// What is other about a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    None,
    /// One fault is mended.
    Mended(&'static str),
    AllMended,
}

pub(super) static SERVICES: [Service; 2] = [
    Service {
        name: "rest",
        example: "shed",
        changes: &[
            "OddLimit",
            "Apostrophe",
            "FeeAsText",
            "OptionalPin",
            "StruckOffServed",
            "WishesAppended",
            "HalfReplaced",
        ],
    },
    Service {
        name: "graphql",
        example: "bank",
        changes: &["EmptySearch", "HabitOutside", "DeletedServed"],
    },
];

/// A service that ends with its owner.
pub(super) struct Running {
    child: Child,
    pub(super) url: String,
    /// What it asks of those who use it.
    authorization: Option<String>,
}

impl Service {
    /// Starts it on a free port, as it is or with faults mended.
    pub(super) fn start(&self, change: Change) -> Result<Running> {
        let mut command = program(target().join("debug/examples").join(self.example));
        command.arg("0").stdin(Stdio::null()).stderr(Stdio::piped());
        match change {
            Change::None => {}
            Change::Mended(fault) => {
                command.arg(format!("without:{fault}"));
            }
            Change::AllMended => {
                command.arg("twin");
            }
        }
        let mut child = command
            .spawn()
            .with_context(|| format!("failed to start the service `{}`", self.name))?;
        let mut line = String::new();
        if let Some(pipe) = child.stderr.take() {
            BufReader::new(pipe).read_line(&mut line)?;
        }
        let mut running = Running {
            child,
            url: String::new(),
            authorization: None,
        };
        let Some(url) = line.split(' ').next().filter(|url| url.starts_with("http")) else {
            bail!("the service `{}` did not start: {}", self.name, line.trim());
        };
        url.clone_into(&mut running.url);
        running.authorization = token(&line).map(|token| format!("Bearer {token}"));
        Ok(running)
    }
}

/// `xyz` of `http://127.0.0.1:8000 (Planted; staff: xyz)`
fn token(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("staff: ")?;
    Some(rest.trim_end().trim_end_matches(')'))
}

impl Running {
    /// Tells a runner where the service is and how to be let in.
    pub(super) fn tell(&self, command: &mut Command) {
        command.env("FOSSICK_BASE_URL", &self.url);
        if let Some(authorization) = &self.authorization {
            command.env("AUTHORIZATION", authorization);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail where it has ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_read_from_what_the_service_says() {
        let line = "http://127.0.0.1:8000 (Planted; staff: abc-1)\n";
        assert_eq!(token(line), Some("abc-1"));
        assert_eq!(token("http://127.0.0.1:8000/graphql (Planted)\n"), None);
    }
}
