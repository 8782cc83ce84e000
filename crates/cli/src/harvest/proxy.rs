//! `fossick harvest proxy` and `fossick harvest collect`: calls are kept as they happen.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use fossick_harvest::Seen;
use fossick_harvest::import::{Format, Settings, read};
use fossick_recorder::{
    CollectSettings, Figures, HostHeader, Parse, ProxySettings, RecordSettings, Recorder, Teller,
    Told, start_collector, start_proxy, stop_signal,
};
use fossick_report::one_line;
use fossick_transport::Base;

use crate::exit::Exit;
use crate::harvest::keeper::Keeper;
use crate::harvest::recording::{CollectFlags, Host, KeepFlags, ProxyFlags};

pub(crate) fn proxy(flags: &ProxyFlags) -> Result<Exit> {
    let upstream: Base = flags
        .upstream
        .parse()
        .with_context(|| format!("--upstream {} is no URL of a service", flags.upstream))?;
    let mut settings = ProxySettings::new(flags.listen, upstream);
    if let Some(host) = flags.host {
        settings.host = match host {
            Host::Client => HostHeader::Kept,
            Host::Upstream => HostHeader::Upstream,
        };
    }
    settings.forwarded = flags.forwarded;
    settings.http2 = flags.http2;
    settings.insecure = flags.insecure;
    let recorder = recorder(&flags.keep)?;
    let proxy = start_proxy(settings, recorder, teller())?;
    until_stopped(|| proxy.end())
}

pub(crate) fn collect(flags: &CollectFlags) -> Result<Exit> {
    let mut settings = CollectSettings::new(flags.listen);
    settings.token.clone_from(&flags.token);
    let recorder = recorder(&flags.keep)?;
    let collector = start_collector(settings, lines(), recorder, teller())?;
    until_stopped(|| collector.end())
}

fn recorder(flags: &KeepFlags) -> Result<Recorder> {
    let keeper = Keeper::open(flags)?;
    let recorder = Recorder::start(RecordSettings::default(), Box::new(keeper), teller())?;
    Ok(recorder)
}

/// What middleware posts is what `harvest import` reads as lines of JSON.
fn lines() -> Parse {
    let settings = Settings::default();
    Arc::new(move |body: &[u8]| {
        let calls = read(Format::Ndjson, body, &settings);
        let calls = calls.map(|call| call.map_err(|why| why.to_string()));
        calls.collect::<Vec<Result<Seen, String>>>()
    })
}

/// Standard error is the log; the program has no other output.
fn teller() -> Teller {
    Arc::new(|told: Told| eprintln!("{}", one_line(&told.to_string())))
}

fn until_stopped(end: impl FnOnce() -> Figures) -> Result<Exit> {
    let runtime = crate::test::runtime()?;
    runtime.block_on(stop_signal())?;
    end();
    Ok(Exit::Clean)
}
