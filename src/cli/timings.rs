//! `--timings`: where a command's time goes, stage by stage.

use brook::backend::Backend;
use brook::diagnostics::Report;
use brook::source::Loader;
use brook::stage::{Stage, Watch};
use brook::{Options, Source, Translation};
use clap::Args;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whether anybody wants to know.
#[derive(Args, Clone, Copy)]
pub(crate) struct Wanted {
    /// Say on standard error how long each stage took
    #[arg(long = "timings")]
    wanted: bool,
}

/// One stage, and how long it has been at work.
type Row = (&'static str, Duration);

/// What one thread is doing, and what it has done. No clock is read unless somebody wants to know.
pub(crate) struct Timings {
    wanted: bool,
    began: Instant,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// In the order in which they first began.
    rows: Vec<Row>,
    current: Option<(&'static str, Instant)>,
}

impl Wanted {
    #[cfg(feature = "runtime")]
    pub(crate) fn is_wanted(self) -> bool {
        self.wanted
    }

    /// A clock for one thread, which begins now.
    pub(crate) fn start(self) -> Timings {
        Timings {
            wanted: self.wanted,
            began: Instant::now(),
            state: RefCell::default(),
        }
    }
}

impl Timings {
    /// From now on the time is that stage's.
    pub(crate) fn enter(&self, name: &'static str) {
        if self.wanted {
            let now = Instant::now();
            let mut state = self.state.borrow_mut();
            state.leave(now);
            state.current = Some((name, now));
        }
    }

    /// As [`brook::transpile`]; its stages' times are noted one by one.
    pub(crate) fn transpile(
        &self,
        source: &Source,
        backend: &Backend,
        options: &Options,
        loader: &dyn Loader,
    ) -> Result<Translation, Box<Report>> {
        let watch: Watch<'_> = &|stage: Stage| self.enter(stage.name());
        brook::transpile_watched(source, backend, options, loader, watch)
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        let wall = self.began.elapsed();
        self.state.borrow_mut().leave(Instant::now());
        if self.wanted {
            print(&self.state.borrow().rows, wall);
        }
    }

    /// Adds what a thread has done to what others have.
    pub(crate) fn add_to(&self, all: &Mutex<Vec<Row>>) {
        self.state.borrow_mut().leave(Instant::now());
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, time) in &self.state.borrow().rows {
            add(&mut all, name, *time);
        }
    }

    /// Takes over what threads have done.
    pub(crate) fn take(&self, all: Mutex<Vec<Row>>) {
        let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.state.borrow_mut();
        for (name, time) in all {
            add(&mut state.rows, name, time);
        }
    }
}

impl State {
    fn leave(&mut self, now: Instant) {
        if let Some((name, since)) = self.current.take() {
            add(&mut self.rows, name, now - since);
        }
    }
}

fn add(rows: &mut Vec<Row>, name: &'static str, time: Duration) {
    match rows.iter_mut().find(|r| r.0 == name) {
        Some(row) => row.1 += time,
        None => rows.push((name, time)),
    }
}

/// Stages of threads that work at once add up to more than the time that has passed.
fn print(rows: &[Row], wall: Duration) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let sum: Duration = rows.iter().map(|r| r.1).sum();
    let share = |time: Duration| 100.0 * time.as_secs_f64() / sum.as_secs_f64().max(1e-9);
    let mut out = format!("{:<12} {:>12} {:>7}\n", "stage", "ms", "share");
    for (name, time) in rows {
        // A String cannot fail to be written to.
        let _ = writeln!(
            out,
            "{name:<12} {:>12.3} {:>5.1} %",
            milliseconds(*time),
            share(*time)
        );
    }
    let _ = writeln!(out, "{:<12} {:>12.3}", "sum", milliseconds(sum));
    let _ = writeln!(out, "{:<12} {:>12.3}", "passed", milliseconds(wall));
    // Nobody is left to tell if standard error is gone.
    let _ = std::io::stderr().lock().write_all(out.as_bytes());
}
