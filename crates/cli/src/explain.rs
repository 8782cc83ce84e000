//! `fossick explain`: what a finding means.

use std::path::Path;

use anyhow::{Result, bail};
use fossick_oracles::{ORACLES, Oracle, find};

use crate::exit::Exit;
use crate::flags::ExplainFlags;
use crate::run_folder;
use crate::screen::print;

pub(crate) fn explain(flags: &ExplainFlags) -> Result<Exit> {
    let Some(subject) = &flags.subject else {
        print(&list());
        return Ok(Exit::Clean);
    };
    if let Some(oracle) = find(subject) {
        print(&page(oracle));
        return Ok(Exit::Clean);
    }
    if let Some(path) = run_folder::find(Path::new(subject))
        .ok()
        .and_then(|files| files.into_iter().next())
    {
        let stored = run_folder::read(&path)?;
        let finding = &stored.finding;
        print(&format!(
            "{}: {}\n{}\n\n",
            fossick_report::one_line(&finding.operation),
            fossick_report::one_line(&finding.title),
            fossick_report::one_line(&finding.why)
        ));
        if let Some(oracle) = find(&finding.code) {
            print(&page(oracle));
        }
        return Ok(Exit::Clean);
    }
    bail!(
        "there is no code {subject}, nor a finding's file of that name; `fossick explain` lists the codes"
    );
}

fn list() -> String {
    let mut out = String::new();
    for oracle in ORACLES {
        let severity = oracle.severity.to_string();
        out.push_str(&format!(
            "{}  {:<38} {severity:<7} {}\n",
            oracle.code, oracle.name, oracle.sureness
        ));
    }
    out
}

fn page(oracle: &Oracle) -> String {
    format!(
        "{} {} ({}, {})\n\n{}\n\nWhy it matters\n  {}\n\nWhat to do\n  {}\n\nWhen it may be wrong\n  {}\n\nTo silence it\n  --ignore {code} for all operations, or in fossick.toml:\n\n  [[ignore]]\n  code = \"{code}\"\n  operation = \"GET /health\"   # leave out for all operations\n  reason = \"why it is all right\"\n",
        oracle.code,
        oracle.name,
        oracle.severity,
        oracle.sureness,
        oracle.what,
        oracle.why,
        oracle.mend,
        oracle.noise,
        code = oracle.code,
    )
}
