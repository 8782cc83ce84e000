//! Rules in prose: every phrasing of the table is looked for at every word.

use serde_json::Value;

use super::lists;
use super::negation::{asks, is_conditional, is_denied, turns};
use super::phrasings::{Means, PHRASINGS, Phrasing};
use super::token::{Kind, Token, beginning, tokens};
use super::{Bound, Measure, Moment, Rule, Side, Voice, alphabet, layouts, plain};

/// More is not one field's.
const MOST: usize = 6;
/// Before "one of", these make it a rule of how many fields are given.
const COUNTING: [&str; 5] = ["least", "most", "exactly", "only", "than"];
/// What follows these is an example, and no rule.
const SHOWING: [&str; 4] = ["example", "e.g", "default", "defaults"];
const FORMATS: [&str; 9] = [
    "uuid",
    "email",
    "uri",
    "date",
    "date-time",
    "time",
    "ipv4",
    "ipv6",
    "hostname",
];

/// What a text says of the field that it is about. The name of the field tells which of its words
/// are no units: the length of a `length` is its value.
pub fn rules_in(text: &str, voice: Voice, field: &str) -> Vec<Rule> {
    let text = beginning(text);
    let all = tokens(text);
    let reader = Reader {
        text,
        tokens: &all,
        voice,
        field: plain(field),
    };
    let mut found = reader.read();
    found.extend(layouts::rule(text));
    let is_pattern = |rule: &Rule| matches!(rule, Rule::Pattern(_) | Rule::Members(_));
    if !found.iter().any(is_pattern) {
        found.extend(alphabet::rule(text));
    }
    distinct(found)
}

fn distinct(all: Vec<Rule>) -> Vec<Rule> {
    let mut found = Vec::new();
    for rule in all {
        if !found.contains(&rule) && found.len() < MOST {
            found.push(rule);
        }
    }
    found
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    voice: Voice,
    field: String,
}

/// Where a phrasing was found.
struct Hit {
    start: usize,
    end: usize,
    numbers: Vec<f64>,
}

impl Reader<'_> {
    fn read(&self) -> Vec<Rule> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() && found.len() < MOST {
            let (rules, end) = self.read_at(at).unwrap_or((Vec::new(), at + 1));
            found.extend(rules);
            at = end;
        }
        found
    }

    /// The rules of the first phrasing that begins here, and where it ends.
    fn read_at(&self, at: usize) -> Option<(Vec<Rule>, usize)> {
        PHRASINGS.iter().find_map(|phrasing| {
            let hit = self.find(phrasing, at)?;
            let rules = self.meant(phrasing.means, &hit)?;
            Some((rules, hit.end))
        })
    }

    fn find(&self, phrasing: &Phrasing, start: usize) -> Option<Hit> {
        let mut at = start;
        let mut numbers = Vec::new();
        for part in phrasing.words.split(' ') {
            match part {
                "#" => {
                    // Only inside a phrase: what begins with a number has nothing before it.
                    at += if at > start { self.fillers(at) } else { 0 };
                    numbers.push(self.number(at)?);
                    at += 1;
                }
                "~" => at += self.joiners(at)?,
                "*" if numbers.is_empty() => {}
                "*" => at += 1,
                words if self.says(at, words) => at += 1,
                // A unit may stand between a number and the words that belong to it.
                words if !numbers.is_empty() && self.is_word(at) && self.says(at + 1, words) => {
                    at += 2;
                }
                _ => return None,
            }
        }
        Some(Hit {
            start,
            end: at,
            numbers,
        })
    }

    fn says(&self, at: usize, words: &str) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| words.split('|').any(|word| token.is(word)))
    }

    fn is_word(&self, at: usize) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|token| token.kind == Kind::Word)
    }

    /// "One of" and the like are no numbers.
    fn number(&self, at: usize) -> Option<f64> {
        let of = self.tokens.get(at + 1).is_some_and(|next| next.is("of"));
        let token = self.tokens.get(at)?;
        token.number().filter(|_| !(of && token.kind == Kind::Word))
    }

    /// How many small words stand before a number.
    fn fillers(&self, at: usize) -> usize {
        const SMALL: [&str; 23] = [
            "of",
            "is",
            "are",
            "be",
            "to",
            "the",
            "a",
            "an",
            "value",
            "values",
            "number",
            "length",
            "size",
            "count",
            "allowed",
            "permitted",
            "limit",
            "maximum",
            "minimum",
            "total",
            "=",
            "equal",
            "from",
        ];
        const MOST: usize = 5;
        let small = |token: &&Token<'_>| {
            matches!(token.kind, Kind::Colon | Kind::Open) || token.is_any(&SMALL)
        };
        let rest = self.tokens.get(at..).unwrap_or(&[]);
        rest.iter().take(MOST).take_while(small).count()
    }

    /// How many tokens join two numbers of a range.
    fn joiners(&self, at: usize) -> Option<usize> {
        const WORDS: [&str; 7] = ["and", "to", "through", "until", "up", "till", "thru"];
        let joins = |token: &&Token<'_>| {
            matches!(token.kind, Kind::Dash | Kind::Comma) || token.is_any(&WORDS)
        };
        let rest = self.tokens.get(at..).unwrap_or(&[]);
        let count = rest.iter().take(2).take_while(joins).count();
        (count > 0).then_some(count)
    }

    fn meant(&self, means: Means, hit: &Hit) -> Option<Vec<Rule>> {
        let before = self.sentence_before(hit.start);
        if is_conditional(before) {
            return None;
        }
        let turned = turns(before, self.voice);
        match means {
            Means::Above | Means::Below if !self.is_meant(hit, before) => None,
            Means::Least | Means::Most | Means::Above | Means::Below => {
                Some(vec![self.bound(means, hit, before, turned)?])
            }
            Means::Range | Means::CountedRange | Means::Exactly => self.range(means, hit, before),
            Means::Multiple => {
                let step = hit.numbers.first().copied().filter(|step| *step > 0.0)?;
                Some(vec![Rule::MultipleOf(step)])
            }
            Means::Positive => Some(vec![sign(Side::Least, false)]),
            Means::NotNegative => Some(vec![sign(Side::Least, true)]),
            Means::Negative if turned => Some(vec![sign(Side::Least, true)]),
            Means::Negative => Some(vec![sign(Side::Most, false)]),
            Means::Members | Means::Quoted => {
                let forbids = is_denied(before) && asks(before);
                let counts = before.last().is_some_and(|token| token.is_any(&COUNTING));
                let rest = self.tokens.get(hit.end..).unwrap_or(&[]);
                let list = lists::read(rest, means == Means::Quoted)?;
                let own = |value: &Value| value.as_str().is_some_and(|v| plain(v) == self.field);
                let shows = before.iter().any(|token| token.is_any(&SHOWING));
                let is_rule = !(forbids || counts || shows || list.iter().any(own));
                is_rule.then(|| vec![Rule::Members(list)])
            }
            Means::Pattern => {
                let last = self.tokens.get(hit.end - 1)?;
                layouts::pattern(self.text, last).map(|p| vec![Rule::Pattern(p)])
            }
            Means::Letters(pattern) => Some(vec![Rule::Pattern(pattern.to_owned())]),
            Means::NamedFormat => {
                let name = self.tokens.get(hit.end)?.text;
                let known = FORMATS
                    .iter()
                    .find(|known| known.eq_ignore_ascii_case(name));
                known.map(|format| vec![Rule::Format(format)])
            }
            Means::Format(format) => Some(vec![Rule::Format(format)]),
            Means::Case(case) => Some(vec![Rule::Case(case)]),
            Means::Moment(moment) => Some(vec![Rule::Moment(match (moment, turned) {
                (Moment::Past, false) | (Moment::Future, true) => Moment::Past,
                (Moment::Future, false) | (Moment::Past, true) => Moment::Future,
            })]),
        }
    }

    /// "Values above 1000 are cut": a description that compares without asking tells no rule.
    fn is_meant(&self, hit: &Hit, before: &[Token<'_>]) -> bool {
        const SAYING: [&str; 5] = ["is", "are", "be", "value", "number"];
        let said = before.last().is_none_or(|token| token.is_any(&SAYING));
        let sign = self.tokens[hit.start].kind == Kind::Sign;
        let beside = before.last().is_some_and(|token| token.kind == Kind::Open);
        let asked = asks(before) || is_denied(before);
        self.voice == Voice::Refusal || asked || said || sign || beside
    }

    fn bound(&self, means: Means, hit: &Hit, before: &[Token<'_>], turned: bool) -> Option<Rule> {
        let value = *hit.numbers.first()?;
        let (side, inclusive) = match (means, turned) {
            (Means::Above, false) => (Side::Least, false),
            (Means::Most, _) | (Means::Above, true) => (Side::Most, true),
            (Means::Below, false) => (Side::Most, false),
            (_, _) => (Side::Least, true),
        };
        Some(Rule::Bound(Bound {
            side,
            value,
            inclusive,
            of: self.measure(hit, before),
        }))
    }

    fn range(&self, means: Means, hit: &Hit, before: &[Token<'_>]) -> Option<Vec<Rule>> {
        let (low, high) = (*hit.numbers.first()?, *hit.numbers.last()?);
        let of = self.measure(hit, before);
        let after = self.unit_after(hit.end);
        let counted = matches!(after, Measure::Length | Measure::Items);
        let plain = means == Means::Range && low < high;
        let said = counted && (low < high || means == Means::Exactly);
        (plain || said).then(|| {
            vec![
                Rule::Bound(Bound::least(low, of)),
                Rule::Bound(Bound::most(high, of)),
            ]
        })
    }

    /// What the words after a number count: "8 capital letters" are letters.
    fn unit_after(&self, at: usize) -> Measure {
        const KINDS: [&str; 9] = [
            "capital",
            "uppercase",
            "lowercase",
            "small",
            "ascii",
            "latin",
            "alphanumeric",
            "decimal",
            "hexadecimal",
        ];
        let mut rest = self.tokens.get(at..).unwrap_or(&[]).iter();
        let word = rest.find(|token| !token.is_any(&KINDS));
        word.map_or(Measure::Own, unit)
    }

    fn sentence_before(&self, at: usize) -> &[Token<'_>] {
        let before = &self.tokens[..at];
        let start = before.iter().rposition(|token| token.kind == Kind::Stop);
        &before[start.map_or(0, |stop| stop + 1)..]
    }

    /// What a number counts: by the word after it, by the phrase itself, by what was said before.
    fn measure(&self, hit: &Hit, before: &[Token<'_>]) -> Measure {
        const NEAR: usize = 7;
        let after = self.unit_after(hit.end);
        let own = |token: &&Token<'_>| self.field.contains(&plain(token.text));
        let said = self.tokens[hit.start..hit.end].iter();
        let near = before.iter().rev().take(NEAR);
        let known = said.chain(near).filter(|token| !own(token)).map(unit);
        let mut known = known.filter(|unit| matches!(unit, Measure::Length | Measure::Items));
        match after {
            Measure::Length | Measure::Items => after,
            _ => known.next().unwrap_or(after),
        }
    }
}

/// What a word counts, where it is a unit.
fn unit(token: &Token<'_>) -> Measure {
    const LENGTH: [&str; 15] = [
        "character",
        "characters",
        "char",
        "chars",
        "letters",
        "symbols",
        "digits",
        "digit",
        "long",
        "length",
        "longer",
        "shorter",
        "bytes",
        "len",
        "characters-long",
    ];
    const ITEMS: [&str; 7] = [
        "items", "item", "elements", "element", "entries", "entry", "objects",
    ];
    const SMALL: [&str; 24] = [
        "and",
        "or",
        "if",
        "when",
        "but",
        "for",
        "in",
        "inclusive",
        "exclusive",
        "is",
        "are",
        "by",
        "per",
        "to",
        "as",
        "only",
        "received",
        "got",
        "not",
        "with",
        "on",
        "at",
        "which",
        "default",
    ];
    match token.kind {
        Kind::Word if token.is_any(&LENGTH) => Measure::Length,
        Kind::Word if token.is_any(&ITEMS) => Measure::Items,
        Kind::Word if !token.is_any(&SMALL) => Measure::Other,
        _ => Measure::Own,
    }
}

/// On which side of zero.
fn sign(side: Side, inclusive: bool) -> Rule {
    Rule::Bound(Bound {
        side,
        value: 0.0,
        inclusive,
        of: Measure::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, voice: Voice, field: &str) -> String {
        let rules = rules_in(text, voice, field);
        let shown: Vec<String> = rules.iter().map(ToString::to_string).collect();
        shown.join("; ")
    }

    #[test]
    fn every_phrasing_is_understood_by_its_own_example() {
        for phrasing in PHRASINGS {
            let (text, expected) = phrasing.like;
            let found = read(text, Voice::Description, "field");
            assert_eq!(found, expected, "{text}");
        }
    }

    /// What the common libraries of validation say.
    #[test]
    fn refusals_of_many_libraries_are_understood() {
        for (text, expected) in [
            ("Input should be greater than or equal to 3", "at least 3"),
            ("ensure this value is greater than 0", "more than 0"),
            (
                "String should have at most 80 characters",
                "at most 80 long",
            ),
            (
                "Ensure this field has no more than 80 characters.",
                "at most 80 long",
            ),
            (
                "The field Name must be a string with a maximum length of 80.",
                "at most 80 long",
            ),
            ("size must be between 3 and 20", "at least 3; at most 20"),
            ("must NOT have more than 10 characters", "at most 10 long"),
            ("must NOT have fewer than 3 characters", "at least 3 long"),
            ("must NOT have more than 5 items", "at most 5 items"),
            ("must be >= 1", "at least 1"),
            ("must match pattern \"^a+$\"", "matches ^a+$"),
            ("must match \"^[a-z ]+$\"", "matches ^[a-z ]+$"),
            (
                "\"name\" length must be at least 3 characters long",
                "at least 3 long",
            ),
            ("\"kind\" must be one of [a, b]", r#"one of "a", "b""#),
            (
                "String must contain at least 3 character(s)",
                "at least 3 long",
            ),
            (
                "Too small: expected string to have >=3 characters",
                "at least 3 long",
            ),
            ("Too big: expected number to be <=5", "at most 5"),
            (
                "Invalid enum value. Expected 'a' | 'b', received 'c'",
                r#"one of "a", "b""#,
            ),
            (
                "Invalid option: expected one of \"a\"|\"b\"",
                r#"one of "a", "b""#,
            ),
            (
                "must be one of the following values: a, b",
                r#"one of "a", "b""#,
            ),
            ("kind must be one of ['x', 'y']", r#"one of "x", "y""#),
            ("Must be one of: a, b.", r#"one of "a", "b""#),
            ("Shorter than minimum length 3.", "at least 3 long"),
            ("Longer than maximum length 80.", "at most 80 long"),
            (
                "Must be greater than or equal to 1 and less than or equal to 5.",
                "at least 1; at most 5",
            ),
            ("is too long (maximum is 80 characters)", "at most 80 long"),
            ("is too short (minimum is 3 characters)", "at least 3 long"),
            (
                "The name may not be greater than 80 characters.",
                "at most 80 long",
            ),
            ("The name must be at least 3 characters.", "at least 3 long"),
            ("The x field must be a multiple of 5.", "multiple of 5"),
            ("limit is greater than 100", "at most 100"),
            ("limit is not greater than 0", "more than 0"),
            ("limit exceeds the maximum of 100", "at most 100"),
            ("value 200 is out of range: must be in [1, 100]", ""),
            ("must be less than 10", "less than 10"),
            ("may not be less than 10", "at least 10"),
            ("must not be negative", "at least 0"),
            ("amount is negative", "at least 0"),
            ("date must not be in the past", "in the future"),
            ("date is in the past", "in the future"),
            ("date must be a date in the past", "in the past"),
            ("not a valid email address", "format email"),
            ("'x' is not one of ['a', 'b']", r#"one of "a", "b""#),
            ("should be 1, 2 or 3", ""),
            ("Expected one of 1, 2, 3", "one of 1, 2, 3"),
        ] {
            assert_eq!(read(text, Voice::Refusal, "field"), expected, "{text}");
        }
    }

    #[test]
    fn descriptions_are_understood_with_what_stands_around() {
        for (text, expected) in [
            (
                "Number of results, from 1 to 100 (default 20).",
                "at least 1; at most 100",
            ),
            (
                "Name of the project. No more than 80 characters.",
                "at most 80 long",
            ),
            ("The date in the format YYYY-MM-DD", "format date"),
            (
                "Day as DD.MM.YYYY",
                r"matches ^(0[1-9]|1[0-9]|2[0-8])\.(0[1-9]|1[0-2])\.20[0-4][0-9]$",
            ),
            (
                "Time of day (HH:mm)",
                "matches ^([01][0-9]|2[0-3]):[0-5][0-9]$",
            ),
            (
                "Sort order, either `asc` or `desc`",
                r#"one of "asc", "desc""#,
            ),
            (
                "Allowed values:\n* `a` - the first\n* `b` - the second",
                r#"one of "a", "b""#,
            ),
            ("A list of at most three tags", "at most 3"),
            ("Length in metres, at most 30", "at most 30"),
            ("Age; must be 18 or more", "at least 18"),
            ("How many. Default 20, maximum 100.", "at most 100"),
            ("Minimum 1. Maximum 1000.", "at least 1; at most 1000"),
            ("If given, at most 5 characters", "at most 5 long"),
            ("Number of fragments (< 10)", "less than 10"),
            (
                "<p>Must be in <code>YYYY-MM-DD</code> format</p>",
                "format date",
            ),
        ] {
            let field = if text.starts_with("Length") {
                "length"
            } else {
                "field"
            };
            assert_eq!(read(text, Voice::Description, field), expected, "{text}");
        }
    }

    /// Whatever is cut off, and whatever stands around: it is read or it is not.
    #[test]
    fn nothing_upsets_it() {
        for phrasing in PHRASINGS {
            let (text, _) = phrasing.like;
            for (at, _) in text.char_indices() {
                for part in [&text[..at], &text[at..]] {
                    let odd = format!("é'{part}\u{2019} \"{part}^$ {part} 99999999999999999999");
                    rules_in(&odd, Voice::Refusal, part);
                    super::super::relations_in(&odd, Voice::Refusal, &[part, "a"], Some(1));
                }
            }
        }
    }

    #[test]
    fn prose_without_rules_gives_none() {
        for text in [
            "One of the supported currencies",
            "If more than 10 are given, the rest is passed over",
            "The 3 most recent ones",
            "Sent on 2024-05-17 to version 1.2.3",
            "either phone or email must be given",
            "Returns one of several results",
            "must not be one of 'a', 'b'",
            "at least one of name, title",
            "",
            "between here and there",
            "a matching expression",
            "Must match the password",
            "Values above 1000 are cut",
            "If unspecified, at most 50 values will be returned",
            "An example would be: \"query=a\"",
            "Use either `field` or `other`",
            "4 letters, valid characters are /[a-z][0-9]-/",
            "Supplying more than one will give an error",
        ] {
            assert_eq!(read(text, Voice::Description, "field"), "", "{text}");
        }
    }
}
