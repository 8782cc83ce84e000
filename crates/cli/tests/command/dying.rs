//! Services that die over one call, and that somebody else starts again, or nobody.

use std::net::{Ipv4Addr, TcpStream};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::program::{Ended, Folder, Running, run};
use crate::python::free_port;
use crate::report::Report;
use crate::small::{MORTAL, small};

/// Starts `service.py` again whenever it ends. With a port of its own it is a proxy in front of it,
/// which answers 502 while nobody is behind it.
const KEEPER: &str = r#"
import http.client, subprocess, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

behind = sys.argv[1]

def keep():
    while True:
        subprocess.run([sys.executable, "service.py", behind])
        time.sleep(0.3)

class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        try:
            there = http.client.HTTPConnection("127.0.0.1", int(behind))
            there.request("GET", self.path)
            answer = there.getresponse()
            status, kind, text = answer.status, answer.getheader("content-type"), answer.read()
        except (OSError, http.client.HTTPException):
            status, kind, text = 502, "text/html", b"<h1>Bad gateway</h1>"
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *args):
        pass

if len(sys.argv) > 2:
    threading.Thread(target=keep, daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Proxy).serve_forever()
keep()
"#;

fn all(ended: &Ended) -> String {
    format!("{}{}", ended.stdout, ended.stderr)
}

/// A folder with the service, and a program that runs in it until what this gives is dropped. Somebody
/// listens at all of the ports.
fn started(program: &[&str], ports: &[u16]) -> (Folder, Running) {
    let folder = Folder::new();
    folder.write("service.py", &small(MORTAL));
    folder.write("keeper.py", KEEPER);
    let mut command = Command::new("python3");
    command.current_dir(folder.path("")).args(program);
    let process = Running::start(&mut command);
    for port in ports {
        while TcpStream::connect((Ipv4Addr::LOCALHOST, *port)).is_err() {
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    (folder, process)
}

fn tested(folder: &Folder, port: u16, time: &str) -> (Ended, Report) {
    let url = format!("http://127.0.0.1:{port}/openapi.json");
    let mut arguments = vec!["test", &url, "--seed", "9", "--time", time];
    arguments.extend(["--report", "json=report.json"]);
    let ended = run(folder, &arguments);
    (ended, Report::read(folder, "report.json"))
}

/// The findings, each with whether it is confirmed.
fn told(report: &Report) -> Vec<(String, String, bool)> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let finding = |f: &&Value| {
        (
            text(&f["code"]),
            text(&f["operation"]),
            f["confirmed"] == true,
        )
    };
    report.findings().iter().map(|f| finding(&f)).collect()
}

fn killer() -> Vec<(String, String, bool)> {
    vec![("F107".to_owned(), "GET /codes".to_owned(), true)]
}

#[test]
fn who_ends_a_service_that_others_start_again_is_named() {
    let port = free_port();
    let (folder, _keeper) = started(&["keeper.py", &port.to_string()], &[port]);
    let (ended, report) = tested(&folder, port, "25s");
    assert_eq!(ended.code, 1, "{}", all(&ended));
    assert_eq!(told(&report), killer(), "{}", all(&ended));
}

#[test]
fn who_ends_a_service_behind_a_proxy_is_named() {
    let (behind, port) = (free_port(), free_port());
    let program = ["keeper.py", &behind.to_string(), &port.to_string()];
    let (folder, _keeper) = started(&program, &[behind, port]);
    let (ended, report) = tested(&folder, port, "25s");
    assert_eq!(ended.code, 1, "{}", all(&ended));
    assert_eq!(told(&report), killer(), "{}", all(&ended));
}

#[test]
fn a_service_that_stays_dead_ends_the_run() {
    let port = free_port();
    let (folder, _service) = started(&["service.py", &port.to_string()], &[port]);
    let (ended, report) = tested(&folder, port, "60s");
    assert_eq!(ended.code, 3, "{}", all(&ended));
    let requests = report.0["requests"].as_u64().expect("a number");
    assert!(requests < 2000, "{requests} requests to nobody");
    assert!(all(&ended).contains("It ended during"), "{}", all(&ended));
    let confirmed = told(&report)
        .into_iter()
        .filter(|(.., confirmed)| *confirmed);
    assert_eq!(confirmed.count(), 0);
}
