//! Suites in which every text tries to leave the place that it stands in.
//!
//! Here every string of the sample is exchanged. What Python and Node make of the files is looked
//! at by the ignored test, which needs both: `cargo test -p fossick-writers -- --ignored`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use fossick_suite::Suite;
use fossick_writers::{Faults, File, Manner, jest, postman, pytest};
use proptest::prelude::*;
use serde_json::Value;

use crate::samples::suite;

/// Each calls `CANARY` if it gets out.
const ATTACKS: [&str; 20] = [
    "\"); CANARY(); (\"",
    "'); CANARY(); ('",
    "\\\"); CANARY(); //",
    "\\'); CANARY(); //",
    "\\",
    "\n    CANARY()\n",
    "\r\nCANARY()\r\n",
    "\u{2028}CANARY()\u{2029}",
    "\u{85}CANARY()\u{c}",
    "*/ CANARY(); /*",
    "\"\"\"\nCANARY()\n\"\"\"",
    "'''\nCANARY()\n'''",
    "{CANARY()}",
    "${CANARY()}",
    "`; CANARY(); `",
    "{{CANARY}}",
    "\\N{DIGIT ONE} \\u0022 \\x22 \\u{22}",
    "\0\u{7f}\u{202e}\u{feff}",
    "__proto__",
    "-*- coding: latin-1 -*-",
];

/// Keys whose texts are words of the format.
const FORMAT: [&str; 8] = [
    "method", "group", "form", "kind", "version", "take", "variable", "bytes",
];

/// Exchanges the strings of a suite, one after the other.
fn poisoned(value: &mut Value, next: &mut impl FnMut() -> String) {
    match value {
        Value::String(text) if !["location", "absent"].contains(&text.as_str()) => *text = next(),
        Value::Array(items) => items.iter_mut().for_each(|item| poisoned(item, next)),
        Value::Object(fields) => {
            let kept = |name: &&String| !FORMAT.contains(&name.as_str());
            let names: Vec<String> = fields.keys().filter(kept).cloned().collect();
            for name in names {
                poisoned(&mut fields[&name], next);
            }
        }
        _ => {}
    }
}

fn hostile(attacks: &[String], start: usize) -> Suite {
    let mut place = start;
    let mut next = || {
        place += 1;
        attacks[place % attacks.len()].clone()
    };
    let sample = serde_json::to_value(suite("sample")).expect("JSON");
    let mut value = sample;
    poisoned(&mut value, &mut next);
    value["service"] =
        serde_json::json!({"start": next(), "stop": next(), "reset": {"url": next()}});
    serde_json::from_value(value).expect("still a suite")
}

fn manner(faults: Faults, name: &str) -> Manner {
    Manner {
        faults,
        name: name.to_owned(),
    }
}

fn all(suite: &Suite, name: &str) -> Vec<File> {
    let manners = [Faults::Pass, Faults::Fail].map(|faults| manner(faults, name));
    manners
        .iter()
        .flat_map(|manner| {
            let writers = [jest::write, postman::write, pytest::write];
            writers.map(|write| write(suite, manner))
        })
        .flatten()
        .collect()
}

fn attacks() -> Vec<String> {
    ATTACKS.map(str::to_owned).to_vec()
}

fn is_plain(path: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.".contains(c);
    path.chars().all(letter) && !path.starts_with('.')
}

#[test]
fn files_have_plain_names_and_show_all_that_is_in_them() {
    for (start, name) in ATTACKS.iter().enumerate() {
        for file in all(&hostile(&attacks(), start), name) {
            assert!(is_plain(&file.path), "{:?}", file.path);
            let hidden = file.text.chars().find(|c| c.is_control() && *c != '\n');
            assert_eq!(hidden, None, "{}", file.path);
            assert!(!file.text.contains(['\u{2028}', '\u{202e}', '\u{feff}']));
        }
    }
}

#[test]
fn a_suspected_fault_keeps_its_test_whatever_its_words() {
    let suite = hostile(&attacks(), 3);
    let count = |files: &[File], mark: &str| -> usize {
        files
            .iter()
            .map(|file| file.text.matches(mark).count())
            .sum()
    };
    let pass = manner(Faults::Pass, "a");
    assert_eq!(
        count(&pytest::write(&suite, &pass), "\ndef test_"),
        suite.tests.len()
    );
    assert_eq!(
        count(&jest::write(&suite, &pass), "\ntest("),
        suite.tests.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn collections_stay_json_and_have_no_holes_of_others(
        texts in proptest::collection::vec("(?s).{0,12}|[{}\"'\\\\]{0,8}", 3..9),
    ) {
        for file in postman::write(&hostile(&texts, 0), &manner(Faults::Pass, "a")) {
            if file.text.starts_with('{') {
                prop_assert!(serde_json::from_str::<Value>(&file.text).is_ok(), "{}", file.path);
            }
        }
    }
}

/// Runs a program over a text and tells whether it was content.
fn accepts(program: &str, arguments: &[&str], text: &str) -> bool {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program is installed");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(text.as_bytes()).expect("it reads");
    drop(stdin);
    child.wait().expect("it ends").success()
}

const NO_CANARY: &str = "import ast, sys
tree = ast.parse(sys.stdin.buffer.read())
names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
sys.exit('CANARY' in names)";

/// Every name that a script uses must be known: the canary is not.
const RUNS: &str = "const vm = require('node:vm');
const text = require('node:fs').readFileSync(0, 'utf8');
const anything = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 'x' : key === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
});
const tests = [];
const globals = { module: {}, process: { env: {} }, URL, Buffer, JSON, AbortSignal };
const known = { ...globals, require: () => anything, expect: anything, beforeEach: anything,
  test: (name, body) => tests.push(body), CANARY: () => process.exit(1), pm: anything, fossick: anything };
const run = (script) => vm.runInNewContext(script, { ...known });
const walk = (items) => items.forEach(({ event = [], item = [] }) => {
  event.forEach(({ script }) => run(script.exec.join('\\n')));
  walk(item);
});
if (text.startsWith('{')) walk([JSON.parse(text)]);
else if (text.includes('require(\"newman\")')) new vm.Script(text);
else run(text);
Promise.allSettled(tests.map((body) => body())).then(() => {});";

#[test]
#[ignore = "needs python3 and node"]
fn nothing_gets_out_of_the_files() {
    for start in 0..ATTACKS.len() {
        for file in all(&hostile(&attacks(), start), "a") {
            let extension = file.path.rsplit('.').next().unwrap_or_default();
            let good = match extension {
                "py" => accepts("python3", &["-c", NO_CANARY], &file.text),
                "js" => accepts("node", &["-e", RUNS], &file.text),
                "json" if file.path.contains("postman") => {
                    accepts("node", &["-e", RUNS], &file.text)
                }
                _ => true,
            };
            assert!(good, "{} from {start}:\n{}", file.path, file.text);
        }
    }
}
