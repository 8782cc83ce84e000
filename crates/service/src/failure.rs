//! What can go wrong with a service, in words that say what to do.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("there is no program `{0}`: it is neither a file nor on the PATH")]
    NoProgram(String),
    #[error("`{0}` is there, but may not be run")]
    NotExecutable(String),
    #[error("there is no folder {}", .0.display())]
    NoFolder(PathBuf),
    #[error(
        "port {0} is taken: something listens there already. Stop it, or write {{port}} for it in the command and in the URL, and a free one is chosen"
    )]
    PortTaken(u16),
    #[error("there is no free port ({0})")]
    NoPort(String),
    #[error("the command ended with {status} before the service was ready{}", shown(.lines))]
    Died {
        status: ExitStatus,
        lines: Vec<String>,
    },
    #[error(
        "the service was not ready after {} s: {why}{}",
        .waited.as_secs(),
        shown(.lines)
    )]
    NeverReady {
        waited: Duration,
        /// What was seen at last.
        why: String,
        lines: Vec<String>,
    },
    #[error("failed to run `{program}`: {why}")]
    NotStarted { program: String, why: String },
    #[error("failed to write {}: {why}", .path.display())]
    Log { path: PathBuf, why: String },
}

/// The last lines that it printed, if it printed any.
fn shown(lines: &[String]) -> String {
    if lines.is_empty() {
        return "; it printed nothing".to_owned();
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("\n  {line}")).collect();
    format!("; its last lines:{}", lines.concat())
}
