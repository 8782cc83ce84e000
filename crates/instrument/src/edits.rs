//! Changes of a text: what is put in where, and what is taken out.
//!
//! Whoever walks the tree notes edits in the order of the source, outer before inner at a beginning
//! and inner before outer at an end; so those of one place are already in their right order.

#[derive(Debug, Default)]
pub(crate) struct Edits {
    all: Vec<Edit>,
}

#[derive(Debug)]
struct Edit {
    start: u32,
    end: u32,
    text: String,
}

impl Edits {
    pub(crate) fn insert(&mut self, at: u32, text: String) {
        self.replace(at, at, text);
    }

    /// What is taken out must have no line break in it.
    pub(crate) fn replace(&mut self, start: u32, end: u32, text: String) {
        self.all.push(Edit { start, end, text });
    }

    /// The source with all edits done.
    pub(crate) fn apply(mut self, source: &str) -> (String, Shifts) {
        self.all.sort_by_key(|edit| edit.start);
        let added: usize = self.all.iter().map(|edit| edit.text.len()).sum();
        let mut code = String::with_capacity(source.len() + added);
        let mut at = 0;
        for edit in &self.all {
            code.push_str(&source[at..edit.start as usize]);
            code.push_str(&edit.text);
            at = edit.end as usize;
        }
        code.push_str(&source[at..]);
        (code, Shifts::new(&self.all))
    }
}

/// What is put in is ASCII or a copy of the source; the few wider letters in a copy are counted as
/// they are in UTF-16, since that is what columns mean.
fn added_by(edit: &Edit) -> i64 {
    edit.text.encode_utf16().count() as i64 - i64::from(edit.end - edit.start)
}

/// How far edits moved what comes after them on their line: where they stood, and how far they and
/// all before them move it together.
#[derive(Debug)]
pub(crate) struct Shifts(Vec<(u32, i64)>);

impl Shifts {
    fn new(edits: &[Edit]) -> Self {
        let mut sum = 0;
        let shift = |edit: &Edit| {
            sum += added_by(edit);
            (edit.start, sum)
        };
        Self(edits.iter().map(shift).collect())
    }

    /// How far the place `at` was moved on its line, which begins at `line_start`.
    pub(crate) fn of(&self, line_start: u32, at: u32) -> i64 {
        let before = |place: usize| match place {
            0 => 0,
            place => self.0[place - 1].1,
        };
        let from = self.0.partition_point(|(start, _)| *start < line_start);
        let to = self.0.partition_point(|(start, _)| *start <= at);
        before(to) - before(from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_one_place_keep_their_order() {
        let mut edits = Edits::default();
        edits.insert(0, "f(".into());
        edits.insert(0, "g(".into());
        edits.insert(1, ")".into());
        edits.replace(2, 4, ",".into());
        edits.insert(6, ")".into());
        let (code, shifts) = edits.apply("a == b;");
        assert_eq!(code, "f(g(a) , b);");
        assert_eq!(shifts.of(0, 5), 4);
    }
}
