//! Recorded launches and calls: whether those of kernels that touch only their elements become fewer makes no difference.

use super::random::Random;
use brook::Source;
use brook::runtime::{
    BuildOptions, Device, DynStream, Fusion, KernelArgument, Memory, Program, StreamArgument,
};
use brook_driver::Math;
use std::fmt::Write;
use std::sync::Mutex;

/// Streams of each type, and parts of memory.
const EACH: usize = 5;

/// The types of elements, and those of the pools.
const TYPES: [&str; 3] = ["float", "double", "int"];

const BROOK: &str = "
kernel void axpy(float a, float x<>, float y<>, out float z<>) { z = a * x + y; }
kernel void product(float a, float x<>, float y<>, out float z<>) { z = x * y * a; }
kernel void place(float a, float x<>, float y<>, out float z<>) { z = x + a + indexof(z).x; }
kernel void sums(float a, float x<>, float y<>, out float z<>) { z = x - y + a; }
reduce void total(float a, float x<>, reduce float s<>) { s += x; }
reduce void largest(float a, float x<>, reduce float s<>) { s = max(s, x); }
reduce void mixed(float a, float x<>, reduce float s<>) { s = s * a + x; }
";

const REDUCTIONS: [&str; 3] = ["total", "largest", "mixed"];

/// What is done, in order.
enum Step {
    /// A kernel of Brook+, and its streams.
    Brook(&'static str, [usize; 3]),
    /// The kernel of OKL of that number, with streams: of each type three.
    Streams(usize, [[usize; 3]; 3]),
    /// The same with memory of floats.
    Memory(usize, [usize; 3]),
    Copy(usize, usize),
    /// A reduction of a stream of floats, to one element or to some.
    Reduce(&'static str, usize, usize),
}

pub struct Recording {
    kernels: Vec<Kernel>,
    steps: Vec<Step>,
    extents: Vec<u32>,
    /// Where the parts of memory begin.
    begins: [usize; EACH],
    math: Math,
}

/// A kernel of OKL with three arrays of each type, or of floats alone.
struct Kernel {
    text: String,
    all: bool,
}

/// Statements of an item.
struct Body<'r> {
    random: &'r mut Random,
    all: bool,
    doubles: bool,
    temporaries: Vec<(usize, usize)>,
    text: String,
}

impl Body<'_> {
    fn type_(&mut self) -> usize {
        match (self.all, self.random.within(0, 9)) {
            (true, 0..=1) if self.doubles => 1,
            (true, 2..=3) => 2,
            _ => 0,
        }
    }

    fn element(&mut self, ty: usize) -> String {
        let letter = ["f", "d", "j"][ty];
        format!("{letter}{}[i]", self.random.within(0, 2))
    }

    fn value(&mut self, ty: usize, depth: usize) -> String {
        let known: Vec<usize> = { self.temporaries.iter() }
            .filter(|(t, _)| *t == ty)
            .map(|(_, n)| *n)
            .collect();
        match self.random.within(0, if depth == 0 { 4 } else { 12 }) {
            0 if !known.is_empty() => format!("t{}", self.random.pick(&known)),
            1 if ty == 0 => self.random.pick(&["a", "b"]).to_string(),
            2 => match ty {
                0 => self.random.pick(&["0.5f", "3.0f", "2.0f", "1.25f", "2"]),
                1 => self.random.pick(&["0.1", "2.0", "3"]),
                _ => self.random.pick(&["1", "5", "-3"]),
            }
            .to_string(),
            0..=4 => self.element(ty),
            5 if ty < 2 => format!("sqrt(fabs({}))", self.value(ty, depth - 1)),
            6 if ty < 2 => {
                let other = self.type_();
                format!("({})({})", TYPES[ty], self.value(other, 0))
            }
            7 => {
                let (c, d) = (self.value(ty, 0), self.value(ty, 0));
                let (a, b) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                format!("({c} < {d} ? {a} : {b})")
            }
            _ => {
                let operators: &[&str] = match ty {
                    2 => &["+", "-", "*", "&", "^"],
                    _ => &["+", "-", "*", "+", "-", "*", "/"],
                };
                let operator = self.random.pick(operators);
                let (a, b) = (self.value(ty, depth - 1), self.value(ty, depth - 1));
                match (ty, operator) {
                    // Not more than an int has.
                    (2, "*") => format!("(({a} & 255) * ({b} & 255))"),
                    (2, "+" | "-") => format!("(({a} >> 2) {operator} ({b} >> 2))"),
                    _ => format!("({a} {operator} {b})"),
                }
            }
        }
    }

    /// What compilers like to contract.
    fn sum_of_products(&mut self) {
        let to = self.element(0);
        let terms = (0..self.random.within(2, 4)).map(|_| {
            let mut factor = || match self.random.within(0, 6) {
                0 => "a".to_string(),
                1 => "b".to_string(),
                2 => "1.7f".to_string(),
                3 => format!(
                    "(f{}[i] - f{}[i])",
                    self.random.within(0, 2),
                    self.random.within(0, 2)
                ),
                _ => format!("f{}[i]", self.random.within(0, 2)),
            };
            let (one, other) = (factor(), factor());
            match self.random.within(0, 3) {
                0 => one,
                _ => format!("{one} * {other}"),
            }
        });
        let mut sum = String::new();
        for term in terms.collect::<Vec<_>>() {
            let operator = self.random.pick(&[" + ", " - "]);
            match sum.is_empty() {
                true => sum = term,
                // From the left, or from the right.
                false if self.random.chance(80) => sum = sum + operator + &term,
                false => sum = format!("{term}{operator}({sum})"),
            }
        }
        let assign = self.random.pick(&["=", "=", "+=", "-="]);
        let _ = writeln!(self.text, "    {to} {assign} {sum};");
    }

    fn statement(&mut self, depth: usize) {
        let ty = self.type_();
        match self.random.within(0, 9) {
            0..=2 if depth == 0 => {
                let value = self.value(ty, 2);
                let n = self.temporaries.len();
                let _ = writeln!(self.text, "    const {} t{n} = {value};", TYPES[ty]);
                self.temporaries.push((ty, n));
            }
            3 if depth == 0 => {
                let (a, b) = (self.value(ty, 1), self.value(ty, 0));
                let _ = writeln!(self.text, "    if ({a} > {b}) {{");
                self.statement(1);
                self.text.push_str("    }\n");
            }
            4..=5 if ty < 2 => {
                let operator = self.random.pick(&["+=", "-=", "*="]);
                let (to, value) = (self.element(ty), self.value(ty, 1));
                let _ = writeln!(self.text, "    {to} {operator} {value};");
            }
            _ => {
                let (to, value) = (self.element(ty), self.value(ty, 2));
                let _ = writeln!(self.text, "    {to} = {value};");
            }
        }
    }
}

impl Kernel {
    fn random(random: &mut Random, n: usize, doubles: bool) -> Self {
        let all = n > 0 && random.chance(50);
        let mut body = Body {
            random,
            all,
            doubles,
            temporaries: Vec::new(),
            text: String::new(),
        };
        // What solvers do, and anything.
        match body.random.within(0, 8) {
            _ if n == 0 => body.text += "    f1[i] = f0[i] + a; f2[i] -= 1.5f;\n",
            0 => body.text += "    f1[i] = a * f0[i] + f1[i];\n",
            1 => body.text += "    f1[i] -= b * f0[i]; f2[i] = f1[i];\n",
            2 => body.text += "    f0[i] = f1[i] * f2[i]; f1[i] = a * f1[i] - b * f2[i];\n",
            3 | 4 => {
                for _ in 0..body.random.within(1, 2) {
                    body.sum_of_products();
                }
            }
            _ => {
                for _ in 0..body.random.within(1, 3) {
                    body.statement(0);
                }
            }
        }
        let text = body.text;
        let loops = match random.within(0, 4) {
            0 => {
                "for (int g = 0; g < (n + 63) / 64; ++g; @outer) for (int l = 0; l < 64; ++l; @inner) { const int i = 64 * g + l; if (i < n) {\nBODY  } }"
            }
            1 => {
                "for (int g = 0; g < n; g += 32; @outer) for (int l = g; l < g + 32; ++l; @inner) { if (l >= n) return; const int i = l;\nBODY  }"
            }
            // Not all of them; OpenCL has no part of memory that begins anywhere.
            2 if n > 0 => "for (int i = 2; i < n - 1; ++i; @tile(16, @outer, @inner)) {\nBODY  }",
            _ => "for (int i = 0; i < n; ++i; @tile(128, @outer, @inner)) {\nBODY  }",
        };
        let mut parameters = String::from("const int n, const float a, const float b");
        for (ty, letter) in TYPES
            .iter()
            .zip(["f", "d", "j"])
            .take(if all { 3 } else { 1 })
        {
            for k in 0..3 {
                let _ = write!(parameters, ", {ty} *{letter}{k}");
            }
        }
        // Devices without doubles have none to pass either.
        let parameters = match doubles {
            true => parameters,
            false => parameters.replace("double", "float"),
        };
        let text = format!(
            "@kernel void k{n}({parameters}) {{\n  {}\n}}\n",
            loops.replace("BODY", &text)
        );
        Self { text, all }
    }
}

impl Recording {
    pub fn random(random: &mut Random, doubles: bool) -> Self {
        let kernels: Vec<Kernel> = (0..6).map(|n| Kernel::random(random, n, doubles)).collect();
        let extents = match random.chance(50) {
            true => vec![random.within(5, 3000) as u32],
            false => vec![random.within(3, 40) as u32, random.within(3, 70) as u32],
        };
        let count = extents.iter().product::<u32>() as usize;
        let mut begins = [0; EACH];
        for n in 1..EACH {
            // Some overlap.
            let apart = if random.chance(80) {
                count + 64
            } else {
                count / 2
            };
            begins[n] = begins[n - 1] + apart.next_multiple_of(64);
        }
        let mut recent = 0;
        let mut three = |random: &mut Random| {
            let mut all = [0; 3];
            for (n, place) in all.iter_mut().enumerate() {
                *place = random.within(0, EACH as i64 - 1) as usize;
                if n == 0 && random.chance(60) {
                    *place = recent;
                }
            }
            // Some are one array by two names.
            if random.chance(85) {
                while all[0] == all[1] || all[1] == all[2] || all[0] == all[2] {
                    all[1] = (all[1] + 1) % EACH;
                    if all[1] == all[2] || all[0] == all[2] {
                        all[2] = (all[2] + 1) % EACH;
                    }
                }
            }
            recent = all[1];
            all
        };
        let mut steps = Vec::new();
        for _ in 0..random.within(8, 24) {
            let kernel = random.within(0, kernels.len() as i64 - 1) as usize;
            let step = match random.within(0, 9) {
                0..=2 => {
                    let name = random.pick(&["axpy", "product", "place", "sums"]);
                    let [x, y, mut z] = three(random);
                    while z == x || z == y {
                        z = (z + 1) % EACH;
                    }
                    // Some are folded.
                    if random.chance(30) {
                        steps.push(Step::Brook(name, [x, y, z]));
                        Step::Reduce(random.pick(&REDUCTIONS), z, random.within(0, 3) as usize)
                    } else {
                        Step::Brook(name, [x, y, z])
                    }
                }
                3 if random.chance(40) && begins[2] - begins[1] >= count => {
                    Step::Copy(random.within(0, 1) as usize, 2)
                }
                4..=5 if !kernels[kernel].all => {
                    let mut places = three(random);
                    // Items would race for elements of parts that overlap.
                    let meet = |a: usize, b: usize| a != b && begins[a].abs_diff(begins[b]) < count;
                    for n in 1..3 {
                        while places[..n].iter().any(|p| meet(*p, places[n])) {
                            places[n] = places[0];
                        }
                    }
                    Step::Memory(kernel, places)
                }
                _ => {
                    let all = [three(random), three(random), three(random)];
                    if random.chance(20) {
                        let [[_, folded, _], ..] = all;
                        steps.push(Step::Streams(kernel, all));
                        Step::Reduce(random.pick(&REDUCTIONS), folded, 0)
                    } else {
                        Step::Streams(kernel, all)
                    }
                }
            };
            steps.push(step);
        }
        // At least these become one.
        steps.push(Step::Streams(0, [[0, 1, 2]; 3]));
        steps.push(Step::Streams(0, [[1, 3, 2]; 3]));
        let math = match random.chance(30) {
            true => Math::Strict,
            false => Math::Default,
        };
        Self {
            kernels,
            steps,
            extents,
            begins,
            math,
        }
    }

    fn source(&self) -> String {
        self.kernels.iter().map(|k| k.text.as_str()).collect()
    }

    /// Replays the recording as it is, and with calls that become fewer.
    pub fn run(&self, device: &str, doubles: bool) -> Result<(), String> {
        // What a device does with calls is the same for all that have it open.
        static ONE: Mutex<()> = Mutex::new(());
        let one = ONE.lock();
        let _one = one.unwrap_or_else(std::sync::PoisonError::into_inner);
        let told = |e: brook::runtime::Error| e.to_string();
        let device = Device::open(device).map_err(told)?;
        let before = device.fusion();
        let options = BuildOptions::new().cache(false).math(self.math);
        let okl = Source::new("recorded.okl", self.source());
        let okl = device.build(okl, &options).map_err(told)?;
        let brook = device.build(Source::new("recorded.br", BROOK), &options);
        let brook = brook.map_err(told)?;
        let fused = device.fusion_counts().fused;
        let mut all = Vec::new();
        for fusion in [Fusion::Off, Fusion::On] {
            device.set_fusion(fusion).map_err(told)?;
            all.push(self.observed(&okl, &brook, doubles).map_err(told)?);
        }
        device.set_fusion(before).map_err(told)?;
        let (expected, found) = (&all[0], &all[1]);
        for (found, expected) in found.iter().zip(expected) {
            if let Some(at) = found.1.iter().zip(&expected.1).position(|(a, b)| a != b) {
                return Err(format!(
                    "{} is another from element {at} on: {:e} instead of {:e}\n{}",
                    expected.0,
                    found.1[at],
                    expected.1[at],
                    self.told()
                ));
            }
        }
        let counts = device.fusion_counts();
        let report = brook::runtime::fusion_report();
        match counts.fused > fused && !report.contains("not fused") {
            true => Ok(()),
            false => Err(format!("{counts:?}\n{report}{}", self.told())),
        }
    }

    fn told(&self) -> String {
        let mut text = format!(
            "{:?}, {:?}, {:?}\n{}",
            self.extents,
            self.math,
            self.begins,
            self.source()
        );
        for (n, step) in self.steps.iter().enumerate() {
            let _ = match step {
                Step::Brook(name, places) => writeln!(text, "{n}: {name} {places:?}"),
                Step::Streams(kernel, places) => writeln!(text, "{n}: k{kernel} {places:?}"),
                Step::Memory(kernel, places) => {
                    writeln!(text, "{n}: k{kernel} of memory {places:?}")
                }
                Step::Copy(to, from) => writeln!(text, "{n}: copy {to} from {from}"),
                Step::Reduce(name, from, to) => writeln!(text, "{n}: {name} of {from} to {to}"),
            };
        }
        text
    }

    /// What everything holds after each replay, with one NaN for all.
    fn observed(
        &self,
        okl: &Program,
        brook: &Program,
        doubles: bool,
    ) -> brook::runtime::Result<Vec<(String, Vec<f64>)>> {
        let device = okl.device();
        let count = self.extents.iter().product::<u32>() as usize;
        let mut pools: Vec<Vec<DynStream>> = Vec::new();
        for (ty, name) in TYPES.iter().enumerate() {
            let name = if ty == 1 && !doubles { "float" } else { name };
            let mut pool = Vec::new();
            for n in 0..EACH {
                let stream = device.stream(name, &self.extents)?;
                stream.read(&content(name, count, (7 * ty + n) as u64))?;
                pool.push(stream);
            }
            pools.push(pool);
        }
        // The last one has as many elements as divide those of the others.
        let mut folded = vec![vec![1; self.extents.len()]; 3];
        folded.push(vec![match self.extents[..] {
            [all] => { [8, 5, 2, 1].into_iter() }
                .find(|n| all % n == 0)
                .unwrap_or(1),
            _ => 1,
        }]);
        let folded = folded.iter().map(|extents| device.stream("float", extents));
        let folded: Vec<DynStream> = folded.collect::<brook::runtime::Result<_>>()?;
        for stream in &folded {
            stream.read(&vec![0; stream.bytes()])?;
        }
        let whole = self.begins[EACH - 1] + count;
        let mut random = Random::new(99);
        let numbers = (0..whole).map(|_| random.within(-4000, 4000) as f32 / 1024.7);
        let memory: Memory<f32> = device.upload(&numbers.collect::<Vec<f32>>())?;
        let parts = self.begins.iter().map(|b| memory.slice(*b..b + count));
        let parts: Vec<Memory<f32>> = parts.collect::<brook::runtime::Result<_>>()?;
        let sequence = device.record(|recorder| {
            // A stream that nobody has afterwards, instead of the last one.
            let own = device.stream("float", &self.extents)?;
            own.read(&content("float", count, 5))?;
            let float = |n: usize| match n + 1 == EACH {
                true => own.clone(),
                false => pools[0][n].clone(),
            };
            for step in &self.steps {
                match step {
                    Step::Brook(name, places) => {
                        let streams = places.map(float);
                        let mut arguments: Vec<StreamArgument<'_>> = vec![0.3f32.into()];
                        arguments.extend(streams.iter().map(StreamArgument::from));
                        recorder.call(&brook.kernel(name)?, &mut arguments)?;
                    }
                    Step::Streams(kernel, places) => {
                        let of = &self.kernels[*kernel];
                        let mut streams: Vec<DynStream> = places[0].map(float).to_vec();
                        if of.all {
                            streams.extend(places[1].map(|n| pools[1][n].clone()));
                            streams.extend(places[2].map(|n| pools[2][n].clone()));
                        }
                        let mut arguments: Vec<StreamArgument<'_>> =
                            vec![(count as i32).into(), 0.7f32.into(), (-1.3f32).into()];
                        arguments.extend(streams.iter().map(StreamArgument::from));
                        let kernel = okl.kernel(&format!("k{kernel}"))?;
                        // SAFETY: kernels touch the first `count` elements.
                        unsafe { recorder.call_okl(&kernel, &mut arguments) }?;
                    }
                    Step::Memory(kernel, places) => {
                        let mut arguments: Vec<KernelArgument<'_>> =
                            vec![(count as i32).into(), 0.7f32.into(), (-1.3f32).into()];
                        arguments.extend(places.iter().map(|n| KernelArgument::from(&parts[*n])));
                        let kernel = okl.kernel(&format!("k{kernel}"))?;
                        // SAFETY: as above.
                        unsafe { recorder.launch(&kernel, &arguments) }?;
                    }
                    Step::Copy(to, from) => recorder.copy(&parts[*from], &parts[*to])?,
                    Step::Reduce(name, from, to) => {
                        let from = float(*from);
                        let mut arguments: [StreamArgument<'_>; 3] =
                            [0.3f32.into(), (&from).into(), (&folded[*to]).into()];
                        recorder.call(&brook.kernel(name)?, &mut arguments)?;
                    }
                }
            }
            Ok(())
        })?;
        let mut seen = Vec::new();
        for replay in 0..3 {
            sequence.launch()?;
            for (ty, pool) in pools.iter().enumerate() {
                let name = if ty == 1 && !doubles {
                    "float"
                } else {
                    TYPES[ty]
                };
                for (n, stream) in pool.iter().enumerate() {
                    let mut bytes = vec![0; stream.bytes()];
                    stream.write(&mut bytes)?;
                    let what = format!("{} {n} after replay {replay}", TYPES[ty]);
                    seen.push((what, numbers_of(name, &bytes)));
                }
            }
            for (n, stream) in folded.iter().enumerate() {
                let mut bytes = vec![0; stream.bytes()];
                stream.write(&mut bytes)?;
                let what = format!("folded {n} after replay {replay}");
                seen.push((what, numbers_of("float", &bytes)));
            }
            let all = memory.to_vec()?.into_iter().map(|x| plain(f64::from(x)));
            seen.push((format!("memory after replay {replay}"), all.collect()));
        }
        Ok(seen)
    }
}

/// One number instead of any NaN.
fn plain(number: f64) -> f64 {
    match number.is_nan() {
        true => f64::MAX,
        false => number,
    }
}

fn numbers_of(ty: &str, bytes: &[u8]) -> Vec<f64> {
    let four = |b: &[u8]| b.try_into().unwrap();
    let each: Vec<f64> = match ty {
        "float" => { bytes.chunks(4) }
            .map(|b| f32::from_le_bytes(four(b)).into())
            .collect(),
        "double" => { bytes.chunks(8) }
            .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
            .collect(),
        _ => { bytes.chunks(4) }
            .map(|b| i32::from_le_bytes(four(b)).into())
            .collect(),
    };
    each.into_iter().map(plain).collect()
}

/// Elements of a type, numbers of usual sizes.
fn content(ty: &str, count: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    for _ in 0..count {
        let number = random.within(-4000, 4000) as f64 / 1024.7;
        match ty {
            "float" => all.extend((number as f32).to_le_bytes()),
            "double" => all.extend(number.to_le_bytes()),
            _ => all.extend((number as i32 * 77).to_le_bytes()),
        }
    }
    all
}
