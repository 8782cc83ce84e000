//! The frames of the protocol, byte for byte.

use crate::scalar::{Observed, Scalar};
use crate::wire::{self, Delta, Descriptor, Failure, Question};

fn golden(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/probe/golden");
    let text = std::fs::read_to_string(format!("{folder}/{name}.hex")).expect("it is there");
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).expect("digits");
        u8::from_str_radix(pair, 16).expect("digits")
    };
    digits.chunks(2).map(byte).collect()
}

fn asked(name: &str) -> Question {
    wire::question(&golden(name)[4..]).expect("it is a question")
}

fn text(text: &str) -> Scalar {
    Scalar::Text(text.to_owned())
}

#[test]
fn questions_are_read() {
    assert_eq!(asked("hello"), Question::Hello { version: 3 });
    assert_eq!(asked("ping"), Question::Ping);
    assert_eq!(asked("reset"), Question::Reset);
    assert_eq!(asked("bye"), Question::Bye);
    assert_eq!(asked("covered-none"), Question::Covered(Vec::new()));
    let Question::Begin(call) = asked("begin") else {
        panic!("it begins a call");
    };
    assert_eq!(wire::begin(call), golden("begin"));
    assert!(matches!(asked("end"), Question::End(_)));
    assert!(matches!(asked("covered"), Question::Covered(ids) if ids.is_sorted()));
}

#[test]
fn answers_without_fields_are_written() {
    assert_eq!(wire::bare(wire::tag::PONG), golden("pong"));
    assert_eq!(wire::bare(wire::tag::RESET), golden("reset"));
}

#[test]
fn targets_are_written() {
    let descriptor = |file: &str, line, kind, ordinal, label: &str| Descriptor {
        file: file.to_owned(),
        line,
        kind,
        ordinal,
        label: label.to_owned(),
    };
    let (app, cheese) = ("shop/app.py", "shop/käse.py");
    let all = [
        descriptor(app, 3, 0, 0, "def order():"),
        descriptor(app, 4, 1, 0, "if total > 0"),
        descriptor(app, 4, 2, 0, "if total > 0"),
        descriptor(cheese, 300, 3, 1, "save()"),
        descriptor(app, 9, 4, 0, ""),
        descriptor(cheese, 301, 5, 2, "KeyError"),
    ];
    assert_eq!(wire::register(200, &all), golden("register"));
}

/// What this probe never sees (moments, formats, names beside) is cut out of the golden frame's
/// counterpart in `crates/probe`; the rest is as it is there.
#[test]
fn what_a_call_did_is_written() {
    let nothing = golden("delta-of-nothing");
    let call = u64::from(nothing[5]);
    let empty = Delta {
        call,
        ..Delta::default()
    };
    assert_eq!(wire::delta(&empty), nothing);
    let failure = Failure {
        exception: "KeyError".to_owned(),
        message: "'sku'".to_owned(),
        file: "shop/app.py".to_owned(),
        line: 42,
    };
    let delta = Delta {
        call: 7,
        hits: vec![(0, 1.0), (1, 1e-12), (300, 0.5), (u32::MAX, 0.75)],
        last_line: Some(("shop/app.py".to_owned(), 42)),
        failures: vec![failure],
        observations: vec![
            (None, Observed::Equal(text("blue"), text("red"))),
            (
                Some(0),
                Observed::Equal(Scalar::Whole(-3), Scalar::Whole(9_007_199_254_740_993)),
            ),
            (
                Some(300),
                Observed::Order(Scalar::Real(0.5), Scalar::Flag(true)),
            ),
        ],
    };
    let (written, golden) = (wire::delta(&delta), golden("delta"));
    let end = written.len() - 1;
    let differing = (4..end).filter(|at| written[*at] != golden[*at]).count();
    assert_eq!(differing, 1, "only how many observations there are differs");
}
