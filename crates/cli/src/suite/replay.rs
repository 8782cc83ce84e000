//! A suite run without any framework: `fossick replay FOLDER`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use bytes::Bytes;
use fossick_campaign::run;
use fossick_report::one_line;
use fossick_suite::{Body, Broken, Piece, Reset, Suite, Template, Test, User, judge, script};
use fossick_trace::{Failure, Outcome, Take};
use fossick_transport::{Client, Credentials, Login, Settings, TokenSource};
use serde_json::{Map, Value};
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

use crate::credentials::header;
use crate::exit::{Exit, Unreachable};
use crate::flags::ReplayFlags;
use crate::screen::print;

/// The file of a suite that a path leads to, if it does.
pub(crate) fn find(path: &Path) -> Option<PathBuf> {
    let inside = path.join("suite.json");
    if inside.is_file() {
        return Some(inside);
    }
    let named = path.file_name().is_some_and(|name| name == "suite.json");
    (named && path.is_file()).then(|| path.to_owned())
}

pub(crate) fn replay(flags: &ReplayFlags, runtime: &Runtime, file: &Path) -> Result<Exit> {
    let suite = read(file)?;
    let client = client(flags, &suite)?;
    let mut failed = 0;
    for test in &suite.tests {
        let broken = LocalSet::new().block_on(runtime, play(&client, &suite, test))?;
        failed += usize::from(!broken.is_empty());
        print(&line(test, &broken));
    }
    let all = suite.tests.len();
    print(&match failed {
        0 => format!("all {all} tests passed\n"),
        _ => format!("{failed} of {all} tests failed\n"),
    });
    Ok(if failed == 0 {
        Exit::Clean
    } else {
        Exit::Findings
    })
}

fn read(file: &Path) -> Result<Suite> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("failed to read {}", file.display()))?;
    let version = serde_json::from_str::<Value>(&text)
        .ok()
        .and_then(|value| value.get("version")?.as_u64());
    if let Some(version) = version.filter(|version| *version > u64::from(Suite::VERSION)) {
        bail!(
            "{} has format {version}, and this fossick knows {}; use a newer one",
            file.display(),
            Suite::VERSION
        );
    }
    serde_json::from_str(&text).map_err(|error| {
        anyhow!(
            "{}:{}:{}: this is no suite: {error}",
            file.display(),
            error.line(),
            error.column()
        )
    })
}

async fn play(client: &Client, suite: &Suite, test: &Test) -> Result<Vec<Broken>> {
    match &suite.service.reset {
        Some(Reset::Command(line) | Reset::Url(line)) => {
            crate::reset::reset(line, Vec::new()).await?;
        }
        None => {}
    }
    let script = script(suite, test).renamed(fossick_campaign::fresh_salt());
    let episode = run(client, Arc::new(script)).await;
    let outcomes = episode.exchanges.iter().map(|exchange| &exchange.outcome);
    for outcome in outcomes {
        if let Outcome::Failed(Failure::Unreachable(why)) = outcome {
            return Err(Unreachable(why.clone()).into());
        }
    }
    let misfit = |at: usize, body: &Value| misfit(suite, at, body);
    Ok(judge(test, &episode, &misfit))
}

/// Why a body does not fit a schema of the suite.
fn misfit(suite: &Suite, at: usize, body: &Value) -> Option<String> {
    let (name, schema) = suite.schemas.get(at)?;
    let first = fossick_validate::first_misfit(schema, body)?;
    Some(format!("the body does not fit {name}: {first}"))
}

fn line(test: &Test, broken: &[Broken]) -> String {
    let name = one_line(&test.name);
    let Some(first) = broken.first() else {
        return format!("passed  {name}\n");
    };
    let why = one_line(&first.why);
    let told = match &test.fault {
        Some(fault) if first.suspect => {
            format!("the suspected {} no longer shows: {why}", fault.code)
        }
        _ => why,
    };
    let more = match broken.len() - 1 {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("failed  {name} (step {}: {told}{more})\n", first.step)
}

fn client(flags: &ReplayFlags, suite: &Suite) -> Result<Client> {
    let from_environment = std::env::var("FOSSICK_BASE_URL").ok();
    let url = flags.url.clone().or(from_environment);
    let base = url.unwrap_or_else(|| suite.base_url.clone());
    let mut settings = Settings::new(base.parse()?);
    settings.insecure = flags.insecure;
    for text in &flags.identity.header {
        settings.headers.push(header(text)?);
    }
    // Headers on the command line stand in for everybody's credentials.
    if settings.headers.is_empty() {
        for (at, user) in suite.users.iter().enumerate() {
            settings.users.push(fossick_transport::User {
                name: user.name.clone().unwrap_or_else(|| format!("user {at}")),
                credentials: credentials(user)?,
            });
        }
    }
    Ok(Client::new(settings)?)
}

fn credentials(user: &User) -> Result<Credentials> {
    let headers: Result<Vec<(String, String)>> = user
        .headers
        .iter()
        .map(|header| Ok((header.name.clone(), variable(&header.variable)?)))
        .collect();
    let mut all = vec![Credentials::Headers(headers?)];
    if let Some(told) = &user.login {
        all.push(Credentials::Login(login(told)?));
    }
    Ok(Credentials::All(all))
}

fn variable(name: &str) -> Result<String> {
    std::env::var(name).map_err(|_| {
        anyhow!("the suite needs credentials: set {name} in the environment, or give --header")
    })
}

fn login(told: &fossick_suite::Login) -> Result<Login> {
    let (media_type, body) = match &told.request.body {
        Body::None => (String::new(), Vec::new()),
        Body::Json { media_type, value } => (
            media_type.clone(),
            serde_json::to_vec(&filled(value)?).context("failed to write the login")?,
        ),
        Body::Text { media_type, text } => (media_type.clone(), pieces(text)?.into_bytes()),
        Body::Bytes { media_type, bytes } => (media_type.clone(), bytes.clone()),
    };
    Ok(Login {
        method: told.request.method,
        target: pieces(&told.request.path)?,
        headers: Vec::new(),
        body: Bytes::from(body),
        media_type,
        token: match &told.take {
            Take::Pointer(pointer) => TokenSource::Pointer(pointer.clone()),
            Take::Header(name) => TokenSource::Header(name.clone()),
            Take::Location => TokenSource::Header("location".to_owned()),
        },
        send: format!("{}: {}{{token}}", told.header, told.prefix),
        expires: None,
    })
}

/// In a login every variable is one of the environment.
fn pieces(pieces: &[Piece]) -> Result<String> {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Fixed(text) => Ok(text.clone()),
        Piece::Variable(name) => variable(name),
    });
    texts.collect()
}

fn filled(template: &Template) -> Result<Value> {
    Ok(match template {
        Template::Value(value) => value.clone(),
        Template::Text(text) => Value::String(pieces(text)?),
        Template::Variable(name) => Value::String(variable(name)?),
        Template::List(items) => items.iter().map(filled).collect::<Result<_>>()?,
        Template::Object(entries) => {
            let entries = entries.iter();
            let filled: Result<Map<String, Value>> = entries
                .map(|(key, inner)| Ok((key.clone(), filled(inner)?)))
                .collect();
            Value::Object(filled?)
        }
    })
}
