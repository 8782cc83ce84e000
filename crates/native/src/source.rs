//! From addresses to lines of the user's own source.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use object::{Object as _, ObjectSection as _};

use crate::image::Image;
use crate::mapped::MapError;

/// Whose source counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Own {
    /// Folders of the packages that were compiled.
    pub(crate) folders: Vec<PathBuf>,
    /// Folders in them that hold what was generated.
    pub(crate) without: Vec<PathBuf>,
}

impl Own {
    fn has(&self, file: &Path) -> bool {
        let within = |folders: &[PathBuf]| folders.iter().any(|folder| file.starts_with(folder));
        within(&self.folders) && !within(&self.without)
    }
}

pub(crate) struct Source<'d> {
    context: Context<EndianSlice<'d, LittleEndian>>,
    own: Own,
    /// Names as the compiler wrote them, with the number of the file where it is an own one.
    names: BTreeMap<String, Option<usize>>,
    pub(crate) files: Vec<PathBuf>,
    /// The lines of those that were looked at.
    texts: HashMap<usize, Vec<String>>,
}

/// Of a line of source, for people.
const LONGEST_LABEL: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// Among the own files.
    pub(crate) file: usize,
    pub(crate) line: u32,
}

impl<'d> Source<'d> {
    pub(crate) fn of(image: &Image<'d>, own: Own) -> Result<Self, MapError> {
        let load = |id: SectionId| -> Result<EndianSlice<'d, LittleEndian>, MapError> {
            let section = image.file.section_by_name(id.name());
            let bytes = section.and_then(|section| section.data().ok());
            Ok(EndianSlice::new(bytes.unwrap_or_default(), LittleEndian))
        };
        Ok(Self {
            context: Context::from_dwarf(Dwarf::load(load)?)?,
            own,
            names: BTreeMap::new(),
            files: Vec::new(),
            texts: HashMap::new(),
        })
    }

    /// The line of an address, where that is one of the user's own.
    pub(crate) fn place(&mut self, address: u64) -> Option<Place> {
        let location = self.context.find_location(address).ok()??;
        let (file, line) = (location.file?.to_owned(), location.line?);
        let file = self.number(&file)?;
        (line > 0).then_some(Place { file, line })
    }

    /// The own lines between two addresses, in the order of the code.
    pub(crate) fn places(&mut self, begin: u64, end: u64) -> Vec<Place> {
        let mut found = Vec::new();
        if let Ok(rows) = self.context.find_location_range(begin, end) {
            for (_, _, location) in rows {
                if let (Some(file), Some(line)) = (location.file, location.line) {
                    found.push((file.to_owned(), line));
                }
            }
        }
        let mut places = Vec::new();
        for (file, line) in found {
            let Some(file) = self.number(&file) else {
                continue;
            };
            let place = Place { file, line };
            if line > 0 && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Whether the line makes a type compare, print or read itself.
    pub(crate) fn is_derived(&mut self, place: Place) -> bool {
        self.line(place).starts_with("#[derive")
    }

    /// The line as it stands in the source.
    pub(crate) fn label(&mut self, place: Place) -> String {
        self.line(place).chars().take(LONGEST_LABEL).collect()
    }

    fn line(&mut self, place: Place) -> &str {
        let lines = self.texts.entry(place.file).or_insert_with(|| {
            let text = self.files.get(place.file).map(std::fs::read_to_string);
            let text = text.and_then(Result::ok).unwrap_or_default();
            let trimmed = text.lines().map(|line| line.trim().replace('\t', " "));
            trimmed.collect()
        });
        let line = lines.get(place.line as usize - 1);
        line.map_or("", String::as_str)
    }

    fn number(&mut self, name: &str) -> Option<usize> {
        if let Some(known) = self.names.get(name) {
            return *known;
        }
        let path = std::fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        let number = self.own.has(&path).then(|| {
            let known = self.files.iter().position(|file| *file == path);
            known.unwrap_or_else(|| {
                self.files.push(path);
                self.files.len() - 1
            })
        });
        self.names.insert(name.to_owned(), number);
        number
    }
}
