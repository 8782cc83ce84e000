//! Several instances of one service, each with a socket of its own.
#![cfg(unix)]

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fossick_probe::{Descriptor, Hello, Hub, Kind, Recorder, Seen, Unbound, Value};

fn socket(name: &str) -> PathBuf {
    let name = format!("fossick-hub-{}-{name}.sock", std::process::id());
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

/// A process with the given lines, connected to the tool.
async fn process(hub: &Hub, socket: &PathBuf, lines: &[u32]) -> Arc<Recorder> {
    let hello = Hello::of("python", &["lines", "header"]);
    let recorder = Arc::new(Recorder::new(hello, Unbound::NoCall));
    recorder.register(lines.iter().copied().map(line));
    let tool = UnixStream::connect(socket).expect("the hub listens");
    Arc::clone(&recorder).join(tool).expect("a thread is free");
    hub.arrival(Duration::from_secs(5)).await;
    recorder
}

fn hit(id: u32) -> Seen {
    let mut seen = Seen::default();
    seen.hit(id, Value::FULL);
    seen
}

#[tokio::test]
async fn instances_share_numbers_and_coverage_and_nothing_else() {
    let sockets = [socket("one"), socket("two")];
    let one = Hub::listen(&sockets[0]).expect("a socket");
    let two = one.listen_beside(1, &sockets[1]).expect("another");
    // Each process numbers its targets as it likes.
    let first = process(&one, &sockets[0], &[1, 2, 3]).await;
    let second = process(&two, &sockets[1], &[3, 2, 1]).await;
    assert_eq!((one.processes().await, two.processes().await), (1, 1));
    assert_eq!(one.targets().await.len(), 3);

    for process in [&first, &second] {
        assert!(process.begin(7) && process.begin(8));
        process.record(7, hit(0));
    }
    let (of_first, of_second) = (one.end(7).await, two.end(7).await);
    assert_eq!(of_first.reached, [(0, 1.0)]);
    assert_eq!(of_second.reached, [(2, 1.0)]);
    let covered = two.targets().await.into_iter().map(|it| it.is_covered);
    assert_eq!(covered.collect::<Vec<_>>(), [true, false, true]);

    // What one instance covered is silent on the other.
    second.record(8, hit(2));
    assert_eq!(two.end(8).await.reached, []);
}

#[tokio::test]
async fn calls_that_end_together_are_asked_together_and_told_apart() {
    let socket = socket("together");
    let hub = Hub::listen(&socket).expect("a socket");
    let lines: Vec<u32> = (1..=40).collect();
    let recorder = process(&hub, &socket, &lines).await;
    for call in 1..=40 {
        assert!(recorder.begin(call));
        recorder.record(call, hit(call as u32 - 1));
    }
    let asked = (1..=20).map(|at| hub.end_all(vec![2 * at - 1, 2 * at]));
    let mut answers: Vec<_> = asked.collect();
    let (first, second) = tokio::join!(answers.remove(0), answers.pop().expect("another"));
    let reached = |insights: &[fossick_trace::Insight]| -> Vec<(u32, f64)> {
        insights.iter().flat_map(|it| it.reached.clone()).collect()
    };
    assert_eq!(reached(&first), [(0, 1.0), (1, 1.0)]);
    assert_eq!(reached(&second), [(38, 1.0), (39, 1.0)]);
    for (at, answer) in answers.into_iter().enumerate() {
        let targets = [2 * at as u32 + 2, 2 * at as u32 + 3];
        assert_eq!(reached(&answer.await), targets.map(|it| (it, 1.0)));
    }
}
