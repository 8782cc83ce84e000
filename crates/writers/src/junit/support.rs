//! The files that tests lean on. They are kept as they are read, in `java/` and `kotlin/`, with
//! marks for what depends on the suite: `//#if start stop` … `//#else` … `//#end` keeps lines only
//! if the suite has one of these, and a word in capitals alone on its line is a constant.

use std::collections::{BTreeMap, BTreeSet};

use fossick_suite::Reset;

use super::layout::{Expression, statement};
use super::{Language, Project};
use crate::File;

pub(super) fn files(project: &Project<'_>) -> Vec<File> {
    let mut names = vec!["Api", "Answers", "Kind", "Values"];
    if !project.shared.schemas.is_empty() {
        names.push("Schemas");
    }
    if project.is_exact() {
        names.push("ExactTarget");
    }
    if project.starts() || project.resets() {
        names.push("Service");
    }
    let constants = constants(project);
    let facts = facts(project);
    let files = names.into_iter().map(|name| {
        let text = template(project.language, name).replace("PACKAGE", &project.package);
        project.source(name, filled(&text, &facts, &constants))
    });
    files.collect()
}

fn template(language: Language, name: &str) -> &'static str {
    match (language, name) {
        (Language::Java, "Api") => include_str!("java/Api.java"),
        (Language::Java, "Answers") => include_str!("java/Answers.java"),
        (Language::Java, "Kind") => include_str!("java/Kind.java"),
        (Language::Java, "Values") => include_str!("java/Values.java"),
        (Language::Java, "Schemas") => include_str!("java/Schemas.java"),
        (Language::Java, "ExactTarget") => include_str!("java/ExactTarget.java"),
        (Language::Java, _) => include_str!("java/Service.java"),
        (Language::Kotlin, "Api") => include_str!("kotlin/Api.kt"),
        (Language::Kotlin, "Answers") => include_str!("kotlin/Answers.kt"),
        (Language::Kotlin, "Kind") => include_str!("kotlin/Kind.kt"),
        (Language::Kotlin, "Values") => include_str!("kotlin/Values.kt"),
        (Language::Kotlin, "Schemas") => include_str!("kotlin/Schemas.kt"),
        (Language::Kotlin, "ExactTarget") => include_str!("kotlin/ExactTarget.kt"),
        (Language::Kotlin, _) => include_str!("kotlin/Service.kt"),
    }
}

/// What the suite has, in the words of the marks.
fn facts(project: &Project<'_>) -> BTreeSet<&'static str> {
    let service = &project.shared.suite.service;
    let reset = service.reset.as_ref().map(|reset| match reset {
        Reset::Command(_) => "command",
        Reset::Url(_) => "url",
    });
    let start = service.start.as_ref().map(|_| "start");
    let stop = service.stop.as_ref().map(|_| "stop");
    [start, stop, reset].into_iter().flatten().collect()
}

fn constants(project: &Project<'_>) -> BTreeMap<&'static str, String> {
    let suite = project.shared.suite;
    let reset = suite.service.reset.as_ref().map(|reset| match reset {
        Reset::Command(text) | Reset::Url(text) => text,
    });
    let all = [
        ("DEFAULT_URL", Some(&suite.base_url)),
        ("START", suite.service.start.as_ref()),
        ("STOP", suite.service.stop.as_ref()),
        ("RESET", reset),
    ];
    let known = all
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)));
    known
        .map(|(name, text)| (name, constant(name, text, project.language)))
        .collect()
}

fn constant(name: &str, text: &str, language: Language) -> String {
    let text = Expression::text(text);
    match language {
        Language::Java => statement(
            language,
            2,
            &format!("private static final String {name} ="),
            &text,
        ),
        Language::Kotlin => statement(language, 0, &format!("private const val {name} ="), &text),
    }
}

/// The lines that the facts keep, with their constants.
fn filled(text: &str, facts: &BTreeSet<&str>, constants: &BTreeMap<&str, String>) -> String {
    let mut out = String::new();
    let mut kept = vec![true];
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("//#if ") {
            kept.push(words.split(' ').any(|word| facts.contains(word)));
        } else if line == "//#else" {
            let turned = kept.pop().is_some_and(|kept| !kept);
            kept.push(turned);
        } else if line == "//#end" {
            kept.pop();
        } else if kept.iter().all(|kept| *kept) {
            push(&mut out, line, constants);
        }
    }
    out
}

/// No block begins with an empty line.
fn push(out: &mut String, line: &str, constants: &BTreeMap<&str, String>) {
    if line.is_empty() && (out.ends_with("{\n") || out.ends_with("\n\n")) {
        return;
    }
    let line = format!("{line}\n");
    out.push_str(constants.get(line.trim_end()).unwrap_or(&line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_keep_what_the_suite_has() {
        let text = "a\n//#if x y\nb\n//#if z\nc\n//#else\nd\n//#end\n//#end\nX\n";
        let constants = BTreeMap::from([("X", "x = 1\n".to_owned())]);
        let kept =
            |facts: &[&'static str]| filled(text, &facts.iter().copied().collect(), &constants);
        assert_eq!(kept(&[]), "a\nx = 1\n");
        assert_eq!(kept(&["y"]), "a\nb\nd\nx = 1\n");
        assert_eq!(kept(&["x", "z"]), "a\nb\nc\nx = 1\n");
    }
}
