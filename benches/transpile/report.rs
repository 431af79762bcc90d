//! The tables, and the same as JSON.

use super::allocations::Cost;
use super::statistics::Median;
use serde_json::{Value, json};
use std::fmt;

/// How many times as long as the parser's work a translation may take.
const RATIO: f64 = 3.0;
/// Allocations of ours for a token of expressions and assignments: a few for each declaration, none for the rest.
const PER_TOKEN: f64 = 0.2;
/// Bytes held at once, at most, whatever the source's length here.
const PEAK: usize = 30_000_000;
/// How many times as long eight times as much may take.
const GROWTH: f64 = 8.8;
/// Seconds of the command above an empty process.
const START: f64 = 2e-3;

/// One source for one backend.
#[derive(Clone, Debug)]
pub struct Row {
    pub source: &'static str,
    pub lines: usize,
    pub bytes: usize,
    pub tokens: usize,
    pub backend: String,
    /// Seconds.
    pub parse: Median,
    /// Seconds.
    pub translation: Median,
    /// The one by the other.
    pub ratio: Median,
    pub rounds: usize,
    pub cost: Cost,
}

impl Row {
    fn per_token(&self) -> f64 {
        self.cost.allocations as f64 / self.tokens as f64
    }

    /// What misses its target; by a ratio's interval, not by its median.
    fn misses(&self) -> Vec<&'static str> {
        let all = [
            ("ratio", self.ratio.low > RATIO),
            ("peak", self.cost.peak > PEAK),
        ];
        all.into_iter().filter(|m| m.1).map(|m| m.0).collect()
    }

    fn json(&self) -> Value {
        json!({
            "source": self.source,
            "lines": self.lines,
            "bytes": self.bytes,
            "tokens": self.tokens,
            "backend": self.backend,
            "parse_seconds": median(&self.parse),
            "translation_seconds": median(&self.translation),
            "ratio": median(&self.ratio),
            "pairs": self.rounds,
            "allocations": self.cost.allocations,
            "allocated_bytes": self.cost.bytes,
            "parser_allocations": self.cost.parser_allocations,
            "allocations_per_token": self.per_token(),
            "peak_bytes": self.cost.peak,
            "misses": self.misses(),
        })
    }
}

fn median(m: &Median) -> Value {
    json!({ "median": m.value, "low": m.low, "high": m.high })
}

/// The table's head.
pub fn head() -> String {
    format!(
        "{:<7} {:>6} {:>8} {:>7} {:<8} {:>11} {:>11} {:>7}  {:<20} {:>8} {:>9} {:>8} {:>9}",
        "source",
        "lines",
        "bytes",
        "tokens",
        "backend",
        "parse",
        "translation",
        "MB/s",
        "ratio",
        "allocs",
        "a token",
        "parser's",
        "peak"
    )
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Median { value, low, high } = self.ratio;
        write!(
            f,
            "{:<7} {:>6} {:>8} {:>7} {:<8} {:>8.1} µs {:>8.1} µs {:>7.2}  {:<20} {:>8} {:>9.3} {:>8} {:>6.2} MB {}",
            self.source,
            self.lines,
            self.bytes,
            self.tokens,
            self.backend,
            self.parse.value * 1e6,
            self.translation.value * 1e6,
            self.bytes as f64 / self.translation.value / 1e6,
            format!("{value:.2} [{low:.2}, {high:.2}]"),
            self.cost.allocations,
            self.per_token(),
            self.cost.parser_allocations,
            self.cost.peak as f64 / 1e6,
            verdict(&self.misses()),
        )
    }
}

fn verdict(misses: &[&str]) -> String {
    match misses {
        [] => "ok".to_string(),
        misses => format!("ABOVE: {}", misses.join(", ")),
    }
}

/// Eight times as much, by how much more it takes.
#[derive(Clone, Debug)]
pub struct Growth {
    pub backend: String,
    pub time: f64,
    pub allocations: f64,
    pub peak: f64,
    /// Allocations for each further token.
    pub per_token: f64,
}

impl Growth {
    pub fn between(few: &Row, many: &Row) -> Self {
        let by = |f: fn(&Row) -> f64| f(many) / f(few);
        Self {
            backend: few.backend.clone(),
            time: by(|r| r.translation.value),
            allocations: by(|r| r.cost.allocations as f64),
            peak: by(|r| r.cost.peak as f64),
            per_token: (many.cost.allocations as f64 - few.cost.allocations as f64)
                / (many.tokens as f64 - few.tokens as f64),
        }
    }

    fn misses(&self) -> Vec<&'static str> {
        // Memory of caches comes into it: the parser's own time grows by more than the text, too.
        let all = [
            ("time", self.time > GROWTH),
            ("allocations", self.allocations > GROWTH),
            ("peak", self.peak > GROWTH),
            ("a token", self.per_token > PER_TOKEN),
        ];
        all.into_iter().filter(|m| m.1).map(|m| m.0).collect()
    }

    fn json(&self) -> Value {
        json!({
            "backend": self.backend,
            "time": self.time,
            "allocations": self.allocations,
            "peak": self.peak,
            "allocations_per_token": self.per_token,
            "misses": self.misses(),
        })
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<8} time {:.2}  allocations {:.2} ({:.3} a further token)  peak {:.2}  {}",
            self.backend,
            self.time,
            self.allocations,
            self.per_token,
            self.peak,
            verdict(&self.misses()),
        )
    }
}

/// The command, and an empty process.
#[derive(Clone, Debug)]
pub struct Start {
    pub backend: String,
    /// Seconds.
    pub command: Median,
    /// Seconds.
    pub empty: Median,
    /// Seconds; the median of the differences.
    pub above: Median,
    pub rounds: usize,
}

impl Start {
    fn misses(&self) -> Vec<&'static str> {
        let late = self.above.low > START;
        late.then_some("start").into_iter().collect()
    }

    fn json(&self) -> Value {
        json!({
            "backend": self.backend,
            "command_seconds": median(&self.command),
            "empty_seconds": median(&self.empty),
            "above_seconds": median(&self.above),
            "pairs": self.rounds,
            "misses": self.misses(),
        })
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Median { value, low, high } = self.above;
        write!(
            f,
            "{:<8} {:.2} ms against {:.2} ms: {:.2} ms [{:.2}, {:.2}] above  {}",
            self.backend,
            self.command.value * 1e3,
            self.empty.value * 1e3,
            value * 1e3,
            low * 1e3,
            high * 1e3,
            verdict(&self.misses()),
        )
    }
}

/// All tables.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub rows: Vec<Row>,
    pub growth: Vec<Growth>,
    pub starts: Vec<Start>,
}

impl Report {
    /// Everything, for programs.
    pub fn json(&self) -> Value {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "threads": threads,
            "targets": {
                "ratio": RATIO,
                "allocations_per_token": PER_TOKEN,
                "peak_bytes": PEAK,
                "growth": GROWTH,
                "start_seconds": START,
            },
            "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "growth": self.growth.iter().map(Growth::json).collect::<Vec<_>>(),
            "starts": self.starts.iter().map(Start::json).collect::<Vec<_>>(),
        })
    }

    /// How much there is, and how much of it misses a target.
    pub fn summary(&self) -> String {
        let rows = self.rows.iter().map(Row::misses);
        let growth = self.growth.iter().map(Growth::misses);
        let starts = self.starts.iter().map(Start::misses);
        let all: Vec<_> = rows.chain(growth).chain(starts).collect();
        let above = all.iter().filter(|m| !m.is_empty()).count();
        format!("{} rows, {above} above a target", all.len())
    }
}
