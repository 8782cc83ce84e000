//! One file per kind of gene: what it holds, and how it is sampled, changed and written.

pub(crate) mod any;
pub(crate) mod array;
mod base64;
mod boolean;
mod calendar;
pub(crate) mod choice;
mod date;
mod date_time;
mod enumerated;
pub(crate) mod format;
mod integer;
pub(crate) mod map;
mod number;
pub(crate) mod object;
pub(crate) mod patterned;
pub(crate) mod string;
mod time;
mod uuid;

pub use base64::Base64;
pub use boolean::Boolean;
pub(crate) use calendar::{instant, other_day, recent_seconds};
pub use choice::Choice;
pub use date::Date;
pub use date_time::DateTime;
pub use enumerated::Enumerated;
pub use integer::Integer;
pub(crate) use integer::Whole;
pub use number::Number;
pub(crate) use number::Real;
pub use string::Text;
pub use time::Time;
pub use uuid::Uuid;

use crate::Rng;
use crate::dice;

/// Plus or minus a power of two, the small ones as likely as the large.
pub(crate) fn step(rng: &mut Rng, highest: u64) -> i64 {
    let size = 1_i64 << dice::below(rng, highest + 1);
    if dice::one_in(rng, 2) { size } else { -size }
}
