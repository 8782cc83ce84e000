//! Whoever is killed: what was acknowledged is there, and once.
//!
//! A program adds batch after batch and tells each that was acknowledged. It is killed at any
//! moment, and the next one begins after the last batch that was told, so with one that may be in
//! the store or not.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fossick_harvest::Sighting;
use fossick_store::{Access, BatchId, Store};
use fossick_testkit::postgres::{Cluster, binaries};

use crate::desk::{Desk, place, query, seen, total};

const TOLD: &str = "acknowledged ";
/// Where the program writes to, its number, its first batch and how many batches there are.
const TASK: &str = "FOSSICK_STORE_TEST_TASK";

/// Calls in each batch; the first ten are the same for all.
pub(crate) const CALLS: u64 = 20;

pub(crate) fn batch(writer: u64, number: u64) -> (BatchId, Vec<Sighting>) {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&writer.to_be_bytes());
    id[8..].copy_from_slice(&number.to_be_bytes());
    let own = (0..CALLS - 10).map(|call| 100 + call + (number % 50) * 100);
    let calls = (0..10).chain(own);
    (
        BatchId(id),
        calls.map(|call| seen(query(call), number)).collect(),
    )
}

#[expect(clippy::print_stdout, reason = "it is started for what it tells")]
#[test]
#[ignore = "a program that other tests start"]
fn program_that_adds() {
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    let words: Vec<&str> = task.split(' ').collect();
    let [text, writer, first, count] = words.as_slice() else {
        panic!("four words, not {task}");
    };
    let number = |word: &str| word.parse::<u64>().expect("a number");
    let mut store = Store::open(&place(text), Access::Write).expect("a store");
    for n in number(first)..number(count) {
        let (id, sightings) = batch(number(writer), n);
        store.add_once(id, &sightings, &[]).expect("added");
        println!("\n{TOLD}{n}");
    }
}

pub(crate) fn start(desk: &Desk, writer: u64, first: u64, count: u64) -> Child {
    let program = std::env::current_exe().expect("this program");
    Command::new(program)
        .args([
            "--exact",
            "killed::program_that_adds",
            "--ignored",
            "--nocapture",
        ])
        .env(TASK, format!("{} {writer} {first} {count}", desk.text))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("started")
}

/// Lets a program live for some acknowledgements and a bit, and tells which batch is next.
fn run_and_kill(desk: &Desk, first: u64, round: u64) -> u64 {
    let mut child = start(desk, 1, first, u64::MAX);
    let output = child.stdout.take().expect("its output");
    let mut next = first;
    let mut left = round % 7 + 1;
    let mut killed = false;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let Some(number) = line.strip_prefix(TOLD) else {
            continue;
        };
        next = number.parse::<u64>().expect("a number") + 1;
        left = left.saturating_sub(1);
        if left == 0 && !killed {
            std::thread::sleep(Duration::from_micros(round * 731 % 5000));
            child.kill().expect("killed");
            killed = true;
        }
    }
    child.wait().expect("ended");
    assert!(killed, "the program ended by itself");
    next
}

fn killed_again_and_again(desk: &Desk, rounds: u64) {
    let mut next = 0;
    for round in 0..rounds {
        next = run_and_kill(desk, next, round);
        let stored = total(&mut desk.open());
        let told = next * CALLS;
        let in_between = stored == told || stored == told + CALLS;
        assert!(in_between, "{told} were acknowledged, {stored} are there");
    }
    let mut last = start(desk, 1, next, next + 5);
    assert!(last.wait().expect("ended").success());
    assert_eq!(total(&mut desk.open()), (next + 5) * CALLS);
}

#[test]
fn a_writer_to_a_file_loses_and_doubles_nothing() {
    killed_again_and_again(&Desk::file(), 40);
}

#[test]
fn a_writer_to_a_server_loses_and_doubles_nothing() {
    if let Some(desk) = Desk::server() {
        killed_again_and_again(&desk, 25);
    }
}

#[test]
fn a_server_that_is_killed_loses_and_doubles_nothing() {
    if binaries().is_none() {
        eprintln!("left out: there is no PostgreSQL to be killed");
        return;
    }
    let mut cluster = Cluster::start().expect("a server");
    let url = cluster.url();
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let url = url.clone();
            std::thread::spawn(move || add_through_it(&url, writer))
        })
        .collect();
    for round in 0..4 {
        std::thread::sleep(Duration::from_millis(300 + 37 * round));
        cluster.kill().expect("killed");
        cluster.restart().expect("started again");
    }
    for writer in writers {
        writer.join().expect("a writer that saw it through");
    }
    let mut store = Store::open(&place(&url), Access::Read).expect("a store");
    assert_eq!(total(&mut store), 3 * BATCHES * CALLS);
}

const BATCHES: u64 = 400;

/// A little slowly, so that the server is killed in the middle of it.
fn add_through_it(url: &str, writer: u64) {
    let mut store = Store::open(&place(url), Access::Write).expect("a store");
    for number in 0..BATCHES {
        let (id, sightings) = batch(writer, number);
        while let Err(error) = store.add_once(id, &sightings, &[]) {
            assert!(error.may_pass(), "{error}");
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}
