//! Named steps, one after the other, each with its time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// Remembers what was done and how long it took.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    done: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// Does one step; the first that fails ends everything, and its name is in the error.
    pub(crate) fn step(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        println!("\n── {name}");
        let started = Instant::now();
        let outcome = work();
        let took = started.elapsed();
        let mark = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("── {name}: {mark} in {}", seconds(took));
        self.done.push((name, took));
        outcome.with_context(|| format!("the step `{name}` failed"))
    }

    pub(crate) fn summary(&self) -> String {
        let total: Duration = self.done.iter().map(|(_, took)| *took).sum();
        let lines = self.done.iter().map(|(name, took)| line(name, *took));
        let lines: String = lines.chain([line("all of it", total)]).collect();
        format!("\n{lines}")
    }
}

fn line(name: &str, took: Duration) -> String {
    format!("  {name:<32} {:>9}\n", seconds(took))
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn a_step_that_fails_is_named() {
        let mut steps = Steps::default();
        steps.step("first", || Ok(())).expect("it does nothing");
        let error = steps
            .step("second", || bail!("no luck"))
            .expect_err("it has no luck");
        assert_eq!(format!("{error:#}"), "the step `second` failed: no luck");
        let summary = steps.summary();
        assert!(summary.contains("first") && summary.contains("all of it"));
    }
}
