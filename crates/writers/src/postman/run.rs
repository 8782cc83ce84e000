//! `run.js`, which runs the collection with newman: it hands over the environment, lays out bodies
//! that are no text, and minds the service.

use std::collections::BTreeSet;

use fossick_suite::{Reset, Suite};
use serde_json::json;

use super::request::{BASE_URL, file_name};
use super::script::STYLE;
use super::{LOG_IN, shown};
use crate::jest::string;
use crate::layout::{Doc, Kind};
use crate::names::Taken;
use crate::scope::Scope;
use crate::wrap::{calm, comment};
use crate::{File, hex};

pub(super) fn files(suite: &Suite, collection: &str, bodies: &[Vec<u8>]) -> Vec<File> {
    let package = json!({
        "name": "postman-tests",
        "private": true,
        "engines": {"node": ">=20"},
        "scripts": {"test": "node run.js"},
        "devDependencies": {"newman": "6.2.2"},
    });
    vec![
        File::new("package.json", format!("{package:#}\n")),
        File::new("run.js", script(suite, collection, bodies)),
    ]
}

fn script(suite: &Suite, collection: &str, bodies: &[Vec<u8>]) -> String {
    let service = &suite.service;
    let what = format!("{}: runs the collection with newman.", shown(&suite.title));
    let mut lines = comment("//", &what, STYLE.width);
    lines.push(String::new());
    lines.extend(imports(suite, bodies));
    lines.push(String::new());
    lines.push(constant(
        "COLLECTION",
        Doc::text(string(&format!("./{collection}"))),
    ));
    lines.push(constant("SECRETS", list(&secrets(suite))));
    if let Some(start) = &service.start {
        lines.push(constant("START", Doc::text(string(start))));
        lines.push(constant(
            "DEFAULT_BASE_URL",
            Doc::text(string(&suite.base_url)),
        ));
        lines.push("const BASE_URL = process.env.FOSSICK_BASE_URL || DEFAULT_BASE_URL;".to_owned());
    }
    if let Some(stop) = &service.stop {
        lines.push(constant("STOP", Doc::text(string(stop))));
    }
    if let Some(Reset::Command(command)) = &service.reset {
        lines.push(constant("RESET", Doc::text(string(command))));
        lines.push(constant("TESTS", list(&tests(suite))));
    }
    lines.extend(laid_out(bodies));
    let mut text = lines.join("\n") + "\n";
    text.push_str(include_str!("run.js"));
    if service.start.is_some() {
        text.push_str(include_str!("service.js"));
    }
    text + &main(suite)
}

fn imports(suite: &Suite, bodies: &[Vec<u8>]) -> Vec<String> {
    let service = &suite.service;
    let resets = matches!(service.reset, Some(Reset::Command(_)));
    let mut children = Vec::new();
    if resets {
        children.push("execSync");
    }
    if service.start.is_some() {
        children.push("spawn");
    }
    if service.stop.is_some() {
        children.push("spawnSync");
    }
    let mut lines = Vec::new();
    if !children.is_empty() {
        let names = children.join(", ");
        lines.push(format!(
            "const {{ {names} }} = require(\"node:child_process\");"
        ));
    }
    if !bodies.is_empty() {
        lines.push("const { mkdtempSync, writeFileSync } = require(\"node:fs\");".to_owned());
        lines.push("const { tmpdir } = require(\"node:os\");".to_owned());
        lines.push("const { join } = require(\"node:path\");".to_owned());
    }
    if service.start.is_some() {
        lines.push("const { setTimeout: sleep } = require(\"node:timers/promises\");".to_owned());
    }
    lines.push("const newman = require(\"newman\");".to_owned());
    lines
}

fn constant(name: &str, value: Doc) -> String {
    STYLE.statement(0, "", &Doc::pair(format!("const {name} = "), value), ";")
}

fn list(items: &[String]) -> Doc {
    let items = items.iter().map(|item| Doc::text(string(item)));
    Doc::list("[", items.collect(), "]", Kind::Array)
}

/// Everything that the environment may say.
fn secrets(suite: &Suite) -> Vec<String> {
    let mut names = BTreeSet::from([BASE_URL.to_owned()]);
    for user in &suite.users {
        names.extend(user.headers.iter().map(|header| header.variable.clone()));
        if let Some(login) = &user.login {
            let scope = Scope::of_secrets(&login.request, Taken::default(), |text| {
                crate::names::snake(text, "n")
            });
            names.extend(scope.pairs().map(|(secret, _)| secret.to_owned()));
        }
    }
    names.into_iter().collect()
}

fn tests(suite: &Suite) -> Vec<String> {
    let mut names = Taken::default();
    suite
        .tests
        .iter()
        .map(|test| names.claim(&calm(&test.name)))
        .collect()
}

fn laid_out(bodies: &[Vec<u8>]) -> Vec<String> {
    if bodies.is_empty() {
        return vec!["const workingDir = __dirname;".to_owned()];
    }
    let mut lines = vec![
        "const workingDir = mkdtempSync(join(tmpdir(), \"bodies-\"));".to_owned(),
        "const layOut = (name, hex) =>".to_owned(),
        "  writeFileSync(join(workingDir, name), Buffer.from(hex, \"hex\"));".to_owned(),
    ];
    for (place, body) in bodies.iter().enumerate() {
        let name = Doc::text(string(&file_name(place + 1)));
        let call = Doc::call("layOut", vec![name, Doc::text(string(&hex::text(body)))]);
        lines.push(STYLE.statement(0, "", &call, ";"));
    }
    lines
}

fn main(suite: &Suite) -> String {
    let service = &suite.service;
    let has_logins = suite.users.iter().any(|user| user.login.is_some());
    let run = match &service.reset {
        Some(Reset::Command(_)) => {
            let folder = if has_logins {
                format!("[{}, test]", string(LOG_IN))
            } else {
                "test".to_owned()
            };
            format!(
                "let failures = 0;\n  for (const test of TESTS) {{\n    \
                 execSync(RESET, {{ stdio: \"inherit\" }});\n    \
                 failures += await run({folder});\n  }}"
            )
        }
        _ => "const failures = await run();".to_owned(),
    };
    let body = format!("{run}\n  return failures;");
    format!(
        "\nasync function main() {{\n  {}\n}}\n{ENDING}",
        minded(suite, &body)
    )
}

/// newman leaves things open after failures, so the program is ended.
const ENDING: &str = r"
main().then(
  (failures) => process.exit(failures === 0 ? 0 : 1),
  (error) => {
    console.error(error);
    process.exit(2);
  },
);
";

/// The run between the start and the stop of its service.
fn minded(suite: &Suite, body: &str) -> String {
    let service = &suite.service;
    let stop = "spawnSync(STOP, { shell: true, stdio: \"inherit\" });";
    let kill = "if (service.exitCode === null) process.kill(-service.pid);";
    let start = "const service = await start();";
    let deeper = body.replace("\n  ", "\n    ");
    match (&service.start, &service.stop) {
        (None, None) => body.to_owned(),
        (None, Some(_)) => format!("try {{\n    {deeper}\n  }} finally {{\n    {stop}\n  }}"),
        (Some(_), None) => {
            format!("{start}\n  try {{\n    {deeper}\n  }} finally {{\n    {kill}\n  }}")
        }
        (Some(_), Some(_)) => {
            format!(
                "{start}\n  try {{\n    {deeper}\n  }} finally {{\n    {stop}\n    {kill}\n  }}"
            )
        }
    }
}
