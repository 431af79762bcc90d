//! Brook+ kernels over streams of random shapes, against what LANGUAGE says of each element, computed here.

use super::random::Random;
use super::stream_executor::{Given, StreamExecutor};
use brook::Checking;
use brook::expr::Scalar;
use brook::runtime::BuildOptions;

/// The sources of a seed's kernels, and what is done with them.
pub struct Streams {
    rank: usize,
    output: Vec<u32>,
    inputs: Vec<Vec<u32>>,
    /// Extents of a reduction's input and of its output.
    folded: (Vec<u32>, Vec<u32>),
    /// Components that are read of a `float4`, and those that they are written to.
    read: String,
    written: String,
    operator: &'static str,
    /// The reduction is written in a way that keeps the order of elements.
    in_order: bool,
    /// Elements of streams in one dimension that all have the same extent.
    line: u32,
    /// Constants that places along a row are read at, and whether a variable is changed before.
    beside: [i64; 2],
    changed: bool,
}

impl Streams {
    pub fn random(random: &mut Random) -> Self {
        let rank = random.within(1, 4) as usize;
        let most = [300, 24, 9, 5][rank - 1];
        let mut shape = || -> Vec<u32> {
            let extents = (0..rank).map(|_| random.within(1, most) as u32);
            extents.collect()
        };
        let output = shape();
        let inputs = vec![shape(), shape()];
        let target: Vec<u32> = shape();
        // Left-most dimensions may be all that a reduction keeps.
        let kept = random.within(1, rank as i64) as usize;
        let tile = |axis: usize, random: &mut Random| match axis < kept {
            true => target[axis] * random.within(1, 4) as u32,
            false => random.within(1, 40) as u32,
        };
        let input: Vec<u32> = (0..rank).map(|axis| tile(axis, random)).collect();
        // Long tiles, which many items share.
        let long = random.within(0, 2) == 0;
        let folded = match (long, rank) {
            (true, 1) => (vec![random.within(1, 100_000) as u32], vec![1]),
            // Tiles with rows that suit the items of a group.
            (false, 2) if random.within(0, 1) == 0 => {
                let outputs = [random.within(1, 6) as u32, random.within(1, 12) as u32];
                let tile = [random.within(1, 90) as u32, random.pick(&[1, 4, 8, 32, 64])];
                (
                    vec![outputs[0] * tile[0], outputs[1] * tile[1]],
                    outputs.to_vec(),
                )
            }
            (true, 2) => {
                let (rows, columns) = (random.within(1, 400) as u32, random.within(1, 300) as u32);
                let target = random.pick(&[[1, columns], [rows, 1], [1, 1]]);
                (vec![rows, columns], target.to_vec())
            }
            _ => (input, target[..kept].to_vec()),
        };
        let width = random.within(1, 4) as usize;
        let mut letters: Vec<char> = "xyzw".chars().collect();
        let mut written = String::new();
        for _ in 0..width {
            let at = random.within(0, letters.len() as i64 - 1) as usize;
            written.push(letters.remove(at));
        }
        let operator = random.pick(&["+", "^", "|", "-"]);
        let read = (0..width).map(|_| random.pick(&['x', 'y', 'z', 'w']));
        Self {
            rank,
            output,
            inputs,
            folded,
            read: read.collect(),
            written,
            operator,
            in_order: operator == "-" || random.within(0, 3) == 0,
            line: random.within(1, 3000) as u32,
            beside: [random.within(-7, 7), random.within(-7, 7)],
            changed: random.within(0, 3) == 0,
        }
    }

    pub fn source(&self) -> String {
        let Self {
            read,
            written,
            operator,
            ..
        } = self;
        let brackets = "[]".repeat(self.rank);
        format!(
            "kernel void resized(int a<>, int b<>, out int c<>) {{ c = a * 10007 + b; }}\n\
             kernel void swizzled(int4 a<>, out int4 o<>) {{ o = a.wzyx; o.{written} = a.{read}; }}\n\
             kernel void gathered(int a{brackets}, int shift, out int o<>) {{\n  \
               int4 p = instance();\n  o = a{indices};\n}}\n\
             kernel void beside(int a{brackets}, out int o<>) {{\n  \
               int4 p = instance();\n  int x = p.x + {first};\n  {changes}\n  \
               o = a{rows}[x] + 3 * a{rows}[{second} + p.x] + 5 * a{rows}[x - 1];\n}}\n\
             kernel void mapped(int a<>, int b<>, int2 v<>, out int c<>, out int2 w<>) {{\n  \
               w = v + int2(a, b);\n  if (a > b) c = a * 3 - b;\n}}\n\
             reduce void folded(int a<>, reduce int r<>) {{ {folds} }}\n",
            folds = match self.in_order {
                true => format!("r = r {operator} a;"),
                false => format!("r {operator}= a;"),
            },
            first = self.beside[0],
            second = self.beside[1],
            changes = if self.changed { "x -= 1;" } else { "" },
            rows = ["y", "z", "w"][..self.rank - 1]
                .iter()
                .rev()
                .map(|c| format!("[p.{c} + 1]"))
                .collect::<String>(),
            indices = ["x", "y", "z", "w"][..self.rank]
                .iter()
                .rev()
                .map(|c| format!("[p.{c} * 2 - shift]"))
                .collect::<String>(),
        )
    }

    pub fn run(&self, name: &str) -> Result<(), String> {
        let options = BuildOptions::new().cache(false);
        let checking = Checking::default();
        let built = StreamExecutor::build(name, &self.source(), checking, options)?;
        self.resized(&built)?;
        self.swizzled(&built)?;
        self.gathered(&built)?;
        self.beside(&built)?;
        self.mapped(&built)?;
        self.folded(&built)
    }

    /// Element by element: `in_index = out_index * in_extent / out_extent` in each dimension.
    fn resized(&self, built: &StreamExecutor) -> Result<(), String> {
        let [a, b] = [&self.inputs[0], &self.inputs[1]].map(|s| stream("int", s, 1));
        let c = stream("int", &self.output, 1);
        let mut arguments = [a.0, b.0, c.0];
        built.call("resized", &mut arguments)?;
        let expected = places(&self.output).map(|place| {
            let of = |values: &[i32], shape: &[u32]| {
                let scaled = place.iter().zip(shape).zip(&self.output);
                let own: Vec<u64> = scaled
                    .map(|((p, to), from)| p * u64::from(*to) / u64::from(*from))
                    .collect();
                values[linear(&own, shape)]
            };
            let first = of(&a.1, &self.inputs[0]).wrapping_mul(10007);
            first.wrapping_add(of(&b.1, &self.inputs[1]))
        });
        compare("resized", &arguments[2], expected.collect())
    }

    fn swizzled(&self, built: &StreamExecutor) -> Result<(), String> {
        let a = stream("int4", &self.output, 4);
        let mut arguments = [a.0, stream("int4", &self.output, 4).0];
        built.call("swizzled", &mut arguments)?;
        let component = |c: char| "xyzw".find(c).unwrap_or(0);
        let expected = a.1.chunks(4).flat_map(|v| {
            let mut out: Vec<i32> = v.iter().rev().copied().collect();
            for (to, from) in self.written.chars().zip(self.read.chars()) {
                out[component(to)] = v[component(from)];
            }
            out
        });
        compare("swizzled", &arguments[1], expected.collect())
    }

    /// Indices are clamped to each dimension.
    fn gathered(&self, built: &StreamExecutor) -> Result<(), String> {
        let a = stream("int", &self.inputs[0], 1);
        let o = stream("int", &self.output, 1);
        let shift = 3i32;
        let value = Given::Value(Scalar::Int, shift.to_ne_bytes().to_vec());
        let mut arguments = [a.0, value, o.0];
        built.call("gathered", &mut arguments)?;
        let expected = places(&self.output).map(|place| {
            let clamped = place.iter().zip(&self.inputs[0]).map(|(p, extent)| {
                let wanted = *p as i64 * 2 - i64::from(shift);
                wanted.clamp(0, i64::from(*extent) - 1) as u64
            });
            a.1[linear(&clamped.collect::<Vec<_>>(), &self.inputs[0])]
        });
        compare("gathered", &arguments[2], expected.collect())
    }

    /// The same along rows, at constant distances.
    fn beside(&self, built: &StreamExecutor) -> Result<(), String> {
        let a = stream("int", &self.inputs[0], 1);
        let mut arguments = [a.0, stream("int", &self.output, 1).0];
        built.call("beside", &mut arguments)?;
        let first = self.beside[0] - i64::from(self.changed);
        let offsets = [(first, 1), (self.beside[1], 3), (first - 1, 5)];
        let expected = places(&self.output).map(|place| {
            let of = |(along, times): (i64, i32)| {
                let mut offset = vec![1; place.len()];
                offset[place.len() - 1] = along;
                let wanted = place.iter().zip(offset).zip(&self.inputs[0]);
                let clamped = wanted.map(|((p, offset), extent)| {
                    (*p as i64 + offset).clamp(0, i64::from(*extent) - 1) as u64
                });
                let at = linear(&clamped.collect::<Vec<_>>(), &self.inputs[0]);
                a.1[at].wrapping_mul(times)
            };
            offsets.into_iter().map(of).fold(0, i32::wrapping_add)
        });
        compare("beside", &arguments[1], expected.collect())
    }

    /// Item i has element i of every stream; one output is left as it was where the condition does not hold.
    fn mapped(&self, built: &StreamExecutor) -> Result<(), String> {
        let line = [self.line];
        let [a, b, c] = [1, 2, 3].map(|_| stream("int", &line, 1));
        let [v, w] = [1, 2].map(|_| stream("int2", &line, 2));
        let backwards: Vec<i32> = b.1.iter().rev().copied().collect();
        let bytes = backwards.iter().flat_map(|n| n.to_ne_bytes()).collect();
        let b = (Given::stream("int", &line, bytes), backwards);
        let mut arguments = [a.0, b.0, v.0, c.0, w.0];
        built.call("mapped", &mut arguments)?;
        let pairs = || a.1.iter().zip(&b.1);
        let expected = pairs().zip(&c.1).map(|((a, b), c)| match a > b {
            true => a.wrapping_mul(3).wrapping_sub(*b),
            false => *c,
        });
        compare("mapped", &arguments[3], expected.collect())?;
        let sums = v.1.chunks(2).zip(pairs());
        let sums = sums.flat_map(|(v, (a, b))| [v[0].wrapping_add(*a), v[1].wrapping_add(*b)]);
        compare("mapped to vectors", &arguments[4], sums.collect())
    }

    /// Each output folds its own tile, row-major; a function that is no operator starts with the first element.
    fn folded(&self, built: &StreamExecutor) -> Result<(), String> {
        let (from, to) = &self.folded;
        let a = stream("int", from, 1);
        let mut arguments = [a.0, stream("int", to, 1).0];
        built.call("folded", &mut arguments)?;
        let tile: Vec<u32> = (0..from.len())
            .map(|axis| from[axis] / to.get(axis).copied().unwrap_or(1))
            .collect();
        let expected = places(to).map(|corner| {
            let own = places(&tile).map(|inside| {
                let place = (0..from.len()).map(|axis| {
                    let corner = corner.get(axis).copied().unwrap_or(0);
                    corner * u64::from(tile[axis]) + inside[axis]
                });
                a.1[linear(&place.collect::<Vec<_>>(), from)]
            });
            own.reduce(|r, a| match self.operator {
                "+" => r.wrapping_add(a),
                "^" => r ^ a,
                "|" => r | a,
                _ => r.wrapping_sub(a),
            })
            .unwrap_or(0)
        });
        // Folding a difference in parts is not the same: it is no fold of adjacent ranges.
        match self.operator == "-" && tile.iter().product::<u32>() >= 1024 {
            true => Ok(()),
            false => compare("folded", &arguments[1], expected.collect()),
        }
    }
}

/// A stream and its elements, which are all different.
fn stream(element: &str, extents: &[u32], width: usize) -> (Given, Vec<i32>) {
    let count = extents.iter().product::<u32>() as usize * width;
    let values: Vec<i32> = (0..count as i32)
        .map(|i| i.wrapping_mul(2_654_435) ^ i)
        .collect();
    let bytes = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    (Given::stream(element, extents, bytes), values)
}

fn compare(what: &str, stream: &Given, expected: Vec<i32>) -> Result<(), String> {
    let bytes = stream.bytes();
    let found: Vec<i32> = bytes
        .chunks_exact(4)
        .map(|word| i32::from_ne_bytes(word.try_into().unwrap()))
        .collect();
    match (0..expected.len()).find(|&i| found.get(i) != Some(&expected[i])) {
        None => Ok(()),
        Some(at) => Err(format!(
            "{what}: number {at} is {:?}, not {}",
            found.get(at),
            expected[at]
        )),
    }
}

/// All places of a shape, row-major, slowest dimension first.
fn places(extents: &[u32]) -> impl Iterator<Item = Vec<u64>> + '_ {
    let count: u64 = extents.iter().map(|e| u64::from(*e)).product();
    (0..count).map(move |mut rest| {
        let mut place = vec![0; extents.len()];
        for (p, extent) in place.iter_mut().zip(extents).rev() {
            *p = rest % u64::from(*extent);
            rest /= u64::from(*extent);
        }
        place
    })
}

fn linear(place: &[u64], extents: &[u32]) -> usize {
    let pairs = place.iter().zip(extents);
    pairs.fold(0, |index, (p, extent)| {
        index * *extent as usize + *p as usize
    })
}
