//! A lab file (TOML) becomes an [`Experiment`].
//!
//! Names, keys and numbers are checked here, with their place in the file, because a mistake that
//! shows only after a night of runs is an expensive one. Whether a strategy or a synthetic shape
//! of some name exists is not known here.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use toml::Spanned;

use crate::experiment::{Better, Comparison, Experiment, Metric};
use crate::place::{Complaint, LabError};
use crate::service::{Service, ServiceTable};
use crate::strategy::Strategy;
use crate::sweep::swept;

/// More runs than anybody waits for; most likely a slip of the keyboard.
const MOST_CELLS: u64 = 1_000_000;
const SEEDS: i64 = 10;
const METRICS: [&str; 2] = ["targets", "findings"];

/// A TOML table in the order of the file, with the place of every key.
#[derive(Debug)]
pub(crate) struct Named<T>(pub(crate) Vec<(Spanned<String>, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_map(NamedVisitor(PhantomData))
    }
}

struct NamedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for NamedVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a table")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Named<T>, M::Error> {
        let mut entries: Vec<(Spanned<String>, T)> = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        // The parser hands keys out in alphabetical order; people chose another.
        entries.sort_by_key(|(key, _)| key.span().start);
        Ok(Named(entries))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LabFile {
    title: Option<Spanned<String>>,
    budgets: Option<Spanned<toml::Value>>,
    seeds: Option<Spanned<toml::Value>>,
    strategies: Option<Named<Named<Spanned<toml::Value>>>>,
    services: Option<Named<ServiceTable>>,
    metrics: Option<Spanned<Vec<Spanned<String>>>>,
    main: Option<Spanned<String>>,
    #[serde(default)]
    lower_is_better: Vec<Spanned<String>>,
    parallel: Option<Spanned<i64>>,
    comparisons: Option<Vec<Spanned<Vec<Spanned<String>>>>>,
}

impl Experiment {
    /// Reads the text of a lab file; `name` is what errors call the file.
    pub fn read(text: &str, name: &str) -> Result<Self, LabError> {
        toml::from_str::<LabFile>(text)
            .map_err(|error| Complaint::of_toml(&error))
            .and_then(|file| file.understand(name))
            .map_err(|complaint| complaint.in_file(text, name))
    }
}

impl LabFile {
    fn understand(self, file: &str) -> Result<Experiment, Complaint> {
        let title = self.title.as_ref().map(read_title).transpose()?;
        let budgets = read_budgets(self.budgets.as_ref())?;
        let seeds = read_seeds(self.seeds.as_ref())?;
        let open = self.strategies.as_ref().and_then(first_whitebox);
        let strategies = read_strategies(self.strategies)?;
        let services = read_services(self.services)?;
        let closed = services.iter().find(|service| !service.kind.has_probe());
        if let (Some(place), Some(closed)) = (open, closed) {
            return Err(no_probe(&place, closed));
        }
        let metrics = read_metrics(self.metrics.as_ref(), &self.lower_is_better)?;
        let main = read_main(self.main.as_ref(), &metrics)?;
        let comparisons = read_comparisons(self.comparisons.as_deref(), &strategies)?;
        let experiment = Experiment {
            title: title.unwrap_or_else(|| file.to_owned()),
            budgets,
            seeds,
            strategies,
            services,
            metrics,
            main,
            parallel: self.parallel.as_ref().map(read_parallel).transpose()?,
            comparisons,
        };
        bounded(experiment)
    }
}

type Settings = Named<Spanned<toml::Value>>;

/// Where a strategy first asks to look inside the service.
fn first_whitebox(strategies: &Named<Settings>) -> Option<Range<usize>> {
    let settings = strategies.0.iter().flat_map(|(_, settings)| &settings.0);
    let asks = |(key, value): &&(Spanned<String>, Spanned<toml::Value>)| {
        key.as_ref() == "whitebox" && value.as_ref().as_bool() == Some(true)
    };
    settings.clone().find(asks).map(|(key, _)| key.span())
}

/// Silence would leave a table that compares what nobody measured.
fn no_probe(place: &Range<usize>, service: &Service) -> Complaint {
    let message = format!(
        "there is nothing to see inside the service `{}`: it has no probe",
        service.name
    );
    Complaint::at(place, message)
        .advise("synthetic services have one, and those with a `command` get one by `probe = \"auto\"`; put \
             the others into an experiment of their own")
}

fn bounded(experiment: Experiment) -> Result<Experiment, Complaint> {
    let factors = [
        experiment.budgets.len(),
        experiment.seeds.len(),
        experiment.strategies.len(),
        experiment.services.len(),
    ];
    let cells = factors.iter().fold(1_u64, |product, factor| {
        product.saturating_mul(*factor as u64)
    });
    if cells > MOST_CELLS {
        let message = format!("the experiment has {cells} runs, at most {MOST_CELLS} are allowed");
        return Err(Complaint::absent(message).advise("ask for fewer seeds or budgets"));
    }
    Ok(experiment)
}

fn read_title(title: &Spanned<String>) -> Result<String, Complaint> {
    if title.as_ref().chars().any(char::is_control) {
        return Err(Complaint::at(
            &title.span(),
            "a title must be one line of text",
        ));
    }
    Ok(title.as_ref().clone())
}

fn read_budgets(value: Option<&Spanned<toml::Value>>) -> Result<Vec<u64>, Complaint> {
    let advice = "write `budgets = [1000, 10000]`: how many HTTP calls a run may make";
    let value = value.ok_or_else(|| Complaint::absent("there are no budgets").advise(advice))?;
    let wrong = |message: &str| Complaint::at(&value.span(), message).advise(advice);
    let budgets = match value.as_ref() {
        toml::Value::Array(items) => whole_numbers(items),
        single => whole_numbers(std::slice::from_ref(single)),
    };
    budgets
        .filter(|budgets| !budgets.is_empty() && !budgets.contains(&0))
        .ok_or_else(|| wrong("`budgets` must be a list of whole numbers above 0"))
        .and_then(|budgets| unrepeated(budgets).ok_or_else(|| wrong("a budget is listed twice")))
}

fn read_seeds(value: Option<&Spanned<toml::Value>>) -> Result<Vec<u64>, Complaint> {
    let advice = "write `seeds = 30` for the seeds 1 to 30, or list them";
    let Some(value) = value else {
        return Ok((1..=SEEDS as u64).collect());
    };
    let wrong = |message: &str| Complaint::at(&value.span(), message).advise(advice);
    match value.as_ref() {
        toml::Value::Integer(count) if (1..=MOST_CELLS as i64).contains(count) => {
            Ok((1..=*count as u64).collect())
        }
        toml::Value::Array(items) => whole_numbers(items)
            .filter(|seeds| !seeds.is_empty())
            .ok_or_else(|| wrong("`seeds` must list whole numbers"))
            .and_then(|seeds| unrepeated(seeds).ok_or_else(|| wrong("a seed is listed twice"))),
        _ => Err(wrong("`seeds` must be a number or a list of them")),
    }
}

fn whole_numbers(items: &[toml::Value]) -> Option<Vec<u64>> {
    let number = |item: &toml::Value| item.as_integer().and_then(|number| number.try_into().ok());
    items.iter().map(number).collect()
}

/// The same numbers in the same order, if none occurs twice.
fn unrepeated(numbers: Vec<u64>) -> Option<Vec<u64>> {
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let repeated = sorted.windows(2).any(|pair| pair.first() == pair.last());
    (!repeated).then_some(numbers)
}

fn read_parallel(parallel: &Spanned<i64>) -> Result<usize, Complaint> {
    let number = usize::try_from(*parallel.as_ref())
        .ok()
        .filter(|number| *number > 0);
    number.ok_or_else(|| {
        Complaint::at(&parallel.span(), "`parallel` must be at least 1")
            .advise("leave it out to use half of the cores")
    })
}

fn read_strategies(
    tables: Option<Named<Named<Spanned<toml::Value>>>>,
) -> Result<Vec<Strategy>, Complaint> {
    let mut strategies = Vec::new();
    for (name, settings) in tables.map(|tables| tables.0).unwrap_or_default() {
        check_name(&name, "strategy")?;
        for (name, settings) in swept(name.as_ref(), settings)? {
            strategies.push(Strategy::read(&name, settings)?);
        }
    }
    if strategies.is_empty() {
        let advice = "add a table `[strategies.mio]` for each way of searching";
        return Err(Complaint::absent("there are no strategies").advise(advice));
    }
    Ok(strategies)
}

fn read_services(tables: Option<Named<ServiceTable>>) -> Result<Vec<Service>, Complaint> {
    let mut services = Vec::new();
    for (name, table) in tables.map(|tables| tables.0).unwrap_or_default() {
        check_name(&name, "service")?;
        services.push(table.read(&name)?);
    }
    if services.is_empty() {
        let advice = "add a table `[services.demo]` with `demo = \"rest\"`, for a start";
        return Err(Complaint::absent("there are no services").advise(advice));
    }
    Ok(services)
}

/// Names are parts of keys, tables and file names.
fn check_name(name: &Spanned<String>, what: &str) -> Result<(), Complaint> {
    let text = name.as_ref();
    let odd = |letter: char| letter.is_control() || matches!(letter, '/' | '\\');
    if text.trim().is_empty() || text.starts_with('.') || text.contains(odd) {
        let message = format!("{text:?} cannot be the name of a {what}");
        let advice = "a name is not empty, does not begin with a dot and holds no slash";
        return Err(Complaint::at(&name.span(), message).advise(advice));
    }
    Ok(())
}

fn read_metrics(
    names: Option<&Spanned<Vec<Spanned<String>>>>,
    lower: &[Spanned<String>],
) -> Result<Vec<Metric>, Complaint> {
    let mut metrics: Vec<Metric> = Vec::new();
    for name in names.into_iter().flat_map(Spanned::as_ref) {
        check_name(name, "metric")?;
        if metrics.iter().any(|metric| metric.name == *name.as_ref()) {
            return Err(Complaint::at(&name.span(), "the metric is listed twice"));
        }
        metrics.push(higher(name.as_ref()));
    }
    match names {
        Some(list) if metrics.is_empty() => {
            return Err(Complaint::at(
                &list.span(),
                "`metrics` must name at least one",
            ));
        }
        None => metrics.extend(METRICS.map(higher)),
        Some(_) => {}
    }
    for name in lower {
        let known = known_index(
            name,
            metrics.iter().map(|metric| metric.name.as_str()),
            "metric",
        )?;
        metrics[known].better = Better::Lower;
    }
    Ok(metrics)
}

fn higher(name: &str) -> Metric {
    Metric {
        name: name.to_owned(),
        better: Better::Higher,
    }
}

fn read_main(main: Option<&Spanned<String>>, metrics: &[Metric]) -> Result<String, Complaint> {
    let place = match main {
        Some(name) => known_index(
            name,
            metrics.iter().map(|metric| metric.name.as_str()),
            "metric",
        )?,
        None => 0,
    };
    Ok(metrics
        .get(place)
        .map(|metric| metric.name.clone())
        .unwrap_or_default())
}

fn read_comparisons(
    pairs: Option<&[Spanned<Vec<Spanned<String>>>]>,
    strategies: &[Strategy],
) -> Result<Vec<Comparison>, Complaint> {
    match pairs {
        Some(pairs) => read_pairs(pairs, strategies),
        None => Ok(last_against_all(strategies)),
    }
}

fn read_pairs(
    pairs: &[Spanned<Vec<Spanned<String>>>],
    strategies: &[Strategy],
) -> Result<Vec<Comparison>, Complaint> {
    let mut comparisons = Vec::new();
    for pair in pairs {
        let comparison = read_pair(pair, strategies)?;
        if comparisons.contains(&comparison) {
            return Err(Complaint::at(&pair.span(), "a comparison is listed twice"));
        }
        comparisons.push(comparison);
    }
    Ok(comparisons)
}

fn read_pair(
    pair: &Spanned<Vec<Spanned<String>>>,
    strategies: &[Strategy],
) -> Result<Comparison, Complaint> {
    let wrong = |message: &str| {
        Complaint::at(&pair.span(), message).advise("a comparison is `[\"better\", \"worse\"]`")
    };
    let [a, b] = pair.as_ref().as_slice() else {
        return Err(wrong("a comparison must name two strategies"));
    };
    for name in [a, b] {
        known_index(
            name,
            strategies.iter().map(|known| known.name.as_str()),
            "strategy",
        )?;
    }
    if a.as_ref() == b.as_ref() {
        return Err(wrong("a strategy cannot be compared with itself"));
    }
    Ok(Comparison {
        a: a.as_ref().clone(),
        b: b.as_ref().clone(),
    })
}

/// People write the known ways first and the new one last.
fn last_against_all(strategies: &[Strategy]) -> Vec<Comparison> {
    let Some((last, others)) = strategies.split_last() else {
        return Vec::new();
    };
    let against = |other: &Strategy| Comparison {
        a: last.name.clone(),
        b: other.name.clone(),
    };
    others.iter().map(against).collect()
}

/// Place of a name among the known ones, or a complaint with the nearest of them.
fn known_index<'a>(
    name: &Spanned<String>,
    known: impl Iterator<Item = &'a str>,
    what: &str,
) -> Result<usize, Complaint> {
    let known: Vec<&str> = known.collect();
    let place = known.iter().position(|known| *known == name.as_ref());
    place.ok_or_else(|| {
        let name_text = name.as_ref();
        Complaint::at(&name.span(), format!("there is no {what} `{name_text}`"))
            .did_you_mean(name_text, &known)
    })
}

#[cfg(test)]
mod tests;
