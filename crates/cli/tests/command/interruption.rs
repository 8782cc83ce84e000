//! Ctrl-C: the run ends at once, with everything so far written.

use std::time::{Duration, Instant};

use fossick_testkit::{pure_crud, pure_document};

use crate::program::{Folder, Running, fossick};
use crate::report::Report;

#[test]
fn an_interrupted_run_writes_what_it_has() {
    let fake = pure_crud(true);
    let folder = Folder::new();
    folder.write("openapi.json", &pure_document());
    let url = fake.url();
    let mut arguments = vec!["test", "openapi.json", "--url", &url, "--time", "60s"];
    arguments.extend(["--seed", "7", "--report", "json=report.json"]);
    let running = Running::start(&mut fossick(&folder, &arguments));
    std::thread::sleep(Duration::from_secs(3));
    let before = Instant::now();
    running.interrupt();
    let ended = running.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    assert!(before.elapsed() < Duration::from_secs(5), "{ended:?}");
    let report = Report::read(&folder, "report.json");
    assert_eq!(report.ending(), "interrupted");
    assert!(!report.confirmed().is_empty(), "{:#?}", report.lines());
    assert_eq!(folder.findings("7").len(), report.findings().len());
    let stored = Report::read(&folder, ".fossick/7/report.json");
    assert_eq!(stored.0, report.0);
}
