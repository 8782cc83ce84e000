//! Bringing a service back to where it was, in the way that its owner told.

use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::{Outcome, Request};
use fossick_transport::{Client, Settings};

use crate::document::is_url;

/// A URL is called with POST; anything else is a line for a shell.
pub(crate) async fn reset(line: &str, headers: Vec<(String, String)>) -> Result<()> {
    if !is_url(line) {
        let status = shell(line).status().context("failed to run the reset")?;
        if !status.success() {
            bail!("the reset `{line}` ended with {status}");
        }
        return Ok(());
    }
    let mut settings = Settings::new(line.parse()?);
    settings.headers = headers;
    match Client::new(settings)?.send(&post()).await {
        Outcome::Answered(answer) if answer.status < 400 => Ok(()),
        Outcome::Answered(answer) => bail!("the reset {line} answered {}", answer.status),
        Outcome::Failed(why) => bail!("the reset {line} failed: {why:?}"),
    }
}

pub(crate) fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]).stdin(Stdio::null());
    command
}

fn post() -> Request {
    Request {
        method: Method::Post,
        target: String::new(),
        headers: Vec::new(),
        body: Bytes::new(),
        user: None,
        anonymous: false,
    }
}
