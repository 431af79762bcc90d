//! Random kernels that read neighbours on grids, and what plain loops make of them.
//!
//! Items may run several iterations of the innermost loop or of an outer one, if elements are aligned: so grids begin
//! anywhere, rows are of any length, and groups are in any relation to both.

use crate::properties::executor::{Argument, Executor};
use crate::properties::random::Random;
use crate::support::values::Scalar;
use brook::runtime::BuildOptions;
use std::fmt::Write;

/// No grid is longer than this along x, y and z.
const MOST: [i64; 3] = [72, 6, 10];
/// Around the grid there is so much memory at least.
const AROUND: i64 = 1024;

/// One source with some kernels.
pub struct Grids {
    kernels: Vec<Kernel>,
    seed: u64,
}

/// `void kN(int nx, int ny, int nz, int shift, const T *a, const T *b, T *o)`
struct Kernel {
    scalar: &'static str,
    /// From x on.
    axes: Vec<Axis>,
    along_x: AlongX,
    /// The type of the loop variables along x.
    counts: &'static str,
    reads: Vec<Read>,
    /// Iterations run where this sum of x and y has no such remainder.
    guard: Option<(i64, i64)>,
    /// Where the grid begins in memory.
    begin: i64,
    /// The index is a constant of its own.
    named: bool,
    /// The result is added to what is there.
    adds: bool,
    promises: bool,
    /// Written where the argument says, in the array.
    shifted: bool,
    /// Every second plane lies one element further on.
    wobbles: bool,
}

/// The first value, how far from the extent the last one is, and by what values grow.
#[derive(Clone, Copy)]
struct Axis {
    low: i64,
    high: i64,
    step: i64,
    tile: Option<i64>,
}

#[derive(Clone, Copy)]
enum AlongX {
    Tile(i64),
    /// Groups of so many items, as two loops.
    Pair(i64),
    /// The same, so far from each other.
    Apart(i64, i64),
    /// The outer loop goes by that many, and the inner one begins where it is.
    Stepped(i64),
}

struct Read {
    array: char,
    weight: i64,
    by: [i64; 3],
    shifted: bool,
}

impl Kernel {
    fn random(random: &mut Random) -> Self {
        let scalars = ["int", "float", "float", "short", "char", "long"];
        let size = random.pick(&[1, 2, 4, 6, 8, 8, 16, 16, 32]);
        let along_x = match random.within(0, 6) {
            0 => AlongX::Pair(size),
            1 => AlongX::Apart(size, size + random.within(0, 5)),
            2 => AlongX::Stepped(size),
            _ => AlongX::Tile(size),
        };
        let counts = random.pick(&["int", "int", "int", "int", "long", "unsigned int"]);
        let mut axes = Vec::new();
        for axis in 0..random.within(1, 3) {
            let low = match (axis, counts) {
                (0, "int" | "long") => random.within(-3, 5),
                _ => random.within(0, 5),
            };
            let high = random.within(0, 2).max(-low);
            let tile = (axis > 0 && random.chance(50)).then(|| random.within(1, 4));
            axes.push(Axis {
                low,
                // Rows do not overlap.
                high,
                step: match (axis, tile) {
                    (0, _) | (_, Some(_)) => 1,
                    _ => random.pick(&[1, 1, 1, 2, 3, -1]),
                },
                tile,
            });
        }
        let reads = match random.within(0, 3) {
            0 => {
                let stride = random.pick(&[1, 1, 1, 2, 4]);
                let many = random.within(1, 7);
                let mut read = |_| Read {
                    array: random.pick(&['a', 'a', 'a', 'b']),
                    weight: random.pick(&[1, 1, 2, -1]),
                    by: [
                        stride * random.within(-2, 2) + random.pick(&[0, 0, 0, 17]),
                        random.within(-1, 1),
                        random.within(-1, 1),
                    ],
                    shifted: random.chance(10),
                };
                (0..many).map(&mut read).collect()
            }
            // All points around one, or those along axes only.
            form => {
                let radius = random.within(1, if form == 1 { 1 } else { 3 });
                let mut reads = Vec::new();
                let begin = random.pick(&[0, 0, 0, 1]);
                for x in -radius..=radius {
                    for (y, z) in [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)] {
                        if form == 1 || x == 0 || (y, z) == (0, 0) {
                            reads.push(Read {
                                array: 'a',
                                weight: random.pick(&[1, 1, 2, -1]),
                                by: [x + begin, y, z],
                                shifted: false,
                            });
                        }
                    }
                }
                // In any order, and not all of them.
                let many = random.within(1, reads.len() as i64);
                for at in 0..reads.len() {
                    reads.swap(at, random.within(0, at as i64) as usize);
                }
                reads.truncate(if random.chance(50) {
                    reads.len()
                } else {
                    many as usize
                });
                reads
            }
        };
        let wobbles = axes.len() == 3 && random.chance(15);
        if wobbles {
            // Rows do not overlap, then, either.
            axes[0].high += 1;
        }
        Self {
            wobbles,
            scalar: random.pick(&scalars),
            along_x,
            counts,
            reads,
            guard: random.chance(25).then(|| {
                let modulus = random.within(2, 5);
                (modulus, random.within(0, modulus - 1))
            }),
            begin: AROUND + random.pick(&[0, 0, 1, 2, 3, 5]),
            named: random.chance(60),
            adds: random.chance(20),
            promises: random.chance(75),
            shifted: random.chance(15),
            axes,
        }
    }

    /// The values that an axis has for such an extent.
    fn values(&self, axis: usize, extent: i64) -> Vec<i64> {
        let this = self.axes[axis];
        let end = extent - this.high;
        match self.along_x {
            // Groups are not cut off.
            AlongX::Apart(items, stride) if axis == 0 => {
                let groups = (end - this.low).max(0) / stride;
                let values = (0..groups).flat_map(|g| (0..items).map(move |t| g * stride + t));
                values.map(|x| x + this.low).collect()
            }
            _ => (this.low..end).step_by(this.step.max(1) as usize).collect(),
        }
    }

    /// What stands in `o`, of arrays with these numbers.
    fn executed(&self, extents: [i64; 3], shift: i64, [a, b, o]: [&[i64]; 3]) -> Vec<i64> {
        let mut out = o.to_vec();
        let values = |axis: usize| match axis < self.axes.len() {
            true => self.values(axis, extents[axis]),
            false => vec![0],
        };
        let [nx, ny, _] = extents;
        for z in values(2) {
            for y in values(1) {
                for x in values(0) {
                    if let Some((modulus, rest)) = self.guard
                        && (x + 8 + y) % modulus == rest
                    {
                        continue;
                    }
                    let wobble = if self.wobbles { z % 2 } else { 0 };
                    let at = self.begin + (z * ny + y) * nx + x + wobble;
                    let sum: i64 = { self.reads.iter() }
                        .map(|read| {
                            let [dx, dy, dz] = self.by(read);
                            let shift = if read.shifted { shift } else { 0 };
                            let from = at + dx + (dz * ny + dy) * nx + shift;
                            let array = if read.array == 'a' { a } else { b };
                            read.weight * array[from as usize]
                        })
                        .sum();
                    let to = (at + if self.shifted { shift } else { 0 }) as usize;
                    out[to] = sum + if self.adds { out[to] } else { 0 };
                }
            }
        }
        out
    }

    /// How far a read is, along the axes that there are.
    fn by(&self, read: &Read) -> [i64; 3] {
        let there = |axis| i64::from(axis < self.axes.len());
        [0, 1, 2].map(|axis| there(axis) * read.by[axis])
    }

    fn source(&self, name: usize) -> String {
        let (t, c) = (self.scalar, self.counts);
        let promise = if self.promises { "@restrict " } else { "" };
        let mut out = format!(
            "@kernel void k{name}(const int nx, const int ny, const int nz, const int shift, {promise}const {t} *a, {promise}const {t} *b, {promise}{t} *o) {{\n"
        );
        let extents = ["nx", "ny", "nz"];
        let mut inner = Vec::new();
        for axis in (1..self.axes.len()).rev() {
            let this = self.axes[axis];
            let (v, n) = (["x", "y", "z"][axis], extents[axis]);
            let attribute = match this.tile {
                Some(size) => format!("@tile({size}, @outer, @inner)"),
                None => "@outer".to_string(),
            };
            let (low, high) = (this.low, this.high);
            let values = match this.step {
                1 => format!("int {v} = {low}; {v} < {n} - {high}; ++{v}"),
                -1 => format!("int {v} = {n} - {high} - 1; {v} >= {low}; --{v}"),
                by => format!("int {v} = {low}; {v} < {n} - {high}; {v} += {by}"),
            };
            let _ = writeln!(out, "for ({values}; {attribute}) {{");
        }
        let Axis { low, high, .. } = self.axes[0];
        let mut conditions = Vec::new();
        match self.along_x {
            AlongX::Tile(size) => {
                let _ = writeln!(
                    out,
                    "for ({c} x = {low}; x < nx - {high}; ++x; @tile({size}, @outer, @inner)) {{"
                );
            }
            AlongX::Pair(items) => {
                let _ = writeln!(
                    out,
                    "for (int g = 0; g < (nx - {high} - ({low}) + {items} - 1) / {items}; ++g; @outer) {{\n\
                     for ({c} t = 0; t < {items}; ++t; @inner) {{"
                );
                inner.push(format!("const int x = g * {items} + (int)t + {low};"));
                conditions.push(format!("x < nx - {high}"));
            }
            AlongX::Apart(items, stride) => {
                let _ = writeln!(
                    out,
                    "for (int g = 0; g < (nx - {high} - ({low})) / {stride}; ++g; @outer) {{\n\
                     for ({c} t = 0; t < {items}; ++t; @inner) {{"
                );
                inner.push(format!("const int x = g * {stride} + (int)t + {low};"));
            }
            AlongX::Stepped(items) => {
                let _ = writeln!(
                    out,
                    "for (int g = {low}; g < nx - {high}; g += {items}; @outer) {{\n\
                     for (int x = g; x < g + {items}; ++x; @inner) {{"
                );
                conditions.push(format!("x < nx - {high}"));
            }
        }
        let mut at = format!("{} + ", self.begin);
        match self.axes.len() {
            1 => at += "x",
            2 => at += "y * nx + x",
            _ => at += "(z * ny + y) * nx + x",
        }
        if self.wobbles {
            inner.push("const int q = z % 2;".to_string());
            at += " + q";
        }
        if self.named {
            inner.push(format!("const int i = {at};"));
            at = "i".to_string();
        }
        if let Some((modulus, rest)) = self.guard {
            let y = if self.axes.len() > 1 { "y" } else { "0" };
            conditions.push(format!("((int)x + 8 + {y}) % {modulus} != {rest}"));
        }
        let sum = self.reads.iter().map(|read| {
            let [dx, dy, dz] = self.by(read);
            let mut index = format!("{at} + {dx}");
            if dy != 0 {
                let _ = write!(index, " + {dy} * nx");
            }
            if dz != 0 {
                let _ = write!(index, " + {dz} * nx * ny");
            }
            if read.shifted {
                index += " + shift";
            }
            format!("{} * {}[{index}]", read.weight, read.array)
        });
        let sum: Vec<String> = sum.collect();
        let to = if self.shifted { " + shift" } else { "" };
        let sign = if self.adds { "+=" } else { "=" };
        let statement = format!("o[{at}{to}] {sign} {};", sum.join(" + "));
        for line in inner {
            let _ = writeln!(out, "{line}");
        }
        let _ = match conditions.is_empty() {
            true => writeln!(out, "{statement}"),
            false => writeln!(out, "if ({}) {{ {statement} }}", conditions.join(" && ")),
        };
        let loops = self.axes.len() + usize::from(!matches!(self.along_x, AlongX::Tile(_)));
        out + &"}".repeat(loops + 1) + "\n"
    }
}

impl Grids {
    /// Loops that begin where the ones around them are not every device runs: `stepped`.
    pub fn random(seed: u64, kernels: usize, stepped: bool) -> Self {
        let mut random = Random::new(seed);
        let mut kernels: Vec<Kernel> = (0..kernels).map(|_| Kernel::random(&mut random)).collect();
        for kernel in &mut kernels {
            if let (AlongX::Stepped(items), false) = (kernel.along_x, stepped) {
                kernel.along_x = AlongX::Tile(items);
            }
        }
        Self { kernels, seed }
    }

    pub fn source(&self) -> String {
        let all = self.kernels.iter().enumerate();
        all.map(|(name, kernel)| kernel.source(name)).collect()
    }

    pub fn run(&self, device: &str, options: BuildOptions) -> Result<(), String> {
        let built = Executor::build(device, &self.source(), options)?;
        let mut random = Random::new(self.seed.wrapping_add(1 << 32));
        for (name, kernel) in self.kernels.iter().enumerate() {
            let scalar = Scalar::parse(kernel.scalar).ok_or("a type")?;
            for round in 0..6 {
                let mut extents = MOST.map(|most| random.within(1, most));
                // The bound of an unsigned variable is not below zero.
                extents[0] = extents[0].max(8);
                // Rows whose elements are aligned as those of others, too.
                if round % 2 == 0 {
                    extents[0] = (extents[0] + 3) / 4 * 4;
                }
                let shift = random.pick(&[0, 0, 1, 2, 3]);
                let [nx, ny, nz] = extents;
                let length = 2 * AROUND + (nz + 6) * (ny + 6) * nx + nx;
                let mut numbers = |low, high| -> Vec<i64> {
                    (0..length).map(|_| random.within(low, high)).collect()
                };
                let arrays = [numbers(-3, 3), numbers(-3, 3), numbers(-9, 9)];
                let [a, b, o] = &arrays;
                let expected = kernel.executed(extents, shift, [a, b, o]);
                let expected: Vec<f64> = expected.iter().map(|n| *n as f64).collect();
                let mut given = Vec::from([nx, ny, nz, shift].map(Argument::int));
                given.extend(arrays.iter().map(|numbers| {
                    let bytes = numbers.iter().flat_map(|n| scalar.encode(*n as f64));
                    Argument::Buffer(bytes.collect())
                }));
                built.launch(&format!("k{name}"), &mut given)?;
                let found = given.last().map_or(&[][..], Argument::bytes);
                let found = found.chunks_exact(scalar.size()).map(|b| scalar.decode(b));
                let found: Vec<f64> = found.collect();
                if found != expected {
                    let differ =
                        (0..length).filter(|i| found[*i as usize] != expected[*i as usize]);
                    let differ: Vec<i64> = differ.map(|i| i - kernel.begin).collect();
                    return Err(format!(
                        "kernel k{name}, extents {extents:?}, shift {shift}: elements {differ:?} differ\n{}",
                        kernel.source(name)
                    ));
                }
            }
        }
        Ok(())
    }
}
