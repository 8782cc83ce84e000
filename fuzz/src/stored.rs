//! A stored finding, as replay reads it: its module is read in from where it lies.
//!
//! What was read is then used as a replay would: every capture must look back, so that nothing is
//! asked of an answer that can't have come yet.

use std::cell::RefCell;
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::PathBuf;

#[path = "../../crates/cli/src/run_folder.rs"]
#[expect(dead_code, reason = "only the reader is of interest here")]
mod run_folder;

pub fn stored(data: &[u8]) {
    thread_local! {
        static SCRATCH: RefCell<Option<Scratch>> = RefCell::new(Scratch::new());
    }
    SCRATCH.with_borrow_mut(|scratch| {
        if let Some(path) = scratch.as_mut().and_then(|scratch| scratch.hold(data)) {
            read(&path);
        }
    });
}

fn read(path: &std::path::Path) {
    let Ok(stored) = run_folder::read(path) else {
        return;
    };
    let calls = &stored.script.calls;
    assert!(stored.finding.call < calls.len());
    for (at, call) in calls.iter().enumerate() {
        assert!(call.captures().all(|capture| capture.call < at));
    }
    for at in 0..calls.len() {
        stored.script.without(at);
    }
    let again = serde_json::to_string(&stored).expect("what was read can be written");
    assert!(!again.is_empty());
}

/// One file for all inputs of a thread: the reader wants a path. It goes with its owner.
struct Scratch {
    file: File,
    path: PathBuf,
}

impl Scratch {
    fn new() -> Option<Self> {
        let thread = format!("{:?}", std::thread::current().id());
        let number: String = thread.chars().filter(char::is_ascii_digit).collect();
        let name = format!("fossick-fuzz-{}-{number}.json", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = File::create(&path).ok()?;
        Some(Self { file, path })
    }

    fn hold(&mut self, data: &[u8]) -> Option<PathBuf> {
        self.file.set_len(0).ok()?;
        self.file.rewind().ok()?;
        self.file.write_all(data).ok()?;
        Some(self.path.clone())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A file that is gone already is what is wanted.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Seeds that are refused at the door would teach a fuzzer nothing.
    #[test]
    fn whole_seeds_are_read_whole() {
        let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/stored");
        for name in ["one-call.json", "three-calls.json", "fills.json"] {
            let stored = run_folder::read(&seeds.join(name));
            assert!(
                stored.is_ok(),
                "{name}: {:#}",
                stored.expect_err("not read")
            );
        }
        for name in ["looks-ahead.json", "newer.json"] {
            assert!(run_folder::read(&seeds.join(name)).is_err(), "{name}");
        }
    }
}
