//! Recorded launches of OKL kernels, alone and together with calls of Brook+ kernels: what it brings that those which touch only their elements
//! become fewer, beside kernels that were written by hand, and beside the same recording as it is.

use super::{Bench, NAMES, Outcome, ROWS, Row, median, told};
use brook::runtime::{BuildOptions, DynStream, Fusion, Program, Recorder, Sequence};
use brook::{Source, stream_args};
use std::time::Instant;

/// How often a recording is replayed before the device has to be done.
const TIMES: u32 = 8;

type Work = for<'b> fn(&Recorded<'b>, &Recorder) -> Outcome<()>;

/// Recordings, and the row whose kernels by hand do the same.
const RECORDINGS: [(&str, Work, Option<usize>); 5] = [
    ("OKL in place", |r, to| r.in_place(to), Some(0)),
    (
        "OKL, arrays that stay",
        |r, to| r.through_arrays(to),
        Some(1),
    ),
    ("OKL and Brook+", |r, to| r.mixed(to), Some(1)),
    ("two maps and a sum", |r, to| r.folded(to), None),
    ("updates of a solver", |r, to| r.updates(to), None),
];

pub(super) struct Recorded<'b> {
    bench: &'b Bench,
    okl: Program,
    streams: Vec<DynStream>,
    /// One number.
    sum: DynStream,
}

impl<'b> Recorded<'b> {
    pub(super) fn new(bench: &'b Bench) -> Outcome<Self> {
        let options = BuildOptions::new().cache(false);
        let source = Source::new("recorded.okl", include_str!("recorded.okl"));
        Ok(Self {
            bench,
            okl: bench.device.build(source, &options).map_err(told)?,
            streams: bench.streams.clone(),
            sum: bench.device.stream("float", &[1]).map_err(told)?,
        })
    }

    fn n(&self) -> i32 {
        self.bench.elements as i32
    }

    fn map(&self, to: &Recorder, name: &str, x: &DynStream, y: &DynStream) -> Outcome<()> {
        let kernel = self.okl.kernel(name).map_err(told)?;
        // SAFETY: there are that many elements.
        unsafe { to.call_okl(&kernel, stream_args![self.n(), x, y]) }.map_err(told)
    }

    fn in_place(&self, to: &Recorder) -> Outcome<()> {
        let x = &self.streams[0];
        NAMES.iter().try_for_each(|name| self.map(to, name, x, x))
    }

    fn through_arrays(&self, to: &Recorder) -> Outcome<()> {
        let pairs = self.streams.windows(2);
        let mut maps = NAMES.iter().zip(pairs);
        maps.try_for_each(|(name, pair)| self.map(to, name, &pair[0], &pair[1]))
    }

    /// Through streams that nobody has afterwards.
    fn mixed(&self, to: &Recorder) -> Outcome<()> {
        let bench = self.bench;
        let mut all = vec![self.streams[0].clone()];
        for _ in 0..3 {
            let stream = bench.device.stream("float", &[bench.elements]);
            all.push(stream.map_err(told)?);
        }
        all.push(self.streams[4].clone());
        for (n, (name, pair)) in NAMES.iter().zip(all.windows(2)).enumerate() {
            if n % 2 == 0 {
                self.map(to, name, &pair[0], &pair[1])?;
                continue;
            }
            let kernel = bench.program.kernel(name).map_err(told)?;
            to.call(&kernel, stream_args![&pair[0], &pair[1]])
                .map_err(told)?;
        }
        Ok(())
    }

    /// Through streams that nobody has afterwards, into a sum.
    fn folded(&self, to: &Recorder) -> Outcome<()> {
        let bench = self.bench;
        let stream = || bench.device.stream("float", &[bench.elements]);
        let (first, second) = (stream().map_err(told)?, stream().map_err(told)?);
        self.map(to, NAMES[0], &self.streams[0], &first)?;
        self.map(to, NAMES[2], &first, &second)?;
        let total = bench.program.kernel("total").map_err(told)?;
        to.call(&total, stream_args![&second, &self.sum])
            .map_err(told)
    }

    /// `x += a p; r -= a q; p = b p + r`.
    fn updates(&self, to: &Recorder) -> Outcome<()> {
        let [x, r, p, q, _] = &self.streams[..] else {
            return Ok(());
        };
        for (name, factor, from, into) in [
            ("add", 0.1f32, p, x),
            ("add", -0.1, q, r),
            ("direction", 0.2, r, p),
        ] {
            let kernel = self.okl.kernel(name).map_err(told)?;
            // SAFETY: as above.
            unsafe { to.call_okl(&kernel, stream_args![self.n(), factor, from, into]) }
                .map_err(told)?;
        }
        Ok(())
    }

    fn record(&self, work: Work, fusion: Fusion) -> Outcome<Sequence> {
        let device = &self.bench.device;
        device.set_fusion(fusion).map_err(told)?;
        let recorded = device.record(|to| {
            let done = work(self, to);
            done.map_err(brook::runtime::Error::Argument)
        });
        device.set_fusion(Fusion::Off).map_err(told)?;
        recorded.map_err(told)
    }

    fn replayed(&self, sequence: &Sequence) -> Outcome<f64> {
        let device = &self.bench.device;
        device.synchronize().map_err(told)?;
        let begin = Instant::now();
        for _ in 0..TIMES {
            sequence.launch().map_err(told)?;
        }
        device.synchronize().map_err(told)?;
        Ok(begin.elapsed().as_secs_f64() / f64::from(TIMES))
    }

    pub(super) fn measure(&self, rounds: usize) -> Outcome<()> {
        for (name, work, hand) in RECORDINGS {
            let single = self.record(work, Fusion::Off)?;
            let fused = self.record(work, Fusion::On)?;
            let mut samples: [Vec<f64>; 3] = Default::default();
            for round in 0..rounds + 2 {
                let hand = hand.map(|row| -> Outcome<f64> {
                    let row = Row {
                        times: TIMES as usize,
                        ..ROWS[row]
                    };
                    let time = self.bench.by_hand(&row)?;
                    Ok(time.as_secs_f64() / f64::from(TIMES))
                });
                let times = [
                    hand.unwrap_or(Ok(f64::NAN))?,
                    self.replayed(&single)?,
                    self.replayed(&fused)?,
                ];
                if round >= 2 {
                    for (sample, time) in samples.iter_mut().zip(times) {
                        sample.push(time);
                    }
                }
            }
            let [hand, plain, short] = &samples;
            let ratio = |a: &[f64]| {
                let ratios: Vec<f64> = a.iter().zip(short).map(|(a, b)| a / b).collect();
                median(&ratios)
            };
            println!(
                "{:<12} {name:<24} hand {:>9.1} us  {} launches {:>9.1} us  {} fused {:>9.1} us  {:>5.2} x hand  {:>5.2} x launches",
                self.bench.device.name(),
                median(hand) * 1e6,
                single.len(),
                median(plain) * 1e6,
                fused.len(),
                median(short) * 1e6,
                ratio(hand),
                ratio(plain)
            );
        }
        Ok(())
    }
}
