//! A page or a stack trace where data was promised.

use fossick_contract::is_json;
use fossick_trace::{Answer, Finding, Severity, Sureness};

use crate::scene::{Scene, Shaded, Shown};
use crate::table::Oracle;

/// What gives a stack trace away, each with the language it is of.
const TRACES: [(&str, &str); 9] = [
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
        if let Some(language) = trace(answer) {
            findings.push(traced(oracle, step, language));
        } else if answer.status < 500 && is_page(answer) && promises_json(step) {
            let title = format!("an HTML page with status {}", answer.status);
            let why = "The document promises JSON; a client that parses it will fail.".to_owned();
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

fn trace(answer: &Answer) -> Option<&'static str> {
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
fn is_page(answer: &Answer) -> bool {
    let named = |sent: &str| sent.eq_ignore_ascii_case("text/html");
    answer.media_type().is_some_and(named) && !answer.body.is_empty()
}

fn promises_json(step: &Shown<'_>) -> bool {
    step.promise().is_some_and(|(_, spec)| {
        !spec.contents.is_empty() && spec.contents.iter().all(|c| is_json(&c.media_type))
    })
}
