//! Sources beside what is made of them: `golden/NAME.js`, `NAME.out.js` and `NAME.targets`.
//! `UPDATE=1 cargo test -p fossick-instrument` writes them anew.

use std::path::{Path, PathBuf};

use fossick_instrument::{Goal, Instrumented, PLACEHOLDER, instrument};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn sources() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("there are goldens");
    let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
    paths.retain(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".js") && !name.ends_with(".out.js")
    });
    paths.sort();
    paths
}

fn rewritten(source: &str) -> Instrumented {
    instrument(source, Goal::Unknown, None).expect("it can be read")
}

/// Line, kind, ordinal and label, one target a line.
fn listed(it: &Instrumented) -> String {
    let lines = it.targets.iter().enumerate().map(|(number, target)| {
        let kind = format!("{:?}", target.kind).to_lowercase();
        let (line, ordinal, label) = (target.line, target.ordinal, &target.label);
        format!("{number} {line}:{kind}:{ordinal} {label}\n")
    });
    lines.collect()
}

#[test]
fn sources_are_rewritten_as_they_stand_beside() {
    let is_updated = std::env::var_os("UPDATE").is_some();
    for path in sources() {
        let source = std::fs::read_to_string(&path).expect("a source");
        let it = rewritten(&source);
        // Short names make it readable.
        let code = it.code.replace(PLACEHOLDER, "$f");
        for (extension, text) in [("out.js", code), ("targets", listed(&it))] {
            let beside = path.with_extension(extension);
            if is_updated {
                std::fs::write(&beside, &text).expect("written");
            }
            let expected = std::fs::read_to_string(&beside).expect("UPDATE=1 writes it");
            assert_eq!(text, expected, "{}", beside.display());
        }
        assert_eq!(source.lines().count(), it.code.lines().count());
    }
}

#[test]
fn targets_have_names_of_their_own() {
    for path in sources() {
        let source = std::fs::read_to_string(&path).expect("a source");
        let it = rewritten(&source);
        let mut names: Vec<_> = it
            .targets
            .iter()
            .map(|it| (it.line, it.kind, it.ordinal))
            .collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), it.targets.len());
    }
}

#[test]
fn what_is_no_program_is_left_alone() {
    for broken in ["if (", "let a; let a b", "}", "a ?? b || c"] {
        assert!(instrument(broken, Goal::Unknown, None).is_err(), "{broken}");
    }
    let deep = "(".repeat(100_000);
    assert!(instrument(&deep, Goal::Unknown, None).is_err());
    let again = rewritten("a()").code;
    assert!(instrument(&again, Goal::Unknown, None).is_err());
}

#[test]
fn lines_are_those_of_the_source_map() {
    // One line of code that was made of lines 1 and 3.
    let map = r#"{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA,IAEA"}"#;
    let it = instrument("a();b();", Goal::Script, Some(map)).expect("it can be read");
    let lines: Vec<u32> = it.targets.iter().map(|it| it.line).collect();
    assert_eq!(lines, [1, 1, 3, 3]);
    assert_eq!(it.sources, ["a.ts"]);
    assert!(it.map.is_some_and(|map| map.contains("a.ts")));
}
