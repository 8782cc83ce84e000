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
    let schema = flags
        .schema
        .as_deref()
        .unwrap_or("http://127.0.0.1:8000/openapi.json");
    let quoted = toml::Value::String(schema.to_owned()).to_string();
    let text = TEMPLATE.replace("SCHEMA", &quoted);
    std::fs::write(&flags.out, text)
        .with_context(|| format!("failed to write {}", flags.out.display()))?;
    print(&format!(
        "wrote {}; now: fossick test\n",
        flags.out.display()
    ));
    Ok(Exit::Clean)
}

const TEMPLATE: &str = r#"# Settings of fossick. Every key has a flag of the same name; flags win.
schema = SCHEMA
# url = "http://127.0.0.1:8000"        # where the service is, if the document does not say
time = "60s"                           # or: requests = 10000
# seed = 1
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
        assert_eq!(config.schema.as_deref(), Some("openapi.yaml"));
    }
}
