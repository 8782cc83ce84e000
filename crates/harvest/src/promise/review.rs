//! An answer held against its promise: what was asserted, and what is wrong.
//!
//! Assertions are counted as table I of the `AutoGraphQL` paper has them: the format of the answer
//! (its status, that it is JSON, that it has no errors), then for each key that it is there, for
//! what may not be null that it is not, and for each value its kind or type; in lists once for
//! every item. `__typename` counts once, as the kind of its object. That there are no other keys
//! is looked at as well, but the paper has no such oracle and so it is not counted.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{Case, Held, Promise, SetId, Wanted, What};

/// What came of holding an answer against its promise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Review {
    /// How many assertions were evaluated.
    pub assertions: u64,
    pub flaws: Vec<Flaw>,
}

/// Something that is not as the schema promises.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flaw {
    /// `Book.title`: equal for the same fault, wherever an answer shows it.
    pub owner: String,
    /// `null`, `type`, `enum`, `format`, `missing`, `extra`, `typename`, `list`, `object`,
    /// `errors`, `json`.
    pub constraint: &'static str,
    /// `books/*/title`
    pub place: String,
}

/// Status, JSON, and no errors.
const OF_FORMAT: u64 = 3;
/// More flaws than these say nothing new.
const ENOUGH: usize = 64;
/// Values that are looked at; where types are not told, objects are looked at several times.
const EFFORT: u64 = 20_000_000;

impl Promise {
    /// Holds the body of an answer against the promise; `None` is a body that is no JSON.
    pub fn review(&self, body: Option<&Value>) -> Review {
        let mut walk = Walk {
            promise: self,
            place: Vec::new(),
            review: Review::default(),
            effort: EFFORT,
        };
        walk.body(body);
        walk.review
    }

    /// How many assertions an answer evaluates.
    pub fn count(&self, body: Option<&Value>) -> u64 {
        self.review(body).assertions
    }
}

struct Walk<'p> {
    promise: &'p Promise,
    place: Vec<&'p str>,
    review: Review,
    effort: u64,
}

impl<'p> Walk<'p> {
    fn body(&mut self, body: Option<&Value>) {
        let Some(Value::Object(body)) = body else {
            self.review.assertions += OF_FORMAT - 1;
            self.flaw("answer", "json");
            return;
        };
        self.review.assertions += OF_FORMAT;
        if body.contains_key("errors") {
            self.flaw("answer", "errors");
        }
        match body.get("data") {
            Some(Value::Object(data)) => self.object(data, self.promise.root),
            // What went wrong is told by the errors.
            _ if body.contains_key("errors") => {}
            Some(_) => self.flaw("answer.data", "object"),
            None => self.flaw("answer.data", "missing"),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, set: SetId) {
        let promise = self.promise;
        match promise.sets[set].cases.as_slice() {
            [] => {}
            [only] => self.case(map, only),
            several => match told(map, several) {
                Some(case) => self.case(map, case),
                None => self.likeliest(map, several),
            },
        }
    }

    /// Nobody says of which type an object is: the case that fits it best counts.
    fn likeliest(&mut self, map: &Map<String, Value>, cases: &'p [Case]) {
        let mut best: Option<Review> = None;
        for case in cases {
            let before = std::mem::take(&mut self.review);
            self.case(map, case);
            let tried = std::mem::replace(&mut self.review, before);
            let fits = tried.flaws.is_empty();
            if best
                .as_ref()
                .is_none_or(|best| tried.flaws.len() < best.flaws.len())
            {
                best = Some(tried);
            }
            if fits {
                break;
            }
        }
        if let Some(best) = best {
            self.review.assertions += best.assertions;
            self.review.flaws.extend(best.flaws);
        }
    }

    fn case(&mut self, map: &Map<String, Value>, case: &'p Case) {
        let mut found = 0;
        for wanted in &case.keys {
            self.place.push(&wanted.key);
            let there = map.get(&*wanted.key);
            self.present(wanted, there.is_some());
            if let Some(value) = there {
                found += 1;
                self.held(value, wanted, case);
            }
            self.place.pop();
        }
        if found < map.len() {
            self.extra(map, case);
        }
    }

    fn present(&mut self, wanted: &Wanted, there: bool) {
        if wanted.held != Held::Typename {
            self.review.assertions += u64::from(wanted.certain);
        }
        if wanted.certain && !there {
            self.flaw(&wanted.owner, "missing");
        }
    }

    fn extra(&mut self, map: &Map<String, Value>, case: &Case) {
        let known = |key: &str| case.keys.iter().any(|wanted| &*wanted.key == key);
        for key in map.keys().filter(|key| !known(key)).take(ENOUGH) {
            let of = case.types.first().map_or("", |name| &**name);
            self.flaw(&format!("{of}.{key}"), "extra");
        }
    }

    fn held(&mut self, value: &Value, wanted: &'p Wanted, case: &Case) {
        match &wanted.held {
            Held::Anything => {}
            Held::Typename => {
                self.review.assertions += 1;
                let is_one = |name: &str| case.types.iter().any(|known| &**known == name);
                if !value.as_str().is_some_and(is_one) {
                    self.flaw(&wanted.owner, "typename");
                }
            }
            Held::Untold { nullable, listed } => self.untold(value, *nullable, *listed, wanted),
            Held::Value { nullable, what } => self.value(value, nullable, what, wanted),
        }
    }

    fn untold(&mut self, value: &Value, nullable: bool, listed: bool, wanted: &Wanted) {
        self.review.assertions += u64::from(!nullable);
        if value.is_null() {
            if !nullable {
                self.flaw(&wanted.owner, "null");
            }
            return;
        }
        self.review.assertions += u64::from(listed);
        if listed && !value.is_array() {
            self.flaw(&wanted.owner, "list");
        }
    }

    fn value(&mut self, value: &Value, nullable: &[bool], what: &What, wanted: &'p Wanted) {
        self.effort = self.effort.saturating_sub(1);
        if self.effort == 0 || self.review.flaws.len() > ENOUGH {
            return;
        }
        let (outer, inner) = match nullable {
            [] => (true, &[][..]),
            [outer, inner @ ..] => (*outer, inner),
        };
        self.review.assertions += u64::from(!outer);
        match (value, what) {
            (Value::Null, _) if outer => {}
            (Value::Null, _) => self.flaw(&wanted.owner, "null"),
            _ if !inner.is_empty() => self.list(value, inner, what, wanted),
            (_, What::Leaf(leaf)) => {
                self.review.assertions += 1;
                if let Some(constraint) = leaf.broken(value) {
                    self.flaw(&wanted.owner, constraint);
                }
            }
            (Value::Object(map), What::Object(set)) => self.object(map, *set),
            _ => self.flaw(&wanted.owner, "object"),
        }
    }

    fn list(&mut self, value: &Value, nullable: &[bool], what: &What, wanted: &'p Wanted) {
        self.review.assertions += 1;
        let Value::Array(items) = value else {
            self.flaw(&wanted.owner, "list");
            return;
        };
        self.place.push("*");
        for item in items {
            self.value(item, nullable, what, wanted);
        }
        self.place.pop();
    }

    fn flaw(&mut self, owner: &str, constraint: &'static str) {
        let mut place = String::new();
        for key in &self.place {
            let gap = if place.is_empty() { "" } else { "/" };
            _ = write!(place, "{gap}{key}");
        }
        let flaw = Flaw {
            owner: owner.to_owned(),
            constraint,
            place,
        };
        if !self.review.flaws.contains(&flaw) {
            self.review.flaws.push(flaw);
        }
    }
}

/// The case of the type that an object tells.
fn told<'c>(map: &Map<String, Value>, cases: &'c [Case]) -> Option<&'c Case> {
    cases.iter().find(|case| {
        let mut keys = case.keys.iter();
        let key = keys.find(|wanted| wanted.held == Held::Typename);
        let name = key.and_then(|wanted| map.get(&*wanted.key)?.as_str());
        name.is_some_and(|name| case.types.iter().any(|known| &**known == name))
    })
}
