//! A call in the queue: as it was copied, and as the store's side reads it.
//!
//! Whatever can be done later is done later: on the way of the traffic a call is a few copied
//! strings of bytes, and the writer's thread makes text of them and undoes encodings.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fossick_harvest::{Answered, Seen};
use tokio::sync::oneshot;

use super::budget::Share;

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) what: What,
    /// Given back when the call is settled.
    _share: Share,
    ack: Option<Arc<Ack>>,
}

#[derive(Debug)]
pub(crate) enum What {
    Taken(Box<Taken>),
    Told(Box<Seen>),
}

/// Parts of a text are separated by a zero, which no header, target or method can hold.
pub(crate) const SEPARATOR: u8 = 0;

#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) at: u64,
    pub(crate) client: IpAddr,
    /// Method, target, then names and values in turn.
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) status: u16,
    /// The answer's type and encoding, either may be empty.
    pub(crate) about: Vec<u8>,
    pub(crate) answer: Option<Vec<u8>>,
    pub(crate) took: Option<u64>,
    /// The most that an encoded body may unfold to.
    pub(crate) limit: usize,
}

/// Tells whoever waits what became of the calls that share it, once the last is settled.
#[derive(Debug)]
pub(crate) struct Ack {
    lost: AtomicU64,
    waiting: Mutex<Option<oneshot::Sender<u64>>>,
}

impl Ack {
    pub(crate) fn new() -> (Arc<Self>, oneshot::Receiver<u64>) {
        let (sender, receiver) = oneshot::channel();
        let ack = Self {
            lost: AtomicU64::new(0),
            waiting: Mutex::new(Some(sender)),
        };
        (Arc::new(ack), receiver)
    }
}

impl Drop for Ack {
    fn drop(&mut self) {
        let lost = *self.lost.get_mut();
        let waiting = self.waiting.get_mut();
        if let Some(sender) = waiting.unwrap_or_else(PoisonError::into_inner).take() {
            // Whoever waited may have left.
            let _ = sender.send(lost);
        }
    }
}

impl Entry {
    pub(crate) fn told(seen: Seen, share: Share, ack: Option<Arc<Ack>>) -> Self {
        Self {
            what: What::Told(Box::new(seen)),
            _share: share,
            ack,
        }
    }

    pub(crate) fn taken(taken: Taken, share: Share) -> Self {
        Self {
            what: What::Taken(Box::new(taken)),
            _share: share,
            ack: None,
        }
    }

    pub(crate) fn mark_lost(&self) {
        if let Some(ack) = &self.ack {
            ack.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl What {
    pub(crate) fn into_seen(self) -> Seen {
        match self {
            Self::Taken(taken) => taken.into_seen(),
            Self::Told(seen) => *seen,
        }
    }
}

impl Taken {
    fn into_seen(self) -> Seen {
        let mut parts = self.head.split(|byte| *byte == SEPARATOR).map(text);
        let method = parts.next().unwrap_or_default();
        let target = parts.next().unwrap_or_default();
        let mut headers = Vec::with_capacity(16);
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            headers.push((name, value));
        }
        drop(parts);
        let body = plain_request(&mut headers, self.body, self.limit);
        Seen {
            at: self.at,
            last_at: self.at,
            times: 1,
            method,
            target,
            headers,
            body,
            client: Some(self.client.to_string()),
            answer: Some(answered(
                self.status,
                &self.about,
                self.answer,
                self.took,
                self.limit,
            )),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Undoes the encoding of a request's body, and takes the header away that named it.
fn plain_request(headers: &mut Vec<(String, String)>, body: Vec<u8>, limit: usize) -> Vec<u8> {
    let encoding = |(name, _): &(String, String)| name.eq_ignore_ascii_case("content-encoding");
    let Some(at) = headers.iter().position(encoding) else {
        return body;
    };
    match plain(&headers[at].1, &body, limit) {
        Some(decoded) => {
            headers.remove(at);
            decoded
        }
        None => body,
    }
}

/// None where it does not decode, or unfolds beyond the limit.
fn plain(encodings: &str, body: &[u8], limit: usize) -> Option<Vec<u8>> {
    let decoded = fossick_transport::decode(encodings, body.to_vec(), false, limit);
    (!decoded.cut && decoded.bytes != body).then_some(decoded.bytes)
}

fn answered(
    status: u16,
    about: &[u8],
    body: Option<Vec<u8>>,
    took: Option<u64>,
    limit: usize,
) -> Answered {
    let mut parts = about.split(|byte| *byte == SEPARATOR).map(text);
    let media_type = parts.next().filter(|media_type| !media_type.is_empty());
    let encoding = parts.next().unwrap_or_default();
    let body = body.and_then(|body| {
        if encoding.is_empty() || body.is_empty() {
            Some(body)
        } else {
            plain(&encoding, &body, limit)
        }
    });
    Answered {
        status,
        media_type,
        body,
        took,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn taken(head: &[u8], body: &[u8]) -> Taken {
        Taken {
            at: 7,
            client: IpAddr::from([127, 0, 0, 1]),
            head: head.to_vec(),
            body: body.to_vec(),
            status: 200,
            about: b"application/json\0".to_vec(),
            answer: Some(b"{}".to_vec()),
            took: Some(5),
            limit: 1 << 20,
        }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).expect("memory takes all");
        encoder.finish().expect("memory takes all")
    }

    #[test]
    fn copied_parts_become_text_again() {
        let seen = taken(b"POST\0/g?a=1\0Host\0h\0X-A\0\xff", b"{\"q\":1}").into_seen();
        assert_eq!(
            (seen.method.as_str(), seen.target.as_str()),
            ("POST", "/g?a=1")
        );
        assert_eq!(seen.header("host"), Some("h"));
        assert_eq!(seen.header("x-a"), Some("\u{fffd}"));
        assert_eq!(seen.body, b"{\"q\":1}");
        let answer = seen.answer.expect("it was answered");
        assert_eq!(answer.media_type.as_deref(), Some("application/json"));
        assert_eq!(answer.body.as_deref(), Some(&b"{}"[..]));
    }

    #[test]
    fn encoded_bodies_are_told_plain() {
        let mut call = taken(b"POST\0/\0content-encoding\0gzip", &gzip(b"question"));
        call.about = b"text/plain\0gzip".to_vec();
        call.answer = Some(gzip(b"answer"));
        let seen = call.into_seen();
        assert_eq!(seen.body, b"question");
        assert_eq!(seen.header("content-encoding"), None);
        assert_eq!(seen.answer.and_then(|a| a.body), Some(b"answer".to_vec()));
    }

    #[test]
    fn what_does_not_decode_is_no_body_of_an_answer() {
        let mut call = taken(b"GET\0/", b"");
        call.about = b"\0gzip".to_vec();
        let answer = call.into_seen().answer.expect("it was answered");
        assert_eq!((answer.body, answer.media_type), (None, None));
    }

    #[test]
    fn the_last_of_a_group_tells_how_many_were_lost() {
        let (ack, mut waiting) = Ack::new();
        let other = Arc::clone(&ack);
        ack.lost.fetch_add(2, Ordering::Relaxed);
        drop(ack);
        assert!(waiting.try_recv().is_err());
        drop(other);
        assert_eq!(waiting.try_recv(), Ok(2));
    }
}
