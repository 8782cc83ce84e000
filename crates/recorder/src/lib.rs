//! Traffic as it goes by: a reverse proxy that lets it through and tells what it saw, and an
//! endpoint where others tell what they saw.
//!
//! The traffic comes first. What is seen is copied into a bounded queue and handed to a [`Keep`]
//! by a thread of its own; where that is slow, full or gone, calls are not recorded, which is
//! counted and said, and not one of them waits. What is worth keeping, and where, is decided
//! elsewhere: nothing here reads a body or knows a store.

mod collect;
mod door;
mod figures;
mod proxy;
mod record;
mod running;
mod settings;
mod signal;
mod socket;
mod told;

pub use collect::{Parse, start_collector};
pub use figures::Figures;
pub use proxy::start_proxy;
pub use record::{Keep, Kept, Recorder};
pub use running::Running;
pub use settings::{CollectSettings, HostHeader, Patience, ProxySettings, RecordSettings};
pub use signal::stop_signal;
pub use told::{StartError, Teller, Told};
