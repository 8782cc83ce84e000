//! Test classes: heads, imports, and one method a test.

use std::collections::BTreeSet;

use fossick_suite::{Group, Test};

use super::language::{HELPERS, RESERVED};
use super::layout::lines;
use super::literal::comment;
use super::scope::{Scope, free};
use super::step;
use super::{Language, Project, Version};
use crate::File;
use crate::names::{Taken, camel, pascal, words};
use crate::turned::turned;

/// Classes longer than this are split: they should be a pleasure to review.
const LINES: usize = 400;

/// A test as text, and what it uses.
struct Method {
    text: String,
    used: BTreeSet<String>,
}

pub(super) fn files(project: &Project<'_>, group: Group) -> Vec<File> {
    let mut names = taken(project);
    let tests = project.shared.suite.tests.iter();
    let methods = tests
        .filter(|test| test.group == group)
        .map(|test| method(test, project, &mut names))
        .collect();
    let parts = split(methods);
    let classes = parts.iter().enumerate();
    classes
        .map(|(at, methods)| class(project, group, at, methods))
        .collect()
}

fn taken(project: &Project<'_>) -> Taken {
    let users = project.shared.users.iter().map(String::as_str);
    let all: Vec<_> = RESERVED
        .iter()
        .chain(HELPERS)
        .copied()
        .chain(users)
        .collect();
    Taken::with(&all)
}

fn split(methods: Vec<Method>) -> Vec<Vec<Method>> {
    let (mut parts, mut length) = (Vec::<Vec<Method>>::new(), 0);
    for method in methods {
        let lines = method.text.lines().count();
        match parts.last_mut() {
            Some(part) if length + lines <= LINES => {
                part.push(method);
                length += lines;
            }
            _ => {
                parts.push(vec![method]);
                length = lines;
            }
        }
    }
    parts
}

fn method(test: &Test, project: &Project<'_>, names: &mut Taken) -> Method {
    let mut scope = Scope::new(project.language);
    let indent = project.language.indent();
    let blank = " ".repeat(indent);
    let test = &*turned(test, project.shared.faults);
    let body = step::body(test, &project.shared, &mut scope);
    let about = lines(&blank, about(test, indent), "");
    let head = signature(test, project, names);
    Method {
        text: format!("{about}{blank}@Test\n{blank}{head} {{\n{body}{blank}}}\n"),
        used: scope.used(),
    }
}

fn signature(test: &Test, project: &Project<'_>, names: &mut Taken) -> String {
    let plain = test_name(&test.name);
    let name = free(names, &plain);
    match (project.language, project.version) {
        (Language::Java, Version::Four) => format!("public void {name}()"),
        (Language::Java, Version::Five) => format!("void {name}()"),
        (Language::Kotlin, _) => format!("fun `{}`()", sentence(&test.name, &plain, &name)),
    }
}

/// The words of a test, with what made its name a new one: `test` before it, a number behind.
fn sentence(words_of: &str, plain: &str, name: &str) -> String {
    let mut all = words(words_of);
    if plain != all.concat() && plain != camel(words_of, "") {
        all.insert(0, "test".to_owned());
    }
    let number = name.strip_prefix(plain).unwrap_or_default();
    if !number.is_empty() {
        all.push(number.to_owned());
    }
    all.join(" ")
}

fn test_name(name: &str) -> String {
    let plain = camel(name, "test");
    if RESERVED.contains(&plain.as_str()) || HELPERS.contains(&plain.as_str()) {
        return camel(&format!("test {name}"), "test");
    }
    plain
}

/// What is wrong, then what happens.
fn about(test: &Test, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(fault) = &test.fault {
        let text = format!("{}, {}: {}", fault.code, fault.title, fault.why);
        lines.extend(comment(&text, indent));
    }
    for line in &test.about {
        lines.extend(comment(line, indent));
    }
    lines
}

fn class(project: &Project<'_>, group: Group, at: usize, methods: &[Method]) -> File {
    let number = if at == 0 {
        String::new()
    } else {
        (at + 1).to_string()
    };
    let name = pascal(&format!("{} {number} test", word(group)), "Test");
    let used: BTreeSet<_> = methods.iter().flat_map(|method| &method.used).collect();
    let used = used.into_iter().cloned().collect();
    let texts: Vec<_> = methods.iter().map(|method| method.text.as_str()).collect();
    let hooks = hooks(project);
    let body = match project.language {
        Language::Java => format!("{hooks}{}", texts.join("\n")),
        Language::Kotlin => format!("{}{}{}", hooks, texts.join("\n"), companion(project)),
    };
    let public = match (project.language, project.version) {
        (Language::Java, Version::Four) => "public ",
        _ => "",
    };
    let text = format!(
        "{}{}{}\n{public}class {name} {{\n{body}}}\n",
        project.head(purpose(group)),
        project.package(),
        imports(project, &used),
    );
    project.source(&name, text)
}

fn word(group: Group) -> &'static str {
    match group {
        Group::Faults => "faults",
        Group::Successes => "successes",
        Group::Others => "others",
    }
}

fn purpose(group: Group) -> &'static str {
    match group {
        Group::Faults => "what is thought to be wrong",
        Group::Successes => "what succeeds",
        Group::Others => "what is refused, and the rest",
    }
}

/// The class of the support files that has a function.
fn home(name: &str) -> Option<&'static str> {
    Some(match name {
        "given" | "verify" => "Api",
        "at" | "item" | "mediaType" | "noBody" | "plainText" | "shouldNot" => "Answers",
        "conformsTo" => "Schemas",
        "exactly" => "ExactTarget",
        "bytes" | "component" | "field" | "fresh" | "header" | "json" | "list" | "location"
        | "object" | "parsed" | "pointer" | "text" | "utf8" => "Values",
        "secret" => "Users",
        _ => return None,
    })
}

/// Classes of others that the code may name.
pub(super) const CLASSES: &[(&str, &str)] = &[
    ("BigInteger", "java.math.BigInteger"),
    ("JsonNode", "com.fasterxml.jackson.databind.JsonNode"),
    ("Header", "io.restassured.http.Header"),
    ("Headers", "io.restassured.http.Headers"),
    ("Response", "io.restassured.response.Response"),
];

fn imports(project: &Project<'_>, used: &BTreeSet<String>) -> String {
    let mut classes = project.version.hooks(project);
    classes.insert(project.version.test().to_owned());
    project.imports(used, classes)
}

impl Project<'_> {
    /// Imports of all that is used, in the order of the language's formatter.
    pub(super) fn imports(&self, used: &BTreeSet<String>, classes: BTreeSet<String>) -> String {
        let named = CLASSES.iter().filter(|(name, _)| used.contains(*name));
        let mut classes = classes;
        classes.extend(named.map(|(_, class)| (*class).to_owned()));
        let functions = used.iter().filter_map(|name| self.function(name));
        let functions: BTreeSet<_> = functions.collect();
        match self.language {
            Language::Java => {
                let statics = block("import static ", &functions, ";");
                format!("{statics}{}", block("import ", &classes, ";"))
            }
            Language::Kotlin => {
                classes.extend(
                    functions
                        .into_iter()
                        .filter(|name| name.contains("hamcrest")),
                );
                let (last, first): (BTreeSet<_>, BTreeSet<_>) = classes
                    .into_iter()
                    .partition(|class| class.starts_with("java."));
                let first = block("import ", &first, "");
                format!("{first}{}", block("import ", &last, "").trim_start())
            }
        }
    }

    /// Where a function comes from.
    fn function(&self, name: &str) -> Option<String> {
        if self.shared.users.iter().any(|user| user == name) {
            return Some(format!("{}.Users.{name}", self.package));
        }
        if matches!(name, "equalTo" | "lessThan") {
            return Some(format!("org.hamcrest.Matchers.{name}"));
        }
        home(name).map(|class| format!("{}.{class}.{name}", self.package))
    }
}

/// A block of lines, below an empty one.
fn block(before: &str, names: &BTreeSet<String>, after: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!("\n{}", lines(before, names, after))
}

impl Version {
    /// The annotations that a class with hooks needs.
    fn hooks(self, project: &Project<'_>) -> BTreeSet<String> {
        let (all, each) = match self {
            Self::Four => ("org.junit.BeforeClass", "org.junit.Before"),
            Self::Five => (
                "org.junit.jupiter.api.BeforeAll",
                "org.junit.jupiter.api.BeforeEach",
            ),
        };
        let all = project.starts().then(|| all.to_owned());
        let each = project.resets().then(|| each.to_owned());
        all.into_iter().chain(each).collect()
    }
}

/// Methods that run before all tests, and before each.
fn hooks(project: &Project<'_>) -> String {
    let (all, each) = match project.version {
        Version::Four => ("BeforeClass", "Before"),
        Version::Five => ("BeforeAll", "BeforeEach"),
    };
    let public = if project.version == Version::Four {
        "public "
    } else {
        ""
    };
    let mut out = String::new();
    if project.language == Language::Java && project.starts() {
        out += &format!(
            "  @{all}\n  {public}static void startService() {{\n    Service.start();\n  }}\n\n"
        );
    }
    if project.resets() {
        out += &match project.language {
            Language::Java => format!(
                "  @{each}\n  {public}void resetService() {{\n    Service.reset();\n  }}\n\n"
            ),
            Language::Kotlin => {
                format!("    @{each}\n    fun resetService() = Service.reset()\n\n")
            }
        };
    }
    out
}

/// What is static in Kotlin stands at the end of the class.
fn companion(project: &Project<'_>) -> String {
    if !project.starts() {
        return String::new();
    }
    let all = match project.version {
        Version::Four => "BeforeClass",
        Version::Five => "BeforeAll",
    };
    format!(
        "\n    companion object {{\n        @{all}\n        @JvmStatic\n        \
         fun startService() = Service.start()\n    }}\n"
    )
}
