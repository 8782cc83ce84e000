//! The HTTP client: connections, limits, rates and credentials.
//!
//! Turns a [`fossick_trace::Request`] into a [`fossick_trace::Outcome`] and remembers how long it
//! took. It touches the world (sockets, clock, certificates) so that others need not, and knows
//! nothing of schemas, genes or search.

mod account;
mod base;
mod body;
mod client;
mod decode;
mod dial;
mod fetch;
mod headers;
mod identity;
mod jar;
mod line;
mod outgoing;
mod pace;
mod pool;
mod reply;
mod secret;
mod send;
mod session;
mod settings;
mod slots;
mod stream;
mod target;
mod tls;
mod user;

pub use account::accounts;
pub use base::{Base, BaseError, Scheme};
pub use client::Client;
pub use decode::{Decoded, decode};
pub use dial::Dial;
pub use fetch::fetch;
pub use pace::retry_after;
pub use secret::{REDACTED, is_secret, redact};
pub use session::LoginError;
pub use settings::{Settings, SetupError, USER_AGENT};
pub use stream::Stream;
pub use user::{Credentials, Login, TokenSource, User};
