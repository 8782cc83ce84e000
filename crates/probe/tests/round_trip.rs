//! Whatever can be said is understood as it was meant, and whatever comes is survived.

use fossick_probe::{
    Decoder, Delta, Descriptor, Hello, Kind, Matching, Message, Observation, Observed, Raised,
    ReadFrom, Register, Scalar, SourceLine, Sql, Value, encode,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

fn words() -> impl Strategy<Value = Vec<String>> {
    vec(".{0,8}", 0..4)
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Line),
        Just(Kind::BranchTrue),
        Just(Kind::BranchFalse),
        Just(Kind::Call),
        Just(Kind::Method),
        Just(Kind::Exception),
    ]
}

fn hello() -> impl Strategy<Value = Message> {
    (".{0,8}", any::<u32>(), any::<u32>(), words(), words()).prop_map(
        |(language, process_id, version, roots, abilities)| {
            Message::Hello(Hello {
                language,
                process_id,
                version,
                roots,
                abilities,
            })
        },
    )
}

fn descriptor() -> impl Strategy<Value = Descriptor> {
    ("[a-c]{0,2}", any::<u32>(), kind(), any::<u32>(), ".{0,8}").prop_map(
        |(file, line, kind, ordinal, label)| Descriptor {
            file: file.into(),
            line,
            kind,
            ordinal,
            label,
        },
    )
}

fn register() -> impl Strategy<Value = Message> {
    (0..u32::MAX - 100, vec(descriptor(), 0..10)).prop_map(|(first_id, descriptors)| {
        Message::Register(Register {
            first_id,
            descriptors,
        })
    })
}

fn scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        ".{0,8}".prop_map(Scalar::Text),
        any::<i64>().prop_map(Scalar::Whole),
        any::<f64>().prop_map(Scalar::Real),
        any::<bool>().prop_map(Scalar::Boolean),
        Just(Scalar::Null),
        ".{0,8}".prop_map(Scalar::Moment),
    ]
}

fn matching() -> impl Strategy<Value = Matching> {
    prop_oneof![
        Just(Matching::Anywhere),
        Just(Matching::FromStart),
        Just(Matching::Whole)
    ]
}

fn origin() -> impl Strategy<Value = ReadFrom> {
    prop_oneof![
        Just(ReadFrom::Header),
        Just(ReadFrom::Query),
        Just(ReadFrom::Cookie),
        Just(ReadFrom::Form),
        Just(ReadFrom::Key),
    ]
}

fn observed() -> impl Strategy<Value = Observed> {
    let text = || ".{0,8}";
    prop_oneof![
        (scalar(), scalar()).prop_map(|(left, right)| Observed::Equal(left, right)),
        (scalar(), scalar()).prop_map(|(left, right)| Observed::Order(left, right)),
        (text(), text()).prop_map(|(whole, part)| Observed::Prefix(whole, part)),
        (text(), text()).prop_map(|(whole, part)| Observed::Suffix(whole, part)),
        (text(), text()).prop_map(|(whole, part)| Observed::Contains(whole, part)),
        (text(), text()).prop_map(|(left, right)| Observed::Same(left, right)),
        (scalar(), vec(scalar(), 0..4)).prop_map(|(value, all)| Observed::Member(value, all)),
        (text(), text(), text(), matching()).prop_map(|(text, pattern, flags, how)| {
            Observed::Pattern {
                text,
                pattern,
                flags,
                how,
            }
        }),
        (text(), text(), text(), any::<bool>()).prop_map(|(text, kind, format, worked)| {
            Observed::Parse {
                text,
                kind,
                format,
                worked,
            }
        }),
        (origin(), text(), any::<bool>(), words()).prop_map(|(from, name, found, beside)| {
            Observed::Read {
                from,
                name,
                found,
                beside,
            }
        }),
    ]
}

fn observation() -> impl Strategy<Value = Observation> {
    (proptest::option::of(any::<u32>()), observed())
        .prop_map(|(target, what)| Observation { target, what })
}

fn place() -> impl Strategy<Value = SourceLine> {
    (".{0,8}", any::<u32>()).prop_map(|(file, line)| SourceLine {
        file: file.into(),
        line,
    })
}

fn raised() -> impl Strategy<Value = Raised> {
    (".{0,8}", ".{0,8}", place()).prop_map(|(exception, message, place)| Raised {
        exception,
        message,
        place,
    })
}

fn delta() -> impl Strategy<Value = Message> {
    let hits = btree_map(any::<u32>(), (0.0..=1.0).prop_map(Value::new), 0..10);
    let place = proptest::option::of(place());
    (
        any::<u64>(),
        hits,
        place,
        vec(raised(), 0..3),
        vec(observation(), 0..5),
        any::<bool>(),
    )
        .prop_map(|(call, hits, last_line, failures, observations, died)| {
            Message::Delta(Delta {
                call,
                hits: hits.into_iter().collect(),
                last_line,
                failures,
                observations,
                died,
            })
        })
}

fn sql() -> impl Strategy<Value = Message> {
    (any::<u64>(), ".{0,20}", words(), any::<u64>(), words()).prop_map(
        |(call, statement, parameters, rows, tables)| {
            Message::Sql(Sql {
                call,
                statement,
                parameters,
                rows,
                tables,
            })
        },
    )
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        hello(),
        register(),
        any::<u64>().prop_map(|call| Message::Begin { call }),
        any::<u64>().prop_map(|call| Message::End { call }),
        delta(),
        btree_set(any::<u32>(), 0..10).prop_map(|ids| Message::Covered {
            ids: ids.into_iter().collect()
        }),
        Just(Message::Reset),
        sql(),
        Just(Message::Ping),
        Just(Message::Pong),
        Just(Message::Bye),
        ".{0,20}".prop_map(|text| Message::Error { text }),
    ]
}

fn frames(messages: &[Message]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        encode(message, &mut bytes).expect("short messages can be written");
    }
    bytes
}

proptest! {
    #[test]
    fn what_is_said_is_understood_however_it_is_cut(
        messages in vec(message(), 1..5),
        size in 1_usize..40,
    ) {
        let mut decoder = Decoder::new();
        let mut heard = Vec::new();
        for piece in frames(&messages).chunks(size) {
            decoder.feed(piece);
            while let Some(message) = decoder.next_message() {
                heard.push(message.expect("it was said properly"));
            }
        }
        prop_assert_eq!(heard, messages);
    }

    #[test]
    fn a_frame_with_one_byte_changed_is_survived(
        message in message(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = frames(&[message]);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let mut decoder = Decoder::new();
        decoder.feed(&bytes);
        let heard = (0..3).filter_map(|_| decoder.next_message()).count();
        prop_assert!(heard <= 3);
    }

    #[test]
    fn no_bytes_break_the_decoder(bytes in vec(any::<u8>(), 0..200)) {
        let mut decoder = Decoder::new();
        decoder.feed(&bytes);
        while let Some(message) = decoder.next_message() {
            match message {
                Ok(message) => prop_assert!(!frames(&[message]).is_empty()),
                Err(error) if error.is_fatal() => break,
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}
