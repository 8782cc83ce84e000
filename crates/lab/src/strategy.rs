//! How a run searches: the settings of one named strategy.
//!
//! Only the settings that the papers vary have names here. Whatever else the table holds is kept
//! as it stands for the one who runs the cell, who alone knows which settings there are.

use serde::Serialize;
use toml::Spanned;

use crate::place::Complaint;
use crate::read::Named;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Strategy {
    #[serde(skip)]
    pub name: String,
    /// `mio`, `random`, …; the name of the table where it is not given.
    pub strategy: String,
    pub smart: Option<bool>,
    /// How resources are sampled, such as `con-archive`.
    pub resources: Option<String>,
    /// Chance that a new test is sampled by its resources.
    pub p_s: Option<f64>,
    /// Chance that dependencies are made use of.
    pub p_d: Option<f64>,
    pub prematch: Option<bool>,
    pub whitebox: bool,
    /// Values are drawn by their type alone, and none is carried from one test to the next.
    pub draws_values: bool,
    /// Every further key.
    pub more: toml::Table,
}

type Settings = Named<Spanned<toml::Value>>;
type Setting = (Spanned<String>, Spanned<toml::Value>);

impl Strategy {
    pub(crate) fn read(name: &str, settings: Settings) -> Result<Self, Complaint> {
        let mut read = Self {
            name: name.to_owned(),
            strategy: name.to_owned(),
            smart: None,
            resources: None,
            p_s: None,
            p_d: None,
            prematch: None,
            whitebox: false,
            draws_values: false,
            more: toml::Table::new(),
        };
        for setting in settings.0 {
            read.take(setting)?;
        }
        Ok(read)
    }

    fn take(&mut self, setting: Setting) -> Result<(), Complaint> {
        match setting.0.as_ref().as_str() {
            "strategy" => self.strategy = text(&setting)?,
            "smart" => self.smart = Some(truth(&setting)?),
            "resources" => self.resources = Some(text(&setting)?),
            "p_s" => self.p_s = Some(chance(&setting)?),
            "p_d" => self.p_d = Some(chance(&setting)?),
            "prematch" => self.prematch = Some(truth(&setting)?),
            "whitebox" => self.whitebox = truth(&setting)?,
            "values" => self.draws_values = draws(&setting)?,
            _ => {
                let (key, value) = setting;
                self.more.insert(key.into_inner(), value.into_inner());
            }
        }
        Ok(())
    }
}

fn text(setting: &Setting) -> Result<String, Complaint> {
    let text = setting.1.as_ref().as_str().map(str::to_owned);
    text.ok_or_else(|| wrong(setting, "a text in quotes"))
}

fn truth(setting: &Setting) -> Result<bool, Complaint> {
    let truth = setting.1.as_ref().as_bool();
    truth.ok_or_else(|| wrong(setting, "true or false"))
}

fn draws(setting: &Setting) -> Result<bool, Complaint> {
    match setting.1.as_ref().as_str() {
        Some("drawn") => Ok(true),
        Some("known") => Ok(false),
        _ => Err(wrong(setting, "\"drawn\" or \"known\"")),
    }
}

fn chance(setting: &Setting) -> Result<f64, Complaint> {
    let value = setting.1.as_ref();
    value
        .as_float()
        .or_else(|| value.as_integer().map(|number| number as f64))
        .filter(|chance| (0.0..=1.0).contains(chance))
        .ok_or_else(|| wrong(setting, "a number between 0 and 1"))
}

fn wrong(setting: &Setting, wanted: &str) -> Complaint {
    let key = setting.0.as_ref();
    Complaint::at(&setting.1.span(), format!("`{key}` must be {wanted}"))
}
