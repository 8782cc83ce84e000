//! `support.js`, the matchers, and what else Jest needs.
//!
//! The constant parts stand beside this file as JavaScript, so that they can be read and formatted
//! as what they are.

use fossick_suite::{Reset, Service, Suite};
use serde_json::{Value, json};

use super::literal::string;
use super::users::Users;
use super::{STYLE, head};
use crate::layout::{Doc, Kind};
use crate::names::words;
use crate::{File, Manner, schemas};

pub(super) fn files(suite: &Suite, manner: &Manner, users: &Users, names: &[String]) -> Vec<File> {
    let mut files = vec![
        File::new("package.json", package(suite, manner)),
        File::new("support.js", support(suite, users)),
        File::new("setup.js", setup(suite)),
    ];
    if needs_global_setup(suite) {
        files.push(File::new("global_setup.js", global_setup(suite)));
    }
    if needs_teardown(&suite.service) {
        files.push(File::new("global_teardown.js", global_teardown(suite)));
    }
    if has_schemas(suite) {
        files.push(File::new("schemas.json", schemas::file(suite, names)));
    }
    files
}

fn has_schemas(suite: &Suite) -> bool {
    !suite.schemas.is_empty()
}

fn has_logins(suite: &Suite) -> bool {
    suite.users.iter().any(|user| user.login.is_some())
}

fn needs_global_setup(suite: &Suite) -> bool {
    has_logins(suite) || suite.service.start.is_some()
}

fn needs_teardown(service: &Service) -> bool {
    service.start.is_some() || service.stop.is_some()
}

fn package(suite: &Suite, manner: &Manner) -> String {
    let mut name = words(&manner.name).join("-");
    if name.is_empty() {
        name = words(&suite.title).join("-");
    }
    let name = if name.is_empty() {
        "api-tests".to_owned()
    } else {
        format!("{name}-tests")
    };
    let mut dependencies = json!({"jest": "30.5.2"});
    if has_schemas(suite) {
        dependencies = json!({"ajv": "8.20.0", "jest": "30.5.2"});
    }
    let package = json!({
        "name": name,
        "private": true,
        "engines": {"node": ">=20"},
        "scripts": {"test": "jest"},
        "devDependencies": dependencies,
        "jest": jest(suite),
    });
    format!("{package:#}\n")
}

fn jest(suite: &Suite) -> Value {
    let mut settings = json!({
        "testEnvironment": "node",
        "testTimeout": 120_000,
        "setupFilesAfterEnv": ["./setup.js"],
    });
    if needs_global_setup(suite) {
        settings["globalSetup"] = "./global_setup.js".into();
    }
    if needs_teardown(&suite.service) {
        settings["globalTeardown"] = "./global_teardown.js".into();
    }
    if suite.service.reset.is_some() {
        // Files run side by side else, and would reset each other's service.
        settings["maxWorkers"] = 1.into();
    }
    settings
}

fn support(suite: &Suite, users: &Users) -> String {
    let mut text = head("what the tests share", suite);
    text.push_str(
        "\nconst { randomInt, randomUUID } = require(\"node:crypto\");\n\
         const http = require(\"node:http\");\nconst https = require(\"node:https\");\n\n",
    );
    text.push_str(&constant("DEFAULT_BASE_URL", &suite.base_url));
    text.push_str("const BASE_URL = process.env.FOSSICK_BASE_URL || DEFAULT_BASE_URL;\n");
    text.push_str(include_str!("client.js"));
    text.push_str(&users.clients(suite));
    text.push_str(&exports(users));
    text
}

fn constant(name: &str, text: &str) -> String {
    let pair = Doc::pair(format!("const {name} = "), Doc::text(string(text)));
    STYLE.statement(0, "", &pair, ";") + "\n"
}

fn exports(users: &Users) -> String {
    let own = ["anybody", "asText", "fresh", "logins", "restart"].map(str::to_owned);
    let names = users.names.iter().cloned().chain(own).map(Doc::text);
    let names = Doc::list("{", names.collect(), "}", Kind::Object);
    format!(
        "\n{}\n",
        STYLE.statement(0, "module.exports = ", &names, ";")
    )
}

fn setup(suite: &Suite) -> String {
    let mut text = head("the matchers of the tests", suite);
    let is_command = matches!(suite.service.reset, Some(Reset::Command(_)));
    let lines = [
        ("", true),
        (
            "const { execSync } = require(\"node:child_process\");",
            is_command,
        ),
        (
            "const { isDeepStrictEqual } = require(\"node:util\");",
            true,
        ),
        (
            "const { default: Ajv } = require(\"ajv/dist/2020\");",
            has_schemas(suite),
        ),
        ("const { asText, restart } = require(\"./support\");", true),
        (
            "const schemas = require(\"./schemas.json\");",
            has_schemas(suite),
        ),
        ("", has_schemas(suite)),
        (
            "const validators = new Ajv({ strict: false, validateFormats: false });",
            has_schemas(suite),
        ),
        (
            "for (const [name, schema] of Object.entries(schemas)) {",
            has_schemas(suite),
        ),
        ("  validators.addSchema(schema, name);", has_schemas(suite)),
        ("}", has_schemas(suite)),
        ("", true),
        ("beforeEach(restart);", true),
    ];
    for (line, _) in lines.iter().filter(|(_, needed)| *needed) {
        text.push_str(line);
        text.push('\n');
    }
    text.push_str(&suite.service.reset.as_ref().map(reset).unwrap_or_default());
    text.push_str(include_str!("matchers.js"));
    if has_schemas(suite) {
        text.push_str(include_str!("schemas.js"));
    }
    text + "});\n"
}

fn reset(reset: &Reset) -> String {
    match reset {
        Reset::Command(command) => {
            let arguments = vec![
                Doc::text(string(command)),
                Doc::list(
                    "{",
                    vec![Doc::text("stdio: \"inherit\"")],
                    "}",
                    Kind::Object,
                ),
            ];
            let run = STYLE.statement(1, "", &Doc::call("execSync", arguments), ";");
            format!("\n// Every test finds the service as new.\nbeforeEach(() => {{\n{run}\n}});\n")
        }
        Reset::Url(url) => {
            let options = vec![Doc::text("method: \"POST\"")];
            let options = Doc::list("{", options, "}", Kind::Object);
            let send = Doc::call("fetch", vec![Doc::text(string(url)), options]);
            let send = STYLE.statement(1, "const answer = await ", &send, ";");
            format!(
                "\n// Every test finds the service as new.\nbeforeEach(async () => {{\n{send}\n  \
                 if (!answer.ok) throw new Error(`the reset answered ${{answer.status}}`);\n}});\n"
            )
        }
    }
}

fn global_setup(suite: &Suite) -> String {
    let mut text = head("what is done once before all tests", suite) + "\n";
    let start = suite.service.start.as_deref();
    if start.is_some() {
        text.push_str("const { spawn } = require(\"node:child_process\");\n");
        text.push_str("const { setTimeout: sleep } = require(\"node:timers/promises\");\n");
    }
    let names = match (start.is_some(), has_logins(suite)) {
        (true, true) => "anybody, logins",
        (true, false) => "anybody",
        (false, _) => "logins",
    };
    text.push_str(&format!("const {{ {names} }} = require(\"./support\");\n"));
    if let Some(start) = start {
        text.push('\n');
        text.push_str(&constant("START", start));
        text.push_str(include_str!("service.js"));
    }
    if has_logins(suite) {
        text.push_str(LOG_IN);
    }
    text.push_str("\nmodule.exports = async () => {\n");
    text.push_str(if start.is_some() {
        "  await start();\n"
    } else {
        ""
    });
    text.push_str(if has_logins(suite) {
        "  await logIn();\n"
    } else {
        ""
    });
    text + "};\n"
}

const LOG_IN: &str = r"
// Whoever cannot log in fails where a test needs them.
async function logIn() {
  const tokens = {};
  for (const [name, login] of Object.entries(logins)) {
    tokens[name] = await login().then(
      (token) => ({ token }),
      (error) => ({ problem: error.message }),
    );
  }
  process.env.FOSSICK_TOKENS = JSON.stringify(tokens);
}
";

fn global_teardown(suite: &Suite) -> String {
    let mut text = head("what is done once after all tests", suite) + "\n";
    if let Some(stop) = &suite.service.stop {
        text.push_str("const { spawnSync } = require(\"node:child_process\");\n\n");
        text.push_str(&constant("STOP", stop));
        text.push('\n');
    }
    text.push_str("module.exports = () => {\n");
    if suite.service.stop.is_some() {
        text.push_str("  spawnSync(STOP, { shell: true, stdio: \"inherit\" });\n");
    }
    if suite.service.start.is_some() {
        text.push_str(
            "  const { service } = globalThis;\n  \
             if (service.exitCode === null) process.kill(-service.pid);\n",
        );
    }
    text + "};\n"
}
