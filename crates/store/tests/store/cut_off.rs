//! A line that breaks at the worst moment: when the word to commit is on its way, or its answer.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fossick_store::{Access, Store};

use crate::desk::{Desk, flow, place, query, seen, total};

#[derive(Clone, Copy, PartialEq)]
enum Lost {
    /// The server never hears it.
    Word,
    /// The server does it, and nobody hears of it.
    Answer,
}

/// A line to the server that breaks at the next commits.
struct Line {
    url: String,
    breaks: Arc<AtomicUsize>,
}

impl Line {
    fn to(desk: &Desk, lost: Lost) -> Self {
        let address = desk
            .text
            .split(['@', '/'])
            .find(|part| part.contains("127.0.0.1:"));
        let server = address.expect("an address").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let breaks = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&breaks);
        let url = desk.text.replace(&server, &format!("127.0.0.1:{port}"));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (server, left) = (server.clone(), Arc::clone(&left));
                std::thread::spawn(move || carry(client, &server, lost, &left));
            }
        });
        Self { url, breaks }
    }
}

fn carry(mut client: TcpStream, server: &str, lost: Lost, left: &AtomicUsize) {
    let mut server = TcpStream::connect(server).expect("the server");
    let silent = Arc::new(AtomicBool::new(false));
    let (answers, to, hush) = (
        server.try_clone().expect("a handle"),
        client.try_clone().expect("a handle"),
        Arc::clone(&silent),
    );
    std::thread::spawn(move || carry_back(answers, to, &hush));
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        let commits = buffer[..count].windows(6).any(|word| word == b"COMMIT");
        let take = |left: usize| left.checked_sub(1);
        let breaks = commits
            && left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, take)
                .is_ok();
        silent.store(breaks, Ordering::SeqCst);
        if !(breaks && lost == Lost::Word) && server.write_all(&buffer[..count]).is_err() {
            break;
        }
        if breaks {
            std::thread::sleep(Duration::from_millis(200));
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
    let _ = client.shutdown(Shutdown::Both);
}

fn carry_back(mut from: TcpStream, mut to: TcpStream, silent: &AtomicBool) {
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if silent.load(Ordering::SeqCst) || to.write_all(&buffer[..count]).is_err() {
            return;
        }
    }
}

fn broken_lines_change_no_count(lost: Lost) {
    let Some(desk) = Desk::server() else { return };
    let line = Line::to(&desk, lost);
    let mut store = Store::open(&place(&line.url), Access::Write).expect("a store");
    // Once, twice in a row, not at all, once.
    for round in 1..=4 {
        line.breaks.store(round % 3, Ordering::SeqCst);
        let batch = [seen(query(1), 1), seen(query(2), 1)];
        let added = store.add(&batch, &[flow("GET /a", 1)]).expect("added");
        assert_eq!(added.before, lost == Lost::Answer && round != 3);
    }
    let mut store = desk.open();
    assert_eq!(total(&mut store), 8);
    assert_eq!(store.flows().expect("flows"), [flow("GET /a", 4)]);
}

#[test]
fn a_batch_whose_commit_was_not_heard_is_added_again() {
    broken_lines_change_no_count(Lost::Word);
}

#[test]
fn a_batch_whose_answer_was_not_heard_is_not_added_again() {
    broken_lines_change_no_count(Lost::Answer);
}
