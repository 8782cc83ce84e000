//! Two scripts as one.
//!
//! A test that makes a tool and asks for it wrongly, and another that makes a tool and removes it
//! wrongly, are one test with one tool. What only prepares is made once where both prepare the
//! same; whoever joins must run the result, for the first may have changed what the second needs.

use fossick_trace::{Call, Role, Script};

/// Two scripts as one, and where the calls of the second stand in it.
#[derive(Debug)]
pub struct Joined {
    pub script: Script,
    pub places: Vec<usize>,
}

/// The calls of both, the second after the first.
pub fn joined(one: &Script, other: &Script) -> Joined {
    let mut script = one.clone();
    for name in &other.names {
        if !script.names.contains(name) {
            script.names.push(name.clone());
        }
    }
    let mut places: Vec<usize> = Vec::with_capacity(other.calls.len());
    for call in &other.calls {
        let mut call = call.clone();
        for capture in call.captures_mut() {
            capture.call = places.get(capture.call).copied().unwrap_or(capture.call);
        }
        let same = (0..script.calls.len())
            .find(|at| call.role == Role::Setup && prepares_the_same(&script.calls[*at], &call));
        places.push(same.unwrap_or(script.calls.len()));
        if same.is_none() {
            script.calls.push(call);
        }
    }
    Joined { script, places }
}

/// Whether two set-up calls make the same thing, whatever its name.
fn prepares_the_same(one: &Call, other: &Call) -> bool {
    one.role == Role::Setup
        && one.operation == other.operation
        && one.user == other.user
        && one.target == other.target
        && one.payload.is_none() == other.payload.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use fossick_contract::Method;
    use fossick_trace::{Capture, Intent, Payload, Take, Text};

    fn call(label: &str, target: Text, role: Role) -> Call {
        Call {
            operation: label.into(),
            method: Method::Get,
            target,
            headers: vec![],
            payload: Payload::None,
            user: None,
            role,
            intent: Intent::Valid,
            graphql: None,
        }
    }

    fn made(name: &str) -> Call {
        let mut call = call("POST /tools", Text::fixed("/tools"), Role::Setup);
        call.payload = Payload::Bytes {
            media_type: "application/json".into(),
            bytes: Bytes::from(format!("{{\"name\":\"{name}\"}}")),
        };
        call
    }

    fn on(label: &str, from: usize) -> Call {
        let mut target = Text::fixed("/tools/");
        target.push_capture(Capture {
            call: from,
            take: Take::Pointer("/id".into()),
        });
        call(label, target, Role::Main)
    }

    fn script(calls: Vec<Call>, name: &str) -> Script {
        Script {
            calls,
            names: vec![fossick_trace::Unique::Text(name.to_owned())],
            ..Script::default()
        }
    }

    #[test]
    fn what_both_prepare_is_made_once() {
        let one = script(vec![made("a"), on("GET /tools/{id}", 0)], "a");
        let other = script(vec![made("b"), on("DELETE /tools/{id}", 0)], "b");
        let whole = joined(&one, &other).script;
        let labels: Vec<_> = whole.calls.iter().map(|c| &*c.operation).collect();
        assert_eq!(
            labels,
            ["POST /tools", "GET /tools/{id}", "DELETE /tools/{id}"]
        );
        assert_eq!(whole.calls[2].captures().next().map(|c| c.call), Some(0));
    }

    #[test]
    fn captures_follow_their_calls() {
        let plain = call("GET /tools", Text::fixed("/tools"), Role::Main);
        let one = script(vec![plain], "a");
        let other = script(vec![made("b"), on("DELETE /tools/{id}", 0)], "b");
        let whole = joined(&one, &other).script;
        assert_eq!(whole.calls.len(), 3);
        assert_eq!(whole.calls[2].captures().next().map(|c| c.call), Some(1));
    }
}
