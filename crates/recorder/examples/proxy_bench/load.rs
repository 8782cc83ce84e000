//! Sends GraphQL questions of 1 to 2 kB, each on its connection as soon as the last is answered,
//! and tells how many there were and how long they took.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::LocalSet;

use crate::AnyError;

/// Prints: calls, seconds, median and 99th hundredth in microseconds.
pub(crate) fn run(to: &str, connections: usize, seconds: f64) -> Result<(), AnyError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let taken = Rc::new(RefCell::new(Vec::with_capacity(1 << 20)));
    let local = LocalSet::new();
    let started = Instant::now();
    let until = started + Duration::from_secs_f64(seconds);
    for number in 0..connections {
        let (to, taken) = (to.to_owned(), Rc::clone(&taken));
        local.spawn_local(async move {
            if let Err(why) = work(&to, number, until, &taken).await {
                eprintln!("a connection failed: {why}");
                std::process::exit(2);
            }
        });
    }
    runtime.block_on(local);
    let wall = started.elapsed().as_secs_f64();
    let mut taken = taken.take();
    taken.sort_unstable();
    let at = |share: f64| taken.get((taken.len() as f64 * share) as usize);
    let (median, late) = (at(0.5).unwrap_or(&0), at(0.99).unwrap_or(&0));
    println!("{} {wall} {median} {late}", taken.len());
    Ok(())
}

async fn work(
    to: &str,
    number: usize,
    until: Instant,
    taken: &RefCell<Vec<u32>>,
) -> Result<(), AnyError> {
    let stream = TcpStream::connect(to).await?;
    stream.set_nodelay(true)?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::task::spawn_local(connection);
    let mut round = 0;
    while Instant::now() < until {
        round += 1;
        let request = question(number, round)?;
        let started = Instant::now();
        sender.ready().await?;
        let response = sender.send_request(request).await?;
        if !response.status().is_success() {
            return Err(format!("status {}", response.status()).into());
        }
        let body = response.into_body().collect().await?.to_bytes();
        if body.len() < 1500 {
            return Err(format!("only {} bytes came", body.len()).into());
        }
        let took = started.elapsed().as_micros();
        taken.borrow_mut().push(u32::try_from(took)?);
    }
    Ok(())
}

fn question(number: usize, round: usize) -> Result<Request<Full<Bytes>>, AnyError> {
    const QUERY: &str = "query Items($first: Int!, $after: String, $filter: ItemFilter) { items(first: $first, after: $after, filter: $filter) { nodes { id name price { amount currency } tags available vendor { id name country rating } images(first: 3) { url width height alt } reviews(first: 5) { nodes { id author { id name avatar } stars text createdAt } pageInfo { hasNextPage endCursor } } variants { sku title options { name value } stock { amount warehouse { id city } } } } pageInfo { hasNextPage endCursor } totalCount } viewer { id name email cart { id lines { id quantity item { id name } } total { amount currency } } } }";
    let filler = "tag ".repeat(round % 100);
    let body = format!(
        r#"{{"operationName":"Items","query":"{QUERY}","variables":{{"first":20,"after":"{number}-{round}","filter":{{"tags":["{filler}"],"available":true}}}}}}"#
    );
    let request = Request::post("/graphql")
        .header("host", "shop.example")
        .header("user-agent", "bench/1.0 (a client of middling length)")
        .header("accept", "application/json, */*;q=0.5")
        .header("accept-language", "en-GB,en;q=0.9")
        .header("content-type", "application/json")
        .header(
            "authorization",
            "Bearer abcdefghijklmnopqrstuvwxyz0123456789",
        )
        .header("cookie", "session=0123456789abcdef; theme=dark")
        .header("x-request-id", "7f3c2a10-1111-4222-8333-444455556666")
        .body(Full::new(Bytes::from(body)))?;
    Ok(request)
}
