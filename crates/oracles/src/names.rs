//! What the name of a field tells of its value.
//!
//! Names are read word by word: `count` changes by itself, `country` does not, though the one is
//! written inside the other.

/// Names whose values change by themselves, or are never shown as they were sent.
pub(crate) fn is_volatile(name: &str) -> bool {
    const WORDS: [&str; 33] = [
        "time",
        "times",
        "date",
        "datetime",
        "timestamp",
        "modified",
        "updated",
        "created",
        "accessed",
        "version",
        "revision",
        "etag",
        "seen",
        "count",
        "counts",
        "counter",
        "hits",
        "views",
        "nonce",
        "token",
        "tokens",
        "expires",
        "expiry",
        "elapsed",
        "duration",
        "uptime",
        "signature",
        "hash",
        "checksum",
        "digest",
        "password",
        "secret",
        "salt",
    ];
    let words = words(name);
    let known = |word: &String| WORDS.contains(&word.as_str()) || is_run_together(word);
    words.iter().any(known) || is_moment(&words) || is_of_the_call(&words)
}

/// `claimCount`, `number_of_terms`, `total`: how many of something there are.
pub(crate) fn counts_things(name: &str) -> bool {
    const COUNTS: [&str; 5] = ["count", "counts", "total", "number", "size"];
    words(name)
        .iter()
        .any(|word| COUNTS.contains(&word.as_str()))
}

/// `viewCount`, `hits`, `recentVisitors`: it changes with every look.
pub(crate) fn is_of_use(name: &str) -> bool {
    const USES: [&str; 20] = [
        "view",
        "views",
        "hit",
        "hits",
        "access",
        "accesses",
        "visit",
        "visits",
        "visitor",
        "visitors",
        "read",
        "reads",
        "request",
        "requests",
        "download",
        "downloads",
        "attempt",
        "attempts",
        "error",
        "errors",
    ];
    words(name).iter().any(|word| USES.contains(&word.as_str()))
}

/// `lastmodified`, `birthdate`, `replycount`: words that nobody took apart.
fn is_run_together(word: &str) -> bool {
    const INSIDE: [&str; 8] = [
        "modified",
        "updated",
        "created",
        "timestamp",
        "requestid",
        "checksum",
        "password",
        "lastseen",
    ];
    const INNOCENT: [&str; 6] = [
        "update",
        "candidate",
        "mandate",
        "validate",
        "account",
        "discount",
    ];
    let ends = ["date", "time", "count"]
        .iter()
        .any(|end| word.ends_with(end));
    INSIDE.iter().any(|part| word.contains(part)) || (ends && !INNOCENT.contains(&word))
}

/// `published_at`, `lastLogin`; but not `last_name`.
fn is_moment(words: &[String]) -> bool {
    let at = words.len() > 1 && words.last().is_some_and(|word| word == "at");
    let last = words
        .windows(2)
        .any(|pair| pair[0] == "last" && !pair[1].starts_with("name"));
    at || last
}

/// `request_id`, `trace-id`: another one for every call.
fn is_of_the_call(words: &[String]) -> bool {
    const CALLS: [&str; 4] = ["request", "trace", "correlation", "span"];
    is_identity_word(words) && words.iter().any(|word| CALLS.contains(&word.as_str()))
}

/// Identifiers are not changed by an update.
pub(crate) fn is_identity(name: &str) -> bool {
    is_identity_word(&words(name))
}

fn is_identity_word(words: &[String]) -> bool {
    const INNOCENT: [&str; 10] = [
        "paid", "unpaid", "prepaid", "valid", "invalid", "void", "grid", "bid", "solid", "hybrid",
    ];
    words.last().is_some_and(|word| {
        matches!(word.as_str(), "ids" | "guid")
            || (word.ends_with("id") && !INNOCENT.contains(&word.as_str()))
    })
}

/// A word in the singular, as far as its ending tells.
pub(crate) fn singular(word: &str) -> String {
    const HISSING: [&str; 5] = ["sses", "xes", "ches", "shes", "zes"];
    let cut = |end: usize| word[..word.len() - end].to_owned();
    match word {
        _ if word.len() > 4 && word.ends_with("ies") => cut(3) + "y",
        _ if HISSING.iter().any(|end| word.ends_with(end)) => cut(2),
        _ if word.len() > 2 && word.ends_with('s') && !word.ends_with("ss") => cut(1),
        _ => word.to_owned(),
    }
}

/// Splits at case changes and at everything that is no letter or digit.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        let hump = small && c.is_uppercase();
        match words.last_mut().filter(|_| open && !hump) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
        open = true;
        small = c.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_by_itself_is_known_by_its_words() {
        for name in [
            "updated_at",
            "updatedAt",
            "createdat",
            "lastModified",
            "last_login",
            "version",
            "ETag",
            "viewCount",
            "replycount",
            "birthdate",
            "request_id",
            "password",
        ] {
            assert!(is_volatile(name), "{name}");
        }
    }

    #[test]
    fn words_inside_other_words_tell_nothing() {
        for name in [
            "country",
            "account",
            "discount",
            "message",
            "language",
            "page",
            "last_name",
            "lastName",
            "candidate",
            "conversion",
            "reviews",
            "timeout",
            "format",
            "is_attached",
        ] {
            assert!(!is_volatile(name), "{name}");
        }
    }

    #[test]
    fn words_lose_their_plural() {
        for (many, one) in [
            ("projects", "project"),
            ("companies", "company"),
            ("boxes", "box"),
            ("addresses", "address"),
            ("address", "address"),
            ("houses", "house"),
        ] {
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn identifiers_end_in_id() {
        for name in ["id", "_id", "ownerId", "owner_ids", "projectid", "uuid"] {
            assert!(is_identity(name), "{name}");
        }
        for name in ["paid", "is_valid", "grid", "name", "identity"] {
            assert!(!is_identity(name), "{name}");
        }
    }
}
