//! Lines of code with their indentation.

/// A file in the making.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    unit: &'static str,
    depth: usize,
}

impl Page {
    /// `unit` is one step of indentation.
    pub(crate) fn new(unit: &'static str) -> Self {
        Self {
            text: String::new(),
            unit,
            depth: 0,
        }
    }

    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&self.unit.repeat(self.depth));
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(crate) fn lines<S: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = S>) {
        for line in lines {
            self.line(line);
        }
    }

    /// An empty line, but never two.
    pub(crate) fn gap(&mut self) {
        if !self.text.ends_with("\n\n") && !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    pub(crate) fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    pub(crate) fn close(&mut self, line: impl AsRef<str>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// Ends a block that ended with its last line.
    pub(crate) fn close_silently(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Characters that a line has before it begins, a tab counting as `tab`.
    pub(crate) fn indent(&self, tab: usize) -> usize {
        let unit = self.unit.chars().map(|c| if c == '\t' { tab } else { 1 });
        unit.sum::<usize>() * self.depth
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}
