//! A script that was run a few times, as a test.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::{Api, Method};
use fossick_trace::{
    Answer, Call, Episode, Extent, Finding, Location, Outcome, Request, Role, Script, Take,
};
use serde_json::Value;

use crate::alone::alone;
use crate::expect::{self, Limits};
use crate::holes::{self, variables};
use crate::own::Own;
use crate::place::at;
use crate::steps::Variables;
use crate::suspect::Shown;
use crate::verdict::essence;
use crate::volatile::{Volatile, volatile};
use crate::{Check, Fault, Group, Is, JsonKind, Key, Save, Step, Test, What, naming, suspect};

/// A script and what came of it, each time it was run.
pub struct Sighting<'s> {
    pub script: &'s Script,
    /// At least one; each has names of its own.
    pub runs: &'s [Episode],
    pub finding: Option<&'s Finding>,
    /// Where steps show other faults. Nothing is expected of these places: a test of what works
    /// must not break when such a fault is mended.
    pub faulty: Vec<(usize, Location)>,
}

impl Sighting<'_> {
    /// Whether what came of a step is a fault as a whole.
    fn is_silent(&self, at: usize) -> bool {
        let whole = |location: &Location| matches!(location, Location::Outcome | Location::Message);
        let mut faulty = self.faulty.iter();
        faulty.any(|(step, location)| *step == at && whole(location))
    }

    /// The places of a step's answer that are wrong because of a fault which has its own check.
    fn wrong_at(&self, at: usize) -> impl Iterator<Item = &Location> {
        let others = self.faulty.iter().map(|(step, location)| (*step, location));
        let others =
            others.filter(move |(step, location)| *step == at || self.spoils(*step, location, at));
        let own = self
            .finding
            .map(|finding| (finding.call, &finding.location));
        let own =
            own.filter(move |(step, location)| *step != at && self.spoils(*step, location, at));
        others.chain(own).map(|(_, location)| location)
    }

    /// Whether what one step shows of a thing's state is wrong at another as well: it is so from the
    /// write on that should have made it otherwise.
    fn spoils(&self, step: usize, location: &Location, at: usize) -> bool {
        let is_write = |at: &usize| {
            self.script
                .calls
                .get(*at)
                .is_some_and(|call| !is_read(call))
        };
        let write = (0..=step).rev().find(is_write);
        matches!(location, Location::State { .. }) && write.is_some_and(|write| write <= at)
    }
}

/// A test, and what of its answers changes from run to run.
#[derive(Debug)]
pub struct Written {
    pub test: Test,
    /// By step.
    pub volatile: Vec<(usize, Volatile)>,
    /// What the answer that shows the finding would be without the things of others, in each run.
    pub alone: Vec<Value>,
}

/// Why a script makes no test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wavers {
    #[error("step {step} answered {one} once and {other} another time")]
    Status {
        step: usize,
        one: String,
        other: String,
    },
    #[error("it got further in one run than in another")]
    Length,
    #[error("step {0} got no answer")]
    NoAnswer(usize),
    #[error("it was not run")]
    Never,
    #[error("it shows nothing but faults that have tests of their own")]
    Faulty,
}

/// Writes a test down.
pub fn write(
    api: &Api,
    sighting: &Sighting<'_>,
    user_of: &dyn Fn(&Call) -> Option<usize>,
    limits: Limits,
) -> Result<Written, Wavers> {
    let mut answers = answers(sighting.runs)?;
    let script = match sighting.runs.first() {
        Some(run) => sighting.script.settled(run),
        None => Cow::Borrowed(sighting.script),
    };
    let sighting = &Sighting {
        script: &script,
        faulty: sighting.faulty.clone(),
        ..*sighting
    };
    answers.truncate(expected(sighting, answers.len())?);
    let variables = Variables::of(sighting.script);
    let known = values_of(&variables, sighting.runs);
    let mut writer = Writer {
        sighting,
        names: names_of(sighting.script, &variables, &known),
        variables,
        known,
        limits,
        volatile: Vec::new(),
        alone: Vec::new(),
    };
    let mut steps = Vec::new();
    for (at, answers) in answers.iter().enumerate() {
        let Some(call) = sighting.script.calls.get(at) else {
            break;
        };
        let mut step = writer.step(at, call, answers, user_of(call));
        if asks_about_everything(api, call) && sighting.finding.is_none_or(|f| f.call != at) {
            forget_sums(&sighting.runs[0].exchanges[at].request, &mut step.checks);
        }
        steps.push(step);
    }
    let (call, answer) = subject(sighting, &answers).ok_or(Wavers::Never)?;
    let name = match sighting.finding {
        Some(finding) => naming::of_fault(api, finding, call),
        None => match mains(sighting, &answers).as_slice() {
            [] | [_] => naming::of_call(api, call, answer),
            several => naming::of_story(api, several),
        },
    };
    let test = Test {
        name,
        group: group(sighting.finding, &mains(sighting, &answers), answer),
        about: about(sighting.script),
        fault: sighting.finding.map(fault),
        fresh: writer.variables.fresh,
        quiet: false,
        steps,
    };
    Ok(Written {
        test,
        volatile: writer.volatile,
        alone: writer.alone,
    })
}

/// The steps up to the last one that something is expected of.
fn expected(sighting: &Sighting<'_>, steps: usize) -> Result<usize, Wavers> {
    let is_right = |at: &usize| !sighting.is_silent(*at);
    let is_main = |at: usize| sighting.script.calls[at].role == Role::Main;
    let is_about = |at: usize| is_right(&at) && is_main(at);
    let had = (0..steps).any(is_main);
    // A write that fails today changes something once it is mended, and all that comes after.
    let fails = |at: &usize| !is_right(at) && !is_read(&sighting.script.calls[*at]);
    let spoiled = (0..steps).find(fails);
    let steps = spoiled
        .filter(|_| sighting.finding.is_none())
        .unwrap_or(steps);
    let last = (0..steps).rev().find(is_right).ok_or(Wavers::Faulty)?;
    if !had || sighting.finding.is_some() {
        return Ok(last + 1);
    }
    // Set-up of what was never called is no part of the story.
    let last = (0..=last).rev().find(|at| is_about(*at));
    last.map(|last| last + 1).ok_or(Wavers::Faulty)
}

struct Writer<'w> {
    sighting: &'w Sighting<'w>,
    variables: Variables,
    known: BTreeMap<String, Vec<Value>>,
    /// Variables whose values are of one thing that the test made.
    names: BTreeSet<String>,
    limits: Limits,
    volatile: Vec<(usize, Volatile)>,
    alone: Vec<Value>,
}

impl Writer<'_> {
    fn step(&mut self, at: usize, call: &Call, answers: &[&Answer], user: Option<usize>) -> Step {
        let finding = self.sighting.finding.filter(|finding| finding.call == at);
        let own = self.own(at, call, answers);
        let silent = self.sighting.is_silent(at);
        let mut checks = Vec::new();
        if !silent && !puts_in_place(call) {
            checks.push(plain(What::Status(answers[0].status)));
        }
        let mut changing = Vec::new();
        // What only prepares is held to its status; a test asserts what it is about.
        if !silent && (call.role != Role::Setup || finding.is_some()) {
            let bodies = bodies(answers);
            changing = bodies.map_or_else(Vec::new, |bodies| volatile(&bodies, &own));
            checks.extend(self.body(answers, &changing, &own));
        }
        for location in self.sighting.wrong_at(at) {
            suspect::spare(location, &mut checks);
        }
        // What a run that ended early never used need not be there.
        let mut saves = self.variables.saves(at);
        saves.retain(|save| self.known.contains_key(&save.variable));
        let kinds: Vec<Check> = saves
            .iter()
            .filter_map(|save| kind_of(save, answers, &checks))
            .collect();
        checks.extend(kinds);
        if let Some(finding) = finding {
            let shown = Shown {
                answers,
                volatile: &changing,
                own: &own,
            };
            suspect::mark(finding, &shown, &mut checks);
            self.alone = bodies(answers).map_or_else(Vec::new, |b| alone(&b, &changing, &own));
        }
        self.volatile
            .extend(changing.into_iter().map(|found| (at, found)));
        Step {
            about: (call.role == Role::Setup).then(|| format!("set-up: {}", call.operation)),
            request: self.variables.request(call, user),
            saves,
            checks,
        }
    }

    fn body(&self, answers: &[&Answer], changing: &[Volatile], own: &Own) -> Vec<Check> {
        let mut checks = Vec::new();
        if answers[0].body.is_empty() {
            return vec![plain(What::NoBody)];
        }
        let types: BTreeSet<String> = answers
            .iter()
            .map(|answer| essence(answer.media_type().unwrap_or("")))
            .collect();
        if let Some(media_type) = types.first().filter(|t| types.len() == 1 && !t.is_empty()) {
            checks.push(plain(What::MediaType(media_type.clone())));
        }
        match bodies(answers) {
            Some(bodies) => checks.extend(expect::body(&bodies, changing, own, self.limits)),
            None => checks.extend(text(answers, self.limits)),
        }
        checks
    }

    /// What is known of the test when a step is answered.
    fn own(&self, at: usize, call: &Call, answers: &[&Answer]) -> Own {
        let asked = variables(&self.variables.request(call, None));
        let made = self.names.iter().filter_map(|name| self.known.get(name));
        let first = self.sighting.runs.first();
        let request = first.and_then(|run| run.exchanges.get(at));
        Own {
            known: self.known_before(at),
            names: self.names.clone(),
            made: made.cloned().collect(),
            sent: self.sent(at, call),
            lists: request.map_or_else(Vec::new, |exchange| lists_of(&exchange.request.body)),
            asked: asked.iter().any(|name| self.names.contains(name)),
            // GraphQL tells its errors apart from what it gives all the same.
            refused: !answers[0].is_success() && call.graphql.is_none(),
        }
    }

    /// Texts that the test sent up to a step, and large numbers; what comes back of them is no
    /// surprise.
    fn sent(&self, at: usize, call: &Call) -> BTreeSet<String> {
        let mut sent = BTreeSet::new();
        let run = self.sighting.runs.first();
        for exchange in run.iter().flat_map(|run| run.exchanges.iter().take(at + 1)) {
            sent.extend(exchange.request.texts());
            sent.extend(large_numbers(&exchange.request.body));
        }
        sent.extend(call.headers.iter().map(|(name, _)| name.clone()));
        sent
    }

    /// Variables that have a value when a step is answered.
    fn known_before(&self, at: usize) -> BTreeMap<String, Vec<Value>> {
        let later: BTreeSet<&str> = self
            .variables
            .captured()
            .filter(|(_, call, _)| *call >= at)
            .map(|(name, ..)| name)
            .collect();
        let known = self.known.iter();
        known
            .filter(|(name, _)| !later.contains(name.as_str()))
            .map(|(name, values)| (name.clone(), values.clone()))
            .collect()
    }
}

/// The variables whose values are of one thing that the test made: texts that are new each time, and
/// what a call gave that made something or asked for such a thing, if it was not always the same.
fn names_of(
    script: &Script,
    variables: &Variables,
    known: &BTreeMap<String, Vec<Value>>,
) -> BTreeSet<String> {
    let fresh = variables.fresh.iter().map(|fresh| fresh.variable.clone());
    let mut names: BTreeSet<String> = fresh.collect();
    for (at, call) in script.calls.iter().enumerate() {
        let sent = holes::variables(&variables.request(call, None));
        if is_read(call) && !sent.iter().any(|name| names.contains(name)) {
            continue;
        }
        let given = variables.captured().filter(|(_, from, _)| *from == at);
        let changes = |name: &str| {
            let held = known.get(name);
            held.is_some_and(|held| held.windows(2).any(|pair| pair[0] != pair[1]))
        };
        let new = given.filter(|(name, ..)| changes(name));
        names.extend(new.map(|(name, ..)| name.to_owned()));
    }
    names
}

fn is_read(call: &Call) -> bool {
    match &call.graphql {
        Some(_) => call.operation.starts_with("query "),
        None => matches!(call.method, Method::Get | Method::Head | Method::Options),
    }
}

/// The lists in a JSON body.
fn lists_of(body: &[u8]) -> Vec<Value> {
    values_in(body).filter(Value::is_array).collect()
}

/// The numbers in a JSON body that few others would send.
fn large_numbers(body: &[u8]) -> Vec<String> {
    const LARGE: usize = 6;
    let numbers = values_in(body).filter(Value::is_number);
    let texts = numbers.map(|number| number.to_string());
    texts.filter(|text| text.len() >= LARGE).collect()
}

/// Every value in a JSON body, itself included.
fn values_in(body: &[u8]) -> impl Iterator<Item = Value> {
    let mut open: Vec<Value> = serde_json::from_slice(body).into_iter().collect();
    std::iter::from_fn(move || {
        let value = open.pop()?;
        match &value {
            Value::Object(map) => open.extend(map.values().cloned()),
            Value::Array(items) => open.extend(items.iter().cloned()),
            _ => {}
        }
        Some(value)
    })
}

/// The answers as JSON, if all are.
fn bodies<'a>(answers: &[&'a Answer]) -> Option<Vec<&'a Value>> {
    answers.iter().map(|answer| answer.json()).collect()
}

fn text(answers: &[&Answer], limits: Limits) -> Option<Check> {
    let first = std::str::from_utf8(&answers[0].body).ok()?;
    let same = answers.iter().all(|answer| answer.body == answers[0].body);
    let short = first.chars().count() <= limits.text;
    (same && short).then(|| plain(What::Text(first.to_owned())))
}

/// A check that what is saved is there and of the kind that it was: later steps build on it, and
/// some frameworks must know it.
fn kind_of(save: &Save, answers: &[&Answer], known: &[Check]) -> Option<Check> {
    let Take::Pointer(pointer) = &save.take else {
        return None;
    };
    let path = keys(answers[0].json()?, pointer)?;
    let said = |check: &Check| matches!(&check.what, What::At { path: p, .. } if *p == path);
    if known.iter().any(said) {
        return None;
    }
    let kind = JsonKind::of(at(answers[0].json()?, &path, &|_| None)?);
    let same = answers.iter().all(|answer| {
        let value = answer.json().and_then(|body| at(body, &path, &|_| None));
        value.is_some_and(|value| JsonKind::of(value) == kind)
    });
    same.then(|| {
        plain(What::At {
            path,
            is: Is::Kind(kind),
        })
    })
}

/// A JSON pointer as the keys that it means in a body.
fn keys(body: &Value, pointer: &str) -> Option<Vec<Key>> {
    let mut at = body;
    let mut keys = Vec::new();
    for token in pointer.split('/').skip(1) {
        let name = fossick_contract::unescape_token(token);
        let (key, inner) = match at {
            Value::Array(items) => {
                let index: usize = name.parse().ok()?;
                (Key::Index(index), items.get(index)?)
            }
            Value::Object(map) => {
                let inner = map.get(&name)?;
                (Key::Name(name), inner)
            }
            _ => return None,
        };
        keys.push(key);
        at = inner;
    }
    Some(keys)
}

fn plain(what: What) -> Check {
    Check {
        what,
        suspect: false,
    }
}

/// Whether a read is about nothing in particular: neither a key nor anything of the test's own
/// stands in it.
pub fn asks_about_everything(api: &Api, call: &Call) -> bool {
    let operation = api.find(&call.operation).map(|index| api.operation(index));
    let keyed = operation.is_some_and(|operation| match &operation.graphql {
        Some(root) => !root.keys.is_empty(),
        None => operation.path.holes().next().is_some(),
    });
    is_read(call) && !keyed && call.captures().next().is_none()
}

/// What such a read counts or sums up grows with what others make; only what was sent comes back as
/// it was.
fn forget_sums(sent: &Request, checks: &mut [Check]) {
    for check in checks {
        if let What::At { is, .. } = &mut check.what
            && let Is::Equal(Value::Number(number)) = is
            && !sent.mentions(&number.to_string())
        {
            let kind = JsonKind::of(&Value::Number(number.clone()));
            *is = Is::Kind(kind);
        }
    }
}

/// Whether a call only sees to it that something is there: whether it had to be made is a matter of
/// what others left.
fn puts_in_place(call: &Call) -> bool {
    call.role == Role::Setup && call.method == Method::Put
}

/// The answers of each step, one for each run; equal in number and status, or the test wavers.
fn answers(runs: &[Episode]) -> Result<Vec<Vec<&Answer>>, Wavers> {
    let first = runs.first().ok_or(Wavers::Never)?;
    let steps = first.exchanges.len();
    if runs.iter().any(|run| run.exchanges.len() != steps) {
        return Err(Wavers::Length);
    }
    (0..steps).map(|at| step_answers(runs, at)).collect()
}

fn step_answers(runs: &[Episode], at: usize) -> Result<Vec<&Answer>, Wavers> {
    let mut answers: Vec<&Answer> = Vec::new();
    for run in runs {
        let Outcome::Answered(answer) = &run.exchanges[at].outcome else {
            return Err(Wavers::NoAnswer(at + 1));
        };
        let same = |first: &&Answer| {
            let both = first.is_success() && answer.is_success();
            (first.status, first.said) == (answer.status, answer.said)
                || both && puts_in_place(&run.script.calls[at])
        };
        if let Some(first) = answers.first().filter(|first| !same(first)) {
            return Err(Wavers::Status {
                step: at + 1,
                one: told(first),
                other: told(answer),
            });
        }
        answers.push(answer);
    }
    Ok(answers)
}

fn told(answer: &Answer) -> String {
    match answer.said {
        Some(said) => format!("{} ({said:?})", answer.status).to_lowercase(),
        None => answer.status.to_string(),
    }
}

/// The values of all variables, one for each run.
fn values_of(variables: &Variables, runs: &[Episode]) -> BTreeMap<String, Vec<Value>> {
    let mut known = BTreeMap::new();
    for (at, fresh) in variables.fresh.iter().enumerate() {
        let names = runs
            .iter()
            .filter_map(|run| run.script.text_names().nth(at));
        let values = names.map(Value::from).collect();
        known.insert(fresh.variable.clone(), values);
    }
    for (name, call, take) in variables.captured() {
        let taken = runs.iter().filter_map(|run| take.from(run.answer(call)?));
        known.insert(name.to_owned(), taken.collect());
    }
    known.retain(|_, values: &mut Vec<Value>| values.len() == runs.len());
    known
}

/// The call that a test is about, with its first answer.
fn subject<'s>(
    sighting: &'s Sighting<'_>,
    answers: &[Vec<&'s Answer>],
) -> Option<(&'s Call, &'s Answer)> {
    let calls = &sighting.script.calls;
    let last = answers.len().checked_sub(1)?;
    let is_about = |at: &usize| calls[*at].role == Role::Main && !sighting.is_silent(*at);
    let main = (0..=last).rev().find(is_about);
    let at = sighting
        .finding
        .map_or(main.unwrap_or(last), |f| f.call.min(last));
    Some((&calls[at], answers[at][0]))
}

/// The calls that a test makes for their own sake, each with its first answer.
fn mains<'s>(
    sighting: &'s Sighting<'_>,
    answers: &[Vec<&'s Answer>],
) -> Vec<(&'s Call, &'s Answer)> {
    let calls = sighting.script.calls.iter().zip(answers).enumerate();
    calls
        .filter(|(at, (call, _))| call.role == Role::Main && !sighting.is_silent(*at))
        .map(|(_, (call, answers))| (call, answers[0]))
        .collect()
}

fn group(finding: Option<&Finding>, mains: &[(&Call, &Answer)], answer: &Answer) -> Group {
    let works = mains.iter().all(|(_, answer)| answer.is_success());
    match finding {
        Some(_) => Group::Faults,
        None if works && answer.is_success() => Group::Successes,
        None => Group::Others,
    }
}

fn about(script: &Script) -> Vec<String> {
    let labels: Vec<&str> = script.calls.iter().map(|call| &*call.operation).collect();
    vec![labels.join(", then ")]
}

fn fault(finding: &Finding) -> Fault {
    Fault {
        code: finding.code.clone(),
        title: finding.title.clone(),
        why: finding.why.clone(),
        extent: fossick_oracles::find(&finding.code).map_or_else(Extent::default, |o| o.extent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use fossick_trace::{Capture, Exchange, Intent, Part, Payload, Text, Unique};
    use serde_json::json;
    use std::sync::Arc;
    use std::time::Duration;

    fn call(method: Method, target: Text, role: Role) -> Call {
        Call {
            operation: format!("{method} /lots").into(),
            method,
            target,
            headers: vec![],
            payload: Payload::None,
            user: None,
            role,
            intent: Intent::Valid,
            graphql: None,
        }
    }

    fn given(target: &str, from: usize) -> Text {
        let mut text = Text::fixed(target);
        text.push_capture(Capture {
            call: from,
            take: Take::Pointer("/id".to_owned()),
        });
        text
    }

    fn episode(script: &Script, bodies: &[Value]) -> Episode {
        let plain = |call: &Call| match call.target.0.first() {
            Some(Part::Fixed(text)) => text.clone(),
            _ => String::new(),
        };
        let exchanges = script
            .calls
            .iter()
            .zip(bodies)
            .map(|(call, body)| Exchange {
                request: Request {
                    method: Method::Get,
                    target: plain(call),
                    headers: vec![],
                    body: Bytes::new(),
                    user: None,
                    anonymous: false,
                },
                outcome: Outcome::Answered(Answer::new(
                    200,
                    vec![],
                    Bytes::from(body.to_string()),
                    false,
                    Duration::ZERO,
                )),
            });
        Episode {
            exchanges: exchanges.collect(),
            script: Arc::new(script.clone()),
            inside: vec![],
            removed: Vec::new(),
        }
    }

    /// The checks of the second step, as text.
    fn checks(second: Call, others: Vec<Call>, runs: &[[Value; 2]]) -> Vec<String> {
        let test = written(second, others, runs);
        let checks = test.steps[1].checks.iter();
        checks
            .map(|check| serde_json::to_string(&check.what).expect("a check can be written"))
            .collect()
    }

    fn written(second: Call, others: Vec<Call>, runs: &[[Value; 2]]) -> Test {
        let made = call(Method::Post, Text::fixed("/lots"), Role::Setup);
        let mut calls = vec![made, second];
        calls.extend(others);
        let names = Vec::<Unique>::new();
        let script = Script {
            calls,
            names,
            ..Script::default()
        };
        let runs: Vec<Episode> = runs.iter().map(|run| episode(&script, run)).collect();
        let sighting = Sighting {
            script: &script,
            runs: &runs,
            finding: None,
            faulty: Vec::new(),
        };
        let written = write(&Api::default(), &sighting, &|_| None, Limits::default());
        written.expect("it is steady").test
    }

    #[test]
    fn where_no_location_came_the_test_takes_what_served() {
        let mut later = later();
        for capture in later.captures_mut() {
            capture.take = Take::Location;
        }
        let runs = [7, 9].map(|id| [json!({"id": id}), json!({"id": id})]);
        let test = written(later, vec![], &runs);
        let text = serde_json::to_string(&test.steps[0]).expect("a step can be written");
        assert!(!text.contains("location"), "{text}");
        assert!(text.contains(r#"{"pointer":"/id"}"#), "{text}");
    }

    fn listed() -> Call {
        call(Method::Get, Text::fixed("/lots"), Role::Main)
    }

    /// A call that makes the first answer's `id` a variable.
    fn later() -> Call {
        call(Method::Get, given("/lots/", 0), Role::Main)
    }

    #[test]
    fn a_list_of_everybody_shows_what_the_test_made_wherever_it_stands() {
        let runs = [
            [json!({"id": 7}), json!([{"id": 7, "n": "a"}])],
            [json!({"id": 9}), json!([{"id": 9, "n": "a"}])],
        ];
        assert_eq!(
            checks(listed(), vec![later()], &runs),
            [
                r#"{"status":200}"#,
                r#"{"at":{"path":[],"is":{"kind":"array"}}}"#,
                r#"{"at":{"path":[{"where":["id"],"is":"lot_id"},"id"],"is":{"same":"lot_id"}}}"#,
                r#"{"at":{"path":[{"where":["id"],"is":"lot_id"},"n"],"is":{"equal":"a"}}}"#,
            ]
        );
    }

    #[test]
    fn a_set_up_that_puts_something_in_place_may_find_it_there() {
        let put = call(Method::Put, Text::fixed("/lots/aa"), Role::Setup);
        let runs = [7, 9].map(|id| [json!({"id": id}), json!({})]);
        assert_eq!(
            checks(put.clone(), vec![listed()], &runs),
            Vec::<String>::new()
        );
        let script = Script {
            calls: vec![put],
            ..Script::default()
        };
        let runs = [201, 200].map(|status| {
            let mut run = episode(&script, &[json!({})]);
            if let Outcome::Answered(answer) = &mut run.exchanges[0].outcome {
                answer.status = status;
            }
            run
        });
        assert!(step_answers(&runs, 0).is_ok());
    }

    #[test]
    fn sums_over_what_everybody_made_are_not_expected() {
        let asking = call(Method::Get, Text::fixed("/lots?year=2024"), Role::Main);
        let sums = json!({"year": 2024, "count": 2, "unit": "cent"});
        let runs = [7, 9].map(|id| [json!({"id": id}), sums.clone()]);
        let checks = checks(asking, vec![], &runs);
        let has = |part: &str| checks.iter().any(|check| check.contains(part));
        assert!(has(r#"["count"],"is":{"kind":"integer"}"#), "{checks:?}");
        assert!(has(r#"["year"],"is":{"equal":2024}"#), "{checks:?}");
        assert!(has(r#"["unit"],"is":{"equal":"cent"}"#), "{checks:?}");
    }

    #[test]
    fn nothing_is_expected_after_a_write_that_fails() {
        let calls = [Method::Post, Method::Patch, Method::Get]
            .map(|method| call(method, Text::fixed("/lots"), Role::Main));
        let script = Script {
            calls: calls.to_vec(),
            ..Script::default()
        };
        let kept = |failing: usize| {
            let sighting = Sighting {
                script: &script,
                runs: &[],
                finding: None,
                faulty: vec![(failing, Location::Outcome)],
            };
            expected(&sighting, 3)
        };
        assert_eq!(kept(0), Err(Wavers::Faulty));
        assert_eq!(kept(1), Ok(1));
        assert_eq!(kept(2), Ok(2));
    }

    #[test]
    fn a_lost_update_spoils_its_place_from_the_write_on() {
        let calls = [Method::Get, Method::Patch, Method::Get, Method::Get]
            .map(|method| call(method, Text::fixed("/lots/7"), Role::Main));
        let script = Script {
            calls: calls.to_vec(),
            ..Script::default()
        };
        let spoiled = |location: &Location| {
            let sighting = Sighting {
                script: &script,
                runs: &[],
                finding: None,
                faulty: vec![(2, location.clone())],
            };
            let wrong = |at: &usize| sighting.wrong_at(*at).next().is_some();
            (0..4).filter(wrong).collect::<Vec<usize>>()
        };
        let path = "/fragile".to_owned();
        assert_eq!(spoiled(&Location::State { path }), [1, 2, 3]);
        assert_eq!(spoiled(&Location::MediaType), [2]);
    }

    #[test]
    fn a_list_of_what_the_request_asked_for_is_counted() {
        let asking = call(Method::Get, given("/bids?lot=", 0), Role::Main);
        let runs = [7, 9].map(|id| [json!({"id": id}), json!([])]);
        let checks = checks(asking, vec![], &runs);
        assert!(checks[1].contains(r#""size":0"#), "{checks:?}");
    }

    #[test]
    fn what_is_given_the_same_each_time_is_not_the_tests_own() {
        let asking = call(Method::Get, given("/bids?lot=", 0), Role::Main);
        let runs = [1, 1].map(|id| [json!({"id": id}), json!([{"id": 1}])]);
        let kind = r#"{"at":{"path":[],"is":{"kind":"array"}}}"#;
        assert_eq!(checks(asking, vec![], &runs)[1..], [kind]);
    }

    #[test]
    fn what_a_read_gives_is_own_only_if_it_asked_for_the_own() {
        let read = call(Method::Get, Text::fixed("/lots/first"), Role::Main);
        let make = call(Method::Post, Text::fixed("/lots"), Role::Main);
        let names = |calls: Vec<Call>| {
            let names = vec![];
            let script = Script {
                calls,
                names,
                ..Script::default()
            };
            let variables = Variables::of(&script);
            let ids = vec![json!(1), json!(2)];
            let known = variables.captured().map(|(name, ..)| name.to_owned());
            let known = known.map(|name| (name, ids.clone())).collect();
            names_of(&script, &variables, &known).len()
        };
        assert_eq!(names(vec![read.clone(), later()]), 0);
        assert_eq!(names(vec![make.clone(), later()]), 1);
        let onwards = call(Method::Get, given("/bids/", 1), Role::Main);
        assert_eq!(names(vec![make, later(), onwards.clone()]), 2);
        assert_eq!(names(vec![read, later(), onwards]), 0);
    }

    #[test]
    fn every_list_of_a_body_is_found() {
        let body = json!({"a": [1, [2]], "b": {"c": []}}).to_string();
        let mut lists: Vec<String> = lists_of(body.as_bytes())
            .iter()
            .map(Value::to_string)
            .collect();
        lists.sort();
        assert_eq!(lists, ["[1,[2]]", "[2]", "[]"]);
        assert!(lists_of(b"a=1").is_empty());
        assert_eq!(large_numbers(b"[1, {\"n\": 2147483647}]"), ["2147483647"]);
    }
}
