//! Making values: how many a second, in the words of the crate's own example.

use anyhow::Result;

use super::built;
use super::meter::{Core, measure, pinned};

pub(super) fn speed() -> Result<String> {
    let speed = pinned(Core::Client, built("examples/speed"));
    let measured = measure(speed)?;
    Ok(format!(
        "making values\n{}{}",
        measured.output, measured.errors
    ))
}
