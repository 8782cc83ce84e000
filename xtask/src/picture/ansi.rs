//! Text as a terminal wrote it, taken apart into lines of equally coloured pieces.
//!
//! Knows colours, bold and dim, and that a line which is begun again replaces what stood there.
//! Every other command to the terminal is passed over.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Colour {
    #[default]
    Plain,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    Grey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Look {
    pub(crate) colour: Colour,
    pub(crate) bold: bool,
    pub(crate) dim: bool,
}

/// Some text of one look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) look: Look,
}

pub(crate) type Line = Vec<Piece>;

pub(crate) fn lines(text: &str) -> Vec<Line> {
    let mut screen = Screen::default();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' => screen.lines.push(std::mem::take(&mut screen.line)),
            '\r' => screen.begin_again(characters.peek() == Some(&'\n')),
            '\u{1b}' => screen.obey(&mut characters),
            c if c.is_control() => {}
            c => screen.put(c),
        }
    }
    screen.finish()
}

#[derive(Default)]
struct Screen {
    lines: Vec<Line>,
    line: Line,
    look: Look,
}

impl Screen {
    fn put(&mut self, c: char) {
        match self.line.last_mut() {
            Some(piece) if piece.look == self.look => piece.text.push(c),
            _ => self.line.push(Piece {
                text: c.to_string(),
                look: self.look,
            }),
        }
    }

    /// A return before a line feed only ends the line; any other starts it anew.
    fn begin_again(&mut self, ends: bool) {
        if !ends {
            self.line.clear();
        }
    }

    fn obey(&mut self, characters: &mut Peekable<Chars<'_>>) {
        if characters.peek() != Some(&'[') {
            characters.next();
            return;
        }
        characters.next();
        let mut parameters = String::new();
        for c in characters.by_ref() {
            if ('@'..='~').contains(&c) {
                if c == 'm' {
                    self.paint(&parameters);
                }
                return;
            }
            parameters.push(c);
        }
    }

    fn paint(&mut self, parameters: &str) {
        for code in parameters.split(';') {
            match code.parse().unwrap_or(0) {
                0_u8 => self.look = Look::default(),
                1 => self.look.bold = true,
                2 => self.look.dim = true,
                22 => (self.look.bold, self.look.dim) = (false, false),
                39 => self.look.colour = Colour::Plain,
                code => self.look.colour = colour(code).unwrap_or(self.look.colour),
            }
        }
    }

    /// Empty lines at the end show nothing.
    fn finish(mut self) -> Vec<Line> {
        self.lines.push(self.line);
        while self.lines.last().is_some_and(is_blank) {
            self.lines.pop();
        }
        self.lines
    }
}

fn is_blank(line: &Line) -> bool {
    line.iter().all(|piece| piece.text.trim().is_empty())
}

fn colour(code: u8) -> Option<Colour> {
    let colour = match code {
        31 | 91 => Colour::Red,
        32 | 92 => Colour::Green,
        33 | 93 => Colour::Yellow,
        34 | 94 => Colour::Blue,
        35 | 95 => Colour::Magenta,
        36 | 96 => Colour::Cyan,
        37 | 97 => Colour::Plain,
        30 | 90 => Colour::Grey,
        _ => return None,
    };
    Some(colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &Line) -> Vec<(&str, Colour)> {
        line.iter()
            .map(|p| (p.text.as_str(), p.look.colour))
            .collect()
    }

    #[test]
    fn colours_cut_a_line_into_pieces() {
        let lines = lines("a \u{1b}[31mred\u{1b}[0m b\n");
        assert_eq!(lines.len(), 1);
        let expected = [
            ("a ", Colour::Plain),
            ("red", Colour::Red),
            (" b", Colour::Plain),
        ];
        assert_eq!(texts(&lines[0]), expected);
    }

    #[test]
    fn a_line_that_is_drawn_again_shows_its_last_state() {
        let lines = lines("\r\u{1b}[K10 %\r\u{1b}[K20 %\r\ndone\r\n\r\n");
        assert_eq!(texts(&lines[0]), [("20 %", Colour::Plain)]);
        assert_eq!(texts(&lines[1]), [("done", Colour::Plain)]);
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn bold_and_dim_end_together() {
        let lines = lines("\u{1b}[1;36mx\u{1b}[22my");
        assert!(lines[0][0].look.bold && lines[0][0].look.colour == Colour::Cyan);
        assert!(!lines[0][1].look.bold);
    }

    #[test]
    fn a_command_that_never_ends_harms_nobody() {
        assert!(lines("\u{1b}[31").is_empty());
        assert!(lines("\u{1b}").is_empty());
    }
}
