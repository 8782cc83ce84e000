//! The published records of the `AutoGraphQL` experiment: the figures must be those of the paper,
//! and the coverage that of its list, tuple by tuple.
//!
//! The records are not kept here. Whoever has them points to their folder:
//! `FOSSICK_AUTOGRAPHQL_CORPUS=FOLDER cargo test -p fossick-harvest --test autographql -- --ignored`

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fossick_contract::Api;
use fossick_harvest::metrics::{measure, read_list};
use fossick_harvest::suite::{Settings, suite};
use fossick_harvest::{Call, GraphQlCall, Record, Statuses, Took};
use fossick_ingest::{NoFetch, Source, read};
use serde_json::Value;

struct Corpus {
    api: Api,
    records: Vec<Record>,
    folder: PathBuf,
}

impl Corpus {
    fn find() -> Self {
        let folder = std::env::var_os("FOSSICK_AUTOGRAPHQL_CORPUS").expect("it says where");
        let folder = PathBuf::from(folder);
        let source = Source {
            name: "saleor-introspection.json".to_owned(),
            text: text(&folder, "saleor-introspection.json"),
        };
        let lines = text(&folder, "harvested.ndjson");
        Self {
            api: read(&source, &mut NoFetch).expect("a schema").api,
            records: lines.lines().map(record).collect(),
            folder,
        }
    }

    fn list(&self, name: &str) -> BTreeSet<String> {
        read_list(&text(&self.folder, name)).expect("a list of tuples")
    }
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("the folder has it")
}

fn record(line: &str) -> Record {
    let line: Value = serde_json::from_str(line).expect("a record");
    let name = line["operationName"].as_str();
    let query = line["query"].as_str().expect("a query");
    let document = fossick_query::read(query, name).expect("it can be read");
    let call = Call::GraphQl(GraphQlCall {
        path: "/graphql/".to_owned(),
        root: document.kind,
        query: fossick_query::write_compact(&document),
        operation_name: document.name,
        variables: line["variables"].as_object().cloned().unwrap_or_default(),
    });
    Record {
        key: call.key(),
        call,
        created_at: 0,
        updated_at: 0,
        times_called: line["timesCalled"].as_u64().unwrap_or(1),
        statuses: Statuses::default(),
        took: Took::default(),
        redactions: Vec::new(),
    }
}

#[test]
#[ignore = "needs AutoGraphQL's records"]
fn the_figures_are_those_of_the_paper() {
    let corpus = Corpus::find();
    let measured = measure(&corpus.api, &corpus.records, false);
    let metrics = &measured.metrics;
    assert_eq!((metrics.types, metrics.entry_points), (460, 69));
    assert_eq!((metrics.schema_tuples, metrics.covered_tuples), (1884, 506));
    assert_eq!(metrics.unique_queries, 334);
    assert!((metrics.schema_cov_generated - 26.9).abs() < 1e-9);
    assert_eq!(
        measured.covered,
        corpus.list("coverage-of-harvested-queries.csv")
    );
    // The paper tells of 23, against the 1429 tuples that queries and mutations of Saleor's own
    // tests reach together. The list that was published has 728, those of the queries alone.
    let own = corpus.list("coverage-of-saleor-own-tests.csv");
    assert_eq!(own.len(), 728);
    assert_eq!(measured.against(&own).metrics.distinct_tuples, Some(38));
}

#[test]
#[ignore = "needs AutoGraphQL's records"]
fn every_query_is_a_test_with_a_name_of_its_own() {
    let corpus = Corpus::find();
    let made = suite(&corpus.api, &corpus.records, &Settings::default());
    assert_eq!((made.suite.tests.len(), made.left_out.len()), (334, 234));
    let names: BTreeSet<&str> = made.suite.tests.iter().map(|test| &*test.name).collect();
    assert_eq!(names.len(), 334);
    let first: BTreeSet<_> = made
        .sources
        .iter()
        .take(60)
        .flat_map(|s| s.tuples.clone())
        .collect();
    assert_eq!(first.len(), 506, "the first tests reach everything");
    let settings = Settings {
        mutations: true,
        fewest: true,
        ..Settings::default()
    };
    let fewest = suite(&corpus.api, &corpus.records, &settings);
    let reached: BTreeSet<_> = fewest
        .sources
        .iter()
        .flat_map(|s| s.tuples.clone())
        .collect();
    let all = measure(&corpus.api, &corpus.records, true);
    assert_eq!(reached.len(), all.metrics.covered_tuples);
    assert!(
        fewest.suite.tests.len() < 200,
        "{}",
        fewest.suite.tests.len()
    );
}
