//! A call as it went by, with everything in it, secrets too. It is never stored.

/// One exchange, or several equal ones that a log tells of together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// When it was sent (the first of them), in milliseconds since 1970.
    pub at: u64,
    /// When the last of them was sent.
    pub last_at: u64,
    /// How many there were.
    pub times: u64,
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Where it came from, as far as that is known: an address.
    pub client: Option<String>,
    pub answer: Option<Answered>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answered {
    pub status: u16,
    pub media_type: Option<String>,
    /// None where it was not seen or too large to keep; it is used for sessions only, never stored.
    pub body: Option<Vec<u8>>,
    /// Microseconds from the first byte sent to the last byte received.
    pub took: Option<u64>,
}

impl Seen {
    /// A single call whose answer is not known.
    pub fn once(at: u64, method: &str, target: &str) -> Self {
        Self {
            at,
            last_at: at,
            times: 1,
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            client: None,
            answer: None,
        }
    }

    /// The first header of this name, whatever its case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}
