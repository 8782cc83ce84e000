//! Programs of others that run in a process group of their own, and end with us.

use std::io::ErrorKind;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::launch::Launch;
use crate::{Failure, Log};

/// How long a program may tidy up.
const GRACE: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Waits until nobody holds its input any more, and ends the group that it is told. Not every shell
/// takes `--` before the group.
const GUARD: &str = "while read -r _; do :; done; kill -15 \"-$0\"; sleep 3; kill -9 \"-$0\"";

/// A running program. It ends when this is dropped, or when we end.
#[derive(Debug)]
pub struct Program {
    child: Child,
    guard: Option<Child>,
}

impl Program {
    /// Runs it; what it prints goes to the log.
    pub fn start(launch: &Launch, log: &Log) -> Result<Self, Failure> {
        let (out, err) = (log.file()?, log.file()?);
        let mut command = launch.command()?;
        command.stdout(out).stderr(err).process_group(0);
        let child = command.spawn().map_err(|why| match why.kind() {
            ErrorKind::NotFound => Failure::NoProgram(launch.program()),
            ErrorKind::PermissionDenied => Failure::NotExecutable(launch.program()),
            _ => Failure::NotStarted {
                program: launch.program(),
                why: why.to_string(),
            },
        })?;
        let guard = guard(&child);
        Ok(Self { child, guard })
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok()?
    }

    fn end(&mut self) {
        signal(&self.child, "-TERM");
        let asked = Instant::now();
        while asked.elapsed() < GRACE && self.ended().is_none() {
            std::thread::sleep(LOOK_EVERY);
        }
        // Whatever is left of the group; fails where nothing is, which is as good.
        signal(&self.child, "-KILL");
        let _ = self.child.wait();
        while asked.elapsed() < 2 * GRACE && signal(&self.child, "-0") {
            std::thread::sleep(LOOK_EVERY);
        }
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

/// In a group of its own, or the Ctrl-C that ends us would end it first.
fn guard(child: &Child) -> Option<Child> {
    Command::new("sh")
        .args(["-c", GUARD, &child.id().to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()
}

/// Tells whether there was anybody in the group to hear it.
fn signal(child: &Child, signal: &str) -> bool {
    let group = format!("-{}", child.id());
    let sent = Command::new("kill")
        .args([signal, "--", &group])
        .stderr(Stdio::null())
        .status();
    sent.is_ok_and(|status| status.success())
}
