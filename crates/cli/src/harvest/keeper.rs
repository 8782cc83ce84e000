//! What recorders hand over: taken in without secrets, and kept.

use std::fs;

use anyhow::{Context as _, Result, bail};
use fossick_harvest::{Flow, Intake, IntakeSettings, Privacy, Seen, Sighting, read_manifest};
use fossick_recorder::{Keep, Kept};
use fossick_store::{Access, BatchId, Place, Store};

use crate::config;
use crate::harvest::key::key;
use crate::harvest::recording::KeepFlags;

/// Takes calls in and keeps them, each batch once.
pub(crate) struct Keeper {
    intake: Intake,
    place: Place,
    /// None after it was lost; it is opened again for the next batch.
    store: Option<Store>,
    /// A batch that the store has not taken yet. Its calls were taken in already, and that must
    /// happen once: sessions are remembered.
    waiting: Option<Batch>,
}

struct Batch {
    id: BatchId,
    sightings: Vec<Sighting>,
    flows: Vec<Flow>,
    skipped: u64,
}

impl Keeper {
    /// Opens the store, so that what is wrong with it shows before the first call.
    pub(crate) fn open(flags: &KeepFlags) -> Result<Self> {
        let place: Place = flags.store.parse()?;
        let settings = settings(flags, &place)?;
        let store = Store::open(&place, Access::Write)?;
        Ok(Self {
            intake: Intake::new(settings),
            place,
            store: Some(store),
            waiting: None,
        })
    }

    pub(crate) fn skipped(&self) -> impl Iterator<Item = (String, u64)> {
        let skipped = self.intake.skipped().iter();
        skipped.map(|(why, count)| (why.to_string(), *count))
    }

    /// Keeps all of a batch, or none of it.
    pub(crate) fn keep_all(&mut self, batch: &[Seen]) -> Result<Kept> {
        let batch = match self.waiting.take() {
            Some(waiting) => waiting,
            None => take_in(&mut self.intake, batch),
        };
        let kept = self.add(&batch);
        if kept.is_err() {
            self.waiting = Some(batch);
        }
        kept
    }

    fn add(&mut self, batch: &Batch) -> Result<Kept> {
        let mut store = match self.store.take() {
            Some(store) => store,
            None => Store::open(&self.place, Access::Write)?,
        };
        let added = store.add_once(batch.id, &batch.sightings, &batch.flows)?;
        self.store = Some(store);
        let calls = batch.sightings.len() as u64;
        Ok(Kept {
            calls: calls.saturating_sub(added.left_out),
            skipped: batch.skipped + added.left_out,
        })
    }
}

impl Keep for Keeper {
    fn keep(&mut self, batch: &[Seen]) -> Result<Kept, String> {
        self.keep_all(batch).map_err(|error| format!("{error:#}"))
    }
}

fn take_in(intake: &mut Intake, seen: &[Seen]) -> Batch {
    let mut batch = Batch {
        id: BatchId::random(),
        sightings: Vec::new(),
        flows: Vec::new(),
        skipped: 0,
    };
    for seen in seen {
        let taken = intake.take(seen);
        batch.skipped += u64::from(taken.skipped.is_some());
        batch.sightings.extend(taken.sightings);
        batch.flows.extend(taken.flows);
    }
    batch
}

fn settings(flags: &KeepFlags, place: &Place) -> Result<IntakeSettings> {
    let config = config::load(flags.config.as_deref())?.harvest;
    let mut privacy = Privacy::new(key(flags.key_file.as_deref(), place)?);
    privacy.fields.extend(config.private);
    privacy.fields.extend(flags.private.iter().cloned());
    privacy.keep.extend(config.public);
    privacy.keep.extend(flags.public.iter().cloned());
    let mut settings = IntakeSettings::new(privacy);
    settings.graphql_paths.extend(flags.graphql.iter().cloned());
    // What was sent is what is counted, as AutoGraphQL does.
    settings.keep_undeclared = true;
    if let Some(file) = &flags.persisted {
        let text = fs::read_to_string(file)
            .with_context(|| format!("failed to read {}", file.display()))?;
        settings.manifest = read_manifest(&text)
            .with_context(|| format!("{} lists no persisted queries", file.display()))?;
        if settings.manifest.is_empty() {
            bail!("{} lists no persisted queries", file.display());
        }
    }
    Ok(settings)
}
