//! A Postman collection (v2.1) that newman runs: folders for groups and tests, a request per step.

mod check;
mod request;
mod run;
mod script;

use fossick_suite::{Login, Reset, Step, Suite, Test, User};
use serde_json::{Value, json};

use crate::layout::Doc;
use crate::names::{Taken, snake, words};
use crate::parts::{GROUPS, heading};
use crate::scope::Scope;
use crate::turned::turned;
use crate::wrap::{calm, sentence};
use crate::{Faults, File, Manner};
use check::{Setting, checks, save, schema_variable, taken};
use request::{BASE_URL, Sender};
use script::{Script, event, text};

const SCHEMA: &str = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
/// The folder of the requests that give tokens.
const LOG_IN: &str = "Log in";

pub fn write(suite: &Suite, manner: &Manner) -> Vec<File> {
    let mut bodies = Vec::new();
    let mut writer = Writer {
        suite,
        faults: manner.faults,
        bodies: &mut bodies,
        names: Taken::default(),
    };
    let collection = writer.collection();
    let name = file_name(suite, manner);
    let mut files = vec![File::new(&name, crate::json::file(&collection))];
    files.extend(run::files(suite, &name, &bodies));
    files
}

fn file_name(suite: &Suite, manner: &Manner) -> String {
    let wish = if manner.name.is_empty() {
        &suite.title
    } else {
        &manner.name
    };
    let name = words(wish).join("_");
    let name = if name.is_empty() {
        "api".to_owned()
    } else {
        name
    };
    format!("{name}.postman_collection.json")
}

struct Writer<'a> {
    suite: &'a Suite,
    faults: Faults,
    bodies: &'a mut Vec<Vec<u8>>,
    /// Taken of folders, which newman finds tests by.
    names: Taken,
}

impl Writer<'_> {
    fn collection(&mut self) -> Value {
        let mut items: Vec<Value> = self.logins().into_iter().collect();
        for group in GROUPS {
            let tests: Vec<&Test> = self
                .suite
                .tests
                .iter()
                .filter(|test| test.group == group)
                .collect();
            if !tests.is_empty() {
                let tests: Vec<Value> = tests.into_iter().map(|test| self.test(test)).collect();
                items.push(json!({"name": capital(heading(group)), "item": tests}));
            }
        }
        json!({
            "info": {
                "name": shown(&self.suite.title),
                "description": shown(&format!("Written by: {}", self.suite.origin)),
                "schema": SCHEMA,
            },
            "item": items,
            "event": [event("prerequest", include_str!("helpers.js"))],
            "variable": variables(self.suite),
        })
    }

    fn logins(&mut self) -> Option<Value> {
        let users = self.suite.users.iter().enumerate();
        let items: Vec<Value> = users
            .filter_map(|(place, user)| Some(self.login(place, user, user.login.as_ref()?)))
            .collect();
        (!items.is_empty()).then(|| json!({"name": LOG_IN, "item": items}))
    }

    fn login(&mut self, place: usize, user: &User, login: &Login) -> Value {
        let scope = Scope::of_secrets(&login.request, Taken::default(), |text| snake(text, "n"));
        let own = login
            .request
            .user
            .and_then(|place| self.suite.users.get(place));
        let mut sender = self.sender(&scope, true);
        let headers = own
            .map(|own| sender.credentials(own, None))
            .unwrap_or_default();
        let request = with_headers(sender.request(&login.request), headers);
        let before = sender.script;
        let after = token_kept(login, &token_variable(place));
        let name = user.name.clone().unwrap_or_else(|| "user".to_owned());
        item(&name, &request, before, after)
    }

    fn sender<'b>(&'b mut self, scope: &'b Scope, secrets: bool) -> Sender<'b> {
        Sender {
            scope,
            secrets,
            script: Script::default(),
            bodies: self.bodies,
        }
    }

    fn test(&mut self, test: &Test) -> Value {
        let test = turned(test, self.faults);
        let scope = Scope::of(&test, Taken::with(&RESERVED), |text| snake(text, "n"));
        let name = self.names.claim(&calm(&test.name));
        let steps: Vec<Value> = (0..)
            .zip(&test.steps)
            .map(|(place, step)| self.step(&test, place, step, &scope))
            .collect();
        json!({"name": name, "description": description(&test), "item": steps})
    }

    fn step(&mut self, test: &Test, place: usize, step: &Step, scope: &Scope) -> Value {
        let suite = self.suite;
        let mut sender = self.sender(scope, false);
        if place == 0 {
            opening(&mut sender.script, test, suite, scope);
        }
        let user = step.request.user.and_then(|place| suite.users.get(place));
        let token = step.request.user.map(token_variable);
        let headers = user
            .map(|user| sender.credentials(user, token.as_deref()))
            .unwrap_or_default();
        let request = with_headers(sender.request(&step.request), headers);
        let before = sender.script;
        let mut after = Script::default();
        let setting = Setting {
            test,
            faults: self.faults,
            scope,
        };
        checks(&mut after, &step.checks, &setting);
        for one in &step.saves {
            save(&mut after, one, scope);
        }
        item(&step_name(place, step), &request, before, after)
    }
}

fn token_kept(login: &Login, variable: &str) -> Script {
    let mut script = Script::default();
    script.line("pm.test(\"somebody logs in\", () => {");
    let told = script.call("told", Vec::new());
    let expect = Doc::call("pm.expect", vec![Doc::text("pm.response.code"), told]);
    script.chain(1, &expect, ".to.be.below", Doc::text("300"));
    script.line("});");
    let token = taken(&mut script, &login.take);
    let token = script.call("asText", vec![token]);
    let kept = script.call("keep", vec![token]);
    let set = Doc::call("pm.collectionVariables.set", vec![text(variable), kept]);
    script.statement(0, &set);
    script
}

/// Variables that the requests themselves use.
const RESERVED: [&str; 1] = ["body"];

fn token_variable(place: usize) -> String {
    format!("token_{}", place + 1)
}

fn variables(suite: &Suite) -> Vec<Value> {
    let mut variables = vec![json!({"key": BASE_URL, "value": suite.base_url})];
    for (place, (name, schema)) in suite.schemas.iter().enumerate() {
        variables.push(json!({
            "key": schema_variable(place),
            "value": schema.to_string(),
            "description": shown(name),
        }));
    }
    variables
}

/// What a test needs before its first request: new texts, nothing left over, and a reset.
fn opening(script: &mut Script, test: &Test, suite: &Suite, scope: &Scope) {
    if let Some(Reset::Url(url)) = &suite.service.reset {
        script.line(reset(url));
    }
    let saves = test.steps.iter().flat_map(|step| &step.saves);
    let names: Vec<_> = saves
        .map(|save| text(&scope.get(&save.variable).name))
        .collect();
    if !names.is_empty() {
        let call = script.call("forget", names);
        script.statement(0, &call);
    }
    for fresh in &test.fresh {
        let new = script.call("fresh", vec![text(&fresh.like)]);
        let name = text(&scope.get(&fresh.variable).name);
        let call = script.call("save", vec![name, new]);
        script.statement(0, &call);
    }
}

fn reset(url: &str) -> String {
    format!(
        "pm.sendRequest({{ url: {}, method: \"POST\" }}, (error, answer) => {{\n  \
         pm.test(\"the service is as new\", () => {{\n    \
         pm.expect(error).to.equal(null);\n    \
         pm.expect(answer.code).to.be.below(300);\n  }});\n}});",
        crate::jest::string(url)
    )
}

fn with_headers(mut request: Value, mut headers: Vec<Value>) -> Value {
    if let Some(Value::Array(others)) = request.get_mut("header") {
        headers.append(others);
        *others = headers;
    }
    request
}

fn item(name: &str, request: &Value, before: Script, after: Script) -> Value {
    let events: Vec<Value> = [before.event("prerequest"), after.event("test")]
        .into_iter()
        .flatten()
        .collect();
    json!({
        "name": shown(name),
        "event": events,
        "request": request,
        "protocolProfileBehavior": {
            "followRedirects": false,
            "disableCookies": true,
            "disableBodyPruning": true,
            "disableUrlEncoding": true,
        },
    })
}

fn step_name(place: usize, step: &Step) -> String {
    match &step.about {
        Some(about) => format!("{}. {}", place + 1, calm(about)),
        None => format!("{}. {}", place + 1, step.request.method.as_str()),
    }
}

fn description(test: &Test) -> String {
    let mut lines: Vec<String> = test.about.iter().map(|line| shown(line)).collect();
    if let Some(fault) = &test.fault {
        lines.push(shown(&format!(
            "Suspected fault {}, {}: {}",
            fault.code, fault.title, fault.why
        )));
    }
    lines.join("\n\n")
}

fn capital(text: &str) -> String {
    sentence(text).trim_end_matches('.').to_owned()
}

/// Text that people read: on one line, and with nothing to fill in.
fn shown(text: &str) -> String {
    calm(text).replace("{{", "{ {")
}
