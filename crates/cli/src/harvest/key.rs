//! The key under which pseudonyms are made.
//!
//! It lies beside the store and never in it: whoever has both could check guesses. It is made on
//! first use, readable for its owner alone.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use fossick_store::Place;

type Key = [u8; 32];

pub(crate) fn key(named: Option<&Path>, place: &Place) -> Result<Key> {
    let file = file(named, place)?;
    match fs::read_to_string(&file) {
        Ok(text) => read(text.trim())
            .with_context(|| format!("{} holds no key of 64 hexadecimal digits", file.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => make(&file),
        Err(error) => Err(error).with_context(|| format!("failed to read {}", file.display())),
    }
}

fn file(named: Option<&Path>, place: &Place) -> Result<PathBuf> {
    match (named, place) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, Place::File(store)) => {
            let mut name = store.clone().into_os_string();
            name.push(".key");
            Ok(name.into())
        }
        (None, Place::Server(_)) => bail!(
            "say with --key-file where the key of pseudonyms lies; all that record into {place} \
             need the same one"
        ),
    }
}

fn read(text: &str) -> Option<Key> {
    let mut key = Key::default();
    let digits = text.as_bytes();
    if digits.len() != 2 * key.len() || !text.is_ascii() {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(key)
}

fn make(file: &Path) -> Result<Key> {
    let mut key = Key::default();
    getrandom::fill(&mut key).context("failed to draw a key")?;
    write(file, &hexadecimal(&key))
        .with_context(|| format!("failed to write the key {}", file.display()))?;
    Ok(key)
}

fn hexadecimal(key: &Key) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    key.iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    // Two that begin at once must not end up with two keys.
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(file)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = std::env::temp_dir().join(format!("fossick-key-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let place = Place::File(folder.join("calls.db"));
        let first = key(None, &place).expect("a key is made");
        assert_eq!(key(None, &place).expect("it is read"), first);
        assert!(folder.join("calls.db.key").exists());
        fs::write(folder.join("calls.db.key"), "spoilt").expect("it is spoilt");
        assert!(key(None, &place).is_err());
        fs::remove_dir_all(&folder).expect("it is removed");
    }

    #[test]
    fn a_server_needs_a_key_that_somebody_names() {
        let place: Place = "postgres://localhost/calls".parse().expect("a place");
        let error = key(None, &place).expect_err("no key").to_string();
        assert!(error.contains("--key-file"), "{error}");
    }
}
