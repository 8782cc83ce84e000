//! A file is opened: looked at before SQLite touches it, made where there is none, led to the
//! newest format.
//!
//! The mark of a store stands in the head of the file, where SQLite leaves room for one. It is
//! written before anything else, so a file without it is somebody else's and is left alone.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, TransactionBehavior};

use super::is_busy;
use crate::schema::{Dialect, VERSION, steps_after};
use crate::{Access, StoreError};

/// `foss`, as a number.
const MARK: u32 = 0x666f_7373;
const MARK_AT: usize = 68;
const HEAD: &[u8] = b"SQLite format 3\0";

const PATIENCE: Duration = Duration::from_secs(30);

const DIALECT: Dialect = Dialect {
    bytes: "BLOB",
    number: "INTEGER",
};

/// The connection, and the version of what it leads to.
pub(super) fn open(path: &Path, access: Access) -> Result<(Connection, u32), StoreError> {
    let place = path.display().to_string();
    look(path, &place, access)?;
    match access {
        Access::Write => open_to_write(path, &place),
        Access::Read => open_to_read(path, &place),
    }
}

/// What a file is, before SQLite is asked.
fn look(path: &Path, place: &str, access: Access) -> Result<(), StoreError> {
    let mut head = [0; MARK_AT + 4];
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return nothing(path, place, access),
        Err(error) => return Err(failed("open", place, &error.to_string())),
        Ok(file) => file,
    };
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(not_a_store(place, "it is a folder"));
    }
    let mut read = Vec::with_capacity(head.len());
    let done = file.take(head.len() as u64).read_to_end(&mut read);
    done.map_err(|error| failed("read", place, &error.to_string()))?;
    if read.is_empty() {
        return nothing(path, place, access);
    }
    let whole = read.len().min(head.len());
    head[..whole].copy_from_slice(&read[..whole]);
    marked(&head, place)
}

/// Nothing is there, or an empty file, which is as good.
fn nothing(path: &Path, place: &str, access: Access) -> Result<(), StoreError> {
    if access == Access::Read {
        return Err(StoreError::Missing {
            place: place.to_owned(),
        });
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(StoreError::NoFolder {
            folder: folder.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn marked(head: &[u8; MARK_AT + 4], place: &str) -> Result<(), StoreError> {
    if !head.starts_with(HEAD) {
        return Err(not_a_store(place, "it is another kind of file"));
    }
    if !head.ends_with(&MARK.to_be_bytes()) {
        return Err(not_a_store(place, "it is a database of another program"));
    }
    Ok(())
}

fn open_to_write(path: &Path, place: &str) -> Result<(Connection, u32), StoreError> {
    let told = |error: rusqlite::Error| told("open", place, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(told)?;
    connection.busy_timeout(PATIENCE).map_err(told)?;
    known(version(&connection).map_err(told)?, place)?;
    prepare(&connection).map_err(told)?;
    let version = migrate(&mut connection).map_err(told)?;
    known(version, place)?;
    Ok((connection, version))
}

/// Settings of the file and of this connection to it.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    let mark: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if mark != i64::from(MARK) {
        patiently(|| connection.pragma_update(None, "application_id", MARK))?;
    }
    // SQLite does not wait for others here, so we do.
    patiently(|| {
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| {
            row.get::<_, String>(0)
        })
    })?;
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; \
         PRAGMA journal_size_limit = 67108864;",
    )
}

fn patiently<T>(mut work: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let until = Instant::now() + PATIENCE;
    loop {
        match work() {
            Err(error) if is_busy(&error) && Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return other,
        }
    }
}

/// Leads an older store to the newest version, in one transaction, and tells the version.
fn migrate(connection: &mut Connection) -> rusqlite::Result<u32> {
    let now = version(connection)?;
    if now >= VERSION {
        return Ok(now);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Somebody else may have done it meanwhile.
    let now = version(&transaction)?;
    if now < VERSION {
        transaction.execute_batch(&steps_after(now, &DIALECT))?;
        transaction.commit()?;
        return Ok(VERSION);
    }
    Ok(now)
}

/// Zero where nothing has been made yet.
fn version(connection: &Connection) -> rusqlite::Result<u32> {
    let made = connection
        .query_row(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'",
            [],
            |_| Ok(()),
        )
        .optional()?;
    match made {
        None => Ok(0),
        Some(()) => connection.query_row("SELECT version FROM meta", [], |row| row.get(0)),
    }
}

fn known(version: u32, place: &str) -> Result<(), StoreError> {
    if version <= VERSION {
        return Ok(());
    }
    Err(StoreError::Newer {
        place: place.to_owned(),
        found: version,
        known: VERSION,
    })
}

fn open_to_read(path: &Path, place: &str) -> Result<(Connection, u32), StoreError> {
    let told = |error: rusqlite::Error| told("open", place, &error);
    let (connection, version) = match read_only(path) {
        Err(error) if needs_more_files(&error) && !has_log(path) => {
            untouched(path).map_err(told)?
        }
        other => other.map_err(told)?,
    };
    if version == 0 {
        return Err(StoreError::Missing {
            place: place.to_owned(),
        });
    }
    known(version, place)?;
    Ok((connection, version))
}

fn read_only(path: &Path) -> rusqlite::Result<(Connection, u32)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;")?;
    let version = version(&connection)?;
    Ok((connection, version))
}

/// Even a reader shares a small file with writers. Where it can't be made (a folder without the
/// right to write) there are no writers either, and the store is read as something that stays.
fn untouched(path: &Path) -> rusqlite::Result<(Connection, u32)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = absolute.to_string_lossy();
    let name = percent_encoding::utf8_percent_encode(&name, percent_encoding::NON_ALPHANUMERIC);
    let connection = Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)?;
    let version = version(&connection)?;
    Ok((connection, version))
}

fn needs_more_files(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    )
}

/// Whether something has been written that is not in the file itself yet.
fn has_log(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    fs::metadata(PathBuf::from(name)).is_ok_and(|data| data.len() > 0)
}

pub(crate) fn told(doing: &'static str, place: &str, error: &rusqlite::Error) -> StoreError {
    let place = place.to_owned();
    if is_busy(error) {
        return StoreError::Busy { place };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::NotAStore {
            place,
            why: format!("it is damaged ({error})"),
        },
        Some(ErrorCode::DiskFull) => failed(doing, &place, "the disk is full"),
        _ => failed(doing, &place, &error.to_string()),
    }
}

fn failed(doing: &'static str, place: &str, why: &str) -> StoreError {
    StoreError::Failed {
        doing,
        place: place.to_owned(),
        why: why.to_owned(),
    }
}

fn not_a_store(place: &str, why: &str) -> StoreError {
    StoreError::NotAStore {
        place: place.to_owned(),
        why: why.to_owned(),
    }
}

/// Which file a path led to when it was opened.
pub(super) struct Identity {
    path: PathBuf,
    file: Option<(u64, u64)>,
}

impl Identity {
    pub(super) fn of(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            file: file_at(path),
        }
    }

    pub(super) fn check(&self, place: &str) -> Result<(), StoreError> {
        if file_at(&self.path) == self.file {
            return Ok(());
        }
        Err(StoreError::Gone {
            place: place.to_owned(),
        })
    }
}

#[cfg(unix)]
fn file_at(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let data = fs::metadata(path).ok()?;
    Some((data.dev(), data.ino()))
}

/// Elsewhere a file that is open can't be removed.
#[cfg(not(unix))]
fn file_at(_path: &Path) -> Option<(u64, u64)> {
    None
}
