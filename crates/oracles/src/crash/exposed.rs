//! A page or a stack trace where data was promised.

use fossick_contract::{Method, is_json};
use fossick_trace::{Answer, Finding, Severity, Sureness};

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// What gives a stack trace away, each with the language it is of.
pub(crate) const TRACES: [(&str, &str); 9] = [
    ("Traceback (most recent call last)", "Python"),
    ("\\tat java.", "Java"),
    ("\tat java.", "Java"),
    (".java:", "Java"),
    ("panicked at ", "Rust"),
    ("goroutine 1 [", "Go"),
    ("   at System.", ".NET"),
    ("node_modules/", "JavaScript"),
    ("Stack trace:\n#0", "PHP"),
];

pub(crate) fn check(oracle: &Oracle, scene: &Scene<'_>, findings: &mut Vec<Finding>) {
    for step in &scene.steps {
        let Some(answer) = step.answer() else {
            continue;
        };
        // A trace in an entry of `errors` is told by an oracle of its own.
        let entries = step.root().is_some() && answer.json().is_some();
        if let Some(language) = trace(answer).filter(|_| !entries) {
            findings.push(traced(oracle, step, language));
        } else if answer.status < 500 && is_page(answer) && promises_json(step) {
            let title = format!("an HTML page with status {}", answer.status);
            let promise = match step.root() {
                Some(_) => "GraphQL answers with JSON",
                None => "The document promises JSON",
            };
            let why = format!("{promise}; a client that parses it will fail.");
            findings.push(
                step.finding(oracle, title, why)
                    .marked("page")
                    .caused_by(format!("page {}", answer.status))
                    .of(Severity::Low, Sureness::Sure),
            );
        }
    }
}

fn traced(oracle: &Oracle, step: &Shown<'_>, language: &str) -> Finding {
    let title = format!("the answer shows a {language} stack trace");
    let why = "Traces tell strangers about files, versions and structure.".to_owned();
    step.finding(oracle, title, why)
        .marked("trace")
        .caused_by(format!("trace {language}"))
}

pub(crate) fn trace(answer: &Answer) -> Option<&'static str> {
    if answer.status < 400 {
        return None;
    }
    let text = answer.excerpt(16_384);
    TRACES
        .iter()
        .find(|(mark, _)| text.contains(mark))
        .map(|(_, language)| *language)
}

/// Frameworks call an empty answer a page as well; there is nothing in it to stumble over.
pub(crate) fn is_page(answer: &Answer) -> bool {
    let named = |sent: &str| sent.eq_ignore_ascii_case("text/html");
    answer.media_type().is_some_and(named) && !answer.body.is_empty()
}

/// A GraphQL service always does, though it need not take GET.
fn promises_json(step: &Shown<'_>) -> bool {
    if step.root().is_some() {
        return step.exchange.request.method != Method::Get || step.status() < 300;
    }
    step.promise().is_some_and(|(_, spec)| {
        !spec.contents.is_empty() && spec.contents.iter().all(|c| is_json(&c.media_type))
    })
}
