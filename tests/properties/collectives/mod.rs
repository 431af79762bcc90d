//! Random kernels that call functions of a whole group, and what every item has to get.
//!
//! - `number`: types and values
//! - `call`: one call
//! - `statement`: one statement with calls

mod call;
mod number;
mod statement;

use crate::properties::executor::{Argument, Executor};
use crate::properties::random::Random;
use brook::runtime::BuildOptions;
use call::Place;
use number::{Number, Type};
use statement::Statement;
use std::fmt::Write;

/// What loops whose number of rounds is an argument run.
const ROUNDS: i64 = 3;

/// One source with some kernels.
pub struct Program {
    kernels: Vec<Kernel>,
    seed: u64,
}

/// `void kN(int n, int rounds, int nx, int ny, int nz, …)`: arrays that are read and written, of each type.
struct Kernel {
    groups: i64,
    /// Inner loops beside each other, the first of which all items of a group run.
    nests: Vec<Nest>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Extents that the translator knows.
    Known,
    /// Extents that the launch knows.
    Told,
    /// `@tile` over so many elements, the last tile in part.
    Tiled(i64),
}

struct Nest {
    /// The slowest first, as the loops stand.
    extents: Vec<i64>,
    statements: Vec<Statement>,
}

/// As many items as a group has: any number, or one around which something changes.
fn items(random: &mut Random) -> i64 {
    let edges = [
        1, 2, 7, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 255, 256, 257, 480, 512, 992, 1000,
        1023, 1024,
    ];
    match random.within(0, 1) {
        0 => random.pick(&edges),
        _ => random.within(1, 1024),
    }
}

impl Nest {
    fn random(random: &mut Random, form: Form) -> Self {
        let axes = match form {
            Form::Tiled(_) => 1,
            _ => random.within(1, 3),
        };
        let mut left = items(random);
        let mut extents = Vec::new();
        for axis in 1..axes {
            // No device has more than 64 along the slowest axis of three.
            let most = if (axis, axes) == (1, 3) {
                left.min(64)
            } else {
                left
            };
            let divisors: Vec<i64> = (1..=most).filter(|d| left % d == 0).collect();
            let extent = match random.within(0, 1) {
                0 => random.pick(&divisors),
                _ => random.within(1, most),
            };
            extents.push(extent);
            left /= extent;
        }
        extents.push(left);
        Self {
            extents,
            statements: Vec::new(),
        }
    }

    /// A nest for some of another one's items.
    fn beside(random: &mut Random, other: &Self) -> Self {
        let axes = random.within(1, other.extents.len() as i64) as usize;
        let extents = &other.extents[other.extents.len() - axes..];
        let extents = match random.within(0, 2) {
            0 => other.extents.clone(),
            _ => extents.iter().map(|e| random.within(1, *e)).collect(),
        };
        Self {
            extents,
            statements: Vec::new(),
        }
    }

    fn add_statements(&mut self, random: &mut Random, form: Form, whole: bool) {
        // Behind the last element nobody is whose value could be asked for.
        let present = match form {
            Form::Tiled(length) if length % self.items() != 0 => length % self.items(),
            _ => i64::MAX,
        };
        for _ in 0..random.within(1, 4) {
            let statement = Statement::random(random, &self.extents, present, form, whole);
            self.statements.push(statement);
        }
    }

    fn items(&self) -> i64 {
        self.extents.iter().product()
    }
}

impl Kernel {
    fn random(random: &mut Random) -> Self {
        let form = match random.within(0, 5) {
            0 => Form::Told,
            1 => Form::Tiled(random.within(1, 1500)),
            _ => Form::Known,
        };
        let mut nests = vec![Nest::random(random, form)];
        if form == Form::Known && random.within(0, 1) == 1 {
            nests.push(Nest::beside(random, &nests[0]));
        }
        let largest = nests[0].extents.clone();
        for nest in &mut nests {
            let whole = nest.extents == largest;
            nest.add_statements(random, form, whole);
        }
        let groups = match form {
            Form::Tiled(length) => (length as u64).div_ceil(nests[0].items() as u64) as i64,
            _ => random.within(1, 3),
        };
        Self {
            groups,
            nests,
            form,
        }
    }

    /// Elements of each array of values, which is a row of results, too.
    fn length(&self) -> i64 {
        match self.form {
            Form::Tiled(length) => length,
            _ => self.groups * self.nests[0].items(),
        }
    }

    /// All statements with their nests, and their first rows of results.
    fn rows(&self) -> impl Iterator<Item = (i64, &Nest, &Statement)> {
        let mut next = 0;
        let all = self.nests.iter();
        all.flat_map(|nest| nest.statements.iter().map(move |s| (nest, s)))
            .map(move |(nest, statement)| {
                let row = next;
                next += statement.around.rows();
                (row, nest, statement)
            })
    }

    fn write(&self, index: usize, text: &mut String) -> std::fmt::Result {
        write!(
            text,
            "@kernel void k{index}(const int n, const int rounds, const int nx, const int ny, const int nz"
        )?;
        for ty in Type::ALL {
            let (name, letter) = (ty.name(), ty.letter());
            write!(text, ",\n    const {name} *x{letter}, {name} *y{letter}")?;
        }
        writeln!(text, ") {{")?;
        if let Form::Tiled(_) = self.form {
            let size = self.nests[0].items();
            writeln!(
                text,
                "  for (int e = 0; e < n; ++e; @tile({size}, @outer, @inner)) {{"
            )?;
        } else {
            writeln!(
                text,
                "  for (int g = 0; g < {}; ++g; @outer) {{",
                self.groups
            )?;
        }
        let rows: Vec<(i64, &Nest, &Statement)> = self.rows().collect();
        for nest in &self.nests {
            let axes = nest.extents.len();
            if !matches!(self.form, Form::Tiled(_)) {
                let mut item = "g".to_string();
                for (axis, extent) in nest.extents.iter().enumerate() {
                    let variable = ["i", "j", "k"][axes - 1 - axis];
                    let end = match self.form {
                        Form::Told => ["nx", "ny", "nz"][axes - 1 - axis].to_string(),
                        _ => extent.to_string(),
                    };
                    writeln!(
                        text,
                        "    for (int {variable} = 0; {variable} < {end}; ++{variable}; @inner) {{"
                    )?;
                    item = format!("({item} * {end} + {variable})");
                }
                writeln!(text, "        const int e = {item};")?;
            }
            for (row, _, statement) in rows.iter().filter(|(_, of, _)| std::ptr::eq(*of, nest)) {
                statement.write(*row, axes, text)?;
            }
            if !matches!(self.form, Form::Tiled(_)) {
                writeln!(text, "    {}", "}".repeat(axes))?;
            }
        }
        writeln!(text, "  }}\n}}")
    }

    /// The extents along x, y and z.
    fn told(&self) -> [i64; 3] {
        extents(&self.nests[0])
    }

    /// Every element of every type's results.
    fn expected(&self, input: &dyn Fn(Type, usize) -> Number) -> Vec<(Type, usize, Number)> {
        let mut expected = Vec::new();
        let length = self.length() as usize;
        for (row, nest, statement) in self.rows() {
            let ty = statement.what.result();
            for group in 0..self.groups {
                let first = (group * nest.items()) as usize;
                let items = (nest.items() as usize).min(length - first);
                for round in 0..statement.around.rounds(group) {
                    let place = Place {
                        first,
                        shift: 5 * round,
                        extents: extents(nest),
                        items,
                        input,
                        length,
                    };
                    let results = statement.what.results(&place).into_iter().enumerate();
                    let start = (row + round) as usize * length + first;
                    expected.extend(results.map(|(i, number)| (ty, start + i, number)));
                }
            }
        }
        expected
    }
}

fn extents(nest: &Nest) -> [i64; 3] {
    let mut told = [1; 3];
    for (t, extent) in told.iter_mut().zip(nest.extents.iter().rev()) {
        *t = *extent;
    }
    told
}

impl Program {
    pub fn random(random: &mut Random) -> Self {
        Self {
            kernels: (0..5).map(|_| Kernel::random(random)).collect(),
            seed: random.within(0, i64::MAX - 1) as u64,
        }
    }

    /// The kernels as OKL.
    pub fn source(&self) -> String {
        let mut text = String::new();
        for (index, kernel) in self.kernels.iter().enumerate() {
            kernel.write(index, &mut text).unwrap();
        }
        text
    }

    pub fn run(&self, device: &str, flags: &[&str]) -> Result<(), String> {
        let options = flags
            .iter()
            .fold(BuildOptions::new().cache(false), |o, f| o.flag(*f));
        let built = Executor::build(device, &self.source(), options)?;
        for (index, kernel) in self.kernels.iter().enumerate() {
            let length = kernel.length() as usize;
            let rows = kernel.rows().map(|(row, _, s)| row + s.around.rows());
            let rows = rows.max().unwrap() as usize;
            let mut random = Random::new(self.seed.wrapping_add(index as u64));
            let inputs = Type::ALL.map(|ty| {
                let numbers = (0..length).map(|_| ty.random(&mut random));
                numbers.collect::<Vec<_>>()
            });
            let [x, y, z] = kernel.told();
            let numbers = [length as i64, ROUNDS, x, y, z];
            let mut arguments: Vec<Argument> = numbers.map(Argument::int).into();
            for (ty, input) in Type::ALL.iter().zip(&inputs) {
                let bytes: Vec<u8> = input.iter().flat_map(|n| ty.bytes(*n)).collect();
                arguments.push(Argument::Buffer(bytes));
                arguments.push(Argument::Buffer(vec![0; rows * length * ty.size()]));
            }
            built.launch(&format!("k{index}"), &mut arguments)?;
            let mut expected =
                Type::ALL.map(|ty| vec![ty.read(&vec![0; ty.size()]); rows * length]);
            let input = |ty: Type, at: usize| inputs[ty as usize][at];
            for (ty, at, number) in kernel.expected(&input) {
                expected[ty as usize][at] = number;
            }
            for (ty, expected) in Type::ALL.iter().zip(&expected) {
                let bytes = arguments[numbers.len() + *ty as usize * 2 + 1].bytes();
                let found: Vec<Number> =
                    bytes.chunks_exact(ty.size()).map(|c| ty.read(c)).collect();
                if let Some(at) = (0..found.len()).find(|&i| found[i] != expected[i]) {
                    return Err(format!(
                        "kernel k{index}: y{}[{} * n + {}] is {:?}, not {:?}; n = {length}, extents {:?}",
                        ty.letter(),
                        at / length,
                        at % length,
                        found[at],
                        expected[at],
                        kernel.told()
                    ));
                }
            }
        }
        Ok(())
    }
}
