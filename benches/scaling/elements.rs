//! Conjugate gradients of a spectral-element method, each process with a device and elements of its own: nodes that several have are
//! added up by gather-scatter while elements within are computed.
//!
//! (-laplace + 1) u = f in a box of cubes of degree 7, in double precision, for a u that is known.

use super::{Outcome, told};
use brook::runtime::{
    BuildOptions, Communicator, Device, GatherScatter, Kernel, Memory, Reduction,
};
use brook::{Source, args};
use std::f64::consts::PI;
use std::time::Instant;

const NODES: usize = 8;
const NODES_OF_ELEMENT: usize = NODES * NODES * NODES;
const FACTORS: usize = 7;
const LAMBDA: f64 = 1.0;
const BLOCKS: usize = 1024;

/// Elements side by side in memory, for one launch.
struct Elements {
    count: i32,
    factors: Memory<f64>,
    from: Memory<f64>,
    to: Memory<f64>,
}

pub(super) struct Solver {
    world: Option<Communicator>,
    nodes: GatherScatter,
    apply: Kernel,
    dot: Kernel,
    step: Kernel,
    direction: Kernel,
    count: i32,
    derivative: Memory<f64>,
    /// One over the number of elements that have the node.
    weight: Memory<f64>,
    diagonal: Memory<f64>,
    right: Memory<f64>,
    wanted: Vec<f64>,
    x: Memory<f64>,
    r: Memory<f64>,
    z: Memory<f64>,
    p: Memory<f64>,
    ap: Memory<f64>,
    sums: Memory<f64>,
    /// Those that have nodes of other processes, and those within.
    shared: Vec<Elements>,
    within: Elements,
}

/// The points of one direction in [-1, 1] (Gauss, Lobatto and Legendre), their weights, and the derivatives there of the polynomials that
/// are 1 at one of them.
struct Line {
    points: [f64; NODES],
    weights: [f64; NODES],
    derivative: [[f64; NODES]; NODES],
}

/// The Legendre polynomials of the highest degree and the one before.
fn legendre(x: f64) -> (f64, f64) {
    let (mut before, mut last) = (1.0, x);
    for degree in 2..NODES {
        let n = degree as f64;
        (before, last) = (last, ((2.0 * n - 1.0) * x * last - (n - 1.0) * before) / n);
    }
    (last, before)
}

impl Line {
    fn new() -> Self {
        let degree = (NODES - 1) as f64;
        let points: [f64; NODES] = std::array::from_fn(|i| {
            let mut x = -(PI * i as f64 / degree).cos();
            for _ in 0..50 {
                let (last, before) = legendre(x);
                x -= (x * last - before) / ((degree + 1.0) * last);
            }
            x
        });
        let value = points.map(|x| legendre(x).0);
        let weights = value.map(|p| 2.0 / (degree * (degree + 1.0) * p * p));
        let derivative = std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i, j) {
                (0, 0) => -degree * (degree + 1.0) / 4.0,
                (i, j) if i == j && i == NODES - 1 => degree * (degree + 1.0) / 4.0,
                (i, j) if i == j => 0.0,
                (i, j) => value[i] / value[j] / (points[i] - points[j]),
            })
        });
        Self {
            points,
            weights,
            derivative,
        }
    }
}

impl Solver {
    /// `side` cubes along each side of the box of one process, which is 1 long; boxes stand one on top of the other.
    pub(super) fn new(device: &Device, world: Option<&Communicator>, side: usize) -> Outcome<Self> {
        let (rank, size) = world.map_or((0, 1), |world| (world.rank(), world.size()));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/scaling/elements.okl");
        let elsewhere = std::env::var("BROOK_TEST_ROOT");
        let path = elsewhere.map_or(path.into(), |root| {
            format!("{root}/benches/scaling/elements.okl")
        });
        let (source, options) = (Source::file(path), BuildOptions::new());
        let program = match world {
            Some(world) => device.build_together(world, &source, &options),
            None => device.build(&source, &options),
        };
        let program = program.map_err(told)?;
        let kernel = |name: &str| program.kernel(name).map_err(told);
        let line = Line::new();
        let per_layer = side * side;
        let elements = per_layer * side;
        let half = 0.5 / side as f64;
        let mut numbers = Vec::with_capacity(elements * NODES_OF_ELEMENT);
        let mut wanted = Vec::with_capacity(numbers.capacity());
        let mut right = Vec::with_capacity(numbers.capacity());
        let mut diagonal = Vec::with_capacity(numbers.capacity());
        let mut factors = vec![0.0; elements * FACTORS * NODES_OF_ELEMENT];
        let along = side * (NODES - 1) + 1;
        // Of the operator along one direction.
        let stiffness: [f64; NODES] = std::array::from_fn(|i| {
            let all = 0..NODES;
            all.map(|m| line.derivative[m][i].powi(2) * line.weights[m])
                .sum()
        });
        for element in 0..elements {
            let place = [
                element % side,
                element / side % side,
                element / per_layer + rank * side,
            ];
            for node in 0..NODES_OF_ELEMENT {
                let within = [node % NODES, node / NODES % NODES, node / (NODES * NODES)];
                let axis = |d: usize| place[d] * (NODES - 1) + within[d];
                let number = (axis(2) * along + axis(1)) * along + axis(0);
                numbers.push(number as i64 + 1);
                let at = |d: usize| half * (2.0 * place[d] as f64 + 1.0 + line.points[within[d]]);
                let value: f64 = (0..3).map(|d| (PI * at(d)).cos()).product();
                wanted.push(value);
                let w = within.map(|i| line.weights[i]);
                let (volume, stretch) = (w[0] * w[1] * w[2] * half.powi(3), half);
                right.push(volume * (3.0 * PI * PI + LAMBDA) * value);
                let of_line = |d: usize| stiffness[within[d]] * w[0] * w[1] * w[2] / w[d];
                let of_lines: f64 = (0..3).map(of_line).sum();
                diagonal.push(stretch * of_lines + LAMBDA * volume);
                let mut factor = |number: usize, value: f64| {
                    factors[(element * FACTORS + number) * NODES_OF_ELEMENT + node] = value;
                };
                let square = w[0] * w[1] * w[2] * stretch;
                for number in [0, 3, 5] {
                    factor(number, square);
                }
                factor(6, volume);
            }
        }
        let count = numbers.len();
        let nodes = GatherScatter::new(device, world, &numbers).map_err(told)?;
        let upload = |values: &[f64]| device.upload(values).map_err(told);
        let zeros = |count: usize| device.zeros::<f64>(count).map_err(told);
        // What all elements add to their nodes.
        let added = |values: &[f64]| -> Outcome<Memory<f64>> {
            let memory = upload(values)?;
            nodes
                .run(memory.as_dyn(), 1, Reduction::Sum)
                .map_err(told)?;
            Ok(memory)
        };
        let sharing = added(&vec![1.0; count])?.to_vec().map_err(told)?;
        let weight: Vec<f64> = sharing.iter().map(|elements| 1.0 / elements).collect();
        let (factors, p, ap) = (upload(&factors)?, zeros(count)?, zeros(count)?);
        let some = |first: usize, end: usize| -> Outcome<Elements> {
            let part = |memory: &Memory<f64>, each: usize| {
                let part = memory.slice(first * each..end * each);
                part.map_err(told)
            };
            Ok(Elements {
                count: (end - first) as i32,
                factors: part(&factors, FACTORS * NODES_OF_ELEMENT)?,
                from: part(&p, NODES_OF_ELEMENT)?,
                to: part(&ap, NODES_OF_ELEMENT)?,
            })
        };
        let first = if rank > 0 { per_layer } else { 0 };
        let end = elements - if rank + 1 < size { per_layer } else { 0 };
        let mut shared = Vec::new();
        for (from, to) in [(0, first), (end.max(first), elements)] {
            if from < to {
                shared.push(some(from, to)?);
            }
        }
        let flat: Vec<f64> = line.derivative.iter().flatten().copied().collect();
        Ok(Self {
            world: world.cloned(),
            apply: kernel("ellipticAx")?,
            dot: kernel("dot")?,
            step: kernel("step")?,
            direction: kernel("direction")?,
            count: count as i32,
            derivative: upload(&flat)?,
            weight: upload(&weight)?,
            diagonal: added(&diagonal)?,
            right: added(&right)?,
            wanted,
            x: zeros(count)?,
            r: zeros(count)?,
            z: zeros(count)?,
            sums: zeros(2 * BLOCKS)?,
            shared,
            within: some(first, end.max(first))?,
            nodes,
            p,
            ap,
        })
    }

    /// Nodes of this process, counted once for each of its elements.
    pub(super) fn count(&self) -> usize {
        self.wanted.len()
    }

    fn launch(&self, elements: &Elements) -> Outcome<()> {
        if elements.count == 0 {
            return Ok(());
        }
        // SAFETY: all arrays are as long as so many elements take.
        unsafe {
            self.apply.launch(args![
                elements.count,
                LAMBDA,
                elements.factors.read_only(),
                self.derivative.read_only(),
                elements.from.read_only(),
                &elements.to
            ])
        }
        .map_err(told)
    }

    /// ap = A p
    fn apply(&self) -> Outcome<()> {
        for elements in &self.shared {
            self.launch(elements)?;
        }
        let exchange = self.nodes.begin(self.ap.as_dyn(), 1, Reduction::Sum);
        self.launch(&self.within)?;
        exchange.and_then(|e| e.finish()).map_err(told)
    }

    /// The sums that a launch has left, each of one for each block, over all processes.
    fn sums<const N: usize>(&self) -> Outcome<[f64; N]> {
        let mut parts = vec![0.0; N * BLOCKS];
        let sums = self.sums.slice(..N * BLOCKS).map_err(told)?;
        sums.download(&mut parts).map_err(told)?;
        let mut totals = std::array::from_fn(|n| parts[n * BLOCKS..(n + 1) * BLOCKS].iter().sum());
        if let Some(world) = &self.world {
            world.reduce(&mut totals, Reduction::Sum).map_err(told)?;
        }
        Ok(totals)
    }

    fn dot(&self, x: &Memory<f64>, y: &Memory<f64>) -> Outcome<f64> {
        // SAFETY: all arrays have as many entries, and there is a sum for each block.
        unsafe {
            self.dot.launch(args![
                self.count,
                BLOCKS as i32,
                self.weight.read_only(),
                x.read_only(),
                y.read_only(),
                &self.sums
            ])
        }
        .map_err(told)?;
        let [sum] = self.sums()?;
        Ok(sum)
    }

    /// x += a p and what follows from it; r z and r r.
    fn step(&self, a: f64) -> Outcome<[f64; 2]> {
        // SAFETY: as in `dot`, with two sums for each block.
        unsafe {
            self.step.launch(args![
                self.count,
                BLOCKS as i32,
                a,
                self.weight.read_only(),
                self.diagonal.read_only(),
                self.p.read_only(),
                self.ap.read_only(),
                &self.x,
                &self.r,
                &self.z,
                &self.sums
            ])
        }
        .map_err(told)?;
        self.sums()
    }

    fn direction(&self, b: f64) -> Outcome<()> {
        // SAFETY: as in `dot`.
        unsafe {
            self.direction
                .launch(args![self.count, b, self.z.read_only(), &self.p])
        }
        .map_err(told)
    }

    /// From x = 0, until the residual is `least` of the first, and no more than so many steps.
    pub(super) fn solve(&self, steps: u32, least: f64) -> Outcome<u32> {
        self.x.zero().map_err(told)?;
        self.p.zero().map_err(told)?;
        self.ap.zero().map_err(told)?;
        self.r.copy_from(&self.right).map_err(told)?;
        let [mut rz, first] = self.step(0.0)?;
        self.direction(0.0)?;
        for step in 1..=steps {
            self.apply()?;
            let [next, square] = self.step(rz / self.dot(&self.p, &self.ap)?)?;
            if square <= first * least * least {
                return Ok(step);
            }
            self.direction(next / rz)?;
            rz = next;
        }
        Ok(steps)
    }

    /// Seconds of one step.
    pub(super) fn time(&self, steps: u32) -> Outcome<f64> {
        self.weight.device().synchronize().map_err(told)?;
        let from = Instant::now();
        self.solve(steps, 0.0)?;
        self.weight.device().synchronize().map_err(told)?;
        Ok(from.elapsed().as_secs_f64() / f64::from(steps))
    }

    /// How far the solution is from the known one at most.
    pub(super) fn error(&self) -> Outcome<f64> {
        let found = self.x.to_vec().map_err(told)?;
        let pairs = found.iter().zip(&self.wanted);
        let mut worst = [pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)];
        if let Some(world) = &self.world {
            world.reduce(&mut worst, Reduction::Max).map_err(told)?;
        }
        Ok(worst[0])
    }
}
