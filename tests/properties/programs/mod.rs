//! Random OKL programs of the kind that solvers have, and what plain C++ makes of the same statements.
//!
//! - `value`: types of numbers and the ranges of values
//! - `text`: a piece of a program in both languages
//! - `scope`: what expressions can name
//! - `expression`, `arithmetic`: values
//! - `writer`, `control`: what an item does
//! - `group`, `kernel`: the loops around it
//! - `layout`: other white space and comments
//! - `oracle`: the plain program, compiled with sanitizers and run
//! - `compare`: the OKL program on a device
//!
//! Nothing that these programs do is undefined, which the sanitizers confirm, and floating values are exact: so
//! that every element has one value, whatever a compiler contracts or vectorises.

mod arithmetic;
mod compare;
mod control;
mod expression;
mod group;
mod kernel;
mod layout;
mod oracle;
mod scope;
mod text;
mod value;
mod writer;

use crate::properties::random::Random;
use kernel::Kernel;
use scope::Array;
use text::Text;
use value::Type;
use writer::Writer;

pub use compare::run;
pub use oracle::oracle;

/// One source with some kernels.
pub struct Program {
    pub seed: u64,
    kernels: Vec<Kernel>,
    pub text: Text,
}

impl Program {
    pub fn random(seed: u64, kernels: usize) -> Self {
        let mut random = Random::new(seed);
        let random = &mut random;
        let mut text = Text::default();
        let mut tables = Vec::new();
        for number in 0..random.within(0, 2) {
            let (array, line) = table(random, &format!("table{number}"));
            text.line(0, &line);
            tables.push(array);
        }
        let mut functions = Vec::new();
        for number in 0..random.within(0, 3) {
            let name = format!("helper{number}");
            let (function, body) = kernel::function(random, &name, &functions, &tables);
            text.push(&body);
            functions.push(function);
        }
        let kernels: Vec<Kernel> = (0..kernels)
            .map(|k| Kernel::random(random, &format!("k{k}"), &functions, &tables))
            .collect();
        for kernel in &kernels {
            text.push(&kernel.text);
        }
        if random.chance(30) {
            text.okl = layout::laid_out(&text.okl, random);
        }
        Self {
            seed,
            kernels,
            text,
        }
    }

    /// The program as OKL.
    pub fn source(&self) -> &str {
        &self.text.okl
    }

    /// A failure, with where the program's two texts lie now.
    pub fn kept(&self, failure: &str) -> String {
        let path = std::env::temp_dir().join(format!("brook-program-{}", self.seed));
        let okl = std::fs::write(path.with_extension("okl"), &self.text.okl);
        let plain = std::fs::write(path.with_extension("cpp"), oracle::plain(self));
        match (okl, plain) {
            (Ok(()), Ok(())) => format!(
                "{failure}\nThe program is kept in {}.okl and .cpp",
                path.display()
            ),
            _ => format!("{failure}\n{}", self.text.okl),
        }
    }
}

/// A constant of the file.
fn table(random: &mut Random, name: &str) -> (Array, Text) {
    let types = [
        Type::Int,
        Type::Float,
        Type::Double,
        Type::UChar,
        Type::Long,
    ];
    let (ty, length) = (random.pick(&types), random.pick(&[2, 3, 16, 16]));
    let mut writer = Writer::new(random);
    let list: Vec<String> = (0..length)
        .map(|_| {
            let e = writer.literal(ty);
            e.text.okl
        })
        .collect();
    let line = format!(
        "const {} {name}[{length}] = {{{}}};",
        ty.name(),
        list.join(", ")
    );
    (Array::line(Text::same(name), ty, length), Text::same(line))
}
