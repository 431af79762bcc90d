//! Calls over streams: on one device, and on a set of them with as many rows for each, or with as many rows in all.

use super::{Outcome, told};
use brook::runtime::{BuildOptions, Device, Kernel};
use brook::{Source, Stream, stream_args};
use std::time::Instant;

/// Extents of the streams for one device, slowest first; of the first there is more for more devices.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) plane: [u32; 2],
    pub(super) block: [u32; 3],
}

/// Streams on a device, and what is called over them.
pub(super) struct Streams {
    triad: Kernel,
    stencil: Kernel,
    sum: Kernel,
    turned: Kernel,
    plane: [Stream<f32>; 3],
    block: [Stream<f32>; 2],
    block_size: [f32; 4],
    rows: f32,
}

/// A step, with how many bytes it has to move at least for each device, and how often it is called between two looks at the clock.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) run: fn(&Streams) -> Outcome<()>,
    pub(super) bytes: fn(&Sizes) -> f64,
    pub(super) calls: u32,
}

fn elements(extents: &[u32]) -> f64 {
    extents.iter().map(|e| f64::from(*e)).product()
}

pub(super) const STEPS: [Step; 4] = [
    Step {
        name: "triad",
        run: Streams::triad,
        bytes: |sizes| 12.0 * elements(&sizes.plane),
        calls: 30,
    },
    Step {
        name: "7-point stencil",
        run: Streams::stencil,
        bytes: |sizes| 16.0 * elements(&sizes.block),
        calls: 10,
    },
    Step {
        name: "rows turned round",
        run: Streams::turned,
        bytes: |sizes| 16.0 * elements(&sizes.plane),
        calls: 5,
    },
    Step {
        name: "sum",
        run: Streams::sum,
        bytes: |sizes| 4.0 * elements(&sizes.plane),
        calls: 10,
    },
];

impl Streams {
    /// With `times` times the rows of one device.
    pub(super) fn new(device: &Device, sizes: &Sizes, times: u32) -> Outcome<Self> {
        let source = Source::new("scaling.br", include_str!("kernels.br"));
        let program = device.build(source, &BuildOptions::new()).map_err(told)?;
        let kernel = |name: &str| program.kernel(name).map_err(told);
        let stream = |extents: &[u32]| -> Outcome<Stream<f32>> {
            let (first, others) = extents.split_first().ok_or("no extents")?;
            let extents = [&[first * times], others].concat();
            Stream::new(device, &extents).map_err(told)
        };
        let [z, y, x] = sizes.block;
        let new = Self {
            triad: kernel("triad")?,
            stencil: kernel("stencil")?,
            sum: kernel("sum")?,
            turned: kernel("turned")?,
            plane: [
                stream(&sizes.plane)?,
                stream(&sizes.plane)?,
                stream(&sizes.plane)?,
            ],
            block: [stream(&sizes.block)?, stream(&sizes.block)?],
            block_size: [x as f32, y as f32, (z * times) as f32, 1.0],
            rows: (sizes.plane[0] * times) as f32,
        };
        // Each device writes its rows once, so that they are there.
        let [_, b, c] = &new.plane;
        for (to, from) in [(b, c), (c, b)] {
            let arguments = stream_args![from, from, 1.0f32, to];
            new.triad.call(arguments).map_err(told)?;
        }
        Ok(new)
    }

    fn triad(&self) -> Outcome<()> {
        let [a, b, c] = &self.plane;
        self.triad.call(stream_args![b, c, 2.0f32, a]).map_err(told)
    }

    /// There and back.
    fn stencil(&self) -> Outcome<()> {
        let [a, b] = &self.block;
        for (from, to) in [(a, b), (b, a)] {
            let size = self.block_size;
            self.stencil
                .call(stream_args![from, size, to])
                .map_err(told)?;
        }
        Ok(())
    }

    /// There and back, so that all of it is new to the others each time.
    fn turned(&self) -> Outcome<()> {
        let [a, b, _] = &self.plane;
        for (from, to) in [(a, b), (b, a)] {
            self.turned
                .call(stream_args![from, self.rows, to])
                .map_err(told)?;
        }
        Ok(())
    }

    fn sum(&self) -> Outcome<()> {
        let mut total = 0.0f32;
        self.sum
            .call(stream_args![&self.plane[0], &mut total])
            .map_err(told)
    }

    /// What all steps make of numbers of which no two rows are alike: the same on any devices.
    pub(super) fn results(&self) -> Outcome<Vec<Vec<f32>>> {
        for stream in self.plane.iter().chain(&self.block) {
            let some = (0..stream.len() as u32).map(|n| n.wrapping_mul(2_654_435_761) >> 20);
            let some: Vec<f32> = some.map(|n| n as f32).collect();
            stream.read(&some).map_err(told)?;
        }
        for step in STEPS {
            (step.run)(self)?;
        }
        let all = self.plane.iter().chain(&self.block);
        all.map(|stream| stream.to_vec().map_err(told)).collect()
    }

    /// Seconds of one call.
    pub(super) fn time(&self, step: &Step) -> Outcome<f64> {
        self.plane[0].finish().map_err(told)?;
        self.block[1].finish().map_err(told)?;
        let from = Instant::now();
        for _ in 0..step.calls {
            (step.run)(self)?;
        }
        self.plane[0].finish().map_err(told)?;
        self.block[1].finish().map_err(told)?;
        Ok(from.elapsed().as_secs_f64() / f64::from(step.calls))
    }
}
