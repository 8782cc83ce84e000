//! The writers by the names that people use.

use fossick_suite::Suite;
use fossick_writers::junit::{self, Language, Version};
use fossick_writers::{File, Manner, hurl, jest, phpunit, postman, pytest, rust, shell};

/// Who writes a suite, and how what it writes is run.
#[derive(Debug)]
pub(crate) struct Writer {
    name: &'static str,
    /// What to type in the folder.
    pub(crate) run: &'static str,
    write: fn(&Suite, &Manner) -> Vec<File>,
}

static ALL: [Writer; 12] = [
    Writer {
        name: "pytest",
        run: "pip install -r requirements.txt && pytest",
        write: pytest::write,
    },
    Writer {
        name: "jest",
        run: "npm install && npx jest",
        write: jest::write,
    },
    Writer {
        name: "junit5",
        run: "mvn test",
        write: |suite, manner| junit::write(suite, manner, Version::Five, Language::Java),
    },
    Writer {
        name: "junit5-kotlin",
        run: "mvn test",
        write: |suite, manner| junit::write(suite, manner, Version::Five, Language::Kotlin),
    },
    Writer {
        name: "junit4",
        run: "mvn test",
        write: |suite, manner| junit::write(suite, manner, Version::Four, Language::Java),
    },
    Writer {
        name: "junit4-kotlin",
        run: "mvn test",
        write: |suite, manner| junit::write(suite, manner, Version::Four, Language::Kotlin),
    },
    Writer {
        name: "phpunit",
        run: "phpunit",
        write: phpunit::write,
    },
    Writer {
        name: "rust",
        run: "cargo test",
        write: rust::write,
    },
    Writer {
        name: "hurl",
        run: "./run.sh",
        write: hurl::write,
    },
    Writer {
        name: "shell",
        run: "./run.sh",
        write: shell::write,
    },
    Writer {
        name: "postman",
        run: "npx newman run *.postman_collection.json",
        write: postman::write,
    },
    Writer {
        name: "json",
        run: "fossick replay .",
        write: neutral,
    },
];

impl Writer {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|writer| writer.name == name)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|writer| writer.name)
    }

    pub(crate) fn write(&self, suite: &Suite, manner: &Manner) -> Vec<File> {
        (self.write)(suite, manner)
    }
}

/// The neutral form, which `fossick replay` runs.
fn neutral(suite: &Suite, _: &Manner) -> Vec<File> {
    let text = serde_json::to_string_pretty(suite).unwrap_or_default();
    vec![File::new("suite.json", text + "\n")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_writer_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = Writer::names().collect();
        assert_eq!(names.len(), ALL.len());
        assert!(Writer::named("pytest").is_some() && Writer::named("cobol").is_none());
    }
}
