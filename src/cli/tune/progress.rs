//! A line on the terminal that says how far tuning is.

use super::report::time;
use crate::cli::progress::{Line, bar};
use std::time::Instant;

pub(super) struct Progress {
    line: Line,
    began: Instant,
    allowed: usize,
    budget: u64,
}

const BAR: usize = 20;

impl Progress {
    pub(super) fn new(allowed: usize, budget: u64) -> Self {
        Self {
            line: Line::new(),
            began: Instant::now(),
            allowed,
            budget,
        }
    }

    /// So many have been tried; for those that are being tried now there was so much news: one when it was built, one when
    /// it was measured.
    pub(super) fn tried(&self, tried: usize, now: usize, best: Option<f64>, before: Option<f64>) {
        let best = match (best, before) {
            (Some(best), Some(before)) => {
                format!(", best {} ({:.2} times)", time(best), before / best)
            }
            _ => String::new(),
        };
        let seconds = self.began.elapsed().as_secs();
        let by_time = seconds as f64 / self.budget.max(1) as f64;
        let by_number = tried as f64 / self.allowed.max(1) as f64;
        let done = (by_time.max(by_number).min(1.0) * BAR as f64) as usize;
        let bar = bar(done, BAR);
        self.say(&format!(
            "[{bar}] {} of {} tried, {seconds} of {} s{best}",
            tried + now / 2,
            self.allowed,
            self.budget
        ));
    }

    pub(super) fn say(&self, what: &str) {
        self.line.say(what);
    }

    /// Leaves no line behind.
    pub(super) fn clear(&self) {
        self.say("");
    }
}
