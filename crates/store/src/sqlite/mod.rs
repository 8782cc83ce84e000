//! A store in one file, by SQLite.
//!
//! Its log is written ahead and synced at every commit, so what is acknowledged outlives the
//! program and the machine. Writers of other processes are waited for; a write begins by taking
//! the lock, so that it never has to be given up halfway.

mod open;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fossick_harvest::Record;
use rusqlite::{Connection, ErrorCode, TransactionBehavior, params};

use crate::batch::{Batch, Row};
use crate::numbers::{COUNT, Numbers};
use crate::row::Raw;
use crate::store::Take;
use crate::{Access, Filter, StoreError, sql};
use open::Identity;

/// After so many batches names that nobody asks for any more are forgotten.
const FORGET_EVERY: u32 = 256;

pub(crate) struct Sqlite {
    connection: Connection,
    place: String,
    identity: Identity,
    version: u32,
    upsert: String,
    batches: u32,
}

impl std::fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Sqlite").field(&self.place).finish()
    }
}

impl Sqlite {
    pub(crate) fn open(path: &Path, access: Access) -> Result<Self, StoreError> {
        let place = path.display().to_string();
        let (connection, version) = open::open(path, access)?;
        Ok(Self {
            connection,
            place,
            identity: Identity::of(path),
            version,
            upsert: upsert(),
            batches: 0,
        })
    }

    /// Whether it had gone in before.
    pub(crate) fn add(&mut self, batch: &Batch) -> Result<bool, StoreError> {
        let before = self
            .write(batch)
            .map_err(|error| self.told("write to", &error))?;
        // A file that was removed goes on taking writes, which nobody will ever read.
        self.identity.check(&self.place)?;
        self.batches += 1;
        if self.batches.is_multiple_of(FORGET_EVERY) {
            self.forget_names()?;
        }
        Ok(before)
    }

    fn write(&mut self, batch: &Batch) -> rusqlite::Result<bool> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let taken = transaction
            .prepare_cached(sql::TAKE_NAME)?
            .execute(params![batch.id.0, now()])?;
        if taken == 0 {
            return Ok(true);
        }
        let mut upsert = transaction.prepare_cached(&self.upsert)?;
        for row in &batch.rows {
            write_row(&mut upsert, row)?;
        }
        drop(upsert);
        transaction.commit()?;
        Ok(false)
    }

    fn forget_names(&mut self) -> Result<(), StoreError> {
        let before = now() - sql::REMEMBERED;
        let done = self.connection.execute(sql::FORGET_NAMES, [before]);
        done.map(|_| ())
            .map_err(|error| self.told("write to", &error))
    }

    pub(crate) fn records(&mut self, filter: &Filter, take: Take<'_>) -> Result<(), StoreError> {
        let listing = sql::listing(self.version);
        let bounds = filter.bounds();
        let told = |error| self.told("read", &error);
        let mut statement = self.connection.prepare_cached(&listing).map_err(told)?;
        let mut rows = statement.query(bounds).map_err(told)?;
        while let Some(row) = rows.next().map_err(told)? {
            let record = raw(row).map_err(told)?.record(&self.place)?;
            if take(record).is_break() {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn count(&mut self, filter: &Filter) -> Result<u64, StoreError> {
        let counted = self
            .connection
            .query_row(&sql::counting(), filter.bounds(), |row| {
                row.get::<_, i64>(0)
            });
        let counted = counted.map_err(|error| self.told("read", &error))?;
        Ok(u64::try_from(counted).unwrap_or(0))
    }

    pub(crate) fn get(
        &mut self,
        first: &[u8; 16],
        last: &[u8; 16],
    ) -> Result<Vec<Record>, StoreError> {
        let told = |error| self.told("read", &error);
        let by_key = sql::by_key(self.version);
        let mut statement = self.connection.prepare_cached(&by_key).map_err(told)?;
        let rows = statement
            .query_map(params![first, last], raw)
            .map_err(told)?;
        rows.map(|raw| raw.map_err(told)?.record(&self.place))
            .collect()
    }

    pub(crate) fn forget(&mut self, before: i64) -> Result<u64, StoreError> {
        let gone = self.connection.execute(sql::FORGET, [before]);
        let gone = gone.map_err(|error| self.told("write to", &error))?;
        Ok(gone as u64)
    }

    pub(crate) fn compact(&mut self) -> Result<(), StoreError> {
        let done = self
            .connection
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);");
        done.map_err(|error| self.told("compact", &error))
    }

    fn told(&self, doing: &'static str, error: &rusqlite::Error) -> StoreError {
        open::told(doing, &self.place, error)
    }
}

fn upsert() -> String {
    let columns = sql::columns();
    let holes: Vec<String> = (1..=COUNT + 2).map(|number| format!("${number}")).collect();
    let (holes, conflict) = (holes.join(", "), sql::on_conflict());
    format!("INSERT INTO records ({columns}) VALUES ({holes}) {conflict}")
}

fn write_row(upsert: &mut rusqlite::Statement<'_>, row: &Row) -> rusqlite::Result<()> {
    upsert.raw_bind_parameter(1, row.key.0)?;
    upsert.raw_bind_parameter(2, &row.call)?;
    for (place, number) in row.numbers.0.iter().enumerate() {
        upsert.raw_bind_parameter(place + 3, number)?;
    }
    upsert.raw_execute().map(|_| ())
}

fn raw(row: &rusqlite::Row<'_>) -> rusqlite::Result<Raw> {
    let mut numbers = [0; COUNT];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = row.get(place + 2)?;
    }
    Ok(Raw {
        key: row.get(0)?,
        call: row.get(1)?,
        numbers: Numbers(numbers),
    })
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// Whether somebody else had the lock for too long.
fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}
