//! Tests that are made while the program runs, in modules: `MODULE::NAME`.

use libtest_mimic::{Arguments, Failed};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What takes longer than this never ends: the slowest test takes two minutes.
const LIMIT: Duration = Duration::from_secs(20 * 60);

/// The tests that run just now, with their beginnings.
static RUNNING: Mutex<Vec<(String, Instant)>> = Mutex::new(Vec::new());

/// One test.
pub struct Trial {
    name: String,
    missing: bool,
    run: Box<dyn FnOnce() -> Result<(), Failed> + Send>,
}

impl Trial {
    /// A test of this name within its module; one that begins with the module's own keeps it.
    pub fn test(
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            missing: false,
            run: Box::new(run),
        }
    }

    /// A test of something that is not here: it is ignored.
    pub fn missing(
        name: impl Into<String>,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) -> Self {
        Self {
            missing: true,
            ..Self::test(name, run)
        }
    }

    /// The same for the harness.
    fn of_module(self, module: &str) -> libtest_mimic::Trial {
        let prefix = format!("{module}::");
        let name = match module.is_empty() || self.name.starts_with(&prefix) {
            true => self.name,
            false => prefix + &self.name,
        };
        let (run, told) = (self.run, name.clone());
        let timed = move || {
            let start = Instant::now();
            let running = || RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running().push((told.clone(), start));
            // The harness reports a panic once this is passed on.
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            running().retain(|(name, _)| *name != told);
            tell_time(&told, start);
            result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        let left_out = is_left_out(&name);
        let trial = libtest_mimic::Trial::test(name, timed);
        match (self.missing, left_out) {
            (true, _) => trial.with_kind("missing").with_ignored_flag(true),
            (_, true) => trial.with_kind("next time").with_ignored_flag(true),
            (false, false) => trial,
        }
    }
}

/// Whether a test is left to another run: `BROOK_SHARE=K/N` says that this one is the K-th of N, counted from 0. Cases on the processor
/// itself, where what is translated shows first, are in all of them, and so is everything that is no case compiled or run for some
/// backend, no random program there, no program on the devices of several processes, and no case under a sanitizer.
fn is_left_out(name: &str) -> bool {
    let Ok(share) = std::env::var("BROOK_SHARE") else {
        return false;
    };
    let numbers = share.split_once('/');
    let numbers = numbers.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let Some((number, of)): Option<(u64, u64)> = numbers.filter(|(k, n)| k < n) else {
        eprintln!(
            "BROOK_SHARE is '{share}'; it must be a share's number and how many there are, as 0/2"
        );
        std::process::exit(101);
    };
    let parts: Vec<&str> = name.split("::").collect();
    let shared = match parts.as_slice() {
        ["execution", "okl" | "brook", _, column] => *column != "openmp",
        ["properties", .., column] => !matches!(*column, "openmp" | "interpreted"),
        ["ranks", "cases" | "programs", _] => true,
        ["gather_scatter", "random", column] => *column != "openmp",
        ["compile_host", column, ..] => *column != "openmp",
        // Each is a case on the processor, which runs without them, too.
        ["sanitizers", "address" | "thread", _] => true,
        [first, ..] => first.starts_with("compile_"),
        [] => false,
    };
    // FNV, since the same test has to be in the same share everywhere.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    shared && (hash >> 32) % of != number
}

/// Adds a line to the file that `BROOK_TIMES` names: how many seconds a test took, and its name.
fn tell_time(name: &str, start: Instant) {
    let Some(path) = std::env::var_os("BROOK_TIMES") else {
        return;
    };
    let line = format!("{:.2} {name}\n", start.elapsed().as_secs_f64());
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.unwrap().write_all(line.as_bytes()).unwrap();
}

/// Ends the process where a test does not: its name is worth more than what the others would tell.
fn watch() {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(5));
            let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            let late = running.iter().filter(|(_, start)| start.elapsed() > LIMIT);
            let names: Vec<&str> = late.map(|(name, _)| name.as_str()).collect();
            if !names.is_empty() {
                eprintln!("test {}: FAILED, it does not end", names.join(", "));
                std::process::exit(101);
            }
        }
    });
}

/// A module's name, none where its tests have it already, and what makes its tests.
pub type Module = (&'static str, fn() -> Vec<Trial>);

/// Runs the tests of some modules and ends the process. Where the filter begins with a module's name and `::`, the
/// others are not asked for theirs: some look for compilers first.
pub fn run(modules: &[Module]) -> ! {
    let arguments = Arguments::from_args();
    let filter = arguments.filter.as_deref().unwrap_or_default();
    let first = filter.split_once("::").map_or("", |(first, _)| first);
    let one = modules.iter().any(|(name, _)| *name == first) && !first.is_empty();
    let mut trials = Vec::new();
    for (module, make) in modules {
        if !one || *module == first {
            trials.extend(make().into_iter().map(|trial| trial.of_module(module)));
        }
    }
    watch();
    trials.sort_by(|a, b| a.name().cmp(b.name()));
    libtest_mimic::run(&arguments, trials).exit()
}
