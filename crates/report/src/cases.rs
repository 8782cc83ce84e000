//! Cases made ready for the reader: those of one cause know of each other, and each has the
//! commands that show it again.

use std::collections::BTreeMap;
use std::path::Path;

use fossick_trace::{Case, Names};

use crate::{curl_with_credentials, quote, slug};

/// Groups and names cases. `folder` is where their files will be.
pub fn ready(
    mut cases: Vec<Case>,
    base_url: &str,
    folder: &Path,
    credentials: &[String],
) -> Vec<Case> {
    group(&mut cases);
    let mut slugs = BTreeMap::new();
    for case in &mut cases {
        let finding = &case.finding;
        let slug = numbered(&mut slugs, slug(&finding.code, &finding.operation));
        let oracle = fossick_oracles::find(&finding.code).map_or("", |o| o.name);
        case.names = Names {
            oracle: oracle.to_owned(),
            curl: curl_with_credentials(base_url, &case.episode, finding.call, credentials),
            replay: replay_command(&folder.join(format!("{slug}.json"))),
            slug,
        };
    }
    cases
}

/// Cases of one cause are told together, at those that are confirmed. One that came back each time
/// and only rests on what earlier calls left needs no proof of its own then.
fn group(cases: &mut [Case]) {
    let others: Vec<Vec<(String, String)>> = cases.iter().map(|case| also(case, cases)).collect();
    for (case, also) in cases.iter_mut().zip(others) {
        case.also = also;
    }
}

fn also(case: &Case, cases: &[Case]) -> Vec<(String, String)> {
    let own = case.finding.fingerprint();
    let same = |other: &&Case| case.is_confirmed() && other.came_back() && other.is_of_cause(case);
    let others = cases.iter().filter(same);
    others
        .map(|other| (other.finding.fingerprint(), other.finding.operation.clone()))
        .filter(|(fingerprint, _)| *fingerprint != own)
        .collect()
}

/// Quoted only where a shell would misread it.
fn replay_command(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if text.chars().all(is_plain) {
        format!("fossick replay {text}")
    } else {
        format!("fossick replay {}", quote(&text))
    }
}

/// The second finding of one code and operation is `…-2`.
fn numbered(taken: &mut BTreeMap<String, u32>, slug: String) -> String {
    let count = taken.entry(slug.clone()).or_insert(0);
    *count += 1;
    match count {
        1 => slug,
        count => format!("{slug}-{count}"),
    }
}
