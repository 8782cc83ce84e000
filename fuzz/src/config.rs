//! A `fossick.toml`, in the program's own words: its module is read in from where it lies.

#[path = "../../crates/cli/src/config.rs"]
#[expect(dead_code, reason = "only the reader is of interest here")]
mod reader;

pub fn config(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let known = |name: &str| (!name.is_empty()).then(|| "${value}".to_owned());
    if let Err(error) = reader::parse(text, "fossick.toml", &known) {
        assert!(!format!("{error:#}").is_empty());
    }
}
