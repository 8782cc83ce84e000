//! JavaScript with counters in it.
//!
//! The probe of Node.js can't watch a program from outside, so the program tells of itself: each
//! file is rewritten before it runs, and says which statements it reaches, how near it came to the
//! other side of each condition, and what it compares and looks for. What is written into it are
//! calls of one object per file, which `probes/node` makes.
//!
//! Nothing of the source moves to another line, so stack traces stay right. The text is edited and
//! not printed anew: what is not touched is byte for byte as it was. No file is read and none is
//! written here.

mod calls;
mod conditions;
mod edits;
mod maps;
mod plain;
mod reads;
mod rewriter;
mod slots;
mod statements;
mod wire;

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::SourceType;
use serde::{Deserialize, Serialize};

pub use slots::{Kind, Target, Tree};
pub use wire::{answer, answer_for, cache_name};

/// Part of the name of everything kept in a cache; to be raised with each change of what is
/// written into files. `probes/node/lib/instrument.js` has the same.
pub const REWRITER: u32 = 2;

/// What the object of a file is called in its code. The probe puts a name of the same length in
/// its place, another for each file.
pub const PLACEHOLDER: &str = "$f_0000000000";

/// Deeper nesting than people write could overflow the stack of whoever walks the tree.
const DEEPEST: usize = 400;

/// What a source is meant as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// A file that Node wraps into a function: one of `require`.
    Script,
    Module,
    /// Either; the source itself decides.
    #[default]
    Unknown,
    /// TypeScript whose types are taken out later.
    Typescript,
}

/// A rewritten file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instrumented {
    pub code: String,
    /// By their place in this list the code speaks of them.
    pub targets: Vec<Target>,
    /// How conditions of several parts are put together.
    pub trees: Vec<(u32, Tree)>,
    /// Names of the original sources, where there is a source map; targets mean them by number.
    pub sources: Vec<String>,
    /// The source map of the rewritten code, if there was one of the code.
    pub map: Option<String>,
}

/// Why a source is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// Writes counters into a source. A source map, beside it or inside, leads to the lines that the
/// user wrote.
pub fn instrument(source: &str, goal: Goal, map: Option<&str>) -> Result<Instrumented, Unreadable> {
    if source.contains(PLACEHOLDER) {
        return Err(Unreadable("it is rewritten already".to_owned()));
    }
    if nesting(source) > DEEPEST {
        return Err(Unreadable("it is nested too deeply".to_owned()));
    }
    let allocator = Allocator::default();
    let mut read = parse(&allocator, source, source_type(goal));
    if goal == Goal::Unknown && is_broken(&read) {
        // What is no module may still be a sloppy script.
        read = parse(&allocator, source, source_type(Goal::Script));
    }
    if is_broken(&read) {
        let first = read.diagnostics.first().map(ToString::to_string);
        return Err(Unreadable(first.unwrap_or_default()));
    }
    Ok(rewriter::rewrite(source, &read.program, map))
}

fn source_type(goal: Goal) -> SourceType {
    match goal {
        Goal::Script => SourceType::cjs(),
        Goal::Module => SourceType::mjs(),
        Goal::Unknown => SourceType::unambiguous(),
        Goal::Typescript => SourceType::ts(),
    }
}

fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    source_type: SourceType,
) -> oxc_parser::ParserReturn<'a> {
    let options = ParseOptions {
        allow_return_outside_function: true,
        ..ParseOptions::default()
    };
    Parser::new(allocator, source, source_type)
        .with_options(options)
        .parse()
}

fn is_broken(read: &oxc_parser::ParserReturn<'_>) -> bool {
    read.panicked || !read.diagnostics.is_empty()
}

/// At least as deep as the source is nested; brackets in texts and comments count too.
fn nesting(source: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for byte in source.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
