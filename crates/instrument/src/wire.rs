//! How the probe asks for a file and is answered: a line of JSON each.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{Goal, Instrumented, PLACEHOLDER, REWRITER, Tree, instrument};

#[derive(Debug, Deserialize)]
struct Question {
    source: String,
    #[serde(default)]
    goal: Goal,
    #[serde(default)]
    map: Option<String>,
}

/// Short, since it is read at the start of each process.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    Done {
        code: String,
        name: &'static str,
        /// Source, line, kind, ordinal, label.
        targets: Vec<(u32, u32, u8, u32, String)>,
        trees: Vec<(u32, Tree)>,
        sources: Vec<String>,
        map: Option<String>,
    },
    Left {
        left: String,
    },
}

/// The answer to one question. What can't be understood is left as it is, with the reason.
pub fn answer(question: &str) -> String {
    match serde_json::from_str::<Question>(question) {
        Ok(it) => answer_for(&it.source, it.goal, it.map.as_deref()),
        Err(error) => written(&Answer::Left {
            left: error.to_string(),
        }),
    }
}

/// The answer for a source, as it is kept in a cache.
pub fn answer_for(source: &str, goal: Goal, map: Option<&str>) -> String {
    written(&match instrument(source, goal, map) {
        Ok(instrumented) => done(instrumented),
        Err(reason) => Answer::Left { left: reason.0 },
    })
}

fn written(answer: &Answer) -> String {
    serde_json::to_string(answer).expect("plain data")
}

fn done(it: Instrumented) -> Answer {
    let targets = it.targets.into_iter().map(|target| {
        (
            target.source,
            target.line,
            target.kind.number(),
            target.ordinal,
            target.label,
        )
    });
    Answer::Done {
        code: it.code,
        name: PLACEHOLDER,
        targets: targets.collect(),
        trees: it.trees,
        sources: it.sources,
        map: it.map,
    }
}

/// What the answer for a source is called in a cache.
pub fn cache_name(source: &str, goal: Goal, map: Option<&str>) -> String {
    let goal = match goal {
        Goal::Script => "script",
        Goal::Module => "module",
        Goal::Unknown => "unknown",
        Goal::Typescript => "typescript",
    };
    let key = format!("{REWRITER}\n{goal}\n{}\n{source}", map.unwrap_or_default());
    let mut name = String::new();
    for byte in Sha256::digest(key.as_bytes()) {
        write!(name, "{byte:02x}").expect("a text takes everything");
    }
    name + ".json"
}
