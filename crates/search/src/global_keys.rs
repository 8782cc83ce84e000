//! Keys that name the type of their thing: base64 of `Book:7`, as Relay has it.
//!
//! Where one was seen, those of other types can be guessed. A guess may even name something; and
//! where it does not, the service says so, and does not stumble over a key that is none.

use fossick_contract::{Api, TypeId};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Longer ones hold more than a type and a number.
const LONGEST: usize = 120;

/// The key of the thing with this number.
pub(crate) fn key(api: &Api, of: TypeId, number: u64) -> String {
    let of = api.types.possible(of).first().copied().unwrap_or(of);
    encode(format!("{}:{number}", api.types.get(of).name).as_bytes())
}

/// Whether a key names this type.
pub(crate) fn names(key: &str, type_name: &str) -> bool {
    let text = decode(key).unwrap_or_default();
    let rest = text.strip_prefix(type_name);
    rest.is_some_and(|rest| rest.len() > 1 && rest.starts_with(':'))
}

fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for at in 0..4_u32 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63];
            let padded = at as usize > chunk.len();
            text.push(if padded { '=' } else { char::from(letter) });
        }
    }
    text
}

fn decode(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let (mut bits, mut held, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.trim_end_matches('=').bytes() {
        let value = LETTERS.iter().position(|other| *other == letter)?;
        bits = ((bits << 6) | value as u32) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_names_its_type_is_known() {
        for name in ["A", "Ab", "Abc", "Dataset"] {
            let key = encode(format!("{name}:7").as_bytes());
            assert_eq!(decode(&key), Some(format!("{name}:7")));
            assert!(names(&key, name));
        }
        assert!(names("RGF0YXNldDo5", "Dataset"));
        assert!(!names("RGF0YXNldDo5", "Data"));
        assert!(!names("robin-7", "Dataset") && !names("", "Dataset"));
    }
}
