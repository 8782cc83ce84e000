//! One line that says how far a lab is.

use std::time::Duration;

const BAR: usize = 20;
/// More names than this push the time out of sight.
const NAMED: usize = 2;

/// `done` and `all` count the cells of this sitting, without those of an earlier one, or the time
/// left would be guessed too short.
pub fn progress(done: usize, all: usize, elapsed: Duration, running: &[&str]) -> String {
    let all = all.max(done);
    let share = if all == 0 {
        1.0
    } else {
        done as f64 / all as f64
    };
    let filled = (share * BAR as f64) as usize;
    let mut line = format!(
        "[{}{}] {done}/{all} {:.0}% {}",
        "#".repeat(filled),
        "-".repeat(BAR.saturating_sub(filled)),
        (share * 100.0).floor(),
        span(elapsed.as_secs()),
    );
    if let Some(left) = left(done, all, elapsed) {
        line += &format!(", about {} left", span(left));
    }
    if !running.is_empty() {
        line += " | ";
        line += &named(running);
    }
    line
}

/// None before the first cell is done: a guess from nothing is no guess.
fn left(done: usize, all: usize, elapsed: Duration) -> Option<u64> {
    if done == 0 || done >= all {
        return None;
    }
    let each = elapsed.as_secs_f64() / done as f64;
    Some((each * (all - done) as f64).ceil() as u64)
}

fn named(running: &[&str]) -> String {
    let shown = running
        .iter()
        .take(NAMED)
        .copied()
        .collect::<Vec<_>>()
        .join(", ");
    match running.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn span(seconds: u64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m {:02}s", seconds % 60),
        _ => format!("{hours}h {minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_far_how_long_and_what_now() {
        let running = [
            "shop/base/1/1000",
            "shop/r-mio/1/1000",
            "tracker/base/1/1000",
        ];
        assert_eq!(
            progress(37, 240, Duration::from_secs(130), &running),
            "[###-----------------] 37/240 15% 2m 10s, about 11m 54s left \
             | shop/base/1/1000, shop/r-mio/1/1000 and 1 more"
        );
    }

    #[test]
    fn the_beginning_and_the_end_guess_nothing() {
        assert_eq!(
            progress(0, 4, Duration::from_secs(3), &[]),
            "[--------------------] 0/4 0% 3s"
        );
        assert_eq!(
            progress(4, 4, Duration::from_secs(7300), &[]),
            "[####################] 4/4 100% 2h 01m"
        );
        assert_eq!(
            progress(0, 0, Duration::ZERO, &[]),
            "[####################] 0/0 100% 0s"
        );
    }
}
