//! What is noticed while a GraphQL schema is read.
//!
//! Schemas have no JSON pointers to speak of, so a note names what it is about in its words and
//! carries line and column where there is a text.

use std::collections::HashSet;

use fossick_contract::{Diagnostic, Level, Place};

/// More than anybody reads; a hostile schema could ask for millions.
const MOST: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct Notes {
    all: Vec<Diagnostic>,
    seen: HashSet<String>,
}

impl Notes {
    /// Mended; nothing is lost.
    pub(super) fn warn(&mut self, place: Option<Place>, message: impl Into<String>) {
        self.add(Level::Warning, place, message.into());
    }

    /// Not understood and left out.
    pub(super) fn error(&mut self, place: Option<Place>, message: impl Into<String>) {
        self.add(Level::Error, place, message.into());
    }

    fn add(&mut self, level: Level, place: Option<Place>, message: String) {
        let told = place.as_ref().map_or_else(
            || message.clone(),
            |place| format!("{}:{}:{message}", place.line, place.column),
        );
        if self.all.len() < MOST && self.seen.insert(told) {
            self.all.push(Diagnostic {
                level,
                message,
                pointer: String::new(),
                place,
            });
        }
    }

    /// The first thing that was left out, for whoever has nothing else to say.
    pub(super) fn first_error(&self) -> Option<&Diagnostic> {
        self.all.iter().find(|note| note.level == Level::Error)
    }

    pub(super) fn into_all(self) -> Vec<Diagnostic> {
        self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_remark_is_kept_once_and_there_is_an_end() {
        let mut notes = Notes::default();
        for at in 0..MOST + 10 {
            notes.warn(None, "again");
            notes.error(None, format!("{at}"));
        }
        assert_eq!(notes.first_error().map(|note| &*note.message), Some("0"));
        assert_eq!(notes.into_all().len(), MOST);
    }
}
