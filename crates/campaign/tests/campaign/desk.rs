//! A contract, a client for a fake, and scripts written down call by call.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fossick_campaign::{Budget, Event, Hunt, Outcome, Settings};
use fossick_contract::{Api, Method};
use fossick_ingest::{NoFetch, Source, read};
use fossick_trace::{Call, Capture, Intent, Payload, Role, Script, Take, Text};
use fossick_transport::{Base, Client};
use fossick_validate::Validators;
use serde_json::Value;

pub(crate) struct Desk {
    pub(crate) api: Api,
    pub(crate) validators: Validators,
}

impl Desk {
    pub(crate) fn of(document: String) -> Self {
        let source = Source {
            name: "openapi.json".to_owned(),
            text: document,
        };
        let api = read(&source, &mut NoFetch).expect("it can be read").api;
        let validators = Validators::new(&api);
        Self { api, validators }
    }

    /// Hunts until so many requests went out.
    pub(crate) fn hunt(&self, url: &str, requests: u64) -> Outcome {
        self.hunt_with(url, requests, |_| {})
    }

    pub(crate) fn hunt_with(
        &self,
        url: &str,
        requests: u64,
        change: impl FnOnce(&mut Settings),
    ) -> Outcome {
        let mut settings = settings(requests);
        change(&mut settings);
        let mut quiet = |_: Event<'_>| {};
        let client = client(url);
        let hunt = Hunt::new(&self.api, &self.validators, client, settings, &mut quiet);
        wait(hunt.run(std::future::pending()))
    }
}

pub(crate) fn settings(requests: u64) -> Settings {
    let search = fossick_search::Settings {
        seed: 7,
        free: true,
        ..fossick_search::Settings::default()
    };
    Settings {
        budget: Budget {
            time: Some(Duration::from_secs(20)),
            requests: Some(requests),
        },
        search,
        ignore: vec![],
        silenced: vec![],
        probe: None,
        keep: None,
        in_order: false,
        reset: None,
        revive: None,
        printed: None,
        beside: Vec::new(),
    }
}

pub(crate) fn client(url: &str) -> Client {
    let base: Base = url.parse().expect("a URL");
    let mut settings = fossick_transport::Settings::new(base);
    // As in the program: pauses are kept operation by operation.
    settings.longest_pause = Duration::ZERO;
    Client::new(settings).expect("a client")
}

/// Runs to the end on this thread, as the program does.
pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    tokio::task::LocalSet::new().block_on(&runtime, work)
}

pub(crate) fn call(method: Method, operation: &str, target: Text) -> Call {
    Call {
        operation: operation.into(),
        method,
        target,
        headers: vec![],
        payload: Payload::None,
        user: None,
        role: Role::Main,
        intent: Intent::Valid,
        graphql: None,
    }
}

pub(crate) fn set_up(call: Call) -> Call {
    Call {
        role: Role::Setup,
        ..call
    }
}

pub(crate) fn json_body(call: Call, value: &Value) -> Call {
    let payload = Payload::Bytes {
        media_type: "application/json".to_owned(),
        bytes: Bytes::from(value.to_string()),
    };
    Call { payload, ..call }
}

pub(crate) fn script(calls: Vec<Call>) -> Arc<Script> {
    Arc::new(Script {
        calls,
        ..Script::default()
    })
}

pub(crate) fn capture(call: usize, pointer: &str) -> Capture {
    Capture {
        call,
        take: Take::Pointer(pointer.to_owned()),
    }
}

/// `before` + what an earlier answer gave + `after`.
pub(crate) fn around(before: &str, capture: Capture, after: &str) -> Text {
    let mut text = Text::fixed(before);
    text.push_capture(capture);
    text.push_str(after);
    text
}
