//! `[graphql]` in fossick.toml: how operations are put, and what custom scalars are.

use std::collections::BTreeMap;

use fossick_contract::JsonKind;
use fossick_ingest::{ScalarRule, Scalars};
use serde::Deserialize;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct GraphqlConfig {
    arguments: Arguments,
    get: Option<bool>,
    depth: Depth,
    scalars: BTreeMap<String, ScalarConfig>,
}

/// How the values of arguments are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Arguments {
    #[default]
    Variables,
    /// Written into the operation.
    Inline,
}

/// How deep a selection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
struct Depth(u8);

impl Default for Depth {
    fn default() -> Self {
        Self(4)
    }
}

impl TryFrom<i64> for Depth {
    type Error = String;

    fn try_from(depth: i64) -> Result<Self, String> {
        const DEEPEST: u8 = 16;
        u8::try_from(depth)
            .ok()
            .filter(|depth| (1..=DEEPEST).contains(depth))
            .map(Self)
            .ok_or_else(|| format!("a depth is between 1 and {DEEPEST}, not {depth}"))
    }
}

/// What a custom scalar is on the wire.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScalarConfig {
    r#type: ScalarType,
    /// In the words of JSON Schema: `date-time`, `uuid`, …
    format: Option<String>,
    /// Values that are known to be good.
    #[serde(default)]
    example: Vec<toml::Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ScalarType {
    String,
    Integer,
    Number,
    /// Large numbers go as either.
    StringOrNumber,
    Any,
}

impl GraphqlConfig {
    /// Arguments are written into the operation.
    pub(crate) fn is_inline(&self) -> bool {
        self.arguments == Arguments::Inline
    }

    /// Queries may be sent by GET as well.
    pub(crate) fn may_get(&self) -> bool {
        self.get.unwrap_or(true)
    }

    /// How deep selections go.
    pub(crate) fn depth(&self) -> usize {
        usize::from(self.depth.0)
    }

    pub(crate) fn scalars(&self) -> Scalars {
        let rule = |(name, scalar): (&String, &ScalarConfig)| (name.clone(), scalar.rule());
        self.scalars.iter().map(rule).collect()
    }
}

impl ScalarConfig {
    fn rule(&self) -> ScalarRule {
        let json = |value: &toml::Value| serde_json::to_value(value).ok();
        ScalarRule {
            json: match self.r#type {
                ScalarType::String => JsonKind::Text,
                ScalarType::Integer => JsonKind::Integer,
                ScalarType::Number => JsonKind::Number,
                ScalarType::StringOrNumber => JsonKind::TextOrNumber,
                ScalarType::Any => JsonKind::Any,
            },
            format: self.format.clone(),
            examples: self.example.iter().filter_map(json).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read_and_have_defaults() {
        let none = GraphqlConfig::default();
        assert!(!none.is_inline() && none.may_get());
        assert_eq!((none.depth(), none.scalars().len()), (4, 0));
        let text = "arguments = \"inline\"\nget = false\ndepth = 7\n[scalars]\n\
            Money = { type = \"string\", example = [\"12.50\"] }\n\
            Big = { type = \"string-or-number\", format = \"int64\", example = [7] }";
        let some: GraphqlConfig = toml::from_str(text).expect("readable");
        assert!(some.is_inline() && !some.may_get());
        assert_eq!(some.depth(), 7);
        let scalars = some.scalars();
        assert_eq!(scalars["Money"].json, JsonKind::Text);
        assert_eq!(scalars["Money"].examples, [json!("12.50")]);
        assert_eq!(scalars["Big"].json, JsonKind::TextOrNumber);
        assert_eq!(scalars["Big"].format.as_deref(), Some("int64"));
        assert_eq!(scalars["Big"].examples, [json!(7)]);
    }
}
