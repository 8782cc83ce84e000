//! A blocking HTTP client of one connection per request: enough to look at a service from
//! outside, and nothing of the service's own stack.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    fn parse(text: &str) -> Option<Self> {
        let (head, text) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        Some(Self {
            status,
            headers: headers
                .map(|(n, v)| (n.to_lowercase(), v.to_owned()))
                .collect(),
            text: text.to_owned(),
        })
    }
}

/// `line` is a method and a target, as `GET /tools`; no header is sent that is not given. `None`
/// if the connection is dropped.
pub(crate) fn send(
    address: SocketAddr,
    line: &str,
    headers: &[&str],
    body: &str,
) -> Option<Answer> {
    Answer::parse(&exchange(address, line, headers, body).ok()?)
}

fn exchange(
    address: SocketAddr,
    line: &str,
    headers: &[&str],
    body: &str,
) -> std::io::Result<String> {
    let headers: String = headers.iter().flat_map(|h| [h, "\r\n"]).collect();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: demo\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    Ok(text)
}
