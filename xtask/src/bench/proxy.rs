//! What recording costs a call that goes through the proxy, and whether memory stays flat.
//!
//! The figures come from an example of the recorder's own crate, which lets a plain proxy and the
//! recording one take turns. Nothing is pinned: they share the cores as they would elsewhere.

use anyhow::{Context, Result};

use super::built;
use super::meter::measure;
use super::table::Table;
use crate::program::program;

pub(super) fn tables() -> Result<String> {
    let measured = measure(program(built("examples/proxy_bench")))?;
    let lines: Vec<Vec<&str>> = measured.output.lines().map(cells).collect();
    let calls = calls(&lines).context("the proxy's example speaks another way now")?;
    Ok(format!("{calls}\n{}", memory(&lines)))
}

fn cells(line: &str) -> Vec<&str> {
    line.split('\t').collect()
}

/// Lines of seven cells are the turns, the first of them without a proxy.
fn calls(lines: &[Vec<&str>]) -> Option<Table> {
    let mut table = Table::new(&[
        "GraphQL through a proxy",
        "calls/s",
        "× plain",
        "CPU µs/call",
        "median µs",
        "99 % µs",
        "alone: median µs",
        "added µs",
    ]);
    let turns = lines.iter().filter(|cells| cells.len() == 7);
    let alone = |cells: &[&str]| cells.last()?.parse::<f64>().ok();
    let straight = alone(turns.clone().next()?)?;
    for cells in turns {
        let added = alone(cells)? - straight;
        let row = cells.iter().map(|&cell| cell.to_owned());
        table.row(row.chain([format!("{added:.0}")]).collect());
    }
    Some(table)
}

fn memory(lines: &[Vec<&str>]) -> Table {
    let heads = [
        "memory under load",
        "MB, first third",
        "MB, the rest",
        "what it did",
    ];
    let mut table = Table::new(&heads);
    let told = lines.iter().filter(|cells| cells.len() == 4);
    for cells in told {
        table.row(cells.iter().map(|&cell| cell.to_owned()).collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "straight to the upstream\t30000\t2.50\t15.1\t600\t900\t20\n\
                          plain hyper proxy\t12000\t1.00\t60.2\t1500\t9000\t90\n\
                          figures\t10 passed, 10 recorded\n\
                          memory stuck\t89.0\t88.8\t10 passed, 10 lost\n";

    #[test]
    fn turns_and_memory_are_told_apart() {
        let lines: Vec<Vec<&str>> = OUTPUT.lines().map(cells).collect();
        let calls = calls(&lines).expect("two turns").to_string();
        let last = calls.lines().last().expect("a row");
        assert!(
            last.starts_with("plain hyper proxy") && last.ends_with("70"),
            "{calls}"
        );
        let memory = memory(&lines).to_string();
        assert!(
            memory.contains("88.8") && !memory.contains("figures"),
            "{memory}"
        );
    }

    #[test]
    fn nonsense_is_no_table() {
        assert!(calls(&[vec!["a", "b"]]).is_none());
    }
}
