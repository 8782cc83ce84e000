//! Both ends on a real socket.
#![cfg(unix)]

use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use fossick_probe::{
    Descriptor, Hello, Kind, Line, LineError, Observation, Observed, Raised, Recorder, Scalar,
    Seen, Serving, SourceLine, Sql, Unbound, Value,
};

fn path() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("fossick-line-{}-{number}.sock", std::process::id());
    std::env::temp_dir().join(name)
}

fn line(number: u32) -> Descriptor {
    Descriptor {
        file: "shop.py".into(),
        line: number,
        kind: Kind::Line,
        ordinal: 0,
        label: format!("line {number}"),
    }
}

fn service() -> (Arc<Recorder>, Serving, PathBuf) {
    let path = path();
    let listener = UnixListener::bind(&path).expect("the temporary folder takes sockets");
    let hello = Hello::of("python", &["lines"]);
    let recorder = Arc::new(Recorder::new(hello, Unbound::NoCall));
    recorder.register((1..=20).map(line));
    let serving = recorder.clone().serve(listener).expect("a thread is free");
    (recorder, serving, path)
}

fn hit(id: u32, value: f64) -> Seen {
    let mut seen = Seen::default();
    seen.hit(id, Value::new(value));
    seen
}

#[tokio::test]
async fn two_calls_at_once_are_told_apart() -> Result<(), LineError> {
    let (recorder, _serving, path) = service();
    let mut tool = Line::connect(&path).await?;
    assert_eq!(tool.hello().await?.language, "python");
    assert_eq!(tool.catalogue().key(4).as_deref(), Some("shop.py:5:line:0"));

    tool.begin(1).await?;
    tool.begin(2).await?;
    recorder.record(1, hit(3, 1.0));
    recorder.record(2, hit(3, 0.5));
    recorder.record(1, hit(4, 0.25));
    recorder.record(99, hit(9, 1.0));
    assert_eq!(tool.end(2).await?.hits, [(3, Value::new(0.5))]);
    let first = tool.end(1).await?;
    assert_eq!(first.hits, [(3, Value::FULL), (4, Value::new(0.25))]);
    assert_eq!(tool.end(0).await?.hits, [(9, Value::FULL)]);
    Ok(())
}

#[tokio::test]
async fn covered_targets_are_silent_until_a_reset() -> Result<(), LineError> {
    let (recorder, _serving, path) = service();
    let mut tool = Line::connect(&path).await?;
    tool.hello().await?;
    tool.covered(&[3]).await?;
    tool.begin(1).await?;
    recorder.record(1, hit(3, 1.0));
    assert_eq!(tool.end(1).await?.hits, []);
    tool.reset().await?;
    tool.begin(1).await?;
    recorder.record(1, hit(3, 1.0));
    assert_eq!(tool.end(1).await?.value(3), Value::FULL);
    Ok(())
}

#[tokio::test]
async fn last_lines_observations_and_statements_come_along() -> Result<(), LineError> {
    let (recorder, _serving, path) = service();
    let mut tool = Line::connect(&path).await?;
    tool.hello().await?;
    let place = SourceLine {
        file: "shop.py".into(),
        line: 9,
    };
    let observation = Observation {
        target: Some(3),
        what: Observed::Equal(Scalar::Whole(41), Scalar::Whole(42)),
    };
    let raised = Raised {
        exception: "KeyError".to_owned(),
        message: "'sku'".to_owned(),
        place: place.clone(),
    };
    let statement = Sql {
        call: 1,
        statement: "SELECT 1".to_owned(),
        ..Sql::default()
    };
    tool.begin(1).await?;
    let mut seen = Seen::default();
    seen.last_line(place.clone());
    seen.observe(observation.clone());
    seen.raise(raised.clone());
    recorder.record(1, seen);
    recorder.sql(statement.clone());
    let delta = tool.end(1).await?;
    assert_eq!(delta.last_line, Some(place));
    assert_eq!(delta.observations, [observation]);
    assert_eq!(delta.failures, [raised]);
    assert_eq!(tool.take_statements(), [statement]);
    assert_eq!(tool.take_statements(), []);
    Ok(())
}

#[tokio::test]
async fn targets_that_are_found_later_are_told_later() -> Result<(), LineError> {
    let (recorder, _serving, path) = service();
    let mut tool = Line::connect(&path).await?;
    tool.hello().await?;
    assert_eq!(tool.catalogue().len(), 20);
    let first = recorder.register((100..5100).map(line));
    tool.begin(1).await?;
    recorder.record(1, hit(first + 4999, 1.0));
    let delta = tool.end(1).await?;
    assert_eq!(delta.hits, [(5019, Value::FULL)]);
    assert_eq!(
        tool.catalogue().key(5019).as_deref(),
        Some("shop.py:5099:line:0")
    );
    Ok(())
}

#[tokio::test]
async fn a_service_that_is_gone_is_an_answer() -> Result<(), LineError> {
    let (_recorder, serving, path) = service();
    let mut tool = Line::connect(&path).await?;
    tool.hello().await?;
    tool.begin(1).await?;
    drop(serving);
    let delta = tool.end(1).await?;
    assert!(delta.died);
    assert_eq!(delta.call, 1);
    assert!(!path.exists());
    assert!(tool.begin(2).await.is_err());
    Ok(())
}

#[tokio::test]
async fn a_tool_that_comes_later_begins_anew() -> Result<(), LineError> {
    let (recorder, _serving, path) = service();
    let mut first = Line::connect(&path).await?;
    first.hello().await?;
    first.covered(&[3]).await?;
    first.begin(1).await?;
    first.bye().await?;
    let mut second = Line::connect(&path).await?;
    second.hello().await?;
    assert_eq!(second.catalogue().len(), 20);
    second.begin(1).await?;
    recorder.record(1, hit(3, 1.0));
    assert_eq!(second.end(1).await?.hits, [(3, Value::FULL)]);
    Ok(())
}

#[tokio::test]
async fn a_probe_that_says_nothing_is_late() -> Result<(), LineError> {
    let path = path();
    let listener = UnixListener::bind(&path).expect("the temporary folder takes sockets");
    let patience = Duration::from_millis(20);
    let mut tool = Line::connect(&path).await?.with_timeout(patience);
    assert!(matches!(tool.hello().await, Err(LineError::Late)));
    drop(listener);
    std::fs::remove_file(&path)?;
    Ok(())
}
