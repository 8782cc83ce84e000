//! The kinds of files that can be read, by the names that a user gives them.

use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// HTTP Archive 1.2: what browsers and proxies save.
    Har,
    /// One call a line, in our own form or a log's; plain GraphQL log lines too.
    Ndjson,
    /// An access log of nginx in JSON.
    Nginx,
    /// An access log of Envoy in JSON.
    Envoy,
    /// A Postman collection, v2.0 or v2.1.
    Postman,
    /// What GoReplay captured.
    GoReplay,
    /// Records of AutoGraphQL.
    AutoGraphQl,
}

impl Format {
    pub const ALL: [Self; 7] = [
        Self::Har,
        Self::Ndjson,
        Self::Nginx,
        Self::Envoy,
        Self::Postman,
        Self::GoReplay,
        Self::AutoGraphQl,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Har => "har",
            Self::Ndjson => "ndjson",
            Self::Nginx => "nginx",
            Self::Envoy => "envoy",
            Self::Postman => "postman",
            Self::GoReplay => "goreplay",
            Self::AutoGraphQl => "autographql",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is no format of traffic; there are har, ndjson, nginx, envoy, postman, goreplay and autographql"
)]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let wanted = name.to_ascii_lowercase();
        let known = Self::ALL.into_iter().find(|format| format.name() == wanted);
        known.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_known_by_its_name_and_the_error_lists_them() {
        for format in Format::ALL {
            assert_eq!(format.name().parse::<Format>().ok(), Some(format));
        }
        let error = "hra".parse::<Format>().expect_err("a slip").to_string();
        assert!(
            Format::ALL
                .iter()
                .all(|format| error.contains(format.name()))
        );
    }
}
