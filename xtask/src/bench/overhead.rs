//! What the search costs beside the calls themselves, strategy by strategy.
//!
//! The figures come from an example of the search's own crate: no HTTP, ten thousand targets, and
//! a probe that names a hundred of them after each call.

use anyhow::{Context, Result};

use super::built;
use super::meter::{Core, measure, pinned};
use super::table::Table;

pub(super) fn table() -> Result<Table> {
    let heads = [
        "search overhead",
        "calls/plan",
        "propose µs/call",
        "learn µs/call",
        "both µs/call",
    ];
    let mut table = Table::new(&heads);
    let measured = measure(pinned(Core::Client, built("examples/overhead")))?;
    for line in measured.output.lines() {
        let row = row(line).with_context(|| format!("failed to read `{line}`"))?;
        table.row(row);
    }
    Ok(table)
}

fn row(line: &str) -> Option<Vec<String>> {
    let [name, length, propose, learn] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let both = propose.parse::<f64>().ok()? + learn.parse::<f64>().ok()?;
    let cells = [name, length, propose, learn].map(str::to_owned);
    Some(cells.into_iter().chain([format!("{both:.1}")]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_a_row_with_the_sum() {
        let expected = ["mio", "4.2", "1.5", "2.0", "3.5"].map(str::to_owned);
        assert_eq!(row("mio\t4.2\t1.5\t2.0"), Some(expected.to_vec()));
        assert_eq!(row("mio\t4.2"), None);
    }
}
