//! The command line of `fossick harvest`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use crate::flags::{Format, IdentityFlags, duration};
use crate::harvest::recording::{CollectFlags, ImportFlags, ProxyFlags};

#[derive(Debug, Subcommand)]
pub(crate) enum HarvestCommand {
    /// Let traffic through to a service and keep what calls it
    Proxy(ProxyFlags),
    /// Keep the calls that middleware of a service tells of
    Collect(CollectFlags),
    /// Keep the calls that files tell of: HAR, logs, Postman collections, GoReplay
    Import(ImportFlags),
    /// List the calls that were seen, the most frequent first
    List(ListFlags),
    /// Write a suite with one test for each call
    Suite(SuiteFlags),
    /// Tell how much of a schema the calls reach, and how their tests fare
    Metrics(MetricsFlags),
    /// Tell which calls a new schema would break, and write them as they should be
    Drift(DriftFlags),
}

/// Which calls are meant.
#[derive(Debug, Args, Clone, Default)]
pub(crate) struct RecordFlags {
    /// Where recorded calls are kept: a file, or a URL of PostgreSQL
    #[arg(long, value_name = "STORE")]
    pub(crate) store: String,
    /// Only calls that were seen so often
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_calls: u64,
    /// Only calls that were seen since a day, 2024-05-17, or in the last 90m, 24h or 7d
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only calls of these operations: a name, a GraphQL field, or a path; * matches anything
    #[arg(long, value_name = "PATTERN")]
    pub(crate) operation: Vec<String>,
}

/// What the service promises.
#[derive(Debug, Args, Clone, Default)]
pub(crate) struct SchemaFlags {
    /// GraphQL schema or OpenAPI document: files, a URL, or the endpoint, which is asked for it
    #[arg(long, value_name = "SCHEMA", required = true, num_args = 1..)]
    pub(crate) schema: Vec<String>,
    #[command(flatten)]
    pub(crate) identity: IdentityFlags,
    /// Configuration file [default: fossick.toml, where there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Do not check TLS certificates
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListFlags {
    #[command(flatten)]
    pub(crate) records: RecordFlags,
    /// Tell as well what was left out or exchanged before it was kept
    #[arg(long)]
    pub(crate) show_redactions: bool,
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// What becomes a test.
#[derive(Debug, Args, Clone, Default)]
pub(crate) struct TestsFlags {
    /// Make tests of calls that change something as well
    #[arg(long)]
    pub(crate) mutations: bool,
    /// Let an ID be a whole number too, where the service has always written it so
    #[arg(long)]
    pub(crate) integer_ids: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SuiteFlags {
    #[command(flatten)]
    pub(crate) records: RecordFlags,
    #[command(flatten)]
    pub(crate) schema: SchemaFlags,
    #[command(flatten)]
    pub(crate) tests: TestsFlags,
    /// Write the suite: pytest=FOLDER, jest=, junit5=, junit5-kotlin=, junit4=, junit4-kotlin=,
    /// phpunit=, rust=, hurl=, shell=, postman= or json=
    #[arg(long, value_name = "WRITER=FOLDER", required = true)]
    pub(crate) out: Vec<String>,
    /// Where the service is; for GraphQL the endpoint [default: as the schema or the calls say]
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Keep the fewest tests that reach all that the calls reach of the schema
    #[arg(long)]
    pub(crate) minimise: bool,
    /// Take as many tests as answers took no longer at the time: 60s, 5m
    #[arg(long, value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// How to bring the service back before tests that change something: a line for a shell, or
    /// a URL that is called with POST
    #[arg(long, value_name = "LINE")]
    pub(crate) reset: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MetricsFlags {
    #[command(flatten)]
    pub(crate) records: RecordFlags,
    #[command(flatten)]
    pub(crate) schema: SchemaFlags,
    #[command(flatten)]
    pub(crate) tests: TestsFlags,
    /// Run the tests at this URL and count what they assert and find
    #[arg(long)]
    pub(crate) url: Option<String>,
    /// Compare with another suite: a list of tuples (CSV), or another store
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<String>,
    /// Tests under way at once, where they change nothing
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) concurrency: usize,
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct DriftFlags {
    #[command(flatten)]
    pub(crate) records: RecordFlags,
    #[command(flatten)]
    pub(crate) schema: SchemaFlags,
    /// The schema that the calls were made for: new names are followed only to the same type
    #[arg(long, value_name = "SCHEMA", num_args = 1..)]
    pub(crate) old: Vec<String>,
    /// Write the repaired calls as records, one a line; other commands take them as a store
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
