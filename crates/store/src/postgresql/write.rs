//! A batch into the server: one statement for each table, whatever the number of rows.

use postgres::types::ToSql;
use postgres::{Client, Error, Statement, Transaction};

use super::NOW;
use crate::batch::{Batch, FlowRow, RedactionRow, Row};
use crate::numbers::COUNT;
use crate::sql;

type Parameters<'a> = Vec<&'a (dyn ToSql + Sync)>;

/// The statements, prepared on a connection.
pub(super) struct Writing {
    name: Statement,
    records: Statement,
    redactions: Statement,
    flows: Statement,
}

impl Writing {
    pub(super) fn prepare(client: &mut Client) -> Result<Self, Error> {
        Ok(Self {
            name: client.prepare(&format!(
                "INSERT INTO batches (id, at) VALUES ($1, {NOW}) ON CONFLICT DO NOTHING"
            ))?,
            records: client.prepare(&records())?,
            redactions: client.prepare(
                "INSERT INTO redactions (key, id, place, how) \
                 SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[]) \
                 ON CONFLICT DO NOTHING",
            )?,
            flows: client.prepare(&flows())?,
        })
    }

    /// Whether the name was free. A transaction under way that has it is waited for: a connection
    /// that was lost may still be at work over there.
    pub(super) fn take_name(&self, to: &mut Transaction<'_>, batch: &Batch) -> Result<bool, Error> {
        let taken = to.execute(&self.name, &[&batch.id.0.as_slice()])?;
        Ok(taken == 1)
    }

    pub(super) fn write(&self, to: &mut Transaction<'_>, batch: &Batch) -> Result<(), Error> {
        if !batch.rows.is_empty() {
            to.execute(&self.records, &Records::of(&batch.rows).parameters())?;
        }
        let redactions = Redactions::of(&batch.rows);
        if !redactions.ids.is_empty() {
            to.execute(&self.redactions, &redactions.parameters())?;
        }
        if !batch.flows.is_empty() {
            to.execute(&self.flows, &Flows::of(&batch.flows).parameters())?;
        }
        Ok(())
    }
}

fn records() -> String {
    let columns = sql::columns();
    let arrays: Vec<String> = (3..COUNT + 3).map(|n| format!("${n}::bigint[]")).collect();
    let (arrays, conflict) = (arrays.join(", "), sql::on_conflict());
    format!(
        "INSERT INTO records ({columns}) \
         SELECT * FROM unnest($1::bytea[], $2::text[], {arrays}) {conflict}"
    )
}

fn flows() -> String {
    let (columns, conflict) = (sql::FLOW_COLUMNS, sql::on_flow_conflict());
    format!(
        "INSERT INTO flows (id, {columns}) SELECT * FROM unnest($1::bytea[], $2::text[], \
         $3::text[], $4::text[], $5::text[], $6::bigint[]) {conflict}"
    )
}

/// Rows turned on their side: one list for each column.
struct Records<'a> {
    keys: Vec<&'a [u8]>,
    calls: Vec<&'a str>,
    numbers: [Vec<i64>; COUNT],
}

impl<'a> Records<'a> {
    fn of(rows: &'a [Row]) -> Self {
        let numbers = |place: usize| rows.iter().map(|row| row.numbers.0[place]).collect();
        Self {
            keys: rows.iter().map(|row| row.key.0.as_slice()).collect(),
            calls: rows.iter().map(|row| row.call.as_str()).collect(),
            numbers: std::array::from_fn(numbers),
        }
    }

    fn parameters(&self) -> Parameters<'_> {
        let mut parameters: Parameters<'_> = vec![&self.keys, &self.calls];
        for numbers in &self.numbers {
            parameters.push(numbers);
        }
        parameters
    }
}

#[derive(Default)]
struct Redactions<'a> {
    keys: Vec<&'a [u8]>,
    ids: Vec<&'a [u8]>,
    places: Vec<&'a str>,
    hows: Vec<&'a str>,
}

impl<'a> Redactions<'a> {
    fn of(rows: &'a [Row]) -> Self {
        let mut all = Self::default();
        for row in rows {
            for RedactionRow { id, place, how } in &row.redactions {
                all.keys.push(&row.key.0);
                all.ids.push(id);
                all.places.push(place);
                all.hows.push(how);
            }
        }
        all
    }

    fn parameters(&self) -> Parameters<'_> {
        vec![&self.keys, &self.ids, &self.places, &self.hows]
    }
}

struct Flows<'a> {
    ids: Vec<&'a [u8]>,
    texts: [Vec<&'a str>; 4],
    times: Vec<i64>,
}

impl<'a> Flows<'a> {
    fn of(rows: &'a [FlowRow]) -> Self {
        let texts = |place: usize| rows.iter().map(|row| row.texts[place].as_str()).collect();
        Self {
            ids: rows.iter().map(|row| row.id.as_slice()).collect(),
            texts: std::array::from_fn(texts),
            times: rows.iter().map(|row| row.times).collect(),
        }
    }

    fn parameters(&self) -> Parameters<'_> {
        let mut parameters: Parameters<'_> = vec![&self.ids];
        for texts in &self.texts {
            parameters.push(texts);
        }
        parameters.push(&self.times);
        parameters
    }
}
