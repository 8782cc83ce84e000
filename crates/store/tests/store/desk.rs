//! What the tests share: places for stores, and calls to put into them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use fossick_contract::RootKind;
use fossick_harvest::{
    Call, Content, Flow, GraphQlCall, How, Record, Redaction, RestCall, Sighting, Statuses, Took,
};
use fossick_store::{Access, Filter, Place, Store};
use fossick_testkit::postgres::{Server, server};
use serde_json::{Map, json};

/// A folder that goes with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("fossick-store-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).expect("a folder of our own");
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A place for a store that does not exist yet.
pub(crate) struct Desk {
    pub(crate) text: String,
    _folder: Option<Folder>,
    _server: Option<Server>,
}

impl Desk {
    pub(crate) fn file() -> Self {
        let folder = Folder::new();
        Self {
            text: folder.path("calls.db").display().to_string(),
            _folder: Some(folder),
            _server: None,
        }
    }

    /// None only where there is no server to be had at all.
    pub(crate) fn server() -> Option<Self> {
        let server = server()?;
        Some(Self {
            text: server.database(),
            _folder: None,
            _server: Some(server),
        })
    }

    pub(crate) fn place(&self) -> Place {
        place(&self.text)
    }

    pub(crate) fn open(&self) -> Store {
        Store::open(&self.place(), Access::Write).expect("a store")
    }
}

/// The same test for both engines.
pub(crate) fn with_both(test: impl Fn(&Desk)) {
    test(&Desk::file());
    if let Some(desk) = Desk::server() {
        test(&desk);
    }
}

pub(crate) fn place(text: &str) -> Place {
    text.parse().expect("a place")
}

pub(crate) fn place_of(path: &Path) -> Place {
    Place::File(path.to_owned())
}

pub(crate) fn query(number: u64) -> Call {
    let variables = json!({"id": number});
    Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: RootKind::Query,
        query: "query Project($id:ID!){project(id:$id){name}}".to_owned(),
        operation_name: Some("Project".to_owned()),
        variables: variables.as_object().cloned().unwrap_or_default(),
    })
}

pub(crate) fn mutation() -> Call {
    Call::GraphQl(GraphQlCall {
        path: "/graphql".to_owned(),
        root: RootKind::Mutation,
        query: "mutation{createProject{id}}".to_owned(),
        operation_name: None,
        variables: Map::new(),
    })
}

pub(crate) fn rest(method: &str, path: &str) -> Call {
    Call::Rest(RestCall {
        method: method.to_owned(),
        path: path.to_owned(),
        query: vec![("q".to_owned(), "a\u{0}b 🦀".to_owned())],
        headers: Vec::new(),
        content: Content::Json {
            media_type: "application/json".to_owned(),
            value: json!({"name": "a\u{0}b", "list": [1, 2.5, null, ""]}),
        },
    })
}

/// Seen once.
pub(crate) fn seen(call: Call, at: u64) -> Sighting {
    Sighting {
        key: call.key(),
        call,
        first_at: at,
        last_at: at,
        times: 1,
        statuses: Statuses {
            successful: 1,
            ..Statuses::default()
        },
        took: Took {
            answers: 1,
            total: 100,
            most: 100,
        },
        redactions: Vec::new(),
    }
}

pub(crate) fn dropped(place: &str) -> Redaction {
    Redaction {
        place: place.to_owned(),
        how: How::Dropped,
    }
}

pub(crate) fn flow(to: &str, times: u64) -> Flow {
    Flow {
        from: "POST /projects".to_owned(),
        pointer: "/id".to_owned(),
        to: to.to_owned(),
        place: "path 0".to_owned(),
        times,
    }
}

pub(crate) fn all(store: &mut Store) -> Vec<Record> {
    listed(store, &Filter::default())
}

pub(crate) fn listed(store: &mut Store, filter: &Filter) -> Vec<Record> {
    let mut records = Vec::new();
    let done = store.records(filter, &mut |record| {
        records.push(record);
        ControlFlow::Continue(())
    });
    done.expect("a listing");
    records
}

/// How often calls were seen, all together.
pub(crate) fn total(store: &mut Store) -> u64 {
    all(store).iter().map(|record| record.times_called).sum()
}
