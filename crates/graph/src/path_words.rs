//! What a path tells of the things it is about.

use fossick_contract::PathTemplate;

use crate::Words;

/// The words of the last fixed segment: what a collection or its items are called.
pub(crate) fn thing(path: &PathTemplate) -> Words {
    path.segments()
        .rev()
        .find(|segment| !segment.contains('{'))
        .map(Words::of)
        .unwrap_or_default()
}

/// How well the words of a table tell that it holds such things: by their whole name, or by the
/// end of it, since tables may be called after their schema as well: `tracker_project`.
pub(crate) fn told_by_table(table: &Words, thing: &Words) -> usize {
    match () {
        () if table == thing => usize::MAX,
        () if table.0.ends_with(&thing.0) => thing.0.len(),
        () => 0,
    }
}

/// The words of the fixed segment before a hole: what the hole identifies.
pub(crate) fn owner_of_hole(path: &PathTemplate, hole: &str) -> Words {
    let wanted = format!("{{{hole}}}");
    let mut owner = Words::default();
    for segment in path.segments() {
        if segment.contains(&wanted) {
            break;
        }
        if !segment.contains('{') {
            owner = Words::of(segment);
        }
    }
    owner
}

/// The path up to the segment before a hole: the collection that the hole picks from.
pub(crate) fn collection_of<'a>(path: &'a PathTemplate, hole: &str) -> Option<&'a str> {
    let at = path.text.find(&format!("/{{{hole}}}"))?;
    Some(&path.text[..at])
}

/// The path up to and with a hole's segment: the item itself.
pub(crate) fn item_of<'a>(path: &'a PathTemplate, hole: &str) -> Option<&'a str> {
    let wanted = format!("/{{{hole}}}");
    let at = path.text.find(&wanted)?;
    Some(&path.text[..at + wanted.len()])
}

/// Two paths are the same place if they differ only in what their holes are called.
pub fn same_place(a: &str, b: &str) -> bool {
    let mut left = a.trim_end_matches('/').split('/');
    let mut right = b.trim_end_matches('/').split('/');
    loop {
        match (left.next(), right.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if x == y || (x.contains('{') && y.contains('{')) => {}
            _ => return false,
        }
    }
}

/// A path whose holes have no names: the same for the same place.
pub fn nameless(path: &str) -> String {
    let parts = path.trim_end_matches('/').split('/');
    let parts = parts.map(|part| if part.contains('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

/// A thing that there is only one of, by its path: `/me`, `/user/settings`, `/status`.
pub fn is_singleton(path: &PathTemplate) -> bool {
    let Some(last) = path.segments().next_back() else {
        return true;
    };
    !last.contains('{') && !last.ends_with('s')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_belongs_to_the_segment_before_it() {
        let path = PathTemplate::parse("/projects/{id}/tasks/{task}");
        assert_eq!(owner_of_hole(&path, "id"), Words::of("project"));
        assert_eq!(owner_of_hole(&path, "task"), Words::of("task"));
        assert_eq!(collection_of(&path, "task"), Some("/projects/{id}/tasks"));
        assert_eq!(item_of(&path, "id"), Some("/projects/{id}"));
    }

    #[test]
    fn hole_names_do_not_tell_places_apart() {
        assert!(same_place("/a/{x}/b", "/a/{y}/b/"));
        assert!(!same_place("/a/{x}", "/a/b"));
        assert!(!same_place("/a", "/a/b"));
    }
}
