//! Which pattern a `Regex` was made of.
//!
//! Nothing is known of what lies in such a value, except that it keeps the text of its pattern
//! behind a counted reference. So the texts that patterns were made of are remembered, and the
//! words of a value are searched for a reference to one of them. The system does the reading: what
//! is no address is refused and does no harm.

use std::sync::Mutex;

const MOST: usize = 1024;
/// Words of a value that are looked at.
const WORDS: usize = 8;
/// The counts in front of a text that is shared.
const COUNTS: u64 = 16;

static KNOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[repr(C)]
struct Piece {
    begin: *mut u8,
    length: usize,
}

extern "C" {
    fn process_vm_readv(
        process: i32,
        local: *const Piece,
        locals: usize,
        remote: *const Piece,
        remotes: usize,
        flags: usize,
    ) -> isize;
}

pub fn learn(pattern: &str) {
    if let Ok(mut known) = KNOWN.try_lock() {
        if known.len() < MOST && !known.iter().any(|it| it == pattern) {
            known.push(pattern.to_owned());
        }
    }
}

/// The pattern of a value at an address.
pub fn of(address: u64) -> Option<String> {
    let known = KNOWN.try_lock().ok()?;
    let mut bytes = [0; WORDS * 8];
    let count = read(address, &mut bytes);
    let words: Vec<u64> = bytes[..count]
        .chunks_exact(8)
        .filter_map(|word| Some(u64::from_ne_bytes(word.try_into().ok()?)))
        .collect();
    let mut pairs = words.windows(2);
    pairs.find_map(|pair| {
        let mut of_length = known.iter().filter(|it| it.len() as u64 == pair[1]);
        of_length
            .find(|it| has(pair[0].wrapping_add(COUNTS), it))
            .cloned()
    })
}

fn has(address: u64, text: &str) -> bool {
    let mut bytes = vec![0; text.len()];
    read(address, &mut bytes) == bytes.len() && bytes == text.as_bytes()
}

/// Copies what can be read from an address, and tells how much that was.
fn read(address: u64, into: &mut [u8]) -> usize {
    let length = into.len();
    let local = Piece {
        begin: into.as_mut_ptr(),
        length,
    };
    let remote = Piece {
        begin: address as *mut u8,
        length,
    };
    let process = std::process::id() as i32;
    // SAFETY: it writes to `into` only, and only as much as there is room.
    let count = unsafe { process_vm_readv(process, &local, 1, &remote, 1, 0) };
    usize::try_from(count).unwrap_or(0).min(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_pattern_is_found_in_what_holds_it_and_nothing_else_is_read() {
        learn("^[a-c]{3}$");
        let pattern: Arc<str> = Arc::from("^[a-c]{3}$");
        let value = (7_u64, pattern, [0_u64; 8]);
        assert_eq!(of(&raw const value as u64).as_deref(), Some("^[a-c]{3}$"));
        let other = [8_u64, 10, 0, 0, 10, 10, 0, 0];
        assert_eq!(of(&raw const other as u64), None);
        assert_eq!(of(16), None);
    }
}
