//! `conftest.py` and what else pytest needs.
//!
//! The constant parts stand beside this file as Python, so that they can be read and formatted as
//! what they are.

use fossick_suite::{Reset, Service, Suite};

use super::STYLE;
use super::check::assigned_at;
use super::head;
use super::literal::string;
use super::users::Users;
use crate::layout::Doc;
use crate::{File, schemas};

const REQUIREMENTS: [(&str, bool); 4] = [
    ("httpx==0.28.1", false),
    ("jsonschema==4.26.0", true),
    ("pytest==9.2.0", false),
    ("referencing==0.37.0", true),
];

/// Where `answers.py` lets in what only suites with schemas need.
const PLACE_OF_SCHEMAS: &str = "\n    # SCHEMAS\n";

pub(super) fn files(suite: &Suite, users: &Users, names: &[String]) -> Vec<File> {
    let mut files = vec![
        File::new("conftest.py", conftest(suite, users)),
        File::new("requirements.txt", requirements(suite)),
    ];
    if has_schemas(suite) {
        files.push(File::new("schemas.json", schemas::file(suite, names)));
    }
    files
}

fn has_schemas(suite: &Suite) -> bool {
    !suite.schemas.is_empty()
}

fn requirements(suite: &Suite) -> String {
    let lines = REQUIREMENTS
        .iter()
        .filter(|(_, for_schemas)| has_schemas(suite) || !for_schemas)
        .map(|(requirement, _)| *requirement);
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn conftest(suite: &Suite, users: &Users) -> String {
    let mut text = head("what the tests share", suite);
    text.push_str(&imports(suite));
    text.push_str(&constants(suite));
    text.push_str(&answers(suite));
    text.push_str(include_str!("requests.py"));
    text.push_str(&users.fixtures(suite));
    text.push_str(&hooks(&suite.service));
    text
}

fn imports(suite: &Suite) -> String {
    let service = &suite.service;
    let runs = service.start.is_some() || service.stop.is_some();
    let commands = runs || matches!(service.reset, Some(Reset::Command(_)));
    let lines = [
        ("\nimport json", true),
        ("import os", true),
        ("import random", true),
        ("import re", true),
        ("import signal", service.start.is_some()),
        ("import string", true),
        ("import subprocess", commands),
        ("import time", service.start.is_some()),
        ("from functools import partialmethod", true),
        ("from pathlib import Path", has_schemas(suite)),
        ("from urllib.parse import quote, unquote, urlsplit", true),
        ("\nimport httpx", true),
        ("import pytest", true),
        (
            "from jsonschema import Draft202012Validator",
            has_schemas(suite),
        ),
        ("from referencing import Registry", has_schemas(suite)),
    ];
    let lines = lines.iter().filter(|(_, needed)| *needed);
    lines.map(|(line, _)| *line).collect::<Vec<_>>().join("\n") + "\n"
}

fn constants(suite: &Suite) -> String {
    let service = &suite.service;
    let mut lines = vec![
        assigned_at(0, "DEFAULT_BASE_URL", &string(&suite.base_url)),
        "BASE_URL = os.environ.get(\"FOSSICK_BASE_URL\", DEFAULT_BASE_URL).rstrip(\"/\")"
            .to_owned(),
    ];
    if has_schemas(suite) {
        let path = "Path(__file__).with_name(\"schemas.json\")";
        lines.push(format!("SCHEMAS = json.loads({path}.read_text(\"utf-8\"))"));
    }
    if let Some(start) = &service.start {
        lines.push(assigned_at(0, "START", &string(start)));
    }
    if let Some(stop) = &service.stop {
        lines.push(assigned_at(0, "STOP", &string(stop)));
    }
    format!("\n{}\n", lines.join("\n"))
}

fn answers(suite: &Suite) -> String {
    let method = if has_schemas(suite) {
        include_str!("schemas.py")
    } else {
        ""
    };
    include_str!("answers.py").replace(PLACE_OF_SCHEMAS, method)
}

fn hooks(service: &Service) -> String {
    let mut text = match (&service.start, &service.stop) {
        (Some(_), Some(_)) => include_str!("service.py").to_owned(),
        (Some(_), None) => include_str!("service.py").replace(STOPPING, ""),
        (None, Some(_)) => ONLY_STOP.to_owned(),
        (None, None) => String::new(),
    };
    text.push_str(&service.reset.as_ref().map(reset).unwrap_or_default());
    text
}

/// The lines of `service.py` that run the command to stop the service.
const STOPPING: &str = "        subprocess.run(STOP, shell=True, check=False)\n";

const ONLY_STOP: &str = r#"

@pytest.fixture(scope="session", autouse=True)
def service():
    """The service is stopped when all tests are done."""
    yield
    subprocess.run(STOP, shell=True, check=False)
"#;

fn reset(reset: &Reset) -> String {
    let line = match reset {
        Reset::Command(command) => {
            let command = Doc::text(string(command));
            let arguments = vec![command, Doc::text("shell=True"), Doc::text("check=True")];
            STYLE.statement(1, "", &Doc::call("subprocess.run", arguments), "")
        }
        Reset::Url(url) => {
            let arguments = vec![Doc::text(string(url)), Doc::text("timeout=30")];
            let send = Doc::call("httpx.post", arguments);
            STYLE.statement(1, "", &send, ".raise_for_status()")
        }
    };
    format!(
        "\n\n@pytest.fixture(autouse=True)\ndef reset():\n    \"\"\"Every test finds the service as new.\"\"\"\n{line}\n"
    )
}
