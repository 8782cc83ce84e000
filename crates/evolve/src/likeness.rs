//! How alike two words are, by the groups of three letters that they share.

/// A word with its trigrams, sorted; its beginning and end count as letters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trigrams(Vec<[char; 3]>);

impl Trigrams {
    pub(crate) fn of(word: &str) -> Self {
        let lower = word.to_lowercase();
        let padded: Vec<char> = [' ', ' ']
            .into_iter()
            .chain(lower.chars())
            .chain([' '])
            .collect();
        let mut all: Vec<[char; 3]> = padded
            .windows(3)
            .filter_map(|window| window.try_into().ok())
            .collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// From 0, nothing in common, to 1, the same: twice what is shared over what there is.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let total = self.0.len() + other.0.len();
        if total == 0 {
            return 0.0;
        }
        2.0 * self.shared(other) as f64 / total as f64
    }

    fn shared(&self, other: &Self) -> usize {
        let (mut left, mut right) = (self.0.as_slice(), other.0.as_slice());
        let mut shared = 0;
        while let (Some((a, rest_a)), Some((b, rest_b))) = (left.split_first(), right.split_first())
        {
            shared += usize::from(a == b);
            if a <= b {
                left = rest_a;
            }
            if b <= a {
                right = rest_b;
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(a: &str, b: &str) -> f64 {
        Trigrams::of(a).likeness(&Trigrams::of(b))
    }

    #[test]
    fn the_same_word_is_alike_whatever_its_case() {
        assert_eq!(likeness("Warehouse", "warehouse"), 1.0);
        assert_eq!(likeness("abc", "xyz"), 0.0);
    }

    #[test]
    fn a_plural_is_nearly_the_same() {
        assert!(likeness("warehouse", "warehouses") > 0.6);
        assert!(likeness("product", "warehouse") < 0.2);
        assert_eq!(likeness("order", "orders"), likeness("orders", "order"));
    }
}
