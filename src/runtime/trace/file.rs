//! A timeline in Chrome's trace format: "complete" events, in microseconds, with names of processes (devices) and threads (queues).

use super::{Span, Spans};
use crate::runtime::ranks::Ranks;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{BufWriter, Result, Write};
use std::path::Path;
use std::time::SystemTime;

/// Devices of one process at most, as numbers of processes in the picture go.
const DEVICES: usize = 1000;

/// What one process has to draw.
#[derive(Serialize, Deserialize)]
struct Drawn {
    /// Spans that no device has told the times of.
    lost: usize,
    /// When it began to look, by its clock, in microseconds.
    began: f64,
    events: Vec<Value>,
}

impl Drawn {
    fn of(spans: &Spans, began: SystemTime, rank: usize) -> Self {
        let (devices, lanes) = (&spans.lanes.devices, &spans.lanes.lanes);
        let process = |device: usize| rank * DEVICES + device;
        let devices = devices
            .iter()
            .enumerate()
            .map(|(number, device)| named("process_name", process(number), 0, &device.name));
        let rows = lanes
            .iter()
            .enumerate()
            .map(|(number, lane)| named("thread_name", process(lane.device), number, &lane.name));
        let done = spans.known.iter().map(|span| {
            let device = spans.lanes.lanes[span.lane].device;
            event(span, process(device))
        });
        let since = began.duration_since(SystemTime::UNIX_EPOCH);
        Self {
            lost: spans.lost,
            began: since.unwrap_or_default().as_nanos() as f64 / 1e3,
            events: devices.chain(rows).chain(done).collect(),
        }
    }

    /// Adds another process's, by the clocks of both.
    fn add(&mut self, other: Self) {
        let later = other.began - self.began;
        self.lost += other.lost;
        for mut event in other.events {
            if let Some(at) = event.get("ts").and_then(Value::as_f64) {
                event["ts"] = json!(at + later);
            }
            self.events.push(event);
        }
    }
}

/// Writes all spans whose times are known; of several processes that share devices, those of all into the first one's file. It is there
/// as a whole or not at all.
pub(super) fn write(path: &Path, spans: &Spans, began: SystemTime) -> Result<()> {
    let mut drawn = Drawn::of(
        spans,
        began,
        Ranks::opened().map_or(0, |ranks| ranks.rank()),
    );
    if let Some(ranks) = Ranks::opened() {
        let Some(others) = ranks.collect(serde_json::to_vec(&drawn)?) else {
            return Ok(());
        };
        let known = 1 + others.len();
        for (_, other) in others {
            drawn.add(serde_json::from_slice(&other)?);
        }
        if known < ranks.size() {
            let text = format!("the timeline lacks {} processes", ranks.size() - known);
            drawn
                .events
                .push(named("process_name", ranks.size() * DEVICES, 0, &text));
        }
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}", std::process::id()));
    let written =
        write_to(Path::new(&partial), &drawn).and_then(|()| std::fs::rename(&partial, path));
    written.inspect_err(|_| {
        // What is wrong with it is said already.
        let _ = std::fs::remove_file(&partial);
    })
}

fn write_to(path: &Path, drawn: &Drawn) -> Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    file.write_all(b"{\"displayTimeUnit\": \"ns\",\n\"otherData\": ")?;
    serde_json::to_writer(
        &mut file,
        &json!({ "brook": env!("CARGO_PKG_VERSION"), "spans without times": drawn.lost }),
    )?;
    file.write_all(b",\n\"traceEvents\": [")?;
    let mut separator = "\n";
    for event in &drawn.events {
        file.write_all(separator.as_bytes())?;
        serde_json::to_writer(&mut file, &event)?;
        separator = ",\n";
    }
    file.write_all(b"\n]}\n")?;
    file.flush()
}

fn named(what: &str, device: usize, lane: usize, name: &str) -> Value {
    json!({ "ph": "M", "name": what, "pid": device, "tid": lane, "args": { "name": name } })
}

fn event(span: &Span, process: usize) -> Value {
    let microseconds = |time: std::time::Duration| time.as_nanos() as f64 / 1e3;
    let mut event = json!({
        "ph": "X",
        "name": span.name,
        "cat": if span.bytes.is_some() { "copy" } else { "kernel" },
        "pid": process,
        "tid": span.lane,
        "ts": microseconds(span.begin),
        "dur": microseconds(span.length),
    });
    if let Some(bytes) = span.bytes {
        event["args"] = json!({ "bytes": bytes });
    }
    event
}
