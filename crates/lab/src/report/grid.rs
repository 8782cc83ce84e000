//! A table before it has a format: texts in rows, some of them standing out.

/// Text of one place in a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) text: String,
    pub(super) bold: bool,
}

impl Entry {
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            bold: false,
        }
    }

    pub(super) fn bold_if(text: impl Into<String>, bold: bool) -> Self {
        Self {
            text: text.into(),
            bold,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    pub(super) caption: String,
    /// Columns that hold words and stand to the left; the others hold numbers.
    pub(super) words: usize,
    /// Columns that say what a row is about; a table too wide for a terminal is cut behind them.
    pub(super) fixed: usize,
    /// Columns that belong together and are never cut apart.
    pub(super) unit: usize,
    pub(super) head: Vec<String>,
    /// Groups of rows that belong together: one service, or the rows below all services.
    pub(super) groups: Vec<Vec<Vec<Entry>>>,
    pub(super) note: String,
}
