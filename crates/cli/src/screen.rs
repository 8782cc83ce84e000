//! Printing for people: standard error, colours only on a terminal.

use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use fossick_report::{Progress, Style, progress, progress_plain};

use crate::exit::{Exit, Unreachable};
use crate::flags::Color;

/// In a log, one line in so long.
const PLAIN_EVERY: Duration = Duration::from_secs(10);
const REDRAW_EVERY: Duration = Duration::from_millis(100);

pub(crate) struct Screen {
    pub(crate) style: Style,
    terminal: bool,
    quiet: bool,
    drawn: bool,
    last: Option<Instant>,
}

impl Screen {
    pub(crate) fn new(color: Color, all: bool, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let colour = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none(),
        };
        let style = Style {
            colour,
            width: width(),
            all,
            ..Style::default()
        };
        Self {
            style,
            terminal,
            quiet,
            drawn: false,
            last: None,
        }
    }

    pub(crate) fn line(&mut self, text: &str) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// Prints even when quiet.
    pub(crate) fn say(&mut self, text: &str) {
        self.clear();
        put(text);
        put("\n");
    }

    pub(crate) fn show(&mut self, state: &Progress) {
        self.draw(|style| progress(state, style), || progress_plain(state));
    }

    /// A line about something that goes on, in place of the one before.
    pub(crate) fn status(&mut self, text: impl Fn() -> String) {
        self.draw(|_| text(), &text);
    }

    fn draw(&mut self, line: impl Fn(&Style) -> String, plain: impl Fn() -> String) {
        let every = if self.terminal {
            REDRAW_EVERY
        } else {
            PLAIN_EVERY
        };
        let due = self.last.is_none_or(|last| last.elapsed() >= every);
        if self.quiet || !due {
            return;
        }
        // A log needs no line before anything has happened.
        let first = self.last.is_none();
        self.last = Some(Instant::now());
        if self.terminal {
            put(&format!("\r\x1b[2K{}", line(&self.style)));
            self.drawn = true;
        } else if !first {
            put(&format!("{}\n", plain()));
        }
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            put("\r\x1b[2K");
        }
    }
}

/// A closed pipe is no reason to fail: whoever read us has read enough.
fn put(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints machine-readable output.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn width() -> usize {
    let from_environment = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    from_environment
        .or_else(terminal_width)
        .unwrap_or(100)
        .clamp(60, 140)
}

/// Asks the terminal through `stty`, which every Unix has; a crate for one number is too much.
fn terminal_width() -> Option<usize> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let output = std::process::Command::new("stty")
        .arg("size")
        .stdin(std::process::Stdio::inherit())
        .stderr(std::process::Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

/// Says what went wrong and how to go on; gives the exit code.
pub(crate) fn complain(error: &anyhow::Error) -> Exit {
    let mut text = format!("error: {error}");
    for cause in error.chain().skip(1) {
        text.push_str(&format!("\n  because: {cause}"));
    }
    put(&format!("{text}\n"));
    if error
        .chain()
        .any(<dyn std::error::Error>::is::<Unreachable>)
    {
        put("  is the service running?\n");
        return Exit::Unreachable;
    }
    Exit::Usage
}
