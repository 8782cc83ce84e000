//! The recording proxy with a store that reads every question and writes everything down, or with
//! one that is stuck.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use fossick_harvest::Seen;
use fossick_recorder::{Kept, ProxySettings, RecordSettings, Recorder, Teller, start_proxy};
use serde_json::{Value, json};

use crate::AnyError;

/// Longer than anybody measures.
const FOR_EVER: Duration = Duration::from_hours(1);

pub(crate) fn run(upstream: &str, stuck: bool) -> Result<(), AnyError> {
    let upstream = format!("http://{upstream}").parse()?;
    let settings = ProxySettings::new(([127, 0, 0, 1], 0).into(), upstream);
    let tell: Teller = Arc::new(|_| {});
    let keep = move |batch: &[Seen]| {
        if stuck {
            std::thread::sleep(FOR_EVER);
        }
        batch.iter().for_each(write_down);
        Ok(Kept {
            calls: batch.len() as u64,
            skipped: 0,
        })
    };
    let record = RecordSettings::default();
    let recorder = Recorder::start(record, Box::new(keep), Arc::clone(&tell))?;
    let proxy = start_proxy(settings, recorder, tell)?;
    println!("{}", proxy.address());
    // Told to end, it says what it did.
    std::io::stdin().read_line(&mut String::new())?;
    println!("{}", proxy.end());
    Ok(())
}

fn write_down(seen: &Seen) {
    let body: Value = serde_json::from_slice(&seen.body).unwrap_or_default();
    let answer = seen.answer.as_ref();
    let line = json!({
        "at": seen.at,
        "method": seen.method,
        "target": seen.target,
        "headers": seen.headers,
        "body": body,
        "status": answer.map(|answer| answer.status),
        "took": answer.and_then(|answer| answer.took),
    });
    let _ = writeln!(std::io::sink(), "{line}");
}
