//! Bringing a service back to where it was, in the way that its owner told.

use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use fossick_campaign::Reset;
use fossick_contract::Method;
use fossick_store::Database;
use fossick_trace::{Outcome, Request};
use fossick_transport::{Client, Settings};

use crate::config::{ResetConfig, ServiceConfig, SqlReset};
use crate::document::is_url;

/// The reset of a configuration. What ends the service and starts it once more belongs to whoever
/// started it.
pub(crate) fn of(service: &ServiceConfig) -> Result<Option<Reset>> {
    match &service.reset {
        None => Ok(None),
        Some(told) if told.restarts() => Ok(None),
        Some(ResetConfig::Line(line)) => Ok(Some(by_line(line.clone()))),
        Some(ResetConfig::Sql(told)) => by_statements(told).map(Some),
    }
}

fn by_line(line: String) -> Reset {
    Rc::new(move || {
        let line = line.clone();
        Box::pin(async move {
            let done = reset(&line, Vec::new()).await;
            done.map_err(|error| format!("{error:#}"))
        })
    })
}

/// The connection is kept from one reset to the next.
fn by_statements(told: &SqlReset) -> Result<Reset> {
    let place = told.database.parse().context("the reset has no database")?;
    let database = Arc::new(Mutex::new(Database::at(place)));
    let sql: Arc<str> = told.sql.as_str().into();
    Ok(Rc::new(move || {
        let (database, sql) = (Arc::clone(&database), Arc::clone(&sql));
        Box::pin(async move {
            let run = move || {
                let mut database = database.lock().unwrap_or_else(PoisonError::into_inner);
                database.run(&sql).map_err(|error| error.to_string())
            };
            let done = tokio::task::spawn_blocking(run).await;
            done.unwrap_or_else(|error| Err(error.to_string()))
        })
    }))
}

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
