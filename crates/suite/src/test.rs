//! A script that was run a few times, as a test.

use std::collections::{BTreeMap, BTreeSet};

use fossick_contract::Api;
use fossick_trace::{
    Answer, Call, Episode, Extent, Finding, Location, Outcome, Role, Script, Take,
};
use serde_json::Value;

use crate::expect::{self, Limits};
use crate::steps::Variables;
use crate::verdict::essence;
use crate::volatile::{Volatile, foreign_lists, volatile};
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
}

/// A test, and what of its answers changes from run to run.
#[derive(Debug)]
pub struct Written {
    pub test: Test,
    /// By step.
    pub volatile: Vec<(usize, Volatile)>,
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
    answers.truncate(expected(sighting, answers.len())?);
    let variables = Variables::of(sighting.script);
    let known = values_of(&variables, sighting.runs);
    let mut writer = Writer {
        sighting,
        variables,
        known,
        limits,
        volatile: Vec::new(),
    };
    let mut steps = Vec::new();
    for (at, answers) in answers.iter().enumerate() {
        let Some(call) = sighting.script.calls.get(at) else {
            break;
        };
        steps.push(writer.step(at, call, answers, user_of(call)));
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
    })
}

/// The steps up to the last one that something is expected of.
fn expected(sighting: &Sighting<'_>, steps: usize) -> Result<usize, Wavers> {
    let is_right = |at: &usize| !sighting.is_silent(*at);
    let last = (0..steps).rev().find(is_right).ok_or(Wavers::Faulty)?;
    let is_main = |at: usize| sighting.script.calls[at].role == Role::Main;
    let is_about = |at: usize| is_right(&at) && is_main(at);
    let had = (0..steps).any(is_main);
    if had && sighting.finding.is_none() && !(0..=last).any(is_about) {
        return Err(Wavers::Faulty);
    }
    Ok(last + 1)
}

struct Writer<'w> {
    sighting: &'w Sighting<'w>,
    variables: Variables,
    known: BTreeMap<String, Vec<Value>>,
    limits: Limits,
    volatile: Vec<(usize, Volatile)>,
}

impl Writer<'_> {
    fn step(&mut self, at: usize, call: &Call, answers: &[&Answer], user: Option<usize>) -> Step {
        let shows = self
            .sighting
            .finding
            .is_some_and(|finding| finding.call == at);
        let silent = self.sighting.is_silent(at);
        let mut checks = Vec::new();
        if !silent {
            checks.push(plain(What::Status(answers[0].status)));
        }
        // What only prepares is held to its status; a test asserts what it is about.
        if !silent && (call.role != Role::Setup || shows) {
            checks.extend(self.body(at, call, answers));
        }
        for (_, location) in self.sighting.faulty.iter().filter(|(step, _)| *step == at) {
            suspect::spare(location, &mut checks);
        }
        let saves = self.variables.saves(at);
        let kinds: Vec<Check> = saves
            .iter()
            .filter_map(|save| kind_of(save, answers, &checks))
            .collect();
        checks.extend(kinds);
        if let Some(finding) = self.sighting.finding.filter(|_| shows) {
            suspect::mark(finding, answers, &mut checks);
        }
        Step {
            about: (call.role == Role::Setup).then(|| format!("set-up: {}", call.operation)),
            request: self.variables.request(call, user),
            saves,
            checks,
        }
    }

    fn body(&mut self, at: usize, call: &Call, answers: &[&Answer]) -> Vec<Check> {
        let mut checks = Vec::new();
        let first = answers[0];
        if first.body.is_empty() {
            return vec![plain(What::NoBody)];
        }
        let types: BTreeSet<String> = answers
            .iter()
            .map(|answer| essence(answer.media_type().unwrap_or("")))
            .collect();
        if let Some(media_type) = types.first().filter(|t| types.len() == 1 && !t.is_empty()) {
            checks.push(plain(What::MediaType(media_type.clone())));
        }
        let bodies: Option<Vec<&Value>> = answers.iter().map(|answer| answer.json()).collect();
        let Some(bodies) = bodies else {
            checks.extend(text(answers, self.limits));
            return checks;
        };
        let (sent, known) = (self.sent(at, call), self.known_before(at));
        let mut changing = volatile(&bodies, &sent);
        if first.is_success() {
            let own = |value: &Value| is_own(value, &sent, &known);
            changing.extend(foreign_lists(bodies[0], &own));
        }
        checks.extend(expect::body(
            bodies[0],
            &changing,
            &known,
            self.limits,
            &bodies,
        ));
        self.volatile
            .extend(changing.into_iter().map(|found| (at, found)));
        checks
    }

    /// Texts that the test sent up to a step; what comes back of them is no surprise.
    fn sent(&self, at: usize, call: &Call) -> BTreeSet<String> {
        let mut sent = BTreeSet::new();
        let run = self.sighting.runs.first();
        for exchange in run.iter().flat_map(|run| run.exchanges.iter().take(at + 1)) {
            sent.extend(exchange.request.texts());
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

/// Whether a value is one that the test sent or was given: a long enough text, or a variable.
fn is_own(value: &Value, sent: &BTreeSet<String>, known: &BTreeMap<String, Vec<Value>>) -> bool {
    const TELLING: usize = 4;
    let text = value.as_str().filter(|text| text.len() >= TELLING);
    text.is_some_and(|text| sent.contains(text))
        || known.values().any(|held| held.first() == Some(value))
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
    let kind = JsonKind::of(expect::at(answers[0].json()?, &path)?);
    let same = answers.iter().all(|answer| {
        let value = answer.json().and_then(|body| expect::at(body, &path));
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
        if let Some(first) = answers.first()
            && (first.status, first.said) != (answer.status, answer.said)
        {
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
