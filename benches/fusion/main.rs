//! What fusing calls of stream kernels brings: chains of maps, and of maps and a sum, beside kernels that were written by hand and are launched
//! one after the other, and beside the same calls made at once.
//!
//! `programs.rs` has steps of whole programs, `recorded.rs` what sequences record.
//!
//! `cargo bench --bench fusion -- [DEVICE...] [--elements N] [--rounds N]`. Each round measures every form in turn; ratios are
//! medians of the rounds' own.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it measures"
)]

mod programs;
mod recorded;
#[path = "../kernels/statistics.rs"]
#[allow(dead_code, reason = "of medians, the values")]
mod statistics;

use brook::backend::Model;
use brook::runtime::{BuildOptions, Device, DynStream, Fusion, Program};
use brook::{Source, stream_args};
use brook_driver::{Argument, Buffer, CompileOptions, Kernel};
use programs::Programs;
use recorded::Recorded;
use statistics::Median;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, String>;

const NAMES: [&str; 4] = ["one", "two", "three", "four"];

/// What a chain's maps read and write: numbers of streams.
struct Row {
    name: &'static str,
    maps: &'static [(usize, usize)],
    /// What is summed up then.
    fold: Option<usize>,
    /// Of which one element is read.
    asks: Option<usize>,
    /// How often before the device has to be done.
    times: usize,
    /// Streams in between are made anew each time, and are gone at the end.
    short: bool,
}

impl Row {
    /// Whether results are read, which are there then.
    fn is_read(&self) -> bool {
        self.fold.is_some() || self.asks.is_some()
    }
}

const ROWS: [Row; 7] = [
    Row {
        name: "in place",
        maps: &[(0, 0), (0, 0), (0, 0), (0, 0)],
        fold: None,
        asks: None,
        times: 1,
        short: false,
    },
    Row {
        name: "temporaries that stay",
        maps: &[(0, 1), (1, 2), (2, 3), (3, 4)],
        fold: None,
        asks: None,
        times: 1,
        short: false,
    },
    Row {
        name: "the same, last one read",
        maps: &[(0, 1), (1, 2), (2, 3), (3, 4)],
        fold: None,
        asks: Some(4),
        times: 8,
        short: false,
    },
    Row {
        name: "temporaries that end",
        maps: &[(0, 1), (1, 2), (2, 3), (3, 4)],
        fold: None,
        asks: None,
        times: 1,
        short: true,
    },
    Row {
        name: "eight steps of a loop",
        maps: &[(0, 1), (1, 2), (2, 3), (3, 0)],
        fold: None,
        asks: None,
        times: 8,
        short: false,
    },
    Row {
        name: "a map and a sum",
        maps: &[(0, 1)],
        fold: Some(1),
        asks: None,
        times: 8,
        short: false,
    },
    Row {
        name: "two maps and a sum",
        maps: &[(0, 1), (1, 2)],
        fold: Some(2),
        asks: None,
        times: 8,
        short: false,
    },
];

/// Groups of a sum by hand.
const GROUPS: u32 = 2048;

struct Bench {
    device: Device,
    program: Program,
    hand: Vec<Arc<dyn Kernel>>,
    streams: Vec<DynStream>,
    buffers: Vec<Arc<dyn Buffer>>,
    /// For sums by hand.
    sums: [Arc<dyn Buffer>; 2],
    elements: u32,
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Bench {
    fn new(name: &str, elements: u32) -> Outcome<Self> {
        let device = Device::open(name).map_err(told)?;
        let options = BuildOptions::new().cache(false);
        let source = Source::new("kernels.br", include_str!("kernels.br"));
        let program = device.build(source, &options).map_err(told)?;
        let text = match device.backend().name.as_str() {
            "cuda" | "hip" => concat!(include_str!("hand.cu"), include_str!("hand.inc")),
            "opencl" => concat!(include_str!("hand.cl"), include_str!("hand.inc")),
            "openmp" => concat!(include_str!("hand.cpp"), include_str!("hand.inc")),
            other => return Err(format!("there is nothing by hand for {other}")),
        };
        let driver = device.driver();
        let binary = driver
            .compile(text, &CompileOptions::default())
            .map_err(told)?;
        let loaded = driver.load(&binary).map_err(told)?;
        let names = NAMES.iter().chain(&["total"]);
        let hand = names.map(|name| loaded.kernel(name).map_err(told));
        let hand = hand.collect::<Outcome<Vec<_>>>()?;
        let bytes = elements as usize * 4;
        let content: Vec<u8> = (0..elements)
            .flat_map(|n| ((n % 1000) as f32 / 1024.0).to_le_bytes())
            .collect();
        let (mut streams, mut buffers) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            let stream = device.stream("float", &[elements]).map_err(told)?;
            stream.read(&content).map_err(told)?;
            streams.push(stream);
            let buffer = device.allocate(bytes).map_err(told)?;
            buffer.write(0, &content).map_err(told)?;
            buffers.push(buffer);
        }
        let sums = [
            device.allocate(GROUPS as usize * 4).map_err(told)?,
            device.allocate(4).map_err(told)?,
        ];
        Ok(Self {
            device,
            program,
            hand,
            streams,
            buffers,
            sums,
            elements,
        })
    }

    fn by_hand(&self, row: &Row) -> Outcome<Duration> {
        let n = self.elements.to_le_bytes();
        let groups = [u64::from(self.elements / 4).div_ceil(256), 1, 1];
        self.timed(row, || {
            for _ in 0..row.times {
                for (kernel, &(from, to)) in self.hand.iter().zip(row.maps) {
                    let arguments = [
                        Argument::Buffer(&*self.buffers[from]),
                        Argument::Buffer(&*self.buffers[to]),
                        Argument::Value(&n),
                    ];
                    kernel
                        .launch(groups, [256, 1, 1], &arguments)
                        .map_err(told)?;
                }
                if let Some(from) = row.fold {
                    self.sum_by_hand(from)?;
                }
                if let Some(asked) = row.asks {
                    self.buffers[asked].read(0, &mut [0; 4]).map_err(told)?;
                }
            }
            Ok(())
        })
    }

    /// In groups, then what these have; on a processor the loop's own.
    fn sum_by_hand(&self, from: usize) -> Outcome<()> {
        let kernel = &self.hand[NAMES.len()];
        let sum = |from: &Arc<dyn Buffer>, to: &Arc<dyn Buffer>, n: u32, groups: u32| {
            let arguments = [
                Argument::Buffer(&**from),
                Argument::Buffer(&**to),
                Argument::Value(&n.to_le_bytes()),
            ];
            kernel
                .launch([groups.into(), 1, 1], [256, 1, 1], &arguments)
                .map_err(told)
        };
        let [partial, last] = &self.sums;
        match self.device.backend().model {
            Model::Loops => sum(&self.buffers[from], last, self.elements, 1)?,
            Model::Simt => {
                sum(&self.buffers[from], partial, self.elements, GROUPS)?;
                sum(partial, last, GROUPS, 1)?;
            }
        }
        last.read(0, &mut [0; 4]).map_err(told)
    }

    fn called(&self, row: &Row, fusion: Fusion) -> Outcome<Duration> {
        self.device.set_fusion(fusion).map_err(told)?;
        let mut all = self.streams.clone();
        let new = || self.device.stream("float", &[self.elements]).map_err(told);
        if row.is_read() {
            // Those of a program, which ends when it has its results.
            for stream in &mut all[1..] {
                *stream = new()?;
            }
        }
        let time = self.timed(row, || {
            for _ in 0..row.times {
                let mut streams = all.clone();
                if row.short {
                    for stream in &mut streams[1..4] {
                        *stream = new()?;
                    }
                }
                for (name, &(from, to)) in NAMES.iter().zip(row.maps) {
                    let arguments = stream_args![&streams[from], &streams[to]];
                    self.program.call(name, arguments).map_err(told)?;
                }
                if let Some(from) = row.fold {
                    let mut sum = 0.0f32;
                    let arguments = stream_args![&streams[from], &mut sum];
                    self.program.call("total", arguments).map_err(told)?;
                }
                if let Some(asked) = row.asks {
                    let one = streams[asked].domain(&[0], &[1]).map_err(told)?;
                    one.write(&mut [0; 4]).map_err(told)?;
                }
            }
            Ok(())
        });
        drop(all);
        self.device.set_fusion(Fusion::Off).map_err(told)?;
        time
    }

    /// The time until the device is done, or until the results are there.
    fn timed(&self, row: &Row, work: impl FnOnce() -> Outcome<()>) -> Outcome<Duration> {
        self.device.synchronize().map_err(told)?;
        let begin = Instant::now();
        work()?;
        if !row.is_read() {
            self.device.synchronize().map_err(told)?;
        }
        Ok(begin.elapsed())
    }

    fn row(&self, row: &Row, rounds: usize) -> Outcome<()> {
        let mut samples: [Vec<f64>; 3] = Default::default();
        for round in 0..rounds + 2 {
            let times = [
                self.by_hand(row)?,
                self.called(row, Fusion::Off)?,
                self.called(row, Fusion::Now)?,
            ];
            // The first builds the fused kernels.
            if round >= 2 {
                for (sample, time) in samples.iter_mut().zip(times) {
                    sample.push(time.as_secs_f64());
                }
            }
        }
        let [hand, single, fused] = &samples;
        let ratio =
            |a: &[f64], b: &[f64]| median(&a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<_>>());
        println!(
            "{:<12} {:<24} hand {:>9.1} us  calls {:>9.1} us  fused {:>9.1} us  {:>5.2} x hand  {:>5.2} x calls",
            self.device.name(),
            row.name,
            median(hand) * 1e6,
            median(single) * 1e6,
            median(fused) * 1e6,
            ratio(hand, fused),
            ratio(single, fused)
        );
        Ok(())
    }

    /// What a call that waits costs the host.
    fn deferring(&self, rounds: usize) -> Outcome<()> {
        let stream = || self.device.stream("float", &[64]).map_err(told);
        let (a, b) = (stream()?, stream()?);
        let kernel = self.program.kernel("one").map_err(told)?;
        let mut samples = Vec::new();
        for _ in 0..rounds.max(20) {
            self.device.set_fusion(Fusion::On).map_err(told)?;
            let begin = Instant::now();
            for _ in 0..24 {
                kernel.call(stream_args![&a, &b]).map_err(told)?;
            }
            samples.push(begin.elapsed().as_secs_f64() / 24.0);
            self.device.set_fusion(Fusion::Off).map_err(told)?;
        }
        println!(
            "{:<12} a call that waits: {:.2} us",
            self.device.name(),
            median(&samples) * 1e6
        );
        Ok(())
    }
}

fn median(samples: &[f64]) -> f64 {
    Median::of(samples).value
}

fn main() {
    let mut devices = Vec::new();
    let (mut elements, mut rounds) = (1u32 << 26, 15);
    let mut given = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(argument) = given.next() {
        let mut number = || given.next().and_then(|n| n.parse().ok());
        match argument.as_str() {
            "--elements" => elements = number().unwrap_or(elements),
            "--rounds" => rounds = number().unwrap_or(rounds as u32) as usize,
            _ => devices.push(argument),
        }
    }
    if devices.is_empty() {
        devices.push("openmp:0".to_string());
    }
    let mut failed = false;
    for name in devices {
        let outcome = Bench::new(&name, elements).and_then(|bench| {
            ROWS.iter().try_for_each(|row| bench.row(row, rounds))?;
            bench.deferring(rounds)?;
            Recorded::new(&bench)?.measure(rounds)?;
            drop(bench);
            Programs::new(name.as_str(), elements / 16)?.measure(rounds)
        });
        if let Err(error) = outcome {
            eprintln!("{name}: {error}");
            failed = true;
        }
    }
    if failed {
        std::process::exit(1);
    }
}
