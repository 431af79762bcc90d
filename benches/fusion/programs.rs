//! Steps of programs: what fusing their calls brings beside the same calls made at once.

use super::{Outcome, median, told};
use brook::runtime::{
    BuildOptions, Device, DynStream, Fusion, Program, Recorder, Sequence, StreamArgument,
};
use brook::{Source, stream_args};
use std::time::Instant;

/// Entries of a row of the sparse matrix.
const WIDE: u32 = 5;

/// A sparse matrix, and vectors.
pub(super) struct Programs {
    device: Device,
    program: Program,
    columns: DynStream,
    entries: DynStream,
    rows: u32,
    vectors: Vec<DynStream>,
    /// Streams of as many elements as the matrix.
    wide: Vec<DynStream>,
}

/// Each ends with a result that is read.
const STEPS_AT_ONCE: u32 = 8;

type Step = fn(&Programs) -> Outcome<()>;

const STEPS: [(&str, Step); 3] = [
    ("sparse matrix by vector", Programs::multiplied),
    ("conjugate gradients", Programs::conjugate_gradients),
    ("wavelet transform", Programs::wavelet),
];

impl Programs {
    pub(super) fn new(name: &str, rows: u32) -> Outcome<Self> {
        let device = Device::open(name).map_err(told)?;
        let options = BuildOptions::new().cache(false);
        let source = Source::new("programs.br", include_str!("programs.br"));
        let program = device.build(source, &options).map_err(told)?;
        let stream = |count: u32, content: &dyn Fn(u32) -> f32| -> Outcome<DynStream> {
            let stream = device.stream("float", &[count]).map_err(told)?;
            let bytes: Vec<u8> = (0..count).flat_map(|n| content(n).to_le_bytes()).collect();
            stream.read(&bytes).map_err(told)?;
            Ok(stream)
        };
        let count = rows * WIDE;
        // Neighbours along a line and in planes, as those of a grid.
        let far = [-1024i64, -1, 0, 1, 1024];
        let column = |n: u32| {
            let row = i64::from(n / WIDE) + far[(n % WIDE) as usize];
            row.clamp(0, i64::from(rows) - 1) as f32
        };
        let entry = |n: u32| if n % WIDE == 2 { 4.5 } else { -1.0 };
        let some = |n: u32| (n % 1000) as f32 / 1024.0;
        let vectors = (0..6).map(|_| stream(rows, &some));
        let vectors = vectors.collect::<Outcome<Vec<_>>>()?;
        let wide = (0..3).map(|_| stream(count, &some));
        let wide = wide.collect::<Outcome<Vec<_>>>()?;
        Ok(Self {
            columns: stream(count, &column)?,
            entries: stream(count, &entry)?,
            device,
            program,
            rows,
            vectors,
            wide,
        })
    }

    fn call(&self, name: &str, arguments: &mut [StreamArgument<'_>]) -> Outcome<()> {
        self.program.call(name, arguments).map_err(told)
    }

    /// `to = matrix * from`.
    fn product(&self, from: &DynStream, to: &DynStream) -> Outcome<()> {
        let [fetched, products, _] = &self.wide[..] else {
            return Ok(());
        };
        self.call("fetched", stream_args![&self.columns, from, fetched])?;
        self.call("product", stream_args![fetched, &self.entries, products])?;
        self.call("total", stream_args![products, to])
    }

    fn multiplied(&self) -> Outcome<()> {
        self.product(&self.vectors[0], &self.vectors[1])?;
        peek(&self.vectors[1])
    }

    fn dot(&self, a: &DynStream, b: &DynStream, products: &DynStream) -> Outcome<f32> {
        let mut sum = 0.0f32;
        self.call("product", stream_args![a, b, products])?;
        self.call("total", stream_args![products, &mut sum])?;
        Ok(sum)
    }

    fn conjugate_gradients(&self) -> Outcome<()> {
        let [x, r, d, q, t, _] = &self.vectors[..] else {
            return Ok(());
        };
        self.product(d, q)?;
        let old = self.dot(r, r, t)?;
        let step = old / (1.0 + self.dot(d, q, t)?.abs());
        self.call("scaled_sum", stream_args![step, d, x, x])?;
        self.call("scaled_sum", stream_args![-step, q, r, r])?;
        let new = self.dot(r, r, t)?;
        let more = new / (new + old + 1.0);
        self.call("scaled_sum", stream_args![more, d, r, d])
    }

    /// The first two as a sequence, with its numbers in streams of one element, and streams in between that nobody has afterwards.
    fn recorded(&self, fusion: Fusion, gradients: bool) -> Outcome<Sequence> {
        self.device.set_fusion(fusion).map_err(told)?;
        let recorded = self.device.record(|to| {
            let done = self.record(to, gradients);
            done.map_err(brook::runtime::Error::Argument)
        });
        self.device.set_fusion(Fusion::Off).map_err(told)?;
        recorded.map_err(told)
    }

    fn record(&self, to: &Recorder, gradients: bool) -> Outcome<()> {
        let [x, r, d, q, ..] = &self.vectors[..] else {
            return Ok(());
        };
        let call = |name: &str, arguments: &mut [StreamArgument<'_>]| {
            let kernel = self.program.kernel(name).map_err(told)?;
            to.call(&kernel, arguments).map_err(told)
        };
        let stream = |count: u32| self.device.stream("float", &[count]).map_err(told);
        let dot = |a: &DynStream, b: &DynStream| -> Outcome<DynStream> {
            let (products, sum) = (stream(self.rows)?, stream(1)?);
            call("product", stream_args![a, b, &products])?;
            call("total", stream_args![&products, &sum])?;
            Ok(sum)
        };
        let (fetched, products) = (stream(self.rows * WIDE)?, stream(self.rows * WIDE)?);
        call("fetched", stream_args![&self.columns, d, &fetched])?;
        call("product", stream_args![&fetched, &self.entries, &products])?;
        call("total", stream_args![&products, q])?;
        if !gradients {
            return Ok(());
        }
        let (step, more) = (stream(1)?, stream(1)?);
        let old = dot(r, r)?;
        call("step_size", stream_args![&old, &dot(d, q)?, &step])?;
        call("scaled_by", stream_args![&step, 1.0f32, d, x, x])?;
        call("scaled_by", stream_args![&step, -1.0f32, q, r, r])?;
        call("share", stream_args![&old, &dot(r, r)?, &more])?;
        call("scaled_by", stream_args![&more, 1.0f32, d, r, d])
    }

    /// Medians of a step of replays, one after the other.
    fn measure_recorded(&self, rounds: usize) -> Outcome<()> {
        for (name, gradients) in [
            ("sparse matrix by vector", false),
            ("conjugate gradients", true),
        ] {
            let sequences =
                [Fusion::Off, Fusion::On].map(|fusion| self.recorded(fusion, gradients));
            let mut samples: [Vec<f64>; 2] = Default::default();
            for round in 0..rounds + 2 {
                for (sequence, sample) in sequences.iter().zip(&mut samples) {
                    let sequence = sequence.as_ref().map_err(Clone::clone)?;
                    self.device.synchronize().map_err(told)?;
                    let begin = Instant::now();
                    for _ in 0..STEPS_AT_ONCE {
                        sequence.launch().map_err(told)?;
                    }
                    self.device.synchronize().map_err(told)?;
                    if round >= 2 {
                        sample.push(begin.elapsed().as_secs_f64() / f64::from(STEPS_AT_ONCE));
                    }
                }
            }
            self.told(&format!("{name}, recorded"), &samples);
        }
        Ok(())
    }

    fn told(&self, name: &str, [single, fused]: &[Vec<f64>; 2]) {
        let ratios: Vec<f64> = single.iter().zip(fused).map(|(a, b)| a / b).collect();
        println!(
            "{:<12} {name:<33} calls {:>9.1} us  fused {:>9.1} us  {:>5.2} x calls",
            self.device.name(),
            median(single) * 1e6,
            median(fused) * 1e6,
            median(&ratios)
        );
    }

    fn wavelet(&self) -> Outcome<()> {
        let [signal, next, result] = &self.wide[..] else {
            return Ok(());
        };
        let part =
            |stream: &DynStream, from: u32, to: u32| stream.domain(&[from], &[to]).map_err(told);
        let mut length = 1u32 << (self.rows * WIDE).ilog2();
        let [mut from, mut to] = [signal, next];
        for _ in 0..6 {
            let half = length / 2;
            let (mean, rest) = (
                self.device.stream("float", &[half]).map_err(told)?,
                self.device.stream("float", &[half]).map_err(told)?,
            );
            self.call(
                "halves",
                stream_args![&part(from, 0, length)?, &mean, &rest],
            )?;
            self.call("copied", stream_args![&mean, &part(to, 0, half)?])?;
            self.call("copied", stream_args![&rest, &part(result, half, length)?])?;
            (from, to) = (to, from);
            length = half;
        }
        peek(from)
    }

    /// Medians of one step.
    pub(super) fn measure(&self, rounds: usize) -> Outcome<()> {
        for (name, step) in STEPS {
            let mut samples: [Vec<f64>; 2] = Default::default();
            for round in 0..rounds + 2 {
                for (fusion, sample) in [Fusion::Off, Fusion::Now].into_iter().zip(&mut samples) {
                    self.device.set_fusion(fusion).map_err(told)?;
                    self.device.synchronize().map_err(told)?;
                    let begin = Instant::now();
                    for _ in 0..STEPS_AT_ONCE {
                        step(self)?;
                    }
                    // The first builds the fused kernels.
                    if round >= 2 {
                        sample.push(begin.elapsed().as_secs_f64() / f64::from(STEPS_AT_ONCE));
                    }
                }
            }
            self.device.set_fusion(Fusion::Off).map_err(told)?;
            self.told(name, &samples);
        }
        self.measure_recorded(rounds)
    }
}

/// Reads one element of a stream back.
fn peek(stream: &DynStream) -> Outcome<()> {
    let one = stream.domain(&[0], &[1]).map_err(told)?;
    one.write(&mut [0; 4]).map_err(told)
}
