//! `fossick.toml`: everything that has a flag has a key of the same name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::graphql::GraphqlConfig;
use crate::nearest::hint;
use crate::probe_name::ProbeName;
use crate::strategy::{SearchConfig, StrategyName};

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Config {
    /// One document, or the files of a GraphQL schema.
    #[serde(deserialize_with = "one_or_several")]
    pub(crate) schema: Vec<String>,
    pub(crate) url: Option<String>,
    pub(crate) time: Option<String>,
    pub(crate) requests: Option<u64>,
    pub(crate) seed: Option<u64>,
    pub(crate) concurrency: Option<usize>,
    pub(crate) rate: Option<f64>,
    pub(crate) timeout: Option<String>,
    pub(crate) header: Vec<String>,
    pub(crate) user: Option<String>,
    pub(crate) bearer: Option<String>,
    pub(crate) api_key: Vec<String>,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    pub(crate) allow_destructive: bool,
    pub(crate) insecure: bool,
    pub(crate) http2: bool,
    pub(crate) report: Vec<String>,
    pub(crate) suite: Vec<String>,
    /// How suites are made.
    pub(crate) keep: KeepConfig,
    pub(crate) service: ServiceConfig,
    pub(crate) harvest: HarvestConfig,
    pub(crate) all: bool,
    pub(crate) out: Option<PathBuf>,
    pub(crate) quiet: bool,
    pub(crate) users: Vec<UserConfig>,
    pub(crate) ignore: Vec<IgnoreConfig>,
    /// Field name to values that are known to be good.
    pub(crate) values: BTreeMap<String, Vec<toml::Value>>,
    pub(crate) graphql: GraphqlConfig,
    pub(crate) strategy: Option<StrategyName>,
    /// How to evolve.
    pub(crate) search: Option<SearchConfig>,
}

/// A text, or a list of texts.
fn one_or_several<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    match toml::Value::deserialize(from)? {
        toml::Value::String(one) => Ok(vec![one]),
        several => several
            .try_into()
            .map_err(|_| D::Error::custom("expected a file, a URL or a list of files")),
    }
}

/// How much time a suite is made in, and how much of an answer its tests assert.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct KeepConfig {
    pub(crate) time: Option<String>,
    pub(crate) checks: Option<usize>,
    pub(crate) depth: Option<usize>,
    pub(crate) items: Option<usize>,
    pub(crate) text: Option<usize>,
}

/// How to start, stop and reset the service; lines for a shell.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServiceConfig {
    pub(crate) start: Option<String>,
    pub(crate) stop: Option<String>,
    pub(crate) reset: Option<ResetConfig>,
    /// Where it is started.
    pub(crate) folder: Option<PathBuf>,
    /// Variables that it is started with.
    pub(crate) environment: BTreeMap<String, String>,
    /// A URL that answers, a port that is listened at, or a text that it prints.
    pub(crate) ready: Option<String>,
    /// Which probe it gets.
    pub(crate) probe: Option<ProbeName>,
    /// Its own code: folders, files or names of packages.
    pub(crate) cover: Vec<String>,
    /// How many run side by side.
    pub(crate) instances: Option<usize>,
}

/// How the service is brought back to where it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResetConfig {
    /// A URL that is called with POST, a line for a shell, or `restart`.
    Line(String),
    Sql(SqlReset),
}

/// Statements that are run in the service's database.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SqlReset {
    /// `postgres://…`, or the path of an SQLite file.
    pub(crate) database: String,
    pub(crate) sql: String,
}

impl ResetConfig {
    /// With every text changed.
    pub(crate) fn map(&self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Line(line) => Self::Line(change(line)),
            Self::Sql(told) => Self::Sql(SqlReset {
                database: change(&told.database),
                sql: change(&told.sql),
            }),
        }
    }

    pub(crate) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Line(line) => vec![line],
            Self::Sql(told) => vec![&told.database, &told.sql],
        }
    }

    /// Whether the service is ended and started once more.
    pub(crate) fn restarts(&self) -> bool {
        matches!(self, Self::Line(line) if line == "restart")
    }
}

impl<'de> Deserialize<'de> for ResetConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match toml::Value::deserialize(from)? {
            toml::Value::String(line) => Ok(Self::Line(line)),
            told => told.try_into().map(Self::Sql).map_err(|error| {
                let why = error.message();
                D::Error::custom(format!(
                    "{why}; write a URL, a line for a shell, \"restart\", or {{ database = …, sql = … }}"
                ))
            }),
        }
    }
}

/// Where recorded calls are, and what of them is private.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HarvestConfig {
    pub(crate) store: Option<String>,
    /// More names of private fields.
    pub(crate) private: Vec<String>,
    /// Names that are not private, although they are by default.
    pub(crate) public: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UserConfig {
    pub(crate) name: String,
    pub(crate) login: Option<LoginConfig>,
    /// `NAME:PASSWORD`
    pub(crate) basic: Option<String>,
    pub(crate) bearer: Option<String>,
    #[serde(default)]
    pub(crate) header: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct LoginConfig {
    /// `POST /auth/token`
    pub(crate) request: String,
    pub(crate) body: Option<toml::Value>,
    /// Sent as a form instead of JSON.
    pub(crate) form: Option<BTreeMap<String, String>>,
    #[serde(default)]
    pub(crate) header: Vec<String>,
    /// JSON pointer, `header:NAME` or `cookie:NAME`.
    pub(crate) token: String,
    /// `Authorization: Bearer {token}`
    pub(crate) send: Option<String>,
    pub(crate) expires: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IgnoreConfig {
    pub(crate) code: String,
    pub(crate) operation: Option<String>,
    /// Asked for so that the next reader knows.
    pub(crate) reason: String,
}

/// Reads the named file, or `fossick.toml` where there is one.
pub(crate) fn load(named: Option<&Path>) -> Result<Config> {
    let path = match named {
        Some(path) => path,
        None if Path::new("fossick.toml").exists() => Path::new("fossick.toml"),
        None => return Ok(Config::default()),
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("failed to read {}", path.display()))?;
    parse(&text, &path.display().to_string(), &|name| {
        std::env::var(name).ok()
    })
}

/// Fills `${NAME}` from the environment and reads the rest as TOML.
pub(crate) fn parse(
    text: &str,
    name: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Config> {
    let config: Config = toml::from_str(text).map_err(|error| explain(&error, text, name))?;
    let mut config = config;
    config
        .expand(variable)
        .with_context(|| format!("failed to read {name}"))?;
    for ignore in &config.ignore {
        if ignore.reason.trim().is_empty() {
            bail!("{name}: [[ignore]] of {} needs a reason", ignore.code);
        }
        if fossick_oracles::find(&ignore.code).is_none() {
            bail!(
                "{name}: there is no code {}; `fossick explain` lists them",
                ignore.code
            );
        }
    }
    Ok(config)
}

/// The parser's words with the place, and the nearest known key where one was misspelt.
fn explain(error: &toml::de::Error, text: &str, name: &str) -> anyhow::Error {
    let (line, column) = error
        .span()
        .map_or((1, 1), |span| position(text, span.start));
    let message = error.message();
    anyhow!("{name}:{line}:{column}: {message}{}", hint(message))
}

fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}

impl Config {
    fn expand(&mut self, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
        let store = &mut self.harvest.store;
        let texts = [&mut self.url, &mut self.user, &mut self.bearer, store];
        for text in texts.into_iter().flatten() {
            *text = expand(text, variable)?;
        }
        let lists = [&mut self.schema, &mut self.header, &mut self.api_key];
        for text in lists.into_iter().flatten() {
            *text = expand(text, variable)?;
        }
        for user in &mut self.users {
            user.expand(variable)?;
        }
        if let Some(ResetConfig::Sql(told)) = &mut self.service.reset {
            told.database = expand(&told.database, variable)?;
        }
        Ok(())
    }
}

impl UserConfig {
    fn expand(&mut self, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
        for text in [&mut self.basic, &mut self.bearer].into_iter().flatten() {
            *text = expand(text, variable)?;
        }
        for text in &mut self.header {
            *text = expand(text, variable)?;
        }
        let Some(login) = &mut self.login else {
            return Ok(());
        };
        for text in login
            .form
            .iter_mut()
            .flat_map(BTreeMap::values_mut)
            .chain(&mut login.header)
        {
            *text = expand(text, variable)?;
        }
        if let Some(body) = &mut login.body {
            expand_value(body, variable)?;
        }
        Ok(())
    }
}

fn expand_value(value: &mut toml::Value, variable: &dyn Fn(&str) -> Option<String>) -> Result<()> {
    match value {
        toml::Value::String(text) => *text = expand(text, variable)?,
        toml::Value::Array(items) => {
            for item in items {
                expand_value(item, variable)?;
            }
        }
        toml::Value::Table(table) => {
            for (_, inner) in table.iter_mut() {
                expand_value(inner, variable)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn expand(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find("${") {
        let Some(close) = rest[open..].find('}') else {
            break;
        };
        let name = &rest[open + 2..open + close];
        out.push_str(&rest[..open]);
        out.push_str(
            &variable(name).ok_or_else(|| anyhow!("the environment has no variable {name}"))?,
        );
        rest = &rest[open + close + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config> {
        parse(text, "fossick.toml", &|name| {
            (name == "SECRET").then(|| "s3cr3t".to_owned())
        })
    }

    #[test]
    fn a_misspelt_key_is_named_with_its_place_and_the_nearest() {
        let error = read("url = \"x\"\nconcurency = 4\n")
            .expect_err("misspelt")
            .to_string();
        assert!(
            error.starts_with("fossick.toml:2:1: unknown field `concurency`"),
            "{error}"
        );
        assert!(error.ends_with("did you mean `concurrency`?"), "{error}");
    }

    #[test]
    fn secrets_come_from_the_environment() {
        let text = "[[users]]\nname = \"a\"\nlogin = { request = \"POST /t\", body = { p = \"${SECRET}\" }, token = \"/t\" }";
        let config = read(text).expect("readable");
        let body = config.users[0]
            .login
            .as_ref()
            .and_then(|l| l.body.as_ref())
            .expect("a body");
        assert_eq!(body["p"].as_str(), Some("s3cr3t"));
        let missing = read("bearer = \"${NOPE}\"").expect_err("missing");
        assert!(format!("{missing:#}").contains("no variable NOPE"));
    }

    #[test]
    fn a_schema_may_be_several_files() {
        assert_eq!(read("schema = \"a\"").expect("one").schema, ["a"]);
        let several = read("schema = [\"a.graphql\", \"${SECRET}.graphql\"]").expect("several");
        assert_eq!(several.schema, ["a.graphql", "s3cr3t.graphql"]);
        let error = read("time = \"1s\"\nschema = 7").expect_err("no file");
        let error = error.to_string();
        assert!(error.starts_with("fossick.toml:2:"), "{error}");
        assert!(error.contains("a list of files"), "{error}");
    }

    #[test]
    fn mistakes_in_the_graphql_table_are_named_with_their_place() {
        for (text, place, words) in [
            ("depth = 0", "fossick.toml:2:", "between 1 and 16"),
            ("depth = 2.5", "fossick.toml:2:", "`2.5`"),
            ("arguments = \"in line\"", "fossick.toml:2:", "`inline`"),
            (
                "argument = \"inline\"",
                "fossick.toml:2:",
                "did you mean `arguments`?",
            ),
            (
                "[graphql.scalars]\nMoney = { type = \"money\" }",
                "fossick.toml:3:",
                "`string`",
            ),
            (
                "[graphql.scalars.Money]\nexample = [\"1\"]",
                "fossick.toml:2:",
                "`type`",
            ),
        ] {
            let error = read(&format!("[graphql]\n{text}\n")).expect_err(text);
            let error = error.to_string();
            assert!(error.starts_with(place), "{error}");
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_reset_is_a_line_or_statements() {
        let reset = |text: &str| read(&format!("[service]\nreset = {text}\n"));
        let line = reset("\"restart\"").expect("a line").service.reset;
        assert!(line.expect("told").restarts());
        let sql = reset("{ database = \"postgres://u:${SECRET}@h/d\", sql = \"DELETE FROM a\" }");
        let Some(ResetConfig::Sql(sql)) = sql.expect("statements").service.reset else {
            panic!("no statements");
        };
        assert_eq!(sql.database, "postgres://u:s3cr3t@h/d");
        let error = reset("{ database = \"a.db\" }").expect_err("no statements");
        let error = error.to_string();
        assert!(error.starts_with("fossick.toml:2:"), "{error}");
        assert!(error.contains("missing field `sql`"), "{error}");
    }

    #[test]
    fn an_ignore_needs_a_reason_and_a_known_code() {
        assert!(read("[[ignore]]\ncode = \"F202\"\nreason = \"\"").is_err());
        assert!(read("[[ignore]]\ncode = \"F999\"\nreason = \"x\"").is_err());
        assert!(read("[[ignore]]\ncode = \"F202\"\nreason = \"load balancer\"").is_ok());
    }
}
