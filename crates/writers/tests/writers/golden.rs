//! Every framework's files, held against those in `testdata/suites`. `BLESS=1` writes them anew.

use std::collections::BTreeSet;
use std::path::Path;

use fossick_suite::Suite;
use fossick_writers::{Faults, File, Manner, jest, postman, pytest};

use crate::samples::{folder, suite};

type Write = fn(&Suite, &Manner) -> Vec<File>;

const WRITERS: [(&str, Write); 3] = [
    ("jest", jest::write),
    ("postman", postman::write),
    ("pytest", pytest::write),
];

fn manner(faults: Faults) -> Manner {
    Manner {
        faults,
        name: "shed".to_owned(),
    }
}

fn bless(folder: &Path, files: &[File]) {
    let _ = std::fs::remove_dir_all(folder);
    for file in files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(path, &file.text).expect("the file is written");
    }
}

fn compare(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.path);
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            file.text,
            expected,
            "{} (BLESS=1 writes it anew)",
            path.display()
        );
    }
    let known: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a plain name");
        assert!(known.contains(name), "nobody writes {name} any more");
    }
}

fn hold(name: &str, write: Write) {
    for (sample, faults, place) in [
        ("sample", Faults::Pass, "passing"),
        ("sample", Faults::Fail, "failing"),
        ("hooked", Faults::Pass, "hooked"),
    ] {
        let files = write(&suite(sample), &manner(faults));
        let folder = folder().join(name).join(place);
        if std::env::var_os("BLESS").is_some() {
            bless(&folder, &files);
        }
        compare(&folder, &files);
    }
}

#[test]
fn every_writer_writes_what_was_reviewed() {
    for (name, write) in WRITERS {
        hold(name, write);
    }
}

#[test]
fn the_same_suite_gives_the_same_files() {
    for (name, write) in WRITERS {
        let once = write(&suite("sample"), &manner(Faults::Pass));
        assert_eq!(
            once,
            write(&suite("sample"), &manner(Faults::Pass)),
            "{name}"
        );
    }
}
