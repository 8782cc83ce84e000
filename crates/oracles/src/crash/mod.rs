//! The service broke.

pub(crate) mod dropped;
pub(crate) mod ended;
pub(crate) mod exposed;
pub(crate) mod resolver_failed;
pub(crate) mod server_error;
pub(crate) mod slow;
pub(crate) mod timeout;
