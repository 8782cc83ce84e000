//! `fossick init`: a commented configuration to start from.

use anyhow::{Context as _, Result, bail};

use crate::exit::Exit;
use crate::flags::InitFlags;
use crate::screen::print;

pub(crate) fn init(flags: &InitFlags) -> Result<Exit> {
    if flags.out.exists() {
        bail!(
            "{} is there already; move it away first",
            flags.out.display()
        );
    }
    let text = TEMPLATE.replace("SCHEMA", &quoted(&flags.schema));
    std::fs::write(&flags.out, text)
        .with_context(|| format!("failed to write {}", flags.out.display()))?;
    print(&format!(
        "wrote {}; now: fossick test\n",
        flags.out.display()
    ));
    Ok(Exit::Clean)
}

/// One document as a text, the files of a GraphQL schema as a list.
fn quoted(schema: &[String]) -> String {
    match schema {
        [] => quoted(&["http://127.0.0.1:8000/openapi.json".to_owned()]),
        [one] => toml::Value::String(one.clone()).to_string(),
        several => toml::Value::from(several.to_vec()).to_string(),
    }
}

const TEMPLATE: &str = r#"# Settings of fossick. Every key has a flag of the same name; flags win.
schema = SCHEMA
# url = "http://127.0.0.1:8000"        # where the service is, if the document does not say;
#                                      # for GraphQL the endpoint: "http://127.0.0.1:8000/graphql"
time = "60s"                           # or: requests = 10000
# seed = 1
# strategy = "auto"                    # or random, mio, wts, mosa
# concurrency = 16
# rate = 100                           # requests a second
# header = ["X-Tenant: test"]
# exclude = ["POST /payments*", "tag:internal", "method:DELETE"]
# report = ["json=fossick.json", "junit=fossick.xml"]

# Who the requests come from: the first one, unless a stored finding names another.
# [[users]]
# name = "alice"
# login = { request = "POST /auth/token", body = { user = "alice", password = "${ALICE_PASSWORD}" }, token = "/access_token", send = "Authorization: Bearer {token}" }

# Values that are known to be good, by field name.
# [values]
# currency = ["EUR", "CHF"]

# Recorded calls to begin with; the flag is --harvest.
# [harvest]
# store = "calls.db"                   # or "postgres://reader@db/calls"

# How GraphQL operations are put, and what custom scalars are.
# [graphql]
# arguments = "variables"              # or "inline": written into the operation
# get = true                           # queries are sent by GET as well, now and then
# depth = 4                            # how deep selections go
# [graphql.scalars]
# Money = { type = "string", example = ["12.50"] }

# What you have seen and accept.
# [[ignore]]
# code = "F202"
# operation = "GET /health"
# reason = "answered by the load balancer"
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_valid() {
        let text = TEMPLATE.replace("SCHEMA", "\"openapi.yaml\"");
        let config =
            crate::config::parse(&text, "fossick.toml", &|_| None).expect("it can be read");
        assert_eq!(config.schema, ["openapi.yaml"]);
    }

    #[test]
    fn the_graphql_settings_in_the_template_are_valid() {
        let all = TEMPLATE.replace(
            "SCHEMA",
            &quoted(&["a.graphql".into(), "b\".graphql".into()]),
        );
        let (before, after) = all.split_once("# [graphql]\n").expect("the table is there");
        let (table, _) = after.split_once("\n\n").expect("a blank line ends it");
        let table: Vec<&str> = table.lines().filter_map(|l| l.strip_prefix("# ")).collect();
        let table = table.join("\n");
        let text = format!("{before}[graphql]\n{table}");
        let config =
            crate::config::parse(&text, "fossick.toml", &|_| None).expect("it can be read");
        assert_eq!(config.schema, ["a.graphql", "b\".graphql"]);
    }
}
