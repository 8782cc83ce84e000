//! A connection to the server: made, set up, its store led to the newest format.
//!
//! The tables are in a schema of their own, so that a store can live in a database beside others.

use std::error::Error as _;
use std::time::Duration;

use postgres::config::SslMode;
use postgres::error::SqlState;
use postgres::{Client, Config, GenericClient, NoTls};

use super::tls::Tls;
use crate::place::Server;
use crate::schema::{Dialect, VERSION, steps_after};
use crate::{Access, StoreError};

const DIALECT: Dialect = Dialect {
    bytes: "BYTEA",
    number: "BIGINT",
};

/// Recorders that come at the same time wait here, so that one of them makes the tables.
const ONE_AT_A_TIME: &str = "SELECT pg_advisory_xact_lock(7381223401)";

/// A server may be set not to wait for its disk; then it would acknowledge what it can lose.
const SAFELY: &str = "SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') = 'off'";

/// The connection, and the version of the store it leads to.
pub(super) fn connect(server: &Server, access: Access) -> Result<(Client, u32), StoreError> {
    let place = server.to_string();
    let told = |error: postgres::Error| told("open", &place, &error);
    let mut client = dial(server)?;
    set_up(&mut client, access).map_err(told)?;
    let found = match access {
        Access::Write => migrate(&mut client).map_err(told)?,
        Access::Read => version(&mut client).map_err(told)?,
    };
    match found {
        Some(0) => Err(StoreError::Missing { place }),
        Some(found) if found > VERSION => Err(StoreError::Newer {
            place,
            found,
            known: VERSION,
        }),
        Some(found) => Ok((client, found)),
        None => Err(StoreError::NotAStore {
            place,
            why: "its schema `fossick` holds other tables".to_owned(),
        }),
    }
}

pub(crate) fn dial(server: &Server) -> Result<Client, StoreError> {
    let place = server.to_string();
    let config = with_limits(&server.config);
    let client = if config.get_ssl_mode() == SslMode::Disable {
        config.connect(NoTls)
    } else {
        let tls = Tls::new(server.roots.as_deref()).map_err(|why| StoreError::Failed {
            doing: "open",
            place: place.clone(),
            why,
        })?;
        config.connect(tls)
    };
    client.map_err(|error| told("open", &place, &error))
}

/// A server that is silent must not hold a recorder for ever.
fn with_limits(config: &Config) -> Config {
    let mut config = config.clone();
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(5));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(30));
    }
    if config.get_application_name().is_none() {
        config.application_name("fossick");
    }
    config
}

fn set_up(client: &mut Client, access: Access) -> Result<(), postgres::Error> {
    client.batch_execute("SET search_path TO fossick; SET client_min_messages TO warning")?;
    client.batch_execute(match access {
        Access::Write => SAFELY,
        Access::Read => "SET default_transaction_read_only TO on",
    })
}

/// Leads an older store to the newest version, in one transaction, and tells the version.
fn migrate(client: &mut Client) -> Result<Option<u32>, postgres::Error> {
    match version(client)? {
        Some(found) if found < VERSION => {}
        other => return Ok(other),
    }
    let mut transaction = client.transaction()?;
    transaction.batch_execute(ONE_AT_A_TIME)?;
    // Somebody else may have done it meanwhile.
    let found = version(&mut transaction)?;
    if let Some(found) = found.filter(|found| *found < VERSION) {
        let steps = steps_after(found, &DIALECT);
        transaction.batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS fossick; {steps}"))?;
        transaction.commit()?;
        return Ok(Some(VERSION));
    }
    Ok(found)
}

/// Zero where nothing has been made yet; none where others have made something.
fn version(client: &mut impl GenericClient) -> Result<Option<u32>, postgres::Error> {
    let made = "SELECT to_regclass('fossick.meta') IS NOT NULL, \
         EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'fossick')";
    let row = client.query_one(made, &[])?;
    if !row.try_get::<_, bool>(0)? {
        let empty = !row.try_get::<_, bool>(1)?;
        return Ok(empty.then_some(0));
    }
    let row = client.query_one("SELECT version FROM meta", &[])?;
    let version: i64 = row.try_get(0)?;
    Ok(u32::try_from(version).ok())
}

/// What a failure means, and what to do about it.
pub(crate) fn told(doing: &'static str, place: &str, error: &postgres::Error) -> StoreError {
    let place = place.to_owned();
    let why = why(error);
    if may_pass(error) {
        StoreError::Unreachable { place, why }
    } else {
        StoreError::Failed { doing, place, why }
    }
}

fn why(error: &postgres::Error) -> String {
    let said = match error.as_db_error() {
        Some(db) => db.message().to_owned(),
        None => error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string),
    };
    match advice(error, &said) {
        Some(advice) => format!("{said}; {advice}"),
        None => said,
    }
}

fn advice(error: &postgres::Error, said: &str) -> Option<&'static str> {
    if said.contains("does not support TLS") {
        return Some("if nobody can listen in between, add `?sslmode=disable` to the URL");
    }
    if said.contains("no encryption") {
        return Some("add `?sslmode=require` to the URL");
    }
    if said.contains("certificate") {
        return Some("name its authority with `&sslrootcert=FILE` in the URL");
    }
    let code = error.code()?;
    if *code == SqlState::INVALID_CATALOG_NAME {
        return Some("create it first: `createdb NAME`");
    }
    if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        return Some("the user needs the right to create a schema in this database");
    }
    (*code == SqlState::INVALID_PASSWORD).then_some("see the user and the password in the URL")
}

/// Whether the same may work in a moment. A failure that is not the server's own word is one of
/// the line to it.
fn may_pass(error: &postgres::Error) -> bool {
    match error.code() {
        Some(code) => PASSING.contains(code) || code.code().starts_with("08"),
        None => error.is_closed() || is_of_the_line(error),
    }
}

const PASSING: [SqlState; 8] = [
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_SERIALIZATION_FAILURE,
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
    SqlState::TOO_MANY_CONNECTIONS,
    SqlState::READ_ONLY_SQL_TRANSACTION,
    SqlState::LOCK_NOT_AVAILABLE,
];

fn is_of_the_line(error: &postgres::Error) -> bool {
    let source = error.source();
    source.is_some_and(|source| {
        source
            .downcast_ref::<std::io::Error>()
            .is_some_and(is_no_tls)
    }) || error.to_string().contains("timeout")
}

/// A handshake that fails comes as an error of the line too, and would fail again.
fn is_no_tls(error: &std::io::Error) -> bool {
    error.kind() != std::io::ErrorKind::InvalidData
}
