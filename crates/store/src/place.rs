//! Where a store is: a file by its path, or a PostgreSQL server by its URL.
//!
//! A URL may hold a password. It is kept for connecting and shown nowhere.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use postgres::Config;
use postgres::config::{Host, SslMode};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlaceError {
    #[error("no place for the store: give a path, or postgres://user@host/database")]
    Empty,
    #[error("{shown} can't hold a store: give a path, or postgres://user@host/database")]
    Scheme { shown: String },
    #[error("{shown} is not the URL of a database: {why}")]
    Url { shown: String, why: String },
}

/// The reader of URLs repeats what it does not understand, which may be a password.
const UNDERSTOOD: &str = "write postgres://user:password@host:port/database, with %-escapes for \
     what is special in a password, and with options of PostgreSQL only";

#[derive(Debug, Clone)]
pub enum Place {
    File(PathBuf),
    Server(Box<Server>),
}

/// How to reach a server.
#[derive(Clone)]
pub struct Server {
    pub(crate) config: Config,
    /// A file of certificates to trust instead of the machine's own.
    pub(crate) roots: Option<PathBuf>,
    shown: String,
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(PlaceError::Empty);
        }
        match scheme(text) {
            None => Ok(Self::File(PathBuf::from(text))),
            Some("postgres" | "postgresql") => {
                server(text).map(|server| Self::Server(Box::new(server)))
            }
            Some(_) => Err(PlaceError::Scheme { shown: shown(text) }),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Server(server) => f.write_str(&server.shown),
        }
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Server").field(&self.shown).finish()
    }
}

/// `postgres` of `postgres://…`; a path has none, though it may hold a colon.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter);
    (!scheme.is_empty() && scheme.chars().all(letters)).then_some(scheme)
}

/// The URL without a password. What can't be taken apart for certain is hidden too: a password
/// with an `@` or a `/` in it makes a URL that means something else.
fn shown(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let hidden = match rest.rsplit_once('@') {
        Some((user, host)) => {
            let (user, password) = user.split_once(':').unwrap_or((user, ""));
            let mark = if password.is_empty() { "" } else { ":***" };
            format!("{user}{mark}@{host}")
        }
        None => rest.to_owned(),
    };
    // Options may hold a password as well, and nobody needs them to know which store it is.
    let hidden = if query.contains('@') {
        "***".to_owned()
    } else {
        hidden
    };
    format!("{scheme}://{hidden}")
}

fn server(url: &str) -> Result<Server, PlaceError> {
    let shown = shown(url);
    let wrong = |why: &str| PlaceError::Url {
        shown: shown.clone(),
        why: why.to_owned(),
    };
    let (start, query) = url.split_once('?').unwrap_or((url, ""));
    let options = Options::of(query);
    let rest = options.others.join("&");
    let mut config = Config::from_str(&format!("{start}?{rest}")).map_err(|_| wrong(UNDERSTOOD))?;
    if config.get_hosts().is_empty() {
        config.host("localhost");
    }
    let secure = match options.mode.as_deref() {
        None => !is_here(&config),
        Some("disable") => false,
        Some("require" | "verify-full") => true,
        Some(_) => return Err(wrong("sslmode must be `disable` or `require`")),
    };
    let mode = if secure {
        SslMode::Require
    } else {
        SslMode::Disable
    };
    config.ssl_mode(mode);
    Ok(Server {
        config,
        roots: options.roots.map(PathBuf::from),
        shown,
    })
}

/// On this machine nobody listens in between.
fn is_here(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// The options of a URL, those of TLS taken out.
#[derive(Default)]
struct Options<'a> {
    mode: Option<String>,
    roots: Option<String>,
    others: Vec<&'a str>,
}

impl<'a> Options<'a> {
    fn of(query: &'a str) -> Self {
        let mut options = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = || percent_decode_str(value).decode_utf8_lossy().into_owned();
            match name {
                "sslmode" => options.mode = Some(value()),
                "sslrootcert" => options.roots = Some(value()),
                _ => options.others.push(pair),
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place(text: &str) -> Place {
        text.parse().expect("a place")
    }

    fn mode(text: &str) -> SslMode {
        match place(text) {
            Place::Server(server) => server.config.get_ssl_mode(),
            Place::File(path) => panic!("{} is a file", path.display()),
        }
    }

    fn refusal(text: &str) -> String {
        let refused: Result<Place, _> = text.parse();
        refused.expect_err("no place").to_string()
    }

    #[test]
    fn a_path_is_a_path_whatever_is_in_it() {
        for text in [
            "calls.db",
            "/var/lib/fossick/calls.db",
            "C:\\calls.db",
            "a:b@c/d?e",
        ] {
            assert!(matches!(place(text), Place::File(path) if path.as_os_str() == text));
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        for (url, told) in [
            ("postgres://u:secret@h/db", "postgres://u:***@h/db"),
            (
                "postgresql://u@h:5433/db?connect_timeout=3",
                "postgresql://u@h:5433/db",
            ),
            ("postgres://u@h/db?password=secret", "postgres://u@h/db"),
        ] {
            assert_eq!(place(url).to_string(), told);
            assert!(!format!("{:?}", place(url)).contains("secret"));
        }
        for url in [
            "postgres://u:sec/ret@h/db",
            "mysql://u:secret@h/db",
            "postgres://u:x@h:secret/db@",
        ] {
            let told = format!("{:?}", url.parse::<Place>().map(|place| place.to_string()));
            assert!(!told.contains("secret") && !told.contains("ret@"), "{told}");
        }
    }

    #[test]
    fn a_server_elsewhere_is_asked_for_tls_unless_told_otherwise() {
        assert_eq!(mode("postgres://u@db.example.org/calls"), SslMode::Require);
        assert_eq!(
            mode("postgres://u@db/calls?sslmode=disable"),
            SslMode::Disable
        );
        assert_eq!(mode("postgres://u@127.0.0.1/calls"), SslMode::Disable);
        assert_eq!(
            mode("postgres://u@%2Frun%2Fpostgresql/calls"),
            SslMode::Disable
        );
        assert_eq!(mode("postgres:///calls"), SslMode::Disable);
        assert_eq!(
            mode("postgres://localhost/calls?sslmode=require"),
            SslMode::Require
        );
    }

    #[test]
    fn what_is_no_place_says_what_one_is() {
        assert!(refusal(" ").contains("give a path"));
        assert!(refusal("mysql://u:p@h/db").contains("postgres://user@host/database"));
        assert!(refusal("postgres://u@h/db?sslmode=perhaps").contains("`disable` or `require`"));
        assert!(refusal("postgres://u@h:port/db").contains("is not the URL of a database"));
    }

    proptest! {
        #[test]
        fn no_password_is_shown_whatever_is_in_it(password in "[a-z0-9@:/?#&=%]{6,20}") {
            let secret = format!("QX{password}XQ");
            let told = match format!("postgres://user:{secret}@host/db").parse::<Place>() {
                Ok(place) => format!("{place} {place:?}"),
                Err(error) => error.to_string(),
            };
            prop_assert!(!told.contains("QX") && !told.contains("XQ"), "{}", told);
        }
    }
}
