//! `fossick instrument`: what the probe of Node.js asks for. Hidden, since no person needs it.
//!
//! Without a folder it answers questions on standard input, a line of JSON each, until there are no
//! more. With a folder it fills the cache for the files in it, so that the service starts sooner.

use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};
use fossick_instrument::{Goal, answer, answer_for, cache_name};

use crate::exit::Exit;
use crate::flags::InstrumentFlags;

/// The tree of a long program is deep.
const STACK: usize = 256 << 20;

const WORKERS: usize = 2;

/// Longer files were written by a program.
const LONGEST_FILE: u64 = 4 << 20;

pub(crate) fn instrument(flags: &InstrumentFlags) -> Result<Exit> {
    match (&flags.folder, &flags.cache) {
        (Some(folder), Some(cache)) => fill(folder, cache)?,
        _ => on_a_deep_stack(answer_all)?,
    }
    Ok(Exit::Clean)
}

fn on_a_deep_stack<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work)?;
    thread.join().expect("it returns its errors")
}

fn answer_all() -> Result<()> {
    for question in stdin().lock().lines() {
        let mut out = stdout().lock();
        out.write_all(answer(&question?).as_bytes())?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn fill(folder: &Path, cache: &Path) -> Result<()> {
    std::fs::create_dir_all(cache)
        .with_context(|| format!("failed to make {}", cache.display()))?;
    let mut files = Vec::new();
    collect(folder, &mut files);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            let worker = std::thread::Builder::new().stack_size(STACK);
            let work = || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    keep(file, cache);
                }
            };
            // Where there are no more threads, the probe asks for each file by itself.
            let _ = worker.spawn_scoped(scope, work);
        }
    });
    Ok(())
}

/// The user's own scripts below a folder, as far as they can be read.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_foreign = name == "node_modules" || name.as_encoded_bytes().starts_with(b".");
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() && !is_foreign {
            collect(&entry.path(), files);
        } else if kind.is_file() && goal(&entry.path()).is_some() {
            files.push(entry.path());
        }
    }
}

/// What the probe takes a file for, by its name.
fn goal(file: &Path) -> Option<Goal> {
    match file.extension()?.to_str()? {
        "js" => Some(Goal::Unknown),
        "cjs" => Some(Goal::Script),
        "mjs" => Some(Goal::Module),
        _ => None,
    }
}

/// Writes the answer for a file where the probe looks for it. What fails here is asked again by
/// the probe, and told then.
fn keep(file: &Path, cache: &Path) {
    let is_long = std::fs::metadata(file).map_or(true, |it| it.len() > LONGEST_FILE);
    let (false, Ok(source), Some(goal)) = (is_long, std::fs::read_to_string(file), goal(file))
    else {
        return;
    };
    let map = map_beside(file, &source);
    let kept = cache.join(cache_name(&source, goal, map.as_deref()));
    if kept.exists() {
        return;
    }
    // Under another name first: a probe may be reading.
    let begun = kept.with_extension(format!("{}.new", std::process::id()));
    let written = std::fs::write(&begun, answer_for(&source, goal, map.as_deref()));
    if written.is_err() || std::fs::rename(&begun, &kept).is_err() {
        let _ = std::fs::remove_file(&begun);
    }
}

/// The source map that a file names last, if it is a file beside it.
fn map_beside(file: &Path, source: &str) -> Option<String> {
    const REFERENCE: &str = "//# sourceMappingURL=";
    let at = source.rfind(REFERENCE)? + REFERENCE.len();
    let url = source[at..].lines().next()?.trim_end();
    let is_file = !url.starts_with("data:") && !url.contains("://");
    is_file.then(|| std::fs::read_to_string(file.parent()?.join(url)).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_has_an_answer_for_each_own_file() {
        let folder = tempfile("fossick-instrument-cache");
        let cache = folder.join("cache");
        std::fs::create_dir_all(folder.join("src/node_modules/other")).expect("made");
        std::fs::write(folder.join("src/a.js"), "exports.a = 1\n").expect("written");
        std::fs::write(folder.join("src/node_modules/other/b.js"), "b()\n").expect("written");
        fill(&folder.join("src"), &cache).expect("filled");
        let kept: Vec<_> = std::fs::read_dir(&cache)
            .expect("there")
            .flatten()
            .collect();
        assert_eq!(kept.len(), 1);
        let name = cache_name("exports.a = 1\n", Goal::Unknown, None);
        let text = std::fs::read_to_string(cache.join(name)).expect("its name is its key");
        assert!(text.contains("exports.a = 1"), "{text}");
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    fn tempfile(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder
    }
}
