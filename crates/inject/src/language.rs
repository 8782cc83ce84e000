//! Which language a command probably runs: for what is said when no probe reports, and because a
//! program in Rust is built otherwise when it is to be looked into.

use std::fmt;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    Node,
    Jvm,
    Rust,
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Python => "Python",
            Self::Node => "Node.js",
            Self::Jvm => "JVM",
            Self::Rust => "Rust",
        })
    }
}

const PYTHON: [&str; 18] = [
    "python",
    "uvicorn",
    "gunicorn",
    "hypercorn",
    "daphne",
    "granian",
    "waitress-serve",
    "flask",
    "fastapi",
    "django-admin",
    "litestar",
    "sanic",
    "uwsgi",
    "poetry",
    "pipenv",
    "uv",
    "hatch",
    "pdm",
];
const NODE: [&str; 12] = [
    "node", "nodejs", "npm", "npx", "yarn", "pnpm", "tsx", "ts-node", "nest", "next", "nodemon",
    "fastify",
];

const JVM: [&str; 12] = [
    "java", "javaw", "kotlin", "scala", "groovy", "mvn", "mvnw", "mvnd", "gradle", "gradlew",
    "sbt", "jbang",
];

/// The language of a command, by the names of its programs and files.
pub fn recognise(command: &str) -> Option<Language> {
    let words: Vec<&str> = command.split_whitespace().collect();
    (0..words.len()).find_map(|at| of_cargo(&words[at..]).or_else(|| of_word(words[at])))
}

/// `cargo run`, with whatever stands between. What else cargo does starts no service.
fn of_cargo(words: &[&str]) -> Option<Language> {
    let (program, rest) = words.split_first()?;
    let is_cargo = Path::new(program).file_name()? == "cargo";
    let mut rest = rest.iter().filter(|word| !word.starts_with(['-', '+']));
    (is_cargo && matches!(rest.next(), Some(&("run" | "r")))).then_some(Language::Rust)
}

fn of_word(word: &str) -> Option<Language> {
    let word = word.trim_matches(['"', '\'', ';', '&', '(', ')']);
    let name = Path::new(word).file_name()?.to_str()?;
    let ending = Path::new(name).extension().and_then(|e| e.to_str());
    match ending {
        Some("py") => return Some(Language::Python),
        Some("js" | "mjs" | "cjs" | "ts" | "mts") => return Some(Language::Node),
        Some("jar" | "war") => return Some(Language::Jvm),
        _ => {}
    }
    let program = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if PYTHON.contains(&program) {
        return Some(Language::Python);
    }
    if NODE.contains(&program) {
        return Some(Language::Node);
    }
    JVM.contains(&program).then_some(Language::Jvm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_tell_their_language() {
        let python = [
            "uvicorn shop.app:app --port 8000",
            "/usr/bin/python3.12 -m shop",
            "cd shop && ./manage.py runserver",
        ];
        for command in python {
            assert_eq!(recognise(command), Some(Language::Python), "{command}");
        }
        for command in ["node dist/main.js", "npm start", "npx tsx src/app.ts"] {
            assert_eq!(recognise(command), Some(Language::Node), "{command}");
        }
        for command in [
            "cargo run -- --port 1",
            "cd shop && cargo +stable -q r",
            "~/.cargo/bin/cargo run",
        ] {
            assert_eq!(recognise(command), Some(Language::Rust), "{command}");
        }
        let jvm = [
            "java -jar shop.jar",
            "/opt/jdk-17/bin/java -cp build com.shop.App",
            "./mvnw spring-boot:run",
            "cd shop && ./gradlew bootRun",
            "$JAVA -jar target/shop-1.0.jar",
        ];
        for command in jvm {
            assert_eq!(recognise(command), Some(Language::Jvm), "{command}");
        }
        for command in [
            "./start.sh 8000",
            "./shop",
            "cargo watch -x run",
            "cargo build",
            "",
        ] {
            assert_eq!(recognise(command), None, "{command}");
        }
    }
}
