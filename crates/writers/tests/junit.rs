//! Suites beside the JUnit projects that are written of them. `BLESS=1` writes them anew.

use std::path::{Path, PathBuf};

use fossick_suite::Suite;
use fossick_writers::junit::{Language, Version, write};
use fossick_writers::{Faults, File, Manner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::Value;

fn suites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/suites")
}

fn suite(name: &str) -> Suite {
    let text = std::fs::read_to_string(suites().join(name)).expect("the suite is committed");
    serde_json::from_str(&text).expect("the suite can be read")
}

const ALL: [(&str, Version, Language); 4] = [
    ("java4", Version::Four, Language::Java),
    ("java5", Version::Five, Language::Java),
    ("kotlin4", Version::Four, Language::Kotlin),
    ("kotlin5", Version::Five, Language::Kotlin),
];

fn hold(folder: &str, files: &[File]) {
    for file in files {
        let path = suites().join("junit").join(folder).join(&file.path);
        if std::env::var_os("BLESS").is_some() {
            let parent = path.parent().expect("a file is in a folder");
            std::fs::create_dir_all(parent).expect("the folder can be made");
            std::fs::write(&path, &file.text).expect("the file can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(expected == file.text, "{} has changed", path.display());
    }
}

fn manner(faults: Faults) -> Manner {
    Manner {
        faults,
        name: "com.example.shed".to_owned(),
    }
}

#[test]
fn the_sample_is_written_as_before() {
    let suite = suite("sample.json");
    for (folder, version, language) in ALL {
        let files = write(&suite, &manner(Faults::Pass), version, language);
        hold(folder, &files);
    }
}

fn found(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let (folders, mut files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| found(folder)));
    files
}

#[test]
fn no_file_is_left_that_nobody_writes() {
    let suite = suite("sample.json");
    for (folder, version, language) in ALL {
        let files = write(&suite, &manner(Faults::Pass), version, language);
        let known: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        let folder = suites().join("junit").join(folder);
        for path in found(&folder) {
            let name = path.strip_prefix(&folder).expect("it is in there");
            assert!(known.contains(&name.to_str().expect("plain")), "{name:?}");
        }
    }
}

#[test]
fn faults_that_are_to_fail_are_turned_round() {
    let suite = suite("sample.json");
    for (folder, version, language) in ALL {
        let mut files = write(&suite, &manner(Faults::Fail), version, language);
        files.retain(|file| file.path.contains("/FaultsTest"));
        hold(&format!("failing/{folder}"), &files);
    }
}

#[test]
fn services_are_started_stopped_and_reset() {
    let suite = suite("hooked.json");
    for (folder, version, language) in ALL {
        let mut files = write(&suite, &manner(Faults::Pass), version, language);
        files.retain(|file| file.path.contains("Test.") || file.path.contains("/Service"));
        hold(&format!("hooked/{folder}"), &files);
    }
}

#[test]
fn the_same_suite_gives_the_same_files() {
    let suite = suite("sample.json");
    for (_, version, language) in ALL {
        let once = write(&suite, &manner(Faults::Pass), version, language);
        assert_eq!(
            once,
            write(&suite, &manner(Faults::Pass), version, language)
        );
    }
}

/// Replaces every text of a suite that a service or a user may have chosen.
fn overwrite(value: &mut Value, text: &str) {
    match value {
        Value::String(old) => text.clone_into(old),
        Value::Array(items) => items.iter_mut().for_each(|item| overwrite(item, text)),
        Value::Object(fields) => {
            for (name, field) in fields {
                let fixed = ["method", "group", "form", "kind", "take", "is", "extent"];
                if !fixed.contains(&name.as_str()) || !field.is_string() {
                    overwrite(field, text);
                }
            }
        }
        _ => {}
    }
}

fn hostile(sample: &str, text: &str) -> Suite {
    let sample = suite(sample);
    let mut value = serde_json::to_value(sample).expect("a suite can be written");
    overwrite(&mut value, text);
    serde_json::from_value(value).expect("texts may be anything")
}

/// The code outside of literals and comments; `None` if one of them is not closed.
fn code(text: &str, language: Language) -> Option<String> {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    let mut inside = vec![];
    while let Some(c) = chars.next() {
        match (inside.last(), c) {
            (Some('"'), '\\') => drop(chars.next()),
            (Some('"'), '\n') => return None,
            (Some('"'), '$') if language == Language::Kotlin && chars.peek() == Some(&'{') => {
                chars.next();
                inside.push('{');
            }
            (Some('{'), '}') | (Some('"'), '"') => drop(inside.pop()),
            (Some('"'), _) => {}
            (_, '"') => inside.push('"'),
            (_, '\'') => {
                let letter = chars.next()?;
                chars.next_if(|_| letter == '\\');
                chars.next_if_eq(&'\'')?;
            }
            (_, '/') if chars.peek() == Some(&'/') => {
                while chars.next_if(|c| *c != '\n').is_some() {}
            }
            (_, '/') if chars.peek() == Some(&'*') => {
                let mut last = ' ';
                while last != '*' || chars.next_if_eq(&'/').is_none() {
                    last = chars.next()?;
                }
            }
            (_, c) => out.push(c),
        }
    }
    inside.is_empty().then_some(out)
}

fn is_balanced(code: &str) -> bool {
    let mut open = vec![];
    for c in code.chars() {
        match c {
            '(' | '{' | '[' => open.push(c),
            ')' if open.pop() != Some('(') => return false,
            '}' if open.pop() != Some('{') => return false,
            ']' if open.pop() != Some('[') => return false,
            _ => {}
        }
    }
    open.is_empty()
}

fn is_tame(file: &File, language: Language) -> Result<(), TestCaseError> {
    let part = |c: char| c.is_ascii_alphanumeric() || "_/.".contains(c);
    prop_assert!(
        file.path.chars().all(part) && !file.path.contains(".."),
        "{}",
        file.path
    );
    prop_assert!(!file.path.starts_with('/') && file.path.len() < 300);
    if !file.path.ends_with(language_ending(language)) {
        return Ok(());
    }
    let code = code(&file.text, language);
    prop_assert!(code.is_some(), "{}", file.text);
    let code = code.unwrap_or_default();
    prop_assert!(is_balanced(&code), "{}", file.text);
    prop_assert!(
        code.is_ascii() && !code.contains('\\') && !code.contains("e-vil"),
        "{code}"
    );
    Ok(())
}

fn language_ending(language: Language) -> &'static str {
    match language {
        Language::Java => ".java",
        Language::Kotlin => ".kt",
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn no_text_leaves_its_place(
        text in "(\\\\u000a|\\\\u0022|\\\\|\\$\\{e-vil\\}|\\$e-vil|\"|\"\"\"|\\*/ e-vil; /\\*|'|[\r\n\u{2028}\u{85}{}()]|\\PC|.){0,30}"
    ) {
        for sample in ["sample.json", "hooked.json"] {
            let suite = hostile(sample, &text);
            for (_, version, language) in ALL {
                for faults in [Faults::Pass, Faults::Fail] {
                    for file in write(&suite, &Manner { faults, name: String::new() }, version, language) {
                        is_tame(&file, language)?;
                    }
                }
            }
        }
    }
}

/// For the compilers, which know best: run `mvn test-compile` in each folder then.
#[test]
#[ignore = "writes to the folder that HOSTILE names"]
fn hostile_suites_are_written_for_compilers() {
    let folder = PathBuf::from(std::env::var_os("HOSTILE").expect("HOSTILE names a folder"));
    let text = "*/ \\u000a \\u0022 ${x} $y \"\"\" ' \" \\ \n\r\u{2028}\u{0}\u{1f6e0} // class 7";
    for (name, version, language) in ALL {
        for file in write(
            &hostile("hooked.json", text),
            &manner(Faults::Fail),
            version,
            language,
        )
        .into_iter()
        .chain(write(
            &hostile("sample.json", text),
            &manner(Faults::Fail),
            version,
            language,
        )) {
            let path = folder.join(name).join(file.path);
            let parent = path.parent().expect("a file is in a folder");
            std::fs::create_dir_all(parent).expect("the folder can be made");
            std::fs::write(path, file.text).expect("the file can be written");
        }
    }
}
