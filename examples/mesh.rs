//! A solver over several processes: finite elements for -u'' = f, each process with its own, whose common nodes are added up by gather-scatter.
//!
//! `mpirun -n 4 cargo run --example mesh`; without `mpirun` it is one process. Each has the device of its number on its machine.
#![allow(clippy::print_stdout)]

use brook::runtime::{Communicator, GatherScatter, Memory, Reduction, Result};
use brook::{BuildOptions, Device, Kernel, Source, args};

const ELEMENTS: usize = 64;

struct Solver {
    nodes: i32,
    world: Communicator,
    nodes_of_all: GatherScatter,
    apply: Kernel,
    combine: Kernel,
    dot: Kernel,
    /// 1 of nodes within, 0 of those at the ends, where u is 0.
    inside: Memory<f64>,
    /// One over the number of elements that have the node.
    weight: Memory<f64>,
    sums: Memory<f64>,
    h: f64,
}

impl Solver {
    /// y = A x, with what other elements add to the nodes.
    fn apply(&self, x: &Memory<f64>, y: &mut Memory<f64>) -> Result<()> {
        let arguments = args![self.nodes / 2, self.h, self.inside.read_only(), x, &mut *y];
        // SAFETY: all arrays have as many nodes.
        unsafe { self.apply.launch(arguments) }?;
        self.nodes_of_all.run(y.as_dyn(), 1, Reduction::Sum)
    }

    /// y = a x + b y
    fn combine(&self, a: f64, x: &Memory<f64>, b: f64, y: &mut Memory<f64>) -> Result<()> {
        // SAFETY: as above.
        unsafe { self.combine.launch(args![self.nodes, a, x, b, y]) }
    }

    fn dot(&self, x: &Memory<f64>, y: &Memory<f64>) -> Result<f64> {
        // SAFETY: as above; there is a sum for each block.
        unsafe {
            self.dot
                .launch(args![self.nodes, &self.weight, x, y, &self.sums])
        }?;
        let mut sum = [self.sums.to_vec()?.iter().sum::<f64>()];
        self.world.reduce(&mut sum, Reduction::Sum)?;
        Ok(sum[0])
    }
}

pub(crate) fn main() -> Result<()> {
    let world = Communicator::world()?;
    let name = std::env::var("BROOK_DEVICE").unwrap_or_default();
    let device = Device::open_local(&name, &world)?;
    let source = Source::file(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/mesh.okl"));
    // One process compiles, where no cache has it.
    let program = device.build_together(&world, source, &BuildOptions::new())?;

    // Element e lies between the points e and e + 1 of all; numbers begin with 1.
    let all = ELEMENTS * world.size();
    let points: Vec<usize> = (0..ELEMENTS)
        .map(|e| world.rank() * ELEMENTS + e)
        .flat_map(|e| [e, e + 1])
        .collect();
    let numbers: Vec<i64> = points.iter().map(|p| *p as i64 + 1).collect();
    let of_points = |f: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = points.iter().map(|p| f(*p)).collect();
        device.upload(&values)
    };
    let is_inside = |p: usize| p > 0 && p < all;
    let h = 1.0 / all as f64;
    let solver = Solver {
        nodes: points.len() as i32,
        nodes_of_all: GatherScatter::new(&device, Some(&world), &numbers)?,
        apply: program.kernel("apply")?,
        combine: program.kernel("combine")?,
        dot: program.kernel("dot")?,
        inside: of_points(&|p| f64::from(u8::from(is_inside(p))))?,
        weight: of_points(&|p| if is_inside(p) { 0.5 } else { 1.0 })?,
        sums: device.zeros(points.len().div_ceil(128))?,
        h,
        world,
    };

    // Conjugate gradients, from u = 0 on. Each point has h times f.
    let at = |p: usize| p as f64 * h;
    let solution = |x: f64| (x - x * x) * x.exp();
    let load = |x: f64| (3.0 * x + x * x) * x.exp();
    let mut u = device.zeros::<f64>(points.len())?;
    let mut residual = of_points(&|p| if is_inside(p) { h * load(at(p)) } else { 0.0 })?;
    let mut direction = residual.try_clone()?;
    let mut image = device.zeros::<f64>(points.len())?;
    let first = solver.dot(&residual, &residual)?;
    let (mut square, mut steps) = (first, 0);
    while square > 1e-20 * first && steps < 2 * all {
        solver.apply(&direction, &mut image)?;
        let along = square / solver.dot(&direction, &image)?;
        solver.combine(along, &direction, 1.0, &mut u)?;
        solver.combine(-along, &image, 1.0, &mut residual)?;
        let next = solver.dot(&residual, &residual)?;
        solver.combine(1.0, &residual, next / square, &mut direction)?;
        square = next;
        steps += 1;
    }

    let found = u.to_vec()?;
    let errors = found.iter().zip(&points);
    let errors = errors.map(|(u, p)| (u - solution(at(*p))).abs());
    let mut most = [errors.fold(0.0, f64::max)];
    solver.world.reduce(&mut most, Reduction::Max)?;
    assert!(most[0] < h * h, "u differs by {}", most[0]);
    if solver.world.rank() == 0 {
        println!(
            "{} processes, {all} elements: {steps} steps, u = (x - x^2) exp(x) but for {:.1e}",
            solver.world.size(),
            most[0]
        );
    }
    Ok(())
}
