//! The command line of what records: where calls are kept, and what of them is private.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args, Clone)]
pub(crate) struct KeepFlags {
    /// Where calls are kept: a file, or a URL of PostgreSQL
    #[arg(long, value_name = "STORE", env = "FOSSICK_STORE")]
    pub(crate) store: String,
    /// File with the key of pseudonyms, made where it is missing; recorders of one store share it
    /// [default: the store's file with .key at its end]
    #[arg(long, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// More names of private fields; * matches anything
    #[arg(long, value_name = "NAME")]
    pub(crate) private: Vec<String>,
    /// Names that are not private, although they are by default
    #[arg(long, value_name = "NAME")]
    pub(crate) public: Vec<String>,
    /// Paths at which GraphQL is served, besides */graphql and */gql
    #[arg(long, value_name = "PATH")]
    pub(crate) graphql: Vec<String>,
    /// Texts of persisted queries, by their ids (JSON, as Apollo or Relay write them)
    #[arg(long, value_name = "FILE")]
    pub(crate) persisted: Option<PathBuf>,
    /// Configuration file [default: fossick.toml, where there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ProxyFlags {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8081")]
    pub(crate) listen: SocketAddr,
    /// Where calls go
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: String,
    #[command(flatten)]
    pub(crate) keep: KeepFlags,
    /// The Host that the upstream sees [default: as the client said; upstream where it is https]
    #[arg(long, value_enum)]
    pub(crate) host: Option<Host>,
    /// Add X-Forwarded-For, -Proto and -Host
    #[arg(long)]
    pub(crate) forwarded: bool,
    /// Speak HTTP/2 to an http upstream
    #[arg(long)]
    pub(crate) http2: bool,
    /// Do not check the upstream's certificate
    #[arg(long)]
    pub(crate) insecure: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    Client,
    Upstream,
}

#[derive(Debug, Args)]
pub(crate) struct CollectFlags {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7070")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) keep: KeepFlags,
    /// Whoever posts must show this token
    #[arg(
        long,
        value_name = "TOKEN",
        env = "FOSSICK_COLLECT_TOKEN",
        hide_env_values = true
    )]
    pub(crate) token: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ImportFlags {
    /// Files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) keep: KeepFlags,
    /// What the files are: har, ndjson, nginx, envoy, postman, goreplay or autographql
    /// [default: seen from each file]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Where operations were sent that tell no path
    #[arg(long, value_name = "PATH", default_value = "/graphql")]
    pub(crate) graphql_path: String,
    /// Values for {{NAME}} in Postman collections
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) variable: Vec<String>,
}
