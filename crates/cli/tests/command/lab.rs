//! Experiments: run once, gone on with, and refused where the file is wrong.

use std::path::Path;
use std::time::Duration;

use crate::program::{Folder, Running, fossick, run};

const SMOKE: &str = include_str!("../../../../lab/smoke.toml");
const SYNTHETIC: &str = include_str!("../../../../lab/synthetic.toml");
const RESULTS: &str = "smoke/results.ndjson";

#[test]
fn a_lab_runs_what_is_missing_and_nothing_twice() {
    let folder = Folder::new();
    folder.write("smoke.toml", SMOKE);
    let first = run(&folder, &["lab", "smoke.toml", "--jobs", "2"]);
    assert_eq!(first.code, 0, "{first:?}");
    assert!(first.stdout.contains("All 8 runs are done"), "{first:?}");
    let results = folder.read(RESULTS);
    assert_eq!(results.lines().count(), 8);
    for name in ["tables.md", "summaries.csv", "report.json", "overview.svg"] {
        assert!(!folder.read(&format!("smoke/{name}")).is_empty(), "{name}");
    }
    assert!(folder.read("smoke/charts/dense.svg").starts_with("<svg"));
    let again = run(&folder, &["lab", "smoke.toml"]);
    assert_eq!((again.code, &again.stdout), (0, &first.stdout));
    assert_eq!(folder.read(RESULTS), results);
    goes_on_after_a_torn_line(&folder, &results);
}

/// As a lab that is killed in the middle of a word leaves it.
fn goes_on_after_a_torn_line(folder: &Folder, results: &str) {
    folder.write(RESULTS, &results[..results.len() - 30]);
    let tables = run(folder, &["lab", "smoke.toml", "--tables-only"]);
    assert_eq!(tables.code, 0, "{tables:?}");
    assert!(tables.stdout.contains("7 of 8"), "{}", tables.stdout);
    let ended = run(folder, &["lab", "smoke.toml"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stderr.contains("line 8 of"), "{}", ended.stderr);
    assert_eq!(folder.read(RESULTS).lines().count(), 9);
    assert!(ended.stdout.contains("All 8 runs are done"), "{ended:?}");
}

#[test]
fn the_built_in_services_can_be_labs_too() {
    let folder = Folder::new();
    let text = "budgets = 200\nseeds = 1\nmetrics = [\"targets\", \"findings\", \"operations_ok\"]\n\
        [strategies.auto]\n[services.rest]\ndemo = \"rest\"\n[services.graphql]\ndemo = \"graphql\"\n";
    folder.write("demo.toml", text);
    let ended = run(&folder, &["lab", "demo.toml"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("All 2 runs are done"), "{ended:?}");
}

#[test]
fn a_program_of_somebody_else_is_started_and_ended() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_fossick");
    let text = format!(
        "budgets = 200\nseeds = 2\n[strategies.mio]\n[services.own]\n\
         command = \"echo $$ >>pids; {program} synth medium-deep-existence-shown --port {{port}}\"\n\
         ready = \"http://127.0.0.1:{{port}}/openapi.json\"\n\
         schema = \"http://127.0.0.1:{{port}}/openapi.json\"\n\
         url = \"http://127.0.0.1:{{port}}\"\nreset = \"http://127.0.0.1:{{port}}/__reset\"\n"
    );
    folder.write("own.toml", &text);
    let ended = run(&folder, &["lab", "own.toml", "--jobs", "2"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert_eq!(folder.read("own/results.ndjson").lines().count(), 2);
    assert!(
        folder
            .read("own/own.log")
            .contains("medium-deep-existence-shown")
    );
    for pid in folder.read("pids").lines() {
        assert!(
            !Path::new("/proc").join(pid).exists(),
            "{pid} is still there"
        );
    }
}

/// Both ways of searching are counted alike: one is told what its calls reach, one is not.
#[test]
fn what_is_reached_inside_is_counted_whether_the_search_sees_it_or_not() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_fossick");
    let lab = format!(
        "budgets = 300\nseeds = 2\nmetrics = [\"targets\", \"lines\", \"branches\", \"lines_covered\"]\n\
         comparisons = [[\"white\", \"black\"]]\n\
         [strategies.white]\nstrategy = \"auto\"\nwhitebox = true\n\
         [strategies.black]\nstrategy = \"auto\"\n[services.own]\n\
         command = \"exec {program} synth medium-deep-existence-shown --port {{port}}\"\n\
         probe = \"auto\"\nschema = \"http://127.0.0.1:{{port}}/openapi.json\"\n\
         ready = \"http://127.0.0.1:{{port}}/openapi.json\"\nurl = \"http://127.0.0.1:{{port}}\"\n"
    );
    folder.write("lab.toml", &lab);
    let ended = run(&folder, &["lab", "lab.toml", "--jobs", "2"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let results = folder.read("lab/results.ndjson");
    let records = results.lines().map(|line| {
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        (record["key"].to_string(), record["metrics"].clone())
    });
    let records: Vec<_> = records.collect();
    assert_eq!(records.len(), 4);
    let targets = |strategy: &str| {
        let named = records.iter().find(|(key, _)| key.contains(strategy));
        named.expect("it was run").1["targets"].as_f64()
    };
    assert!(targets("white") > targets("black").map(|targets| targets + 20.0));
    for (_, of) in &records {
        let number = |name: &str| of[name].as_f64().expect("it is measured");
        assert!(
            number("lines_covered") > 20.0 && number("lines") < 100.0,
            "{of}"
        );
        assert!(number("branches") > 5.0, "{of}");
    }
    let blind = lab.replace("exec", "unset FOSSICK_PROBE; exec");
    folder.write("blind.toml", &blind);
    let ended = run(&folder, &["lab", "blind.toml"]);
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(
        ended.stderr.contains("no probe came up"),
        "{}",
        ended.stderr
    );
    folder.write(
        "odd.toml",
        &lab.replace("\"auto\"\nschema", "\"cobol\"\nschema"),
    );
    let ended = run(&folder, &["lab", "odd.toml"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(
        ended.stderr.contains("there is no probe `cobol`"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_program_that_does_not_start_costs_only_its_own_runs() {
    let folder = Folder::new();
    let text = "budgets = 100\nseeds = 1\n[strategies.random]\n[services.good]\ndemo = \"rest\"\n\
        [services.bad]\ncommand = \"echo no luck; exit 3\"\nschema = \"http://127.0.0.1:{port}/x\"\n\
        url = \"http://127.0.0.1:{port}\"\n";
    folder.write("bad.toml", text);
    let ended = run(&folder, &["lab", "bad.toml"]);
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(
        ended.stderr.contains("bad/random/1/100 failed"),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("bad.log"), "{ended:?}");
    assert!(folder.read("bad/bad.log").contains("no luck"));
    assert_eq!(folder.read("bad/results.ndjson").lines().count(), 1);
}

#[test]
fn an_interrupted_lab_keeps_what_is_done() {
    let folder = Folder::new();
    let text = SMOKE
        .replace("whitebox = true", "")
        .replace("seeds = 2", "seeds = 5000");
    folder.write("smoke.toml", &text);
    let running = Running::start(&mut fossick(&folder, &["lab", "smoke.toml"]));
    while !folder.path(RESULTS).exists() || folder.read(RESULTS).is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    running.interrupt();
    let ended = running.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    let results = folder.read(RESULTS);
    assert!(results.ends_with('\n') && !folder.read("smoke/tables.md").is_empty());
}

#[test]
fn a_broken_lab_file_names_the_place() {
    let folder = Folder::new();
    for (from, to, words) in [
        (
            "seeds = 2",
            "sedes = 2",
            "lab.toml:4:1: unknown key `sedes`\n  did you mean `seeds`?",
        ),
        ("[300]", "[0]", "lab.toml:3:11: `budgets` must be"),
        ("-shown", "-shwon", "lab.toml: service `dense`"),
        (
            "[strategies.mio]",
            "[strategies.moi]",
            "lab.toml: strategy `moi`",
        ),
        (
            "[strategies.mio]",
            "[strategies.mio]\np_x = 1",
            "unknown field `p-x`",
        ),
        ("\"lines\"", "\"line\"", "did you mean `lines`?"),
    ] {
        folder.write("lab.toml", &SMOKE.replacen(from, to, 1));
        let ended = run(&folder, &["lab", "lab.toml"]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{ended:?}");
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
}

#[test]
fn a_service_that_is_emptied_before_each_test_gives_the_same_run_again() {
    let lab = "budgets = 300\nseeds = 1\nmetrics = [\"targets\", \"lines\"]\n\
        [strategies.mio]\nwhitebox = true\nvalues = \"drawn\"\n[strategies.auto]\nwhitebox = true\n\
        [services.dense]\nsynth = \"dense-central-existence-hidden\"\nreset = \"between-tests\"\n";
    let tables = || {
        let folder = Folder::new();
        folder.write("lab.toml", lab);
        let ended = run(&folder, &["lab", "lab.toml"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        folder.read("lab/tables.md")
    };
    assert_eq!(tables(), tables());
}

#[test]
fn the_metrics_of_the_articles_are_measured() {
    let folder = Folder::new();
    let lab = "budgets = 400\nseeds = 1\nmetrics = [\"targets\", \"tests\", \"statuses\", \
        \"operations_5xx\", \"no_errors\", \"with_errors\"]\n[strategies.auto]\n\
        [services.shed]\ndemo = \"rest\"\n[services.bank]\ndemo = \"graphql\"\n";
    folder.write("lab.toml", lab);
    let ended = run(&folder, &["lab", "lab.toml"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let results = folder.read("lab/results.ndjson");
    let of = |service: &str| -> serde_json::Value {
        let mut lines = results.lines();
        let line = lines
            .find(|line| line.contains(service))
            .expect("it was run");
        let record: serde_json::Value = serde_json::from_str(line).expect("a record");
        record["metrics"].clone()
    };
    let (shed, bank) = (of("shed"), of("bank"));
    assert!(shed["tests"].as_f64() > Some(3.0), "{shed}");
    assert!(shed["statuses"].as_f64() > Some(1.0), "{shed}");
    assert!(shed["operations_5xx"].is_number(), "{shed}");
    assert!(shed.get("no_errors").is_none(), "{shed}");
    assert!(bank["no_errors"].as_f64() > Some(50.0), "{bank}");
    assert!(bank["with_errors"].as_f64() > Some(20.0), "{bank}");
}

/// The long experiment is not run here, but it must be one that could be.
#[test]
fn the_experiment_on_the_twelve_is_sound() {
    let folder = Folder::new();
    folder.write("synthetic.toml", SYNTHETIC);
    let ended = run(&folder, &["lab", "synthetic.toml", "--tables-only"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("0 of 2,160"), "{}", ended.stdout);
}
