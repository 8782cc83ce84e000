//! `cargo xtask suites`: every kind of suite in the runner that it is written for.
//!
//! Suites of both built-in services are made twice, and no byte may differ. The formatter of each
//! language would change nothing in them. Each is run against
//! the service that it was made from, where all its tests pass, and against copies of the service
//! in which one behaviour has changed, where at least one of them fails. Services are started anew
//! for each run, so no runner sees what another one left behind.

mod compare;
mod format;
mod runner;
mod service;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::machine::cache;
use crate::program::{build, fossick, output};
use compare::same;
use runner::{RUNNERS, Runner, Turn, Verdict};
use service::{Change, SERVICES, Service};
use tools::Tools;

/// Where suites are made and run. Packages that Node looks for in the folders above lie here too.
fn work() -> PathBuf {
    cache().join("suites")
}

/// The named runners; all of them where none is named. On a machine that has none of them,
/// installing takes minutes.
pub(crate) fn check(named: &[&str]) -> Result<()> {
    let known = |name: &&&str| RUNNERS.iter().any(|runner| runner.name == **name);
    if let Some(unknown) = named.iter().find(|name| !known(name)) {
        let all: Vec<&str> = RUNNERS.iter().map(|runner| runner.name).collect();
        bail!(
            "there is no writer `{unknown}`; there are {}",
            all.join(", ")
        );
    }
    let is_wanted = |runner: &&Runner| named.is_empty() || named.contains(&runner.name);
    let tools = timed("installing", || Tools::install(&work()))?;
    build()?;
    for service in &SERVICES {
        timed(&format!("making the suites of {}", service.name), || {
            make_twice(service)
        })?;
        for turn in ["first", FAILING] {
            tools.pin(&folder(service, turn, "rust"))?;
        }
    }
    let runners: Vec<&Runner> = RUNNERS.iter().filter(is_wanted).collect();
    side_by_side(&runners, |runner| {
        timed(runner.name, || judge(runner, &tools))
    })
}

/// Runners wait for services and services for runners: two at a time keep two cores busy. None
/// begins any more when one has failed.
fn side_by_side(runners: &[&Runner], judge: impl Fn(&Runner) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(runner) = runners.get(next.fetch_add(1, Ordering::Relaxed)) {
            judge(runner).inspect_err(|_| next.store(runners.len(), Ordering::Relaxed))?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let ended = work();
        ended.and(other.join().unwrap_or_else(|_| bail!("a check panicked")))
    })
}

fn timed<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let done = work()?;
    println!("{what}: {:.1} s", started.elapsed().as_secs_f64());
    Ok(done)
}

fn folder(service: &Service, turn: &str, runner: &str) -> PathBuf {
    work().join(turn).join(service.name).join(runner)
}

fn make_twice(service: &Service) -> Result<()> {
    for turn in ["first", "second"] {
        make(service, turn, "pass")?;
    }
    make(service, FAILING, "fail")?;
    let [first, second] = ["first", "second"].map(|turn| work().join(turn).join(service.name));
    same(&first, &second).with_context(|| {
        format!(
            "two runs with one seed made different suites of {}",
            service.name
        )
    })
}

/// The turn whose tests of faults fail until the faults are mended.
const FAILING: &str = "failing";

fn make(service: &Service, turn: &str, faults: &str) -> Result<()> {
    let whole = work().join(turn).join(service.name);
    // What an older version wrote, or a runner, is none of this one's work.
    if whole.exists() {
        fs::remove_dir_all(&whole).context("failed to make room for the suites")?;
    }
    let mut demo = crate::program::program(fossick());
    demo.args(["demo", service.name, "--seed", "1", "--requests", "6000"]);
    let out = work().join(turn).join(format!("{}-run", service.name));
    demo.arg("--out").arg(out).args(["--faults", faults]);
    for runner in &RUNNERS {
        let to = folder(service, turn, runner.name);
        demo.arg("--suite")
            .arg(format!("{}={}", runner.name, to.display()));
    }
    made(demo)
}

/// Findings are what the demo is for: its exit code is 1.
fn made(mut demo: std::process::Command) -> Result<()> {
    let ended = demo.output().context("failed to start fossick")?;
    if ended.status.code() != Some(1) {
        let why = String::from_utf8_lossy(&ended.stderr);
        bail!("fossick demo ended with {}: {}", ended.status, why.trim());
    }
    Ok(())
}

/// Passes on what it was made from, and fails on what has changed. Where faults are to fail, their
/// tests pass when all are mended.
fn judge(runner: &Runner, tools: &Tools) -> Result<()> {
    for service in &SERVICES {
        let suite = folder(service, "first", runner.name);
        format::check(runner.name, &suite, tools)?;
        let see =
            |change, turn, verdict| expect(runner, tools, &suite, service, (change, turn), verdict);
        see(Change::None, Turn::First, Verdict::Passed)?;
        for change in service.changes {
            see(Change::Mended(change), Turn::Again, Verdict::Failed)?;
        }
        if runner.knows_faults() {
            let suite = folder(service, FAILING, runner.name);
            format::check(runner.name, &suite, tools)?;
            for (change, verdict) in [
                (Change::None, Verdict::Failed),
                (Change::AllMended, Verdict::Passed),
            ] {
                let how = (change, Turn::Faults);
                expect(runner, tools, &suite, service, how, verdict)?;
            }
        }
    }
    Ok(())
}

fn expect(
    runner: &Runner,
    tools: &Tools,
    suite: &Path,
    service: &Service,
    (change, turn): (Change, Turn),
    wanted: Verdict,
) -> Result<()> {
    let running = service.start(change)?;
    let (verdict, told) = runner.run(tools, suite, &running, turn)?;
    if verdict == wanted {
        return Ok(());
    }
    let against = match change {
        Change::None => service.name.to_owned(),
        Change::Mended(fault) => format!("{} with {fault} mended", service.name),
        Change::AllMended => format!("{} with everything mended", service.name),
    };
    println!("{}", tail(&told));
    bail!(
        "the {} suite {verdict} against {against}; its last words are above",
        runner.name
    )
}

/// Lines of a runner's output that are shown where it did not do what it should.
const SHOWN: usize = 80;

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.len().saturating_sub(SHOWN);
    lines.get(start..).unwrap_or_default().join("\n")
}

/// The version that a program tells of itself, or nothing where it can't be started.
fn version(program: &Path) -> String {
    let mut command = crate::program::program(program);
    command.arg("--version");
    output(command).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_ten_changes_of_both_services() {
        assert!(SERVICES.iter().all(|service| !service.changes.is_empty()));
        let changes: usize = SERVICES.iter().map(|service| service.changes.len()).sum();
        assert_eq!(changes, 10);
    }

    #[test]
    fn the_end_of_a_long_output_is_shown() {
        let long: Vec<String> = (0..200).map(|line| line.to_string()).collect();
        let shown = tail(&long.join("\n"));
        assert!(shown.starts_with("120\n") && shown.ends_with("199"));
        assert_eq!(tail("one"), "one");
    }
}
