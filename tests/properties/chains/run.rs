//! A chain's steps made on a device, with calls that wait and without.

use super::kernels::{
    Double, FOLDS, Float, Float4, Gathered, Int, KERNELS, Kernel, Other, OtherGathered, Type,
    UChar, Value,
};
use super::{Chain, Random, STREAMS, Step};
use brook::Source;
use brook::runtime::{BuildOptions, Device, DynStream, Fusion, Program, StreamArgument};
use std::fmt::Write;
use std::sync::Mutex;

/// Why a chain's trial fails.
enum Failure {
    /// It cannot be run.
    Error(String),
    /// It shows something else than with calls made at once.
    Differs(String),
    /// Something was not fused.
    Unfused(String),
}

impl Chain {
    /// Runs the steps with calls made at once, and with calls that wait. What differs is told of as few steps as show it.
    pub fn run(&self, device: &str) -> Result<(), String> {
        // What a device does with calls is the same for all that have it open.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match self.compared(device) {
            Ok(()) => Ok(()),
            Err(Failure::Error(why) | Failure::Unfused(why)) => Err(why),
            Err(Failure::Differs(why)) => Err(self.shortened(device, why)),
        }
    }

    /// Leaves out whatever step still shows a difference without it, and tells the last one.
    fn shortened(&self, device: &str, mut why: String) -> String {
        let mut shortest = self.clone();
        let mut at = self.steps.len();
        while at > 0 {
            at -= 1;
            let mut shorter = shortest.clone();
            shorter.steps.remove(at);
            if let Err(Failure::Differs(still)) = shorter.compared(device) {
                (shortest, why) = (shorter, still);
            }
        }
        why + &shortest.source()
    }

    fn compared(&self, device: &str) -> Result<(), Failure> {
        let told = |e: brook::runtime::Error| Failure::Error(e.to_string());
        let device = Device::open(device).map_err(told)?;
        let before = device.fusion();
        let options = BuildOptions::new().cache(false);
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
                    return Err(Failure::Differs(format!(
                        "{fusion:?}: observation {n}, {}, is another from byte {at} on: {:02x?} instead of {:02x?}\n{}",
                        expected.0,
                        some(&found.1),
                        some(&expected.1),
                        self.told()
                    )));
                }
            }
        }
        let counts = device.fusion_counts();
        let fused = counts.fused > 0 && counts.waited > counts.kernels;
        match fused && counts.refused == 0 {
            true => Ok(()),
            false => {
                let report = brook::runtime::fusion_report();
                Err(Failure::Unfused(format!(
                    "not all was fused: {counts:?}\n{report}{}",
                    self.told()
                )))
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
