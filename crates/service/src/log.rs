//! What a service prints, kept in a file.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Bytes that are looked at from the end of a log.
const TAIL: u64 = 16 << 10;
/// A longer line is cut.
const LONGEST: usize = 300;

#[derive(Debug, Clone)]
pub struct Log {
    path: PathBuf,
}

impl Log {
    /// Begins a log anew.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let log = Self {
            path: path.to_owned(),
        };
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| File::create(path).map(|_| ()))
            .map_err(|why| log.failed(&why))?;
        Ok(log)
    }

    /// Goes on with a log, or begins it.
    pub fn open(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// For a program to write to, after what is there.
    pub(crate) fn file(&self) -> Result<File, Failure> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        options.open(&self.path).map_err(|why| self.failed(&why))
    }

    /// How long it is now: a place to read on from later.
    pub fn len(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |meta| meta.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The last lines after a place, those that say something.
    pub fn last_lines(&self, from: u64, most: usize) -> Vec<String> {
        let text = self.read(from.max(self.len().saturating_sub(TAIL)));
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let skipped = lines.len().saturating_sub(most);
        let cut = |line: &&str| line.chars().take(LONGEST).collect();
        lines.iter().skip(skipped).map(cut).collect()
    }

    /// Whether a text stands in it after a place.
    pub(crate) fn says(&self, from: u64, text: &str) -> bool {
        self.read(from).contains(text)
    }

    /// Whether cargo has begun to build a program after a place and has not run it yet.
    pub(crate) fn tells_of_building(&self, from: u64) -> bool {
        const BUSY: [&str; 7] = [
            "Updating",
            "Locking",
            "Downloading",
            "Downloaded",
            "Compiling",
            "Building",
            "Blocking",
        ];
        let text = self.read(from);
        let mut words = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        // What comes after is the program's own.
        let mut is_busy = false;
        let is_run = words.any(|word| {
            is_busy |= BUSY.contains(&word);
            word == "Finished" || word == "Running"
        });
        is_busy && !is_run
    }

    fn read(&self, from: u64) -> String {
        let mut bytes = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(from))?;
            file.read_to_end(&mut bytes)
        });
        // A log that is gone says nothing.
        let _ = read;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn failed(&self, why: &std::io::Error) -> Failure {
        Failure::Log {
            path: self.path.clone(),
            why: why.to_string(),
        }
    }
}
