//! Sequences of calls over streams: whether calls wait for others, are fused with them, or are left out makes no difference.

mod kernels;
mod run;

use super::random::Random;
use kernels::{Double, Gathered, OtherGathered};
use kernels::{FOLDS, Float, KERNELS, Kernel, Other, POOLS, PRODUCT, SUM, Type, Value, family};

/// Streams of each type.
const STREAMS: usize = 4;

/// A stream of a pool, or elements of it.
type Place = (usize, Option<u32>);

#[derive(Clone)]
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

#[derive(Clone)]
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
}
