//! Sequences of calls over streams: whether calls wait for others, are fused with them, or are left out makes no difference.

use super::random::Random;
use brook::Source;
use brook::runtime::{BuildOptions, Device, DynStream, Fusion, Program, StreamArgument};
use std::fmt::Write;
use std::sync::Mutex;

/// A kernel, and the types of its parameters: inputs and values, then outputs.
struct Kernel {
    name: &'static str,
    inputs: &'static [Type],
    outputs: &'static [Type],
    text: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Float,
    Double,
    Float4,
    Int,
    UChar,
    /// A stream of another shape.
    Other,
    /// What is gathered: a stream of `Float`, and of `Other`.
    Gathered,
    OtherGathered,
    /// No stream.
    Value,
}

use Type::{Double, Float, Float4, Gathered, Int, Other, OtherGathered, UChar, Value};

const POOLS: [Type; 6] = [Float, Double, Float4, Int, UChar, Other];

impl Type {
    fn name(self) -> &'static str {
        match self {
            Float | Other | Gathered | OtherGathered | Value => "float",
            Double => "double",
            Float4 => "float4",
            Int => "int",
            UChar => "unsigned char",
        }
    }

    /// Where streams for such a parameter are.
    fn pool(self) -> Self {
        match self {
            Gathered => Float,
            OtherGathered => Other,
            own => own,
        }
    }
}

/// Products, sums and both: what compilers like to contract, and to compute once. Values that not every compiler rounds
/// in the same way stay within one kernel.
const KERNELS: &[Kernel] = &[
    Kernel {
        name: "axpy",
        inputs: &[Value, Float, Float],
        outputs: &[Float],
        text: "kernel void axpy(float a, float x<>, float y<>, out float z<>) { z = a * x + y; }",
    },
    Kernel {
        name: "product",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void product(float x<>, float y<>, out float z<>) { z = x * y; }",
    },
    Kernel {
        name: "sum",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void sum(float x<>, float y<>, out float z<>) { z = x + y; }",
    },
    Kernel {
        name: "two",
        inputs: &[Float, Float],
        outputs: &[Float, Float],
        text: "kernel void two(float x<>, float y<>, out float s<>, out float d<>) { s = x * y + x; d = x * y - y; }",
    },
    Kernel {
        name: "square",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void square(float x<>, out float y<>) { y = x * x * 0.125f + x * 0.5f; }",
    },
    Kernel {
        name: "copied",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void copied(float x<>, out float y<>) { y = x; }",
    },
    Kernel {
        name: "constant",
        inputs: &[Value],
        outputs: &[Float],
        text: "kernel void constant(float a, out float y<>) { y = a * 3.0f + 1.0f; }",
    },
    Kernel {
        name: "step",
        inputs: &[Double, Double, Value],
        outputs: &[Double],
        text: "kernel void step(double x<>, double v<>, float t, out double y<>) { y = x * (double)t + v * (double)t; }",
    },
    Kernel {
        name: "widened",
        inputs: &[Float, Double],
        outputs: &[Double],
        text: "kernel void widened(float x<>, double y<>, out double z<>) { z = (double)x * y + y; }",
    },
    Kernel {
        name: "narrowed",
        inputs: &[Double],
        outputs: &[Float],
        text: "kernel void narrowed(double x<>, out float z<>) { z = (float)(x * x); }",
    },
    Kernel {
        name: "vectors",
        inputs: &[Float4, Float4, Value],
        outputs: &[Float4],
        text: "kernel void vectors(float4 x<>, float4 y<>, float f, out float4 z<>) { z = x * float4(f, f, f, f) + y * x; }",
    },
    Kernel {
        name: "parted",
        inputs: &[Float4],
        outputs: &[Float, Float],
        text: "kernel void parted(float4 x<>, out float a<>, out float b<>) { a = x.x * x.y; b = x.z + x.w * x.x; }",
    },
    Kernel {
        name: "joined",
        inputs: &[Float, Float],
        outputs: &[Float4],
        text: "kernel void joined(float a<>, float b<>, out float4 x<>) { x = float4(a, b, a * b, a + b); }",
    },
    Kernel {
        name: "vanishes",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void vanishes(float x<>, out float z<>) { z = x * 2.0f - (x + x); }",
    },
    Kernel {
        name: "negated",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void negated(float x<>, out float z<>) { z = -x; }",
    },
    Kernel {
        name: "ways",
        inputs: &[Float, Float],
        outputs: &[Float, Float],
        text: "kernel void ways(float x<>, float y<>, out float z<>, out float w<>) { if (x > y) { z = x * y + x; w = y; } else { w = x * x - y * y; z = w; } }",
    },
    Kernel {
        name: "sometimes",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void sometimes(float x<>, float y<>, out float z<>) { if (x > y) z = x * y + x; }",
    },
    Kernel {
        name: "integers",
        inputs: &[Int, Int],
        outputs: &[Int],
        text: "kernel void integers(int a<>, int b<>, out int d<>) { d = a * 7 + b; }",
    },
    Kernel {
        name: "bytes",
        inputs: &[UChar, Int],
        outputs: &[UChar],
        text: "kernel void bytes(unsigned char a<>, int b<>, out unsigned char c<>) { c = (unsigned char)((int)a + b); }",
    },
    Kernel {
        name: "chosen",
        inputs: &[Float, Int],
        outputs: &[Float],
        text: "kernel void chosen(float x<>, int c<>, out float z<>) { if (c > 3) z = x * x; else z = x + 1.0f; }",
    },
    Kernel {
        name: "powered",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void powered(float x<>, out float z<>) { int i; z = x; for (i = 0; i < 3; i++) z = z * x; }",
    },
    // Places: what is multiplied is the same for all.
    Kernel {
        name: "place_alone",
        inputs: &[],
        outputs: &[Float],
        text: "kernel void place_alone(out float z<>) { z = indexof(z).x * 0.37f; }",
    },
    Kernel {
        name: "place_and",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void place_and(float x<>, out float z<>) { z = indexof(x).x * 0.37f + x; }",
    },
    Kernel {
        name: "place_less",
        inputs: &[Float, Int],
        outputs: &[Float],
        text: "kernel void place_less(float x<>, int n<>, out float z<>) { z = (float)(instance().x + n) * 0.37f - x; }",
    },
    Kernel {
        name: "resized",
        inputs: &[Other, Float],
        outputs: &[Float],
        text: "kernel void resized(float o<>, float x<>, out float z<>) { z = o * x + 0.25f; }",
    },
    Kernel {
        name: "shrunk",
        inputs: &[Float],
        outputs: &[Other],
        text: "kernel void shrunk(float x<>, out float o<>) { o = x * 0.5f; }",
    },
    Kernel {
        name: "others",
        inputs: &[Other, Other],
        outputs: &[Other],
        text: "kernel void others(float o<>, float p<>, out float q<>) { q = o * p; }",
    },
    // The same elements with products of the same, of several kernels. RANK stands for brackets, and PLACE for an index.
    Kernel {
        name: "fetched",
        inputs: &[Gathered, Float],
        outputs: &[Float],
        text: "kernel void fetched(float gRANK, float x<>, out float z<>) { z = gPLACE * x; }",
    },
    Kernel {
        name: "fetched_and",
        inputs: &[Gathered, Gathered, Float],
        outputs: &[Float],
        text: "kernel void fetched_and(float gRANK, float hRANK, float x<>, out float z<>) { z = gPLACE * hPLACE + x; }",
    },
    Kernel {
        name: "fetched_both",
        inputs: &[Gathered, Gathered],
        outputs: &[Float],
        text: "kernel void fetched_both(float gRANK, float hRANK, out float z<>) { z = gPLACE * hPLACE; }",
    },
    Kernel {
        name: "searched",
        inputs: &[Float, Gathered, OtherGathered],
        outputs: &[Float, Float],
        text: "kernel void searched(float x<>, float gRANK, float oRANK, out float y<>, out float z<>) { y = gFOUND + x; z = oFOUND; }",
    },
    // What compilers contract otherwise, or take another function for, when it is compiled with others.
    Kernel {
        name: "moved_none",
        inputs: &[Int],
        outputs: &[Float],
        text: "kernel void moved_none(int n<>, out float z<>) { z = (float)(n * 7001) * 0.37f; }",
    },
    Kernel {
        name: "moved_by",
        inputs: &[Int, Float],
        outputs: &[Float],
        text: "kernel void moved_by(int n<>, float y<>, out float z<>) { z = (float)(n * 7001) * 0.37f + y; }",
    },
    Kernel {
        name: "halved_whole",
        inputs: &[Float, Float],
        outputs: &[Float4],
        text: "kernel void halved_whole(float x<>, float y<>, out float4 z<>) { float t = x * y; z = float4(t + x, t, t, t); }",
    },
    Kernel {
        name: "halved_first",
        inputs: &[Float4],
        outputs: &[Float],
        text: "kernel void halved_first(float4 x<>, out float z<>) { z = x.x; }",
    },
    Kernel {
        name: "larger_or",
        inputs: &[Float, Float, Int],
        outputs: &[Float],
        text: "kernel void larger_or(float x<>, float y<>, int n<>, out float z<>) { z = x * y + (n > 3 ? x : 0.37f); }",
    },
    Kernel {
        name: "larger_sine",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void larger_sine(float x<>, out float z<>) { z = sin(x); }",
    },
    Kernel {
        name: "larger_of",
        inputs: &[Float, Float],
        outputs: &[Float],
        text: "kernel void larger_of(float x<>, float y<>, out float z<>) { z = max(x, y); }",
    },
    // These do not wait.
    Kernel {
        name: "looped",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void looped(float x<>, out float z<>) { int i; z = x; for (i = 0; i < 3; i++) z = z * 0.5f + x; }",
    },
    Kernel {
        name: "maybe",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void maybe(float x<>, out float z<>) { if (x > 0.0f) z = x * 0.75f; }",
    },
    Kernel {
        name: "placed",
        inputs: &[Float],
        outputs: &[Float],
        text: "kernel void placed(float x<>, out float z<>) { z = x + (float)instance().x; }",
    },
];

/// Kernels that change what compilers make of each other, by how their names begin.
const FAMILIES: [&str; 5] = ["place_", "fetched", "moved_", "halved_", "larger_"];

/// All of a kernel's family.
fn family(kernel: usize) -> Vec<usize> {
    let of = |name: &str| FAMILIES.iter().position(|f| name.starts_with(f));
    let own = of(KERNELS[kernel].name);
    let all = 0..KERNELS.len();
    all.filter(|&n| n == kernel || own.is_some() && of(KERNELS[n].name) == own)
        .collect()
}

const PRODUCT: usize = 1;
const SUM: usize = 2;

/// A reduction: what it folds, whether it takes a value, and its text.
struct Fold {
    name: &'static str,
    ty: Type,
    value: bool,
    text: &'static str,
}

const FOLDS: &[Fold] = &[
    Fold {
        name: "total",
        ty: Float,
        value: false,
        text: "reduce void total(float x<>, reduce float r<>) { r += x; }",
    },
    // A product that may be contracted with the sum, or with what has made the element.
    Fold {
        name: "squares",
        ty: Float,
        value: false,
        text: "reduce void squares(float x<>, reduce float r<>) { r += x * x; }",
    },
    Fold {
        name: "scaled",
        ty: Float,
        value: true,
        text: "reduce void scaled(reduce float r<>, float x<>, float w) { r += x * w; }",
    },
    // In order.
    Fold {
        name: "largest",
        ty: Float,
        value: false,
        text: "reduce void largest(float x<>, reduce float r<>) { if (x > r) r = x; }",
    },
    Fold {
        name: "fading",
        ty: Float,
        value: true,
        text: "reduce void fading(float x<>, float w, reduce float r<>) { r = r * w + x; }",
    },
    Fold {
        name: "vectors_total",
        ty: Float4,
        value: false,
        text: "reduce void vectors_total(float4 x<>, reduce float4 r<>) { r += x; }",
    },
    Fold {
        name: "doubles_total",
        ty: Double,
        value: false,
        text: "reduce void doubles_total(double x<>, reduce double r<>) { r += x; }",
    },
    Fold {
        name: "integers_total",
        ty: Int,
        value: false,
        text: "reduce void integers_total(int x<>, reduce int r<>) { r += x; }",
    },
    Fold {
        name: "bits",
        ty: Int,
        value: false,
        text: "reduce void bits(int x<>, reduce int r<>) { r ^= x; }",
    },
];

/// Streams of each type.
const STREAMS: usize = 4;

/// A stream of a pool, or elements of it.
type Place = (usize, Option<u32>);

enum Step {
    /// Which kernel, its streams, and how many elements of each if not all.
    Call(usize, Vec<Place>, Option<u32>),
    Read(Type, usize),
    Fill(Type, usize, u64),
    /// Another stream takes its place.
    Replace(Type, usize),
    /// A few elements from one on.
    Peek(Type, usize, u32),
    /// Which reduction, of which stream, with which value, and the extents of the stream that it goes to, if that is not a
    /// variable.
    Fold(usize, usize, i64, Option<Vec<u32>>),
    Copy(Type, usize, usize),
}

pub struct Chain {
    doubles: bool,
    /// Some of them: each fused kernel is compiled with all.
    kernels: Vec<usize>,
    extents: Vec<u32>,
    /// Those of the other shape.
    other: Vec<u32>,
    steps: Vec<Step>,
}

impl Chain {
    pub fn random(random: &mut Random, doubles: bool) -> Self {
        let one = [1, 5, 64, 1000, 4099, 12288];
        let extents = match random.chance(70) {
            true => vec![random.pick(&one)],
            false => vec![random.within(1, 40) as u32, random.within(1, 70) as u32],
        };
        let other = |&extent: &u32| match random.within(1, 4) {
            1 => extent,
            2 => extent.div_ceil(2),
            3 => random.within(1, 9) as u32,
            _ => extent + random.within(1, 5) as u32,
        };
        let other = extents.iter().map(other).collect();
        let has = |n: &usize| {
            let mut types = KERNELS[*n].inputs.iter().chain(KERNELS[*n].outputs);
            doubles || !types.any(|t| *t == Double)
        };
        let all: Vec<usize> = (0..KERNELS.len()).filter(has).collect();
        let mut kernels = vec![PRODUCT, SUM];
        while kernels.len() < 8 {
            let kernel = random.pick(&all);
            if !kernels.contains(&kernel) {
                kernels.extend(family(kernel));
            }
        }
        let mut this = Self {
            doubles,
            kernels,
            extents,
            other,
            steps: Vec::new(),
        };
        let mut recent = Vec::new();
        // One that shows whatever is contracted.
        let whole = |streams: [usize; 3]| streams.map(|s| (s, None)).to_vec();
        this.steps.extend([
            Step::Call(PRODUCT, whole([0, 1, 2]), None),
            Step::Call(SUM, whole([2, 3, 1]), None),
            Step::Replace(Float, 2),
            Step::Read(Float, 1),
        ]);
        for _ in 0..random.within(16, 40) {
            let step = this.step(random, &mut recent);
            this.steps.push(step);
        }
        this
    }

    fn pool(&self, random: &mut Random) -> Type {
        random.pick(&self.pools())
    }

    fn extents(&self, pool: Type) -> &[u32] {
        match pool {
            Other => &self.other,
            _ => &self.extents,
        }
    }

    fn pools(&self) -> Vec<Type> {
        let pools = POOLS.into_iter();
        pools.filter(|p| self.doubles || *p != Double).collect()
    }

    /// `recent` are the streams that were written, in order: what comes next likes to read the last of them, and to
    /// replace what has been read.
    fn step(&self, random: &mut Random, recent: &mut Vec<(Type, usize)>) -> Step {
        let any = |random: &mut Random| random.within(0, STREAMS as i64 - 1) as usize;
        match random.within(1, 112) {
            1..=68 => self.call(random, recent),
            101..=112 => self.fold(random, recent),
            69..=86 if recent.len() > 1 => {
                let (ty, stream) = recent[recent.len() - 2];
                Step::Replace(ty, stream)
            }
            69..=87 => Step::Read(self.pool(random), any(random)),
            88 => {
                let (ty, stream) = (self.pool(random), any(random));
                Step::Peek(
                    ty,
                    stream,
                    random.within(0, i64::from(self.extents(ty)[0]) - 1) as u32,
                )
            }
            89..=90 => Step::Fill(self.pool(random), any(random), random.next()),
            91..=95 => Step::Replace(self.pool(random), any(random)),
            _ => Step::Copy(self.pool(random), any(random), any(random)),
        }
    }

    fn fold(&self, random: &mut Random, recent: &[(Type, usize)]) -> Step {
        let last = recent.last().filter(|_| random.chance(80));
        let all: Vec<usize> = self.folds().collect();
        let fitting = all.iter().copied();
        let fitting: Vec<usize> = fitting
            .filter(|n| last.is_some_and(|(ty, _)| FOLDS[*n].ty == *ty))
            .collect();
        let fold = match fitting.is_empty() {
            true => random.pick(&all),
            false => random.pick(&fitting),
        };
        let recent = recent.iter().rev().find(|(ty, _)| *ty == FOLDS[fold].ty);
        let stream = match recent {
            Some((_, stream)) if random.chance(80) => *stream,
            _ => random.within(0, STREAMS as i64 - 1) as usize,
        };
        let part = random.chance(40).then(|| {
            let mut extents = Vec::new();
            for &extent in &self.extents {
                let divisors: Vec<u32> = (1..=extent).filter(|n| extent % n == 0).collect();
                extents.push(random.pick(&divisors));
            }
            extents
        });
        Step::Fold(fold, stream, random.within(-4, 4), part)
    }

    fn folds(&self) -> impl Iterator<Item = usize> + '_ {
        (0..FOLDS.len()).filter(|n| self.doubles || FOLDS[*n].ty != Double)
    }

    fn call(&self, random: &mut Random, recent: &mut Vec<(Type, usize)>) -> Step {
        // A product whose stream is gone when a sum has been made of it is what compilers contract.
        let mut kernel = match random.chance(40) {
            true => random.pick(&[PRODUCT, SUM]),
            false => random.pick(&self.kernels),
        };
        if let Some(Step::Call(before, ..)) = self.steps.last() {
            let family = family(*before);
            if family.len() > 1 && random.chance(70) {
                kernel = random.pick(&family);
            }
        }
        let length = self.extents[0];
        let others = KERNELS[kernel].outputs.contains(&Other);
        let part = (self.extents.len() == 1 && length > 4 && !others && random.chance(15))
            .then(|| random.within(1, i64::from(length) - 2) as u32);
        let mut places: Vec<Place> = Vec::new();
        let Kernel {
            inputs, outputs, ..
        } = &KERNELS[kernel];
        let mut taken: Vec<(Type, usize)> = Vec::new();
        for (n, ty) in inputs.iter().chain(*outputs).enumerate() {
            if *ty == Value {
                places.push((random.within(-8, 8) as usize, None));
                continue;
            }
            let pool = ty.pool();
            let mut stream = random.within(0, STREAMS as i64 - 1) as usize;
            let last = recent.iter().rev().find(|(t, _)| *t == pool);
            if let (true, Some((_, last))) = (n < inputs.len() && random.chance(70), last) {
                stream = *last;
            }
            if n >= inputs.len() {
                while taken.contains(&(*ty, stream)) {
                    stream = (stream + 1) % STREAMS;
                }
                taken.push((*ty, stream));
            }
            // Parts that begin somewhere else are another stream's, or overlap.
            let whole = matches!(ty, Other | Gathered | OtherGathered);
            let start = part
                .filter(|_| !whole)
                .map(|count| match random.chance(70) {
                    true => 0,
                    false => random.within(0, i64::from(length - count)) as u32,
                });
            places.push((stream, start));
        }
        recent.extend(taken);
        Step::Call(kernel, places, part)
    }

    pub fn source(&self) -> String {
        let texts = self.kernels.iter().map(|n| KERNELS[*n].text);
        let folds = self.folds().map(|n| FOLDS[n].text);
        let all = texts
            .chain(folds)
            .fold(String::new(), |all, text| all + text + "\n");
        let [rank, place, found] = match self.extents.len() {
            1 => ["[]", "[indexof(z).x * 0.5f]", "[x * 3.0f]"],
            _ => [
                "[][]",
                "[indexof(z).y][indexof(z).x * 0.5f]",
                "[x * 3.0f][indexof(y).x]",
            ],
        };
        all.replace("RANK", rank)
            .replace("PLACE", place)
            .replace("FOUND", found)
    }

    /// Runs the steps with calls made at once, and with calls that wait.
    pub fn run(&self, device: &str) -> Result<(), String> {
        // What a device does with calls is the same for all that have it open.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let device = Device::open(device).map_err(|e| e.to_string())?;
        let before = device.fusion();
        let options = BuildOptions::new().cache(false);
        let told = |e: brook::runtime::Error| e.to_string();
        let program = device
            .build(Source::new("chain.br", self.source()), &options)
            .map_err(told)?;
        let mut all = Vec::new();
        for fusion in [Fusion::Off, Fusion::On, Fusion::Now] {
            device.set_fusion(fusion).map_err(told)?;
            all.push((fusion, self.observed(&program).map_err(told)?));
        }
        device.set_fusion(before).map_err(told)?;
        let expected = &all[0].1;
        for (fusion, found) in &all[1..] {
            for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
                if found != expected {
                    let at = found.1.iter().zip(&expected.1).position(|(a, b)| a != b);
                    let at = at.unwrap_or(0) / 16 * 16;
                    let some =
                        |bytes: &[u8]| bytes[at..].iter().take(16).copied().collect::<Vec<_>>();
                    return Err(format!(
                        "{fusion:?}: observation {n}, {}, is another from byte {at} on: {:02x?} instead of {:02x?}\n{}",
                        expected.0,
                        some(&found.1),
                        some(&expected.1),
                        self.told()
                    ));
                }
            }
        }
        let counts = device.fusion_counts();
        let fused = counts.fused > 0 && counts.waited > counts.kernels;
        match fused && counts.refused == 0 {
            true => Ok(()),
            false => {
                let report = brook::runtime::fusion_report();
                Err(format!(
                    "not all was fused: {counts:?}\n{report}{}",
                    self.told()
                ))
            }
        }
    }

    fn told(&self) -> String {
        let mut text = format!("{:?} and {:?}\n", self.extents, self.other);
        for (n, step) in self.steps.iter().enumerate() {
            let _ = match step {
                Step::Call(kernel, places, part) => {
                    writeln!(text, "{n}: {} {places:?} {part:?}", KERNELS[*kernel].name)
                }
                Step::Read(ty, stream) => writeln!(text, "{n}: read {ty:?} {stream}"),
                Step::Fill(ty, stream, _) => writeln!(text, "{n}: fill {ty:?} {stream}"),
                Step::Replace(ty, stream) => writeln!(text, "{n}: replace {ty:?} {stream}"),
                Step::Peek(ty, stream, at) => writeln!(text, "{n}: peek {ty:?} {stream} at {at}"),
                Step::Fold(fold, stream, value, part) => {
                    writeln!(
                        text,
                        "{n}: {} of {stream} {value} {part:?}",
                        FOLDS[*fold].name
                    )
                }
                Step::Copy(ty, to, from) => writeln!(text, "{n}: copy {ty:?} {to} from {from}"),
            };
        }
        text
    }

    /// Everything that the steps show of streams, and what all of them hold in the end.
    fn observed(&self, program: &Program) -> brook::runtime::Result<Vec<(String, Vec<u8>)>> {
        let device = program.device();
        let mut pools: Vec<(Type, Vec<DynStream>)> = Vec::new();
        let types = self.pools();
        for &ty in &types {
            let mut streams = Vec::new();
            for n in 0..STREAMS {
                let stream = device.stream(ty.name(), self.extents(ty))?;
                stream.read(&content(ty, stream.bytes(), n as u64))?;
                streams.push(stream);
            }
            pools.push((ty, streams));
        }
        let number = |ty: Type| types.iter().position(|p| *p == ty.pool()).unwrap();
        let mut seen = Vec::new();
        let read = |ty: Type, stream: &DynStream, what: String| {
            let mut bytes = vec![0; stream.bytes()];
            stream.write(&mut bytes).map(|()| (what, plain(ty, bytes)))
        };
        // What is done again finds kernels built, and what has been stored before.
        for (at, step) in self.steps.iter().chain(&self.steps).enumerate() {
            match step {
                Step::Call(kernel, places, part) => {
                    let Kernel {
                        name,
                        inputs,
                        outputs,
                        ..
                    } = &KERNELS[*kernel];
                    let types: Vec<Type> = inputs.iter().chain(*outputs).copied().collect();
                    let mut parts: Vec<DynStream> = Vec::new();
                    for (ty, (stream, start)) in types.iter().zip(places) {
                        if *ty != Value {
                            let whole = &pools[number(*ty)].1[*stream];
                            parts.push(match (start, part) {
                                (Some(start), Some(count)) => {
                                    whole.domain(&[*start], &[start + count])?
                                }
                                _ => whole.clone(),
                            });
                        }
                    }
                    let mut parts = parts.iter();
                    let mut arguments: Vec<StreamArgument<'_>> = types
                        .iter()
                        .zip(places)
                        .map(|(ty, (value, _))| match ty {
                            Value => (*value as i64 as f32 * 0.3).into(),
                            _ => parts.next().unwrap().into(),
                        })
                        .collect();
                    program.call(name, &mut arguments)?;
                }
                Step::Read(ty, stream) => {
                    let stream = &pools[number(*ty)].1[*stream];
                    seen.push(read(*ty, stream, format!("step {at}"))?);
                }
                Step::Fill(ty, stream, seed) => {
                    let stream = &pools[number(*ty)].1[*stream];
                    stream.read(&content(*ty, stream.bytes(), *seed))?;
                }
                Step::Replace(ty, stream) => {
                    pools[number(*ty)].1[*stream] = device.stream(ty.name(), self.extents(*ty))?;
                }
                Step::Peek(ty, stream, start) => {
                    let stream = &pools[number(*ty)].1[*stream];
                    let extents = self.extents(*ty);
                    let mut from = vec![0; extents.len()];
                    let mut to: Vec<u32> = extents.iter().rev().copied().collect();
                    let last = extents.len() - 1;
                    (from[last], to[last]) = (*start, (start + 3).min(extents[0]));
                    seen.push(read(
                        *ty,
                        &stream.domain(&from, &to)?,
                        format!("step {at}"),
                    )?);
                }
                Step::Fold(fold, stream, value, part) => {
                    let (fold, stream) =
                        (&FOLDS[*fold], &pools[number(FOLDS[*fold].ty)].1[*stream]);
                    let extents = part.clone().unwrap_or_else(|| vec![1; self.extents.len()]);
                    let folded = device.stream(fold.ty.name(), &extents)?;
                    let mut bytes = vec![0; folded.bytes()];
                    let scalar = match fold.ty {
                        Double => brook::expr::Scalar::Double,
                        Int => brook::expr::Scalar::Int,
                        _ => brook::expr::Scalar::Float,
                    };
                    let mut arguments: Vec<StreamArgument<'_>> = vec![stream.into()];
                    if fold.value {
                        arguments.push((*value as f32 * 0.3).into());
                    }
                    arguments.push(match part {
                        Some(_) => (&folded).into(),
                        None => StreamArgument::Variable {
                            scalar,
                            bytes: &mut bytes,
                        },
                    });
                    if fold.name == "scaled" {
                        arguments.rotate_right(1);
                    }
                    program.call(fold.name, &mut arguments)?;
                    drop(arguments);
                    if part.is_some() {
                        folded.write(&mut bytes)?;
                    }
                    seen.push((format!("step {at}"), plain(fold.ty, bytes)));
                }
                Step::Copy(ty, to, from) => {
                    let streams = &pools[number(*ty)].1;
                    streams[*to].assign(&streams[*from])?;
                }
            }
        }
        for (ty, streams) in &pools {
            for (n, stream) in streams.iter().enumerate() {
                seen.push(read(*ty, stream, format!("{ty:?} {n} in the end"))?);
            }
        }
        Ok(seen)
    }
}

/// The same with one NaN for all: which one comes out where two go in is the order of the operands, which compilers choose.
fn plain(ty: Type, mut bytes: Vec<u8>) -> Vec<u8> {
    match ty {
        Float | Float4 | Other | Gathered | OtherGathered | Value => {
            for number in bytes.chunks_exact_mut(4) {
                if f32::from_le_bytes(number.try_into().unwrap()).is_nan() {
                    number.copy_from_slice(&f32::NAN.to_le_bytes());
                }
            }
        }
        Double => {
            for number in bytes.chunks_exact_mut(8) {
                if f64::from_le_bytes(number.try_into().unwrap()).is_nan() {
                    number.copy_from_slice(&f64::NAN.to_le_bytes());
                }
            }
        }
        Int | UChar => {}
    }
    bytes
}

/// Elements of a type, numbers of usual sizes.
fn content(ty: Type, bytes: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut number = || random.within(-4000, 4000) as f64 / 1024.7;
    let mut all = Vec::with_capacity(bytes);
    while all.len() < bytes {
        match ty {
            Float | Float4 | Other | Gathered | OtherGathered | Value => {
                all.extend((number() as f32).to_le_bytes())
            }
            Double => all.extend(number().to_le_bytes()),
            Int => all.extend((number() as i32 * 3).to_le_bytes()),
            UChar => all.push(number() as i64 as u8),
        }
    }
    all
}
