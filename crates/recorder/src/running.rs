//! What runs until somebody ends it: a door, and a recorder behind it.

use std::net::SocketAddr;

use crate::door::Door;
use crate::{Figures, Recorder, Teller, Told};

/// A proxy or a collector that runs, in threads of its own.
pub struct Running {
    door: Door,
    recorder: Recorder,
    tell: Teller,
}

impl Running {
    /// Says that it listens, and where calls go; a collector passes nothing on.
    pub(crate) fn new(
        door: Door,
        recorder: Recorder,
        tell: Teller,
        upstream: Option<String>,
    ) -> Self {
        let address = door.address();
        tell(Told::Listening { address, upstream });
        Self {
            door,
            recorder,
            tell,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.door.address()
    }

    pub fn figures(&self) -> Figures {
        self.recorder.figures()
    }

    /// Takes no more connections, waits for calls under way and has what was seen kept, each
    /// within its limit. Blocks meanwhile.
    pub fn end(self) -> Figures {
        self.door.close();
        let figures = self.recorder.end();
        (self.tell)(Told::Ended(figures));
        figures
    }
}
