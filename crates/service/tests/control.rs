//! Real processes: started, waited for, restarted, ended, and gone with whoever started them.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use fossick_service::{Failure, Launch, Log, Program, Ready, Service, What, free_port, is_free};

fn log(name: &str) -> Log {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.log"));
    Log::create(&path).expect("the target folder can be written")
}

fn words(words: &[&str]) -> Launch {
    Launch {
        what: What::Words(words.iter().map(|word| (*word).to_owned()).collect()),
        folder: None,
        environment: Vec::new(),
    }
}

fn started(launch: Launch, ready: Ready, log: Log) -> Result<Service, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let patience = Duration::from_secs(5);
    runtime.block_on(Service::start(launch, ready, log, patience))
}

/// A service that anybody has: Python's own.
fn python(port: u16) -> Launch {
    words(&[
        "python3",
        "-m",
        "http.server",
        "{port}",
        "--bind",
        "127.0.0.1",
    ])
    .at_port(port)
}

fn url(port: u16) -> Ready {
    Ready::Url {
        url: format!("http://127.0.0.1:{port}/"),
        headers: Vec::new(),
    }
}

#[test]
fn a_service_is_there_until_it_is_dropped() {
    let port = free_port().expect("a free port");
    let mut service = started(python(port), url(port), log("there")).expect("it starts");
    assert!(!is_free(port) && !service.has_ended());
    drop(service);
    assert!(is_free(port));
}

#[test]
fn a_port_or_a_line_tells_as_well() {
    let port = free_port().expect("a free port");
    started(python(port), Ready::Port(port), log("port")).expect("it listens");
    let launch = Launch::line("echo starting; sleep 0.2; echo ready to serve; sleep 9");
    let ready = Ready::Line("ready to".to_owned());
    started(launch, ready, log("line")).expect("it says so");
}

#[test]
fn each_way_to_go_wrong_is_told_apart() {
    let told = |launch: Launch, ready: Ready, name: &str| {
        let failure = started(launch, ready, log(name)).expect_err("it goes wrong");
        failure.to_string()
    };
    let port = Ready::Port(1);
    let text = told(words(&["no-such-program"]), port.clone(), "none");
    assert!(text.contains("no program `no-such-program`"), "{text}");
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let text = told(words(&[text]), port.clone(), "file");
    assert!(text.contains("may not be run"), "{text}");
    let text = told(
        Launch::line("echo no database >&2; exit 3"),
        port.clone(),
        "died",
    );
    assert!(
        text.contains("exit status: 3") && text.ends_with("\n  no database"),
        "{text}"
    );
    let text = told(Launch::line("echo slow; sleep 30"), port, "never");
    assert!(
        text.contains("not ready after 5 s: nothing listens at port 1"),
        "{text}"
    );
    let elsewhere = Launch {
        folder: Some(PathBuf::from("/no/such/folder")),
        ..words(&["true"])
    };
    let text = told(elsewhere, Ready::Port(1), "folder");
    assert!(text.contains("no folder /no/such/folder"), "{text}");
}

#[test]
fn what_a_service_starts_ends_with_it() {
    let port = free_port().expect("a free port");
    let line = format!("python3 -m http.server {port} --bind 127.0.0.1 & wait");
    let service = started(Launch::line(&line), url(port), log("group")).expect("it starts");
    drop(service);
    assert!(is_free(port));
}

/// The process that is killed is this test's own binary, run once more.
#[test]
fn a_killed_starter_leaves_nothing_behind() {
    const ROLE: &str = "FOSSICK_SERVICE_TEST_PORT";
    if let Ok(port) = std::env::var(ROLE) {
        let port = port.parse().expect("a port");
        let _program = Program::start(&python(port), &log("orphan")).expect("it starts");
        std::thread::sleep(Duration::from_mins(1));
        return;
    }
    let port = free_port().expect("a free port");
    let own = std::env::current_exe().expect("this binary");
    let mut starter = Command::new(own)
        .args(["a_killed_starter_leaves_nothing_behind", "--exact"])
        .env(ROLE, port.to_string())
        .spawn()
        .expect("it runs once more");
    let until = |wanted: bool| {
        let mut tries = 0..200;
        tries.any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            is_free(port) == wanted
        })
    };
    assert!(until(false), "the service begins to listen");
    starter.kill().expect("it can be killed");
    starter.wait().expect("it ends");
    assert!(until(true), "the service is gone");
}
