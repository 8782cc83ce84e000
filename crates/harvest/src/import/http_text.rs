//! HTTP messages as they went over the wire, for captures that keep them so.

use std::io::Read as _;

use super::not_readable::Why;

pub(super) struct Message {
    /// The first line, in words.
    pub(super) first: Vec<String>,
    pub(super) headers: Vec<(String, String)>,
    /// Put together from its chunks.
    pub(super) body: Vec<u8>,
}

impl Message {
    pub(super) fn read(text: &[u8]) -> Result<Self, Why> {
        let (first, mut rest) = line(text).ok_or(Why::Http("it has no first line"))?;
        let first: Vec<String> = first.split_ascii_whitespace().map(str::to_owned).collect();
        if first.len() < 2 {
            return Err(Why::Http("its first line has too few words"));
        }
        let mut headers = Vec::new();
        while let Some((header, behind)) = line(rest) {
            rest = behind;
            if header.is_empty() {
                break;
            }
            if let Some((name, value)) = header.split_once(':') {
                headers.push((name.trim().to_owned(), value.trim().to_owned()));
            }
        }
        let mut message = Self {
            first,
            headers,
            body: rest.to_vec(),
        };
        if message.says("transfer-encoding", "chunked") {
            message.body = joined(rest);
        }
        Ok(message)
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn says(&self, name: &str, word: &str) -> bool {
        self.header(name)
            .is_some_and(|value| value.to_ascii_lowercase().contains(word))
    }

    /// The body as it was before it was packed; none where that can't be undone, or is too much.
    pub(super) fn unpacked(self, largest: usize) -> Option<Vec<u8>> {
        if self.says("content-encoding", "gzip") {
            return limited(flate2::read::MultiGzDecoder::new(&*self.body), largest);
        }
        if self.says("content-encoding", "deflate") {
            return limited(flate2::read::ZlibDecoder::new(&*self.body), largest);
        }
        let packed = self
            .header("content-encoding")
            .is_some_and(|encoding| encoding != "identity");
        (!packed).then_some(self.body)
    }
}

fn limited(unpack: impl std::io::Read, largest: usize) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    unpack
        .take(largest as u64 + 1)
        .read_to_end(&mut body)
        .ok()?;
    (body.len() <= largest).then_some(body)
}

/// A line without its end, and what is behind it.
fn line(text: &[u8]) -> Option<(String, &[u8])> {
    if text.is_empty() {
        return None;
    }
    let end = text
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(text.len());
    let line = text.get(..end)?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    Some((
        String::from_utf8_lossy(line).into_owned(),
        text.get(end + 1..).unwrap_or_default(),
    ))
}

/// Chunks put together, as far as they go: a capture may have missed the last, and some tools put
/// them together and leave the header.
fn joined(text: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    let mut rest = text;
    while let Some((size, behind)) = line(rest) {
        let digits = size.split(';').next().unwrap_or_default().trim();
        let Ok(size) = usize::from_str_radix(digits, 16) else {
            return if body.is_empty() { text.to_vec() } else { body };
        };
        if size == 0 {
            break;
        }
        let chunk = behind.get(..size).unwrap_or(behind);
        body.extend_from_slice(chunk);
        rest = behind.get(chunk.len()..).unwrap_or_default();
        rest = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.strip_prefix(b"\n"))
            .unwrap_or(rest);
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together() {
        let text = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n";
        let message = Message::read(text).expect("a message");
        assert_eq!(message.first, ["POST", "/a", "HTTP/1.1"]);
        assert_eq!(message.body, b"abcde");
    }

    #[test]
    fn a_body_that_was_put_together_already_stays() {
        let text = b"POST /a HTTP/1.1\nTransfer-Encoding: chunked\n\n{\"a\":1}";
        assert_eq!(Message::read(text).expect("a message").body, b"{\"a\":1}");
    }

    #[test]
    fn a_chunk_that_is_cut_short_gives_what_is_there() {
        let text = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc";
        assert_eq!(Message::read(text).expect("a message").body, b"abc");
        assert!(Message::read(b"").is_err() && Message::read(b"\r\n").is_err());
    }
}
