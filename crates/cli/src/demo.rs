//! `fossick demo`: the whole thing on a faulty service that is built in.

use std::time::Duration;

use anyhow::{Context as _, Result};
use fossick_demo::{Faults, STAFF_TOKEN, Service, document, serve};
use fossick_ingest::Source;

use crate::config::Config;
use crate::document::Access;
use crate::exit::Exit;
use crate::flags::TestFlags;
use crate::test::{Session, runtime};

/// Long enough to find what is planted, short enough to wait for.
const TIME: Duration = Duration::from_secs(12);

/// Starts the faulty service again, for a finding that was made in it.
pub(crate) fn start() -> Result<Service> {
    serve(Faults::Planted, 0).context("failed to start the built-in service")
}

/// The header that the built-in service asks of its staff.
pub(crate) fn credentials() -> String {
    format!("Authorization: Bearer {STAFF_TOKEN}")
}

pub(crate) fn demo(flags: Box<TestFlags>) -> Result<Exit> {
    let mut flags = flags;
    let service = start()?;
    let url = service.url();
    flags.url = Some(url.clone());
    flags.time = flags
        .time
        .or_else(|| flags.requests.is_none().then_some(TIME));
    if flags.identity.header.is_empty() {
        flags.identity.header.push(credentials());
    }
    let runtime = runtime()?;
    let access = Access {
        runtime: &runtime,
        headers: &[],
        insecure: false,
    };
    let schema = format!("{url}/openapi.json");
    let document = access.parse(Source {
        name: schema.clone(),
        text: document().to_owned(),
    })?;
    let config = Config::default();
    let mut session = Session::new(&flags, &config, &runtime, document, &schema)?;
    session.built_in = true;
    session.run()
}
