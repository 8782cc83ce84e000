//! Files that were written once and read by somebody, against what is written now.
//!
//! `BLESS=1` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fossick_suite::Suite;
use fossick_writers::{Faults, File, Manner};

pub(crate) type Write = fn(&Suite, &Manner) -> Vec<File>;

pub(crate) fn suites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/suites")
}

pub(crate) fn suite(name: &str) -> Suite {
    let text = fs::read_to_string(suites().join(name)).expect("the suite is committed");
    serde_json::from_str(&text).expect("a suite")
}

pub(crate) fn manner(faults: Faults) -> Manner {
    Manner {
        faults,
        name: "shed".to_owned(),
    }
}

/// The sample is written as it lies in `testdata/suites/<folder>`.
pub(crate) fn sample_is_written_as_before(folder: &str, write: Write) {
    compare(
        &suites().join(folder),
        &write(&suite("sample.json"), &manner(Faults::Pass)),
    );
}

fn compare(folder: &Path, files: &[File]) {
    if std::env::var_os("BLESS").is_some() {
        bless(folder, files);
    }
    let written: BTreeMap<_, _> = files
        .iter()
        .map(|file| (file.path.clone(), &file.text))
        .collect();
    assert_eq!(written.len(), files.len(), "two files have the same path");
    let mut found = Vec::new();
    paths(folder, folder, &mut found);
    assert_eq!(found, written.keys().cloned().collect::<Vec<_>>());
    for (path, text) in written {
        let kept = fs::read_to_string(folder.join(&path)).expect("a golden file");
        assert_eq!(&kept, text, "{path} differs");
    }
}

/// Writes files where somebody wants to run them.
pub(crate) fn bless(folder: &Path, files: &[File]) {
    let _ = fs::remove_dir_all(folder);
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        fs::write(&path, &file.text).expect("can be written");
        #[cfg(unix)]
        if file.executable {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("can be set");
        }
    }
}

fn paths(root: &Path, folder: &Path, found: &mut Vec<String>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            paths(root, &path, found);
        } else if let Ok(path) = path.strip_prefix(root) {
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    found.sort();
}

/// The same suite gives the same files, and every path stays in its folder.
pub(crate) fn is_steady_and_stays_home(write: Write) {
    for faults in [Faults::Pass, Faults::Fail] {
        for name in ["sample.json", "hooked.json"] {
            let files = write(&suite(name), &manner(faults));
            assert_eq!(files, write(&suite(name), &manner(faults)));
            for file in files {
                let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
                let mut parts = file.path.split('/');
                assert!(parts.all(|part| !part.is_empty()
                    && !part.starts_with("..")
                    && part.chars().all(plain)));
                assert!(
                    file.text.ends_with('\n') && !file.text.ends_with("\n\n"),
                    "{}",
                    file.path
                );
            }
        }
    }
}

/// Where `WRITE_TO` names a folder, every suite is written there in both manners, to be run.
pub(crate) fn are_written_to_be_run(folder: &str, write: Write) {
    let Some(to) = std::env::var_os("WRITE_TO") else {
        return;
    };
    for (name, faults) in [("pass", Faults::Pass), ("fail", Faults::Fail)] {
        let files = write(&suite("sample.json"), &manner(faults));
        bless(&Path::new(&to).join(folder).join(name), &files);
    }
    let files = write(&suite("hooked.json"), &manner(Faults::Pass));
    bless(&Path::new(&to).join(folder).join("hooked"), &files);
}
