//! `{{name}}` in a collection, and what stands for it.

use super::not_readable::Why;

/// The first of a name counts: those of the user, of the folder, of the collection.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables {
    values: Vec<(String, String)>,
}

/// A value may have variables in it, but not for ever.
const DEEPEST: u32 = 8;

/// Bytes laid into one text, and values, be they empty; beyond that somebody is playing.
const MOST: usize = 16 << 20;

impl Variables {
    pub(super) fn new(values: &[(String, String)]) -> Self {
        Self {
            values: values.to_vec(),
        }
    }

    /// With others before the collection's own; what the user gave stays first.
    pub(super) fn with(&self, users: usize, inner: Vec<(String, String)>) -> Self {
        let (first, rest) = self.values.split_at(users.min(self.values.len()));
        Self {
            values: [first.to_vec(), inner, rest.to_vec()].concat(),
        }
    }

    fn value(&self, name: &str) -> Option<&str> {
        let mut values = self.values.iter();
        let found = values.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The text with values laid in.
    pub(super) fn resolve(&self, text: &str) -> Result<String, Why> {
        let mut written = String::with_capacity(text.len());
        let mut left = MOST;
        self.lay_in(text, DEEPEST, &mut left, &mut written)?;
        Ok(written)
    }

    fn lay_in(
        &self,
        text: &str,
        depth: u32,
        left: &mut usize,
        written: &mut String,
    ) -> Result<(), Why> {
        let mut rest = text;
        while let Some((before, name, behind)) = next(rest) {
            written.push_str(before);
            let missing = || Why::Variable(name.to_owned());
            let depth = depth.checked_sub(1).ok_or_else(missing)?;
            let value = self.value(name).ok_or_else(missing)?;
            *left = left.checked_sub(value.len() + 1).ok_or_else(missing)?;
            self.lay_in(value, depth, left, written)?;
            rest = behind;
        }
        written.push_str(rest);
        Ok(())
    }

    /// An address, where a host that is not known is no loss: `{{baseUrl}}/orders`.
    pub(super) fn resolve_address(&self, text: &str) -> Result<String, Why> {
        let text = text.trim();
        match next(text) {
            Some(("", name, behind)) if self.value(name).is_none() => self.resolve(behind),
            _ => self.resolve(text),
        }
    }
}

/// What is before the next variable, its name, and what is behind it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text.get(from..)?.find("{{")?;
        let inside = text.get(open + 2..)?;
        let end = inside.find(['{', '}', '"', '\n'])?;
        let name = inside.get(..end)?.trim();
        if let Some(behind) = inside
            .get(end..)?
            .strip_prefix("}}")
            .filter(|_| !name.is_empty())
        {
            return Some((text.get(..open)?, name, behind));
        }
        from = open + 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn variables(values: &[(&str, &str)]) -> Variables {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Variables::new(&values.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn values_are_laid_in_also_into_one_another() {
        let known = variables(&[
            ("base", "{{host}}/v1"),
            ("host", "http://a.test"),
            ("n", "7"),
        ]);
        assert_eq!(
            known.resolve("{{base}}/x/{{ n }}").ok().as_deref(),
            Some("http://a.test/v1/x/7")
        );
        assert_eq!(
            known.resolve(r#"{"a":{"b":{{n}}}}"#).ok().as_deref(),
            Some(r#"{"a":{"b":7}}"#)
        );
        assert_eq!(known.resolve("{{{n}} {{").ok().as_deref(), Some("{7 {{"));
    }

    #[test]
    fn what_has_no_value_or_never_ends_is_told() {
        let known = variables(&[("a", "{{b}}{{b}}"), ("b", "{{a}}{{a}}")]);
        assert!(matches!(known.resolve("{{c}}"), Err(Why::Variable(name)) if name == "c"));
        assert!(known.resolve("{{a}}").is_err());
    }

    #[test]
    fn an_address_does_without_its_host() {
        let known = variables(&[("id", "7")]);
        assert_eq!(
            known.resolve_address("{{url}}/x/{{id}}").ok().as_deref(),
            Some("/x/7")
        );
        assert!(known.resolve_address("/x/{{other}}").is_err());
    }

    #[test]
    fn the_users_values_go_first_then_the_inner_ones() {
        let known = variables(&[("a", "user"), ("b", "collection")]);
        let inner = vec![
            ("a".to_owned(), "folder".to_owned()),
            ("b".to_owned(), "folder".to_owned()),
        ];
        assert_eq!(
            known.with(1, inner).resolve("{{a}} {{b}}").ok().as_deref(),
            Some("user folder")
        );
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[{}a\" \né]{0,40}") {
            let known = variables(&[("a", "{{aa}}"), ("aa", "x")]);
            let _ = known.resolve(&text);
            let _ = known.resolve_address(&text);
        }
    }
}
