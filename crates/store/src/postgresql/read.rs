//! Records out of the server, a few at a time: a listing may be larger than memory.

use fossick_harvest::{Flow, Record};
use postgres::Row;

use super::Postgres;
use crate::numbers::{COUNT, Numbers};
use crate::row::Raw;
use crate::store::Take;
use crate::{Filter, StoreError, sql};

const AT_A_TIME: i32 = 500;

/// Redactions of the record at hand as one text.
const REDACTIONS: &str = "(SELECT json_agg(json_build_array(place, how))::text \
     FROM redactions WHERE redactions.key = records.key)";

impl Postgres {
    pub(crate) fn records(&mut self, filter: &Filter, take: Take<'_>) -> Result<(), StoreError> {
        let server = self.server.clone();
        let told = |error| super::told("read", &server.to_string(), &error);
        let place = server.to_string();
        let [calls, since, until] = filter.bounds();
        let session = self.connected()?;
        let version = session.version;
        let mut transaction = session.client.transaction().map_err(told)?;
        let portal = transaction
            .bind(
                &sql::listing(version, REDACTIONS),
                &[&calls, &since, &until],
            )
            .map_err(told)?;
        loop {
            let rows = transaction.query_portal(&portal, AT_A_TIME).map_err(told)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in &rows {
                let record = raw(row).map_err(told)?.record(&place)?;
                if take(record).is_break() {
                    return Ok(());
                }
            }
        }
    }

    pub(crate) fn count(&mut self, filter: &Filter) -> Result<u64, StoreError> {
        let [calls, since, until] = filter.bounds();
        let session = self.connected()?;
        let counted = session
            .client
            .query_one(&sql::counting(), &[&calls, &since, &until])
            .and_then(|row| row.try_get::<_, i64>(0));
        let counted = counted.map_err(|error| self.told("read", &error))?;
        Ok(u64::try_from(counted).unwrap_or(0))
    }

    pub(crate) fn get(
        &mut self,
        first: &[u8; 16],
        last: &[u8; 16],
    ) -> Result<Vec<Record>, StoreError> {
        let place = self.server.to_string();
        let session = self.connected()?;
        let by_key = sql::by_key(session.version, REDACTIONS);
        let range: [&[u8]; 2] = [first, last];
        let rows = session.client.query(&by_key, &[&range[0], &range[1]]);
        let rows = rows.map_err(|error| self.told("read", &error))?;
        let records = rows.iter().map(|row| {
            let raw = raw(row).map_err(|error| self.told("read", &error))?;
            raw.record(&place)
        });
        records.collect()
    }

    pub(crate) fn flows(&mut self) -> Result<Vec<Flow>, StoreError> {
        let session = self.connected()?;
        if session.version < 2 {
            return Ok(Vec::new());
        }
        let listing = format!("SELECT {} FROM flows", sql::FLOW_COLUMNS);
        let rows = session.client.query(&listing, &[]);
        let flows = rows.and_then(|rows| rows.iter().map(flow).collect());
        flows.map_err(|error| self.told("read", &error))
    }
}

fn flow(row: &Row) -> Result<Flow, postgres::Error> {
    let times: i64 = row.try_get(4)?;
    Ok(Flow {
        from: row.try_get(0)?,
        pointer: row.try_get(1)?,
        to: row.try_get(2)?,
        place: row.try_get(3)?,
        times: u64::try_from(times).unwrap_or(0),
    })
}

fn raw(row: &Row) -> Result<Raw, postgres::Error> {
    let mut numbers = [0; COUNT];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = row.try_get(place + 2)?;
    }
    Ok(Raw {
        key: row.try_get(0)?,
        call: row.try_get(1)?,
        numbers: Numbers(numbers),
        redactions: row.try_get(COUNT + 2)?,
    })
}
