//! A store in one file, by SQLite.
//!
//! Its log is written ahead and synced at every commit, so what is acknowledged outlives the
//! program and the machine. Writers of other processes are waited for; a write begins by taking
//! the lock, so that it never has to be given up halfway.

mod open;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use fossick_harvest::{Flow, Record};
use rusqlite::{Connection, ErrorCode, TransactionBehavior, params};

use crate::batch::{Batch, FlowRow, RedactionRow, Row};
use crate::numbers::{COUNT, Numbers};
use crate::row::Raw;
use crate::store::Take;
use crate::{Access, Filter, StoreError, sql};
use open::Identity;
pub(crate) use open::told;

/// After so many batches names that nobody asks for any more are forgotten.
const FORGET_EVERY: u32 = 256;

pub(crate) struct Sqlite {
    connection: Connection,
    place: String,
    identity: Identity,
    version: u32,
    statements: Statements,
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
            statements: Statements::new(),
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
        self.statements.write(&transaction, batch)?;
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
        let listing = sql::listing(self.version, REDACTIONS);
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
        let by_key = sql::by_key(self.version, REDACTIONS);
        let mut statement = self.connection.prepare_cached(&by_key).map_err(told)?;
        let rows = statement
            .query_map(params![first, last], raw)
            .map_err(told)?;
        rows.map(|raw| raw.map_err(told)?.record(&self.place))
            .collect()
    }

    pub(crate) fn forget(&mut self, before: i64) -> Result<u64, StoreError> {
        let gone = self.delete(before);
        gone.map_err(|error| self.told("write to", &error))
    }

    fn delete(&mut self, before: i64) -> rusqlite::Result<u64> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut gone = 0;
        for statement in sql::FORGET {
            gone = transaction.execute(statement, [before])?;
        }
        transaction.commit()?;
        Ok(gone as u64)
    }

    pub(crate) fn flows(&mut self) -> Result<Vec<Flow>, StoreError> {
        if self.version < 2 {
            return Ok(Vec::new());
        }
        let told = |error| self.told("read", &error);
        let listing = format!("SELECT {} FROM flows", sql::FLOW_COLUMNS);
        let mut statement = self.connection.prepare(&listing).map_err(told)?;
        let flows = statement.query_map([], flow).map_err(told)?;
        flows.collect::<Result<_, _>>().map_err(told)
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

/// Redactions of the record at hand as one text.
const REDACTIONS: &str = "(SELECT json_group_array(json_array(place, how)) \
     FROM redactions WHERE redactions.key = records.key)";

/// What is written, as text: each connection prepares it once.
struct Statements {
    record: String,
    redaction: String,
    flow: String,
}

impl Statements {
    fn new() -> Self {
        let (columns, conflict) = (sql::FLOW_COLUMNS, sql::on_flow_conflict());
        Self {
            record: upsert(),
            redaction: "INSERT INTO redactions (key, id, place, how) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT DO NOTHING"
                .to_owned(),
            flow: format!(
                "INSERT INTO flows (id, {columns}) VALUES ($1, $2, $3, $4, $5, $6) {conflict}"
            ),
        }
    }

    fn write(&self, to: &Connection, batch: &Batch) -> rusqlite::Result<()> {
        let mut record = to.prepare_cached(&self.record)?;
        let mut redaction = to.prepare_cached(&self.redaction)?;
        for row in &batch.rows {
            write_row(&mut record, row)?;
            for RedactionRow { id, place, how } in &row.redactions {
                redaction.execute(params![row.key.0, id, place, how])?;
            }
        }
        let mut flow = to.prepare_cached(&self.flow)?;
        for FlowRow { id, texts, times } in &batch.flows {
            let [from, pointer, to, place] = texts;
            flow.execute(params![id, from, pointer, to, place, times])?;
        }
        Ok(())
    }
}

fn flow(row: &rusqlite::Row<'_>) -> rusqlite::Result<Flow> {
    let times: i64 = row.get(4)?;
    Ok(Flow {
        from: row.get(0)?,
        pointer: row.get(1)?,
        to: row.get(2)?,
        place: row.get(3)?,
        times: u64::try_from(times).unwrap_or(0),
    })
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
        redactions: row.get(COUNT + 2)?,
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
