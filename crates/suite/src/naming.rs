//! What a test is called: what happens in it, in words.

use fossick_contract::{Api, Deed, Operation};
use fossick_trace::{Answer, Call, Finding, Intent, Location, Telling};

use crate::words::{singular, words};

/// The longest name; a word more says little, and lines have an end.
const MOST_WORDS: usize = 14;

/// The name of a test that shows a fault.
pub(crate) fn of_fault(api: &Api, finding: &Finding, call: &Call) -> String {
    let subject = Subject::of(api, &finding.operation);
    let claim = fossick_oracles::find(&finding.code).map_or("{act} is wrong", |o| o.claim);
    let place = place(finding, call).map_or(String::new(), |place| format!(" at {place}"));
    let name = claim
        .replace("{act}", &subject.act)
        .replace("{thing}", &subject.one)
        .replace("{resolver}", &resolver(finding))
        .replace("{place}", &place);
    tidy(&name)
}

/// `the resolver of review comment`, or `its resolver`, where that is the operation's own.
fn resolver(finding: &Finding) -> String {
    let named = finding.evidence.promised.as_deref().unwrap_or("");
    let own = ["Query.", "Mutation.", "query", "mutation"];
    if named.is_empty() || own.iter().any(|root| named.starts_with(root)) {
        return "its resolver".to_owned();
    }
    format!("the resolver of {named}")
}

/// Where in the answer the fault lies, or else what in the call brought it about.
fn place<'f>(finding: &'f Finding, call: &'f Call) -> Option<&'f str> {
    match &finding.location {
        Location::Body { path, .. } if !path.is_empty() => Some(path),
        Location::Header(name) => Some(name),
        Location::Outcome => call.intent.place(),
        _ => None,
    }
}

/// The name of a test that shows how things are.
pub(crate) fn of_call(api: &Api, call: &Call, answer: &Answer) -> String {
    let subject = Subject::of(api, &call.operation);
    let act = &subject.act;
    let came = if answer.is_success() {
        "works".to_owned()
    } else if answer.said.is_some() {
        "answers with errors".to_owned()
    } else {
        format!("answers {}", answer.status)
    };
    let what = match &call.intent {
        Intent::Valid => None,
        Intent::Edge { place, value, .. } => Some(format!("with {place} {value}")),
        Intent::Edges(all) => Some(format!("with {}", together(all))),
        Intent::Broken {
            place, constraint, ..
        } => Some(format!("with broken {constraint} of {place}")),
        Intent::Stranger { parameter } => Some(format!("with unknown {parameter}")),
        Intent::Misplaced { parameter } => Some(format!("with another {parameter}")),
        Intent::Unauthenticated { .. } => Some("without credentials".to_owned()),
        Intent::Undeclared => Some(format!("by {}", call.method)),
    };
    tidy(&match what {
        Some(what) => format!("{act} {what} {came}"),
        None => format!("{act} {came}"),
    })
}

/// Telling values that are sent together: `query limit 97 and no body /name`.
fn together(all: &[Telling]) -> String {
    let told = all.iter().map(|telling| match &telling.value {
        Some(value) => format!("{} {value}", telling.place),
        None => format!("no {}", telling.place),
    });
    told.collect::<Vec<_>>().join(" and ")
}

/// The name of a test that makes several calls for their own sake.
pub(crate) fn of_story(api: &Api, calls: &[(&Call, &Answer)]) -> String {
    let subjects: Vec<Subject> = calls
        .iter()
        .map(|(call, _)| Subject::of(api, &call.operation))
        .collect();
    let same = |part: fn(&Subject) -> &str| {
        let first = subjects.first().map(part)?;
        let all = subjects.iter().all(|subject| part(subject) == first);
        all.then(|| first.to_owned())
    };
    let thing = same(|subject| &subject.one).unwrap_or_else(|| "several things".to_owned());
    let works = calls
        .iter()
        .filter(|(_, answer)| answer.is_success())
        .count();
    tidy(&match same(|subject| &subject.act) {
        Some(act) if works == calls.len() => format!("{act} works in several ways"),
        Some(act) if works == 0 => format!("{act} refuses what is wrong"),
        Some(act) => format!("{act} takes what is right and refuses what is wrong"),
        None if works == calls.len() => deeds(api, &thing, calls),
        None if works == 0 => format!("wrong calls about {thing} are refused"),
        None => format!("right and wrong calls about {thing}"),
    })
}

/// `tool is created replaced and deleted`
fn deeds(api: &Api, thing: &str, calls: &[(&Call, &Answer)]) -> String {
    let mut done: Vec<&str> = Vec::new();
    for (call, _) in calls {
        let index = api.find(&call.operation);
        let word = match index.map(|index| api.operation(index).deed()) {
            Some(Deed::Read) => "read",
            Some(Deed::Create) => "created",
            Some(Deed::Replace) => "replaced",
            Some(Deed::Update) => "updated",
            Some(Deed::Delete) => "deleted",
            Some(Deed::Other) | None => "used",
        };
        if !done.contains(&word) {
            done.push(word);
        }
    }
    match done.split_last() {
        Some((last, [])) => format!("{thing} is {last}"),
        Some((last, before)) => format!("{thing} is {} and {last}", before.join(" ")),
        None => format!("{thing} is used"),
    }
}

/// What an operation is about.
struct Subject {
    /// `project`
    one: String,
    /// `create project`, `list projects`, `add book`.
    act: String,
}

impl Subject {
    fn of(api: &Api, label: &str) -> Self {
        match api.find(label).map(|index| api.operation(index)) {
            Some(operation) if operation.graphql.is_some() => Self::of_field(api, operation),
            Some(operation) => Self::of_path(operation),
            None => Self {
                one: words(label).join(" "),
                act: words(label).join(" "),
            },
        }
    }

    fn of_field(api: &Api, operation: &Operation) -> Self {
        let field = operation.label.split(' ').next_back().unwrap_or("");
        let act = words(field).join(" ");
        let thing = operation.graphql.as_ref().and_then(|root| root.thing);
        Self {
            one: thing.map_or_else(
                || act.clone(),
                |id| words(&api.types.get(id).name).join(" "),
            ),
            act,
        }
    }

    fn of_path(operation: &Operation) -> Self {
        let path = operation.path.text.as_str();
        let segment = path
            .rsplit('/')
            .find(|part| !part.is_empty() && !part.starts_with('{'));
        let many = words(segment.unwrap_or("root"));
        let one = match many.split_last() {
            Some((last, before)) => {
                let last = singular(last);
                before
                    .iter()
                    .chain([&last])
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            None => "thing".to_owned(),
        };
        let ends_in_hole = operation.path.ends_with_hole();
        let act = match operation.deed() {
            Deed::Read if ends_in_hole => format!("read {one}"),
            Deed::Read => format!("get {}", many.join(" ")),
            Deed::Create => format!("create {one}"),
            Deed::Replace => format!("replace {one}"),
            Deed::Update => format!("update {one}"),
            Deed::Delete => format!("delete {one}"),
            Deed::Other => format!("call {}", many.join(" ")),
        };
        Self { one, act }
    }
}

/// Lower-case words of letters and digits, not too many.
fn tidy(text: &str) -> String {
    let mut words = words(text);
    words.truncate(MOST_WORDS);
    if words.is_empty() {
        words.push("test".to_owned());
    }
    if words[0].starts_with(|c: char| c.is_ascii_digit()) {
        words.insert(0, "test".to_owned());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_sent_together_are_named_together() {
        let telling = |place: &str, value: Option<&str>| Telling {
            place: place.to_owned(),
            value: value.map(str::to_owned),
            declared: true,
        };
        let both = [telling("query limit", Some("97")), telling("body /a", None)];
        assert_eq!(together(&both), "query limit 97 and no body /a");
    }
}
