//! `fossick harvest import`: calls from files that others wrote.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_harvest::Seen;
use fossick_harvest::import::{Format, Settings, detect, read};
use fossick_report::one_line;

use crate::exit::Exit;
use crate::harvest::keeper::Keeper;
use crate::harvest::recording::ImportFlags;
use crate::screen::print;

/// Calls that go into the store at a time.
const BATCH: usize = 1000;

/// What can't be read is told one by one so often; then only how much more there is.
const TOLD: u64 = 20;

#[derive(Default)]
struct Count {
    read: u64,
    kept: u64,
    unreadable: u64,
}

pub(crate) fn import(flags: &ImportFlags) -> Result<Exit> {
    let named = flags.from.as_deref().map(str::parse::<Format>).transpose();
    let named = named.map_err(|error| anyhow!("--from: {error}"))?;
    let settings = settings(flags)?;
    let mut keeper = Keeper::open(&flags.keep)?;
    let mut count = Count::default();
    for file in &flags.files {
        import_file(file, named, &settings, &mut keeper, &mut count)?;
    }
    print(&summary(&count, &keeper, &flags.keep.store));
    Ok(if count.unreadable > 0 {
        Exit::Findings
    } else {
        Exit::Clean
    })
}

fn settings(flags: &ImportFlags) -> Result<Settings> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let variables = flags.variable.iter().map(|pair| {
        let Some((name, value)) = pair.split_once('=') else {
            bail!("--variable {pair}: write NAME=VALUE");
        };
        Ok((name.to_owned(), value.to_owned()))
    });
    Ok(Settings {
        graphql_path: flags.graphql_path.clone(),
        otherwise_at: now.unwrap_or_default().as_millis() as u64,
        variables: variables.collect::<Result<_>>()?,
        ..Settings::default()
    })
}

fn import_file(
    file: &Path,
    named: Option<Format>,
    settings: &Settings,
    keeper: &mut Keeper,
    count: &mut Count,
) -> Result<()> {
    let mut input = open(file)?;
    let head = input.fill_buf().with_context(|| failed(file))?;
    let name = file.to_string_lossy();
    let Some(format) = named.or_else(|| detect(head, &name)) else {
        bail!(
            "{name}: can't tell what this is; say it with --from har, ndjson, nginx, envoy, \
             postman, goreplay or autographql"
        );
    };
    let mut batch = Vec::new();
    for call in read(format, input, settings) {
        match call {
            Ok(seen) => batch.push(seen),
            Err(why) => unreadable(&name, &why.to_string(), count),
        }
        if batch.len() >= BATCH {
            keep(&mut batch, keeper, count)?;
        }
    }
    keep(&mut batch, keeper, count)
}

fn open(file: &Path) -> Result<Box<dyn BufRead>> {
    if file == Path::new("-") {
        return Ok(Box::new(stdin().lock()));
    }
    let open = File::open(file).with_context(|| failed(file))?;
    Ok(Box::new(BufReader::with_capacity(1 << 16, open)))
}

fn failed(file: &Path) -> String {
    format!("failed to read {}", file.display())
}

fn unreadable(name: &str, why: &str, count: &mut Count) {
    count.unreadable += 1;
    if count.unreadable <= TOLD {
        eprintln!("{}", one_line(&format!("{name}: {why}")));
    }
}

fn keep(batch: &mut Vec<Seen>, keeper: &mut Keeper, count: &mut Count) -> Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    count.read += batch.len() as u64;
    count.kept += keeper.keep_all(batch)?.calls;
    batch.clear();
    Ok(())
}

fn summary(count: &Count, keeper: &Keeper, store: &str) -> String {
    let mut text = format!(
        "{} calls read, {} kept in {}\n",
        count.read,
        count.kept,
        shown(store)
    );
    for (why, times) in keeper.skipped() {
        text.push_str(&format!("  {times} left out: {why}\n"));
    }
    if count.unreadable > 0 {
        text.push_str(&format!("  {} could not be read\n", count.unreadable));
    }
    text
}

/// A store's place without its password.
fn shown(store: &str) -> String {
    let place = store.parse::<fossick_store::Place>();
    place.map_or_else(|_| "the store".to_owned(), |place| place.to_string())
}
