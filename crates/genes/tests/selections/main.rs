//! Selections under an independent judge: whatever is chosen, changed, required or left out, the
//! operation that comes of it is valid by the whole of GraphQL's rules.
//!
//! `FOSSICK_GRAPHQL_CORPUS` names a folder of more schemas to go through.

mod adopted;
mod judge;
mod outline;
mod rules;

use std::path::{Path, PathBuf};

use fossick_contract::{Operation, TypeId};
use fossick_genes::{Maker, Manner, Rng, Selection, Values};
use fossick_validate::Validators;
use judge::Subject;
use rand::{Rng as _, SeedableRng as _};

const MANNERS: [Manner; 3] = [Manner::Plausible, Manner::Full, Manner::Varied];

/// What was looked at.
#[derive(Debug, Default)]
struct Tally {
    schemas: usize,
    /// Those that the judge knows only by what we understood of them.
    unsound: usize,
    unusable: Vec<String>,
    operations: usize,
    documents: usize,
    largest: usize,
}

/// Goes through every operation of a schema in every manner.
fn go_through(subject: &Subject, seeds: u64, tally: &mut Tally) {
    let validators = Validators::new(&subject.api);
    let values = Values::new();
    for operation in &subject.api.operations {
        tally.operations += 1;
        for (seed, manner) in (0..seeds).flat_map(|seed| MANNERS.map(|manner| (seed, manner))) {
            let mut rng = Rng::seed_from_u64(seed + 1);
            let mut maker = Maker {
                api: &subject.api,
                validators: &validators,
                values: &values,
                rng: &mut rng,
                manner,
            };
            vary(subject, operation, &mut maker, tally);
        }
    }
}

fn vary(subject: &Subject, operation: &Operation, maker: &mut Maker<'_>, tally: &mut Tally) {
    let root = operation.graphql.as_ref().expect("a root field");
    let field = subject.api.root_field(root);
    let Some(mut selection) = maker.select_returned(&field.returns) else {
        return;
    };
    let mut check = |selection: &Selection, what: &str| {
        tally.documents += 1;
        tally.largest = tally.largest.max(selection.size());
        subject.judge(operation, selection, what);
    };
    check(&selection, "select");
    for _ in 0..3 {
        let before = selection.clone();
        maker.reselect(&mut selection);
        check(&selection, "reselect");
        let fixed = before.fields.is_empty() && before.parts.is_empty();
        assert!(fixed || selection != before, "{}", operation.label);
    }
    let way = any_way(subject, selection.on, maker);
    let names: Vec<&str> = way.iter().map(String::as_str).collect();
    let done = selection.require(maker, &names);
    assert!(done || way.is_empty(), "{} {way:?}", operation.label);
    check(&selection, "require");
    assert!(
        subject.has_way(&selection, &names),
        "{} {way:?}",
        operation.label
    );
    let simpler = selection.simpler(&subject.api.types);
    for smaller in &simpler {
        assert!(smaller.size() < selection.size(), "{}", operation.label);
    }
    for smaller in simpler.iter().step_by(simpler.len() / 5 + 1) {
        check(smaller, "simpler");
    }
    let adopted = adopted::again(maker, &selection).expect("the schema has what it gave");
    check(&adopted, "adopted");
    for (other, what) in adopted::deviations(maker, &adopted) {
        check(&other, what);
    }
}

/// A way from a type to somewhere, at random, through parts as well.
fn any_way(subject: &Subject, mut on: TypeId, maker: &mut Maker<'_>) -> Vec<String> {
    let types = &subject.api.types;
    let mut way = Vec::new();
    for _ in 0..5 {
        let possible = types.possible(on);
        if types.get(on).is_abstract() && !possible.is_empty() {
            on = possible[maker.rng.next_u64() as usize % possible.len()];
        }
        let fields = types.fields(on);
        if fields.is_empty() {
            break;
        }
        let field = &fields[maker.rng.next_u64() as usize % fields.len()];
        way.push(field.name.to_string());
        on = field.returns.named;
    }
    way
}

/// Every schema in a folder and below.
fn over(folder: &Path, seeds: u64, tally: &mut Tally) {
    let entries = std::fs::read_dir(folder).expect("a folder of schemas");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            over(&path, seeds, tally);
        } else if is_schema(&path) {
            go_through_file(&path, seeds, tally);
        }
    }
}

fn is_schema(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("graphql" | "graphqls" | "json"))
}

fn go_through_file(file: &Path, seeds: u64, tally: &mut Tally) {
    match Subject::read(file) {
        Ok(subject) => {
            tally.schemas += 1;
            tally.unsound += usize::from(!subject.sound);
            go_through(&subject, seeds, tally);
        }
        Err(why) => tally.unusable.push(why),
    }
}

#[test]
fn every_selection_of_our_schemas_is_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/graphql");
    let mut tally = Tally::default();
    over(&folder, 2, &mut tally);
    assert!(tally.schemas > 5 && tally.documents > 500, "{tally:#?}");
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "whoever points to a corpus wants to know"
)]
fn every_selection_of_a_corpus_is_valid() {
    let Some(folder) = std::env::var_os("FOSSICK_GRAPHQL_CORPUS") else {
        return;
    };
    let mut tally = Tally::default();
    over(Path::new(&folder), 2, &mut tally);
    println!("{tally:#?}");
}
