//! Undoes content encodings, never beyond a limit: a few kilobytes can unfold into gigabytes.
//!
//! A body that does not decode is left as it came. That is a fault of the service for others to
//! judge, and the bytes are the evidence.

use std::io::Read;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Encodings of one body; more in a row is a trick.
const MOST_LAYERS: usize = 3;

pub struct Decoded {
    pub bytes: Vec<u8>,
    /// There was more than the limit allows, or the encoded body was itself cut.
    pub cut: bool,
}

/// Decodes a body by its `Content-Encoding`. `cut` says that `body` is only a beginning.
pub fn decode(encodings: &str, body: Vec<u8>, cut: bool, limit: usize) -> Decoded {
    let mut whole = Decoded { bytes: body, cut };
    for encoding in encodings.rsplit(',').take(MOST_LAYERS) {
        match undo(encoding.trim(), &whole, limit) {
            Some(inner) => whole = inner,
            None => break,
        }
    }
    whole
}

fn undo(encoding: &str, outer: &Decoded, limit: usize) -> Option<Decoded> {
    let bytes = outer.bytes.as_slice();
    let cut = outer.cut;
    let is = |name: &str| encoding.eq_ignore_ascii_case(name);
    if bytes.is_empty() {
        None
    } else if is("gzip") || is("x-gzip") {
        drain(flate2::read::MultiGzDecoder::new(bytes), cut, limit)
    } else if is("deflate") {
        // By the standard it is zlib; some services send it bare.
        drain(flate2::read::ZlibDecoder::new(bytes), cut, limit)
            .or_else(|| drain(flate2::read::DeflateDecoder::new(bytes), cut, limit))
    } else if is("br") {
        unbrotli(bytes, cut, limit)
    } else {
        None
    }
}

fn drain(mut from: impl Read, cut: bool, limit: usize) -> Option<Decoded> {
    let mut bytes = Vec::new();
    let ended = from.by_ref().take(limit as u64 + 1).read_to_end(&mut bytes);
    let broken = ended.is_err();
    if broken && (!cut || bytes.is_empty()) {
        return None;
    }
    let beyond = bytes.len() > limit;
    bytes.truncate(limit);
    Some(Decoded {
        bytes,
        cut: cut || beyond,
    })
}

/// The ready-made reader accepts windows of a gigabyte, which HTTP forbids; this one does not.
fn unbrotli(input: &[u8], cut: bool, limit: usize) -> Option<Decoded> {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new_strict(alloc(), alloc(), alloc());
    let mut buffer = vec![0; 16 << 10];
    let mut bytes = Vec::new();
    let (mut left, mut offset, mut total) = (input.len(), 0, 0);
    loop {
        let (mut room, mut filled) = (buffer.len(), 0);
        let step = BrotliDecompressStream(
            &mut left,
            &mut offset,
            input,
            &mut room,
            &mut filled,
            &mut buffer,
            &mut total,
            &mut state,
        );
        bytes.extend_from_slice(buffer.get(..filled)?);
        let beyond = bytes.len() > limit;
        bytes.truncate(limit);
        let cut = cut || beyond;
        match step {
            BrotliResult::NeedsMoreOutput if !beyond => {}
            BrotliResult::ResultSuccess | BrotliResult::NeedsMoreOutput => {
                return Some(Decoded { bytes, cut });
            }
            BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => {
                return (cut && !bytes.is_empty()).then_some(Decoded { bytes, cut });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        to.write_all(bytes).expect("memory takes all");
        to.finish().expect("memory takes all")
    }

    fn brotli(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let params = brotli::enc::BrotliEncoderParams {
            quality: 3,
            ..Default::default()
        };
        brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).expect("memory takes all");
        out
    }

    fn deflate(bytes: &[u8], bare: bool) -> Vec<u8> {
        let mut out = Vec::new();
        let level = flate2::Compression::fast();
        if bare {
            flate2::read::DeflateEncoder::new(bytes, level).read_to_end(&mut out)
        } else {
            flate2::read::ZlibEncoder::new(bytes, level).read_to_end(&mut out)
        }
        .expect("memory takes all");
        out
    }

    #[test]
    fn every_offered_encoding_is_undone() {
        let text = b"hello hello hello".repeat(2000);
        for (name, body) in [
            ("gzip", gzip(&text)),
            ("deflate", deflate(&text, false)),
            ("Deflate", deflate(&text, true)),
            ("br", brotli(&text)),
            ("br, gzip", gzip(&brotli(&text))),
        ] {
            let decoded = decode(name, body, false, 1 << 20);
            assert_eq!(decoded.bytes, text, "{name}");
            assert!(!decoded.cut);
        }
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let zeros = vec![0; 1 << 20];
        for (name, body) in [("gzip", gzip(&zeros)), ("br", brotli(&zeros))] {
            let decoded = decode(name, body, false, 1000);
            assert_eq!((decoded.bytes.len(), decoded.cut), (1000, true), "{name}");
        }
    }

    #[test]
    fn what_does_not_decode_stays_as_it_came() {
        for name in ["gzip", "deflate", "br", "zstd", "identity", ""] {
            let decoded = decode(name, b"{\"a\": 1}".to_vec(), false, 1 << 20);
            assert_eq!(decoded.bytes, b"{\"a\": 1}", "{name}");
        }
        let mut torn = gzip(b"hello");
        torn.truncate(torn.len() - 4);
        assert_eq!(decode("gzip", torn.clone(), false, 100).bytes, torn);
    }

    #[test]
    fn the_beginning_of_a_cut_body_is_still_shown() {
        let text: Vec<u8> = (0..20_000u32).flat_map(u32::to_le_bytes).collect();
        for (name, mut body) in [("gzip", gzip(&text)), ("br", brotli(&text))] {
            body.truncate(body.len() / 2);
            let decoded = decode(name, body, true, 1 << 20);
            assert!(decoded.cut && !decoded.bytes.is_empty(), "{name}");
            assert!(text.starts_with(&decoded.bytes), "{name}");
        }
    }
}
