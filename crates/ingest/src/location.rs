//! Where documents are: joining what a `$ref` says onto the name of the document that says it.
//!
//! Names are URLs or file paths; both are only text here. Nothing is opened. A document on one
//! host may not send us to another: that is decided here, so no loader can forget it.

/// Joins `relative` onto the location of the document that holds it.
///
/// The error says why the result must not be read.
pub(crate) fn join(base: &str, relative: &str) -> Result<String, String> {
    match (host(base), host(relative)) {
        (Some(ours), Some(theirs)) if ours.eq_ignore_ascii_case(theirs) => Ok(relative.to_owned()),
        (_, Some(theirs)) => Err(format!(
            "it is on another host ({theirs}); only what lies beside the document is read"
        )),
        (_, None) if scheme(relative).is_some() => {
            Err("only http, https and file paths are read".to_owned())
        }
        (Some(_), None) => Ok(join_url(base, relative)),
        (None, None) => Ok(match base.strip_prefix("file://") {
            Some(path) => format!("file://{}", join_path(path, relative)),
            None => join_path(base, relative),
        }),
    }
}

/// The authority of a URL, `example.com:8080`.
pub(crate) fn host(location: &str) -> Option<&str> {
    let (scheme, rest) = location.split_once("://")?;
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    web.then(|| rest.get(..end)).flatten()
}

pub(crate) fn scheme(location: &str) -> Option<&str> {
    location.split_once("://").map(|(scheme, _)| scheme)
}

fn join_url(base: &str, relative: &str) -> String {
    let start = base.find("://").map_or(0, |at| at + 3);
    let path_start = base
        .get(start..)
        .and_then(|rest| rest.find('/'))
        .map_or(base.len(), |at| start + at);
    let (origin, path) = base.split_at(path_start);
    let path = path.split(['?', '#']).next().unwrap_or("");
    let joined = join_path(if path.is_empty() { "/" } else { path }, relative);
    format!("{origin}{joined}")
}

fn join_path(base: &str, relative: &str) -> String {
    if relative.starts_with('/') {
        return tidy(relative);
    }
    let folder = base.rfind('/').and_then(|cut| base.get(..=cut));
    tidy(&format!("{}{relative}", folder.unwrap_or("")))
}

/// Takes out `.` and `..` so that one document has one name.
fn tidy(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    for segment in path.split('/') {
        match segment {
            "." | "" => {}
            ".." if kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            ".." if absolute => {}
            other => kept.push(other),
        }
    }
    let joined = kept.join("/");
    if absolute {
        format!("/{joined}")
    } else {
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_beside_the_document() {
        let join = |base, relative| join(base, relative).expect("allowed");
        assert_eq!(join("api/openapi.yaml", "./x.yaml"), "api/x.yaml");
        assert_eq!(join("api/v1/openapi.yaml", "../x.yaml"), "api/x.yaml");
        assert_eq!(join("openapi.yaml", "../x.yaml"), "../x.yaml");
        assert_eq!(join("/a/b.yaml", "../../../c.yaml"), "/c.yaml");
        assert_eq!(join("file:///a/b.yaml", "c.yaml"), "file:///a/c.yaml");
    }

    #[test]
    fn urls_are_joined_on_their_host() {
        let join = |relative| join("https://a.example/v1/openapi.json?x=1", relative);
        assert_eq!(
            join("defs.json").as_deref(),
            Ok("https://a.example/v1/defs.json")
        );
        assert_eq!(join("/d.json").as_deref(), Ok("https://a.example/d.json"));
        assert_eq!(
            join("https://A.example/x.json").as_deref(),
            Ok("https://A.example/x.json")
        );
    }

    #[test]
    fn another_host_is_refused() {
        assert!(join("https://a.example/x", "https://b.example/x").is_err());
        assert!(join("openapi.yaml", "https://b.example/x").is_err());
        assert!(join("https://a.example/x", "file:///etc/passwd").is_err());
    }
}
