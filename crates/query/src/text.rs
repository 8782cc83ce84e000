//! What a quoted text says.

use crate::lex::{Wrong, syntax};

/// Takes the escapes out of what stood between quotes. `at` is where it begins in the source.
pub(crate) fn unescaped(raw: &str, at: usize) -> Result<String, Wrong> {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(escape) = rest.find('\\') {
        let (plain, tail) = rest.split_at(escape);
        out.push_str(plain);
        let (character, length) = escaped(tail)
            .ok_or_else(|| syntax(at + raw.len() - tail.len(), "not an escape".to_owned()))?;
        out.push(character);
        rest = tail.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Ok(out)
}

/// The character that an escape stands for and how many bytes the escape takes.
fn escaped(text: &str) -> Option<(char, usize)> {
    let character = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(text.get(2..)?).map(|(character, length)| (character, length + 2)),
        _ => return None,
    };
    Some((character, 2))
}

/// `00E9`, `{1F600}`, or two halves: `D83D\uDE00`.
fn unicode(text: &str) -> Option<(char, usize)> {
    if let Some(braced) = text.strip_prefix('{') {
        let (digits, _) = braced.split_once('}')?;
        return Some((char::from_u32(hex(digits)?)?, digits.len() + 2));
    }
    let first = hex(text.get(..4)?)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 4));
    }
    let second = hex(text.get(4..)?.strip_prefix("\\u")?.get(..4)?)?;
    let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    let code = 0x1_0000 + ((first - 0xD800) << 10) + low;
    Some((char::from_u32(code)?, 10))
}

/// Hexadecimal digits and nothing else: Rust's own reader would take a sign.
fn hex(digits: &str) -> Option<u32> {
    let all = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    all.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// What a block text says: common indentation and blank lines at both ends taken off.
pub(crate) fn block(raw: &str) -> String {
    let raw = raw.replace("\\\"\"\"", "\"\"\"").replace("\r\n", "\n");
    let lines: Vec<&str> = raw.split(['\n', '\r']).collect();
    let common = lines
        .iter()
        .skip(1)
        .filter(|line| !is_blank(line))
        .map(|line| indentation(line))
        .min()
        .unwrap_or(0);
    let dedented = lines.iter().enumerate().map(|(at, line)| match at {
        0 => *line,
        _ => line.get(common..).unwrap_or_default(),
    });
    let dedented: Vec<&str> = dedented.collect();
    let first = dedented.iter().position(|line| !is_blank(line));
    let last = dedented.iter().rposition(|line| !is_blank(line));
    match (first, last) {
        (Some(first), Some(last)) => dedented[first..=last].join("\n"),
        _ => String::new(),
    }
}

fn is_blank(line: &str) -> bool {
    indentation(line) == line.len()
}

fn indentation(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_is_taken_out() {
        let said = |raw| unescaped(raw, 0).expect("sound");
        assert_eq!(said(r#"a\"b\\c\/d"#), "a\"b\\c/d");
        assert_eq!(said(r"\b\f\n\r\t"), "\u{8}\u{c}\n\r\t");
        assert_eq!(said(r"\u00e9\u{1F600}\uD83D\uDE00"), "é😀😀");
    }

    #[test]
    fn what_is_no_escape_is_refused_where_it_stands() {
        for raw in [
            r"ab\x",
            r"ab\u12",
            r"ab\u{110000}",
            r"ab\u{}",
            r"ab\u+123",
            r"ab\uD83D",
            r"ab\uD83D\u0041",
            r"ab\uDE00",
            r"ab\u{D83D}",
            r"ab\u{00000000000000041",
        ] {
            let wrong = unescaped(raw, 10).expect_err(raw);
            assert_eq!(wrong.at, 12, "{raw}");
        }
    }

    #[test]
    fn a_block_loses_its_indentation_and_blank_ends() {
        let raw = "\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  ";
        assert_eq!(block(raw), "Hello,\n  World!\n\nYours,\n  GraphQL.");
        assert_eq!(block("one \\\"\"\" two"), "one \"\"\" two");
        assert_eq!(
            block("  first\r\n    second\r  third"),
            "  first\n  second\nthird"
        );
        assert_eq!(block("   "), "");
    }
}
