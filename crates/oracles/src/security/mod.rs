//! The service lets through whom it should not.

pub(crate) mod authentication_ignored;
