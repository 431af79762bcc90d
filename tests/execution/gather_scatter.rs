//! Gather-scatter: random numbers of entries, on each device and in the processes of a job, against loops on the host.

use crate::support::Trial;
use crate::support::columns::{Column, columns};
use brook::runtime::{
    BuildOptions, Communicator, Device, Element, GatherScatter, Memory, Reduction,
};
use brook::{Dialect, Source};
use std::collections::{BTreeMap, BTreeSet};

#[path = "../../examples/mesh.rs"]
#[allow(dead_code, reason = "what the example starts with is called here")]
mod mesh;

type Test = (&'static str, fn(&Place) -> Result<(), String>);

const TESTS: [Test; 2] = [("random", random), ("mistakes", mistakes)];

/// Those that take several processes.
const OF_JOBS: [Test; 2] = [("built_together", built_together), ("example", example)];

/// `gather_scatter::random::DEVICE`, and `::ranks-set` in the processes of a job.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for column in columns() {
        let in_a_job = column.need.name == "ranks-set";
        if column.is_set() && !in_a_job {
            continue;
        }
        let of_jobs = OF_JOBS.iter().filter(|_| in_a_job);
        for (name, test) in TESTS.iter().chain(of_jobs) {
            let (own, test) = (column.clone(), *test);
            let name = format!("gather_scatter::{name}::{}", column.need.name);
            trials.push(column.need.trial(name, move || {
                let place = Place::of(&own)?;
                test(&place).map_err(Into::into)
            }));
        }
    }
    trials
}

/// A device, and the other processes of the job.
struct Place {
    device: Device,
    communicator: Option<Communicator>,
}

impl Place {
    fn of(column: &Column) -> Result<Self, String> {
        let name = column.devices.first().ok_or("there is no device")?;
        let Some(own) = name.strip_prefix("mpi/") else {
            let device = Device::open(name).map_err(|e| e.to_string())?;
            return Ok(Self {
                device,
                communicator: None,
            });
        };
        let communicator = Communicator::world().map_err(|e| e.to_string())?;
        let device = Device::open_local(own, &communicator).map_err(|e| e.to_string())?;
        Ok(Self {
            device,
            communicator: Some(communicator),
        })
    }

    fn rank(&self) -> usize {
        self.communicator.as_ref().map_or(0, Communicator::rank)
    }

    fn size(&self) -> usize {
        self.communicator.as_ref().map_or(1, Communicator::size)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// What one process brings: a number for each entry, and the values of the fields.
struct Share<T> {
    numbers: Vec<i64>,
    values: Vec<T>,
}

trait Number: Element + Default + PartialEq + std::fmt::Debug {
    fn made(random: &mut Random) -> Self;
    fn join(self, other: Self, reduction: Reduction) -> Self;
}

macro_rules! numbers {
    ($($type:ty, $made:expr, $sum:expr, $product:expr;)*) => {$(
        impl Number for $type {
            fn made(random: &mut Random) -> Self {
                $made(random)
            }

            fn join(self, other: Self, reduction: Reduction) -> Self {
                match reduction {
                    Reduction::Sum => $sum(self, other),
                    Reduction::Product => $product(self, other),
                    Reduction::Min => if other < self { other } else { self },
                    Reduction::Max => if self < other { other } else { self },
                }
            }
        }
    )*};
}

use std::ops::{Add, Mul};

numbers! {
    i32, |r: &mut Random| r.below(5) as i32 - 2, i32::add, i32::mul;
    i64, |r: &mut Random| r.below(7) as i64 - 3, i64::add, i64::mul;
    f32, |r: &mut Random| (r.below(2000) as f32 - 1000.0) / 37.0, f32::add, f32::mul;
    f64, |r: &mut Random| (r.below(2000) as f64 - 1000.0) / 37.0, f64::add, f64::mul;
}

const REDUCTIONS: [Reduction; 4] = [
    Reduction::Sum,
    Reduction::Product,
    Reduction::Min,
    Reduction::Max,
];

fn random(place: &Place) -> Result<(), String> {
    for round in 0..12 {
        for reduction in REDUCTIONS {
            one::<f32>(place, round, reduction)?;
            one::<i32>(place, round, reduction)?;
            if round % 3 == 0 && !place.device.backend().name.contains("metal") {
                one::<f64>(place, round, reduction)?;
            }
            if round % 3 == 1 {
                one::<i64>(place, round, reduction)?;
            }
        }
    }
    Ok(())
}

fn one<T: Number>(place: &Place, round: u64, reduction: Reduction) -> Result<(), String> {
    let mut random = Random(round * 77 + 5);
    let fields = 1 + random.below(3);
    let most = [3, 20, 400][random.below(3)];
    let shares: Vec<Share<T>> = (0..place.size())
        .map(|_| {
            // Now and then a process has nothing at all.
            let entries = random.below(300) * usize::from(random.below(5) > 0);
            Share {
                numbers: (0..entries).map(|_| random.below(most) as i64).collect(),
                values: (0..entries * fields)
                    .map(|_| T::made(&mut random))
                    .collect(),
            }
        })
        .collect();
    let own = &shares[place.rank()];
    let said = |e: brook::runtime::Error| e.to_string();
    let all = GatherScatter::new(&place.device, place.communicator.as_ref(), &own.numbers);
    let all = all.map_err(said)?;
    let values: Memory<T> = place.device.upload(&own.values).map_err(said)?;
    match round % 2 {
        0 => all.run(values.as_dyn(), fields, reduction).map_err(said)?,
        // What no other process has an entry of may come while messages are under way. One exchange leaves room for the next.
        _ => {
            let others = shares.iter().enumerate();
            let others = others.filter(|(rank, _)| *rank != place.rank());
            let of_others: BTreeSet<i64> = others.flat_map(|(_, s)| s.numbers.clone()).collect();
            let entries = own.numbers.iter().cycle().zip(&own.values);
            let early = entries.map(|(number, value)| match of_others.contains(number) {
                true => *value,
                false => T::default(),
            });
            let early: Vec<T> = early.collect();
            for _ in 0..2 {
                values.write(&early).map_err(said)?;
                let exchange = all.begin(values.as_dyn(), fields, reduction);
                values.write(&own.values).map_err(said)?;
                exchange.and_then(|e| e.finish()).map_err(said)?;
            }
        }
    }
    let ours = values.to_vec().map_err(said)?;
    for field in 0..fields {
        let mut joined: BTreeMap<i64, T> = BTreeMap::new();
        for share in &shares {
            let entries = share.numbers.len();
            let mut here: BTreeMap<i64, T> = BTreeMap::new();
            for (entry, number) in share.numbers.iter().enumerate() {
                let value = share.values[field * entries + entry];
                let old = here.get(number).copied();
                here.insert(*number, old.map_or(value, |old| old.join(value, reduction)));
            }
            for (number, value) in here {
                let old = joined.get(&number).copied();
                joined.insert(number, old.map_or(value, |old| old.join(value, reduction)));
            }
        }
        for (entry, number) in own.numbers.iter().enumerate() {
            let at = field * own.numbers.len() + entry;
            let expected = match number {
                0 => own.values[at],
                number => joined[number],
            };
            if ours[at] != expected {
                return Err(format!(
                    "round {round}, {reduction:?}, field {field} of {fields}, entry {entry} (number {number}): {:?} instead of \
                     {expected:?}",
                    ours[at]
                ));
            }
        }
    }
    let others = all.neighbours().map(|(rank, _)| rank);
    match { others }.any(|rank| rank == place.rank() || rank >= place.size()) {
        true => Err("a process is its own neighbour".into()),
        false => Ok(()),
    }
}

/// What is wrong is said, in one process or in all, and nobody waits for the others.
fn mistakes(place: &Place) -> Result<(), String> {
    let communicator = place.communicator.as_ref();
    let wrong = [1, -4];
    let said = GatherScatter::new(&place.device, communicator, &wrong).err();
    expect(said, "entry 1 has the number -4")?;
    let all = GatherScatter::new(&place.device, communicator, &[1, 2, 1]);
    let all = all.map_err(|e| e.to_string())?;
    let few: Memory<f32> = place.device.zeros(5).map_err(|e| e.to_string())?;
    expect(
        all.run(few.as_dyn(), 2, Reduction::Sum).err(),
        "2 fields of 3 entries are 6 values; got 5",
    )?;
    let bytes: Memory<u8> = place.device.zeros(3).map_err(|e| e.to_string())?;
    expect(
        all.run(bytes.as_dyn(), 1, Reduction::Sum).err(),
        "joins float, double, int and long; got unsigned char",
    )
}

fn expect(error: Option<brook::runtime::Error>, part: &str) -> Result<(), String> {
    let said = error.map_or("nothing".to_string(), |e| e.to_string());
    match said.contains(part) {
        true => Ok(()),
        false => Err(format!("said {said:?}, not {part:?}")),
    }
}

/// A program that one process compiles, and an error that all of them have.
fn built_together(place: &Place) -> Result<(), String> {
    let communicator = place.communicator.as_ref();
    let communicator = communicator.ok_or("there is no job")?;
    let source = |text: &str| Source {
        dialect: Dialect::Okl,
        ..Source::new("together.okl", text.to_string())
    };
    let options = BuildOptions::new().cache(false);
    let good = "@kernel void fill(const int n, float *a) { for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = i; }";
    let program = place
        .device
        .build_together(communicator, source(good), &options);
    let program = program.map_err(|e| e.to_string())?;
    let kernel = program.kernel("fill").map_err(|e| e.to_string())?;
    if kernel.metadata().parameters.len() != 2 {
        return Err("the kernel has other parameters".into());
    }
    let bad = "@kernel void fill(const int n, float *a) { a[0] = missing; }";
    let built = place
        .device
        .build_together(communicator, source(bad), &options);
    expect(built.err(), "error")
}

/// `examples/mesh.rs`, which checks what it finds, and knows the processes by itself.
fn example(_: &Place) -> Result<(), String> {
    mesh::main().map_err(|e| e.to_string())
}
