//! A caller that knows just enough HTTP, on one connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use fossick_synth::Service;
use serde_json::Value;

pub(crate) struct Caller {
    stream: BufReader<TcpStream>,
    /// What to send as `x-fossick-call`.
    pub(crate) call: Option<u64>,
}

impl Caller {
    pub(crate) fn to(service: &Service) -> Self {
        let stream = TcpStream::connect(service.address).expect("the service listens");
        stream.set_nodelay(true).expect("a socket can do that");
        Self {
            stream: BufReader::new(stream),
            call: None,
        }
    }

    /// Sends a body as JSON, or none.
    pub(crate) fn send(&mut self, verb: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let call = self.call.map(|call| format!("x-fossick-call: {call}\r\n"));
        let call = call.unwrap_or_default();
        let request = format!(
            "{verb} {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             {call}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let stream = self.stream.get_mut();
        stream.write_all(request.as_bytes()).expect("it is sent");
        self.receive()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line comes");
        line.trim_end().to_ascii_lowercase()
    }

    fn receive(&mut self) -> (u16, Value) {
        let first = self.line();
        let status = first.split(' ').nth(1).and_then(|it| it.parse().ok());
        let mut length = 0;
        loop {
            let line = self.line();
            if line.is_empty() {
                break;
            }
            if let Some(text) = line.strip_prefix("content-length: ") {
                length = text.parse().expect("a length is a number");
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("the body comes");
        let body = serde_json::from_slice(&body).unwrap_or_default();
        (status.expect("an answer has a status"), body)
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> u16 {
        self.send("POST", path, body).0
    }

    pub(crate) fn get(&mut self, path: &str) -> (u16, Value) {
        self.send("GET", path, &Value::Null)
    }

    pub(crate) fn delete(&mut self, path: &str) -> u16 {
        self.send("DELETE", path, &Value::Null).0
    }
}
