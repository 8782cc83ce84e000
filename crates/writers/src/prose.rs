//! What the comments of a test say, in every framework alike.

use fossick_suite::{Fault, Group, Suite, Test};

use crate::wrap::{calm, sentence};
use crate::{Faults, Manner};

/// The first lines of a file.
pub(crate) fn head(suite: &Suite, group: Option<Group>) -> [String; 2] {
    let title = calm(&suite.title);
    let what = match group {
        Some(Group::Faults) => ": suspected faults",
        Some(Group::Successes) => ": what works",
        Some(Group::Others) => ": what is refused, and the rest",
        None => "",
    };
    [
        format!("{title}{what}."),
        format!("Made by fossick: {}", calm(&suite.origin)),
    ]
}

/// The paragraphs above a test.
pub(crate) fn about(test: &Test, manner: &Manner) -> Vec<String> {
    let mut paragraphs: Vec<String> = test.about.iter().map(|line| sentence(line)).collect();
    if let Some(fault) = &test.fault {
        paragraphs.push(format!(
            "Suspected fault {}: {}",
            calm(&fault.code),
            calm(&sentence_after_colon(&fault.title))
        ));
        paragraphs.push(sentence(&fault.why));
        paragraphs.push(stance(manner.faults).to_owned());
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

fn sentence_after_colon(text: &str) -> String {
    let text = calm(text);
    if text.ends_with(['.', '!', '?']) {
        text
    } else {
        format!("{text}.")
    }
}

fn stance(faults: Faults) -> &'static str {
    match faults {
        Faults::Pass => "The test shows the behaviour as it is, and passes.",
        Faults::Fail => "The test fails until the fault is mended.",
    }
}

/// The line above a check that is the fault itself.
pub(crate) fn suspect(fault: Option<&Fault>, faults: Faults) -> String {
    let code = fault.map_or(String::new(), |fault| format!(" {}", calm(&fault.code)));
    match faults {
        Faults::Pass => format!("This is the suspected fault{code}."),
        Faults::Fail => format!("This would be the fault{code}."),
    }
}

/// What is said where a turned check fails.
pub(crate) fn reason(fault: Option<&Fault>) -> String {
    match fault {
        Some(fault) => calm(&format!("{} {}: {}", fault.code, fault.title, fault.why)),
        None => "A suspected fault.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(title: &str, why: &str) -> Fault {
        Fault {
            code: "F301".into(),
            title: title.into(),
            why: why.into(),
            extent: fossick_trace::Extent::Answer,
        }
    }

    #[test]
    fn a_reason_names_the_code() {
        let fault = fault("still served", "It was\ndeleted.");
        assert_eq!(reason(Some(&fault)), "F301 still served: It was deleted.");
    }

    #[test]
    fn a_suspect_is_named() {
        let fault = fault("still served", "");
        assert_eq!(
            suspect(Some(&fault), Faults::Pass),
            "This is the suspected fault F301."
        );
    }
}
