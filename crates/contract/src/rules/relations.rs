//! Rules between fields, in prose.
//!
//! As with rules of one field there is a table, one line each. Of the words, `F` stands for a field,
//! `L` for a list of them, `V` for a value, `!` for a "not", and `…` for a few words of any kind; `|`
//! stands between alternatives. The fields are those that whoever asks has, so prose about anything else says
//! nothing.

use super::mentions::{Mention, Names, mentions};
use super::negation::{asks, is_conditional, is_negation, turns};
use super::token::{Kind, Token, sentences, tokens};
use super::{Relation, Voice};

struct Kinship {
    words: &'static str,
    means: Tie,
    /// An example of a refusal about the fields start, end, phone, email and password, and what
    /// comes of it.
    #[cfg_attr(not(test), allow(dead_code))]
    like: (&'static str, &'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tie {
    After,
    Before,
    NotBefore,
    NotAfter,
    Equal,
    Different,
    /// The first is one of the second, which is a list.
    Among,
    Contains,
    /// One that has a twin to confirm it.
    Confirmed,
    /// The first is given only with the second.
    Requires,
    /// The second is.
    RequiredBy,
    AnyOf,
    ExactlyOne,
    AtMostOne,
    AllOrNone,
    /// The first is given when the second has the value that follows.
    GivenWhen,
    /// It is given then and never else.
    OnlyWhen,
}

const fn row(
    words: &'static str,
    means: Tie,
    example: &'static str,
    relations: &'static str,
) -> Kinship {
    Kinship {
        words,
        means,
        like: (example, relations),
    }
}

use Tie::{
    After, AllOrNone, Among, AnyOf, AtMostOne, Before, Confirmed, Contains, Different, Equal,
    ExactlyOne, GivenWhen, NotAfter, NotBefore, OnlyWhen, RequiredBy, Requires,
};

#[rustfmt::skip]
const KINSHIPS: &[Kinship] = &[
    // Which of them may be given together.
    row("exactly one of L", ExactlyOne, "exactly one of phone, email must be given", "at least one of phone, email; at most one of phone, email"),
    row("one and only one of L", ExactlyOne, "one and only one of phone and email", "at least one of phone, email; at most one of phone, email"),
    row("either L … ! both", ExactlyOne, "send either phone or email but not both", "at least one of phone, email; at most one of phone, email"),
    row("both L … !", AtMostOne, "Both phone and email may not be set", "at most one of phone, email"),
    row("only|most|than one of L", AtMostOne, "only one of phone and email may be given", "at most one of phone, email"),
    row("L … mutually exclusive", AtMostOne, "phone and email are mutually exclusive", "at most one of phone, email"),
    row("L … ! … together|both|combined|simultaneously|time", AtMostOne, "phone and email can't be used together", "at most one of phone, email"),
    row("! … both L", AtMostOne, "You cannot send both phone and email", "at most one of phone, email"),
    row("F … ! … used|combined|specified|allowed|given|set|provided|sent … with|alongside F", AtMostOne, "phone cannot be used with email", "at most one of phone, email"),
    row("F … ! required|needed|necessary|mandatory … when|if … F", AnyOf, "phone is not required if email is given", "at least one of phone, email"),
    row("F … only … when|if … ! … F", AtMostOne, "phone is used only if not sent with email", "at most one of phone, email"),
    row("F … only … when|if F … !", AtMostOne, "phone is usable only if email is not given", "at most one of phone, email"),
    row("F … omitted|absent … when|if … F", AtMostOne, "phone needs to be omitted if email is given", "at most one of phone, email"),
    row("F … ! … when|if F … given|set|present|specified|used|provided", AtMostOne, "phone must not be set when email is given", "at most one of phone, email"),
    row("F conflicts|conflict|incompatible with … F", AtMostOne, "\"phone\" conflict with forbidden peer \"email\"", "at most one of phone, email"),
    row("F is incompatible with F", AtMostOne, "phone is incompatible with email", "at most one of phone, email"),
    row("L … must|should|have|need|needs|required … together", AllOrNone, "start and end must be given together", "start requires end; end requires start"),
    row("both L … must|should|have|need|required|mandatory", AllOrNone, "both start and end must be set", "start requires end; end requires start"),
    // One at least.
    row("at least one of L", AnyOf, "at least one of phone, email is required", "at least one of phone, email"),
    row("one of L … required|must|needed|missing", AnyOf, "one of [phone, email] is required", "at least one of phone, email"),
    row("either L", AnyOf, "either phone or email must be given", "at least one of phone, email"),
    row("L … required|must|needed|mandatory|missing", AnyOf, "phone or email is required", "at least one of phone, email"),
    row("F … required|must|needed … unless … F", AnyOf, "phone is required unless email is given", "at least one of phone, email"),
    row("F … required|must|needed … when|if|without … F … !|missing|absent|empty|null|omitted|blank", AnyOf, "phone is required if email is missing", "at least one of phone, email"),
    // One with a value of another.
    row("F … required|must|needed|mandatory … when|if … F is|equals|equal|= V … only", OnlyWhen, "a phone must be given when the email is hidden, and only then", "phone given when email is hidden, and only then"),
    row("F … required|must|needed|mandatory … when|if … F is|equals|equal|= V", GivenWhen, "phone is required if email is \"hidden\"", "phone given when email is hidden"),
    row("F … only … when|if … F is|equals|equal|= V", OnlyWhen, "phone may only be given when email is hidden", "phone given when email is hidden, and only then"),
    // One with another.
    row("F … required|must|needed … when|if … ! … F", AnyOf, "phone is required when not sending email", "at least one of phone, email"),
    row("F … must|required … used|given|sent|specified|combined|conjunction|together|along with … F", Requires, "end must be used with start", "end requires start"),
    row("F … required with F", RequiredBy, "end is required with start", "start requires end"),
    row("F … required|must|needed … when|if … F", RequiredBy, "end is required when start is given", "start requires end"),
    row("if|when F … F … required|must|needed|mandatory", Requires, "if start is given, end is required", "start requires end"),
    row("F requires|needs … F", Requires, "end requires start", "end requires start"),
    row("F depends on F", Requires, "end depends on start", "end requires start"),
    row("F missing required peer F", Requires, "\"end\" missing required peer \"start\"", "end requires start"),
    row("F … only … with|if|when F", Requires, "end can only be used with start", "end requires start"),
    row("F … without F", Requires, "end given without start", "end requires start"),
    // Order.
    row("F … after|later|greater|larger|bigger|higher|more|exceed|exceeds|beyond|follow|longer … F", After, "end must be after start", "start before end"),
    row("F … before|earlier|less|lower|smaller|precede|precedes|prior|shorter … F", Before, "end must not be before start", "start not after end"),
    row("F … at least F", NotBefore, "end must be at least start", "start not after end"),
    row("F … at most F", NotAfter, "start must be at most end", "start not after end"),
    row("F … >= F", NotBefore, "end must be >= start", "start not after end"),
    row("F … <= F", NotAfter, "start must be <= end", "start not after end"),
    row("F … > F", After, "end must be > start", "start before end"),
    row("F … < F", Before, "start must be < end", "start before end"),
    // Equal or not.
    row("F … different|differ|differs|distinct … F", Different, "end must be different from start", "end differs from start"),
    row("L … different|differ|distinct", Different, "start and end must differ", "start differs from end"),
    row("F … among|amongst|in|within … F", Among, "start must not be among the phone", "start is not among phone"),
    row("F … contain|contains|include|includes … F", Contains, "phone must include start", "start is among phone"),
    row("F … match|matches|equal|equals|identical|same|mismatch as|to|with F", Equal, "end must be equal to start", "end equals start"),
    row("F … match|matches|equal|equals F", Equal, "end does not match start", "end equals start"),
    row("L … match|equal|identical|same|mismatch", Equal, "start and end do not match", "start equals end"),
    row("F … match|matches|identical|same|mismatch", Confirmed, "passwords do not match", "password equals confirm_password"),
];

/// More is not one operation's.
const MOST: usize = 8;
/// Words between two parts of a phrasing.
const GAP: usize = 7;

/// What a text says of the fields of an operation together. `subject` is the field that it is
/// about, where it is about one.
pub fn relations_in(
    text: &str,
    voice: Voice,
    fields: &[&str],
    subject: Option<usize>,
) -> Vec<Relation> {
    let all = tokens(text);
    let names = Names::of(fields);
    let mut found: Vec<Relation> = Vec::new();
    for sentence in sentences(&all) {
        // The prose of a whole operation has words enough that are names of fields as well.
        let exact = subject.is_none() && voice == Voice::Description;
        let parts = Parts::of(sentence, &names, subject, exact);
        for relation in parts.read(voice, &names) {
            if !found.contains(&relation) && found.len() < MOST {
                found.push(relation);
            }
        }
    }
    found
}

/// A sentence with its fields known as such.
struct Parts<'t> {
    all: Vec<Part<'t>>,
}

#[derive(Clone, Copy)]
enum Part<'t> {
    Field(usize),
    Token(Token<'t>),
}

/// Where a phrasing fits: its fields, what joins a list, and where its telling word stands.
#[derive(Clone, Default)]
struct Fit {
    fields: Vec<usize>,
    /// A list is joined by "and".
    both: bool,
    /// The place of the first field, and the place after it or the list that it begins.
    start: usize,
    first: usize,
    /// The place of the last word, before the last field where one follows.
    word: usize,
    /// The place of the value.
    value: usize,
    end: usize,
}

impl Tie {
    /// It is about what fields hold, and not about which are given.
    fn compares(self) -> bool {
        !matches!(
            self,
            AnyOf
                | ExactlyOne
                | AtMostOne
                | AllOrNone
                | Requires
                | RequiredBy
                | GivenWhen
                | OnlyWhen
        )
    }
}

impl<'t> Parts<'t> {
    fn of(sentence: &[Token<'t>], names: &Names, subject: Option<usize>, exact: bool) -> Self {
        let named = mentions(sentence, names, exact);
        let subject = subject.and_then(|field| names.first(field));
        let is_named = |field: &usize| named.iter().any(|mention| mention.field == *field);
        let unsaid = subject.filter(|field| !is_named(field) && !named.is_empty());
        let mut all: Vec<Part<'t>> = unsaid.map(Part::Field).into_iter().collect();
        let mut at = 0;
        for Mention { field, start, end } in named {
            all.extend(sentence[at..start].iter().copied().map(Part::Token));
            all.push(Part::Field(field));
            at = end;
        }
        all.extend(sentence[at..].iter().copied().map(Part::Token));
        Self { all }
    }

    fn read(&self, voice: Voice, names: &Names) -> Vec<Relation> {
        let is_field = |part: &&Part<'_>| matches!(part, Part::Field(_));
        if !self.all.iter().any(|part| is_field(&part)) {
            return Vec::new();
        }
        let fits = KINSHIPS.iter().find_map(|kinship| {
            let fit = self.fit(kinship.words)?;
            let relations = self.meant(kinship.means, &fit, voice, names);
            (!relations.is_empty()).then_some(relations)
        });
        fits.unwrap_or_default()
    }

    fn fit(&self, words: &str) -> Option<Fit> {
        let pattern: Vec<&str> = words.split(' ').collect();
        (0..self.all.len()).find_map(|start| {
            let fit = Fit {
                end: start,
                ..Fit::default()
            };
            self.fit_from(&pattern, fit)
        })
    }

    fn fit_from(&self, pattern: &[&str], fit: Fit) -> Option<Fit> {
        let Some((piece, rest)) = pattern.split_first() else {
            return Some(fit);
        };
        match *piece {
            "…" => self.fit_later(rest, &fit),
            "L" => self.fit_from(rest, self.list(fit)?),
            "F" => self.fit_from(rest, self.field(fit)?),
            "V" => self.fit_from(rest, self.value(fit)?),
            words => self.fit_from(rest, self.word(words, fit)?),
        }
    }

    /// The rest of a pattern after a few words, as few as will do.
    fn fit_later(&self, rest: &[&str], fit: &Fit) -> Option<Fit> {
        (0..=GAP).find_map(|skipped| {
            let passed = self.all.get(fit.end..fit.end + skipped)?;
            let words = passed.iter().all(|part| matches!(part, Part::Token(_)));
            let later = Fit {
                end: fit.end + skipped,
                ..fit.clone()
            };
            self.fit_from(rest, later).filter(|_| words)
        })
    }

    fn field(&self, mut fit: Fit) -> Option<Fit> {
        let at = fit.end + self.small_words(fit.end);
        let Part::Field(field) = self.all.get(at)? else {
            return None;
        };
        if fit.fields.contains(field) {
            return None;
        }
        fit.end = at + 1;
        if fit.fields.is_empty() {
            (fit.start, fit.first) = (at, fit.end);
        }
        fit.fields.push(*field);
        Some(fit)
    }

    /// A value that a field has; whether it is there at all is none.
    fn value(&self, mut fit: Fit) -> Option<Fit> {
        const PRESENCE: [&str; 17] = [
            "given",
            "set",
            "present",
            "specified",
            "used",
            "provided",
            "sent",
            "missing",
            "absent",
            "empty",
            "null",
            "omitted",
            "blank",
            "not",
            "the",
            "a",
            "an",
        ];
        let Part::Token(token) = self.all.get(fit.end)? else {
            return None;
        };
        let said = matches!(token.kind, Kind::Word | Kind::Quoted);
        if !said || token.is_any(&PRESENCE) || is_negation(token) {
            return None;
        }
        fit.value = fit.end;
        fit.end += 1;
        Some(fit)
    }

    /// Two fields or more, with nothing between them but what joins a list.
    fn list(&self, fit: Fit) -> Option<Fit> {
        let mut fit = self.field(fit)?;
        loop {
            let joins = |part: &&Part<'_>| match part {
                Part::Token(token) => {
                    matches!(token.kind, Kind::Comma | Kind::Bar) || token.is_any(&["or", "and"])
                }
                Part::Field(_) => false,
            };
            let rest = &self.all[fit.end..];
            let count = rest.iter().take(3).take_while(joins).count();
            let next = Fit {
                end: fit.end + count,
                ..fit.clone()
            };
            let Some(longer) = self.field(next).filter(|_| count > 0) else {
                break;
            };
            let and = |part: &Part<'_>| matches!(part, Part::Token(token) if token.is("and"));
            let both = fit.both || rest[..count].iter().any(and);
            fit = Fit { both, ..longer };
        }
        fit.first = fit.end;
        let closed = matches!(self.all.get(fit.end), Some(Part::Token(t)) if t.kind == Kind::Close);
        fit.end += usize::from(closed);
        (fit.fields.len() > 1).then_some(fit)
    }

    fn word(&self, words: &str, mut fit: Fit) -> Option<Fit> {
        let Part::Token(token) = self.all.get(fit.end)? else {
            return None;
        };
        let says = |word: &str| match word {
            "!" => is_negation(token),
            word => token.is(word),
        };
        words.split('|').any(says).then(|| {
            fit.word = fit.end;
            fit.end += 1;
            fit
        })
    }

    /// How many small words stand before a field.
    fn small_words(&self, at: usize) -> usize {
        const SMALL: [&str; 10] = [
            "the",
            "a",
            "an",
            "field",
            "fields",
            "parameter",
            "parameters",
            "property",
            "value",
            "its",
        ];
        let small = |part: &&Part<'_>| match part {
            Part::Token(token) => {
                matches!(token.kind, Kind::Open | Kind::Colon) || token.is_any(&SMALL)
            }
            Part::Field(_) => false,
        };
        let rest = self.all.get(at..).unwrap_or(&[]);
        rest.iter().take(3).take_while(small).count()
    }

    fn tokens(&self, from: usize, to: usize) -> Vec<Token<'t>> {
        let some = self.all.get(from..to).unwrap_or(&[]);
        let token = |part: &Part<'t>| match part {
            Part::Token(token) => Some(*token),
            Part::Field(_) => None,
        };
        some.iter().filter_map(token).collect()
    }

    fn meant(&self, means: Tie, fit: &Fit, voice: Voice, names: &Names) -> Vec<Relation> {
        let before = self.tokens(0, fit.word);
        let whole = self.tokens(0, self.all.len());
        let voice = if tells_of_failure(&whole) {
            Voice::Refusal
        } else {
            voice
        };
        let lead = self.tokens(0, fit.start);
        let conditional = voice == Voice::Description && is_conditional(&lead);
        if (conditional && means != Requires) || (means.compares() && !self.is_meant(fit, voice)) {
            return Vec::new();
        }
        let (first, last) = (fit.fields[0], fit.fields[fit.fields.len() - 1]);
        let turned = turns(&before, voice);
        let all = || fit.fields.clone();
        match means {
            ExactlyOne => vec![Relation::AnyOf(all()), Relation::AtMostOne(all())],
            AtMostOne => vec![Relation::AtMostOne(all())],
            AnyOf if fit.both && !says_one_of(&before) => Vec::new(),
            AnyOf if fit.fields.len() > 1 => vec![Relation::AnyOf(all())],
            AllOrNone if turned && voice == Voice::Refusal && asks(&before) => Vec::new(),
            AllOrNone => vec![
                Relation::Requires(first, last),
                Relation::Requires(last, first),
            ],
            Requires if self.tokens(fit.first, fit.word).iter().any(is_negation) => {
                vec![Relation::AnyOf(all())]
            }
            Requires => vec![Relation::Requires(first, last)],
            RequiredBy => vec![Relation::Requires(last, first)],
            GivenWhen | OnlyWhen => {
                let value = self.tokens(fit.value, fit.value + 1);
                let given = |value: &Token<'_>| Relation::GivenWhen {
                    field: first,
                    of: last,
                    value: value.text.to_owned(),
                    only: means == OnlyWhen,
                };
                value.first().map(given).into_iter().collect()
            }
            Equal | Different | Confirmed => {
                let other = match means {
                    Confirmed => names.confirms(first),
                    _ => Some(last),
                };
                let same = (means == Different) == turned;
                let relation = if same {
                    Relation::Equal
                } else {
                    Relation::Different
                };
                other
                    .map(|other| relation(first, other))
                    .into_iter()
                    .collect()
            }
            Among | Contains => {
                let (item, list) = match means {
                    Among => (first, last),
                    _ => (last, first),
                };
                let relation = if turned {
                    Relation::NotAmong
                } else {
                    Relation::Among
                };
                vec![relation(item, list)]
            }
            After | Before | NotBefore | NotAfter => {
                let or_equal = says_or_equal(&self.tokens(fit.first, fit.end));
                vec![ordered(means, first, last, turned, or_equal)]
            }
            AnyOf => Vec::new(),
        }
    }
}

impl Parts<'_> {
    /// Whether a comparison is a rule: a refusal means it, and so does who asks for it or says it
    /// and nothing else.
    fn is_meant(&self, fit: &Fit, voice: Voice) -> bool {
        const SMALL: [&str; 9] = ["is", "are", "be", "on", "or", "the", "a", "date", "at"];
        let between = self.tokens(fit.first, fit.word);
        let small = |token: &Token<'_>| token.is_any(&SMALL) || is_negation(token);
        let bare = between.iter().all(small);
        let sign = matches!(self.all.get(fit.word), Some(Part::Token(t)) if t.kind == Kind::Sign);
        voice == Voice::Refusal || asks(&between) || (bare && (fit.start == 0 || sign))
    }
}

/// "Fails if the start is after the end": a description in the words of a refusal.
fn tells_of_failure(sentence: &[Token<'_>]) -> bool {
    const FAILS: [&str; 10] = [
        "fails",
        "fail",
        "error",
        "rejected",
        "refused",
        "invalid",
        "400",
        "422",
        "returned",
        "disallowed",
    ];
    let fails = sentence.iter().position(|token| token.is_any(&FAILS));
    fails.is_some_and(|at| is_conditional(&sentence[at..]))
}

fn says_one_of(before: &[Token<'_>]) -> bool {
    before.iter().any(|token| token.is_any(&["one", "either"]))
}

fn says_or_equal(between: &[Token<'_>]) -> bool {
    between
        .iter()
        .any(|token| token.is_any(&["equal", "same", "on"]))
        && between.iter().any(|token| token.is("or"))
}

fn ordered(means: Tie, first: usize, last: usize, turned: bool, equal: bool) -> Relation {
    let later = matches!(means, After | NotBefore);
    let (low, high) = if later { (last, first) } else { (first, last) };
    let closed = equal || matches!(means, NotBefore | NotAfter);
    match (turned, closed) {
        (false, false) => Relation::Before(low, high),
        (false, true) => Relation::NotAfter(low, high),
        (true, false) => Relation::NotAfter(high, low),
        (true, true) => Relation::Before(high, low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 7] = [
        "start",
        "end",
        "phone",
        "email",
        "password",
        "confirm_password",
        "endDate",
    ];

    fn read(text: &str, voice: Voice, subject: Option<usize>) -> String {
        let relations = relations_in(text, voice, &FIELDS, subject);
        let shown: Vec<String> = relations.iter().map(|r| r.shown(&FIELDS)).collect();
        shown.join("; ")
    }

    #[test]
    fn every_kinship_is_understood_by_its_own_example() {
        for kinship in KINSHIPS {
            let (text, expected) = kinship.like;
            assert_eq!(read(text, Voice::Refusal, None), expected, "{text}");
        }
    }

    #[test]
    fn refusals_of_many_services_are_understood() {
        for (text, expected) in [
            ("End must be on or after start", "start not after end"),
            (
                "end must be greater than or equal to start",
                "start not after end",
            ),
            ("end is before start", "start not after end"),
            ("start is after end", "start not after end"),
            ("The start exceeds the end", "start not after end"),
            (
                "\"end\" must be greater than \"ref:start\"",
                "start before end",
            ),
            ("The end must be a date after start.", "start before end"),
            ("start cannot be later than end", "start not after end"),
            ("end date must be after start", "start before endDate"),
            (
                "The password confirmation does not match.",
                "password equals confirm_password",
            ),
            (
                "password and confirm_password must match",
                "password equals confirm_password",
            ),
            (
                "confirm password must be the same as password",
                "confirm_password equals password",
            ),
            (
                "start and end must not be the same",
                "start differs from end",
            ),
            ("start and end are equal", "start differs from end"),
            (
                "\"value\" must contain at least one of [phone, email]",
                "at least one of phone, email",
            ),
            (
                "Please provide either a phone or an email",
                "at least one of phone, email",
            ),
            (
                "email is required when phone is not given",
                "at least one of email, phone",
            ),
            (
                "The end field is required when start is present.",
                "start requires end",
            ),
        ] {
            assert_eq!(read(text, Voice::Refusal, None), expected, "{text}");
        }
    }

    #[test]
    fn descriptions_of_a_field_leave_it_unsaid() {
        for (text, expected) in [
            ("Must be after `start`.", "start before end"),
            ("Last day. Not before start.", "start not after end"),
            ("At least start.", "start not after end"),
            ("Fails if it is before start", "start not after end"),
            ("Requires start.", "end requires start"),
            (
                "Can't be used together with phone",
                "at most one of end, phone",
            ),
            ("Only used if phone is given", "end requires phone"),
            ("At least <code>0</code>, and end>start", "start before end"),
            ("If phone is given, end is required", "phone requires end"),
        ] {
            assert_eq!(read(text, Voice::Description, Some(1)), expected, "{text}");
        }
    }

    #[test]
    fn prose_that_only_names_fields_gives_none() {
        for text in [
            "phone and email of the customer",
            "The end of the story is after the beginning",
            "If start is after end, both are swapped",
            "start",
            "",
            "phone must be a valid number",
            "Sends an email to the phone",
            "If both `phone` and `email` are given, `phone` wins",
            "`phone`, not to be confused with `email`",
            "Search by start or end, more of which come before the phone",
            "With `start` the thumbnail might be smaller than the given `end`",
        ] {
            assert_eq!(read(text, Voice::Description, None), "", "{text}");
        }
    }
}
