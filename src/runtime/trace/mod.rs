//! A timeline of what devices do, for the viewers of Chrome's trace format: `BROOK_TRACE` names the file.
//!
//! Spans begin and end at events of the device's queues, which the device itself times; what the host waits for is timed by
//! the host. Where nobody wants a timeline, a span costs the look at one variable.
//!
//! - `lanes.rs`: queues of devices as rows of the picture, and their clocks.
//! - `file.rs`: the file.

mod file;
mod lanes;

use super::{Device, lock};
use brook_driver::{Argument, Event, Queue, Result};
use lanes::Lanes;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Once, OnceLock};
use std::time::{Duration, Instant, SystemTime};

/// More spans than these wait for nobody to ask their events: a device keeps what it is asked for.
const MOST_WAITING: usize = 1024;

/// What a span is of.
pub(super) struct What<'w> {
    pub(super) name: &'w str,
    /// Bytes that are copied.
    pub(super) bytes: Option<usize>,
}

impl<'w> What<'w> {
    pub(super) fn kernel(name: &'w str) -> Self {
        Self { name, bytes: None }
    }

    pub(super) fn copy(name: &'w str, bytes: usize) -> Self {
        let bytes = Some(bytes);
        Self { name, bytes }
    }

    pub(super) fn from_host(bytes: usize) -> Self {
        Self::copy("copy from the host", bytes)
    }

    pub(super) fn to_host(bytes: usize) -> Self {
        Self::copy("copy to the host", bytes)
    }
}

/// A span whose events are to be asked.
struct Waiting {
    lane: usize,
    name: String,
    bytes: Option<usize>,
    begin: Arc<dyn Event>,
    end: Arc<dyn Event>,
}

/// One whose times are known, since the process began to look.
struct Span {
    lane: usize,
    name: String,
    bytes: Option<usize>,
    begin: Duration,
    length: Duration,
}

#[derive(Default)]
struct Spans {
    lanes: Lanes,
    waiting: Vec<Waiting>,
    known: Vec<Span>,
    /// Those that no device has told the times of.
    lost: usize,
}

pub(super) struct Trace {
    path: PathBuf,
    began: Instant,
    /// The same by the clock of the machine, which others have, too.
    clock: SystemTime,
    spans: Mutex<Spans>,
}

/// The timeline of this process, if somebody wants one.
fn trace() -> Option<&'static Trace> {
    static TRACE: OnceLock<Option<Trace>> = OnceLock::new();
    let trace = TRACE.get_or_init(|| {
        let path = std::env::var_os("BROOK_TRACE").filter(|path| !path.is_empty())?;
        // The program may go elsewhere meanwhile.
        let path = std::path::absolute(path).ok()?;
        // By now devices are open: what these have to do at the end comes later.
        write_at_the_end();
        Some(Trace::new(path))
    });
    trace.as_ref()
}

/// Does something that puts work into a queue of a device, its own where none is named; the span is that of the work.
pub(super) fn enqueuing<R>(
    device: &Device,
    queue: Option<&dyn Queue>,
    what: What<'_>,
    body: impl FnOnce() -> R,
) -> R {
    match trace().filter(|_| !device.is_elsewhere()) {
        None => body(),
        Some(trace) => trace.enqueuing(device, queue, what, body),
    }
}

/// Launches a kernel of that name, in a queue of a device or its own.
pub(super) fn launching(
    (device, name): (&Device, &str),
    queue: Option<&dyn Queue>,
    function: &dyn brook_driver::Kernel,
    (groups, items): ([u64; 3], [u32; 3]),
    arguments: &[Argument<'_>],
) -> Result<()> {
    let launch = || match queue {
        None => function.launch(groups, items, arguments),
        Some(queue) => function.launch_on(queue, groups, items, arguments),
    };
    enqueuing(device, queue, What::kernel(name), launch)
}

/// Does something that is done when it returns.
pub(super) fn waiting<R>(device: &Device, what: What<'_>, body: impl FnOnce() -> R) -> R {
    match trace().filter(|_| !device.is_elsewhere()) {
        None => body(),
        Some(trace) => trace.waiting(device, what, body),
    }
}

/// Writes the file; what cannot be written is said on standard error, once.
pub(crate) fn write_trace() {
    let Some(trace) = trace() else {
        return;
    };
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| {
        if let Err(error) = trace.write() {
            let text = format!("brook: BROOK_TRACE: {}: {error}\n", trace.path.display());
            // Whoever closed it does not want to know.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
    });
}

impl Trace {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            began: Instant::now(),
            clock: SystemTime::now(),
            spans: Mutex::default(),
        }
    }

    fn enqueuing<R>(
        &self,
        device: &Device,
        queue: Option<&dyn Queue>,
        what: What<'_>,
        body: impl FnOnce() -> R,
    ) -> R {
        // What runs on a set and is not shared out runs on the first of its devices.
        let (device, queue) = match device.parts().first() {
            Some(first) => (first, None),
            None => (device, queue),
        };
        // Asked for without the lock, since it makes calls that wait.
        let Ok(own) = device.driver().default_queue() else {
            return body();
        };
        let queue = queue.unwrap_or(&*own);
        let now = || self.began.elapsed();
        let lane = lock(&self.spans)
            .lanes
            .of((device, &own), Some(queue), &now);
        let begin = queue.record();
        let done = body();
        let end = queue.record();
        let mut spans = lock(&self.spans);
        match (begin, end) {
            (Ok(begin), Ok(end)) => spans.waiting.push(Waiting {
                lane,
                name: what.name.to_string(),
                bytes: what.bytes,
                begin,
                end,
            }),
            _ => spans.lost += 1,
        }
        if spans.waiting.len() >= MOST_WAITING {
            spans.ask(&now);
        }
        done
    }

    fn waiting<R>(&self, device: &Device, what: What<'_>, body: impl FnOnce() -> R) -> R {
        let Ok(own) = device.driver().default_queue() else {
            return body();
        };
        let begin = self.began.elapsed();
        let done = body();
        let end = self.began.elapsed();
        let mut spans = lock(&self.spans);
        let now = || self.began.elapsed();
        let lane = spans.lanes.of((device, &own), None, &now);
        spans.known.push(Span {
            lane,
            name: what.name.to_string(),
            bytes: what.bytes,
            begin,
            length: end.saturating_sub(begin),
        });
        done
    }

    fn write(&self) -> std::io::Result<()> {
        let mut spans = lock(&self.spans);
        spans.ask(&|| self.began.elapsed());
        file::write(&self.path, &spans, self.clock)
    }
}

impl Spans {
    /// Asks the events of all spans that wait, which waits for the devices.
    fn ask(&mut self, now: &dyn Fn() -> Duration) {
        for span in std::mem::take(&mut self.waiting) {
            let times = self.lanes.time(span.lane, &span.begin);
            let length = span.end.elapsed_since(&*span.begin);
            let (Some(begin), Ok(length)) = (times, length) else {
                self.lost += 1;
                continue;
            };
            self.known.push(Span {
                lane: span.lane,
                name: span.name,
                bytes: span.bytes,
                begin,
                length,
            });
        }
        // Times since an event grow coarser with their length.
        self.lanes.set_clocks(now);
    }
}

/// Writes the file before the drivers end, which is before what is told of a process's end when this library is loaded.
fn write_at_the_end() {
    extern "C" fn at_exit() {
        write_trace();
    }
    unsafe extern "C" {
        fn atexit(handler: extern "C" fn()) -> std::ffi::c_int;
    }
    // SAFETY: the handler takes and returns nothing, and the library is not unloaded before the process ends: see `build.rs`.
    // Where there is no room for it, the file is written at what this library knows as the end.
    let _ = unsafe { atexit(at_exit) };
}
