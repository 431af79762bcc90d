//! OKL kernels over vectors of all types, beside scalars of others: what they compute is what C says of each component.
//!
//! - `value.rs`: numbers, and what operators make of them.
//! - `tree.rs`: expressions.
//! - `kernel.rs`: declarations in all spellings, and what items do.
//!
//! Nothing that these programs do is undefined, and none of them needs a conversion that some target does not have.

mod kernel;
mod tree;
mod value;

use crate::properties::executor::{Argument, Executor};
use crate::properties::random::Random;
use brook::runtime::{BuildOptions, Math};
use kernel::{COUNT, Kernel, spelled};
use tree::{Function, Names, Place, Tree};
use value::{BASES, Base, Number, Type};

/// One source with some kernels.
pub struct Vectors {
    functions: Vec<(Function, String)>,
    kernels: Vec<Kernel>,
}

impl Vectors {
    pub fn random(random: &mut Random, count: usize) -> Self {
        let mut functions: Vec<(Function, String)> = Vec::new();
        for number in 0..random.within(1, 4) {
            let known: Vec<Function> = functions.iter().map(|(f, _)| f.clone()).collect();
            functions.push(function(random, number, &known));
        }
        let known: Vec<Function> = functions.iter().map(|(f, _)| f.clone()).collect();
        let kernels = (0..count)
            .map(|k| Kernel::random(random, k, &known))
            .collect();
        Self { functions, kernels }
    }

    pub fn source(&self) -> String {
        let functions = self.functions.iter().map(|(_, text)| text.as_str());
        let kernels = self.kernels.iter().map(|k| k.text.as_str());
        functions.chain(kernels).collect()
    }

    pub fn run(&self, name: &str, flags: &[&str]) -> Result<(), String> {
        let options = BuildOptions::new().cache(false).math(Math::Strict);
        let options = flags.iter().fold(options, |o, flag| o.flag(*flag));
        let built = Executor::build(name, &self.source(), options);
        let built = built.map_err(|e| format!("{e}\n{}", self.source()))?;
        for kernel in &self.kernels {
            let run = run(kernel, &built);
            run.map_err(|e| format!("{name}: {}: {e}\n{}", kernel.name, self.source()))?;
        }
        Ok(())
    }
}

fn run(kernel: &Kernel, built: &Executor) -> Result<(), String> {
    let result = kernel.result;
    let size = result.base.size();
    let mut arguments = vec![Argument::int(COUNT as i64)];
    arguments.extend(kernel.given.iter().map(|given| match given.buffer {
        true => Argument::Buffer(given.bytes.clone()),
        false => Argument::Value(given.bytes.clone()),
    }));
    arguments.push(Argument::Buffer(vec![0; COUNT * result.places() * size]));
    built.launch(&kernel.name, &mut arguments)?;
    let output = arguments.last().ok_or("an output")?;
    for (item, (found, expected)) in output
        .bytes()
        .chunks_exact(size * result.places())
        .zip(&kernel.expected)
        .enumerate()
    {
        let found: Vec<Number> = found
            .chunks_exact(size)
            .take(result.width)
            .map(|b| Number::from_bytes(result.base, b))
            .collect();
        if found != *expected {
            return Err(format!("item {item} has {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}

/// A function of vectors by value.
fn function(random: &mut Random, number: i64, known: &[Function]) -> (Function, String) {
    let name = format!("helper{number}");
    let mut parameters = Vec::new();
    let mut list = Vec::new();
    for at in 0..random.within(1, 3) {
        let ty = any_type(random);
        let place = Place::new(format!("v{at}"), ty);
        let constant = random.chance(60);
        let words = spelled(random, ty, constant);
        list.push(format!("{words} {}", place.key));
        parameters.push(place);
    }
    let ty = any_type(random);
    let names = Names {
        places: &parameters,
        functions: known,
    };
    let value = Tree::random(random, ty, &names, 3);
    let ty = value.ty;
    let text = format!(
        "{} {name}({}) {{ return {}; }}\n",
        ty.name(),
        list.join(", "),
        value.text()
    );
    let function = Function {
        name,
        parameters,
        value,
    };
    (function, text)
}

fn any_type(random: &mut Random) -> Type {
    let usual = [Base::Float, Base::Float, Base::Double, Base::Int];
    let base = match random.chance(60) {
        true => random.pick(&usual),
        false => random.pick(&BASES),
    };
    let width = random.pick(&[1, 2, 3, 3, 4]);
    Type { base, width }
}

/// A small number: products of some of them stay inside of most types.
fn number(random: &mut Random, base: Base) -> Number {
    let low = if base.is_signed() { -3 } else { 0 };
    let whole = random.within(low, 5);
    match base {
        Base::Float => Number::Float(whole as f32 + 0.25),
        Base::Double => Number::Double(whole as f64 + 0.125),
        _ => Number::Int(whole.into()),
    }
}
