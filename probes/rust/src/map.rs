//! What fossick wrote down of this program when it was linked: where its blocks and comparisons
//! are, and what they are in the source.
//!
//! A row of lines, each a word and its fields between tabs; files are meant by the order in which
//! they stand.
//!
//! ```text
//! fossick-map 1
//! anchor   address of FOSSICK_MAP in the file
//! package  name   absolute folder
//! file     absolute path
//! block    number among the guards   file   lines, between commas
//! compare  where the call returns to   file   line   ordinal   relation   bytes   signed   label
//! switch   where the call returns to   file   line   ordinal   bytes   values, between commas
//! observe  where the call returns to   file   line   ordinal   callee   original   label
//! ```

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::observe::Act;
use crate::wire::Descriptor;

pub const HEAD: &str = "fossick-map 1";

pub mod kind {
    pub const LINE: u8 = 0;
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
}

/// How the two sides of a comparison of numbers were held against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    Equal,
    Less,
    NotGreater,
    Greater,
    NotLess,
}

/// One place that compares.
#[derive(Debug)]
pub struct Site {
    pub returns: usize,
    /// The target of each side.
    pub sides: [u32; 2],
    pub what: What,
}

#[derive(Debug)]
pub enum What {
    Compare {
        relation: Relation,
        bytes: u8,
        signed: bool,
    },
    Switch {
        bytes: u8,
        /// Each with its target.
        cases: Vec<(u64, u32)>,
    },
    Observe {
        act: Act,
        original: usize,
    },
}

/// The lines of a block, by their targets, and the last of them.
#[derive(Debug, Default)]
pub struct Block {
    pub lines: Vec<u32>,
}

#[derive(Debug, Default)]
pub struct Map {
    pub anchor: usize,
    pub roots: Vec<String>,
    /// Own files by their paths, with their names.
    pub files: Vec<(String, String)>,
    pub targets: Vec<Descriptor>,
    /// By the number of their guard.
    pub blocks: HashMap<usize, Block>,
    pub sites: Vec<Site>,
}

/// The user's own code, and the names of files in it.
struct Cover {
    paths: Vec<PathBuf>,
}

impl Cover {
    /// Folders, files, and names of packages.
    fn of(told: &str, map: &str) -> Self {
        let package = |name: &str| {
            let mut packages = map.lines().filter_map(|it| it.strip_prefix("package\t"));
            packages.find_map(|it| it.strip_prefix(name)?.strip_prefix('\t'))
        };
        let path = |word| package(word).unwrap_or(word);
        let paths = told.split(':').map(path).filter(|it| it.starts_with('/'));
        Self {
            paths: paths.map(PathBuf::from).collect(),
        }
    }

    fn root(path: &Path) -> PathBuf {
        match path.parent() {
            Some(parent) if path.is_file() => parent.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// The name of a file in the user's own code.
    fn name(&self, file: &str) -> Option<String> {
        let file = Path::new(file);
        let of = |path: &PathBuf| {
            file.starts_with(path)
                .then(|| file.strip_prefix(Self::root(path)).ok())?
        };
        let name = self.paths.iter().find_map(of)?;
        // What lies in these by accident; a member named itself stands above them.
        let is_foreign = |part: &str| matches!(part, "tests" | "benches" | "examples" | "target");
        let mut folders = name.parent()?.iter();
        let foreign = folders.any(|part| part.to_str().is_some_and(is_foreign));
        (!foreign).then(|| name.to_str().map(str::to_owned))?
    }

    fn roots(&self) -> Vec<String> {
        let roots = self.paths.iter().map(|path| Self::root(path));
        roots.map(|root| root.display().to_string()).collect()
    }
}

/// Targets by what they are.
#[derive(Default)]
struct Targets {
    known: HashMap<(String, u32, u8, u32), u32>,
    all: Vec<Descriptor>,
}

impl Targets {
    fn id(&mut self, file: &str, line: u32, kind: u8, ordinal: u32, label: &str) -> u32 {
        let next = self.all.len() as u32;
        let key = (file.to_owned(), line, kind, ordinal);
        let id = *self.known.entry(key).or_insert(next);
        if id == next {
            self.all.push(Descriptor {
                file: file.to_owned(),
                line,
                kind,
                ordinal,
                label: label.to_owned(),
            });
        }
        id
    }

    fn sides(&mut self, (file, line, ordinal): (&str, u32, u32), label: &str) -> [u32; 2] {
        [kind::TRUE, kind::FALSE].map(|kind| self.id(file, line, kind, ordinal, label))
    }
}

/// Reads a map; `cover` is what the tool says of the user's own code.
pub fn read(text: &str, cover: &str) -> Option<Map> {
    let cover = Cover::of(cover, text);
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return None;
    }
    let mut map = Map {
        roots: cover.roots(),
        ..Map::default()
    };
    let mut files: Vec<Option<String>> = Vec::new();
    let mut targets = Targets::default();
    for line in lines {
        let mut fields = line.split('\t');
        let word = fields.next()?;
        let fields: Vec<&str> = fields.collect();
        match word {
            "package" => {}
            "anchor" => map.anchor = fields.first()?.parse().ok()?,
            "file" => {
                let path = fields.first()?;
                let name = cover.name(path);
                map.files
                    .extend(name.clone().map(|name| ((*path).to_owned(), name)));
                files.push(name);
            }
            _ => {
                let at = files.get(fields.get(1)?.parse::<usize>().ok()?)?;
                if let Some(file) = at {
                    place(&mut map, &mut targets, word, file, &fields)?;
                }
            }
        }
    }
    map.targets = targets.all;
    Some(map)
}

fn place(
    map: &mut Map,
    targets: &mut Targets,
    word: &str,
    file: &str,
    fields: &[&str],
) -> Option<()> {
    let first: usize = fields.first()?.parse().ok()?;
    if word == "block" {
        let lines = fields.get(2)?.split(',');
        let lines = lines.map(|line| Some(targets.id(file, line.parse().ok()?, kind::LINE, 0, "")));
        map.blocks
            .entry(first)
            .or_default()
            .lines
            .extend(lines.collect::<Option<Vec<_>>>()?);
        return Some(());
    }
    let (line, ordinal) = (fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?);
    let at = (file, line, ordinal);
    let (sides, what) = match word {
        "compare" => compare(targets, at, fields)?,
        "switch" => switch(targets, at, fields)?,
        "observe" => {
            let act = Act::of(fields.get(4)?)?;
            let original = fields.get(5)?.parse().ok()?;
            (
                targets.sides(at, fields.get(6)?),
                What::Observe { act, original },
            )
        }
        // A word of a later version.
        _ => return Some(()),
    };
    map.sites.push(Site {
        returns: first,
        sides,
        what,
    });
    Some(())
}

fn compare(
    targets: &mut Targets,
    at: (&str, u32, u32),
    fields: &[&str],
) -> Option<([u32; 2], What)> {
    let relation = match *fields.get(4)? {
        "lt" => Relation::Less,
        "le" => Relation::NotGreater,
        "gt" => Relation::Greater,
        "ge" => Relation::NotLess,
        _ => Relation::Equal,
    };
    let what = What::Compare {
        relation,
        bytes: fields.get(5)?.parse().ok()?,
        signed: *fields.get(6)? == "1",
    };
    Some((targets.sides(at, fields.get(7)?), what))
}

/// Each case is a side of its own; there is no other side.
fn switch(
    targets: &mut Targets,
    (file, line, ordinal): (&str, u32, u32),
    fields: &[&str],
) -> Option<([u32; 2], What)> {
    let bytes = fields.get(4)?.parse().ok()?;
    let mut cases = Vec::new();
    for (nth, value) in (0..).zip(fields.get(5)?.split(',')) {
        let label = format!("case {value}");
        let id = targets.id(file, line, kind::TRUE, ordinal + nth, &label);
        cases.push((value.parse().ok()?, id));
    }
    let first = cases.first()?.1;
    Some(([first; 2], What::Switch { bytes, cases }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "fossick-map 1\n\
        anchor\t4096\n\
        package\tother\t/srv/other\n\
        file\t/srv/shop/src/main.rs\n\
        file\t/srv/other/src/lib.rs\n\
        file\t/srv/shop/tests/all.rs\n\
        block\t0\t0\t3,4\n\
        block\t1\t1\t9\n\
        block\t2\t2\t1\n\
        block\t3\t0\t4\n\
        compare\t64\t0\t4\t0\teq\t8\t1\tn == 42\n\
        compare\t80\t0\t4\t0\teq\t8\t1\tn == 42\n\
        switch\t96\t0\t6\t0\t4\t97,98\n";

    #[test]
    fn only_what_is_covered_is_kept_and_each_place_once() {
        let map = read(MAP, "/srv/shop").expect("it is a map");
        let names: Vec<_> = map
            .targets
            .iter()
            .map(|it| (&*it.file, it.line, it.kind))
            .collect();
        let main = "src/main.rs";
        assert_eq!(
            names,
            [
                (main, 3, 0),
                (main, 4, 0),
                (main, 4, 1),
                (main, 4, 2),
                (main, 6, 1),
                (main, 6, 1)
            ]
        );
        assert_eq!(map.blocks.len(), 2);
        assert_eq!(map.sites[0].sides, map.sites[1].sides);
        assert_eq!(
            (map.anchor, map.roots),
            (4096, vec!["/srv/shop".to_owned()])
        );
    }

    #[test]
    fn a_package_may_be_covered_by_its_name() {
        let map = read(MAP, "other:nobody").expect("it is a map");
        assert_eq!(map.roots, ["/srv/other"]);
        assert_eq!(map.targets.len(), 1);
    }

    #[test]
    fn another_map_is_none() {
        for text in ["", "fossick-map 2\n", "fossick-map 1\nblock\tx\n"] {
            assert!(read(text, "/").is_none(), "{text:?}");
        }
    }
}
