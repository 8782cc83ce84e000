//! Starts everybody, lets each have its turn again and again, and prints what came of it: one
//! line each of tab-separated words and figures.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::AnyError;

const ROUNDS: usize = 7;
const BUSY: &str = "32";

/// A role in a process of its own.
struct Role {
    child: Child,
    output: BufReader<ChildStdout>,
    address: String,
}

impl Role {
    fn start(arguments: &[&str]) -> Result<Self, AnyError> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let mut output = BufReader::new(output);
        let mut address = String::new();
        output.read_line(&mut address)?;
        let address = address.trim().to_owned();
        Ok(Self {
            child,
            output,
            address,
        })
    }

    /// Megabytes of memory held, from Linux's own account.
    fn memory(&self) -> Option<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }

    /// Microseconds of processor time so far, of all threads.
    fn cpu(&self) -> Option<f64> {
        const TICK: f64 = 1e6 / 100.0;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let (_, rest) = stat.rsplit_once(')')?;
        let ticks = rest.split_whitespace().skip(11).take(2);
        let ticks: f64 = ticks.flat_map(str::parse::<f64>).sum();
        Some(ticks * TICK)
    }

    /// Asks for the end and gives the last words.
    fn end(mut self) -> Result<String, AnyError> {
        if let Some(mut input) = self.child.stdin.take() {
            input.write_all(b"end\n")?;
        }
        let mut words = String::new();
        self.output.read_line(&mut words)?;
        Ok(words.trim().to_owned())
    }
}

impl Drop for Role {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Clone, Copy)]
struct Load {
    rate: f64,
    /// Microseconds of the loaded one's processor time for each call.
    cpu: f64,
    median: f64,
    late: f64,
}

fn load(to: &Role, connections: &str, seconds: &str) -> Result<Load, AnyError> {
    let before = to.cpu().unwrap_or(0.0);
    let output = Command::new(std::env::current_exe()?)
        .args(["load", &to.address, connections, seconds])
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let figures: Vec<f64> = text.split_whitespace().flat_map(str::parse).collect();
    let [calls, seconds, median, late] = figures[..] else {
        return Err(format!("the load failed: {text}").into());
    };
    Ok(Load {
        rate: calls / seconds,
        cpu: (to.cpu().unwrap_or(0.0) - before) / calls,
        median,
        late,
    })
}

fn middle(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

/// What everybody is called, in the order of their turns.
const NAMES: [&str; 4] = [
    "straight to the upstream",
    "plain hyper proxy",
    "plain hyper proxy, one thread",
    "recording proxy",
];

/// One load for each turn of each.
type Loads = [Vec<Load>; 4];

pub(crate) fn take(seconds: u32) -> Result<(), AnyError> {
    let upstream = Role::start(&["upstream"])?;
    let plain = Role::start(&["plain", &upstream.address])?;
    let one = Role::start(&["plain-one", &upstream.address])?;
    let recording = Role::start(&["recording", &upstream.address])?;
    let roles = [&upstream, &plain, &one, &recording];
    for role in roles {
        load(role, BUSY, "1")?;
    }
    let (mut quiet, mut busy) = (Loads::default(), Loads::default());
    for _ in 0..ROUNDS {
        for (at, role) in roles.into_iter().enumerate() {
            quiet[at].push(load(role, "1", "1")?);
            busy[at].push(load(role, BUSY, "2")?);
        }
    }
    print(&quiet, &busy);
    println!("figures\t{}", recording.end()?);
    drop((plain, one));
    hold("recording", &upstream, seconds)?;
    hold("stuck", &upstream, seconds.div_ceil(3))
}

/// The rate beside that of the plain proxy is taken turn by turn: neighbours disturb both alike.
fn print(quiet: &Loads, busy: &Loads) {
    let of = |loads: &[Load], figure: fn(&Load) -> f64| middle(loads.iter().map(figure).collect());
    for (at, name) in NAMES.iter().enumerate() {
        let beside = busy[at].iter().zip(&busy[1]);
        let ratio = middle(beside.map(|(own, plain)| own.rate / plain.rate).collect());
        println!(
            "{name}\t{:.0}\t{ratio:.2}\t{:.1}\t{:.0}\t{:.0}\t{:.0}",
            of(&busy[at], |load| load.rate),
            of(&busy[at], |load| load.cpu),
            of(&busy[at], |load| load.median),
            of(&busy[at], |load| load.late),
            of(&quiet[at], |load| load.median),
        );
    }
}

/// Loads a proxy for a while and tells what memory it held: after a warm-up, and at most after.
fn hold(role: &str, upstream: &Role, seconds: u32) -> Result<(), AnyError> {
    let proxy = Role::start(&[role, &upstream.address])?;
    let mut held = Vec::new();
    let started = Instant::now();
    let mut loading = Command::new(std::env::current_exe()?)
        .args(["load", &proxy.address, BUSY, &seconds.to_string()])
        .stdout(Stdio::null())
        .spawn()?;
    while loading.try_wait()?.is_none() {
        sleep(Duration::from_millis(500));
        held.push((
            started.elapsed().as_secs_f64(),
            proxy.memory().unwrap_or(0.0),
        ));
    }
    let warm = f64::from(seconds) / 3.0;
    let (before, after): (Vec<_>, Vec<_>) = held.iter().partition(|(at, _)| *at < warm);
    let most = |held: Vec<&(f64, f64)>| held.iter().map(|(_, mb)| *mb).fold(0.0, f64::max);
    let (before, after) = (most(before.iter().collect()), most(after.iter().collect()));
    println!("memory {role}\t{before:.1}\t{after:.1}\t{}", proxy.end()?);
    Ok(())
}
