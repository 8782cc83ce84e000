//! The map that the probe reads: what the program's blocks and comparisons are in the source.
//!
//! `probes/rust/src/map.rs` says how it is written.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::condition::Condition;
use crate::source::Place;

/// Cases of one switch; longer tables are made by programs.
const MOST_CASES: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Map {
    text: String,
    ordinals: HashMap<Place, Ordinals>,
}

/// What of a line has which number. A generic function is there several times, and each place in
/// it is one place all the same.
#[derive(Debug, Default)]
struct Ordinals {
    known: HashMap<(String, u32), u32>,
    next: u32,
}

/// One place of the code, in a function that is told apart by its name only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'f> {
    pub(crate) returns: u64,
    pub(crate) place: Place,
    pub(crate) function: &'f str,
    /// Which of the function's on this line.
    pub(crate) nth: u32,
}

impl Map {
    pub(crate) fn block(&mut self, guard: usize, places: &[Place]) {
        let mut rest = places;
        // One file after another; nearly always there is only one.
        while let Some(first) = rest.first() {
            let same = rest.iter().take_while(|it| it.file == first.file).count();
            let lines: Vec<String> = rest[..same].iter().map(|it| it.line.to_string()).collect();
            writeln!(
                self.text,
                "block\t{guard}\t{}\t{}",
                first.file,
                lines.join(",")
            )
            .expect("memory");
            rest = &rest[same..];
        }
    }

    pub(crate) fn compare(&mut self, spot: Spot<'_>, condition: Condition, bytes: u8, label: &str) {
        let head = self.head("compare", spot, 1);
        let signed = u8::from(condition.is_signed);
        let relation = condition.relation;
        writeln!(self.text, "{head}\t{relation}\t{bytes}\t{signed}\t{label}").expect("memory");
    }

    pub(crate) fn switch(&mut self, spot: Spot<'_>, bytes: u8, cases: &[u64]) {
        let cases = &cases[..cases.len().min(MOST_CASES)];
        if cases.is_empty() {
            return;
        }
        let head = self.head("switch", spot, cases.len() as u32);
        let cases: Vec<String> = cases.iter().map(u64::to_string).collect();
        writeln!(self.text, "{head}\t{bytes}\t{}", cases.join(",")).expect("memory");
    }

    pub(crate) fn observe(&mut self, spot: Spot<'_>, act: &str, original: u64, label: &str) {
        let head = self.head("observe", spot, 1);
        writeln!(self.text, "{head}\t{act}\t{original}\t{label}").expect("memory");
    }

    fn head(&mut self, word: &str, spot: Spot<'_>, takes: u32) -> String {
        let ordinals = self.ordinals.entry(spot.place).or_default();
        let key = (without_generics(spot.function), spot.nth);
        let next = ordinals.next;
        let ordinal = *ordinals.known.entry(key).or_insert(next);
        if ordinal == next {
            ordinals.next += takes;
        }
        let Place { file, line } = spot.place;
        format!("{word}\t{}\t{file}\t{line}\t{ordinal}", spot.returns)
    }

    pub(crate) fn finish(
        self,
        anchor: u64,
        packages: &[(String, PathBuf)],
        files: &[PathBuf],
    ) -> String {
        let mut text = format!("fossick-map 1\nanchor\t{anchor}\n");
        for (name, folder) in packages {
            writeln!(text, "package\t{name}\t{}", shown(folder)).expect("memory");
        }
        for file in files {
            writeln!(text, "file\t{}", shown(file)).expect("memory");
        }
        text + &self.text
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string().replace(['\t', '\n'], "?")
}

/// A function without what its parameters stand for.
fn without_generics(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find("::<") {
        out.push_str(&rest[..at]);
        rest = &rest[at + 3..];
        let mut depth = 1;
        let end = rest.char_indices().find(|(_, c)| {
            match c {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        rest = end.map_or("", |(end, _)| &rest[end + 1..]);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_of_a_function_share_their_places() {
        assert_eq!(
            without_generics("app::put::<Vec<u8>, u8>::{closure#0}"),
            "app::put::{closure#0}"
        );
        let place = Place { file: 0, line: 7 };
        let spot = |returns, function, nth| Spot {
            returns,
            place,
            function,
            nth,
        };
        let condition = Condition {
            relation: "eq",
            is_signed: true,
        };
        let mut map = Map::default();
        map.compare(spot(10, "app::put::<u8>", 0), condition, 8, "");
        map.compare(spot(20, "app::put::<u8>", 1), condition, 8, "");
        map.compare(spot(30, "app::put::<u16>", 0), condition, 8, "");
        map.compare(spot(40, "app::get", 0), condition, 8, "");
        let text = map.finish(4096, &[], &[PathBuf::from("/srv/main.rs")]);
        let ordinals: Vec<&str> = text
            .lines()
            .skip(3)
            .filter_map(|line| line.split('\t').nth(4))
            .collect();
        assert_eq!(ordinals, ["0", "1", "0", "2"]);
    }
}
