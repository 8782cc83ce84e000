//! Why a call is left out.

use std::fmt;

use super::IntakeSettings;
use super::target::split;
use crate::Seen;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skipped {
    /// It asks for nothing but the schema.
    Introspection,
    Subscription,
    /// It went where GraphQL is served and is no operation that can be read.
    NotReadable,
    /// Only a hash or an id was sent, and nobody said what it stands for.
    UnknownPersistedQuery,
    /// A script, a picture, a font.
    Asset,
    /// `OPTIONS`, `HEAD`, `TRACE`, `CONNECT`.
    Method,
    /// The line was handed to another protocol, such as WebSocket.
    Upgrade,
    TooLarge,
}

impl Skipped {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Introspection => "introspection",
            Self::Subscription => "subscription",
            Self::NotReadable => "not readable",
            Self::UnknownPersistedQuery => "unknown persisted query",
            Self::Asset => "asset",
            Self::Method => "method",
            Self::Upgrade => "upgrade",
            Self::TooLarge => "too large",
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const ASSETS: [&str; 24] = [
    "js",
    "mjs",
    "css",
    "map",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "svg",
    "webp",
    "avif",
    "ico",
    "woff",
    "woff2",
    "ttf",
    "otf",
    "eot",
    "html",
    "htm",
    "mp3",
    "mp4",
    "webm",
    "wasm",
    "webmanifest",
];

/// Why a call is left out before anybody looks into it.
pub(super) fn at_sight(seen: &Seen, settings: &IntakeSettings) -> Option<Skipped> {
    if seen.target.len() > settings.limits.target || seen.method.len() > 40 {
        return Some(Skipped::TooLarge);
    }
    let method = seen.method.to_ascii_uppercase();
    if matches!(
        method.as_str(),
        "OPTIONS" | "HEAD" | "TRACE" | "CONNECT" | ""
    ) {
        return Some(Skipped::Method);
    }
    let switched = seen
        .answer
        .as_ref()
        .is_some_and(|answer| answer.status == 101);
    if switched
        || seen
            .header("upgrade")
            .is_some_and(|to| to.eq_ignore_ascii_case("websocket"))
    {
        return Some(Skipped::Upgrade);
    }
    (settings.skip_assets && method == "GET" && is_asset(&seen.target)).then_some(Skipped::Asset)
}

fn is_asset(target: &str) -> bool {
    let (path, _) = split(target);
    let file = path.rsplit('/').next().unwrap_or_default();
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    ASSETS
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}
