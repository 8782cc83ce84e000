//! The service does not do what its document says.

pub(crate) mod headers;
pub(crate) mod invalid_accepted;
pub(crate) mod malformed;
pub(crate) mod media_type;
pub(crate) mod nulls;
pub(crate) mod refused;
pub(crate) mod schema;
pub(crate) mod selection;
pub(crate) mod status;
pub(crate) mod undeclared_method;
pub(crate) mod undocumented_input;
pub(crate) mod valid_rejected;
