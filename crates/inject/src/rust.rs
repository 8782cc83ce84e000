//! How a service in Rust is built with its probe: cargo runs fossick in place of the compiler, and
//! what is built lies in a folder of ours, so that the user's own stays as it is.

use std::path::{Path, PathBuf};

use fossick_service::Launch;

use crate::{Injection, before, told};

const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// As it stands in files of cargo's configuration.
const WRAPPER_KEYS: [&str; 2] = ["rustc-workspace-wrapper", "rustc_workspace_wrapper"];

pub(crate) fn environment(injection: &Injection, launch: &Launch) -> Vec<(&'static str, String)> {
    let shown = |path: &Path| path.display().to_string();
    let mut set = vec![
        (WRAPPER, shown(&injection.binary)),
        // A cache that wraps the compiler would wrap us.
        ("RUSTC_WRAPPER", String::new()),
        // Another version may map programs otherwise, and cargo would not know.
        (
            "CARGO_TARGET_DIR",
            shown(
                &injection
                    .cache
                    .join(concat!("target-", env!("CARGO_PKG_VERSION"))),
            ),
        ),
        ("FOSSICK_RUST", shown(&injection.probes.join("rust"))),
    ];
    set.push(named(launch));
    // Optimised while linking, or without its symbols, a program can't be read back.
    for (name, value) in [
        ("CARGO_PROFILE_DEV_LTO", "off"),
        ("CARGO_PROFILE_DEV_STRIP", "none"),
        ("CARGO_PROFILE_RELEASE_LTO", "off"),
        ("CARGO_PROFILE_RELEASE_STRIP", "none"),
    ] {
        if told(launch, name).is_empty() {
            set.push((name, value.to_owned()));
        }
    }
    set
}

/// Names that say what a function is for, also in what others have compiled: the user's own code
/// calls it there. It goes where the user's own flags are, or they would not count any more.
fn named(launch: &Launch) -> (&'static str, String) {
    const FLAG: &str = "-Csymbol-mangling-version=v0";
    let places = [
        ("CARGO_ENCODED_RUSTFLAGS", "\x1f"),
        ("RUSTFLAGS", " "),
        // Beside the flags of configuration files.
        ("CARGO_BUILD_RUSTFLAGS", " "),
    ];
    let is_set = |(name, _): &&(&str, &str)| !told(launch, name).is_empty();
    let (name, between) = places.iter().find(is_set).unwrap_or(&places[2]);
    (name, before(&told(launch, name), between, FLAG))
}

/// What is in the way, before anything is built.
pub(crate) fn conflict(launch: &Launch) -> Option<String> {
    let own = told(launch, WRAPPER);
    if !own.is_empty() {
        return Some(format!(
            "{WRAPPER} is set to `{own}`, and the probe needs that place"
        ));
    }
    let file = configured(launch)?;
    let file = file.display();
    Some(format!(
        "{file} sets `{}`, and the probe needs that place",
        WRAPPER_KEYS[0]
    ))
}

/// The file of cargo's configuration that names a wrapper.
fn configured(launch: &Launch) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let folder = launch
        .folder
        .as_ref()
        .map_or(here.clone(), |folder| here.join(folder));
    let homes = folder.ancestors().map(|folder| folder.join(".cargo"));
    let home = std::env::home_dir().map(|home| home.join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or(home);
    let files = homes
        .chain(home)
        .flat_map(|home| ["config.toml", "config"].map(|it| home.join(it)));
    files.into_iter().find(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().any(|line| {
            let key = line.split('=').next().unwrap_or_default().trim();
            WRAPPER_KEYS.iter().any(|known| key.ends_with(known))
        })
    })
}

/// What was noted while it was built.
pub(crate) fn note(injection: &Injection) -> Option<String> {
    let note = std::fs::read_to_string(injection.cache.join("rust-note")).ok()?;
    (!note.is_empty()).then_some(note)
}
