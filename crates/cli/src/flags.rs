//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::harvest::HarvestCommand;
use crate::probe_name::ProbeName;
use crate::strategy::StrategyName;

/// Finds the faults of a REST or GraphQL API, shows each with a command that shows it again.
#[derive(Debug, Parser)]
#[command(name = "fossick", version, max_term_width = 100)]
pub(crate) struct Fossick {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find faults of the service that a document describes
    Test(Box<TestCommand>),
    /// Run findings again: still there, gone, or set-up failed
    Replay(ReplayFlags),
    /// Tell what is understood of a document, without calling anything
    Inspect(InspectFlags),
    /// Draw what makes what others need: before a run, or after one
    Graph(GraphFlags),
    /// Tell what a finding means, why it is one and how to silence it
    Explain(ExplainFlags),
    /// Write a commented fossick.toml
    Init(InitFlags),
    /// Test small faulty services that are built in
    Demo(Box<DemoCommand>),
    /// Serve a made-up REST API to try searches on
    Synth(SynthFlags),
    /// Compare strategies: many runs on many services, with statistics
    Lab(LabFlags),
    /// Make tests of real traffic, and tell what a new schema would break
    #[command(subcommand)]
    Harvest(Box<HarvestCommand>),
    /// Rewrite JavaScript for the probe of Node.js
    #[command(hide = true)]
    Instrument(InstrumentFlags),
}

#[derive(Debug, Args)]
pub(crate) struct InstrumentFlags {
    /// Rewrite all files below a folder, for the cache
    #[arg(long, requires = "cache")]
    pub(crate) folder: Option<PathBuf>,
    /// Folder where rewritten files are kept
    #[arg(long, requires = "folder")]
    pub(crate) cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TestCommand {
    /// OpenAPI document or GraphQL schema: a file, a URL, or - for standard input. A GraphQL schema
    /// may be several files or a folder, or the endpoint, which is asked for it
    #[arg(value_name = "SCHEMA")]
    pub(crate) schema: Vec<String>,
    #[command(flatten)]
    pub(crate) flags: TestFlags,
    /// Command that starts the service; it is stopped at the end. {port} in it and in the URL
    /// stands for a free port
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DemoCommand {
    /// Which of the services
    #[arg(value_enum, value_name = "SERVICE", default_value = "both")]
    pub(crate) service: DemoService,
    #[command(flatten)]
    pub(crate) flags: TestFlags,
}

#[derive(Debug, Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(crate) enum DemoService {
    Rest,
    #[value(name = "graphql")]
    GraphQl,
    Both,
}

#[derive(Debug, Args, Clone)]
pub(crate) struct TestFlags {
    /// Base URL of the service, where the document's own is not the one to test; for GraphQL the
    /// endpoint
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// How long to test: 30s, 2m, 1h [default: 60s]
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// How many requests to spend on searching
    #[arg(long, value_name = "N")]
    pub(crate) requests: Option<u64>,
    /// Number that all chance comes from; the same seed and the same answers give the same run
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// What searches [default: auto]
    #[arg(long, value_enum)]
    pub(crate) strategy: Option<StrategyName>,
    /// Begin with recorded calls: the path of a store, or the URL of one in PostgreSQL
    #[arg(long, value_name = "STORE")]
    pub(crate) harvest: Option<String>,
    /// At most so many requests under way at once; fewer where the service answers more slowly for
    /// it or refuses [default: 16]
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<usize>,
    /// At most so many requests a second
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<f64>,
    /// How long to wait for an answer [default: 10s]
    #[arg(long, value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    #[command(flatten)]
    pub(crate) identity: IdentityFlags,
    /// Only operations that match: a label, a path, a GraphQL field, tag:NAME or method:NAME;
    /// * matches anything
    #[arg(long, value_name = "PATTERN")]
    pub(crate) include: Vec<String>,
    /// Leave out operations that match
    #[arg(long, value_name = "PATTERN")]
    pub(crate) exclude: Vec<String>,
    /// Also change and remove what the run did not make, and try undeclared methods
    #[arg(long)]
    pub(crate) allow_destructive: bool,
    /// Write GraphQL arguments into the operation instead of sending them as variables
    #[arg(long)]
    pub(crate) inline_arguments: bool,
    /// Which probe the service is started with [default: auto]
    #[arg(long, value_enum)]
    pub(crate) probe: Option<ProbeName>,
    /// The service's own code, for the probe: a folder, a file or a package [default: the folder
    /// that it runs in]
    #[arg(long, value_name = "CODE")]
    pub(crate) cover: Vec<String>,
    /// Start the service so many times side by side, each on a port of its own, and spread the
    /// search over them [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) instances: Option<usize>,
    /// Do not check TLS certificates
    #[arg(long)]
    pub(crate) insecure: bool,
    /// Speak HTTP/2 without asking first
    #[arg(long)]
    pub(crate) http2: bool,
    /// Write a report: json=PATH, junit=PATH, or of the code that was reached lcov=PATH or
    /// cobertura=PATH
    #[arg(long, value_name = "FORMAT=PATH")]
    pub(crate) report: Vec<String>,
    /// Write a suite of tests that a team keeps: pytest=FOLDER, jest=, junit5=, junit5-kotlin=,
    /// junit4=, junit4-kotlin=, phpunit=, rust=, hurl=, shell=, postman= or json=
    #[arg(long, value_name = "WRITER=FOLDER")]
    pub(crate) suite: Vec<String>,
    /// Whether tests of suspected faults show the present behaviour and pass, or fail until it is
    /// mended
    #[arg(long, value_enum, default_value_t)]
    pub(crate) faults: FaultTests,
    /// What is printed on standard output at the end
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Show low-severity findings one by one
    #[arg(long)]
    pub(crate) all: bool,
    /// Do not look for findings of this code
    #[arg(long, value_name = "CODE")]
    pub(crate) ignore: Vec<String>,
    /// Configuration file [default: fossick.toml, where there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Folder for findings that can be replayed [default: .fossick]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[arg(long, value_enum)]
    pub(crate) color: Option<Color>,
    /// Print findings and nothing else
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Who the requests come from.
#[derive(Debug, Args, Clone, Default)]
pub(crate) struct IdentityFlags {
    /// Header on every request, 'Name: value'
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Vec<String>,
    /// Basic authentication, NAME:PASSWORD
    #[arg(long, value_name = "NAME:PASSWORD")]
    pub(crate) user: Option<String>,
    /// Bearer token
    #[arg(long, value_name = "TOKEN")]
    pub(crate) bearer: Option<String>,
    /// API key, sent as the document's scheme says; SCHEME=KEY where it has several
    #[arg(long, value_name = "KEY")]
    pub(crate) api_key: Vec<String>,
}

/// What becomes of tests that show a suspected fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FaultTests {
    #[default]
    Pass,
    Fail,
}

#[derive(Debug, Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, ValueEnum, PartialEq, Eq, Default)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayFlags {
    /// Files of findings, or folders with them
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Another base URL than the one where it was found
    #[arg(long)]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) identity: IdentityFlags,
    /// How often each is run
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) times: u32,
    /// Tests of a suite that may run at once, where they change nothing
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) concurrency: usize,
    /// Configuration file [default: fossick.toml, where there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not check TLS certificates
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InspectFlags {
    /// OpenAPI document or GraphQL schema: a file, a URL, or - for standard input. A GraphQL schema
    /// may be several files or a folder, or the endpoint, which is asked for it
    #[arg(required = true)]
    pub(crate) schema: Vec<String>,
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Header for fetching the document
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Vec<String>,
    /// Do not check TLS certificates
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GraphFlags {
    /// OpenAPI document or GraphQL schema: a file, a URL, or - for standard input
    #[arg(value_name = "SCHEMA", conflicts_with = "run")]
    pub(crate) schema: Vec<String>,
    /// What a run left behind: its folder [default: the latest in .fossick]
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    #[expect(
        clippy::option_option,
        reason = "the flag may stand alone, with a value, or not at all"
    )]
    pub(crate) run: Option<Option<PathBuf>>,
    /// The graph as it was before that run
    #[arg(long, requires = "run", conflicts_with = "schema")]
    pub(crate) before: bool,
    /// Add what recorded calls show: the path of a store, or the URL of one in PostgreSQL
    #[arg(long, value_name = "STORE", conflicts_with = "run")]
    pub(crate) harvest: Option<String>,
    /// Draw into a file: its name ends in .svg, .dot, .json or .html
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Vec<PathBuf>,
    /// Only operations and schemas with this in their name, and their neighbours
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
    /// Leave out kinds of edges, or what became of them
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = fossick_draw::PARTS)]
    pub(crate) hide: Vec<String>,
    /// Draw .svg files as an overview: each resource is one card
    #[arg(long)]
    pub(crate) overview: bool,
    /// What is printed on standard output
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: GraphFormat,
    /// Header for fetching the document
    #[arg(long, value_name = "HEADER")]
    pub(crate) header: Vec<String>,
    /// Configuration file [default: fossick.toml, where there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not check TLS certificates
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(crate) enum GraphFormat {
    Text,
    Json,
    Dot,
    Svg,
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainFlags {
    /// A code such as F301, or the file of a finding; all codes where nothing is said
    pub(crate) subject: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct InitFlags {
    /// Document to be named in the file; several files of a GraphQL schema, or its endpoint
    pub(crate) schema: Vec<String>,
    /// Where to write
    #[arg(long, default_value = "fossick.toml")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SynthFlags {
    /// One of the twelve that have a name
    #[arg(conflicts_with_all = ["file", "resources", "methods", "dependencies", "paths", "seed"])]
    pub(crate) name: Option<String>,
    /// Description of a service, in TOML
    #[arg(long, conflicts_with_all = ["resources", "methods", "dependencies", "paths", "seed"])]
    pub(crate) file: Option<PathBuf>,
    /// Make a service with so many resources [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) resources: Option<u8>,
    /// Methods of each resource, one to six [default: 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(crate) methods: Option<u8>,
    /// How often one resource owns or needs another [default: one less than resources]
    #[arg(long, value_name = "N")]
    pub(crate) dependencies: Option<u8>,
    /// Whether paths show what depends on what [default: hidden]
    #[arg(long, value_enum)]
    pub(crate) paths: Option<SynthPaths>,
    /// Number that the made service comes from [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Port on 127.0.0.1; 0 takes any that is free
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Name the twelve, and end
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the OpenAPI document, and end
    #[arg(long)]
    pub(crate) document: bool,
}

impl SynthFlags {
    /// Something was said about a service to be made.
    pub(crate) fn is_random(&self) -> bool {
        let sizes = [self.resources, self.methods, self.dependencies];
        sizes.iter().any(Option::is_some) || self.paths.is_some() || self.seed.is_some()
    }
}

#[derive(Debug, Clone, Copy, ValueEnum, PartialEq, Eq)]
pub(crate) enum SynthPaths {
    Shown,
    Hidden,
}

#[derive(Debug, Args)]
pub(crate) struct LabFlags {
    /// The experiment, in TOML
    pub(crate) file: PathBuf,
    /// Folder for results, tables and charts [default: the file without its ending]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Runs at once [default: as the file says, else half of the cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Run nothing, only write tables and charts of what is there
    #[arg(long)]
    pub(crate) tables_only: bool,
}

/// `30s`, `2m`, `1h`, `1500ms`, or seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number
        .parse()
        .map_err(|_| format!("`{text}` is no duration; write 30s, 2m or 1h"))?;
    let seconds = match unit.trim() {
        "" | "s" | "sec" => number,
        "ms" => number / 1000.0,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        other => return Err(format!("`{other}` is no unit of time; use ms, s, m or h")),
    };
    if !(0.0..1e9).contains(&seconds) {
        return Err(format!("`{text}` is too long"));
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_in_the_usual_units() {
        assert_eq!(duration("2m"), Ok(Duration::from_mins(2)));
        assert_eq!(duration("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("5"), Ok(Duration::from_secs(5)));
        assert!(duration("5 parsecs").is_err());
        assert!(duration("soon").is_err());
    }
}
