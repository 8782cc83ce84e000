//! Copies of a service: faulty, corrected, or with one fault alone.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::named;
use crate::machine::cache;
use crate::program::{output, program};
use crate::{root, target};

/// Which faults a copy has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Faults {
    All,
    None,
    Only(String),
}

/// Where copies come from.
pub(super) enum Copies {
    /// A folder with a `start.sh` that takes a port and reads `FAULTS`.
    Folder(PathBuf),
    /// An example of the built-in services.
    BuiltIn(&'static str),
}

/// How long a service may take to answer for the first time: its packages may be fetched first.
const PATIENCE: Duration = Duration::from_mins(3);

impl Copies {
    pub(super) fn of(service: &str) -> Result<Self> {
        match service {
            "rest" => return Ok(Self::BuiltIn("shed")),
            "graphql" => return Ok(Self::BuiltIn("bank")),
            _ => {}
        }
        let known = root().join("testdata/services").join(service);
        let folders = [known, PathBuf::from(service)];
        let found = folders
            .into_iter()
            .find(|folder| folder.join("start.sh").exists());
        let Some(folder) = found else {
            bail!("there is no service `{service}` with a start.sh");
        };
        let folder = folder.canonicalize()?;
        Ok(Self::Folder(folder))
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Folder(folder) => named(folder).unwrap_or_default(),
            Self::BuiltIn(example) => (*example).to_owned(),
        }
    }

    /// The names of its faults; none are known of the built-in services.
    pub(super) fn planted(&self) -> Result<Vec<String>> {
        match self {
            Self::BuiltIn(_) => Ok(Vec::new()),
            Self::Folder(_) => Ok(self.start(&Faults::None)?.stats().0),
        }
    }

    pub(super) fn start(&self, faults: &Faults) -> Result<Running> {
        match self {
            Self::Folder(folder) => start_script(folder, faults),
            Self::BuiltIn(example) => start_example(example, faults),
        }
    }
}

fn start_script(folder: &std::path::Path, faults: &Faults) -> Result<Running> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut command = program(folder.join("start.sh"));
    command.arg(port.to_string()).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.env("FOSSICK_CACHE", cache());
    let chosen = match faults {
        Faults::All => "all",
        Faults::None => "none",
        Faults::Only(fault) => fault,
    };
    command.env("FAULTS", chosen);
    let child = command
        .spawn()
        .with_context(|| format!("failed to start {}", folder.display()))?;
    let running = Running {
        child,
        url: format!("http://127.0.0.1:{port}"),
        token: None,
        again: Box::new({
            let (folder, faults) = (folder.to_owned(), faults.clone());
            move || start_script(&folder, &faults)
        }),
    };
    running.wait()?;
    Ok(running)
}

fn start_example(example: &'static str, faults: &Faults) -> Result<Running> {
    let mut command = program(target().join("release/examples").join(example));
    command.arg("0").stdin(Stdio::null()).stderr(Stdio::piped());
    match faults {
        Faults::All => {}
        Faults::None => {
            command.arg("twin");
        }
        Faults::Only(fault) => {
            command.arg(format!("only:{fault}"));
        }
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("failed to start {example}"))?;
    let mut line = String::new();
    if let Some(pipe) = child.stderr.take() {
        BufReader::new(pipe).read_line(&mut line)?;
    }
    let url = line.split([' ', '\n']).next().unwrap_or_default();
    let token = line.split_once("staff: ").map(|(_, rest)| rest);
    let faults = faults.clone();
    Ok(Running {
        child,
        url: url.trim_end_matches("/graphql").to_owned(),
        token: token.map(|t| t.trim_end().trim_end_matches(')').to_owned()),
        again: Box::new(move || start_example(example, &faults)),
    })
}

/// A copy that ends with its owner.
pub(super) struct Running {
    child: Child,
    url: String,
    token: Option<String>,
    again: Box<dyn Fn() -> Result<Self>>,
}

/// A copy that nobody has called since it was started or reset.
pub(super) enum Anew<'a> {
    Reset(&'a Running),
    Started(Running),
}

impl std::ops::Deref for Anew<'_> {
    type Target = Running;

    fn deref(&self) -> &Running {
        match self {
            Self::Reset(running) => running,
            Self::Started(running) => running,
        }
    }
}

impl Running {
    /// Where its operations are: below this URL, or at it for GraphQL.
    pub(super) fn base(&self) -> String {
        match self.document() {
            Some(_) => self.url.clone(),
            None => format!("{}/graphql", self.url),
        }
    }

    /// The URL of its OpenAPI document or its GraphQL endpoint.
    pub(super) fn schema(&self) -> String {
        self.document().unwrap_or_else(|| self.base())
    }

    fn document(&self) -> Option<String> {
        let document = format!("{}/openapi.json", self.url);
        curl(&["-f", &document]).is_ok().then_some(document)
    }

    pub(super) fn credentials(&self) -> Vec<String> {
        let token = self.token.iter();
        token
            .flat_map(|token| ["--bearer".to_owned(), token.clone()])
            .collect()
    }

    /// Tells a generated suite where the service is.
    pub(super) fn tell(&self, command: &mut Command) {
        command.env("FOSSICK_BASE_URL", self.base());
        if let Some(token) = &self.token {
            command.env("AUTHORIZATION", format!("Bearer {token}"));
        }
    }

    /// The same service as if nobody had called it.
    pub(super) fn anew(&self) -> Result<Anew<'_>> {
        let reset = format!("{}/__reset", self.url);
        if curl(&["-f", "-X", "POST", &reset]).is_ok() {
            return Ok(Anew::Reset(self));
        }
        Ok(Anew::Started((self.again)()?))
    }

    /// Its faults that were met so far.
    pub(super) fn faults_met(&self) -> BTreeSet<String> {
        self.stats().1
    }

    /// Names of the faults, and those of them that were met.
    fn stats(&self) -> (Vec<String>, BTreeSet<String>) {
        let text = curl(&["-f", &format!("{}/__stats", self.url)]).unwrap_or_default();
        let told: Value = serde_json::from_str(&text).unwrap_or_default();
        let stats = told.get("stats").and_then(Value::as_object);
        let faults = stats.into_iter().flatten();
        let faults: Vec<_> = faults.filter(|(name, _)| *name != "requests").collect();
        let met = faults.iter().filter(|(_, times)| times.as_u64() > Some(0));
        (
            faults.iter().map(|(name, _)| (*name).clone()).collect(),
            met.map(|(name, _)| (*name).clone()).collect(),
        )
    }

    fn wait(&self) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while curl(&[&self.url]).is_err() {
            if Instant::now() > end {
                bail!("nothing answers at {}", self.url);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail where it has ended already, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn curl(arguments: &[&str]) -> Result<String> {
    let mut command = program("curl");
    command.args(["-sS", "--max-time", "20"]).args(arguments);
    output(command)
}
