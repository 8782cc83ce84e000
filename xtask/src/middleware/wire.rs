//! The little of HTTP that is needed to ask a service and to be told by a middleware.

use std::io::{BufRead, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};

#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: &'static str,
    pub(super) target: &'static str,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Request {
    pub(super) fn new(method: &'static str, target: &'static str) -> Self {
        Self {
            method,
            target,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn body(mut self, media_type: &str, body: &str) -> Self {
        body.as_bytes().clone_into(&mut self.body);
        self.header("Content-Type", media_type)
    }

    /// By HTTP/1.0: an answer then ends where the connection does.
    fn written(&self) -> Vec<u8> {
        let mut text = format!(
            "{} {} HTTP/1.0\r\nHost: 127.0.0.1\r\n",
            self.method, self.target
        );
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        text.push_str("\r\n");
        [text.into_bytes(), self.body.clone()].concat()
    }

    pub(super) fn ask(&self, port: u16) -> Result<Answer> {
        let mut connection = TcpStream::connect(("127.0.0.1", port))?;
        connection.set_read_timeout(Some(Duration::from_secs(10)))?;
        connection.write_all(&self.written())?;
        let mut text = Vec::new();
        connection
            .read_to_end(&mut text)
            .context("no answer came")?;
        answer(&text).with_context(|| format!("{} was not answered in HTTP", self.target))
    }
}

fn answer(text: &[u8]) -> Option<Answer> {
    let end = text.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = str::from_utf8(text.get(..end)?).ok()?;
    Some(Answer {
        status: head.split(' ').nth(1)?.parse().ok()?,
        body: text.get(end + 4..)?.to_vec(),
    })
}

/// What was told at once: how many calls were dropped, and the lines of the others. None where
/// the other side has nothing more to say.
pub(super) fn told(connection: &mut impl BufRead) -> Result<Option<(u64, Vec<String>)>> {
    let mut length = 0;
    let mut dropped = 0;
    let mut line = String::new();
    loop {
        line.clear();
        if connection.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let Some((name, value)) = line.trim().split_once(": ") else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse()?,
            "x-dropped" => dropped = value.parse()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body)?;
    let text = String::from_utf8(body)?;
    Ok(Some((dropped, text.lines().map(str::to_owned).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_to_its_end() {
        let answer = answer(b"HTTP/1.1 201 Created\r\nX: y\r\n\r\nbody").expect("an answer");
        assert_eq!((answer.status, answer.body.as_slice()), (201, &b"body"[..]));
    }

    #[test]
    fn lines_and_losses_are_told_together() {
        let mut text = &b"POST / HTTP/1.1\r\nX-Dropped: 3\r\nContent-Length: 4\r\n\r\na\nb\n"[..];
        let wanted = (3, vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(told(&mut text).expect("it is whole"), Some(wanted));
        assert_eq!(told(&mut text).expect("it is over"), None);
    }
}
