//! The service loses track of what it was told.

pub(crate) mod absent_after_create;
pub(crate) mod answer_disagrees;
pub(crate) mod changed_unasked;
pub(crate) mod dead_target;
pub(crate) mod failed_write;
pub(crate) mod invented;
pub(crate) mod list_lacks;
mod misplaced_write;
pub(crate) mod not_idempotent;
pub(crate) mod not_reborn;
mod seen_elsewhere;
pub(crate) mod served_after_delete;
pub(crate) mod still_counted;
pub(crate) mod taken_key;
pub(crate) mod told_rule;
pub(crate) mod update_not_visible;
pub(crate) mod wrong_parent;
