//! Bodies of fake answers, kind and unkind.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

/// Made without allocation, so that a huge body costs the fake nothing.
static CHUNK: [u8; 16 * 1024] = [b'x'; 16 * 1024];

#[derive(Debug, Clone)]
pub(crate) enum FakeBody {
    Whole(Bytes),
    /// So many bytes, announced and streamed.
    Huge(u64),
    /// Chunks until the caller has enough.
    Endless,
    /// These bytes out of so many announced ones; then the connection breaks.
    CutShort(Bytes, u64),
    /// Breaks the connection, though not before what was said is on its way.
    Broken {
        waited: bool,
    },
}

#[derive(Debug)]
pub(crate) struct BrokenOff;

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("broken off on purpose")
    }
}

impl std::error::Error for BrokenOff {}

impl FakeBody {
    fn next(&mut self) -> Option<Result<Bytes, BrokenOff>> {
        match self {
            Self::Whole(bytes) => whole(bytes),
            Self::Huge(left) => chunk(left),
            Self::Endless => Some(Ok(Bytes::from_static(&CHUNK))),
            Self::CutShort(bytes, _) => {
                let bytes = std::mem::take(bytes);
                *self = Self::Broken { waited: false };
                Some(Ok(bytes))
            }
            Self::Broken { .. } => Some(Err(BrokenOff)),
        }
    }
}

fn whole(bytes: &mut Bytes) -> Option<Result<Bytes, BrokenOff>> {
    let all = std::mem::take(bytes);
    (!all.is_empty()).then_some(Ok(all))
}

fn chunk(left: &mut u64) -> Option<Result<Bytes, BrokenOff>> {
    let length = (*left).min(CHUNK.len() as u64);
    *left -= length;
    let bytes = Bytes::from_static(&CHUNK).slice(..length as usize);
    (length > 0).then_some(Ok(bytes))
}

impl Body for FakeBody {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        if let Self::Broken { waited: false } = *self {
            *self = Self::Broken { waited: true };
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.next().map(|next| next.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.is_empty(),
            Self::Huge(left) => *left == 0,
            Self::Endless | Self::CutShort(..) | Self::Broken { .. } => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Self::Huge(length) | Self::CutShort(_, length) => SizeHint::with_exact(*length),
            Self::Endless | Self::Broken { .. } => SizeHint::new(),
        }
    }
}
