//! What a name is about: `projectId`, `projects`, `createProject` are all about a project.

/// Names of values that identify something.
const IDENTIFIERS: [&str; 17] = [
    "id", "ids", "uuid", "uuids", "guid", "key", "keys", "slug", "slugs", "code", "name", "names",
    "number", "handle", "sku", "token", "cursor",
];

/// Names that say nothing of what is inside.
const WRAPPERS: [&str; 22] = [
    "data",
    "input",
    "items",
    "item",
    "nodes",
    "node",
    "edges",
    "edge",
    "results",
    "result",
    "list",
    "payload",
    "attributes",
    "object",
    "objects",
    "records",
    "content",
    "response",
    "body",
    "values",
    "by",
    "where",
];

/// What a name is about; empty if it only says that it identifies, or wraps.
pub(super) fn topic(name: &str) -> String {
    let mut words = words(name);
    while words
        .last()
        .is_some_and(|w| is_any(&IDENTIFIERS, w) || is_any(&WRAPPERS, w))
    {
        words.pop();
    }
    words.pop().map_or_else(String::new, |word| singular(&word))
}

/// What a name is about, or what it stands in is.
pub(super) fn topic_or(name: &str, outer: &str) -> String {
    let own = topic(name);
    if own.is_empty() {
        outer.to_owned()
    } else {
        own
    }
}

pub(super) fn is_identifier(name: &str) -> bool {
    words(name)
        .last()
        .is_some_and(|word| is_any(&IDENTIFIERS, word))
}

fn is_any(words: &[&str], word: &str) -> bool {
    words.contains(&word)
}

fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begin = true;
    for c in name.chars().take(100) {
        if !c.is_alphanumeric() {
            begin = true;
            continue;
        }
        let small = words
            .last()
            .is_some_and(|w| w.ends_with(char::is_lowercase));
        if begin || (c.is_uppercase() && small) {
            words.push(String::new());
        }
        begin = false;
        if let Some(word) = words.last_mut() {
            // Whether a letter was large must be known until the next one is seen.
            word.push(c);
        }
    }
    words.iter().map(|word| word.to_lowercase()).collect()
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for ending in ["sses", "xes", "ches", "shes"] {
        if word.ends_with(ending) {
            return word.trim_end_matches("es").to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') && stem.len() > 1 => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_thing_have_one_topic() {
        for name in [
            "project",
            "projects",
            "projectId",
            "project_id",
            "createProject",
            "PROJECT-IDS",
            "deleteProjectById",
        ] {
            assert_eq!(topic(name), "project", "{name}");
        }
        assert_eq!(topic("categories"), "category");
        assert_eq!(topic("boxes"), "box");
        assert_eq!(topic("addresses"), "address");
        for name in ["id", "input", "data", "", "__"] {
            assert_eq!(topic(name), "", "{name}");
        }
        assert_eq!(topic_or("id", "task"), "task");
    }

    #[test]
    fn identifiers_are_known() {
        assert!(is_identifier("projectId") && is_identifier("slug"));
        assert!(!is_identifier("total") && !is_identifier("paid"));
    }
}
