//! The page of findings: a table of all oracles, then a section for each.

use std::fmt::Write as _;

use fossick_oracles::Oracle;

const HEAD: &str = "\
# Findings and oracles

<!-- Written by `cargo xtask docs` from crates/oracles/src/table.rs. -->

An oracle is a rule that says when an answer is wrong. Each has a code that never changes and is
never used again, so it can be named in `--ignore`, in `fossick.toml` and in a ticket.
`fossick explain CODE` prints the section of a code.

*Severity* is the usual one; a single finding may be milder, and the section says when. *Sureness*
tells what the rule rests on: `sure` on the document or on HTTP itself, `likely` on what most
services mean, `perhaps` on a guess. How findings are confirmed, grouped and ranked is told in
[How it works](how-it-works.md#judged).

";

pub(super) fn page(oracles: &[Oracle]) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("| code | finding | severity | sureness |\n|---|---|---|---|\n");
    for oracle in oracles {
        page.push_str(&row(oracle));
    }
    for oracle in oracles {
        page.push_str(&section(oracle));
    }
    page
}

fn row(oracle: &Oracle) -> String {
    let Oracle {
        code,
        name,
        severity,
        sureness,
        ..
    } = oracle;
    let link = heading(oracle).to_lowercase().replace(' ', "-");
    format!("| [{code}](#{link}) | {name} | {severity} | {sureness} |\n")
}

fn heading(oracle: &Oracle) -> String {
    format!("{} {}", oracle.code, oracle.name)
}

fn section(oracle: &Oracle) -> String {
    let mut text = format!("\n## {}\n", heading(oracle));
    for (label, words) in [
        ("What", oracle.what),
        ("Why it matters", oracle.why),
        ("How to mend it", oracle.mend),
        ("When it may be wrong", oracle.noise),
    ] {
        let _ = write!(text, "\n**{label}.** {words}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fossick_oracles::ORACLES;

    #[test]
    fn every_oracle_has_a_row_and_a_section() {
        let page = page(ORACLES);
        for oracle in ORACLES {
            assert!(page.contains(&format!("\n## {} {}\n", oracle.code, oracle.name)));
            assert!(page.contains(&format!("| [{}](#", oracle.code)));
            assert!(page.contains(oracle.noise));
        }
    }
}
