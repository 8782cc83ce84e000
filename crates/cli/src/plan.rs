//! What a run is to do: flags over configuration over defaults.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use fossick_campaign::Budget;
use fossick_contract::Api;
use fossick_transport::Base;

use crate::config::Config;
use crate::document::is_url;
use crate::flags::{TestFlags, duration};

/// A report to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReportTo {
    pub(crate) format: ReportFormat,
    pub(crate) path: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    Json,
    Junit,
    Lcov,
    Cobertura,
}

impl ReportFormat {
    /// Whether it tells of the service's code.
    pub(crate) fn needs_probe(self) -> bool {
        matches!(self, Self::Lcov | Self::Cobertura)
    }
}

pub(crate) fn reports(flags: &TestFlags, config: &Config) -> Result<Vec<ReportTo>> {
    config
        .report
        .iter()
        .chain(&flags.report)
        .map(|text| report(text))
        .collect()
}

fn report(text: &str) -> Result<ReportTo> {
    let (format, path) = text.split_once('=').ok_or_else(|| {
        anyhow!("`{text}` is no report; write json=PATH, junit=PATH, lcov=PATH or cobertura=PATH")
    })?;
    let format = match format {
        "json" => ReportFormat::Json,
        "junit" => ReportFormat::Junit,
        "lcov" => ReportFormat::Lcov,
        "cobertura" => ReportFormat::Cobertura,
        other => {
            bail!("there is no report format `{other}`; json, junit, lcov and cobertura there are")
        }
    };
    Ok(ReportTo {
        format,
        path: PathBuf::from(path),
    })
}

pub(crate) fn budget(flags: &TestFlags, config: &Config) -> Result<Budget> {
    let configured = config
        .time
        .as_deref()
        .map(duration)
        .transpose()
        .map_err(|e| anyhow!(e))?;
    let requests = flags.requests.or(config.requests);
    let time = flags.time.or(configured);
    // A number of requests alone is a budget too.
    let fallback = requests.is_none().then_some(Duration::from_mins(1));
    Ok(Budget {
        time: time.or(fallback),
        requests,
    })
}

pub(crate) fn timeout(flags: &TestFlags, config: &Config) -> Result<Duration> {
    let configured = config
        .timeout
        .as_deref()
        .map(duration)
        .transpose()
        .map_err(|e| anyhow!(e))?;
    Ok(flags
        .timeout
        .or(configured)
        .unwrap_or(Duration::from_secs(10)))
}

/// Where the service is: as told, else by the document, but never at another host than the one
/// that the document came from.
pub(crate) fn base(url: Option<&str>, schema: &str, api: &Api) -> Result<(Base, Option<String>)> {
    if let Some(url) = url {
        return Ok((url.parse()?, None));
    }
    let declared = api.servers.first().map_or("", String::as_str);
    if !is_url(schema) {
        if is_url(declared) {
            return Ok((declared.parse()?, None));
        }
        bail!(
            "the document does not say where the service is; tell it with --url http://127.0.0.1:PORT"
        );
    }
    let mut base: Base = without_query(schema).parse()?;
    let origin = base.authority();
    let mut note = None;
    base.path = match declared {
        "" | "/" => String::new(),
        absolute if is_url(absolute) => {
            let server: Base = absolute.parse()?;
            if server.authority() != origin {
                note = Some(format!(
                    "the document names {absolute}; testing at {origin}, where it was found (--url says otherwise)"
                ));
            }
            server.path
        }
        path if path.starts_with('/') => path.trim_end_matches('/').to_owned(),
        relative => join(&base.path, relative),
    };
    Ok((base, note))
}

/// What follows a question mark chooses the document and says nothing of the service.
fn without_query(url: &str) -> &str {
    url.split('?').next().unwrap_or(url)
}

/// Where a GraphQL service is: as told, else where its schema was asked for.
pub(crate) fn graphql_base(url: Option<&str>, asked: Option<&str>) -> Result<Base> {
    match url.or(asked) {
        Some(url) => endpoint(url),
        None => bail!(
            "a GraphQL schema does not say where the service is; tell its endpoint with --url http://127.0.0.1:PORT/graphql"
        ),
    }
}

/// A GraphQL endpoint is the whole address of every call: a slash at its end stays.
pub(crate) fn endpoint(url: &str) -> Result<Base> {
    let mut base: Base = url.parse()?;
    let address = url.trim().split('#').next().unwrap_or("");
    if address.ends_with('/') && !base.path.is_empty() {
        base.path.push('/');
    }
    Ok(base)
}

/// A relative server URL, joined onto the document's own path.
fn join(document: &str, relative: &str) -> String {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
        .iter()
        .fold(String::new(), |path, part| path + "/" + part)
}

/// Whether a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(server: &str) -> Api {
        Api {
            servers: vec![server.to_owned()],
            ..Api::default()
        }
    }

    fn path(server: &str) -> String {
        base(
            None,
            "http://127.0.0.1:8000/docs/openapi.json",
            &api(server),
        )
        .expect("a base")
        .0
        .path
    }

    #[test]
    fn servers_are_joined_onto_the_document() {
        assert_eq!(path("/v1/"), "/v1");
        assert_eq!(path("../api"), "/api");
        assert_eq!(path("api"), "/docs/api");
        assert_eq!(path("https://api.example.com/v2"), "/v2");
    }

    #[test]
    fn the_document_never_leads_to_another_host() {
        let (base, note) = base(
            None,
            "http://127.0.0.1:8000/openapi.json",
            &api("https://api.example.com/v2"),
        )
        .expect("a base");
        assert_eq!(base.host, "127.0.0.1");
        assert!(note.is_some());
    }

    #[test]
    fn the_query_of_a_document_is_not_the_services() {
        let schema = "http://127.0.0.1:8000/schema/?format=openapi";
        let (base, _) = base(None, schema, &api("/v1")).expect("a base");
        assert_eq!(base.to_string(), "http://127.0.0.1:8000/v1");
    }

    #[test]
    fn an_endpoint_keeps_its_path_and_its_slash() {
        for url in ["http://h/graphql", "http://h:4000/api/graphql/", "http://h"] {
            let asked = graphql_base(None, Some(url)).expect("an endpoint");
            assert_eq!(asked.to_string(), url);
        }
        let told = graphql_base(Some("http://other/gql"), Some("http://h/graphql"));
        assert_eq!(told.expect("an endpoint").to_string(), "http://other/gql");
        let error = graphql_base(None, None).expect_err("nowhere to go");
        assert!(error.to_string().contains("--url"));
    }

    #[test]
    fn a_file_without_a_server_asks_for_one() {
        let error = base(None, "openapi.yaml", &api("/v1")).expect_err("nowhere to go");
        assert!(error.to_string().contains("--url"));
    }
}
