//! Every strategy searches, on the command line and by the file.

use fossick_demo::{Faults, STAFF_TOKEN, serve};

use crate::program::{Folder, run};
use crate::report::Report;

#[test]
fn every_strategy_gets_somewhere_in_a_few_hundred_calls() {
    for name in ["auto", "random", "mio", "wts", "mosa"] {
        let folder = Folder::new();
        let mut arguments = vec!["demo", "rest", "--seed", "1", "--requests", "400"];
        arguments.extend(["--strategy", name, "--report", "json=report.json"]);
        let ended = run(&folder, &arguments);
        assert!([0, 1].contains(&ended.code), "{name}: {}", ended.stderr);
        let report = Report::read(&folder, "report.json");
        let operations = report.0["operations"].as_array().expect("a list");
        let succeeded = operations
            .iter()
            .filter(|operation| operation["statuses"]["2xx"].as_u64() > Some(0));
        // The service begins anew before each test of evolution: chance finds little there.
        assert!(succeeded.count() >= operations.len() / 4, "{name}");
        assert!(report.0["requests"].as_u64() >= Some(350), "{name}");
    }
}

#[test]
fn strategies_search_graphql_too() {
    let folder = Folder::new();
    let arguments = ["demo", "graphql", "--seed", "1", "--requests", "300"];
    let ended = run(&folder, &[&arguments[..], &["--strategy", "mio"]].concat());
    assert!([0, 1].contains(&ended.code), "{}", ended.stderr);
}

#[test]
fn the_file_chooses_a_strategy_and_its_settings() {
    let service = serve(Faults::None, 0).expect("a free port");
    let folder = Folder::new();
    let header = format!("Authorization: Bearer {STAFF_TOKEN}");
    let schema = format!("{}/openapi.json", service.url());
    let text = format!(
        "schema = \"{schema}\"\nheader = [\"{header}\"]\nrequests = 200\nseed = 1\n\
         strategy = \"mio\"\n[search]\nsmart = 0.5\nmax-test-size = 4\n"
    );
    folder.write("fossick.toml", &text);
    let search = |arguments: &[&str]| {
        let ended = run(&folder, arguments);
        assert!([0, 1].contains(&ended.code), "{}", ended.stderr);
    };
    search(&["test"]);
    search(&["test", "--strategy", "random"]);
}

/// What a test reaches is its own merit where the service begins anew before each.
#[test]
fn a_service_that_can_be_reset_begins_anew_before_each_test_of_evolution() {
    let service = serve(Faults::None, 0).expect("a free port");
    let schema = format!("{}/openapi.json", service.url());
    let resets = |strategy: &str, reset: &str| {
        let folder = Folder::new();
        let text = format!(
            "schema = \"{schema}\"\nrequests = 120\nseed = 1\nstrategy = \"{strategy}\"\n\
             [service]\nreset = \"{reset}\"\n"
        );
        folder.write("fossick.toml", &text);
        let ended = run(&folder, &["test"]);
        assert!([0, 1].contains(&ended.code), "{}", ended.stderr);
        (folder.read("resets.txt").lines().count(), ended.stderr)
    };
    let (often, _) = resets("mio", "echo anew >> resets.txt");
    assert!(often >= 120 / 10, "{often}");
    let (once, said) = resets("mio", "echo anew > resets.txt; false");
    assert!(
        once == 1 && said.contains("could not be reset before each test"),
        "{said}"
    );
}

#[test]
fn a_wrong_setting_is_named_with_its_place() {
    let folder = Folder::new();
    for (text, words) in [
        (
            "strategy = \"mia\"",
            "fossick.toml:1:12: unknown variant `mia`",
        ),
        (
            "strategy = \"mio\"\n[search]\np-d = 2",
            "fossick.toml:3:7: expected a number between 0 and 1, not 2",
        ),
        (
            "strategy = \"mio\"\n[search]\npopulaton = 2",
            "did you mean `population`?",
        ),
        ("[search]\nsmart = 1", "[search] is about"),
        ("strategy = \"wts\"\n[search]\np-d = 1", "about resources"),
    ] {
        folder.write("fossick.toml", &format!("{text}\n"));
        let ended = run(&folder, &["test", "http://127.0.0.1:9/openapi.json"]);
        assert_eq!(ended.code, 2, "{ended:?}");
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
}
