//! The conformance service of the probe of Rust, with nothing but the standard library.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

fn main() {
    let port = std::env::args().last().and_then(|port| port.parse().ok());
    let listener = TcpListener::bind(("127.0.0.1", port.expect("a port"))).expect("it is free");
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || answer(stream));
    }
}

struct Request {
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Request {
    fn read(stream: &TcpStream) -> Option<Self> {
        let mut reader = BufReader::new(stream);
        let mut first = String::new();
        reader.read_line(&mut first).ok()?;
        let target = first.split(' ').nth(1)?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            path: path.to_owned(),
            query: query.to_owned(),
            headers: Vec::new(),
            body: String::new(),
        };
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            request
                .headers
                .push((name.to_lowercase(), value.to_owned()));
        }
        let length = request
            .header("content-length")
            .and_then(|it| it.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        request.body = String::from_utf8(body).ok()?;
        Some(request)
    }

    fn header(&self, wanted: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find_map(|(name, value)| (name == wanted).then_some(value.as_str()))
    }

    fn parameter(&self, wanted: &str) -> &str {
        let mut pairs = self
            .query
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        pairs
            .find_map(|(name, value)| (name == wanted).then_some(value))
            .unwrap_or("")
    }

    fn number(&self) -> i64 {
        self.parameter("n").parse::<i64>().unwrap_or(0)
    }
}

fn answer(mut stream: TcpStream) {
    let Some(request) = Request::read(&stream) else {
        return;
    };
    let handled = std::panic::catch_unwind(|| handle(&request));
    let (status, body) = match handled {
        Ok("ready") => ("204 No Content", ""),
        Ok(body) => ("200 OK", body),
        Err(_) => ("500 Internal Server Error", "error"),
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(body.as_bytes());
}

fn handle(request: &Request) -> &'static str {
    match request.path.as_str() {
        "/ready" => "ready",
        "/number" => number(request.number()),
        "/range" => range(request.number()),
        "/text" => text(request.parameter("s")),
        "/member" => member(request.parameter("s")),
        "/header" => header(request),
        "/json" => json(&request.body),
        "/fail" => fail(request.number()),
        "/slow" => slow(request.number()),
        "/exit" => std::process::exit(3),
        _ => "no",
    }
}

fn number(n: i64) -> &'static str {
    if n == 42 {
        return "yes";
    }
    "no"
}

fn range(n: i64) -> &'static str {
    if n > 1000 && n < 1010 {
        return "yes";
    }
    "no"
}

fn text(s: &str) -> &'static str {
    if s == "let-me-in" {
        return "yes";
    }
    if s.starts_with("pre-") {
        return "prefix";
    }
    if is_pattern(s.as_bytes()) {
        return "pattern";
    }
    "no"
}

/// There are no patterns in the standard library.
fn is_pattern(s: &[u8]) -> bool {
    let letters = s.iter().take(3).all(|c| (b'a'..=b'c').contains(c));
    s.len() == 5 && letters && s[3..].iter().all(u8::is_ascii_digit)
}

fn member(s: &str) -> &'static str {
    if ["alpha", "beta", "gamma"].contains(&s) {
        return "yes";
    }
    "no"
}

fn header(request: &Request) -> &'static str {
    let _debug = request.parameter("debug");
    if request.header("x-secret").unwrap_or("") == "open" {
        return "yes";
    }
    "no"
}

/// The text behind the key `role`, which is all that there is to find.
fn json(body: &str) -> &'static str {
    let Some((_, behind)) = body.split_once("\"role\"") else {
        return "no";
    };
    let role = behind.split('"').nth(1).unwrap_or("");
    if role == "admin" {
        return "yes";
    }
    "no"
}

fn fail(n: i64) -> &'static str {
    if n == 7 {
        broken(n);
    }
    "no"
}

fn broken(n: i64) {
    panic!("broken: {n}");
}

fn slow(n: i64) -> &'static str {
    std::thread::sleep(Duration::from_millis(20));
    if n == 0 {
        return "0";
    }
    if n == 1 {
        return "1";
    }
    if n == 2 {
        return "2";
    }
    if n == 3 {
        return "3";
    }
    if n == 4 {
        return "4";
    }
    if n == 5 {
        return "5";
    }
    if n == 6 {
        return "6";
    }
    if n == 7 {
        return "7";
    }
    if n == 8 {
        return "8";
    }
    if n == 9 {
        return "9";
    }
    "no"
}
