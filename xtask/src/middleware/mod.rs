//! `cargo xtask middleware`: every middleware of the book in a service of its framework.
//!
//! A small service is started with the middleware in it, and a collector that writes down what it
//! is told. Whatever the service answers must be what it would answer without. Then the collector
//! goes away, comes back deaf, and comes back well: the service must not care, and what was lost
//! must be told as a number.

mod collector;
mod framework;
mod wire;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fossick_harvest::Seen;
use fossick_harvest::import::{Format, Settings, read};

use collector::{Collector, Manner};
use framework::{FRAMEWORKS, Framework, QUICK, Running};
use wire::{Answer, Request};

/// All frameworks there are; some take minutes to install.
pub(crate) fn check() -> Result<()> {
    FRAMEWORKS.iter().try_for_each(judge)
}

/// Those that are there in a minute: what every change is held to.
pub(crate) fn quick() -> Result<()> {
    FRAMEWORKS[..QUICK].iter().try_for_each(judge)
}

fn judge(framework: &Framework) -> Result<()> {
    framework.install()?;
    let started = Instant::now();
    let slowest = tell_and_lose(framework)
        .with_context(|| format!("the middleware of {} failed", framework.name))?;
    println!(
        "{}: all is told, and without a collector the slowest of {ALONE} answers took {} ms ({:.1} s)",
        framework.name,
        slowest.as_millis(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Calls made while nobody collects.
const ALONE: usize = 30;

/// No answer may take longer, whatever the collector does. Machines that test are slow.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a middleware may take to tell what it saw.
const TOLD_WITHIN: Duration = Duration::from_secs(10);

fn tell_and_lose(framework: &Framework) -> Result<Duration> {
    let collector = Collector::start(0, Manner::Answers)?;
    let port = collector.port;
    let service = framework.start(port)?;
    everything_is_told(&service, &collector)?;
    drop(collector);
    let mut slowest = undisturbed(&service, ALONE)?;
    let deaf = Collector::start(port, Manner::Deaf)?;
    slowest = slowest.max(undisturbed(&service, ALONE / 2)?);
    drop(deaf);
    losses_are_told(&service, &Collector::start(port, Manner::Answers)?)?;
    Ok(slowest)
}

/// Words that no collector may hear.
const SECRETS: [(&str, &str); 3] = [
    ("Authorization", "Bearer secret-token"),
    ("Cookie", "session=secret-cookie"),
    ("X-Api-Key", "secret-key"),
];

fn list() -> Request {
    Request::new("GET", "/books?tag=a%20b").header("Accept", "application/json")
}

fn create(title: &str) -> Request {
    let body = format!("{{\"title\":\"{title}\"}}");
    Request::new("POST", "/books").body("application/json", &body)
}

fn log_in() -> Request {
    Request::new("POST", "/login").body("application/x-www-form-urlencoded", "user=ann+b&x=1")
}

fn everything_is_told(service: &Running, collector: &Collector) -> Result<()> {
    let calls = [
        (list(), 200, Some(r#"[{"id":1,"tag":"a b"}]"#)),
        (create("Zoë's"), 201, Some(r#"{"id":2,"title":"Zoë's"}"#)),
        (log_in(), 200, Some("welcome ann b")),
        (Request::new("GET", "/large"), 200, None),
        (Request::new("GET", "/fail"), 500, None),
    ];
    let first = collector.lines().len();
    for (call, status, body) in &calls {
        let call = SECRETS
            .iter()
            .fold(call.clone(), |call, (name, value)| call.header(name, value));
        answers(service, &call, *status, *body)?;
    }
    answers(service, &create(&"x".repeat(100_000)), 201, None)?;
    let told = collector.wait(first + calls.len(), TOLD_WITHIN);
    without_secrets(&told)?;
    let seen = seen(&told)?;
    for (call, status, body) in &calls {
        let found = seen.iter().filter(|seen| is_about(seen, call)).count();
        ensure!(
            found == 1,
            "`{} {}` was told {found} times",
            call.method,
            call.target
        );
        let seen = seen.iter().find(|seen| is_about(seen, call));
        holds(seen.context("it was found")?, call, *status, *body)?;
    }
    let large = seen.iter().any(|seen| seen.body.len() > 65_536);
    ensure!(!large, "a body that is too large was told");
    Ok(())
}

/// The service says what it would say without a middleware.
fn answers(service: &Running, call: &Request, status: u16, body: Option<&str>) -> Result<Answer> {
    let answer = service.ask(call)?;
    ensure!(
        answer.status == status,
        "`{} {}` was answered {}",
        call.method,
        call.target,
        answer.status
    );
    if let Some(body) = body {
        same(&answer.body, body).with_context(|| format!("the answer of {}", call.target))?;
    }
    Ok(answer)
}

/// As JSON where it is; frameworks differ in spaces and escapes.
fn same(found: &[u8], wanted: &str) -> Result<()> {
    let json = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).ok();
    let equal = match json(wanted.as_bytes()) {
        Some(value) => json(found) == Some(value),
        None => found == wanted.as_bytes(),
    };
    ensure!(
        equal,
        "`{}` is not `{wanted}`",
        String::from_utf8_lossy(found)
    );
    Ok(())
}

fn seen(lines: &[String]) -> Result<Vec<Seen>> {
    let text = lines.join("\n");
    let settings = Settings::default();
    let calls: Result<Vec<Seen>, _> = read(Format::Ndjson, text.as_bytes(), &settings).collect();
    calls.context("what was told can't be read")
}

fn without_secrets(lines: &[String]) -> Result<()> {
    match lines.iter().find(|line| line.contains("secret-")) {
        Some(line) => bail!("a secret was told: {line}"),
        None => Ok(()),
    }
}

fn is_about(seen: &Seen, call: &Request) -> bool {
    seen.method == call.method && seen.target == call.target
}

fn holds(seen: &Seen, call: &Request, status: u16, body: Option<&str>) -> Result<()> {
    ensure!(
        seen.body == call.body,
        "the body of {} is another",
        call.target
    );
    // Some servers make up a type where none was sent.
    if let Some((name, value)) = call.headers.iter().find(|(name, _)| name == "Content-Type") {
        let told = seen.header(name);
        ensure!(
            told == Some(value),
            "the type of {} is {told:?}",
            call.target
        );
    }
    let answer = seen.answer.as_ref().context("no answer was told")?;
    ensure!(
        answer.status == status,
        "{} was told as {}",
        call.target,
        answer.status
    );
    ensure!(
        answer.took.is_some_and(|took| took < 60_000_000),
        "it took too long: {answer:?}"
    );
    ensure!(
        seen.client.is_some() && seen.at > 1_700_000_000_000,
        "who and when: {seen:?}"
    );
    match body {
        Some(body) => same(answer.body.as_deref().unwrap_or_default(), body),
        None if call.target == "/large" => {
            ensure!(answer.body.is_none(), "a large answer was told");
            Ok(())
        }
        None => Ok(()),
    }
}

/// Answers as before, and as quickly; gives the slowest.
fn undisturbed(service: &Running, calls: usize) -> Result<Duration> {
    let mut slowest = Duration::ZERO;
    for _ in 0..calls {
        let started = Instant::now();
        answers(service, &list(), 200, Some(r#"[{"id":1,"tag":"a b"}]"#))?;
        slowest = slowest.max(started.elapsed());
        // Long enough in all that nothing can wait for better times.
        std::thread::sleep(Duration::from_millis(30));
    }
    ensure!(
        slowest < PATIENCE,
        "an answer took {slowest:?} while nobody collected"
    );
    Ok(slowest)
}

/// When somebody collects again, calls are told again, and how many were lost.
fn losses_are_told(service: &Running, collector: &Collector) -> Result<()> {
    let until = Instant::now() + TOLD_WITHIN;
    while Instant::now() < until {
        answers(service, &list(), 200, None)?;
        std::thread::sleep(Duration::from_millis(200));
        if !collector.lines().is_empty() && collector.dropped() > 0 {
            return Ok(());
        }
    }
    bail!(
        "{} calls and {} losses were told after the collector came back",
        collector.lines().len(),
        collector.dropped()
    )
}
