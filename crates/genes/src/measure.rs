//! How simple a value is: fewer leaves, then a shorter text, then plainer characters.
//!
//! A total order without endless descent, which is what makes shrinking end.

use crate::gene::Gene;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Measure {
    leaves: usize,
    length: usize,
    /// Of equally long texts, the one whose characters come first; a finite set to descend in.
    ranks: Vec<u8>,
}

impl Measure {
    pub(crate) fn of(gene: &Gene) -> Self {
        let mut ranks = Vec::new();
        gene.write_json(&mut ranks);
        for byte in &mut ranks {
            *byte = rank(*byte);
        }
        Self {
            leaves: gene.size(),
            length: ranks.len(),
            ranks,
        }
    }
}

fn rank(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A' + 30,
        _ => byte.saturating_add(60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use serde_json::json;

    #[test]
    fn fewer_then_shorter_then_plainer_is_simpler() {
        let measure = |value| Measure::of(&Gene::literal(value, Source::Random));
        assert!(measure(json!([])) < measure(json!(["a"])));
        assert!(measure(json!(["long text"])) < measure(json!([1, 2])));
        assert!(measure(json!("aa")) < measure(json!("a%")));
        assert!(measure(json!(19)) < measure(json!(91)));
        assert!(measure(json!(5)) < measure(json!(-5)));
    }
}
