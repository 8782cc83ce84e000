//! A database of somebody else's, in which statements are run. Nothing of ours is kept there.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use postgres::Client;
use rusqlite::{Connection, OpenFlags};

use crate::place::Server;
use crate::{Place, StoreError, postgresql, sqlite};

/// How long a database that others write to is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects when it is first used, and again where the connection was lost. It waits, so it belongs
/// to a thread that may.
pub struct Database {
    place: Place,
    server: Option<Client>,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Database").field(&self.place).finish()
    }
}

impl Database {
    pub fn at(place: Place) -> Self {
        let server = None;
        Self { place, server }
    }

    /// Runs statements: all of them, or where one fails none.
    pub fn run(&mut self, statements: &str) -> Result<(), StoreError> {
        match self.place.clone() {
            Place::File(path) => run_in_file(&path, statements),
            Place::Server(server) => self.run_on_server(&server, statements),
        }
    }

    fn run_on_server(&mut self, server: &Server, statements: &str) -> Result<(), StoreError> {
        let alive = self.server.take().filter(|old| !old.is_closed());
        let mut client = alive.map_or_else(|| postgresql::dial(server), Ok)?;
        // Statements that come together are one transaction.
        let ran = client.batch_execute(statements);
        self.server = Some(client);
        ran.map_err(|error| postgresql::told("run statements in", &server.to_string(), &error))
    }
}

/// The file is opened each time: a service may put another in its place.
fn run_in_file(path: &Path, statements: &str) -> Result<(), StoreError> {
    let place = path.display().to_string();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let file = Connection::open_with_flags(path, flags);
    let mut file = file.map_err(|error| sqlite::told("open", &place, &error))?;
    let ran = file
        .busy_timeout(PATIENCE)
        .and_then(|()| in_transaction(&mut file, statements));
    ran.map_err(|error| sqlite::told("run statements in", &place, &error))
}

fn in_transaction(file: &mut Connection, statements: &str) -> rusqlite::Result<()> {
    let transaction = file.transaction()?;
    transaction.execute_batch(statements)?;
    transaction.commit()
}
