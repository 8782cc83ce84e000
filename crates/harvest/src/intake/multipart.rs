//! Bodies in several parts, as far as they matter here: one named part, and the pieces between
//! boundaries for a digest that does not depend on the boundary.

/// The pieces between boundaries, without the line breaks that belong to them.
pub(super) fn pieces<'a>(body: &'a [u8], boundary: &str) -> Vec<&'a [u8]> {
    let mark = format!("--{boundary}");
    let mark = mark.as_bytes();
    let mut starts = found(body, mark);
    starts.push(body.len());
    let pairs = starts.windows(2).filter_map(|pair| match pair {
        [start, end] => body.get(start + mark.len()..*end),
        _ => None,
    });
    let pieces = pairs.map(trimmed);
    pieces
        .filter(|piece| !piece.is_empty() && *piece != b"--")
        .collect()
}

fn trimmed(piece: &[u8]) -> &[u8] {
    let piece = piece
        .strip_prefix(b"\r\n")
        .or(piece.strip_prefix(b"\n"))
        .unwrap_or(piece);
    piece
        .strip_suffix(b"\r\n")
        .or(piece.strip_suffix(b"\n"))
        .unwrap_or(piece)
}

/// Where a boundary begins a line.
fn found(body: &[u8], mark: &[u8]) -> Vec<usize> {
    let lines = body.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let starts = std::iter::once(0).chain(lines.map(|(at, _)| at + 1));
    let marked = |at: &usize| body.get(*at..).is_some_and(|rest| rest.starts_with(mark));
    starts.filter(marked).collect()
}

/// What the part of this name holds, if it is text.
pub(super) fn part<'a>(body: &'a [u8], boundary: &str, name: &str) -> Option<&'a str> {
    let wanted = format!("name=\"{name}\"");
    let mut pieces = pieces(body, boundary).into_iter();
    pieces.find_map(|piece| {
        let (head, content) = headed(piece)?;
        str::from_utf8(head).ok()?.contains(&wanted).then_some(())?;
        str::from_utf8(content).ok()
    })
}

fn headed(piece: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = |mark: &[u8]| {
        let at = piece
            .windows(mark.len())
            .position(|window| window == mark)?;
        Some((piece.get(..at)?, piece.get(at + mark.len()..)?))
    };
    end(b"\r\n\r\n").or_else(|| end(b"\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n\
        {\"query\":\"{a}\"}\r\n--x\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a\"\r\n\
        \r\nbytes\r\n--x--\r\n";

    #[test]
    fn a_part_is_found_by_its_name() {
        assert_eq!(part(BODY, "x", "operations"), Some("{\"query\":\"{a}\"}"));
        assert_eq!(part(BODY, "x", "0"), Some("bytes"));
        assert_eq!(part(BODY, "x", "1"), None);
        assert_eq!(part(BODY, "y", "0"), None);
    }

    #[test]
    fn pieces_do_not_depend_on_the_boundary() {
        let other = String::from_utf8_lossy(BODY).replace("--x", "--other");
        assert_eq!(pieces(other.as_bytes(), "other"), pieces(BODY, "x"));
        assert_eq!(pieces(BODY, "x").len(), 2);
        assert_eq!(pieces(b"", "x"), Vec::<&[u8]>::new());
    }
}
