//! Fields that a text speaks of: `startDate` is "start date", `start_date` and `'startDate'`.

use super::token::{Kind, Token, tokens};

/// A name without case, marks and a plural's last letter.
pub fn plain(name: &str) -> String {
    let mut bare: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if bare.len() > 2 && bare.ends_with('s') {
        bare.pop();
    }
    bare
}

/// The fields that a text names, in its order and each once; as places in the list given.
pub fn mentioned(text: &str, fields: &[&str]) -> Vec<usize> {
    let all = tokens(text);
    let mut found = Vec::new();
    for mention in mentions(&all, &Names::of(fields), false) {
        if !found.contains(&mention.field) {
            found.push(mention.field);
        }
    }
    found
}

/// A field where it is named: which tokens name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) field: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Names of fields, ready to be looked for.
pub(super) struct Names {
    plain: Vec<String>,
}

impl Names {
    pub(super) fn of(fields: &[&str]) -> Self {
        Self {
            plain: fields.iter().map(|field| plain(field)).collect(),
        }
    }

    /// The first field of the same name.
    pub(super) fn first(&self, field: usize) -> Option<usize> {
        self.find(self.plain.get(field)?)
    }

    fn find(&self, name: &str) -> Option<usize> {
        let known = |own: &String| !name.is_empty() && own == name;
        self.plain.iter().position(known)
    }

    /// Two fields that hold the same twice, one to confirm the other, of which this is one.
    pub(super) fn confirms(&self, field: usize) -> Option<usize> {
        let own = self.plain.get(field)?;
        let twin = |other: &&String| confirms(own, other) || confirms(other, own);
        let at = self.plain.iter().position(|other| twin(&other));
        at.filter(|at| *at != field)
    }
}

/// Whether a field is another with a word like "confirm" at one of its ends.
fn confirms(longer: &str, shorter: &str) -> bool {
    const WORDS: [&str; 8] = [
        "confirmation",
        "confirm",
        "confirmed",
        "repeat",
        "repeated",
        "again",
        "verify",
        "retype",
    ];
    let rest = longer
        .strip_prefix(shorter)
        .or_else(|| longer.strip_suffix(shorter));
    !shorter.is_empty() && rest.is_some_and(|rest| WORDS.contains(&rest))
}

/// Words of the language that are names of fields as well. Bare, they are meant as names only where
/// a sentence begins or ends.
const COMMON: [&str; 34] = [
    "a", "an", "the", "to", "from", "in", "on", "at", "by", "of", "or", "and", "not", "no", "if",
    "is", "be", "it", "as", "before", "after", "since", "until", "both", "must", "given", "used",
    "value", "required", "with", "for", "when", "only", "one",
];

/// Every field that tokens name. Where it is to be `exact`, a bare word that might be a word of
/// the language is none.
pub(super) fn mentions(tokens: &[Token<'_>], names: &Names, exact: bool) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match mention(tokens, at, names, exact) {
            Some(mention) => {
                at = mention.end;
                found.push(mention);
            }
            None => at += 1,
        }
    }
    found
}

/// A name of up to four words, the longest first.
fn mention(tokens: &[Token<'_>], at: usize, names: &Names, exact: bool) -> Option<Mention> {
    let token = tokens.get(at)?;
    let found = |field, end| Mention {
        field,
        start: at,
        end,
    };
    if token.kind == Kind::Quoted {
        return names
            .find(&named(token.text))
            .map(|field| found(field, at + 1));
    }
    let words = tokens[at..].iter().take(4);
    let words: Vec<&str> = words
        .take_while(|token| token.kind == Kind::Word)
        .map(|token| token.text)
        .collect();
    (1..=words.len()).rev().find_map(|count| {
        let name = match count {
            1 => named(words[0]),
            _ => plain(&words[..count].concat()),
        };
        let end = at + count;
        let common = token.is_any(&COMMON) && !is_at_an_end(tokens, at);
        let vague = common || name.len() < 2 || (exact && !is_coined(words[0]));
        let field = names.find(&name).filter(|_| count > 1 || !vague)?;
        Some(found(field, end))
    })
}

/// Whether a word is surely a name: `orgId`, `org_id`.
fn is_coined(word: &str) -> bool {
    let humps = word.chars().skip(1).any(char::is_uppercase);
    word.contains(['_', '-']) || (humps && word.chars().any(char::is_lowercase))
}

/// The last part of a name with dots, without what libraries write before it.
fn named(text: &str) -> String {
    let text = text.rsplit(['.', '/', ':']).next().unwrap_or(text);
    plain(text)
}

fn is_at_an_end(tokens: &[Token<'_>], at: usize) -> bool {
    let stops = |token: Option<&Token<'_>>| token.is_none_or(|t| t.kind == Kind::Stop);
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    stops(before) || stops(tokens.get(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_known_however_they_are_written() {
        let fields = ["startDate", "end_date", "tags", "to", "price"];
        for (text, expected) in [
            ("Start date is after End Date", vec![0, 1]),
            ("start_date and endDate", vec![0, 1]),
            ("`body.startDate` or 'ref:end_date'", vec![0, 1]),
            ("The tag is unknown", vec![2]),
            ("has to be unique", vec![]),
            ("to must be given", vec![3]),
            ("the starting date, priceless", vec![]),
        ] {
            assert_eq!(mentioned(text, &fields), expected, "{text}");
        }
    }
}
