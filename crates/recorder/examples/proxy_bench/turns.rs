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
    median: f64,
    late: f64,
}

fn load(to: &Role, connections: &str, seconds: &str) -> Result<Load, AnyError> {
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
        median,
        late,
    })
}

fn middle(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.0)
}

pub(crate) fn take(seconds: u32) -> Result<(), AnyError> {
    let upstream = Role::start(&["upstream"])?;
    let plain = Role::start(&["plain", &upstream.address])?;
    let recording = Role::start(&["recording", &upstream.address])?;
    let roles = [&upstream, &plain, &recording];
    let names = [
        "straight to the upstream",
        "plain hyper proxy",
        "recording proxy",
    ];
    for role in roles {
        load(role, BUSY, "1")?;
    }
    let mut quiet: [Vec<Load>; 3] = Default::default();
    let mut busy: [Vec<Load>; 3] = Default::default();
    for _ in 0..ROUNDS {
        for (at, role) in roles.into_iter().enumerate() {
            quiet[at].push(load(role, "1", "1")?);
            busy[at].push(load(role, BUSY, "2")?);
        }
    }
    let ratios = busy[1].iter().zip(&busy[2]).map(|(a, b)| b.rate / a.rate);
    let ratio = middle(ratios.collect());
    for (name, (quiet, busy)) in names.iter().zip(quiet.iter().zip(&busy)) {
        let of =
            |loads: &[Load], figure: fn(&Load) -> f64| middle(loads.iter().map(figure).collect());
        println!(
            "{name}\t{:.0}\t{:.0}\t{:.0}\t{:.0}",
            of(busy, |load| load.rate),
            of(busy, |load| load.median),
            of(busy, |load| load.late),
            of(quiet, |load| load.median),
        );
    }
    println!("ratio\t{ratio:.3}");
    println!("figures\t{}", recording.end()?);
    hold("recording", &upstream, seconds)?;
    hold("stuck", &upstream, seconds.div_ceil(3))
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
