//! Suites whose every text tries to leave its literal, comment or name.
//!
//! Each text holds a mark with a sign that no name may have, so wherever the mark is found outside
//! of strings and comments, text has become code.

use fossick_suite::Suite;
use fossick_writers::{Faults, File, hurl, phpunit, rust, shell};
use proptest::prelude::*;
use serde_json::Value;

use crate::{golden, lexers};

const MARK: &str = "PWN(ED";

/// Words that mean something to the form of a suite.
const KEPT: [&str; 22] = [
    "none",
    "faults",
    "successes",
    "others",
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "json",
    "text",
    "bytes",
    "location",
    "absent",
    "null",
    "boolean",
    "integer",
    "number",
    "string",
    "array",
    "object",
];

fn spoil(value: &mut Value, hostile: &str) {
    match value {
        Value::String(text) if !KEPT.contains(&text.as_str()) => hostile.clone_into(text),
        Value::Array(items) => items.iter_mut().for_each(|item| spoil(item, hostile)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| spoil(member, hostile)),
        _ => {}
    }
}

fn spoilt(name: &str, hostile: &str) -> Suite {
    let suite = golden::suite(name);
    let mut value = serde_json::to_value(suite).expect("a suite");
    spoil(&mut value, hostile);
    serde_json::from_value(value).expect("still a suite")
}

fn hostile() -> impl Strategy<Value = String> {
    let ends = prop::sample::select(vec![
        "'",
        "\"",
        "`",
        "\\",
        "\\'",
        "\\\"",
        "\n",
        "\r",
        "\r\n",
        "\u{2028}",
        "\u{85}",
        "\u{c}",
        "\0",
        "*/",
        "/*",
        "//",
        "#",
        "?>",
        "<?php",
        "-->",
        "{{",
        "}}",
        "{",
        "}",
        "${",
        "$(",
        ")",
        "$x",
        "{$x}",
        "\\(",
        "\"#",
        "'''",
        "\"\"\"",
        ";",
        "&&",
        "|",
        "\u{202e}",
        " ",
        "\t",
        "é",
        "@test",
        "\nHTTP 200\n",
        "\nGET http://x\n",
        "EOF",
        "%s",
        "\\u{22}",
        "\\x27",
        "~1",
        "/",
    ]);
    prop::collection::vec(ends, 0..8).prop_map(|ends| {
        let (before, after) = ends.split_at(ends.len() / 2);
        format!("{} {MARK} {}", before.concat(), after.concat())
    })
}

fn written(write: golden::Write, hostile: &str) -> Vec<File> {
    let mut files = Vec::new();
    for suite in ["sample.json", "hooked.json"] {
        for faults in [Faults::Pass, Faults::Fail] {
            files.extend(write(&spoilt(suite, hostile), &golden::manner(faults)));
        }
    }
    files
}

fn stays_inside(
    write: golden::Write,
    ending: &str,
    outside: fn(&str) -> Option<String>,
    hostile: &str,
) {
    for file in written(write, hostile) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        assert!(
            file.path.chars().all(plain) && !file.path.contains(".."),
            "{}",
            file.path
        );
        if !file.path.ends_with(ending) {
            continue;
        }
        let code = outside(&file.text);
        let code = code.unwrap_or_else(|| panic!("{} can't be read:\n{}", file.path, file.text));
        assert!(
            !code.contains(MARK),
            "{}:\n{code}\n\n{}",
            file.path,
            file.text
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_leaves_its_place_in_a_shell(hostile in hostile()) {
        stays_inside(shell::write, ".sh", lexers::outside_of_shell, &hostile);
        stays_inside(hurl::write, ".sh", lexers::outside_of_shell, &hostile);
    }

    #[test]
    fn no_text_leaves_its_place_in_rust(hostile in hostile()) {
        stays_inside(rust::write, ".rs", lexers::outside_of_rust, &hostile);
    }

    #[test]
    fn no_text_leaves_its_place_in_php(hostile in hostile()) {
        stays_inside(phpunit::write, ".php", lexers::outside_of_php, &hostile);
    }

    #[test]
    fn no_text_leaves_its_place_in_hurl(hostile in hostile()) {
        stays_inside(hurl::write, ".hurl", lexers::outside_of_hurl, &hostile);
    }
}

/// Needs sh, php, rustfmt and hurlfmt: `cargo test -p fossick-writers -- --ignored`.
#[test]
#[ignore = "needs the tools of four languages"]
fn the_real_tools_read_every_hostile_file() {
    let folder = std::env::temp_dir().join(format!("fossick-hostile-{}", std::process::id()));
    let texts = [
        "' \" ` \\ PWN(ED $(touch pwned) ${x} {{x}} {$x} #",
        "\n\r\u{2028}*/ ?> --> PWN(ED \0 \u{202e} \\",
        "\nGET http://x\nHTTP 200\n{{PWN(ED",
        "{PWN(ED{",
        "\\",
    ];
    let writers: [(&str, golden::Write, &[&str]); 4] = [
        ("sh", shell::write, &["sh", "-n"]),
        ("php", phpunit::write, &["php", "-l"]),
        (
            "rs",
            rust::write,
            &["rustfmt", "--edition", "2024", "--emit", "stdout"],
        ),
        ("hurl", hurl::write, &["hurlfmt"]),
    ];
    for text in texts {
        for (ending, write, tool) in &writers {
            for suite in ["sample.json", "hooked.json"] {
                let files = write(&spoilt(suite, text), &golden::manner(Faults::Fail));
                golden::bless(&folder, &files);
                for file in files.iter().filter(|file| file.path.ends_with(ending)) {
                    let run = std::process::Command::new(tool[0])
                        .args(&tool[1..])
                        .arg(folder.join(&file.path))
                        .output()
                        .expect("the tool is there");
                    let said = String::from_utf8_lossy(&run.stderr).into_owned();
                    assert!(run.status.success(), "{}: {said}\n{}", file.path, file.text);
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}
