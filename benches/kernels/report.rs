//! The table, and the same as JSON.

use super::peaks::Peaks;
use super::statistics::Median;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// One comparison.
#[derive(Clone, Debug)]
pub struct Row {
    /// Folder, item and type.
    pub work: String,
    /// The device's name.
    pub device: String,
    /// `okl` or `br`.
    pub form: String,
    /// Seconds of one launch.
    pub brook: Median,
    /// The hand-written form beside it, if the device has any.
    pub against: Option<Against>,
    /// Rounds measured.
    pub rounds: usize,
    /// Bytes or operations a second, and of which peak.
    pub rate: Option<Rate>,
    /// What is asked.
    pub target: Option<f64>,
    /// What fraction of the copy peak is asked.
    pub peak_target: Option<f64>,
}

/// A hand-written form that was measured in turn with a translated one.
#[derive(Clone, Debug)]
pub struct Against {
    /// Its name.
    pub name: String,
    /// Whether it is the best there is, and not the one that was asked for.
    pub best: bool,
    /// Seconds of one launch.
    pub hand: Median,
    /// How many times as fast the translated form is.
    pub ratio: Median,
}

/// A rate, and its fraction of the device's peak.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// A second.
    pub value: f64,
    /// `GB/s` or `GFLOP/s`.
    pub unit: &'static str,
    /// Of the peak.
    pub fraction: f64,
}

impl Rate {
    /// The rate that is closer to its peak.
    pub fn of(bytes: f64, flops: f64, real: &str, seconds: f64, peaks: &Peaks) -> Option<Self> {
        let peak = match real {
            "double" => peaks.double,
            _ => peaks.float,
        };
        let rate = |amount: f64, peak: f64, unit| {
            let value = amount / seconds;
            (amount > 0.0 && peak > 0.0).then_some(Self {
                value,
                unit,
                fraction: value / peak,
            })
        };
        let memory = rate(bytes, peaks.bytes, "GB/s");
        let arithmetic = rate(flops, peak, "GFLOP/s");
        let both = memory.into_iter().chain(arithmetic);
        both.max_by(|a, b| a.fraction.total_cmp(&b.fraction))
    }
}

impl Row {
    /// Whether the interval reaches what is asked; nothing if nothing is.
    pub fn verdict(&self) -> Option<bool> {
        let fraction = self.rate.map_or(0.0, |r| r.fraction);
        let compared = self.target.zip(self.against.as_ref());
        let ratio = compared.map(|(target, against)| against.ratio.high >= target);
        let peak = self.peak_target.map(|target| fraction >= target);
        match (ratio, peak) {
            (None, None) => None,
            (ratio, peak) => Some(ratio.unwrap_or(true) && peak.unwrap_or(true)),
        }
    }

    fn json(&self) -> Value {
        let median = |m: &Median| json!({ "median": m.value, "low": m.low, "high": m.high });
        json!({
            "work": self.work,
            "device": self.device,
            "form": self.form,
            "against": self.against.as_ref().map(|a| &a.name),
            "best": self.against.as_ref().map(|a| a.best),
            "brook_seconds": median(&self.brook),
            "hand_seconds": self.against.as_ref().map(|a| median(&a.hand)),
            "ratio": self.against.as_ref().map(|a| median(&a.ratio)),
            "pairs": self.rounds,
            "rate": self.rate.map(|r| r.value),
            "unit": self.rate.map(|r| r.unit),
            "fraction_of_peak": self.rate.map(|r| r.fraction),
            "target": self.target,
            "peak_target": self.peak_target,
            "ok": self.verdict(),
        })
    }
}

/// What belongs to the table besides comparisons.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Device by device: its name, what it is, its compiler, its peaks.
    pub devices: Vec<(String, String, String, Peaks)>,
    /// All comparisons.
    pub rows: Vec<Row>,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// Of a check: what the first device computed, by the item's name.
    pub outputs: BTreeMap<String, Vec<Vec<u8>>>,
}

/// A time in the unit that suits it.
fn seconds(time: f64) -> String {
    match time {
        t if t >= 1.0 => format!("{t:.3} s"),
        t if t >= 1e-3 => format!("{:.3} ms", t * 1e3),
        t => format!("{:.2} µs", t * 1e6),
    }
}

/// The table's head.
pub fn head() -> String {
    format!(
        "{:<32} {:<9} {:<4} {:<14} {:>11} {:>11}  {:<22} {:>16} {:>5} {:>7}",
        "work", "device", "form", "by hand", "brook", "by hand", "ratio", "rate", "peak", "target"
    )
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (against, hand, ratio) = match &self.against {
            None => Default::default(),
            Some(against) => {
                let Median { value, low, high } = against.ratio;
                let best = if against.best { "best: " } else { "" };
                (
                    format!("{best}{}", against.name),
                    seconds(against.hand.value),
                    format!("{value:.3} [{low:.3}, {high:.3}]"),
                )
            }
        };
        let rate = self.rate.map_or(String::new(), |r| {
            format!("{:.1} {}", r.value / 1e9, r.unit)
        });
        let peak = self
            .rate
            .map_or(String::new(), |r| format!("{:.2}", r.fraction));
        let mut target = self.target.map_or(String::new(), |t| format!("{t:.2}"));
        if let Some(peak) = self.peak_target {
            target += &format!(" p{peak:.2}");
        }
        let verdict = match self.verdict() {
            None => "",
            Some(true) => "ok",
            Some(false) => "BELOW",
        };
        write!(
            f,
            "{:<32} {:<9} {:<4} {:<14} {:>11} {:>11}  {:<22} {:>16} {:>5} {:>7} {}",
            self.work,
            self.device,
            self.form,
            against,
            seconds(self.brook.value),
            hand,
            ratio,
            rate,
            peak,
            target,
            verdict,
        )
    }
}

impl Report {
    /// Everything, for programs.
    pub fn json(&self) -> Value {
        let devices = self.devices.iter().map(|(name, what, compiler, peaks)| {
            json!({
                "name": name,
                "device": what,
                "compiler": compiler,
                "copy_peak": peaks.bytes,
                "float_peak": peaks.float,
                "double_peak": peaks.double,
            })
        });
        // What CUDA's driver says of itself, where there is one.
        let driver = std::fs::read_to_string("/proc/driver/nvidia/version").ok();
        let driver = driver.and_then(|text| Some(text.lines().next()?.to_string()));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "threads": threads,
            "driver": driver,
            "devices": devices.collect::<Vec<_>>(),
            "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// Of several devices: each translated form's time on each, and how many times as long it takes as on the first one.
    /// They were measured one after the other, not in turn.
    pub fn across(&self) -> String {
        let Some((first, others)) = self.devices.split_first().filter(|(_, o)| !o.is_empty())
        else {
            return String::new();
        };
        let of = |row: &Row, device: &str| {
            let same = |r: &&Row| r.work == row.work && r.form == row.form && r.device == device;
            self.rows.iter().find(same).map(|r| r.brook.value)
        };
        let mut text = format!("{:<32} {:<4} {:>11}", "work", "form", first.0);
        for (name, ..) in others {
            text += &format!(" {name:>18}");
        }
        let mut seen = std::collections::BTreeSet::new();
        for row in self.rows.iter().filter(|row| row.device == first.0) {
            if !seen.insert((&row.work, &row.form)) {
                continue;
            }
            let own = row.brook.value;
            text += &format!("\n{:<32} {:<4} {:>11}", row.work, row.form, seconds(own));
            for (name, ..) in others {
                let there = of(row, name).map(|t| format!("{} ({:.2})", seconds(t), t / own));
                text += &format!(" {:>18}", there.unwrap_or_default());
            }
        }
        text
    }

    /// How many comparisons have a target, and how many miss it.
    pub fn summary(&self) -> String {
        let verdicts: Vec<bool> = self.rows.iter().filter_map(Row::verdict).collect();
        let below = verdicts.iter().filter(|ok| !**ok).count();
        format!(
            "{} comparisons with a target, {below} below it",
            verdicts.len()
        )
    }
}
