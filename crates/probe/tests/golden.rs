//! Frames in pairs: the message in words, and its bytes. Probes in other languages are held
//! against the same files.
//!
//! After a change of the messages: `cargo test -p fossick-probe --test golden -- --ignored`.

use std::fs;
use std::path::{Path, PathBuf};

use fossick_probe::{Decoder, Message, encode};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

fn messages() -> Vec<(PathBuf, Message)> {
    let entries = fs::read_dir(folder()).expect("the frames are committed");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|kind| kind == "json"));
    files.sort();
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("it can be read");
        let message = serde_json::from_str(&text);
        let message = message.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        (file.with_extension("hex"), message)
    };
    files.into_iter().map(read).collect()
}

fn frame(message: &Message) -> Vec<u8> {
    let mut frame = Vec::new();
    encode(message, &mut frame).expect("golden messages are short");
    frame
}

fn hex(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.join(" ") + "\n"
    };
    bytes.chunks(16).map(line).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace()
        .map(|digits| u8::from_str_radix(digits, 16).expect("two digits"))
        .collect()
}

#[test]
fn messages_are_written_as_their_frames() {
    for (file, message) in messages() {
        let text = fs::read_to_string(&file).expect("each message has its frame");
        assert_eq!(hex(&frame(&message)), text, "{}", file.display());
    }
}

#[test]
fn frames_are_read_as_their_messages() {
    let mut decoder = Decoder::new();
    for (file, message) in messages() {
        let text = fs::read_to_string(&file).expect("each message has its frame");
        decoder.feed(&bytes(&text));
        assert_eq!(
            decoder.next_message(),
            Some(Ok(message)),
            "{}",
            file.display()
        );
        assert_eq!(decoder.next_message(), None, "{}", file.display());
    }
}

#[test]
fn every_type_of_message_is_there() {
    let mut types: Vec<u8> = messages()
        .iter()
        .filter_map(|(_, message)| frame(message).get(4).copied())
        .collect();
    types.sort_unstable();
    types.dedup();
    assert_eq!(types, (1..=12).collect::<Vec<u8>>());
}

#[test]
#[ignore = "writes the frames anew"]
fn write_the_frames_anew() {
    for (file, message) in messages() {
        fs::write(&file, hex(&frame(&message))).expect("the folder can be written to");
    }
}
