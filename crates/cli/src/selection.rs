//! Which operations take part: `--include` and `--exclude`.

use fossick_contract::Operation;

/// Whether an operation is wanted.
pub(crate) fn is_selected(operation: &Operation, include: &[String], exclude: &[String]) -> bool {
    let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(operation, pattern));
    (include.is_empty() || any(include)) && !any(exclude)
}

fn matches(operation: &Operation, pattern: &str) -> bool {
    if let Some(tag) = pattern.strip_prefix("tag:") {
        return operation.tags.iter().any(|t| like(t, tag));
    }
    if let Some(method) = pattern.strip_prefix("method:") {
        return like(operation.method.as_str(), &method.to_ascii_uppercase());
    }
    // All operations of a GraphQL service share one path; there the field is what people name.
    let name = match (&operation.graphql, operation.label.split_once(' ')) {
        (Some(_), Some((_, field))) => field,
        _ => &operation.path.text,
    };
    like(&operation.label, pattern)
        || like(name, pattern)
        || operation
            .operation_id
            .as_ref()
            .is_some_and(|id| like(id, pattern))
}

/// Compares with `*` standing for anything.
pub(crate) fn like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        assert!(like("/projects/{id}", "/projects*"));
        assert!(like("GET /a/b", "* /a/*"));
        assert!(!like("/projects", "/project"));
        assert!(like("abcabc", "a*c*c"));
        assert!(!like("ab", "a*b*b"));
    }
}
