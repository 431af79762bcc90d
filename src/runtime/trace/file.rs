//! A timeline in Chrome's trace format: "complete" events, in microseconds, with names of processes (devices) and threads (queues).

use super::{Span, Spans};
use serde_json::{Value, json};
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Writes all spans whose times are known. The file is there as a whole or not at all.
pub(super) fn write(path: &Path, spans: &Spans) -> Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(format!(".{}", std::process::id()));
    let written =
        events_to(Path::new(&partial), spans).and_then(|()| std::fs::rename(&partial, path));
    written.inspect_err(|_| {
        // What is wrong with it is said already.
        let _ = std::fs::remove_file(&partial);
    })
}

fn events_to(path: &Path, spans: &Spans) -> Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    file.write_all(b"{\"displayTimeUnit\": \"ns\",\n\"otherData\": ")?;
    serde_json::to_writer(
        &mut file,
        &json!({ "brook": env!("CARGO_PKG_VERSION"), "spans without times": spans.lost }),
    )?;
    file.write_all(b",\n\"traceEvents\": [")?;
    let (devices, lanes) = (&spans.lanes.devices, &spans.lanes.lanes);
    let devices = devices
        .iter()
        .enumerate()
        .map(|(number, device)| named("process_name", number, 0, &device.name));
    let rows = lanes
        .iter()
        .enumerate()
        .map(|(number, lane)| named("thread_name", lane.device, number, &lane.name));
    let done = spans.known.iter().map(|span| event(spans, span));
    let mut separator = "\n";
    for event in devices.chain(rows).chain(done) {
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

fn event(spans: &Spans, span: &Span) -> Value {
    let microseconds = |time: std::time::Duration| time.as_nanos() as f64 / 1e3;
    let mut event = json!({
        "ph": "X",
        "name": span.name,
        "cat": if span.bytes.is_some() { "copy" } else { "kernel" },
        "pid": spans.lanes.lanes[span.lane].device,
        "tid": span.lane,
        "ts": microseconds(span.begin),
        "dur": microseconds(span.length),
    });
    if let Some(bytes) = span.bytes {
        event["args"] = json!({ "bytes": bytes });
    }
    event
}
