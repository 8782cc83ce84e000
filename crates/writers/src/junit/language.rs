//! The two languages and the two versions of JUnit, and what tells them apart.

/// What the tests are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Java,
    Kotlin,
}

/// Which JUnit runs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    Four,
    Five,
}

impl Language {
    /// The folder of sources, as Maven has it.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Java => "src/test/java",
            Self::Kotlin => "src/test/kotlin",
        }
    }

    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Java => "java",
            Self::Kotlin => "kt",
        }
    }

    /// One step to the right: google-java-format has two blanks, Kotlin's conventions four.
    pub(super) fn indent(self) -> usize {
        match self {
            Self::Java => 2,
            Self::Kotlin => 4,
        }
    }

    /// What ends a statement.
    pub(super) fn stop(self) -> &'static str {
        match self {
            Self::Java => ";",
            Self::Kotlin => "",
        }
    }
}

impl Version {
    /// The annotation of a test.
    pub(super) fn test(self) -> &'static str {
        match self {
            Self::Four => "org.junit.Test",
            Self::Five => "org.junit.jupiter.api.Test",
        }
    }
}

/// Words that no variable, function or part of a package may be called in Java or Kotlin, and
/// methods that each object has already.
pub(super) const RESERVED: &[&str] = &[
    "_",
    "abstract",
    "as",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "clone",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "equals",
    "extends",
    "false",
    "final",
    "finalize",
    "finally",
    "float",
    "for",
    "fun",
    "getClass",
    "goto",
    "hashCode",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "int",
    "interface",
    "is",
    "it",
    "long",
    "native",
    "new",
    "notify",
    "notifyAll",
    "null",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "sealed",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "toString",
    "transient",
    "true",
    "try",
    "typealias",
    "typeof",
    "val",
    "var",
    "void",
    "volatile",
    "wait",
    "when",
    "while",
    "yield",
];

/// What the support files and the tests call by themselves: a test of the same name would hide it.
pub(super) const HELPERS: &[&str] = &[
    "answer",
    "at",
    "bytes",
    "component",
    "conformsTo",
    "exactly",
    "field",
    "fresh",
    "given",
    "header",
    "item",
    "json",
    "list",
    "location",
    "mediaType",
    "noBody",
    "parsed",
    "plainText",
    "pointer",
    "resetService",
    "secret",
    "shouldNot",
    "startService",
    "text",
    "utf8",
    "verify",
    "equalTo",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_and_once() {
        assert!(RESERVED.is_sorted_by(|a, b| a < b));
    }
}
