//! Panics as failures: what was said, and the innermost place of the user's own code.

use std::backtrace::Backtrace;
use std::cell::Cell;
use std::panic::{self, PanicHookInfo};
use std::path::Path;

use crate::record::Record;
use crate::scalar::LONGEST_TEXT;
use crate::wire::Failure;

thread_local! {
    /// A service may have set a hook of its own around ours, and we around that one.
    static TOLD: Cell<bool> = const { Cell::new(false) };
}

/// Puts our hook before the one that is there.
pub fn listen() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let is_first = !TOLD.replace(true);
        if is_first {
            tell(info);
        }
        before(info);
        if is_first {
            TOLD.set(false);
        }
    }));
}

fn tell(info: &PanicHookInfo<'_>) {
    let Some(record) = Record::get() else { return };
    let Some((file, line)) = place(record, info) else {
        return;
    };
    let mut message = message(info);
    let mut end = message.len().min(LONGEST_TEXT);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    message.truncate(end);
    record.fail(Failure {
        exception: "panic".to_owned(),
        message,
        file,
        line,
    });
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().map(|it| (*it).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a value that is no text".to_owned())
}

/// Where it was raised, if that is the user's own; else the first own line on the way there.
fn place(record: &Record, info: &PanicHookInfo<'_>) -> Option<(String, u32)> {
    if let Some(location) = info.location() {
        if let Some(name) = own(record, location.file()) {
            return Some((name, location.line()));
        }
    }
    // Addresses are made lines only in a text.
    let trace = Backtrace::force_capture().to_string();
    let mut places = trace
        .lines()
        .filter_map(|line| line.trim().strip_prefix("at "));
    places.find_map(|place| {
        let mut parts = place.rsplitn(3, ':');
        let (_, line) = (parts.next()?, parts.next()?.parse().ok()?);
        Some((own(record, parts.next()?)?, line))
    })
}

/// The name of an own file, which the compiler may have named relative to the workspace.
fn own(record: &Record, file: &str) -> Option<String> {
    let file = file.strip_prefix("./").unwrap_or(file);
    let absolute = |root: &String| Path::new(root).join(file);
    let mut names = record.map.files.iter();
    names.find_map(|(path, name)| {
        let is_it = Path::new(path).ends_with(file)
            || record
                .map
                .roots
                .iter()
                .any(|root| absolute(root) == Path::new(path));
        is_it.then(|| name.clone())
    })
}
