//! Words that mean a deed, and words that stand around them: flat tables.

/// Words that mean a deed. The weak ones mean it only if nothing speaks against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Create {
        weak: bool,
    },
    /// Makes a thing or goes on with one.
    Save,
    Update {
        of_itself: bool,
    },
    Replace,
    Delete {
        weak: bool,
    },
}

/// Verbs that also close a name (`productCreate`).
pub(super) const SURE: &[(&[&str], Verb)] = &[
    (
        &[
            "create",
            "insert",
            "register",
            "signup",
            "generate",
            "provision",
            "duplicate",
        ],
        Verb::Create { weak: false },
    ),
    (&["add", "invite"], Verb::Create { weak: true }),
    (&["submit"], Verb::Save),
    (
        &[
            "update", "edit", "modify", "rename", "upsert", "change", "alter", "amend", "adjust",
        ],
        Verb::Update { of_itself: true },
    ),
    (
        &[
            "assign",
            "unassign",
            "enable",
            "disable",
            "activate",
            "deactivate",
            "publish",
            "unpublish",
            "archive",
            "unarchive",
            "unlock",
            "reopen",
            "reorder",
            "toggle",
            "attach",
            "detach",
            "approve",
            "reject",
            "cancel",
            "complete",
            "unpin",
            "unlink",
            "translate",
        ],
        Verb::Update { of_itself: false },
    ),
    (&["replace", "overwrite"], Verb::Replace),
    (
        &["delete", "destroy", "purge", "erase"],
        Verb::Delete { weak: false },
    ),
    (
        &["remove", "unregister", "discard"],
        Verb::Delete { weak: true },
    ),
];

/// Verbs that are nouns as well, and therefore mean something only in front.
pub(super) const IN_FRONT: &[(&[&str], Verb)] = &[
    (&["new", "copy", "clone"], Verb::Create { weak: false }),
    (
        &["make", "upload", "import", "post", "send"],
        Verb::Create { weak: true },
    ),
    (&["save", "start", "schedule"], Verb::Save),
    (&["patch"], Verb::Update { of_itself: true }),
    (
        &[
            "set", "move", "mark", "lock", "link", "close", "pin", "reset", "transfer", "merge",
            "restore",
        ],
        Verb::Update { of_itself: false },
    ),
    (&["put"], Verb::Replace),
    (&["drop", "clear", "trash"], Verb::Delete { weak: true }),
];

pub(super) fn look_up(table: &[(&[&str], Verb)], word: &str) -> Option<Verb> {
    let found = table.iter().find(|(words, _)| words.contains(&word));
    found.map(|(_, verb)| *verb)
}

/// Words after which a name speaks of something else.
pub(super) const TURNS: [&str; 11] = [
    "by", "from", "to", "in", "of", "for", "with", "on", "into", "via", "using",
];

/// Words that say how many or which, and not what.
pub(super) const FILLERS: [&str; 19] = [
    "one",
    "many",
    "bulk",
    "all",
    "multiple",
    "single",
    "batch",
    "a",
    "an",
    "the",
    "new",
    "existing",
    "my",
    "current",
    "given",
    "specified",
    "or",
    "and",
    "more",
];
