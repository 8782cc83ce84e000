//! What the probe tells of calls.

use fossick_probe::{Catalogue, Delta, Kind, Line, LineError, Observed, Scalar, Value};
use serde_json::json;

use crate::caller::Caller;
use crate::service;

/// What a call made of a target, by its stable name.
fn value(catalogue: &Catalogue, delta: &Delta, key: &str) -> f64 {
    let id = catalogue.all().find(|(_, it)| it.key() == key);
    let (id, _) = id.unwrap_or_else(|| panic!("there is no {key}"));
    delta.value(id).share()
}

/// The handlers that a call was in.
fn files(catalogue: &Catalogue, delta: &Delta) -> Vec<String> {
    let hits = delta.hits.iter();
    let targets = hits.filter_map(|(id, _)| catalogue.get(*id));
    let mut files: Vec<String> = targets.map(|it| it.file.to_string()).collect();
    files.dedup();
    files
}

#[tokio::test]
async fn two_calls_at_once_are_told_apart() -> Result<(), LineError> {
    let (service, mut one) = service("sparse-straight-property-hidden");
    let mut two = Caller::to(&service);
    let mut line = Line::connect(service.probe_path()).await?;
    assert_eq!(line.hello().await?.language, "synth");
    let coverage = service.coverage();
    assert_eq!(
        line.catalogue().len(),
        coverage.lines.all + coverage.branches.all
    );

    one.call = Some(11);
    two.call = Some(22);
    line.begin(11).await?;
    line.begin(22).await?;
    assert_eq!(
        two.post("/ty2Los", &json!({"id": 1, "name": "n", "value": 1})),
        201
    );
    assert_eq!(one.get("/rn5Gas").0, 200);
    let first = line.end(11).await?;
    let second = line.end(22).await?;
    assert_eq!(files(line.catalogue(), &first), ["Rn5Ga.list"]);
    assert_eq!(files(line.catalogue(), &second), ["Ty2Lo.post"]);
    let last = second.last_line.as_ref().expect("a line was run");
    assert_eq!((&*last.file, last.line), ("Ty2Lo.post", 8));
    assert_eq!(line.end(0).await?.hits, []);

    one.call = None;
    one.get("/rn5Gas");
    let stray = line.end(0).await?;
    assert_eq!(files(line.catalogue(), &stray), ["Rn5Ga.list"]);
    Ok(())
}

#[tokio::test]
async fn a_search_can_feel_its_way_to_a_key_and_to_a_value() -> Result<(), LineError> {
    let (service, mut caller) = service("sparse-straight-property-hidden");
    caller.post("/jb9Xes", &json!({"id": 500, "name": "n", "value": 10}));
    let mut line = Line::connect(service.probe_path()).await?;
    line.hello().await?;
    caller.call = Some(1);

    let mut found = Vec::new();
    let mut below = Vec::new();
    for (need, value_sent) in [(0, 0), (400, 0), (499, 0), (500, 90), (500, 11), (500, 9)] {
        let body = json!({"id": 1, "name": "n", "value": value_sent, "jb9XeId": need});
        line.begin(1).await?;
        caller.post("/kd3Wps", &body);
        let delta = line.end(1).await?;
        let told = |key: &str| value(line.catalogue(), &delta, key);
        found.push(told("Kd3Wp.post:5:true:0"));
        below.push(told("Kd3Wp.post:12:true:0"));
        let compared = Observed::Equal(Scalar::Whole(need), Scalar::Whole(500));
        let mut observations = delta.observations.iter();
        assert!(observations.any(|observation| observation.what == compared));
    }
    assert!(
        found.is_sorted() && found[0] > 0.0 && found[2] < 1.0,
        "{found:?}"
    );
    assert_eq!(found[3..], [1.0; 3]);
    assert_eq!(below[..3], [0.0; 3]);
    assert!(
        below[3] > 0.0 && below[3] < below[4] && below[4] < 1.0,
        "{below:?}"
    );
    assert_eq!(below[5], 1.0);
    Ok(())
}

#[tokio::test]
async fn what_is_covered_is_told_no_more_and_the_rest_each_time() -> Result<(), LineError> {
    let (service, mut caller) = service("dense-central-existence-hidden");
    let mut line = Line::connect(service.probe_path()).await?;
    line.hello().await?;
    caller.call = Some(1);
    line.begin(1).await?;
    caller.get("/uEears/5");
    let delta = line.end(1).await?;
    let full = delta.hits.iter().filter(|(_, value)| value.is_full());
    let full: Vec<u32> = full.map(|(id, _)| *id).collect();
    assert_eq!(full.len(), 4);
    line.covered(&full).await?;
    for _ in 0..2 {
        line.begin(1).await?;
        caller.get("/uEears/5");
        let delta = line.end(1).await?;
        let [(id, left)] = delta.hits[..] else {
            panic!("one side is left: {delta:?}");
        };
        assert!(left > Value::NONE && left < Value::new(1e-9), "{left:?}");
        let kind = line.catalogue().get(id).map(|it| it.kind);
        assert_eq!(kind, Some(Kind::BranchTrue));
    }
    Ok(())
}

#[tokio::test]
async fn while_a_tool_listens_only_the_calls_of_its_search_are_counted() -> Result<(), LineError> {
    let (service, mut caller) = service("sparse-straight-existence-hidden");
    let mut line = Line::connect(service.probe_path()).await?;
    line.hello().await?;
    caller.get("/rn5Gas");
    assert_eq!(service.coverage().lines.covered, 0);
    caller.call = Some(1);
    line.begin(1).await?;
    caller.get("/rn5Gas");
    assert!(service.coverage().lines.covered > 0);
    Ok(())
}
