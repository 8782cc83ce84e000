//! Keys that name the type of their thing: base64 of `Book:7`, as Relay has it.
//!
//! Where one was seen, those of other types can be guessed. A guess may even name something; and
//! where it does not, the service says so, and does not stumble over a key that is none.

use base64::Engine as _;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use fossick_contract::{Api, TypeId};

/// Services write keys with padding and without.
const INDIFFERENT: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

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
    STANDARD.encode(bytes)
}

fn decode(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let bytes = INDIFFERENT.decode(text).ok()?;
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
