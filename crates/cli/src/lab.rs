//! `fossick lab`: runs the cells of an experiment that have no result yet, then says what all
//! results together mean.
//!
//! Results are lines in one file, written as they come, so that a lab can be broken off at any
//! moment and goes on where it was. What the numbers mean is `fossick-lab`'s affair.

mod cell;
mod external;
mod service;
mod setting;
mod sitting;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fossick_lab::{Charts, Experiment, Records, charts, missing, tables};

use crate::exit::Exit;
use crate::flags::{Color, LabFlags};
use crate::screen::{Screen, print};

/// Where results are kept in the folder.
const RESULTS: &str = "results.ndjson";

pub(crate) fn lab(flags: &LabFlags) -> Result<Exit> {
    let name = flags.file.display().to_string();
    let text =
        std::fs::read_to_string(&flags.file).with_context(|| format!("failed to read {name}"))?;
    let experiment = Experiment::read(&text, &name)?;
    let settings = setting::settings(&experiment, &name)?;
    let out = out(flags);
    std::fs::create_dir_all(&out).with_context(|| format!("failed to make {}", out.display()))?;
    let mut screen = Screen::new(Color::Auto, false, false);
    let mut records = read(&out.join(RESULTS))?;
    for line in &records.damaged {
        screen.line(&format!("note: line {line} of {RESULTS} is damaged"));
    }
    let mut exit = Exit::Clean;
    if !flags.tables_only {
        let cells = missing(&experiment.cells(), &records);
        let sitting = sitting::Sitting {
            experiment: &experiment,
            settings: &settings,
            out: &out,
            slots: slots(flags, &experiment),
        };
        exit = sitting.run(&cells, &mut records, &mut screen)?;
    }
    screen.clear();
    write(&experiment, &records, &out)?;
    let report = tables(&experiment, &records);
    print(&report.text(screen.style.width));
    screen.line(&format!("tables and charts: {}", out.display()));
    Ok(exit)
}

fn out(flags: &LabFlags) -> PathBuf {
    let beside = || {
        let stem = flags.file.with_extension("");
        // A file without an ending can't be a folder as well.
        if stem == flags.file {
            flags.file.with_extension("lab")
        } else {
            stem
        }
    };
    flags.out.clone().unwrap_or_else(beside)
}

fn slots(flags: &LabFlags, experiment: &Experiment) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    flags
        .jobs
        .map_or_else(|| experiment.slots(cores), usize::from)
}

fn read(results: &Path) -> Result<Records> {
    if !results.exists() {
        return Ok(Records::default());
    }
    let bytes =
        std::fs::read(results).with_context(|| format!("failed to read {}", results.display()))?;
    Ok(Records::read(&String::from_utf8_lossy(&bytes)))
}

fn write(experiment: &Experiment, records: &Records, out: &Path) -> Result<()> {
    let report = tables(experiment, records);
    let mut files = vec![
        (PathBuf::from("tables.md"), report.markdown()),
        (PathBuf::from("summaries.csv"), report.csv()),
        (PathBuf::from("comparisons.csv"), report.comparisons_csv()),
        (PathBuf::from("ranks.csv"), report.ranks_csv()),
        (PathBuf::from("report.json"), report.json()),
    ];
    let Charts { services, overview } = charts(experiment, records);
    files.extend(overview.map(|svg| (PathBuf::from("overview.svg"), svg)));
    let folder = Path::new("charts");
    let chart = |(name, svg): (String, String)| (folder.join(name + ".svg"), svg);
    files.extend(services.into_iter().map(chart));
    std::fs::create_dir_all(out.join(folder))
        .with_context(|| format!("failed to make {}", out.join(folder).display()))?;
    for (name, text) in files {
        let path = out.join(name);
        std::fs::write(&path, text)
            .with_context(|| format!("failed to write {}", path.display()))?;
    }
    Ok(())
}
