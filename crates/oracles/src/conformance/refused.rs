//! Why a value was refused: for its own sake, or for what stands beside it or is stored.
//!
//! Services have rules that no schema tells, and most refusals are right. Only one that speaks of
//! this very field and of nothing else contradicts the document. Whatever smells of another field
//! or of a state is taken for a rule.

use fossick_contract::{
    Api, Kind, Location, Operation, Relation, Rule, Shape, ShapeId, StatusPattern, Voice,
    mentioned, paired, plain, relations_in, rules_in, unescape_token,
};
use fossick_trace::remarks;
use serde_json::Value;

use crate::scene::{Scene, Shown};

/// What a refusal of one value shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The refusal is about this field, and says that the value is none.
    Value,
    /// It says too little to be blamed on anything.
    Unsaid,
    /// Another field, a state or a rule that the document tells may be behind it.
    Circumstances,
}

/// The field that a refused value was sent for.
pub(crate) struct Refused<'s, 'a> {
    step: &'s Shown<'a>,
    name: String,
    shape: Option<&'a Shape>,
    description: &'a str,
    /// As far as it can be read back from the way it is shown.
    value: Option<Value>,
    /// Names of all fields that the operation takes.
    names: Vec<&'a str>,
}

impl<'s, 'a> Refused<'s, 'a> {
    pub(crate) fn of(scene: &Scene<'a>, step: &'s Shown<'a>, place: &str, value: &str) -> Self {
        let (api, operation) = (scene.api, step.operation);
        let (location, rest) = place.split_once(' ').unwrap_or((place, ""));
        let parameter = operation
            .parameters
            .iter()
            .find(|p| p.location.to_string() == location && p.name == rest);
        let (name, shape, said) = match parameter {
            Some(p) => (p.name.clone(), Some(p.shape), Some(p.description.as_str())),
            None if location == "body" => in_body(api, operation, rest),
            None => (rest.to_owned(), None, None),
        };
        let shape = shape.map(|shape| api.shape(shape));
        let shared = || shape.and_then(|shape| shape.description.as_deref());
        let said = said.filter(|text| !text.is_empty());
        Self {
            step,
            name,
            shape,
            description: said.or_else(shared).unwrap_or(""),
            value: serde_json::from_str(value).ok(),
            names: names(api, operation),
        }
    }

    pub(crate) fn blame(&self) -> Blame {
        let said = self.said();
        let about = |(field, text): &(Option<String>, String)| {
            let of = field.as_deref().map(last_part);
            let by_structure = of.is_some_and(|of| plain(of) == plain(&self.name));
            by_structure || !mentioned(text, &[&self.name]).is_empty()
        };
        let condemns = |(_, text): &(Option<String>, String)| self.condemns(text);
        match () {
            () if self.is_told() || said.iter().any(|one| self.is_circumstance(one)) => {
                Blame::Circumstances
            }
            () if said.iter().any(about) && said.iter().any(condemns) => Blame::Value,
            () => Blame::Unsaid,
        }
    }

    /// Whether the value is an end of a range or one of a closed set, and stands alone: then even a
    /// refusal that says nothing can't well be about anything else.
    pub(crate) fn is_plainly_promised(&self) -> bool {
        let (Some(shape), Some(value)) = (self.shape, &self.value) else {
            return false;
        };
        let has_twin = |relation: &Relation| {
            let fields = relation.fields();
            fields.iter().any(|at| self.names[*at] == self.name)
        };
        let bound = match (&shape.kind, value) {
            (Kind::Enum(members), value) => members.contains(value),
            (Kind::Boolean, _) => true,
            (Kind::Integer(number) | Kind::Number(number), value) => {
                let value = value.as_f64();
                value.is_some() && [number.minimum, number.maximum].contains(&value)
            }
            (Kind::String(text), Value::String(sent)) => {
                let length = sent.chars().count();
                text.max_length == Some(length) || (length > 0 && text.min_length == length)
            }
            _ => false,
        };
        bound && !paired(&self.names).iter().any(has_twin)
    }

    /// Whether nothing else was sent that a rule could be about.
    pub(crate) fn is_alone(&self) -> bool {
        let query = self.step.query().split('&').filter(|pair| !pair.is_empty());
        let query = query.map(|pair| pair.split('=').next().unwrap_or("").to_owned());
        let body = self.step.sent();
        let body = body.as_ref().and_then(Value::as_object);
        let body = body.into_iter().flat_map(|map| map.keys().cloned());
        query
            .chain(body)
            .all(|sent| plain(&sent) == plain(&self.name))
    }

    /// What the document tells of such refusals: then they are part of the contract.
    pub(crate) fn documented(&self) -> Option<&'a str> {
        let status = self.step.status();
        let own = [StatusPattern::Exact(status), StatusPattern::Class(4)];
        let mut responses = self.step.operation.responses.iter();
        let told = responses.find(|r| own.contains(&r.status) && !r.description.trim().is_empty());
        told.map(|response| response.description.as_str())
    }

    /// What the refusal says, with the field that it says it of.
    fn said(&self) -> Vec<(Option<String>, String)> {
        let Some(answer) = self.step.answer() else {
            return Vec::new();
        };
        match answer.json() {
            Some(body) => remarks(body)
                .into_iter()
                .map(|remark| (remark.field, remark.text.chars().take(600).collect()))
                .collect(),
            None => vec![(None, answer.excerpt(600))],
        }
    }

    /// Whether the document itself tells a rule that may exclude the value.
    fn is_told(&self) -> bool {
        let voice = Voice::Description;
        let excludes = |rule: &Rule| {
            let value = self.value.as_ref();
            value.is_some_and(|value| rule.allows(value) == Some(false))
        };
        let own = self.names.iter().position(|name| *name == self.name);
        let about = |relation: &Relation| own.is_some_and(|own| relation.fields().contains(&own));
        let operation = self.step.operation;
        let prose = [operation.summary.as_str(), operation.description.as_str()];
        let said = prose.iter().any(|text| {
            let named = !mentioned(text, &[&self.name]).is_empty();
            named
                && (rules_in(text, voice, &self.name).iter().any(excludes)
                    || relations_in(text, voice, &self.names, None)
                        .iter()
                        .any(about))
        });
        said || rules_in(self.description, voice, &self.name)
            .iter()
            .any(excludes)
            || !relations_in(self.description, voice, &self.names, own).is_empty()
            || has_words(self.description, &CONDITIONS, &self.name)
            || self.documented().is_some_and(|text| {
                has_words(text, &STATES, &self.name) || has_words(text, &CONDITIONS, &self.name)
            })
    }

    /// Whether something that was said is about another field, a state or a condition.
    fn is_circumstance(&self, (field, text): &(Option<String>, String)) -> bool {
        let others: Vec<&str> = self.others();
        let sentence = text.contains(' ');
        let of = field.as_deref().map(|field| plain(last_part(field)));
        let of_another = of.is_some_and(|of| others.iter().any(|other| plain(other) == of));
        let of_others = of_another || !mentioned(text, &others).is_empty();
        (sentence && of_others)
            || text.to_lowercase().contains("not found")
            || has_words(text, &STATES, &self.name)
            || has_words(text, &CONDITIONS, &self.name)
    }

    fn others(&self) -> Vec<&'a str> {
        let own = plain(&self.name);
        let other = |name: &&&str| plain(name) != own;
        self.names.iter().filter(other).copied().collect()
    }

    /// Whether a sentence says that the value itself will not do.
    fn condemns(&self, text: &str) -> bool {
        const WORDS: [&str; 16] = [
            "invalid",
            "not valid",
            "isn't valid",
            "illegal",
            "malformed",
            "too ",
            "out of range",
            "not one of",
            "not in ",
            "not allowed",
            "not supported",
            "unsupported",
            "must ",
            "should ",
            "exceed",
            "expected",
        ];
        let lower = text.to_lowercase();
        let excludes = |rule: Rule| {
            let value = self.value.as_ref();
            value.is_some_and(|value| rule.allows(value) == Some(false))
        };
        WORDS.iter().any(|word| lower.contains(word))
            || rules_in(text, Voice::Refusal, &self.name)
                .into_iter()
                .any(excludes)
    }
}

/// Words of what is stored or has happened, and of whom it belongs to.
const STATES: [&str; 44] = [
    "already",
    "exist",
    "exists",
    "existing",
    "conflict",
    "conflicts",
    "unknown",
    "closed",
    "open",
    "capacity",
    "available",
    "unavailable",
    "taken",
    "duplicate",
    "unique",
    "used",
    "quota",
    "reached",
    "insufficient",
    "enough",
    "balance",
    "remaining",
    "stock",
    "left",
    "full",
    "expired",
    "locked",
    "archived",
    "deleted",
    "active",
    "inactive",
    "state",
    "status",
    "transition",
    "currently",
    "current",
    "previous",
    "owner",
    "permission",
    "belongs",
    "reserved",
    "booked",
    "changed",
    "yet",
];

/// Words that tie a value to something else.
const CONDITIONS: [&str; 27] = [
    "requires",
    "together",
    "combination",
    "combined",
    "when",
    "if",
    "unless",
    "only",
    "before",
    "after",
    "while",
    "until",
    "since",
    "because",
    "another",
    "other",
    "others",
    "both",
    "neither",
    "same",
    "match",
    "matches",
    "without",
    "depends",
    "depending",
    "past",
    "future",
];

/// Whether a text has one of these words, apart from those of the field's own name.
fn has_words(text: &str, words: &[&str], field: &str) -> bool {
    let own = plain(field);
    let lower = text.to_lowercase();
    if lower.contains("://") {
        return false;
    }
    let mut said = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    said.any(|word| words.contains(&word) && !own.contains(&plain(word)))
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

/// The name, shape and own description of a field of the body.
fn in_body<'a>(
    api: &'a Api,
    operation: &'a Operation,
    pointer: &str,
) -> (String, Option<ShapeId>, Option<&'a str>) {
    let mut name = String::new();
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    let mut shape = contents.into_iter().find_map(|content| content.shape);
    let mut said = None;
    for token in pointer.split('/').skip(1) {
        let token = unescape_token(token);
        let inner = shape.and_then(|shape| step_into(api, shape, &token));
        (shape, said) = match inner {
            Some((shape, said)) => (Some(shape), said),
            None => (None, None),
        };
        if token.parse::<usize>().is_err() {
            name = token;
        }
    }
    (name, shape, said)
}

/// The shape of a property or an item, with what is said of it there.
pub(crate) fn step_into<'a>(
    api: &'a Api,
    shape: ShapeId,
    token: &str,
) -> Option<(ShapeId, Option<&'a str>)> {
    match &api.shape(shape).kind {
        Kind::Object(object) => {
            let property = object.property(token)?;
            Some((property.shape, property.description.as_deref()))
        }
        Kind::Array(array) => Some((array.prefix.first().copied().or(array.items)?, None)),
        Kind::Choice(choice) => {
            let options = choice.options.iter().filter(|option| **option != shape);
            let objects = options.filter(|option| {
                let kind = &api.shape(**option).kind;
                matches!(kind, Kind::Object(_) | Kind::Array(_))
            });
            objects
                .into_iter()
                .find_map(|option| step_into(api, *option, token))
        }
        _ => None,
    }
}

/// The names of everything that an operation takes: parameters, and fields of the body to some
/// depth.
fn names<'a>(api: &'a Api, operation: &'a Operation) -> Vec<&'a str> {
    const MOST: usize = 200;
    const DEEPEST: usize = 4;
    let is_told = |location: Location| location != Location::Cookie;
    let parameters = operation.parameters.iter();
    let mut found: Vec<&str> = parameters
        .filter(|p| is_told(p.location))
        .map(|p| p.name.as_str())
        .collect();
    let contents = operation.body.iter().flat_map(|body| &body.contents);
    let mut level: Vec<ShapeId> = contents
        .filter_map(|content| content.shape)
        .take(1)
        .collect();
    for _ in 0..DEEPEST {
        let mut below = Vec::new();
        for shape in level {
            match &api.shape(shape).kind {
                Kind::Object(object) => {
                    for property in object.properties.iter().take(MOST) {
                        found.push(&property.name);
                        below.push(property.shape);
                    }
                }
                Kind::Array(array) => below.extend(array.items),
                Kind::Choice(choice) => below.extend(choice.options.iter().take(MOST)),
                _ => {}
            }
        }
        below.truncate(MOST);
        level = below;
    }
    found.truncate(MOST);
    found
}
