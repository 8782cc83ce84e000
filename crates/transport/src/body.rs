//! Collects a body up to a limit.
//!
//! Bytes are copied out of the connection's buffer: an answer that is kept for long would
//! otherwise keep the whole buffer, and the connection would need a new one for every exchange.

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming};
use hyper::http::response::Parts;

use crate::reply::Reply;

/// What a declared length may reserve at once; a service can declare anything.
const MOST_RESERVED: u64 = 256 << 10;

pub(crate) struct Collected {
    bytes: Vec<u8>,
    limit: usize,
    cut: bool,
}

impl Collected {
    pub(crate) fn new(body: &Incoming, limit: usize) -> Self {
        let expected = body.size_hint().lower().min(MOST_RESERVED) as usize;
        Self {
            bytes: Vec::with_capacity(expected.min(limit)),
            limit,
            cut: false,
        }
    }

    /// Nothing more is taken, so nothing more needs to be read.
    pub(crate) fn is_full(&self) -> bool {
        self.cut
    }

    pub(crate) fn add(&mut self, frame: Frame<Bytes>) {
        let Ok(data) = frame.into_data() else {
            return; // Trailers: nobody asks for them.
        };
        let room = self.limit - self.bytes.len();
        let taken = data.get(..room).unwrap_or(&data);
        self.bytes.extend_from_slice(taken);
        self.cut = data.len() > room;
    }

    pub(crate) fn into_reply(self, head: Parts) -> Reply {
        Reply {
            status: head.status.as_u16(),
            headers: head.headers,
            body: self.bytes,
            cut: self.cut,
        }
    }
}
