//! The files of the probes, as the binary carries them.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use sha2::{Digest as _, Sha256};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Writes the probes below a folder, under a name that says which they are; what is there already
/// stays. Gives the folder in which they stand.
pub fn unpack(below: &Path) -> io::Result<PathBuf> {
    let mut hash = Sha256::new();
    for (name, content) in FILES {
        hash.update(name.as_bytes());
        hash.update(content);
    }
    let mut name = String::new();
    for byte in hash.finalize().iter().take(8) {
        write!(name, "{byte:02x}").expect("a text takes everything");
    }
    let folder = std::path::absolute(below)?.join(name);
    for (name, content) in FILES {
        write(&folder.join(name), content)?;
    }
    Ok(folder)
}

/// Another run, or another thread of this one, may write the same at the same time: each file comes whole or not at all.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    if std::fs::read(path).is_ok_and(|there| there == content) {
        return Ok(());
    }
    let folder = path.parent().expect("a file stands in a folder");
    std::fs::create_dir_all(folder)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_extension(format!("new-{}-{number}", std::process::id()));
    std::fs::write(&temporary, content)?;
    std::fs::rename(&temporary, path)
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probes_are_carried_and_written_once() {
        let below = std::env::temp_dir().join(format!("fossick-inject-{}", std::process::id()));
        let folder = unpack(&below).expect("writes");
        for file in [
            "python/inject/sitecustomize.py",
            "node/register.cjs",
            "rust/src/lib.rs",
            "jvm/dist/fossick-probe.jar",
        ] {
            assert!(folder.join(file).is_file(), "{file}");
        }
        assert_eq!(unpack(&below).expect("finds them"), folder);
        std::fs::remove_dir_all(below).expect("is ours");
    }
}
