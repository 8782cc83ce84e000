//! A suite run without any framework: `fossick replay FOLDER`.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, Result, anyhow, bail};
use bytes::Bytes;
use fossick_report::one_line;
use fossick_suite::{Body, Broken, Piece, Suite, Template, Test, User};
use fossick_trace::Take;
use fossick_transport::{Client, Credentials, Login, Settings, TokenSource};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::runtime::Runtime;

use crate::credentials::header;
use crate::exit::Exit;
use crate::flags::ReplayFlags;
use crate::screen::print;
use crate::suite::player::{Played, play_all};
use crate::suite::service::Held;

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
    let suite = Rc::new(read(file)?);
    let reach = Reach::of(flags);
    let client = client(&reach, &suite)?;
    // A service that is said to be elsewhere is somebody else's to start.
    let _held = match reach.url {
        Some(_) => None,
        None => Some(Held::start(&suite.service, &reach.base(&suite), runtime)?),
    };
    let mut failed = 0;
    let mut told = String::new();
    let each = |at: usize, played: Played| {
        failed += usize::from(!played.broken.is_empty());
        told.push_str(&line(&suite.tests[at], &played.broken));
        if told.len() > ENOUGH_TO_PRINT {
            print(&std::mem::take(&mut told));
        }
        Ok(())
    };
    let outcome = play_all(runtime, &client, &suite, flags.concurrency, each);
    print(&told);
    outcome?;
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

/// Lines are printed together: a large suite has tens of thousands.
const ENOUGH_TO_PRINT: usize = 1 << 12;

fn read(file: &Path) -> Result<Suite> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("failed to read {}", file.display()))?;
    let version = serde_json::from_str::<Versioned>(&text).ok();
    let version = version.map(|suite| suite.version);
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

/// Only so much that a newer format is known as one.
#[derive(Deserialize)]
struct Versioned {
    version: u64,
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

/// Where the service is, and who calls.
pub(crate) struct Reach<'f> {
    pub(crate) url: Option<&'f str>,
    pub(crate) header: &'f [String],
    pub(crate) insecure: bool,
    pub(crate) concurrency: usize,
}

impl<'f> Reach<'f> {
    fn of(flags: &'f ReplayFlags) -> Self {
        Self {
            url: flags.url.as_deref(),
            header: &flags.identity.header,
            insecure: flags.insecure,
            concurrency: flags.concurrency,
        }
    }

    /// Where the service is: as told, else as the environment has it, else where it was.
    fn base(&self, suite: &Suite) -> String {
        let from_environment = || std::env::var("FOSSICK_BASE_URL").ok();
        let url = self.url.map(str::to_owned).or_else(from_environment);
        url.unwrap_or_else(|| suite.base_url.clone())
    }
}

/// A client for the tests of a suite.
pub(crate) fn client(reach: &Reach<'_>, suite: &Suite) -> Result<Client> {
    let mut settings = Settings::new(reach.base(suite).parse()?);
    settings.insecure = reach.insecure;
    settings.connections = settings.connections.max(reach.concurrency);
    for text in reach.header {
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
