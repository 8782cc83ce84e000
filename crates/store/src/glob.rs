//! Patterns for names: `*` for any text, `?` for one character, everything else for itself.

/// A pattern. It fits a whole name or not at all; large and small letters differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(Vec<char>);

impl Glob {
    pub fn new(pattern: &str) -> Self {
        Self(pattern.chars().collect())
    }

    /// Takes time in proportion to the pattern and the name multiplied, whatever they are.
    pub fn fits(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut seen) = (0, 0);
        // Where the last `*` stands, and up to where it has eaten.
        let mut star: Option<(usize, usize)> = None;
        while let Some(letter) = name.get(seen) {
            match self.0.get(at) {
                Some('*') => {
                    star = Some((at, seen));
                    at += 1;
                }
                Some(wanted) if *wanted == '?' || wanted == letter => {
                    at += 1;
                    seen += 1;
                }
                _ => {
                    let Some((place, eaten)) = star else {
                        return false;
                    };
                    star = Some((place, eaten + 1));
                    at = place + 1;
                    seen = eaten + 1;
                }
            }
        }
        self.0.iter().skip(at).all(|rest| *rest == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_and_question_marks_stand_for_letters() {
        for (pattern, name) in [
            ("GET /projects/*", "GET /projects/7/tasks"),
            ("*Project", "createProject"),
            ("get?ser*", "getUsers"),
            ("*a*b*", "xxaxxbxx"),
            ("", ""),
            ("*", ""),
            ("ä?", "äö"),
        ] {
            assert!(Glob::new(pattern).fits(name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("project", "projects"),
            ("?", ""),
            ("*a*b", "xxaxxbx"),
            ("GET *", "get /"),
        ] {
            assert!(!Glob::new(pattern).fits(name), "{pattern} {name}");
        }
    }

    /// The same by another road: slow, and plain to see.
    fn fits_slowly(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', rest @ ..], _) => (0..=name.len()).any(|cut| fits_slowly(rest, &name[cut..])),
            (['?', rest @ ..], [_, more @ ..]) => fits_slowly(rest, more),
            ([one, rest @ ..], [other, more @ ..]) => one == other && fits_slowly(rest, more),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn it_agrees_with_the_plain_reading(pattern in "[ab*?]{0,8}", name in "[ab]{0,8}") {
            let letters: Vec<char> = pattern.chars().collect();
            let text: Vec<char> = name.chars().collect();
            prop_assert_eq!(Glob::new(&pattern).fits(&name), fits_slowly(&letters, &text));
        }
    }
}
