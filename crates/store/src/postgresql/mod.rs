//! A store in a PostgreSQL server, for many recorders.
//!
//! Rows of a batch go in by one statement, sorted, so recorders never wait for each other in a
//! circle. A connection that is lost is made again. Whether a batch went in before it was lost is
//! not guessed: its name is in the same transaction, so trying it again tells.

mod connect;
mod read;
mod tls;
mod write;

use std::time::{Duration, Instant};

use postgres::Client;

use crate::batch::Batch;
use crate::place::Server;
use crate::{Access, StoreError, sql};
pub(crate) use connect::{dial, told};
use write::Writing;

/// How long a server that is gone is waited for. Whoever asks has a queue that fills meanwhile.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(50);

/// After so many batches names that nobody asks for any more are forgotten.
const FORGET_EVERY: u32 = 256;

/// The server's clock, since recorders may disagree about the time.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

pub(crate) struct Postgres {
    server: Server,
    access: Access,
    session: Option<Session>,
    batches: u32,
}

/// A connection with the statements that were prepared on it.
struct Session {
    client: Client,
    version: u32,
    /// An older store is only read; then there is nothing to prepare.
    writing: Option<Writing>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Postgres").field(&self.server).finish()
    }
}

impl Postgres {
    pub(crate) fn open(server: &Server, access: Access) -> Result<Self, StoreError> {
        let mut postgres = Self {
            server: server.clone(),
            access,
            session: None,
            batches: 0,
        };
        postgres.connected()?;
        Ok(postgres)
    }

    /// Whether it had gone in before.
    pub(crate) fn add(&mut self, batch: &Batch) -> Result<bool, StoreError> {
        let before = patiently(|| self.try_to_add(batch))?;
        self.batches += 1;
        if self.batches.is_multiple_of(FORGET_EVERY) {
            self.forget_names();
        }
        Ok(before)
    }

    fn try_to_add(&mut self, batch: &Batch) -> Result<bool, StoreError> {
        let session = self.connected()?;
        let done = session.write(batch);
        done.map_err(|error| self.told("write to", &error))
    }

    /// If that fails there are a few names more; the next time will do.
    fn forget_names(&mut self) {
        let forget = format!("DELETE FROM batches WHERE at < {NOW} - {}", sql::REMEMBERED);
        if let Ok(session) = self.connected() {
            let _ = session.client.batch_execute(&forget);
        }
    }

    pub(crate) fn forget(&mut self, before: i64) -> Result<u64, StoreError> {
        patiently(|| {
            let session = self.connected()?;
            let gone = forget(&mut session.client, before);
            gone.map_err(|error| self.told("write to", &error))
        })
    }

    pub(crate) fn compact(&mut self) -> Result<(), StoreError> {
        let session = self.connected()?;
        let done = session
            .client
            .batch_execute("VACUUM records, redactions, flows, batches");
        done.map_err(|error| self.told("compact", &error))
    }

    /// The connection, made again where it was lost.
    fn connected(&mut self) -> Result<&mut Session, StoreError> {
        let alive = self.session.take().filter(|old| !old.client.is_closed());
        let session = alive.map_or_else(|| self.connect(), Ok)?;
        Ok(self.session.insert(session))
    }

    fn connect(&self) -> Result<Session, StoreError> {
        let (client, version) = connect::connect(&self.server, self.access)?;
        let session = Session::new(client, version, self.access);
        session.map_err(|error| self.told("open", &error))
    }

    fn told(&self, doing: &'static str, error: &postgres::Error) -> StoreError {
        told(doing, &self.server.to_string(), error)
    }
}

impl Session {
    fn new(mut client: Client, version: u32, access: Access) -> Result<Self, postgres::Error> {
        let writing = match access {
            Access::Write => Some(Writing::prepare(&mut client)?),
            Access::Read => None,
        };
        Ok(Self {
            client,
            version,
            writing,
        })
    }

    fn write(&mut self, batch: &Batch) -> Result<bool, postgres::Error> {
        let Some(writing) = &self.writing else {
            return Ok(false);
        };
        let mut transaction = self.client.transaction()?;
        if !writing.take_name(&mut transaction, batch)? {
            return Ok(true);
        }
        writing.write(&mut transaction, batch)?;
        transaction.commit()?;
        Ok(false)
    }
}

/// Nobody adds meanwhile, so nobody is waited for in a circle.
fn forget(client: &mut Client, before: i64) -> Result<u64, postgres::Error> {
    let mut transaction = client.transaction()?;
    transaction.batch_execute("LOCK TABLE records IN SHARE ROW EXCLUSIVE MODE")?;
    let mut gone = 0;
    for statement in sql::FORGET {
        gone = transaction.execute(statement, &[&before])?;
    }
    transaction.commit()?;
    Ok(gone)
}

/// Tries again what may pass: lost connections, and others who were in the way.
fn patiently<T>(mut work: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let until = Instant::now() + PATIENCE;
    loop {
        match work() {
            Err(error) if error.may_pass() && Instant::now() < until => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
}
