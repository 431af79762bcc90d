//! How programs scale over devices: the same work for each, and the same work in all.
//!
//! `scaling --device cuda:0,cuda:1` compares one device with several of this process; `mpirun -n 4 scaling --mpi --device cuda` with
//! those of several processes, and runs conjugate gradients with gather-scatter there, too. `--check` does little of everything and compares
//! results. Medians over interleaved samples of one run.
//!
//! - `streams`: calls of Brook+; `elements`: a solver of OKL
#![allow(missing_docs, clippy::print_stdout, clippy::print_stderr)]

mod elements;
mod streams;

use brook::Device;
use brook::runtime::Communicator;
use elements::Solver;
use std::fmt::Display;
use std::process::ExitCode;
use streams::{STEPS, Sizes, Step, Streams};

type Outcome<T> = Result<T, String>;

fn told(error: impl Display) -> String {
    error.to_string()
}

struct Options {
    device: String,
    mpi: bool,
    check: bool,
    rounds: usize,
}

impl Options {
    fn read() -> Outcome<Self> {
        let mut options = Self {
            device: "openmp:0,openmp:0".into(),
            mpi: false,
            check: false,
            rounds: 21,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} wants a value"));
            match word.as_str() {
                "--device" => options.device = value()?,
                "--mpi" => options.mpi = true,
                "--check" => options.check = true,
                "--rounds" => {
                    options.rounds = value()?.parse().map_err(|_| "no number".to_string())?;
                }
                // What `cargo bench` and `cargo test` say.
                "--bench" | "--test" => {}
                _ => return Err(format!("unknown: {word}")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    match Options::read().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn run(options: &Options) -> Outcome<()> {
    let world = options.mpi.then(Communicator::world).transpose();
    let world = world.map_err(told)?;
    let (one, all) = match &world {
        None => {
            let all = Device::open(&options.device).map_err(told)?;
            let first = all.parts().first().cloned();
            (first.ok_or("no set of devices")?, all)
        }
        Some(world) => {
            let one = Device::open_local(&options.device, world).map_err(told)?;
            let all = Device::open(&format!("mpi/{}", options.device)).map_err(told)?;
            (one, all)
        }
    };
    let parts = all.parts().len().max(1) as u32;
    let speaks = world.as_ref().is_none_or(|world| world.rank() == 0);
    let sizes = match options.check {
        true => Sizes {
            plane: [64, 65],
            block: [12, 16, 17],
        },
        false => Sizes {
            plane: [8192, 8192],
            block: [512, 512, 512],
        },
    };
    if speaks {
        println!("{} and {}, {parts} devices", one.name(), all.name());
    }
    let alone = Streams::new(&one, &sizes, 1)?;
    let weak = Streams::new(&all, &sizes, parts)?;
    let strong = Streams::new(&all, &sizes, 1)?;
    if options.check {
        return check(&one, world.as_ref(), [&alone, &strong]);
    }
    for step in &STEPS {
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..options.rounds {
            for (times, streams) in times.iter_mut().zip([&alone, &weak, &strong]) {
                times.push(streams.time(step)?);
            }
        }
        if speaks {
            report(step, &sizes, parts, times.map(median));
        }
    }
    drop((alone, weak, strong));
    let Some(world) = &world else {
        return Ok(());
    };
    for side in [16, 24] {
        let alone = Solver::new(&one, None, side)?;
        let all = Solver::new(&one, Some(world), side)?;
        let mut times = [const { Vec::new() }; 2];
        for _ in 0..options.rounds {
            for (times, solver) in times.iter_mut().zip([&alone, &all]) {
                times.push(solver.time(60)?);
            }
        }
        let [one, all_of_them] = times.map(median);
        let steps = all.solve(5000, 1e-10)?;
        let error = all.error()?;
        if speaks {
            println!(
                "conjugate gradients, {} nodes each: {:.1} us, {:.1} us: efficiency {:.3} (error {error:.1e} after {steps} steps)",
                all.count(),
                one * 1e6,
                all_of_them * 1e6,
                one / all_of_them
            );
        }
    }
    Ok(())
}

fn report(step: &Step, sizes: &Sizes, parts: u32, [one, weak, strong]: [f64; 3]) {
    let rate = |seconds: f64, times: u32| (step.bytes)(sizes) * f64::from(times) / seconds / 1e9;
    println!(
        "{}: {:.1} us ({:.0} GB/s), {:.1} us ({:.0} GB/s): efficiency {:.3}; of as much in all {:.1} us: {:.2} times as fast",
        step.name,
        one * 1e6,
        rate(one, 1),
        weak * 1e6,
        rate(weak, parts),
        one / weak,
        strong * 1e6,
        one / strong
    );
}

/// Whether one device and several compute the same, and the solver what it should.
fn check(one: &Device, world: Option<&Communicator>, both: [&Streams; 2]) -> Outcome<()> {
    let [alone, strong] = [both[0].results()?, both[1].results()?];
    if alone != strong {
        return Err("several devices compute something else than one".into());
    }
    let solver = Solver::new(one, world, 2)?;
    let steps = solver.solve(500, 1e-10)?;
    match solver.error()? {
        error if error < 1e-6 => {
            println!("all agree; {steps} steps to an error of {error:.1e}");
            Ok(())
        }
        error => Err(format!("an error of {error} after {steps} steps")),
    }
}
