//! How text for people may look: colours, width, symbols.
//!
//! The caller decides all of it, because only the caller knows the terminal. Text is laid out
//! first and painted last, so colour never moves a column.

/// What the reader's terminal can do and wants to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours. Without it not one escape sequence is written.
    pub colour: bool,
    /// Columns. Commands to copy are never broken, even where they are longer.
    pub width: usize,
    /// Tell findings of low severity in full instead of folding them.
    pub all: bool,
    /// `·`, `→` and `━`, or plain ASCII.
    pub unicode: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: false,
            width: 100,
            all: false,
            unicode: true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Strong,
    Dim,
    Red,
    Yellow,
    Green,
    Cyan,
}

pub(crate) struct Symbols {
    /// Between facts of one line.
    pub dot: &'static str,
    pub right: &'static str,
    pub left: &'static str,
    /// Where text was cut.
    pub more: &'static str,
    pub times: &'static str,
    /// A zero that should not catch the eye.
    pub zero: &'static str,
    pub done: &'static str,
    pub ahead: &'static str,
}

const UNICODE: Symbols = Symbols {
    dot: "·",
    right: "→",
    left: "←",
    more: "…",
    times: "×",
    zero: "·",
    done: "━",
    ahead: "─",
};

const ASCII: Symbols = Symbols {
    dot: "-",
    right: "->",
    left: "<-",
    more: "...",
    times: "x",
    zero: ".",
    done: "=",
    ahead: "-",
};

impl Style {
    pub(crate) fn symbols(&self) -> &'static Symbols {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        if !self.colour || text.trim().is_empty() {
            return text.to_owned();
        }
        let code = match tone {
            Tone::Strong => "1",
            Tone::Dim => "2",
            Tone::Red => "31",
            Tone::Yellow => "33",
            Tone::Green => "32",
            Tone::Cyan => "36",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// Facts of one line: `F101 · high · sure`.
    pub(crate) fn joined(&self, facts: &[String]) -> String {
        facts.join(&format!(" {} ", self.symbols().dot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_colour_means_no_escape_sequence() {
        let style = Style::default();
        assert_eq!(style.paint(Tone::Red, "x"), "x");
        let colourful = Style {
            colour: true,
            ..style
        };
        assert_eq!(colourful.paint(Tone::Red, "x"), "\u{1b}[31mx\u{1b}[0m");
    }
}
