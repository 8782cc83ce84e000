//! `fossick explain`: every code has a page, and so has every finding.

use fossick_testkit::{pure_crud, pure_document};

use crate::program::{Folder, run};

#[test]
fn every_code_of_the_list_has_a_page() {
    let folder = Folder::new();
    let list = run(&folder, &["explain"]);
    assert_eq!(list.code, 0, "{}", list.stderr);
    let codes: Vec<&str> = list
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(codes.len(), fossick_oracles::ORACLES.len());
    for code in codes {
        let page = run(&folder, &["explain", code]);
        assert_eq!(page.code, 0, "{code}: {}", page.stderr);
        assert!(page.stdout.starts_with(code), "{}", page.stdout);
        for part in [
            "Why it matters",
            "What to do",
            "When it may be wrong",
            "[[ignore]]",
        ] {
            let after = page.stdout.split(part).nth(1).unwrap_or_default();
            assert!(after.trim().len() > 20, "{code}: {part}");
        }
    }
}

#[test]
fn an_unknown_code_is_an_error() {
    let ended = run(&Folder::new(), &["explain", "F999"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("F999"), "{}", ended.stderr);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_findings_file_is_explained_by_what_it_shows_and_by_its_code() {
    let folder = Folder::new();
    let fake = pure_crud(true);
    folder.write("openapi.json", &pure_document());
    let arguments = ["test", "openapi.json", "--url", &fake.url(), "--seed", "7"];
    run(&folder, &[&arguments[..], &["--requests", "600"]].concat());
    let files = folder.findings("7");
    assert!(!files.is_empty());
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let code = name.get(..4).expect("a code");
        let ended = run(&folder, &["explain", &file.to_string_lossy()]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        assert!(ended.stdout.contains(": "), "{}", ended.stdout);
        assert!(
            ended.stdout.contains(&format!("\n{code} ")),
            "{}",
            ended.stdout
        );
    }
}
