//! What is noted of a call while it goes by.
//!
//! A note is made before the request leaves and handed to the queue when it is dropped, whichever
//! way the call ended: so every call that was answered is counted exactly once.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName};
use hyper::http::request::Parts;

use super::budget::Share;
use super::entry::{Entry, SEPARATOR, Taken};
use super::{Copied, Copy, Queue};
use crate::figures::count;

pub(crate) struct Note {
    queue: Arc<Queue>,
    at: u64,
    began: Instant,
    client: IpAddr,
    /// None where there was no room for it.
    head: Option<Vec<u8>>,
    share: Share,
    request: Option<Arc<Sent>>,
    limit: usize,
    stage: Stage,
}

enum Stage {
    Asked,
    /// Counted elsewhere, or not at all.
    Dismissed,
    Answered(Answer),
}

struct Answer {
    status: u16,
    about: Vec<u8>,
    body: Copy,
    took: Option<u64>,
}

/// What has been sent of a request's body.
pub(crate) struct Sent {
    copy: Mutex<Copy>,
    ended: AtomicBool,
}

impl Sent {
    pub(crate) fn add(&self, data: &[u8]) {
        self.lock().add(data);
    }

    pub(crate) fn end(&self) {
        self.lock().end();
        self.ended.store(true, Ordering::Release);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    fn take(&self) -> Copied {
        self.lock().take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Copy> {
        self.copy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Note {
    pub(crate) fn of(queue: &Arc<Queue>, head: &Parts, client: IpAddr, limit: usize) -> Self {
        let mut share = queue.share();
        let size = size_of(head);
        let head = share.grow(size).then(|| written(head, size));
        Self {
            queue: Arc::clone(queue),
            at: now(),
            began: Instant::now(),
            client,
            head,
            share,
            request: None,
            limit,
            stage: Stage::Asked,
        }
    }

    /// The request has a body: it is copied into what is given back.
    pub(crate) fn expect_body(&mut self, length: u64) -> Arc<Sent> {
        let mut copy = self.queue.copy(self.limit);
        copy.expect(length);
        let sent = Arc::new(Sent {
            copy: Mutex::new(copy),
            ended: AtomicBool::new(false),
        });
        self.request = Some(Arc::clone(&sent));
        sent
    }

    /// The call is not to be counted as one that the client left.
    pub(crate) fn dismiss(&mut self) {
        self.stage = Stage::Dismissed;
    }

    pub(crate) fn answered(&mut self, status: u16, headers: &HeaderMap, length: u64) {
        count(&self.queue.counters.passed, 1);
        let mut body = self.queue.copy(self.limit);
        body.expect(length);
        self.stage = Stage::Answered(Answer {
            status,
            about: about(headers),
            body,
            took: None,
        });
    }

    pub(crate) fn add(&mut self, data: &[u8]) {
        count(&self.queue.counters.bytes_down, data.len() as u64);
        if let Stage::Answered(answer) = &mut self.stage {
            answer.body.add(data);
        }
    }

    /// The answer has come whole.
    pub(crate) fn ended(&mut self) {
        if let Stage::Answered(answer) = &mut self.stage {
            answer.body.end();
            let took = self.began.elapsed().as_micros();
            answer.took = Some(u64::try_from(took).unwrap_or(u64::MAX));
        }
    }

    fn hand_over(&mut self, mut answer: Answer) {
        let counters = &self.queue.counters;
        let sent = self.request.take();
        let (body, mut share) = match sent.map_or_else(|| self.nothing(), |sent| sent.take()) {
            Copied::Whole(body, share) => (body, share),
            Copied::Partial => return count(&counters.left_out, 1),
            Copied::NoRoom => return count(&counters.lost, 1),
        };
        let Some(head) = self.head.take() else {
            return count(&counters.lost, 1);
        };
        share.join(&mut self.share);
        let text = match answer.body.take() {
            Copied::Whole(text, mut paid) => {
                share.join(&mut paid);
                Some(text)
            }
            Copied::Partial | Copied::NoRoom => None,
        };
        let taken = Taken {
            at: self.at,
            client: self.client,
            head,
            body,
            status: answer.status,
            about: answer.about,
            answer: text,
            took: answer.took,
            limit: self.limit,
        };
        self.queue.push(Entry::taken(taken, share));
    }

    fn nothing(&self) -> Copied {
        Copied::Whole(Vec::new(), self.queue.share())
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.stage, Stage::Dismissed) {
            Stage::Asked => count(&self.queue.counters.abandoned, 1),
            Stage::Dismissed => {}
            Stage::Answered(answer) => self.hand_over(answer),
        }
    }
}

fn size_of(head: &Parts) -> usize {
    let target = head.uri.path_and_query().map_or(1, |t| t.as_str().len());
    let headers = head.headers.iter();
    let headers: usize = headers.map(|(n, v)| n.as_str().len() + v.len() + 2).sum();
    head.method.as_str().len() + 1 + target + headers
}

fn written(head: &Parts, size: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(size);
    text.extend_from_slice(head.method.as_str().as_bytes());
    text.push(SEPARATOR);
    let target = head.uri.path_and_query().map_or("/", |t| t.as_str());
    text.extend_from_slice(target.as_bytes());
    for (name, value) in &head.headers {
        text.push(SEPARATOR);
        text.extend_from_slice(name.as_str().as_bytes());
        text.push(SEPARATOR);
        text.extend_from_slice(value.as_bytes());
    }
    text
}

fn about(headers: &HeaderMap) -> Vec<u8> {
    let value = |name: HeaderName| headers.get(name).map_or(&b""[..], |v| v.as_bytes());
    let (kind, encoding) = (value(CONTENT_TYPE), value(CONTENT_ENCODING));
    let mut text = Vec::with_capacity(kind.len() + encoding.len() + 1);
    text.extend_from_slice(kind);
    text.push(SEPARATOR);
    text.extend_from_slice(encoding);
    text
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
