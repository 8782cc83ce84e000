//! What a probe says over its socket, in whatever pieces it comes.
//!
//! What is understood can be said again, and is then the same: compared as bytes, since a number
//! that is none equals nothing.

use fossick_probe::{Catalogue, Decoder, Message, encode};

pub fn probe_frame(data: &[u8]) {
    let messages = heard(data, data.len());
    assert_eq!(frames(&messages), frames(&heard(data, 7)));
    let again = frames(&messages);
    assert_eq!(frames(&heard(&again, again.len())), again);
    let mut catalogue = Catalogue::default();
    for message in messages {
        if let Message::Register(register) = message {
            catalogue.add(register);
        }
    }
    for (id, _) in catalogue.all() {
        assert!(catalogue.key(id).is_some());
    }
}

/// The messages that are understood, until the stream is lost.
fn heard(data: &[u8], piece: usize) -> Vec<Message> {
    let mut decoder = Decoder::new();
    let mut messages = Vec::new();
    for piece in data.chunks(piece.max(1)) {
        decoder.feed(piece);
        while let Some(message) = decoder.next_message() {
            match message {
                Ok(message) => messages.push(message),
                Err(error) if error.is_fatal() => return messages,
                Err(_) => {}
            }
        }
    }
    messages
}

fn frames(messages: &[Message]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        encode(message, &mut bytes).expect("what was read can be written");
    }
    bytes
}
