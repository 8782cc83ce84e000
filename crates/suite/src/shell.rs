//! Words of a POSIX shell that mean exactly what they say.
//!
//! A value is either wholly inside single quotes, where nothing is special, or it is a variable
//! of ours inside double quotes. Nothing a service or a document says can end a word early.

use std::fmt::Write as _;

use crate::Piece;

/// One word with this value, in single quotes.
///
/// A NUL can't be passed to a program at all and is left out.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', r"'\''"))
}

/// Quotes only where a shell would see something in it.
pub fn quote_if_needed(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    quote(text)
}

/// One word made of fixed text and variables of the shell, whose names we chose.
pub fn word(pieces: &[Piece]) -> String {
    if pieces.iter().all(|p| matches!(p, Piece::Fixed(_))) {
        return quote(&pieces.iter().map(literal).collect::<String>());
    }
    if pieces.iter().all(|p| is_inert(literal(p))) {
        return double_quoted(pieces);
    }
    pieces.iter().map(quoted_alone).collect()
}

fn literal(piece: &Piece) -> &str {
    match piece {
        Piece::Fixed(text) => text,
        Piece::Variable(_) => "",
    }
}

/// Nothing in it is special between double quotes, not even to an interactive shell.
fn is_inert(text: &str) -> bool {
    !text.contains(['$', '`', '"', '\\', '!', '\0'])
}

fn double_quoted(pieces: &[Piece]) -> String {
    let mut out = String::from("\"");
    for (at, piece) in pieces.iter().enumerate() {
        let next = pieces.get(at + 1).map_or("", literal);
        match piece {
            Piece::Fixed(text) => out.push_str(text),
            Piece::Variable(name) if continues_a_name(next) => {
                let _ = write!(out, "${{{name}}}");
            }
            Piece::Variable(name) => {
                let _ = write!(out, "${name}");
            }
        }
    }
    out.push('"');
    out
}

fn continues_a_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

fn quoted_alone(piece: &Piece) -> String {
    match piece {
        Piece::Fixed(text) if text.is_empty() => String::new(),
        Piece::Fixed(text) => quote(text),
        Piece::Variable(name) => format!("\"${name}\""),
    }
}

/// The format of a `printf` that writes exactly these bytes, on one line.
pub fn printf_format(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        match byte {
            // At the beginning it would be an option.
            b'-' if out.is_empty() => out.push_str("\\055"),
            b'%' => out.push_str("%%"),
            b'\\' => out.push_str("\\\\"),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    quote(&out)
}

/// A chain of commands with a line for each: a line break after `&&` changes nothing, and where
/// quotes are open nothing is broken.
pub fn one_a_line(chain: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut inside = None;
    let mut rest = chain;
    while let Some(c) = rest.chars().next() {
        if let (None, Some(after)) = (inside, rest.strip_prefix(" && ")) {
            lines.push(format!("{line} &&"));
            line.clear();
            rest = after;
            continue;
        }
        inside = match (inside, c) {
            (None, '\'' | '"' | '\\') => Some(c),
            (Some('\\'), _) => None,
            (Some(open), _) if open == c => None,
            (state, _) => state,
        };
        line.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or("");
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads one word as POSIX says: quotes, backslashes, and variables that hold their own name.
    fn read_word(word: &str) -> Option<String> {
        let (mut out, mut chars) = (String::new(), word.chars().peekable());
        while let Some(c) = chars.next() {
            match c {
                '\'' => loop {
                    match chars.next()? {
                        '\'' => break,
                        inside => out.push(inside),
                    }
                },
                '"' => loop {
                    match chars.next()? {
                        '"' => break,
                        '`' | '\\' => return None,
                        '$' => {
                            let braced = chars.next_if_eq(&'{').is_some();
                            while let Some(n) =
                                chars.next_if(|n| n.is_ascii_alphanumeric() || *n == '_')
                            {
                                out.push(n);
                            }
                            if braced && chars.next()? != '}' {
                                return None;
                            }
                        }
                        inside => out.push(inside),
                    }
                },
                '\\' => out.push(chars.next()?),
                // Anything special outside of quotes would end the word or do something.
                c if c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c) => out.push(c),
                _ => return None,
            }
        }
        Some(out)
    }

    fn piece() -> impl Strategy<Value = Piece> {
        prop_oneof![
            "[^\0]{0,12}".prop_map(Piece::Fixed),
            "[a-zA-Z0-9$`\"'\\\\!{}() ]{0,8}".prop_map(Piece::Fixed),
            "[a-z][a-z0-9_]{0,3}".prop_map(Piece::Variable),
        ]
    }

    proptest! {
        #[test]
        fn every_quoted_text_reads_back_as_itself(text in "[^\0]{0,40}") {
            prop_assert_eq!(read_word(&quote(&text)), Some(text.clone()));
            prop_assert_eq!(read_word(&quote_if_needed(&text)), Some(text));
        }

        #[test]
        fn every_mixed_word_reads_back_as_its_pieces(pieces in prop::collection::vec(piece(), 1..6)) {
            let expected: String = pieces
                .iter()
                .map(|p| match p { Piece::Fixed(t) | Piece::Variable(t) => t.as_str() })
                .collect();
            prop_assert_eq!(read_word(&word(&pieces)), Some(expected));
        }
    }

    #[test]
    fn a_chain_is_broken_only_between_its_commands() {
        let chain = r#"a=$(b ' && ' "x && y" \' | c) && d 'it'\'' && s' && e"#;
        let lines = one_a_line(chain);
        assert_eq!(
            lines,
            [
                r#"a=$(b ' && ' "x && y" \' | c) &&"#,
                r"d 'it'\'' && s' &&",
                "e"
            ]
        );
    }

    #[test]
    fn a_variable_before_a_letter_is_braced() {
        let pieces = [
            Piece::Fixed("/a/".into()),
            Piece::Variable("p".into()),
            Piece::Fixed("x".into()),
        ];
        assert_eq!(word(&pieces), "\"/a/${p}x\"");
    }

    #[cfg(unix)]
    mod with_a_real_shell {
        use super::*;
        use std::process::Command;

        fn output_of(script: &str) -> Vec<u8> {
            let run = Command::new("sh").arg("-c").arg(script).output();
            run.expect("every Unix has sh").stdout
        }

        #[test]
        fn hostile_texts_come_through_unchanged() {
            let texts = [
                "'; echo broken; '",
                "$(echo broken) `echo broken` ${HOME} $HOME",
                "\\'\\\\ \"quoted\" !! * ? [a-z] ~ # & | ; < > ( )",
                "-n\nnew\r\nlines\ttabs",
                "häßlich 日本 \u{202e}",
                "",
            ];
            for text in texts {
                let said = output_of(&format!("printf '%s' {}", quote(text)));
                assert_eq!(String::from_utf8_lossy(&said), text);
            }
        }

        #[test]
        fn every_byte_comes_through_printf() {
            let all = (0..=255).chain(*b"%s%d\\n100%\x001\x077");
            let bytes: Vec<u8> = b"-n".iter().copied().chain(all).collect();
            assert_eq!(
                output_of(&format!("printf {}", printf_format(&bytes))),
                bytes
            );
        }
    }
}
