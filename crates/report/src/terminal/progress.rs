//! How far a run is, on one line.

use std::time::Duration;

use crate::Style;
use crate::layout::{cut, width};
use crate::style::Tone;
use crate::wording::{clock, counted, duration, thousands};

/// Where a run stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    pub elapsed: Duration,
    pub total: Option<Duration>,
    pub request_budget: Option<u64>,
    /// Operations tried at least once.
    pub tried: usize,
    pub operations: usize,
    /// Operations that succeeded at least once.
    pub succeeded: usize,
    /// To succeed means to answer without errors, and not with 2xx.
    pub graphql: bool,
    pub findings: usize,
    pub requests: u64,
    /// Requests per second, lately.
    pub rate: f64,
}

const WIDEST_BAR: usize = 26;
const NARROWEST_BAR: usize = 8;

/// One line that is drawn again and again; never wider than the terminal, or it would leave its
/// traces. Where there is little room, the bar shrinks first and the facts go from the right.
pub fn progress(state: &Progress, style: &Style) -> String {
    let facts = facts(state);
    for count in (1..=facts.len()).rev() {
        let facts = style.joined(facts.get(..count).unwrap_or_default());
        let frame = width(&around_bar(state, "")) + 3 + width(&facts);
        let room = style.width.saturating_sub(frame);
        let fits = state.goal().is_none() || room >= NARROWEST_BAR;
        if frame <= style.width && fits {
            let bar = bar(state, room.min(WIDEST_BAR), style);
            return format!("{}   {facts}", around_bar(state, &bar));
        }
    }
    cut(
        &around_bar(state, "").replace("  ", " "),
        style.width,
        style,
    )
}

/// The same for a log that can't be redrawn.
pub fn progress_plain(state: &Progress) -> String {
    let elapsed = duration(state.elapsed.as_secs_f64());
    let time = match state.total {
        Some(total) => format!("{elapsed} of {}", duration(total.as_secs_f64())),
        None => elapsed,
    };
    let requests = match state.request_budget {
        Some(budget) => format!(
            "{} of {}",
            thousands(state.requests),
            counted(budget, "request")
        ),
        None => counted(state.requests, "request"),
    };
    format!(
        "{time}: {}/{} operations tried, {}, {}, {requests} ({}/s)",
        state.tried,
        state.operations,
        state.success(),
        counted(state.findings as u64, "finding"),
        thousands(state.rate.max(0.0).round() as u64),
    )
}

/// The most telling first: the last ones give way on a narrow terminal.
fn facts(state: &Progress) -> [String; 4] {
    [
        counted(state.findings as u64, "finding"),
        format!("{}/{} tried", state.tried, state.operations),
        state.success(),
        format!("{} req/s", thousands(state.rate.max(0.0).round() as u64)),
    ]
}

fn around_bar(state: &Progress, bar: &str) -> String {
    let elapsed = clock(state.elapsed);
    match (state.total, state.request_budget) {
        (Some(total), _) => format!("  {elapsed} {bar} {}", clock(total)),
        (None, Some(budget)) => {
            let requests = thousands(state.requests);
            format!(
                "  {elapsed} {requests} {bar} {}",
                counted(budget, "request")
            )
        }
        (None, None) => format!("  {elapsed} {}", counted(state.requests, "request")),
    }
}

impl Progress {
    fn success(&self) -> String {
        let how = if self.graphql {
            "without errors"
        } else {
            "answered 2xx"
        };
        format!("{} {how}", self.succeeded)
    }

    /// Share of the budget that is used, where there is a budget.
    fn goal(&self) -> Option<f64> {
        let by_time = self.total.map(|total| {
            let total = total.as_secs_f64().max(f64::MIN_POSITIVE);
            self.elapsed.as_secs_f64() / total
        });
        let by_requests = || {
            let budget = self.request_budget?.max(1) as f64;
            Some(self.requests as f64 / budget)
        };
        by_time
            .or_else(by_requests)
            .map(|share| share.clamp(0.0, 1.0))
    }
}

fn bar(state: &Progress, length: usize, style: &Style) -> String {
    let Some(share) = state.goal() else {
        return String::new();
    };
    let done = ((share * length as f64).floor() as usize).min(length);
    let symbols = style.symbols();
    let ahead = symbols.ahead.repeat(length - done);
    let done = symbols.done.repeat(done);
    format!(
        "{}{}",
        style.paint(Tone::Green, &done),
        style.paint(Tone::Dim, &ahead)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn state() -> Progress {
        Progress {
            elapsed: Duration::from_secs(21),
            total: Some(Duration::from_mins(1)),
            request_budget: None,
            tried: 13,
            operations: 13,
            succeeded: 12,
            graphql: false,
            findings: 5,
            requests: 38_682,
            rate: 1842.4,
        }
    }

    #[test]
    fn a_wide_terminal_shows_all_of_it() {
        let line = progress(&state(), &Style::default());
        assert_eq!(
            line,
            "  00:21 ━━━━━━━━━───────────────── 01:00   \
             5 findings · 13/13 tried · 12 answered 2xx · 1,842 req/s"
        );
    }

    #[test]
    fn a_narrow_one_keeps_what_matters_most() {
        let style = Style {
            width: 45,
            unicode: false,
            ..Style::default()
        };
        assert_eq!(
            progress(&state(), &style),
            "  00:21 ======------------ 01:00   5 findings"
        );
    }

    #[test]
    fn a_budget_of_requests_is_a_bar_too() {
        let state = Progress {
            total: None,
            request_budget: Some(50_000),
            ..state()
        };
        assert!(progress(&state, &Style::default()).starts_with("  00:21 38,682 ━━━━━━"));
        assert_eq!(
            progress_plain(&state),
            "21 s: 13/13 operations tried, 12 answered 2xx, 5 findings, \
             38,682 of 50,000 requests (1,842/s)"
        );
    }

    proptest! {
        #[test]
        fn it_never_leaves_its_line(
            columns in 0_usize..140,
            total in prop::option::of(0_u64..100_000),
            request_budget in prop::option::of(0_u64..10_000_000),
            requests in 0_u64..10_000_000,
            unicode: bool,
        ) {
            let style = Style { width: columns, unicode, ..Style::default() };
            let total = total.map(Duration::from_secs);
            let line = progress(&Progress { total, request_budget, requests, ..state() }, &style);
            prop_assert!(width(&line) <= columns && !line.contains('\n'));
        }
    }
}
