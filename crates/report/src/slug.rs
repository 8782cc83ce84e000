//! Names of folders for findings.

use fossick_trace::fingerprint;

const LONGEST: usize = 80;
const MARK: usize = 6;

/// `F301-get-projects-project_id`: safe as a folder name everywhere, and still readable.
///
/// Where an operation is too long or written in letters that can't be kept, a few characters of
/// its fingerprint keep it apart from its neighbours. Two findings with the same code at the same
/// operation have the same slug: whoever makes the folders tells them apart.
pub fn slug(code: &str, operation: &str) -> String {
    let (code, operation) = (code.trim(), operation.trim());
    let readable = format!(
        "{}-{}",
        folded(code),
        folded(operation).to_ascii_lowercase()
    );
    let whole = readable.trim_matches('-');
    if whole.len() <= LONGEST && operation.is_ascii() {
        return whole.to_owned();
    }
    let mark = fingerprint(&[code, operation]);
    let kept: String = whole.chars().take(LONGEST - MARK - 1).collect();
    let mark: String = mark.chars().take(MARK).collect();
    format!("{}-{mark}", kept.trim_matches('-'))
}

/// ASCII letters, digits and underscores; everything else becomes one dash.
fn folded(text: &str) -> String {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_slug_reads_like_its_operation() {
        let slug = slug("F301", "GET /projects/{project_id}");
        assert_eq!(slug, "F301-get-projects-project_id");
    }

    #[test]
    fn long_operations_that_begin_alike_stay_apart() {
        let long = "/segment".repeat(20);
        let (a, b) = (
            slug("F101", &format!("GET {long}/a")),
            slug("F101", &format!("GET {long}/b")),
        );
        assert_ne!(a, b);
        assert!(a.len() <= LONGEST);
    }

    proptest! {
        #[test]
        fn a_slug_is_a_safe_folder_name(code in "F[0-9]{3}", operation in ".{0,120}") {
            let slug = slug(&code, &operation);
            prop_assert!(slug.len() <= LONGEST && slug.starts_with('F'));
            prop_assert!(slug.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        }
    }
}
