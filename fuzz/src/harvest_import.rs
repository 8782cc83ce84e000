//! Files about traffic, in every format that they may be in.

use fossick_harvest::import::{Format, Settings, detect, read};

pub fn harvest_import(data: &[u8]) {
    let settings = Settings {
        largest: 1 << 16,
        ..Settings::default()
    };
    let found = detect(data, "capture.har");
    let formats = found.map_or(Format::ALL.to_vec(), |format| vec![format, Format::Ndjson]);
    for format in formats {
        for call in read(format, data, &settings) {
            match call {
                Ok(seen) => {
                    assert!(seen.times > 0 && seen.last_at >= seen.at);
                    assert!(seen.target.is_ascii() && !seen.target.contains([' ', '\n', '"']));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}
