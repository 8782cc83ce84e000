//! What a writer gives, and how it is told to write.

/// A file below the folder that the user named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Relative, with `/`, never leaving the folder.
    pub path: String,
    pub text: String,
    /// To be run as it is: a script for the shell.
    pub executable: bool,
}

impl File {
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
            executable: false,
        }
    }
}

/// How a suite is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manner {
    pub faults: Faults,
    /// The name of the package, class path or collection, where the framework has one.
    pub name: String,
}

/// What becomes of tests that show a suspected fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Faults {
    /// They show the present behaviour and pass.
    #[default]
    Pass,
    /// Their suspect checks are turned round, so that they fail until the fault is mended.
    Fail,
}
