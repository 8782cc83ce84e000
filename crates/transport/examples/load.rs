//! Sends GETs as fast as it can and tells what each one cost. `load URL CONNECTIONS REQUESTS`

#![expect(
    clippy::print_stdout,
    reason = "an example that prints what it measured"
)]

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use bytes::Bytes;
use fossick_contract::Method;
use fossick_trace::Request;
use fossick_transport::{Client, Settings};
use tokio::task::LocalSet;

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, connections, requests] = arguments.as_slice() else {
        return Err("usage: load URL CONNECTIONS REQUESTS".into());
    };
    let (connections, requests) = (connections.parse()?, requests.parse()?);
    let client = Client::new(Settings {
        connections,
        ..Settings::new(url.parse()?)
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (started, before) = (Instant::now(), cpu_nanoseconds());
    let good = LocalSet::new().block_on(&runtime, run(&client, connections, requests));
    let (wall, after) = (started.elapsed().as_secs_f64(), cpu_nanoseconds());
    println!("{good} of {requests} answered with success");
    println!("{:.0} requests/s", f64::from(requests) / wall);
    if let (Some(before), Some(after)) = (before, after) {
        let each = (after - before) as f64 / 1000.0 / f64::from(requests);
        println!("{each:.2} µs of CPU per request");
    }
    Ok(())
}

async fn run(client: &Client, connections: usize, requests: u32) -> u32 {
    let left = Rc::new(Cell::new(requests));
    let workers: Vec<_> = (0..connections)
        .map(|_| tokio::task::spawn_local(work(client.clone(), Rc::clone(&left))))
        .collect();
    let mut good = 0;
    for worker in workers {
        good += worker.await.unwrap_or(0);
    }
    good
}

async fn work(client: Client, left: Rc<Cell<u32>>) -> u32 {
    let request = Request {
        method: Method::Get,
        target: "/items/1".into(),
        headers: vec![],
        body: Bytes::new(),
        user: None,
        anonymous: false,
    };
    let mut good = 0;
    while left.get() > 0 {
        left.set(left.get() - 1);
        good += u32::from(client.send(&request).await.is_success());
    }
    good
}

/// Time on a processor of the main thread, which does all the work here.
fn cpu_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
