//! Programs of others that are started, waited for and ended.
//!
//! A program runs in a process group of its own: what it starts in turn ends with it.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use fossick_transport::fetch;

use crate::exit::Unreachable;
use crate::reset::shell;

/// Services with a database behind them take their time.
const PATIENCE: Duration = Duration::from_mins(2);
const ASK_EVERY: Duration = Duration::from_millis(100);
/// How long a program may tidy up.
const GRACE: Duration = Duration::from_secs(3);

/// A running program. It ends when this is dropped.
pub(crate) struct Program(Child);

impl Program {
    /// Runs a line in a shell; what it prints goes to `out` and `err`.
    pub(crate) fn start(line: &str, out: impl Into<Stdio>, err: impl Into<Stdio>) -> Result<Self> {
        shell(line)
            .stdout(out)
            .stderr(err)
            .process_group(0)
            .spawn()
            .map(Self)
            .with_context(|| format!("failed to run `{line}`"))
    }

    /// How the shell ended, if it did.
    fn ended(&mut self) -> Option<std::process::ExitStatus> {
        self.0.try_wait().ok()?
    }

    fn end(&mut self) {
        signal(&self.0, "-TERM");
        let asked = Instant::now();
        while asked.elapsed() < GRACE && self.ended().is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Whatever is left of the group; fails where nothing is, which is as good.
        signal(&self.0, "-KILL");
        let _ = self.0.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

fn signal(child: &Child, signal: &str) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill")
        .args([signal, "--", &group])
        .stderr(Stdio::null())
        .status();
}

/// Waits until a service answers at a URL. A shell that ends well before that may have left the
/// service running behind it, as `docker compose up -d` does.
pub(crate) async fn until_answers(
    url: &str,
    headers: &[(String, String)],
    mut program: Option<&mut Program>,
) -> Result<()> {
    let started = Instant::now();
    loop {
        let why = match fetch(url, headers, false).await {
            // A service that has no page at its base URL is there all the same.
            Ok((status, ..)) if status < 500 => return Ok(()),
            Ok((status, ..)) => format!("{url} answers {status}"),
            Err(why) => format!("nothing answers at {url} ({why})"),
        };
        let ended = program.as_deref_mut().and_then(Program::ended);
        if let Some(status) = ended.filter(|status| !status.success()) {
            bail!("the command ended with {status} before the service answered");
        }
        if started.elapsed() > PATIENCE {
            return Err(Unreachable(why).into());
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
}
