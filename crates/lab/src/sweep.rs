//! One table that stands for several strategies: a sweep over the values of a setting.
//!
//! `sweep = { p_s = [0, 0.5, 1] }` in `[strategies.r-mio]` gives `r-mio p_s=0`, `r-mio p_s=0.5` and
//! `r-mio p_s=1`; two settings give every pair of their values.

use toml::Spanned;

use crate::place::Complaint;
use crate::read::Named;

type Settings = Named<Spanned<toml::Value>>;
type Swept = (String, Settings);

const ADVICE: &str =
    "write `sweep = { p_s = [0, 0.5, 1] }`: settings with the values that they take";

/// The strategies that a table stands for, each with its own settings.
pub(crate) fn swept(name: &str, settings: Settings) -> Result<Vec<Swept>, Complaint> {
    let mut rest = settings.0;
    let Some(at) = rest.iter().position(|(key, _)| key.as_ref() == "sweep") else {
        return Ok(vec![(name.to_owned(), Named(rest))]);
    };
    let (_, sweep) = rest.remove(at);
    let span = sweep.span();
    let wrong = |message: &str| Complaint::at(&span, message).advise(ADVICE);
    let table = sweep.as_ref().as_table().filter(|table| !table.is_empty());
    let table = table.ok_or_else(|| wrong("a sweep must be a table of settings"))?;
    // The name is the strategy, unless the table says it: not the name with its values.
    if !rest.iter().any(|(key, _)| key.as_ref() == "strategy") {
        let strategy = toml::Value::String(name.to_owned());
        rest.push((
            Spanned::new(span.clone(), "strategy".to_owned()),
            Spanned::new(span.clone(), strategy),
        ));
    }
    let mut all = vec![(name.to_owned(), rest)];
    for (key, values) in table {
        let values = values.as_array().filter(|values| !values.is_empty());
        let values = values.ok_or_else(|| wrong(&format!("`{key}` must have a list of values")))?;
        if all[0].1.iter().any(|(known, _)| known.as_ref() == key) {
            return Err(wrong(&format!("`{key}` stands beside the sweep as well")));
        }
        let mut grown = Vec::new();
        for (name, settings) in &all {
            for value in values {
                let mut settings: Vec<_> = settings.clone();
                settings.push((
                    Spanned::new(span.clone(), key.clone()),
                    Spanned::new(span.clone(), value.clone()),
                ));
                grown.push((format!("{name} {key}={}", plain(value)), settings));
            }
        }
        all = grown;
    }
    Ok(all
        .into_iter()
        .map(|(name, settings)| (name, Named(settings)))
        .collect())
}

/// A value as it stands in a name.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string().replace('/', "-"),
    }
}
