//! What a run is made against: something we serve ourselves, or a program of somebody else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::place::Complaint;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    pub name: String,
    pub kind: ServiceKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ServiceKind {
    Synth(Synth),
    Demo(Demo),
    External(External),
}

impl ServiceKind {
    /// Whether it can tell what calls reach inside it.
    pub(crate) fn has_probe(&self) -> bool {
        match self {
            Self::Synth(_) => true,
            Self::Demo(_) => false,
            Self::External(told) => told.probe.is_some(),
        }
    }
}

/// A synthetic service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Synth {
    /// Such as `dense-central-existence-shown`.
    pub shape: String,
    /// It is emptied before each test, and tests run one by one.
    pub empties: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Demo {
    Rest,
    Graphql,
}

/// A program of somebody else. `{port}` in any of its texts stands for a free port, so that
/// several instances can run side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct External {
    /// Starts it; a service without a command is running already.
    pub command: Option<String>,
    /// Address that answers as soon as the service can be used.
    pub ready: Option<String>,
    pub schema: String,
    pub url: String,
    /// Brings the service back to its beginning before a run.
    pub reset: Option<String>,
    /// Sent with every call. Not part of the settings that a result depends on: a new token does
    /// not make old results worthless.
    #[serde(skip)]
    pub headers: BTreeMap<String, String>,
    /// The probe that it is started with, such as `python`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probe: Option<String>,
    /// What the probe looks at: folders, files or packages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cover: Vec<String>,
}

impl External {
    /// False where every instance would use the same port: then only one may run at a time.
    pub fn runs_side_by_side(&self) -> bool {
        let command = self.command.as_deref().unwrap_or_default();
        command.contains("{port}") && self.url.contains("{port}")
    }

    /// The instance at this port.
    pub fn at_port(&self, port: u16) -> Self {
        let fill = |text: &String| text.replace("{port}", &port.to_string());
        Self {
            command: self.command.as_ref().map(fill),
            ready: self.ready.as_ref().map(fill),
            schema: fill(&self.schema),
            url: fill(&self.url),
            reset: self.reset.as_ref().map(fill),
            headers: self.headers.clone(),
            probe: self.probe.clone(),
            cover: self.cover.clone(),
        }
    }
}

/// The table of one service as it stands in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceTable {
    synth: Option<String>,
    demo: Option<Spanned<String>>,
    command: Option<String>,
    ready: Option<String>,
    schema: Option<String>,
    url: Option<String>,
    reset: Option<Spanned<String>>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    probe: Option<Spanned<String>>,
    cover: Option<Spanned<Vec<String>>>,
}

const KINDS: &str = "a service has either `synth`, or `demo`, or `url` and `schema` \
                     (with `command`, `ready`, `reset`, `headers`, `probe` and `cover` as needed)";
/// How often a synthetic service is emptied, if ever.
const BETWEEN_TESTS: &str = "between-tests";

impl ServiceTable {
    pub(crate) fn read(self, name: &Spanned<String>) -> Result<Service, Complaint> {
        let about = |message: &str| {
            let name = name.as_ref();
            format!("service `{name}` {message}")
        };
        self.check_probe()?;
        let kind = match (&self.synth, &self.demo, self.is_external()) {
            (Some(shape), None, false) => ServiceKind::Synth(Synth {
                shape: shape.clone(),
                empties: self.empties()?,
            }),
            (None, Some(demo), false) => ServiceKind::Demo(read_demo(demo)?),
            (None, None, true) => ServiceKind::External(self.external().map_err(|lacking| {
                let lack = about(&format!("has no `{lacking}`"));
                Complaint::at(&name.span(), lack).advise(KINDS)
            })?),
            (None, None, false) => {
                return Err(Complaint::at(&name.span(), about("is empty")).advise(KINDS));
            }
            _ => {
                let message = about("is of two kinds at once");
                return Err(Complaint::at(&name.span(), message).advise(KINDS));
            }
        };
        let name = name.as_ref().clone();
        Ok(Service { name, kind })
    }

    /// A probe gets only into what is started with it.
    fn check_probe(&self) -> Result<(), Complaint> {
        if let (Some(probe), None) = (&self.probe, &self.command) {
            let message = "only a service with a `command` can be started with a probe";
            return Err(Complaint::at(&probe.span(), message));
        }
        if let (Some(cover), None) = (&self.cover, &self.probe) {
            let message = "`cover` says what a probe looks at, and there is no `probe`";
            return Err(Complaint::at(&cover.span(), message));
        }
        Ok(())
    }

    fn is_external(&self) -> bool {
        let texts = [&self.command, &self.ready, &self.schema, &self.url];
        let resets = self.synth.is_none() && self.reset.is_some();
        resets || texts.into_iter().any(Option::is_some) || !self.headers.is_empty()
    }

    fn empties(&self) -> Result<bool, Complaint> {
        match &self.reset {
            None => Ok(false),
            Some(reset) if reset.as_ref() == BETWEEN_TESTS => Ok(true),
            Some(reset) => {
                let message = format!("a synthetic service has no reset but `{BETWEEN_TESTS}`");
                Err(Complaint::at(&reset.span(), message))
            }
        }
    }

    /// Or the key that it lacks.
    fn external(self) -> Result<External, &'static str> {
        Ok(External {
            command: self.command,
            ready: self.ready,
            schema: self.schema.ok_or("schema")?,
            url: self.url.ok_or("url")?,
            reset: self.reset.map(Spanned::into_inner),
            headers: self.headers,
            probe: self.probe.map(Spanned::into_inner),
            cover: self.cover.map(Spanned::into_inner).unwrap_or_default(),
        })
    }
}

fn read_demo(demo: &Spanned<String>) -> Result<Demo, Complaint> {
    match demo.as_ref().as_str() {
        "rest" => Ok(Demo::Rest),
        "graphql" => Ok(Demo::Graphql),
        other => {
            let message = format!("there is no demo `{other}`");
            Err(Complaint::at(&demo.span(), message).did_you_mean(other, &["rest", "graphql"]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_filled_in_everywhere() {
        let service = External {
            command: Some("serve --port {port}".into()),
            ready: None,
            schema: "http://127.0.0.1:{port}/openapi.json".into(),
            url: "http://127.0.0.1:{port}".into(),
            reset: Some("http://127.0.0.1:{port}/reset".into()),
            headers: BTreeMap::new(),
            probe: None,
            cover: Vec::new(),
        };
        assert!(service.runs_side_by_side());
        let placed = service.at_port(8123);
        assert_eq!(placed.command.as_deref(), Some("serve --port 8123"));
        assert_eq!(placed.schema, "http://127.0.0.1:8123/openapi.json");
        assert_eq!(placed.reset.as_deref(), Some("http://127.0.0.1:8123/reset"));
        assert!(!placed.runs_side_by_side());
    }
}
