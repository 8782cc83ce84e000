//! Runs a program and measures what it took: time, processor time, memory.
//!
//! Reads `/proc`, so it works on Linux only, like the pinning to cores.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::program::{find, program};

/// The client's core and the server's.
#[derive(Clone, Copy)]
pub(super) enum Core {
    Server,
    Client,
}

pub(super) struct Measured {
    pub(super) output: String,
    /// What it said beside its output.
    pub(super) errors: String,
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    /// The most memory it held at a time, in megabytes.
    pub(super) peak: f64,
}

/// A program that keeps to one core, where that can be had.
pub(super) fn pinned(core: Core, name: impl AsRef<std::ffi::OsStr>) -> Command {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if find("taskset").is_none() || cores < 2 {
        return program(name);
    }
    let mut command = program("taskset");
    command.args([
        "-c",
        match core {
            Core::Server => "0",
            Core::Client => "1",
        },
    ]);
    command.arg(name);
    command
}

/// Runs to the end. A status of 1 is no failure: to a tester it means that faults were found.
pub(super) fn measure(mut command: Command) -> Result<Measured> {
    let (before, started) = (children_cpu()?, Instant::now());
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("failed to start {}", command.get_program().display()))?;
    let (output, errors) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let (status, peak) = watch(&mut child)?;
    let wall = started.elapsed();
    let cpu = children_cpu()?.saturating_sub(before);
    let (output, errors) = (text(output), text(errors));
    if status > 1 {
        let last = errors.lines().last().unwrap_or("");
        bail!(
            "{} ended with {status}: {last}",
            command.get_program().display()
        );
    }
    Ok(Measured {
        output,
        errors,
        wall,
        cpu,
        peak,
    })
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What could be read before a failure is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn text(reader: JoinHandle<String>) -> String {
    reader.join().unwrap_or_default()
}

/// Waits for the end and looks at the memory meanwhile.
fn watch(child: &mut Child) -> Result<(i32, f64)> {
    const PAUSE: Duration = Duration::from_millis(3);
    let mut peak = 0.0_f64;
    loop {
        peak = peak.max(high_water(child.id()).unwrap_or(0.0));
        if let Some(status) = child.try_wait().context("failed to wait for a program")? {
            return Ok((status.code().unwrap_or(2), peak));
        }
        thread::sleep(PAUSE);
    }
}

fn high_water(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Processor time of all children that have ended.
fn children_cpu() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("failed to read /proc")?;
    children_of(&stat).context("/proc/self/stat is not as expected")
}

fn children_of(stat: &str) -> Option<Duration> {
    // The name in brackets may hold anything, so the fields are counted from its end.
    const OWN: usize = 13;
    const PER_SECOND: u64 = 100;
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(OWN);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Duration::from_millis((user + system) * 1000 / PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_found_behind_any_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 1 2 3 4 11 12 150 50 20 0 1 0 5 6 7";
        assert_eq!(children_of(stat), Some(Duration::from_secs(2)));
    }

    #[test]
    fn what_a_program_says_and_needs_is_told() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 0.05; echo hello; exit 1"]);
        let measured = measure(shell).expect("1 is not a failure");
        assert_eq!(measured.output, "hello\n");
        assert!(measured.wall >= Duration::from_millis(50));
        assert!(measured.peak > 0.0 && measured.cpu < Duration::from_secs(5));
    }

    #[test]
    fn a_program_that_fails_says_why() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo no luck >&2; exit 2"]);
        let error = measure(shell).map(|_| ()).expect_err("2 is a failure");
        assert!(error.to_string().contains("no luck"));
    }
}
