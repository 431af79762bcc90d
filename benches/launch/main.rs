//! What a launch, a replay, a build and a transfer cost above the vendor's own calls, in one run.
//!
//! - `raw`: the same through the vendor's interface
//! - `faces`: the same from C and C++
//! - `occa`: the same from programs written for OCCA, and what OCCA itself takes for it
//!
//! `cargo bench --bench launch`, or `scripts/bench launch`. Options: device names (default: every GPU and the
//! processor), `--occa FOLDER` (where OCCA is installed: `include/`, `lib/libocca.so`), `--only faces` (or `raw`, `occa`),
//! `--output FILE`.
#![allow(missing_docs, clippy::print_stdout, clippy::expect_used, clippy::panic)]

#[path = "../kernels/statistics.rs"]
mod statistics;

mod faces;
mod occa;
mod raw;
mod sycl;

use brook::runtime::{self, DeviceKind, StreamArgument};
use brook::{BuildOptions, Device, Kernel, Options, Source, args, source::MemoryLoader};
use serde_json::{Value, json};
use statistics::Median;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Pairs of everything at least; differences of launches are small, and short runs are taken more often.
const PAIRS: usize = 41;
const MORE: Duration = Duration::from_secs(1);

/// Two pointers, one group.
const KERNEL: &str = "@kernel void tiny(const float *x, float *y) {
  for (int o = 0; o < 1; ++o; @outer) for (int i = 0; i < 32; ++i; @inner) y[i] = x[i] + 1.0f;
}
@kernel void step(const int n, @restrict const float *x, @restrict float *y) {
  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) y[i] = 0.5f * x[i] + 1.0f;
}
";

/// A line of the table, and what the JSON has of it.
struct Table(Vec<Value>);

impl Table {
    fn add(
        &mut self,
        what: &str,
        device: &str,
        measured: Median,
        unit: &str,
        target: Option<(bool, f64)>,
    ) {
        let verdict = match target {
            None => "",
            Some((true, least)) if measured.high >= least => "ok",
            Some((false, most)) if measured.low <= most => "ok",
            Some(_) => "MISSED",
        };
        let wanted = target.map_or(String::new(), |(least, target)| {
            format!("{} {target}", if least { ">=" } else { "<=" })
        });
        println!(
            "{what:44} {device:10} {:>10.3} {unit:3} [{:.3}, {:.3}]  {wanted:>9} {verdict}",
            measured.value, measured.low, measured.high
        );
        self.0.push(json!({
            "what": what, "device": device, "unit": unit, "target": target.map(|t| t.1), "verdict": verdict,
            "median": measured.value, "low": measured.low, "high": measured.high,
        }));
    }
}

/// Pairs of both, in turn, each in seconds.
fn pairs(mut a: impl FnMut() -> f64, mut b: impl FnMut() -> f64) -> (Vec<f64>, Vec<f64>) {
    let _ = (a(), b());
    let begin = Instant::now();
    let enough = |n: usize| n >= PAIRS && (n >= 10 * PAIRS || begin.elapsed() > MORE);
    let mut both = (Vec::new(), Vec::new());
    while !enough(both.0.len()) {
        both.0.push(a());
        both.1.push(b());
    }
    both
}

fn difference((a, b): &(Vec<f64>, Vec<f64>), scale: f64) -> Median {
    let all: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - b) * scale).collect();
    Median::of(&all)
}

fn ratio((a, b): &(Vec<f64>, Vec<f64>)) -> Median {
    let all: Vec<f64> = a.iter().zip(b).map(|(a, b)| a / b).collect();
    Median::of(&all)
}

/// Seconds of one of `count` calls.
fn each(count: usize, mut call: impl FnMut()) -> f64 {
    let begin = Instant::now();
    for _ in 0..count {
        call();
    }
    begin.elapsed().as_secs_f64() / count as f64
}

fn main() {
    statistics::self_check().unwrap_or_else(|e| panic!("{e}"));
    let mut names: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let mut option = |name: &str| {
        let at = names.iter().position(|n| n == name)?;
        assert!(at + 1 < names.len(), "{name} wants a value");
        names.remove(at);
        Some(names.remove(at))
    };
    let (output, installed, only) = (option("--output"), option("--occa"), option("--only"));
    if names.is_empty() {
        for driver in ["cuda", "opencl", "openmp"] {
            let found = runtime::list_of(driver).into_iter();
            let suits = |e: &runtime::DeviceEntry| {
                let kind = e.info.as_ref().map(|i| i.kind);
                kind == Ok(DeviceKind::Gpu) || driver == "openmp"
            };
            names.extend(found.filter(|e| e.info.is_ok() && suits(e)).map(|e| e.name));
        }
    }
    let mut table = Table(Vec::new());
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let programs =
        wanted("occa").then(|| occa::Programs::build(installed.as_deref().map(Path::new)));
    if let Some(Err(why)) = &programs {
        println!("occa::kernel: not measured: {why}");
    }
    for name in &names {
        let device = Device::open(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("== {name}: {}", device.info().name);
        if wanted("raw") {
            launches(&device, &mut table);
        }
        if wanted("faces") {
            faces::compare(&device, &mut table);
        }
        if let Some(Ok(programs)) = &programs {
            occa::compare(programs, &device, &mut table);
        }
        if only.is_none() {
            replays(&device, &mut table);
            builds(&device, &mut table);
            transfers(&device, &mut table);
        }
    }
    if let Some(path) = output {
        let text = format!("{:#}\n", json!({ "rows": table.0 }));
        std::fs::write(&path, text).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
}

fn kernel(device: &Device, name: &str) -> Kernel {
    let source = Source::new("launch.okl", KERNEL);
    let program = device.build(source, &BuildOptions::new().cache(false));
    let kernel = program.and_then(|p| p.kernel(name));
    kernel.unwrap_or_else(|e| panic!("{e}"))
}

/// Generated source and the kernel's name in it.
fn generated(device: &Device) -> String {
    let source = Source::new("launch.okl", KERNEL);
    let loader = MemoryLoader::new();
    let made = brook::transpile(&source, device.backend(), &Options::default(), &loader);
    made.unwrap_or_else(|e| panic!("{e}")).device
}

fn launches(device: &Device, table: &mut Table) {
    let tiny = kernel(device, "tiny");
    let x = device.zeros::<f32>(32).expect("memory");
    let y = device.zeros::<f32>(32).expect("memory");
    let synchronize = || device.synchronize().expect("a device that works");
    let Some((mut raw, mut wait)) = raw::launch(device, &generated(device), &x, &y) else {
        println!("launch: no raw call known for {}", device.name());
        return;
    };
    // Fewer than queues hold, so that nobody waits for the device.
    let count = 256;
    let both = pairs(
        || {
            synchronize();
            each(count, || {
                // SAFETY: it has one item, which takes the first elements.
                unsafe { tiny.launch(args![&x, &y]) }.expect("a launch")
            })
        },
        || {
            synchronize();
            wait();
            each(count, &mut *raw)
        },
    );
    synchronize();
    table.add(
        "launch of two arguments",
        device.name(),
        Median::of(&scaled(&both.0, 1e9)),
        "ns",
        None,
    );
    table.add(
        "the raw call",
        device.name(),
        Median::of(&scaled(&both.1, 1e9)),
        "ns",
        None,
    );
    table.add(
        "launch above the raw call",
        device.name(),
        difference(&both, 1e9),
        "ns",
        Some((false, 150.0)),
    );
}

fn scaled(numbers: &[f64], by: f64) -> Vec<f64> {
    numbers.iter().map(|n| n * by).collect()
}

fn replays(device: &Device, table: &mut Table) {
    let step = kernel(device, "step");
    let n = 65536;
    let x = device.zeros::<f32>(n).expect("memory");
    let y = device.zeros::<f32>(n).expect("memory");
    let chain = |launch: &dyn Fn(&brook::Memory<f32>, &brook::Memory<f32>)| {
        for _ in 0..10 {
            launch(&x, &y);
            launch(&y, &x);
        }
    };
    let sequence = device.record(|r| {
        for _ in 0..10 {
            // SAFETY: it stays below n, which both have.
            unsafe { r.launch(&step, args![n, &x, &y]) }?;
            // SAFETY: as above.
            unsafe { r.launch(&step, args![n, &y, &x]) }?;
        }
        Ok(())
    });
    let sequence = sequence.unwrap_or_else(|e| panic!("{e}"));
    let synchronize = || device.synchronize().expect("a device that works");
    let both = pairs(
        || {
            each(20, || {
                sequence.launch().expect("a replay");
                synchronize();
            })
        },
        || {
            each(20, || {
                // SAFETY: as above.
                chain(&|a, b| unsafe { step.launch(args![n, a, b]) }.expect("a launch"));
                synchronize();
            })
        },
    );
    let target = device.name().starts_with("cuda").then_some((false, 0.45));
    table.add(
        "replay of 20 launches",
        device.name(),
        Median::of(&scaled(&both.0, 1e6)),
        "µs",
        None,
    );
    table.add(
        "20 launches",
        device.name(),
        Median::of(&scaled(&both.1, 1e6)),
        "µs",
        None,
    );
    table.add("replay / launches", device.name(), ratio(&both), "", target);
}

fn builds(device: &Device, table: &mut Table) {
    let text = std::fs::read_to_string(root().join("examples/okl/spectral_element.okl"))
        .unwrap_or_else(|_| KERNEL.to_string());
    let source = Source::new("build.okl", text);
    // In a cache of this run.
    let warm = || {
        device
            .build(&source, &BuildOptions::new())
            .expect("a build")
    };
    let program = warm();
    assert!(warm().from_cache(), "the second build comes from the cache");
    drop(program);
    let loader = MemoryLoader::new();
    // As a build does.
    let options = Options {
        no_launcher: true,
        ..Options::default()
    };
    let translate = || {
        brook::transpile(&source, device.backend(), &options, &loader)
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let binary = device
        .driver()
        .compile(&translate().device, &Default::default())
        .expect("a compiler");
    let both = pairs(
        || each(5, || drop(black_box(warm()))),
        || each(5, || drop(black_box(device.driver().load(&binary)))),
    );
    table.add(
        "warm build above the driver's load",
        device.name(),
        difference(&both, 1e3),
        "ms",
        Some((false, 0.3)),
    );
    let cold = BuildOptions::new().cache(false);
    let mut both = (Vec::new(), Vec::new());
    for _ in 0..5 {
        both.0.push(each(1, || drop(black_box(translate()))));
        both.1.push(each(1, || {
            drop(black_box(device.build(&source, &cold).expect("a build")));
        }));
    }
    table.add(
        "translation / cold build",
        device.name(),
        ratio(&both),
        "",
        Some((false, 0.05)),
    );
}

/// The repository; `BROOK_TEST_ROOT` says where, if this was built on another machine.
fn root() -> PathBuf {
    let elsewhere = std::env::var_os("BROOK_TEST_ROOT");
    elsewhere.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), Into::into)
}

/// Where cargo has built this program, and the shared library beside it.
fn beside() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let beside = own.parent().map(PathBuf::from).unwrap_or_default();
    match beside.join("libbrook.so").is_file() {
        true => Ok(beside),
        false => Err(format!("there is no libbrook.so in {}", beside.display())),
    }
}

fn transfers(device: &Device, table: &mut Table) {
    let n: usize = match device.info().kind {
        DeviceKind::Cpu => 1 << 24,
        _ => 1 << 26,
    };
    let gigabytes = (4 * n) as f64 / 1e9;
    let host = vec![1u8; 4 * n];
    let mut back = vec![0u8; 4 * n];
    let stream = device.stream("float", &[n as u32]).expect("a stream");
    let memory = device.zeros::<f32>(n).expect("memory");
    let mut pinned = device.pinned::<f32>(n).expect("pinned memory");
    pinned.fill(2.0);
    let queue = device.default_queue().expect("a queue");
    let limit = Duration::from_millis(1500);
    // By hand: from pinned memory, which is waited for.
    let mut kept = Some(pinned);
    let mut by_hand = |up: bool| {
        each(1, || {
            let host = kept.take().expect("it came back");
            let moved = match up {
                true => queue.upload(host, &memory),
                false => queue.download(&memory, host),
            };
            kept = Some(moved.and_then(runtime::Transfer::wait).expect("a copy"));
        })
    };
    let begin = Instant::now();
    let (mut reads, mut writes) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    while reads.0.len() < 7 || (begin.elapsed() < limit && reads.0.len() < PAIRS) {
        reads
            .0
            .push(each(1, || stream.read(&host).expect("a copy")));
        reads.1.push(by_hand(true));
        writes
            .0
            .push(each(1, || stream.write(&mut back).expect("a copy")));
        writes.1.push(by_hand(false));
    }
    assert!(back.iter().all(|b| *b == 1));
    for (what, both) in [("stream read", reads), ("stream write", writes)] {
        let rates = |seconds: &[f64]| {
            let all: Vec<f64> = seconds.iter().map(|s| gigabytes / s).collect();
            Median::of(&all)
        };
        table.add(what, device.name(), rates(&both.0), "GB/s", None);
        table.add(
            "  by hand, from pinned memory",
            device.name(),
            rates(&both.1),
            "GB/s",
            None,
        );
        table.add(
            "  of that bandwidth",
            device.name(),
            ratio(&(both.1, both.0)),
            "",
            Some((true, 0.95)),
        );
    }
    // Streams are what the Brook+ program has; OKL's memory is the same.
    let _ = StreamArgument::Stream(&stream);
}
