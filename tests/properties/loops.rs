//! Random kernels of attributed loops, and what they have to execute.

use crate::properties::random::Random;
use std::fmt::Write;

/// Values of loop variables lie in `-OFFSET..WIDTH - OFFSET`.
const WIDTH: i64 = 64;
const OFFSET: i64 = 16;

/// One source with some kernels, and the arguments that each is launched with.
pub struct Program {
    pub kernels: Vec<Kernel>,
    pub arguments: Vec<[i32; 3]>,
}

/// `void kN(int a, int b, int c, int *count, const int *number)`, with [`numbers`].
pub struct Kernel {
    nests: Vec<Nest>,
    /// Iterations of an outer loop read what its neighbours read.
    neighbours: bool,
}

/// An array of which each element is its own number, as many as indices are made of loop variables.
pub fn numbers() -> Vec<i32> {
    (0..128).collect()
}

/// Outer loops around some chains of inner ones, which have a part of the counters each.
struct Nest {
    host: Host,
    outer: Vec<Loop>,
    chains: Vec<Vec<Loop>>,
}

/// What stands around a nest, on the host's side.
#[derive(Clone, Copy)]
enum Host {
    Nothing,
    /// A loop of so many rounds.
    Loop(i64),
    /// `if (a > b)`
    Condition,
}

struct Loop {
    variable: String,
    type_name: &'static str,
    start: Bound,
    end: Bound,
    comparison: Comparison,
    down: bool,
    step: i64,
    /// How the step is written, of four ways.
    form: i64,
    /// Whether the bound is on the left.
    flipped: bool,
    attribute: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Comparison {
    Strict,
    Inclusive,
    Unequal,
}

/// The sum of an outer loop's variable, an argument and a number.
#[derive(Clone, Copy, Default)]
struct Bound {
    /// The loop's place in its nest.
    variable: Option<usize>,
    argument: Option<usize>,
    number: i64,
}

impl Bound {
    fn number(number: i64) -> Self {
        Self {
            number,
            ..Self::default()
        }
    }

    fn value(&self, arguments: &[i32; 3], outer: &[i64]) -> i64 {
        let argument = self.argument.map_or(0, |a| arguments[a].into());
        self.variable.map_or(0, |v| outer[v]) + argument + self.number
    }

    fn text(&self) -> String {
        let variable = self.variable.map(|v| format!("v{v}"));
        let argument = self.argument.map(|a| ["a", "b", "c"][a].to_string());
        let mut parts: Vec<String> = variable.into_iter().chain(argument).collect();
        if self.number != 0 || parts.is_empty() {
            parts.push(self.number.to_string());
        }
        parts.join(" + ").replace("+ -", "- ")
    }
}

impl Loop {
    /// A loop whose extent is known when it is launched (`runtime`) or when it is translated.
    fn random(random: &mut Random, place: usize, runtime: bool, most: i64) -> Self {
        let types = [
            "int",
            "int",
            "unsigned int",
            "long",
            "unsigned long",
            "short",
        ];
        let type_name = random.pick(&types);
        let unsigned = type_name.starts_with("unsigned");
        let step = random.pick(&[1, 1, 1, 2, 3, 5]);
        let down = random.chance(40);
        // Below zero an unsigned variable would start again from above.
        let lowest = match (unsigned, down) {
            (true, true) => step,
            (true, false) => 0,
            (false, _) => -8,
        };
        let mut low = Bound::number(random.within(lowest, lowest + 8));
        let mut high = Bound::number(low.number + random.within(1, most));
        if runtime {
            if !unsigned && random.chance(30) {
                low.argument = Some(2);
            }
            high = Bound {
                argument: Some(random.pick(&[0, 1])),
                number: random.within(if unsigned { 0 } else { -4 }, 6),
                ..Bound::default()
            };
        }
        let mut comparison = random.pick(&[
            Comparison::Strict,
            Comparison::Strict,
            Comparison::Inclusive,
        ]);
        if !runtime && step == 1 && random.chance(20) {
            comparison = Comparison::Unequal;
        }
        Self {
            variable: format!("v{place}"),
            type_name,
            start: if down { high } else { low },
            end: if down { low } else { high },
            comparison,
            down,
            step,
            form: random.within(0, 3),
            flipped: random.chance(20),
            attribute: String::new(),
        }
    }

    /// `T v = u; v < u + size` over an outer loop's `u`.
    fn block(random: &mut Random, place: usize, outer: usize, around: &Loop) -> Self {
        let start = Bound {
            variable: Some(outer),
            ..Bound::default()
        };
        let end = match random.chance(50) {
            true => Bound {
                argument: Some(2),
                ..start
            },
            false => Bound {
                number: random.within(1, 8),
                ..start
            },
        };
        Self {
            variable: format!("v{place}"),
            type_name: around.type_name,
            start,
            end,
            comparison: Comparison::Strict,
            down: false,
            step: 1,
            form: random.within(0, 3),
            flipped: false,
            attribute: String::new(),
        }
    }

    fn with(mut self, attribute: &str) -> Self {
        self.attribute = attribute.to_string();
        self
    }

    fn header(&self) -> String {
        let v = &self.variable;
        let (plain, mirrored) = match (self.comparison, self.down) {
            (Comparison::Unequal, _) => ("!=", "!="),
            (Comparison::Strict, false) => ("<", ">"),
            (Comparison::Strict, true) => (">", "<"),
            (Comparison::Inclusive, false) => ("<=", ">="),
            (Comparison::Inclusive, true) => (">=", "<="),
        };
        let end = self.end.text();
        let condition = match self.flipped {
            true => format!("{end} {mirrored} {v}"),
            false => format!("{v} {plain} {end}"),
        };
        let sign = if self.down { "-" } else { "+" };
        let step = self.step;
        let update = match (self.form, step) {
            (0, 1) => format!("{sign}{sign}{v}"),
            (1, 1) => format!("{v}{sign}{sign}"),
            (0 | 2, _) => format!("{v} {sign}= {step}"),
            _ => format!("{v} = {v} {sign} {step}"),
        };
        let attribute = match self.attribute.is_empty() {
            true => String::new(),
            false => format!("; {}", self.attribute),
        };
        let (ty, start) = (self.type_name, self.start.text());
        format!("for ({ty} {v} = {start}; {condition}; {update}{attribute})")
    }

    /// The variable's values, as C's loop has them.
    fn values(&self, arguments: &[i32; 3], outer: &[i64]) -> Vec<i64> {
        let end = self.end.value(arguments, outer);
        let mut at = self.start.value(arguments, outer);
        let mut values = Vec::new();
        let goes_on = |at: i64| match (self.comparison, self.down) {
            (Comparison::Unequal, _) => at != end,
            (Comparison::Strict, false) => at < end,
            (Comparison::Strict, true) => at > end,
            (Comparison::Inclusive, false) => at <= end,
            (Comparison::Inclusive, true) => at >= end,
        };
        while goes_on(at) {
            values.push(at);
            at += if self.down { -self.step } else { self.step };
        }
        values
    }
}

impl Nest {
    fn random(random: &mut Random) -> Self {
        let size = random.pick(&[1i64, 2, 3, 4, 7, 8, 16, 32]);
        let small = random.within(1, 6);
        let mut outer = Vec::new();
        let mut chains = Vec::new();
        match random.within(0, 5) {
            // One tiled loop.
            0 => {
                let tiled = Loop::random(random, 0, true, 24);
                outer.push(tiled.with(&format!("@tile({size}, @outer, @inner)")));
                chains.push(Vec::new());
            }
            // An outer loop, and a tiled one below it.
            1 => {
                outer.push(Loop::random(random, 0, true, 24).with("@outer"));
                let tiled = Loop::random(random, 1, true, 24);
                chains.push(vec![tiled.with(&format!("@tile({size}, @outer, @inner)"))]);
            }
            // Tiles whose parts are loops of the same kind, or of none.
            2 => {
                let kind = random.pick(&["@outer", "@outer, @outer"]);
                let tiled = Loop::random(random, 0, true, 24);
                outer.push(tiled.with(&format!("@tile({small}, {kind})")));
                let kind = random.pick(&["@inner", "@inner, @inner"]);
                let tiled = Loop::random(random, 1, false, 16);
                chains.push(vec![tiled.with(&format!("@tile({small}, {kind})"))]);
            }
            // Inner loops that begin where an outer one is.
            3 => {
                outer.push(Loop::random(random, 0, true, 20).with("@outer"));
                chains.push(vec![Loop::block(random, 1, 0, &outer[0]).with("@inner")]);
            }
            // Loops as they are, with inner siblings of different extents.
            _ => {
                let (depth, runtime) = (random.within(1, 2) as usize, random.chance(30));
                for place in 0..depth {
                    outer.push(Loop::random(random, place, true, 20).with("@outer"));
                }
                for _ in 0..random.within(1, 2) {
                    let inner = if depth == 2 {
                        1
                    } else {
                        random.within(1, 2) as usize
                    };
                    let make = |random: &mut Random, n| {
                        Loop::random(random, depth + n, runtime && n == 0, 12).with("@inner")
                    };
                    chains.push((0..inner).map(|n| make(random, n)).collect());
                }
            }
        }
        // An ordinary loop at the end of a chain, tiled now and then.
        for chain in &mut chains {
            let place = outer.len() + chain.len();
            if place < 3 && random.chance(30) {
                let tile = format!("@tile({small})");
                let attribute = if random.chance(40) { tile.as_str() } else { "" };
                chain.push(Loop::random(random, place, false, 10).with(attribute));
            }
        }
        let host = match random.within(0, 9) {
            0 => Host::Loop(random.within(0, 3)),
            1 => Host::Condition,
            _ => Host::Nothing,
        };
        Self {
            host,
            outer,
            chains,
        }
    }
}

impl Program {
    pub fn random(random: &mut Random) -> Self {
        let kernels = (0..10)
            .map(|_| Kernel {
                nests: (0..random.within(1, 2))
                    .map(|_| Nest::random(random))
                    .collect(),
                neighbours: random.chance(50),
            })
            .collect();
        let mut arguments = vec![[0, 0, 0], [1, 2, 1], [9, 4, 8]];
        arguments.extend((0..3).map(|_| {
            [(0, 24), (0, 24), (0, 8)].map(|(low, high)| random.within(low, high) as i32)
        }));
        Self { kernels, arguments }
    }

    /// The kernels as OKL.
    pub fn source(&self) -> String {
        let mut text = String::new();
        for (index, kernel) in self.kernels.iter().enumerate() {
            kernel.write(index, &mut text).unwrap();
        }
        text
    }
}

impl Kernel {
    fn write(&self, index: usize, text: &mut String) -> std::fmt::Result {
        writeln!(
            text,
            "@kernel void k{index}(const int a, const int b, const int c, int *count, @restrict const int *number) {{"
        )?;
        let mut section = 0;
        for nest in &self.nests {
            match nest.host {
                Host::Nothing => writeln!(text, "  {{")?,
                Host::Loop(rounds) => {
                    writeln!(text, "  for (int round = 0; round < {rounds}; ++round) {{")?;
                }
                Host::Condition => writeln!(text, "  if (a > b) {{")?,
            }
            for outer in &nest.outer {
                writeln!(text, "    {} {{", outer.header())?;
            }
            for chain in &nest.chains {
                for inner in chain {
                    writeln!(text, "      {} {{", inner.header())?;
                }
                let all: Vec<&Loop> = nest.outer.iter().chain(chain).collect();
                let index = all
                    .iter()
                    .fold(String::new(), |sum, l| match sum.is_empty() {
                        true => format!("((int) {} + {OFFSET})", l.variable),
                        false => format!("({sum} * {WIDTH} + (int) {} + {OFFSET})", l.variable),
                    });
                // One, too, and read by the iteration before.
                let one = match nest.outer.last() {
                    Some(outer) if self.neighbours => {
                        let (v, step) = (&outer.variable, outer.step);
                        let (here, next) = (2 * OFFSET, 2 * OFFSET + step);
                        format!("number[{v} + {next}] - number[{v} + {here}] - {}", step - 1)
                    }
                    _ => "1".to_string(),
                };
                writeln!(text, "        @atomic count[{section} + {index}] += {one};")?;
                writeln!(text, "      {}", "}".repeat(chain.len()))?;
                section += size(all.len());
            }
            writeln!(text, "    {}\n  }}", "}".repeat(nest.outer.len()))?;
        }
        writeln!(text, "}}")
    }

    /// How often each iteration of each chain runs.
    pub fn executed(&self, arguments: &[i32; 3]) -> Vec<i32> {
        let mut counts = Vec::new();
        for nest in &self.nests {
            let rounds = match nest.host {
                Host::Nothing => 1,
                Host::Loop(rounds) => rounds as i32,
                Host::Condition => i32::from(arguments[0] > arguments[1]),
            };
            for chain in &nest.chains {
                let all: Vec<&Loop> = nest.outer.iter().chain(chain).collect();
                let mut section = vec![0; size(all.len())];
                visit(&all, arguments, &mut Vec::new(), &mut |at| {
                    let place = at.iter().fold(0, |sum, v| sum * WIDTH + v + OFFSET);
                    section[place as usize] += rounds;
                });
                counts.extend(section);
            }
        }
        counts
    }

    /// The iteration that a counter is for.
    pub fn name(&self, mut counter: usize) -> String {
        let chains = self
            .nests
            .iter()
            .enumerate()
            .flat_map(|(n, nest)| nest.chains.iter().map(move |c| (n, nest, c)));
        for (number, nest, chain) in chains {
            let depth = nest.outer.len() + chain.len();
            if counter >= size(depth) {
                counter -= size(depth);
                continue;
            }
            let width = WIDTH as usize;
            let values: Vec<i64> = (0..depth)
                .rev()
                .map(|level| (counter / width.pow(level as u32) % width) as i64 - OFFSET)
                .collect();
            return format!("{values:?} of nest {number}");
        }
        "of no nest".to_string()
    }
}

/// Counters of a chain.
fn size(depth: usize) -> usize {
    (WIDTH as usize).pow(depth as u32)
}

fn visit(loops: &[&Loop], arguments: &[i32; 3], at: &mut Vec<i64>, each: &mut dyn FnMut(&[i64])) {
    let Some((first, rest)) = loops.split_first() else {
        return each(at);
    };
    for value in first.values(arguments, at) {
        at.push(value);
        visit(rest, arguments, at, each);
        at.pop();
    }
}
