//! When the next request may go out: the rate that the user allows, and the pauses that the
//! service asks for. Shared by all requests of a client.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::time::Instant;

/// Timers are coarse (about a millisecond): what was overslept by up to this much is caught up,
/// or a rate of some thousands could never be kept by a single caller.
const CATCH_UP: Duration = Duration::from_millis(5);

/// Keeps the arithmetic of instants within bounds whatever the settings say.
const A_DAY: Duration = Duration::from_hours(24);

pub(crate) struct Pace {
    spacing: Option<Duration>,
    longest_pause: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The next free place in the row.
    next: Option<Instant>,
    /// Nothing goes out before this.
    resume: Option<Instant>,
    paused: Duration,
    pauses: u64,
}

impl Pace {
    pub(crate) fn new(rate: Option<f64>, longest_pause: Duration) -> Self {
        Self {
            spacing: rate.map(|rate| Duration::from_secs_f64(rate.recip())),
            longest_pause: longest_pause.min(A_DAY),
            state: Mutex::default(),
        }
    }

    /// Waits for this request's place in the row, and for the end of a pause.
    pub(crate) async fn wait(&self) {
        if let Some(at) = self.take_turn(Instant::now()) {
            tokio::time::sleep_until(at).await;
        }
        // A pause may begin, or grow, while one is waited for.
        while let Some(at) = self.pause_until(Instant::now()) {
            tokio::time::sleep_until(at).await;
        }
    }

    fn take_turn(&self, now: Instant) -> Option<Instant> {
        let spacing = self.spacing?;
        let mut state = self.lock();
        let earliest = now.checked_sub(CATCH_UP).unwrap_or(now);
        let turn = state.next.map_or(now, |next| next.max(earliest));
        state.next = Some(turn + spacing);
        (turn > now).then_some(turn)
    }

    fn pause_until(&self, now: Instant) -> Option<Instant> {
        let mut state = self.lock();
        if state.resume? <= now {
            state.resume = None;
        }
        state.resume
    }

    /// Holds everything back. Pauses that overlap count once.
    pub(crate) fn pause(&self, asked: Duration) {
        let now = Instant::now();
        let until = now + asked.min(self.longest_pause);
        let mut state = self.lock();
        let from = state.resume.map_or(now, |resume| resume.max(now));
        if until > from {
            state.paused += until - from;
            state.resume = Some(until);
        }
        state.pauses += 1;
    }

    pub(crate) fn paused(&self) -> Duration {
        self.lock().paused
    }

    pub(crate) fn pauses(&self) -> u64 {
        self.lock().pauses
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads `Retry-After`: seconds, or a date.
pub fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_evenly_spaced() {
        let pace = Pace::new(Some(100.0), Duration::from_mins(1));
        let now = Instant::now();
        let turns: Vec<_> = (0..4).map(|_| pace.take_turn(now)).collect();
        let after = |millis| Some(now + Duration::from_millis(millis));
        assert_eq!(turns, [None, after(10), after(20), after(30)]);
    }

    #[test]
    fn idle_time_is_not_saved_up_for_a_burst() {
        let pace = Pace::new(Some(10.0), Duration::from_mins(1));
        let now = Instant::now();
        pace.take_turn(now);
        let later = now + Duration::from_mins(1);
        assert_eq!(pace.take_turn(later), None);
        assert!(pace.take_turn(later).is_some());
    }

    #[test]
    fn retry_after_is_read_in_both_forms() {
        let now = httpdate::parse_http_date("Tue, 01 Jan 2030 00:00:00 GMT").expect("a date");
        let read = |text| retry_after(text, now);
        assert_eq!(read("7"), Some(Duration::from_secs(7)));
        let date = "Tue, 01 Jan 2030 00:00:30 GMT";
        assert_eq!(read(date), Some(Duration::from_secs(30)));
        let past = "Mon, 31 Dec 2029 00:00:30 GMT";
        assert_eq!(read(past), Some(Duration::ZERO));
        assert_eq!(read("soon"), None);
        assert_eq!(read("-1"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_are_capped_and_overlaps_count_once() {
        let pace = Pace::new(None, Duration::from_mins(1));
        pace.pause(Duration::from_secs(10));
        pace.pause(Duration::from_secs(10));
        assert_eq!(pace.paused(), Duration::from_secs(10));
        pace.pause(Duration::from_secs(1_000_000));
        assert_eq!(pace.paused(), Duration::from_mins(1));
        assert_eq!(pace.pauses(), 3);
        let before = Instant::now();
        pace.wait().await;
        assert!(before.elapsed() >= Duration::from_mins(1));
    }
}
