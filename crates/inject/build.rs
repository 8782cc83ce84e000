//! Writes a table of the probes' files, so that the binary carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What of each probe a service needs to have it inside; tests and proofs stay here.
const CARRIED: [(&str, &str); 7] = [
    ("python/inject", "py"),
    ("node/register.cjs", "cjs"),
    ("node/package.json", "json"),
    ("node/lib", "js cjs mjs"),
    ("rust/idle.rs", "rs"),
    ("rust/src", "rs"),
    ("jvm/dist", "jar"),
];

fn main() -> io::Result<()> {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../probes");
    let mut table = String::from("pub(crate) const FILES: &[(&str, &[u8])] = &[\n");
    for (folder, endings) in CARRIED {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        for file in files(&root.join(folder), endings)? {
            let name = file.strip_prefix(&root).expect("it lies below the root");
            let [name, file] = [name, &file].map(|path| path.to_str().expect("a name in Unicode"));
            writeln!(table, "    ({name:?}, include_bytes!({file:?})),").expect("memory");
        }
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("files.rs"), table)
}

/// All files below a folder with one of the endings, in order; or the one file that is named.
fn files(folder: &Path, endings: &str) -> io::Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let ending = path
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        if path.is_dir() {
            found.extend(files(&path, endings)?);
        } else if endings.split(' ').any(|known| known == ending) {
            found.push(path);
        }
    }
    Ok(found)
}
