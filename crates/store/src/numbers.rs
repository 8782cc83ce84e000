//! The numbers of a record: what their columns are called and how two sightings become one.
//!
//! One table for the columns, for the statement that adds in the database and for the addition
//! here, so that these can't differ.

use fossick_harvest::{Sighting, Statuses, Took};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Merge {
    Least,
    Most,
    /// Up to the largest number that both engines know; a log may claim any count.
    Sum,
}

pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) merge: Merge,
    /// The version of the format that has it first.
    pub(crate) since: u32,
}

pub(crate) const COUNT: usize = 12;

/// In the order of [`Numbers`].
pub(crate) const COLUMNS: [Column; COUNT] = [
    column("created_at", Merge::Least, 1),
    column("updated_at", Merge::Most, 1),
    column("times_called", Merge::Sum, 1),
    column("informational", Merge::Sum, 1),
    column("successful", Merge::Sum, 1),
    column("redirected", Merge::Sum, 1),
    column("client_error", Merge::Sum, 1),
    column("server_error", Merge::Sum, 1),
    column("with_errors", Merge::Sum, 2),
    column("took_answers", Merge::Sum, 1),
    column("took_total", Merge::Sum, 1),
    column("took_most", Merge::Most, 1),
];

const fn column(name: &'static str, merge: Merge, since: u32) -> Column {
    Column { name, merge, since }
}

/// Never negative: both engines know signed numbers only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers(pub(crate) [i64; COUNT]);

impl Numbers {
    pub(crate) fn of(sighting: &Sighting) -> Self {
        let Statuses {
            informational,
            successful,
            redirected,
            client_error,
            server_error,
            with_errors,
        } = sighting.statuses;
        let Took {
            answers,
            total,
            most,
        } = sighting.took;
        let numbers = [
            sighting.first_at,
            sighting.last_at,
            sighting.times,
            informational,
            successful,
            redirected,
            client_error,
            server_error,
            with_errors,
            answers,
            total,
            most,
        ];
        Self(numbers.map(|number| i64::try_from(number).unwrap_or(i64::MAX)))
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        let pairs = self.0.iter_mut().zip(&other.0);
        for ((mine, theirs), column) in pairs.zip(&COLUMNS) {
            *mine = match column.merge {
                Merge::Least => *theirs.min(mine),
                Merge::Most => *theirs.max(mine),
                Merge::Sum => mine.saturating_add(*theirs),
            };
        }
    }

    pub(crate) fn told(&self) -> Told {
        let [
            created_at,
            updated_at,
            times_called,
            informational,
            successful,
            redirected,
            client_error,
            server_error,
            with_errors,
            answers,
            total,
            most,
        ] = self.0.map(|number| u64::try_from(number).unwrap_or(0));
        Told {
            created_at,
            updated_at,
            times_called,
            statuses: Statuses {
                informational,
                successful,
                redirected,
                client_error,
                server_error,
                with_errors,
            },
            took: Took {
                answers,
                total,
                most,
            },
        }
    }
}

/// The numbers by their names.
pub(crate) struct Told {
    pub(crate) created_at: u64,
    pub(crate) updated_at: u64,
    pub(crate) times_called: u64,
    pub(crate) statuses: Statuses,
    pub(crate) took: Took,
}
