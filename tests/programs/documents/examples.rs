//! What the examples of `docs/okl.md` compute: each kernel runs on the processor, and in the interpreter, which must find nothing.
//! What is expected is written as plain loops, or worked out by hand.

use crate::support::cases::root;
use crate::support::trusted::Trusted;
use brook::interpret::{Argument, Order, Settings};
use brook::runtime::{Device, Error, KernelArgument, Memory};
use brook::source::FileLoader;
use brook::{BuildOptions, Options, Source};
use std::collections::{BTreeMap, BTreeSet};

/// What is passed, and what is there afterwards.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Int(i32),
    Float(f32),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

use Value::{Doubles, Float, Floats, Int, Ints};

/// A launch of a row's example: what is passed, and what has become of that.
type Launch = (&'static str, Vec<Value>, Vec<(usize, Value)>);

/// So many small numbers, so that sums and products of them are exact: 0, 1, 2, …, 12, 0, …
fn small(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i % 13) as f32).collect()
}

fn made(count: usize, of: impl Fn(usize) -> f32) -> Value {
    Floats((0..count).map(of).collect())
}

fn zeros(count: usize) -> Value {
    Floats(vec![0.0; count])
}

/// Rows of `attributes.toml`.
fn attributes() -> Vec<Launch> {
    let x = small(300);
    let floats = || Floats(small(300));
    // Of each group of 64 items, the item after this one, in a circle.
    let next = |i: usize| i / 64 * 64 + (i + 1) % 64;
    let matrix = |cells: usize| Floats(small(cells));
    vec![
        (
            "kernel",
            vec![Int(200), floats(), made(200, |i| 100.0 * x[i]), zeros(201)],
            vec![(3, made(201, |i| if i < 200 { 101.0 * x[i] } else { 0.0 }))],
        ),
        (
            "outer",
            vec![Int(3), Int(70), made(211, |_| 7.0)],
            vec![(2, made(211, |i| if i < 210 { 0.0 } else { 7.0 }))],
        ),
        (
            "inner",
            vec![Int(2), floats(), zeros(64)],
            vec![(2, made(64, |i| 0.5 * (x[2 * i] + x[2 * i + 1])))],
        ),
        (
            "tile",
            vec![Int(9), Int(33), Float(2.0), matrix(300)],
            vec![(3, made(300, |i| if i < 297 { 2.0 * x[i] } else { x[i] }))],
        ),
        (
            "shared",
            vec![Int(2), floats(), zeros(64)],
            vec![(2, made(64, |i| x[i / 32 * 32 + 31 - i % 32]))],
        ),
        (
            "exclusive",
            vec![Int(2), floats(), zeros(64)],
            vec![(2, made(64, |i| 1.0 + x[i] + x[i] * x[i]))],
        ),
        (
            "dim",
            vec![Int(17), Int(10), matrix(170), zeros(170)],
            // Of 10 columns becomes one of 17.
            vec![(3, made(170, |i| x[i % 17 * 10 + i / 17]))],
        ),
        (
            "dimOrder",
            vec![zeros(60)],
            // q(i, j, k) is q[k + 5 * (i + 3 * j)].
            vec![(
                0,
                made(60, |at| {
                    let (k, i, j) = (at % 5, at / 5 % 3, at / 15);
                    (100 * i + 10 * j + k) as f32
                }),
            )],
        ),
        (
            "restrict",
            vec![Int(300), Float(3.0), floats(), floats()],
            vec![(3, made(300, |i| 4.0 * x[i]))],
        ),
        (
            "barrier",
            vec![Int(2), floats(), zeros(128)],
            vec![(2, made(128, |i| x[next(i)] - x[i]))],
        ),
        (
            "nobarrier",
            vec![Int(2), floats(), zeros(128)],
            vec![(2, made(128, |i| 2.0 * x[i]))],
        ),
        (
            "atomic",
            vec![
                Int(300),
                Ints((0..300).map(|i| i % 7).collect()),
                Ints(vec![0; 7]),
                Ints(vec![-1]),
            ],
            // 300 is 42 times 7, and 6.
            vec![
                (2, Ints(vec![43, 43, 43, 43, 43, 43, 42])),
                (3, Ints(vec![6])),
            ],
        ),
        (
            "max_inner_dims",
            vec![Int(3), Ints(vec![0, 2, 2, 66]), floats(), zeros(67)],
            vec![(3, made(67, |i| if i < 66 { 2.0 * x[i] } else { 0.0 }))],
        ),
        (
            "simd_length",
            vec![Int(2), floats(), zeros(129)],
            vec![(2, made(129, |i| if i < 128 { x[i] } else { 0.0 }))],
        ),
        (
            "globalPtr",
            vec![Int(70), Int(4), floats(), zeros(70)],
            vec![(3, made(70, |i| x[4 * i]))],
        ),
        (
            "global",
            vec![Int(70), Int(4), floats(), zeros(70)],
            vec![(3, made(70, |i| x[4 * i + 3]))],
        ),
        (
            "implicitArg",
            vec![Int(100), Float(0.5), floats(), Int(150)],
            vec![(
                2,
                made(300, |i| {
                    x[i] + if (150..250).contains(&i) { 0.5 } else { 0.0 }
                }),
            )],
        ),
        (
            "directive",
            vec![Int(18), floats(), floats(), zeros(18)],
            vec![(
                3,
                made(18, |i| x[16 * i..16 * (i + 1)].iter().map(|a| a * a).sum()),
            )],
        ),
    ]
}

/// Rows of `intrinsics.toml`.
fn intrinsics() -> Vec<Launch> {
    let x = small(300);
    let floats = || Floats(small(300));
    let sum = |group: usize| x[32 * group..32 * (group + 1)].iter().sum();
    // A square matrix, and its product with one whose columns are the rows of another.
    let (a, b) = (
        |i: usize, k: usize| ((i + 2 * k) % 5) as f64,
        |k: usize, j: usize| ((3 * k + j) % 7) as f64,
    );
    let square = |of: &dyn Fn(usize, usize) -> f64| {
        Doubles((0..1024).map(|at| of(at / 32, at % 32)).collect())
    };
    let product = |i: usize, j: usize| (0..32).map(|k| a(i, k) * b(k, j)).sum();
    vec![
        (
            "okl_exp10f",
            vec![Int(5), Floats(vec![-1.0, 0.0, 1.0, 2.0, 0.5]), zeros(5)],
            vec![(2, Floats(vec![0.1, 1.0, 10.0, 100.0, 3.162_277_7]))],
        ),
        (
            "okl_pipeline_wait_prior",
            vec![Int(2), floats(), zeros(128)],
            vec![(2, made(128, |i| 2.0 * x[i / 64 * 64 + 63 - i % 64]))],
        ),
        (
            "okl_shfl_down_sync",
            vec![Int(2), floats(), zeros(2), zeros(64), zeros(64), zeros(64)],
            vec![
                (2, made(2, sum)),
                (3, made(64, |i| x[i / 32 * 32])),
                // The first lane has nobody before it, and keeps its own.
                (4, made(64, |i| x[i - usize::from(i % 32 > 0)])),
                (5, made(64, |i| x[i ^ 1])),
            ],
        ),
        (
            "okl_fragment_multiply_add",
            vec![
                Int(32),
                square(&a),
                square(&|j, k| b(k, j)),
                Doubles(vec![0.0; 1024]),
                Doubles(vec![0.0; 1024]),
            ],
            vec![(3, square(&product)), (4, square(&|i, j| product(j, i)))],
        ),
    ]
}

/// What the interpreter does not model.
const NOT_MODELLED: [&str; 1] = ["okl_fragment_multiply_add"];

fn rows(table: &str) -> Result<BTreeMap<String, String>, String> {
    let path = root().join("grammar").join(table);
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let rows: toml::Table = text.parse().map_err(|e| format!("{table}: {e}"))?;
    let examples = rows.into_iter().filter_map(|(name, row)| {
        let example = row.get("example")?.as_str()?.to_string();
        Some((name, example))
    });
    Ok(examples
        .filter(|(name, _)| !name.starts_with("brook."))
        .collect())
}

/// The name of an example's kernel.
fn kernel(example: &str) -> Option<&str> {
    let (_, rest) = example.split_once("@kernel void ")?;
    rest.split_once('(').map(|(name, _)| name)
}

/// All examples do what they say.
pub(super) fn examples() -> Result<(), String> {
    let mut examples = rows("attributes.toml")?;
    examples.extend(rows("intrinsics.toml")?);
    let mut launches = attributes();
    launches.extend(intrinsics());
    let launched: BTreeSet<&str> = launches.iter().map(|(row, ..)| *row).collect();
    if let Some(name) = examples
        .keys()
        .find(|name| !launched.contains(name.as_str()))
    {
        return Err(format!("the example of {name} is not launched"));
    }
    // Kernels of one name are of different programs; all others are compiled at once.
    let mut programs: Vec<(BTreeSet<&str>, String)> = Vec::new();
    let mut places = Vec::new();
    for (row, ..) in &launches {
        let example = examples.get(*row).ok_or(format!("{row} has no example"))?;
        let name = kernel(example).ok_or(format!("the example of {row} has no kernel"))?;
        let known = programs.iter().position(|(names, _)| !names.contains(name));
        let at = known.unwrap_or(programs.len());
        if known.is_none() {
            programs.push((BTreeSet::new(), String::new()));
        }
        programs[at].0.insert(name);
        programs[at].1.push_str(example);
        places.push((at, name, example));
    }
    let device = Device::open("openmp").map_err(|e| e.to_string())?;
    let mut built = Vec::new();
    for (_, text) in programs {
        let program = device.build(Source::new("examples.okl", text), &BuildOptions::new());
        built.push(program.map_err(|e| e.to_string())?);
    }
    let mut wrong = Vec::new();
    for ((row, given, wanted), (program, name, example)) in launches.iter().zip(places) {
        let launched = built[program].kernel(name);
        let launched = launched.and_then(|kernel| launch(&device, &kernel, given));
        let launched = launched.map_err(|e| format!("{row}: {e}"))?;
        let interpreted = match NOT_MODELLED.contains(row) {
            true => launched.clone(),
            false => interpret(example, name, given).map_err(|e| format!("{row}: {e}"))?,
        };
        for (where_, found) in [("openmp", launched), ("interpreter", interpreted)] {
            for (index, (found, given)) in found.iter().zip(given).enumerate() {
                let change = wanted.iter().find(|(at, _)| *at == index);
                let wanted = change.map_or(given, |(_, value)| value);
                if !agree(found, wanted) {
                    wrong.push(format!(
                        "{row} on {where_}: argument {index}\n{found:?}\nis not\n{wanted:?}"
                    ));
                }
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Whether values are the same; of powers of 10, but for rounding.
fn agree(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Floats(found), Floats(wanted)) => {
            let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * b.abs();
            found.len() == wanted.len() && found.iter().zip(wanted).all(near)
        }
        _ => found == wanted,
    }
}

/// What a kernel makes of its arguments on a device.
fn launch(device: &Device, kernel: &brook::Kernel, given: &[Value]) -> Result<Vec<Value>, Error> {
    enum Placed {
        Value(Value),
        Ints(Memory<i32>),
        Floats(Memory<f32>),
        Doubles(Memory<f64>),
    }
    let mut placed = Vec::new();
    for value in given {
        placed.push(match value {
            Ints(all) => Placed::Ints(device.upload(all)?),
            Floats(all) => Placed::Floats(device.upload(all)?),
            Doubles(all) => Placed::Doubles(device.upload(all)?),
            value => Placed::Value(value.clone()),
        });
    }
    let arguments = placed.iter().map(|placed| match placed {
        Placed::Value(Float(value)) => KernelArgument::from(*value),
        Placed::Value(Int(value)) => KernelArgument::from(*value),
        Placed::Value(_) => KernelArgument::from(false),
        Placed::Ints(memory) => memory.into(),
        Placed::Floats(memory) => memory.into(),
        Placed::Doubles(memory) => memory.into(),
    });
    let arguments: Vec<KernelArgument<'_>> = arguments.collect();
    kernel.run(&arguments)?;
    let back = placed.iter().map(|placed| {
        Ok(match placed {
            Placed::Value(value) => value.clone(),
            Placed::Ints(memory) => Ints(memory.to_vec()?),
            Placed::Floats(memory) => Floats(memory.to_vec()?),
            Placed::Doubles(memory) => Doubles(memory.to_vec()?),
        })
    });
    back.collect()
}

/// What a kernel makes of its arguments in the interpreter, which finds nothing.
fn interpret(example: &str, kernel: &str, given: &[Value]) -> Result<Vec<Value>, String> {
    let buffer = |bytes: Vec<u8>| Argument::Buffer {
        bytes,
        filled: true,
    };
    let arguments = given.iter().map(|value| match value {
        Int(value) => Argument::Value(value.to_ne_bytes().to_vec()),
        Float(value) => Argument::Value(value.to_ne_bytes().to_vec()),
        Ints(all) => buffer(all.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Floats(all) => buffer(all.iter().flat_map(|v| v.to_ne_bytes()).collect()),
        Doubles(all) => buffer(all.iter().flat_map(|v| v.to_ne_bytes()).collect()),
    });
    let mut arguments: Vec<Argument> = arguments.collect();
    let found = brook::sanitize(
        &Source::new("example.okl", example),
        &Options::default(),
        &FileLoader,
        kernel,
        &mut arguments,
        &[Order::Forward, Order::Reversed, Order::Random(3)],
        &Settings::default(),
    );
    let found = found.map_err(|report| report.to_string())?;
    if !found.findings.is_empty() {
        return Err(found.report.to_string());
    }
    let back = arguments.iter().zip(given).map(|(argument, given)| {
        let Argument::Buffer { bytes, .. } = argument else {
            return given.clone();
        };
        let words = bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
        match given {
            Ints(_) => Ints(words.map(i32::from_ne_bytes).collect()),
            Floats(_) => Floats(words.map(f32::from_ne_bytes).collect()),
            other => other.clone(),
        }
    });
    Ok(back.collect())
}
