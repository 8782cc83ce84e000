//! How wide a text is, and how to make it fit. Letters have one width: the pictures use a
//! monospaced face, so no font has to be measured.

/// Width of a letter, as a part of the font's size.
const ADVANCE: f64 = 0.602;

/// Cells that a text takes; letters of East Asia and pictographs take two.
pub(crate) fn cells(text: &str) -> usize {
    text.chars().map(cells_of).sum()
}

fn cells_of(c: char) -> usize {
    match u32::from(c) {
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0x1_f300..=0x3_fffd => 2,
        _ => 1,
    }
}

/// Cells of this font size that fit into a width.
pub(crate) fn fitting(width: f64, size: f64) -> usize {
    (width / (size * ADVANCE)).max(1.0) as usize
}

pub(crate) fn width(text: &str, size: f64) -> f64 {
    cells(text) as f64 * size * ADVANCE
}

/// At most so many cells, the last an ellipsis.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if cells(text) <= most {
        return text.to_owned();
    }
    let mut kept = first_cells(text.chars(), most.saturating_sub(1));
    kept.push('…');
    kept
}

/// At most so many cells, the middle left out: of a path both ends tell.
pub(crate) fn squeezed(text: &str, most: usize) -> String {
    if cells(text) <= most {
        return text.to_owned();
    }
    let tail = most.saturating_sub(1) * 2 / 3;
    let head = most.saturating_sub(1) - tail;
    let end: String = first_cells(text.chars().rev(), tail);
    let end: String = end.chars().rev().collect();
    format!("{}…{end}", first_cells(text.chars(), head))
}

fn first_cells(chars: impl Iterator<Item = char>, most: usize) -> String {
    let mut used = 0;
    chars
        .take_while(|c| {
            used += cells_of(*c);
            used <= most
        })
        .collect()
}

/// `1,234,567`.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 edge`, `2 edges`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", number(count as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_too_long_loses_its_end_or_its_middle() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(squeezed("/a/long/path/{id}", 10), "/a/…h/{id}");
        assert_eq!(squeezed("short", 10), "short");
        assert_eq!(shortened("日本語", 4), "日…");
        assert_eq!(shortened("abc", 0), "…");
    }

    #[test]
    fn numbers_have_their_thousands_apart() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(counted(1, "edge"), "1 edge");
        assert_eq!(counted(1500, "edge"), "1,500 edges");
    }
}
