//! A sample of every kind of file, held against what is seen in it. `BLESS=1` writes that anew.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use fossick_harvest::Seen;
use fossick_harvest::import::{Format, NotReadable, Settings, detect, read};
use proptest::prelude::*;

const SAMPLES: [(&str, Format); 9] = [
    ("browser.har", Format::Har),
    ("calls.ndjson", Format::Ndjson),
    ("nginx-json.log", Format::Nginx),
    ("nginx-default.log", Format::Nginx),
    ("envoy.log", Format::Envoy),
    ("autographql.ndjson", Format::AutoGraphQl),
    ("shop.postman_collection.json", Format::Postman),
    ("old.postman_collection.json", Format::Postman),
    ("traffic.gor", Format::GoReplay),
];

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/harvest/import")
        .join(name)
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(path(name)).expect("the samples are committed")
}

fn settings() -> Settings {
    Settings {
        graphql_path: "/graphql/".to_owned(),
        otherwise_at: 1_000,
        ..Settings::default()
    }
}

fn told(calls: impl Iterator<Item = Result<Seen, NotReadable>>) -> String {
    let mut text = String::new();
    for call in calls {
        match call {
            Ok(seen) => tell(&seen, &mut text).expect("a text takes everything"),
            Err(error) => {
                writeln!(text, "not readable: {error}\n").expect("a text takes everything");
            }
        }
    }
    text
}

fn tell(seen: &Seen, text: &mut String) -> std::fmt::Result {
    write!(text, "{} {} at {}", seen.method, seen.target, seen.at)?;
    if seen.times > 1 || seen.last_at != seen.at {
        write!(text, ", {} times until {}", seen.times, seen.last_at)?;
    }
    if let Some(client) = &seen.client {
        write!(text, ", from {client}")?;
    }
    writeln!(text)?;
    for (name, value) in &seen.headers {
        writeln!(text, "  {name}: {value}")?;
    }
    writeln!(text, "  {:?}", String::from_utf8_lossy(&seen.body))?;
    if let Some(answer) = &seen.answer {
        write!(text, "-> {} {:?}", answer.status, answer.media_type)?;
        writeln!(text, " in {:?}", answer.took)?;
        let body = answer
            .body
            .as_ref()
            .map(|body| String::from_utf8_lossy(body));
        writeln!(text, "  {body:?}")?;
    }
    writeln!(text)
}

#[test]
fn every_sample_is_seen_as_expected() {
    for (name, format) in SAMPLES {
        let seen = told(read(format, &*sample(name), &settings()));
        let expected = path(&format!("{name}.expected"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &seen).expect("testdata can be written");
        }
        let expected = fs::read_to_string(expected).expect("the expectations are committed");
        assert_eq!(seen, expected, "{name} (BLESS=1 writes it anew)");
    }
}

#[test]
fn every_sample_is_known_for_what_it_is_without_its_name_and_from_its_first_bytes() {
    for (name, format) in SAMPLES {
        let sample = sample(name);
        for length in [400, sample.len()] {
            let head = sample.get(..length).unwrap_or(&sample);
            assert_eq!(detect(head, "file"), Some(format), "{name}, {length} bytes");
            assert_eq!(
                detect(&packed(head), "file.gz"),
                Some(format),
                "{name}, packed"
            );
        }
    }
}

#[test]
fn an_empty_file_is_known_by_its_name_alone() {
    assert_eq!(detect(b"", "a.HAR"), Some(Format::Har));
    assert_eq!(detect(b"", "a.gor.gz"), None);
    assert_eq!(detect(b"", "a.gor"), Some(Format::GoReplay));
    assert_eq!(detect(b"<html>", "a.html"), None);
}

#[test]
fn packed_files_are_read_like_others() {
    for (name, format) in SAMPLES {
        let sample = sample(name);
        let plain = told(read(format, &*sample, &settings()));
        assert_eq!(
            told(read(format, &*packed(&sample), &settings())),
            plain,
            "{name}"
        );
    }
}

/// In two parts one after the other, as a capture that went on writes it.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    for half in [&bytes[..bytes.len() / 2], &bytes[bytes.len() / 2..]] {
        let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        pack.write_all(half).expect("memory takes everything");
        packed.extend(pack.finish().expect("memory takes everything"));
    }
    packed
}

#[test]
fn a_list_of_objects_is_read_as_lines_are() {
    let lines = sample("autographql.ndjson");
    let text = String::from_utf8(lines.clone()).expect("a text");
    let list = format!("[\n{}\n]", text.trim().replace('\n', ",\n"));
    let of_lines = told(read(Format::AutoGraphQl, &*lines, &settings()));
    assert_eq!(
        told(read(Format::AutoGraphQl, list.as_bytes(), &settings())),
        of_lines
    );
    assert_eq!(detect(list.as_bytes(), ""), Some(Format::AutoGraphQl));
}

#[test]
fn what_is_too_long_is_told_and_what_follows_is_read() {
    let settings = Settings {
        largest: 40,
        ..settings()
    };
    let lines = format!(
        "{{\"target\":\"/{}\"}}\n{{\"target\":\"/b\"}}\n",
        "a".repeat(50)
    );
    let told = told(read(Format::Ndjson, lines.as_bytes(), &settings));
    assert!(
        told.starts_with("not readable: line 1: longer than 40 bytes"),
        "{told}"
    );
    assert!(told.contains("GET /b"), "{told}");
}

#[test]
fn many_requests_without_answers_do_not_wait_for_ever() {
    let block =
        |id: u64| format!("1 {id:040} 1772600767089000000\nGET /{id} HTTP/1.1\r\n\r\n\n🐵🙈🙉\n");
    let text: String = (0..5000).map(block).collect();
    let settings = settings();
    let targets: Vec<String> = read(Format::GoReplay, text.as_bytes(), &settings)
        .map(|seen| seen.expect("each is whole").target)
        .collect();
    let wanted: Vec<String> = (0..5000).map(|id| format!("/{id}")).collect();
    assert_eq!(targets, wanted);
}

#[test]
fn a_variable_of_the_user_goes_before_the_collections() {
    let settings = Settings {
        variables: vec![
            ("nobody".to_owned(), "somebody".to_owned()),
            ("host".to_owned(), "other.test".to_owned()),
        ],
        ..settings()
    };
    let told = told(read(
        Format::Postman,
        &*sample("shop.postman_collection.json"),
        &settings,
    ));
    assert!(
        told.contains("GET /v1/x/somebody at 1000\n  host: other.test"),
        "{told}"
    );
}

/// A body that ends where it may: the reader must neither wait nor lose what came before.
#[test]
fn a_reader_that_fails_ends_with_the_error() {
    struct Failing;
    impl std::io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    for (name, format) in SAMPLES {
        let sample = sample(name);
        let input = std::io::Read::chain(&sample[..sample.len() / 2], Failing);
        let settings = settings();
        let calls: Vec<_> = read(format, std::io::BufReader::new(input), &settings).collect();
        let gone = |call: &Result<Seen, NotReadable>| {
            call.as_ref()
                .is_err_and(|error| error.to_string().contains("the disk is gone"))
        };
        assert_eq!(calls.iter().filter(|call| gone(call)).count(), 1, "{name}");
    }
}

/// What stands in a file where something else should.
fn damage() -> impl Strategy<Value = Vec<(prop::sample::Index, Vec<u8>)>> {
    let pieces = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            "\\x",
            "{{",
            "}}",
            ":",
            ",",
            "\n",
            "-1",
            "null",
            "1e999",
            "\u{1f435}"
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), pieces), 1..12)
}

proptest! {
    #[test]
    fn a_damaged_sample_is_survived_by_every_reader(which in 0..SAMPLES.len(), damage in damage()) {
        let (name, format) = SAMPLES[which];
        let mut sample = sample(name);
        for (place, piece) in damage {
            let at = place.index(sample.len());
            let end = sample.len().min(at + 1);
            sample.splice(at..end, piece);
        }
        let settings = settings();
        detect(&sample, name);
        for format in [format, Format::Ndjson] {
            for seen in read(format, &*sample, &settings).flatten() {
                prop_assert!(seen.times > 0 && seen.last_at >= seen.at);
                prop_assert!(seen.target.is_ascii() && !seen.target.contains([' ', '\n', '"']));
            }
        }
    }
}
