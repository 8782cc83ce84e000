//! A text that the service put together from pieces of several inputs.
//!
//! `FZ701` may be two letters of one input and the first digits of another. The text is laid out in
//! the longest pieces that are found in inputs; then the wanted text is laid over the same pieces.

use serde_json::Value;

use crate::number::as_number;
use crate::view::{Inputs, View};

/// A part of what the service saw.
struct Piece<'i> {
    /// Where it comes from, and from which byte on; none where it is the service's own.
    from: Option<(&'i View, usize)>,
    text: &'i str,
}

/// A single letter is found anywhere; a digit of a number may be all that is left of it.
const SHORTEST: usize = 2;
const MOST_PIECES: usize = 8;
const MOST_VARIABLE: usize = 3;

/// The inputs with which the service sees the wanted text, where it put the text together from
/// several.
pub(crate) fn compose(inputs: &Inputs, seen: &str, wanted: &str) -> Option<Vec<(usize, Value)>> {
    let pieces = laid_out(inputs, seen)?;
    let variable = pieces.iter().filter(|piece| piece.from.is_some()).count();
    if !(2..=MOST_VARIABLE).contains(&variable) {
        return None;
    }
    changed(inputs, &pieces, &shared_out(&pieces, wanted)?)
}

fn laid_out<'i>(inputs: &'i Inputs, seen: &'i str) -> Option<Vec<Piece<'i>>> {
    let mut pieces: Vec<Piece<'i>> = Vec::new();
    let mut at = 0;
    while at < seen.len() {
        let found = longest(inputs, seen.get(at..)?);
        let length = match found {
            Some((.., length)) => length,
            None => seen[at..].chars().next()?.len_utf8(),
        };
        pieces.push(Piece {
            from: found.map(|(view, start, _)| (view, start)),
            text: &seen[at..at + length],
        });
        if pieces.len() > MOST_PIECES {
            return None;
        }
        at += length;
    }
    Some(pieces)
}

/// The longest beginning of a text that stands in an input.
fn longest<'i>(inputs: &'i Inputs, text: &str) -> Option<(&'i View, usize, usize)> {
    let mut best: Option<(&View, usize, usize)> = None;
    for view in &inputs.views {
        let Some(whole) = view.text() else { continue };
        let shortest = if view.seen.is_number() { 1 } else { SHORTEST };
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        for end in ends.filter(|end| *end >= shortest) {
            let Some(start) = whole.find(&text[..end]) else {
                break;
            };
            if best.is_none_or(|(.., length)| end > length) {
                best = Some((view, start, end));
            }
        }
    }
    best
}

/// The wanted text cut so that each piece has its part; as long as it was, where that will do.
fn shared_out<'w>(pieces: &[Piece<'_>], wanted: &'w str) -> Option<Vec<&'w str>> {
    let Some((piece, rest)) = pieces.split_first() else {
        return wanted.is_empty().then(Vec::new);
    };
    let own = piece.text.len();
    if piece.from.is_none() {
        let mut parts = shared_out(rest, wanted.strip_prefix(piece.text)?)?;
        parts.insert(0, &wanted[..own]);
        return Some(parts);
    }
    let mut lengths =
        std::iter::once(own).chain((0..=wanted.len()).filter(|length| *length != own));
    lengths.find_map(|length| {
        let (part, left) = wanted.split_at_checked(length)?;
        let mut parts = shared_out(rest, left)?;
        parts.insert(0, part);
        Some(parts)
    })
}

fn changed(inputs: &Inputs, pieces: &[Piece<'_>], parts: &[&str]) -> Option<Vec<(usize, Value)>> {
    let mut new: Vec<(usize, Value)> = Vec::new();
    for (piece, part) in pieces.iter().zip(parts) {
        let Some((view, start)) = piece.from else {
            continue;
        };
        let whole = view.text()?;
        let text = [&whole[..start], *part, &whole[start + piece.text.len()..]].concat();
        let value = if view.seen.is_number() {
            Value::Number(as_number(&text)?)
        } else {
            Value::from(text)
        };
        // Two pieces of one input would undo each other.
        if new.iter().any(|(input, _)| *input == view.input) {
            return None;
        }
        new.push((view.input, inputs.with(view, value)?));
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pieces_of_two_inputs_are_changed_together() {
        let inputs = Inputs::of(vec![json!("fzamarker"), json!(7013)]);
        let new = compose(&inputs, "FZ701", "NO1").expect("it is laid out");
        assert_eq!(new, [(0, json!("NOAMARKER")), (1, json!(13))]);
        let apart = compose(&inputs, "fzamarker/7013", "oslo/5").expect("likewise");
        assert_eq!(apart.len(), 2);
        assert_eq!(compose(&inputs, "other", "NO1"), None);
        assert_eq!(compose(&inputs, "fzamarker", "NO1"), None);
    }
}
