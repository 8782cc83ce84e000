//! The store itself: one of two engines behind the same few verbs.

use std::ops::ControlFlow;

use fossick_harvest::{Flow, Record, Sighting};

use crate::batch::Batch;
use crate::postgresql::Postgres;
use crate::row::keys_from;
use crate::sqlite::Sqlite;
use crate::{BatchId, Filter, Place, StoreError};

/// What a store is opened for. Reading never changes anything: a store of an older format is read
/// as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    /// Makes the store where there is none, and leads an older one to the newest format.
    Write,
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Added {
    /// Whether it had gone in before, under the same name, and so was not counted again.
    pub before: bool,
    /// Calls that are nested so deeply that they could not be read again; these are not stored.
    pub left_out: u64,
}

/// A store of calls. Every verb waits until it is done; see [`crate::Writer`] for those who can't.
#[derive(Debug)]
pub struct Store {
    engine: Engine,
    place: Place,
    access: Access,
}

#[derive(Debug)]
enum Engine {
    File(Box<Sqlite>),
    Server(Box<Postgres>),
}

/// Is handed one record after the other until it has enough.
pub(crate) type Take<'a> = &'a mut dyn FnMut(Record) -> ControlFlow<()>;

impl Store {
    pub fn open(place: &Place, access: Access) -> Result<Self, StoreError> {
        let engine = match place {
            Place::File(path) => Engine::File(Box::new(Sqlite::open(path, access)?)),
            Place::Server(server) => Engine::Server(Box::new(Postgres::open(server, access)?)),
        };
        Ok(Self {
            engine,
            place: place.clone(),
            access,
        })
    }

    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Counts all of these or, where it fails, none. When it returns they are safe.
    pub fn add(&mut self, sightings: &[Sighting], flows: &[Flow]) -> Result<Added, StoreError> {
        self.add_once(BatchId::random(), sightings, flows)
    }

    /// The same under a name, for those who can't know whether they have done it before.
    pub fn add_once(
        &mut self,
        id: BatchId,
        sightings: &[Sighting],
        flows: &[Flow],
    ) -> Result<Added, StoreError> {
        self.must_write()?;
        let batch = Batch::new(id, sightings, flows);
        let before = match &mut self.engine {
            Engine::File(file) => file.add(&batch)?,
            Engine::Server(server) => server.add(&batch)?,
        };
        Ok(Added {
            before,
            left_out: batch.left_out,
        })
    }

    /// Records in the order in which they were first seen, one at a time.
    pub fn records(&mut self, filter: &Filter, take: Take<'_>) -> Result<(), StoreError> {
        let mut wanted = |record: Record| {
            if filter.wants(&record.call) {
                take(record)
            } else {
                ControlFlow::Continue(())
            }
        };
        match &mut self.engine {
            Engine::File(file) => file.records(filter, &mut wanted),
            Engine::Server(server) => server.records(filter, &mut wanted),
        }
    }

    pub fn count(&mut self, filter: &Filter) -> Result<u64, StoreError> {
        if !filter.needs_no_call() {
            let mut count = 0;
            self.records(filter, &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            })?;
            return Ok(count);
        }
        match &mut self.engine {
            Engine::File(file) => file.count(filter),
            Engine::Server(server) => server.count(filter),
        }
    }

    /// What goes from one call into another, sorted.
    pub fn flows(&mut self) -> Result<Vec<Flow>, StoreError> {
        let mut flows = match &mut self.engine {
            Engine::File(file) => file.flows(),
            Engine::Server(server) => server.flows(),
        }?;
        flows.sort();
        Ok(flows)
    }

    /// The records whose keys begin with these digits; ten at most, since more than one are too
    /// many already.
    pub fn get(&mut self, prefix: &str) -> Result<Vec<Record>, StoreError> {
        let Some((first, last)) = keys_from(prefix) else {
            return Ok(Vec::new());
        };
        match &mut self.engine {
            Engine::File(file) => file.get(&first, &last),
            Engine::Server(server) => server.get(&first, &last),
        }
    }

    /// Forgets calls that were last seen before this time, and tells how many.
    pub fn forget(&mut self, before: u64) -> Result<u64, StoreError> {
        self.must_write()?;
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        match &mut self.engine {
            Engine::File(file) => file.forget(before),
            Engine::Server(server) => server.forget(before),
        }
    }

    /// Gives room back that is no longer needed.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.must_write()?;
        match &mut self.engine {
            Engine::File(file) => file.compact(),
            Engine::Server(server) => server.compact(),
        }
    }

    fn must_write(&self) -> Result<(), StoreError> {
        match self.access {
            Access::Write => Ok(()),
            Access::Read => Err(StoreError::ReadOnly {
                place: self.place.to_string(),
            }),
        }
    }
}
