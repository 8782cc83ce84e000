//! Shell commands that run a request and keep values of its answer in variables.

use fossick_suite::jq;
use fossick_suite::shell::{quote, quote_if_needed};
use fossick_trace::{Answer, Call, Capture, Episode, Payload, Take};
use serde_json::Value;

use crate::captures::Names;

/// How a value goes into a later request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Escaped for a URL; headers take the same.
    Component,
    /// As JSON text, quotes and all.
    Json,
}

/// A value to keep.
#[derive(Debug)]
pub(super) struct Variable<'a> {
    pub name: String,
    take: &'a Take,
    form: Form,
    /// What it was when the finding was last seen.
    seen: Option<&'a Answer>,
}

/// What later calls, up to the one that shows the finding, take from call `from`.
pub(super) fn wanted<'a>(
    episode: &'a Episode,
    names: &Names,
    from: usize,
    shows: usize,
) -> Vec<Variable<'a>> {
    let mut out: Vec<Variable<'a>> = Vec::new();
    for call in episode.script.calls.iter().take(shows + 1).skip(from + 1) {
        for (capture, form) in uses(call).filter(|(capture, _)| capture.call == from) {
            let name = match form {
                Form::Component => names.get(capture).map(str::to_owned),
                Form::Json => names.get_json(capture),
            };
            let Some(name) = name else {
                continue;
            };
            if out.iter().all(|known| known.name != name) {
                out.push(Variable {
                    name,
                    take: &capture.take,
                    form,
                    seen: episode.answer(from),
                });
            }
        }
    }
    out
}

fn uses(call: &Call) -> impl Iterator<Item = (&Capture, Form)> {
    let fills = match &call.payload {
        Payload::Json { fills, .. } => fills.as_slice(),
        _ => &[],
    };
    let headers = call.headers.iter().flat_map(|(_, text)| text.captures());
    let components = call.target.captures().chain(headers);
    components
        .map(|capture| (capture, Form::Component))
        .chain(fills.iter().map(|(_, capture)| (capture, Form::Json)))
}

/// One value: straight out of the request into its variable.
pub(super) fn one(variable: &Variable<'_>, request: impl Fn(&str) -> String) -> String {
    let (options, extract) = match variable.take {
        Take::Pointer(_) => ("-sS", variable.extract()),
        _ => (
            "-sS -D - -o /dev/null",
            format!("tr -d '\\r' | {}", variable.extract()),
        ),
    };
    variable.assigned(&format!("{} | {extract}", request(options)))
}

/// Several values: the answer is kept whole and read again for each.
pub(super) fn several(
    at: usize,
    variables: &[Variable<'_>],
    request: impl Fn(&str) -> String,
) -> String {
    let kept = format!("answer{}", at + 1);
    let bodies_only = variables.iter().all(|v| matches!(v.take, Take::Pointer(_)));
    let options = if bodies_only { "-sS" } else { "-sS -i" };
    let mut commands = vec![format!("{kept}=$({})", request(options))];
    for variable in variables {
        let read = match variable.take {
            Take::Pointer(_) if bodies_only => String::new(),
            Take::Pointer(_) => "tr -d '\\r' | sed '1,/^$/d' | ".to_owned(),
            _ => "tr -d '\\r' | ".to_owned(),
        };
        let extract = variable.extract();
        commands.push(variable.assigned(&format!("printf '%s' \"${kept}\" | {read}{extract}")));
    }
    commands.join(" && ")
}

impl Variable<'_> {
    /// An empty value from sed goes unnoticed otherwise; jq says so itself.
    fn assigned(&self, command: &str) -> String {
        let name = &self.name;
        match self.take {
            Take::Pointer(_) => format!("{name}=$({command})"),
            _ => format!("{name}=$({command}) && test -n \"${name}\""),
        }
    }

    fn extract(&self) -> String {
        match self.take {
            Take::Pointer(pointer) => self.with_jq(pointer),
            Take::Location => self.escaped(&location()),
            Take::Header(name) => self.escaped(&header(name)),
        }
    }

    fn with_jq(&self, pointer: &str) -> String {
        let filter = jq::filter(pointer, self.seen.and_then(Answer::json));
        match self.form {
            Form::Json => format!("jq -ec {}", quote_if_needed(&filter)),
            Form::Component if self.is_plain() => format!("jq -er {}", quote_if_needed(&filter)),
            Form::Component => format!("jq -er {}", quote(&format!("{filter}|values|@uri"))),
        }
    }

    /// What sed gives is raw text; the last segment of a URL is escaped already.
    fn escaped(&self, extract: &str) -> String {
        match (self.form, self.take) {
            (Form::Json, _) => format!("{extract} | jq -Rc ."),
            (Form::Component, Take::Header(_)) if !self.is_plain() => {
                format!("{extract} | jq -Rr @uri")
            }
            _ => extract.to_owned(),
        }
    }

    /// Looked the last time as if it needed no escaping: most identifiers are like that, and the
    /// shorter line is the better one.
    fn is_plain(&self) -> bool {
        let unreserved = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
        match self.seen.and_then(|answer| self.take.from(answer)) {
            Some(Value::String(text)) => text.chars().all(unreserved),
            Some(Value::Number(_)) => true,
            _ => false,
        }
    }
}

fn location() -> String {
    quoted_sed("/^[Ll]ocation: */{s///;s/[?#].*//;s,/*$,,;s,.*/,,p;q;}")
}

fn header(name: &str) -> String {
    quoted_sed(&format!("/^{}: */{{s///p;q;}}", any_case(name)))
}

fn quoted_sed(program: &str) -> String {
    format!("sed -n {}", quote(program))
}

/// A pattern for a header's name in any case; what is not a letter or a digit matches anything,
/// so that no name can be a command.
fn any_case(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            'a'..='z' | 'A'..='Z' => {
                format!("[{}{}]", c.to_ascii_uppercase(), c.to_ascii_lowercase())
            }
            '0'..='9' | '-' | '_' => c.to_string(),
            _ => ".".to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_header_name_can_be_a_command_of_sed() {
        assert_eq!(any_case("X-1/e;'"), "[Xx]-1.[Ee]..");
    }
}
