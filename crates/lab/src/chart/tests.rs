//! Charts as texts: whole, well formed, and safe whatever the names and numbers.

use super::*;
use crate::sample::{LAB, experiment, records};

/// Opened and closed elements balance and no text is left unescaped: enough of a parser for what
/// is written here.
fn assert_well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (inside, after) = tag.split_once('>').expect("every tag is closed");
        assert!(!after.contains('>'), "{after}");
        let name = inside
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inside.ends_with('/') {
            open.push(name);
        }
        assert_eq!(inside.matches('"').count() % 2, 0, "{inside}");
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn every_service_has_a_chart_and_all_have_one_together() {
    let experiment = experiment();
    let charts = charts(&experiment, &records(&experiment));
    let names: Vec<&str> = charts
        .services
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["shop", "tracker"]);
    for (name, svg) in &charts.services {
        assert_well_formed(svg);
        assert!(svg.contains(&format!("<title>{name}: targets over HTTP calls</title>")));
        assert!(
            svg.contains(">rd-mio 1"),
            "the last value stands at the end of the line"
        );
    }
    let overview = charts.overview.unwrap();
    assert_well_formed(&overview);
    assert!(overview.contains(">shop</text>") && overview.contains(">tracker</text>"));
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let charts = charts(&experiment(), &Records::default());
    assert_eq!((charts.services.len(), charts.overview), (0, None));
}

#[test]
fn names_cannot_break_out_of_a_chart() {
    let text = LAB.replace("services.shop", "services.'<script>&\"x'");
    let experiment = Experiment::read(&text, "lab.toml").unwrap();
    let charts = charts(&experiment, &records(&experiment));
    for svg in charts
        .services
        .iter()
        .map(|(_, svg)| svg)
        .chain(charts.overview.iter())
    {
        assert_well_formed(svg);
        assert!(!svg.contains("<script"));
    }
}

#[test]
fn charts_need_nothing_from_outside() {
    let experiment = experiment();
    let overview = charts(&experiment, &records(&experiment)).overview.unwrap();
    let outside = overview.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("http:") && !outside.contains("url(") && !outside.contains("href"));
}

#[test]
fn odd_numbers_still_make_a_chart() {
    let experiment = experiment();
    let mut records = records(&experiment);
    let odd: Vec<crate::Record> = records
        .iter()
        .map(|record| crate::Record {
            curve: vec![(u64::MAX, 1e308), (0, -1e308), (7, f64::NAN)],
            ..record.clone()
        })
        .collect();
    for record in odd {
        records.add(record);
    }
    for (_, svg) in charts(&experiment, &records).services {
        assert_well_formed(&svg);
    }
}
