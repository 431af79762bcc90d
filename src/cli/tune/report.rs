//! What was tried, as a table, as JSON, and as a drawing.

use super::protocol::Verdict;
use super::space::{Point, Space};
use crate::cli::trial::table;
use serde::Serialize;
use std::fmt::Write as _;

/// One combination, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    /// `None` is the source as it is.
    pub(super) point: Option<Point>,
    pub(super) verdict: Verdict,
    /// Seconds of each launch once more, by turns with the others that were the fastest and with the source as it is.
    pub(super) again: Vec<f64>,
}

impl Tried {
    /// It has not been measured again.
    pub(super) fn new(point: Option<Point>, verdict: Verdict) -> Self {
        Self {
            point,
            verdict,
            again: Vec::new(),
        }
    }

    /// The median of its samples, of the last ones where it was measured again.
    pub(super) fn seconds(&self) -> Option<f64> {
        let first = self.first_seconds()?;
        Some(median(&self.again).unwrap_or(first))
    }

    /// The same of when it was tried.
    fn first_seconds(&self) -> Option<f64> {
        match &self.verdict {
            Verdict::Took { seconds, .. } => median(seconds),
            Verdict::Same(_) | Verdict::Pruned(_) | Verdict::Wrong(_) | Verdict::Failed(_) => None,
        }
    }
}

pub(super) fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    match sorted.len() % 2 {
        1 => Some(upper),
        _ => Some((sorted[middle - 1] + upper) / 2.0),
    }
}

/// `1.23 ms`.
pub(super) fn time(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s => (s * 1e6, "µs"),
    };
    let decimals = match number {
        n if n >= 100.0 => 1,
        n if n >= 10.0 => 2,
        _ => 3,
    };
    format!("{number:.decimals$} {unit}")
}

/// How wide the longest bar is.
const BAR: usize = 30;

/// Those that were measured again, fastest first, and then the others; each against the source as it is, as that was at the time.
pub(super) fn ranking(space: &Space, tried: &[Tried], most: usize) -> String {
    let ranked = tried.iter().filter_map(|t| Some((t.seconds()?, t)));
    let mut ranked: Vec<(f64, &Tried)> = ranked.collect();
    ranked.sort_by(|(a, s), (b, t)| {
        let order = s.again.is_empty().cmp(&t.again.is_empty());
        order.then(a.total_cmp(b))
    });
    let before = |t: &Tried| {
        let of = tried.iter().find(|t| t.point.is_none())?;
        match t.again.is_empty() {
            true => of.first_seconds(),
            false => of.seconds(),
        }
    };
    let shown = |index: usize, t: &Tried| index < most || t.point.is_none();
    let slowest = ranked.iter().enumerate().filter(|(i, (_, t))| shown(*i, t));
    let slowest = slowest.map(|(_, (s, _))| *s).fold(0.0, f64::max);
    let mut head = vec![String::new()];
    head.extend(space.axes.iter().map(|a| a.name.clone()));
    head.extend(["time", "speedup", "a multiprocessor holds", ""].map(str::to_string));
    let with_fits = ranked.iter().any(|(_, t)| !fits(t).is_empty());
    let mut rows = vec![head];
    for (index, (seconds, t)) in ranked.iter().enumerate().filter(|(i, (_, t))| shown(*i, t)) {
        let mut row = vec![(index + 1).to_string()];
        match &t.point {
            Some(point) => row.extend(space.values(point)),
            None => row.extend(space.axes.iter().map(|_| "-".to_string())),
        }
        row.push(time(*seconds));
        row.push(before(t).map_or(String::new(), |b| format!("{:.3}", b / seconds)));
        row.push(fits(t).to_string());
        row.push("#".repeat(((seconds / slowest) * BAR as f64).round() as usize));
        rows.push(row);
    }
    if !with_fits {
        let at = space.axes.len() + 3;
        for row in &mut rows {
            row.remove(at);
        }
    }
    table(&rows)
}

fn fits(tried: &Tried) -> &str {
    match &tried.verdict {
        Verdict::Took { fits, .. } => fits,
        _ => "",
    }
}

/// How many came to nothing, and why the first of each kind did.
pub(super) fn left_out(space: &Space, tried: &[Tried]) -> String {
    let mut text = String::new();
    let same = |t: &&Tried| matches!(t.verdict, Verdict::Same(_));
    let same = tried.iter().filter(same).count();
    if same > 0 {
        let _ = writeln!(text, "{same} are the same code as others");
    }
    type Why = fn(&Verdict) -> Option<&str>;
    let kinds: [(&str, Why); 3] = [
        ("cannot be fast or do not fit", |v| match v {
            Verdict::Pruned(what) => Some(what),
            _ => None,
        }),
        ("compute something else", |v| match v {
            Verdict::Wrong(what) => Some(what),
            _ => None,
        }),
        ("failed", |v| match v {
            Verdict::Failed(what) => Some(what),
            _ => None,
        }),
    ];
    for (name, of) in kinds {
        let mut found = tried.iter().filter_map(|t| Some((t, of(&t.verdict)?)));
        let count = found.clone().count();
        if let Some((first, why)) = found.next() {
            let point = first.point.as_ref().map(|p| space.describe(p));
            let _ = writeln!(
                text,
                "{count} {name}: {}: {}",
                point.unwrap_or_default(),
                why.split_whitespace().collect::<Vec<_>>().join(" ")
            );
        }
    }
    text
}

#[derive(Serialize)]
struct Row {
    settings: Option<brook::runtime::Settings>,
    seconds: Option<f64>,
    samples: Vec<f64>,
    again: Vec<f64>,
    fits: Option<String>,
    left_out: Option<String>,
}

/// Everything that was tried, in that order.
pub(super) fn json(space: &Space, tried: &[Tried]) -> String {
    let rows: Vec<Row> = tried
        .iter()
        .map(|t| Row {
            settings: t.point.as_ref().map(|p| space.settings(p)),
            seconds: t.seconds(),
            samples: match &t.verdict {
                Verdict::Took { seconds, .. } => seconds.clone(),
                _ => Vec::new(),
            },
            again: t.again.clone(),
            fits: Some(fits(t).to_string()).filter(|f| !f.is_empty()),
            left_out: match &t.verdict {
                Verdict::Took { .. } => None,
                Verdict::Same(_) => Some("the same code as others".to_string()),
                Verdict::Pruned(what) | Verdict::Wrong(what) | Verdict::Failed(what) => {
                    Some(what.clone())
                }
            },
        })
        .collect();
    // Numbers and strings can be written.
    serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 76.0;
const EDGE: f64 = 40.0;

/// The times in the order of trying, with a line for the best so far: SVG, with a logarithmic axis of time. What came to
/// nothing is a cross at the upper edge.
pub(super) fn drawing(title: &str, space: &Space, tried: &[Tried]) -> String {
    let times: Vec<f64> = tried.iter().filter_map(Tried::seconds).collect();
    let low = times.iter().copied().fold(f64::INFINITY, f64::min);
    let high = times.iter().copied().fold(0.0, f64::max);
    let (low, high) = match times.is_empty() {
        true => (1e-6, 1e-3),
        false => (low / 1.1, high * 1.1),
    };
    let x = |index: usize| {
        let part = (index as f64 + 0.5) / tried.len().max(1) as f64;
        LEFT + part * (WIDTH - LEFT - EDGE)
    };
    let y = |seconds: f64| {
        let part = (seconds / low).ln() / (high / low).ln();
        HEIGHT - EDGE - part * (HEIGHT - 2.0 * EDGE)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    for tick in 0..=4 {
        let seconds = low * (high / low).powf(f64::from(tick) / 4.0);
        let (at, right) = (y(seconds), WIDTH - EDGE);
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            time(seconds)
        );
    }
    let mut best = f64::INFINITY;
    let mut line = String::new();
    for (index, t) in tried.iter().enumerate() {
        let name = match &t.point {
            Some(point) => space.describe(point),
            None => "the source as it is".to_string(),
        };
        let name = escaped(&name);
        let at = x(index);
        let Some(seconds) = t.seconds() else {
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {EDGE}l6 -6m-6 0l6 6\" stroke=\"#b33\"><title>{name}</title></path>",
                at - 3.0
            );
            continue;
        };
        if seconds < best {
            let step = match best.is_finite() {
                true => format!("H{at:.1}V{:.1}", y(seconds)),
                false => format!("M{at:.1} {:.1}", y(seconds)),
            };
            line.push_str(&step);
            best = seconds;
        }
        let colour = if t.point.is_none() { "#d80" } else { "#36c" };
        let _ = writeln!(
            svg,
            "<circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"><title>{name}: {}</title></circle>",
            y(seconds),
            time(seconds)
        );
    }
    if best.is_finite() {
        let _ = writeln!(
            svg,
            "<path d=\"{line}H{:.1}\" fill=\"none\" stroke=\"#36c\" stroke-opacity=\".5\"/>",
            WIDTH - EDGE
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">combinations, in the order of trying</text>\n</svg>",
        (LEFT + WIDTH - EDGE) / 2.0,
        HEIGHT - 12.0
    );
    svg
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        let times = [2.5, 0.012_345, 1.5e-4, 2e-6].map(time);
        assert_eq!(times, ["2.500 s", "12.35 ms", "150.0 µs", "2.000 µs"]);
    }
}
