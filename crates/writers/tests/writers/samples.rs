//! The suites of `testdata/suites`, and the files that are expected of them.

use std::path::{Path, PathBuf};

use fossick_suite::Suite;

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/suites")
}

pub(crate) fn suite(name: &str) -> Suite {
    let path = folder().join(name).with_extension("json");
    let text = std::fs::read_to_string(&path).expect("the sample is there");
    serde_json::from_str(&text).expect("the sample is a suite")
}

#[test]
fn the_samples_are_read_as_they_are_written() {
    for name in ["sample", "hooked"] {
        let read = suite(name);
        let text = serde_json::to_string(&read).expect("a suite can be written");
        let again: Suite = serde_json::from_str(&text).expect("and read again");
        assert_eq!(again, read, "{name}");
    }
}
