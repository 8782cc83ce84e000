//! A small cookie jar, one per user.
//!
//! One service, one origin, one run: so domains and expiry dates do not matter here, and a cookie
//! is taken away only by `Max-Age` of zero or less.

/// A service can't fill the memory with cookies.
const MOST: usize = 64;
const LONGEST: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Jar {
    cookies: Vec<Cookie>,
}

#[derive(Debug)]
struct Cookie {
    name: String,
    value: String,
    path: String,
}

impl Jar {
    /// Takes in one `Set-Cookie`.
    pub(crate) fn set(&mut self, text: &str) {
        let Some((name, value)) = parse(text) else {
            return;
        };
        if text.len() > LONGEST {
            return;
        }
        let path = attribute(text, "path")
            .filter(|path| path.starts_with('/'))
            .unwrap_or("/");
        self.cookies
            .retain(|cookie| cookie.name != name || cookie.path != path);
        if is_removal(text) || self.cookies.len() >= MOST {
            return;
        }
        self.cookies.push(Cookie {
            name: name.to_owned(),
            value: value.to_owned(),
            path: path.to_owned(),
        });
    }

    /// The `Cookie` header for a path; `None` where there is nothing to send.
    pub(crate) fn header(&self, path: &str) -> Option<String> {
        let pairs: Vec<String> = self
            .cookies
            .iter()
            .filter(|cookie| covers(&cookie.path, path))
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &str> {
        self.cookies.iter().map(|cookie| cookie.value.as_str())
    }
}

fn covers(cookie_path: &str, path: &str) -> bool {
    path.strip_prefix(cookie_path)
        .is_some_and(|rest| cookie_path.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
}

/// Name and value of a `Set-Cookie`.
pub(crate) fn parse(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split(';').next()?.split_once('=')?;
    let name = name.trim();
    (!name.is_empty()).then(|| (name, value.trim()))
}

fn attribute<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    text.split(';').skip(1).find_map(|attribute| {
        let (name, value) = attribute.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case(wanted)
            .then(|| value.trim())
    })
}

fn is_removal(text: &str) -> bool {
    attribute(text, "max-age")
        .and_then(|age| age.parse::<i64>().ok())
        .is_some_and(|age| age <= 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_comes_back_where_its_path_reaches() {
        let mut jar = Jar::default();
        jar.set("sid=a=b; Path=/app; HttpOnly");
        jar.set("all=1");
        assert_eq!(jar.header("/app/x").as_deref(), Some("sid=a=b; all=1"));
        assert_eq!(jar.header("/apple").as_deref(), Some("all=1"));
    }

    #[test]
    fn a_newer_cookie_replaces_and_an_expired_one_goes() {
        let mut jar = Jar::default();
        jar.set("sid=1");
        jar.set("sid=2; path=/");
        assert_eq!(jar.header("/").as_deref(), Some("sid=2"));
        jar.set("sid=; Max-Age=0");
        assert_eq!(jar.header("/"), None);
    }

    #[test]
    fn nonsense_and_floods_are_not_kept() {
        let mut jar = Jar::default();
        jar.set("no equals sign");
        jar.set("=x");
        jar.set(&format!("big={}", "x".repeat(LONGEST)));
        assert_eq!(jar.header("/"), None);
        for number in 0..1000 {
            jar.set(&format!("c{number}=1"));
        }
        assert_eq!(jar.values().count(), MOST);
    }
}
