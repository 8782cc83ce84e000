//! Paths through the rules.
//!
//! A segment is private if it follows a private name, as in `/users/by-email/ada`. But
//! `/password/change` has a private name and no value, so a plain word is only taken for a value
//! behind `by`.

use super::cover::{Cover, Place, Sense, decoded, encoded};

impl Cover<'_> {
    pub(crate) fn path(&mut self, path: &str) -> String {
        let mut before = String::new();
        let segments = path.split('/').enumerate().map(|(at, segment)| {
            let (segment, matrix) = match segment.split_once(';') {
                Some((segment, matrix)) => (segment, Some(matrix)),
                None => (segment, None),
            };
            let plain = decoded(segment).into_owned();
            let place = format!("path {at}");
            let sense = self.after(&before, &plain);
            let kept = self.text(&plain, sense, &Place::Start(&place));
            let mut kept = if kept == plain {
                segment.to_owned()
            } else {
                encoded(&kept)
            };
            if let Some(matrix) = matrix {
                kept.push(';');
                kept.push_str(&self.matrix(matrix, &place));
            }
            before = plain;
            kept
        });
        segments.collect::<Vec<_>>().join("/")
    }

    fn after(&self, before: &str, segment: &str) -> Sense {
        let lower = before.to_ascii_lowercase();
        let by = lower.strip_prefix("by");
        match self.guard.sense(Sense::Plain, by.unwrap_or(before)) {
            Sense::Private if by.is_none() && is_word(segment) => Sense::Plain,
            named => named,
        }
    }

    /// `;jsessionid=…`
    fn matrix(&mut self, text: &str, place: &str) -> String {
        let pairs = text.split(';').map(|pair| match pair.split_once('=') {
            None => self.text(pair, Sense::Plain, &Place::Start(place)),
            Some((name, value)) => {
                let sense = self.guard.sense(Sense::Plain, &decoded(name));
                let plain = decoded(value).into_owned();
                let kept = self.text(&plain, sense, &Place::Start(place));
                let kept = if kept == plain {
                    value.to_owned()
                } else {
                    encoded(&kept)
                };
                format!("{name}={kept}")
            }
        });
        pairs.collect::<Vec<_>>().join(";")
    }
}

/// A word of the service's own, or its version: `reset`, `resetPassword`, `log-out`, `v2`.
fn is_word(segment: &str) -> bool {
    let version = segment.strip_prefix('v').unwrap_or_default();
    let counted = |b: u8| b.is_ascii_digit() || b == b'.';
    if !version.is_empty() && version.bytes().all(counted) {
        return true;
    }
    let letters = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_');
    segment.len() <= 32 && segment.bytes().all(letters) && humps(segment).all(|hump| hump >= 3)
}

/// How long the pieces are that begin with a large letter. Those of a random text are short.
fn humps(text: &str) -> impl Iterator<Item = usize> {
    let pieces = text.split(|c: char| c.is_ascii_uppercase()).skip(1);
    pieces.map(|piece| piece.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{Guard, Privacy};

    fn covered(path: &str) -> (String, usize) {
        let guard = Guard::new(&Privacy::new([3; 32]));
        let mut cover = guard.cover();
        let covered = cover.path(path);
        (covered, cover.redactions().len())
    }

    #[test]
    fn words_of_the_service_stay() {
        for path in [
            "/",
            "/auth/v1/login",
            "/password/resetPassword",
            "/session/new",
            "/users/42",
            "/a%20b/c",
            "/articles/my-first-post",
        ] {
            assert_eq!(covered(path), (path.to_owned(), 0));
        }
    }

    #[test]
    fn values_behind_private_names_go() {
        for (path, secret) in [
            ("/users/by-email/ada", "ada"),
            ("/users/ada%40example.org/posts", "ada%40"),
            ("/reset-password/a8Kd02mQ", "a8Kd02mQ"),
            ("/cart;jsessionid=A1B2C3D4/items", "A1B2C3D4"),
            ("/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "eyJ"),
        ] {
            let (kept, told) = covered(path);
            assert!(!kept.contains(secret), "{kept}");
            assert_eq!(
                (kept.split('/').count(), told),
                (path.split('/').count(), 1),
                "{kept}"
            );
        }
    }
}
