//! A source of JavaScript or TypeScript, and perhaps its source map after a zero byte: it is
//! rewritten so that it tells what it runs.
//!
//! What could be read can be read again, on as many lines.

use fossick_instrument::{Goal, Instrumented, PLACEHOLDER, answer, instrument};

/// Longer ones only take longer.
const LONGEST: usize = 20_000;

const GOALS: [Goal; 4] = [Goal::Script, Goal::Module, Goal::Unknown, Goal::Typescript];

pub fn javascript(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    if text.len() > LONGEST {
        return;
    }
    // The probe asks in JSON.
    answer(text);
    let (source, map) = match text.split_once('\0') {
        Some((source, map)) => (source, Some(map)),
        None => (text, None),
    };
    for goal in GOALS {
        if let Ok(rewritten) = instrument(source, goal, map) {
            look_at(source, goal, &rewritten);
        }
    }
}

fn look_at(source: &str, goal: Goal, rewritten: &Instrumented) {
    let code = &rewritten.code;
    assert_eq!(source.lines().count(), code.lines().count());
    // Under another name it is a program like any other.
    let again = instrument(&code.replace(PLACEHOLDER, "$f_1111111111"), goal, None);
    if let Err(reason) = again {
        // Counters nest, and there is a limit.
        assert!(reason.0.contains("too deeply"), "{}", reason.0);
    }
}
