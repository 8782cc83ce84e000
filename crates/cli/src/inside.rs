//! Looking into the service that fossick starts: the probes that it is given, and what they see.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use fossick_campaign::{Probe, ProbeAt};
use fossick_inject::{Injection, Language, cover, recognise, socket_path, unpack};
use fossick_probe::{Hub, Kind, Known, coverage};
use fossick_service::Launch;
use fossick_trace::{Case, Coverage, SourceLine};
use tokio::runtime::Runtime;

use crate::probe_name::ProbeName;

/// A service that answers has loaded its code, and the probe with it; a little later it has told so.
const ARRIVAL: Duration = Duration::from_secs(3);

/// The probe that is named, if one is.
fn only(probe: ProbeName) -> Option<Language> {
    match probe {
        ProbeName::Python => Some(Language::Python),
        ProbeName::Node => Some(Language::Node),
        ProbeName::Jvm => Some(Language::Jvm),
        ProbeName::Rust => Some(Language::Rust),
        ProbeName::Auto | ProbeName::None => None,
    }
}

/// What became of looking inside.
pub(crate) enum Sight {
    /// What is seen.
    Seen(String),
    /// Why nothing is.
    Blind(String),
}

/// The probes of a service, as long as it runs.
pub(crate) struct Inside {
    hub: Rc<Hub>,
    injection: Injection,
    launch: Launch,
}

/// What was said of looking inside.
pub(crate) struct Wanted<'w> {
    pub(crate) probe: ProbeName,
    pub(crate) cover: &'w [String],
    /// Where runs leave what they leave.
    pub(crate) out: &'w Path,
}

impl Wanted<'_> {
    /// Listens for probes of a service that is about to be started. None where nobody wants any.
    pub(crate) fn listen(&self, runtime: &Runtime, launch: &Launch) -> Result<Option<Inside>> {
        if self.probe == ProbeName::None {
            return Ok(None);
        }
        let (socket, hub, port) = listening(runtime, Hub::listen)?;
        let folder = self.out.join("probes");
        let probes = unpack(&folder)
            .with_context(|| format!("failed to write the probes to {}", folder.display()))?;
        Ok(Some(Inside {
            hub: Rc::new(hub),
            launch: launch.clone(),
            injection: Injection {
                cache: probes.join("cache"),
                probes,
                socket,
                port: Some(port),
                cover: cover(self.cover, launch.folder.as_deref())
                    .context("failed to find the working folder")?,
                binary: own_binary()?,
                only: only(self.probe),
            },
        }))
    }
}

/// A hub at a socket and a port of its own.
fn listening(
    runtime: &Runtime,
    listen: impl FnOnce(&Path) -> io::Result<Hub>,
) -> Result<(PathBuf, Hub, String)> {
    // A lab has several services at once.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let socket = socket_path(NEXT.fetch_add(1, Ordering::Relaxed));
    let _ = std::fs::remove_file(&socket);
    let mut hub = runtime
        .block_on(async { listen(&socket) })
        .with_context(|| format!("failed to listen for probes at {}", socket.display()))?;
    let secret = secret()?;
    let port = runtime
        .block_on(hub.listen_at_a_port(&secret))
        .context("failed to listen for probes at a port of this machine")?;
    Ok((socket, hub, format!("127.0.0.1:{port}/{secret}")))
}

/// What nobody can guess who does not see the service's environment.
fn secret() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).context("failed to make a secret")?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

fn own_binary() -> Result<PathBuf> {
    std::env::current_exe().context("failed to find the program that runs")
}

impl Inside {
    /// The same for another instance of the service: coverage is counted for all together.
    pub(crate) fn beside(&self, runtime: &Runtime, instance: usize) -> Result<Self> {
        let listen = |path: &Path| self.hub.listen_beside(instance, path);
        let (socket, hub, port) = listening(runtime, listen)?;
        Ok(Self {
            hub: Rc::new(hub),
            injection: Injection {
                socket,
                port: Some(port),
                ..self.injection.clone()
            },
            launch: self.launch.clone(),
        })
    }

    pub(crate) fn applied_to(&self, launch: &Launch) -> Launch {
        self.injection.applied_to(launch)
    }

    pub(crate) fn probe(&self) -> Probe {
        Probe {
            at: ProbeAt::Hub(Rc::clone(&self.hub)),
            reset: None,
            only_counts: false,
        }
    }

    /// Counts what belongs to no call of the search: the start, replays, work behind the scenes.
    pub(crate) fn count_the_rest(&self, runtime: &Runtime) {
        runtime.block_on(self.hub.end(0));
    }

    /// What has been counted of the service's code. None where no probe told of any.
    pub(crate) fn coverage(&self, runtime: &Runtime) -> Option<Coverage> {
        let coverage = runtime
            .block_on(async { coverage(&self.hub.targets().await, &self.hub.roots().await) });
        (!coverage.files.is_empty()).then_some(coverage)
    }

    /// Puts the source beside the findings of which is known where they failed.
    pub(crate) fn show_source(&self, runtime: &Runtime, findings: &mut [Case]) {
        let roots = runtime.block_on(self.hub.roots());
        for case in findings {
            if let Some(place) = case.finding.evidence.place() {
                case.source = excerpt(&roots, place);
            }
        }
    }

    /// What is seen of a service that is ready, or why nothing is. An error where a probe was asked
    /// for by name.
    pub(crate) fn told(&self, runtime: &Runtime) -> Result<Option<Sight>> {
        let known = self
            .injection
            .only
            .or_else(|| recognise(&self.launch.text()));
        let patience = if known.is_some() {
            ARRIVAL
        } else {
            ARRIVAL / 10
        };
        runtime.block_on(self.hub.arrival(patience));
        // A process greets before it has loaded the service's code.
        self.count_the_rest(runtime);
        let (processes, complaint, targets) = runtime.block_on(async {
            let processes = self.hub.processes().await;
            (
                processes,
                self.hub.complaint().await,
                self.hub.targets().await,
            )
        });
        if processes > 0 && !targets.is_empty() {
            return Ok(Some(Sight::Seen(self.seen(&targets))));
        }
        let only = self.injection.only;
        let Some(language) = known else {
            return Ok(complaint.map(Sight::Blind));
        };
        let why = complaint
            .or_else(|| self.injection.trouble(&self.launch))
            .unwrap_or_else(|| self.nothing(language));
        if only.is_some() {
            bail!("{why}");
        }
        Ok(Some(Sight::Blind(format!(
            "{why}; the service is seen from outside only"
        ))))
    }

    fn seen(&self, targets: &[Known]) -> String {
        let is_line = |target: &&Known| target.descriptor.kind == Kind::Line;
        let places = targets.iter().filter(is_line).map(|target| {
            let descriptor = &target.descriptor;
            (&*descriptor.file, descriptor.line)
        });
        let lines: BTreeSet<(&str, u32)> = places.collect();
        let files: BTreeSet<&str> = lines.iter().map(|(file, _)| *file).collect();
        let cover = self.injection.cover.join(", ");
        let (lines, files) = (counted(lines.len(), "line"), counted(files.len(), "file"));
        format!("sees {lines} in {files} of {cover} from inside")
    }

    fn nothing(&self, language: Language) -> String {
        let cover = self.injection.cover.join(", ");
        format!(
            "no {language} process loaded code below {cover}: say with --cover where the service's own code is"
        )
    }
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// The line that raised an exception with its neighbours, moved to the left together.
fn excerpt(roots: &[String], place: &SourceLine) -> Vec<(u32, String)> {
    let mut files = roots.iter().map(|root| Path::new(root).join(&*place.file));
    let Some(text) = files.find_map(|file| std::fs::read_to_string(file).ok()) else {
        return Vec::new();
    };
    let near = |number: u32| number.abs_diff(place.line) <= 1;
    let numbered = (1..).zip(text.lines()).filter(|(number, _)| near(*number));
    let lines: Vec<(u32, &str)> = numbered.collect();
    let indented = lines.iter().filter(|(_, line)| !line.trim().is_empty());
    let indents = indented.map(|(_, line)| line.len() - line.trim_start().len());
    let indent = indents.min().unwrap_or(0);
    let moved = |(number, line): (u32, &str)| (number, line.get(indent..).unwrap_or("").to_owned());
    lines.into_iter().map(moved).collect()
}
