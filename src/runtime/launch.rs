//! The host's part of a kernel, evaluated: the same tree that ahead-of-time launchers are rendered
//! from, so that launching needs no host compiler.

use super::Result;
use super::evaluate::{Frame, Program};
use super::list::List;
use crate::expr::{Expr, Scalar, Value, root_name};
use crate::module::{Launch, Statement};
use crate::render::Dtype;
use brook_driver::{Argument, Buffer, Limits};

/// Arguments that need no memory of their own: more than most kernels have.
pub(super) const SHORT: usize = 32;

const AXES: [&str; 3] = ["x", "y", "z"];

/// What a name of the host's part stands for.
#[derive(Clone, Copy)]
pub(crate) enum Bound<'a> {
    /// Device memory.
    Buffer(&'a dyn Buffer),
    /// A null pointer.
    Null,
    /// A scalar: host code may compute with it.
    Scalar(Value),
    /// Any other value, in the device's layout.
    Bytes(&'a [u8]),
    /// A structure whose fields host code may compute with.
    Structure(&'a [u8], &'a Dtype),
}

/// A pointer as a buffer, and how many bytes into that it points; `None` of what is no pointer.
pub(super) fn with_offset(argument: Argument<'_>) -> Option<(Argument<'_>, [u8; 8])> {
    match argument {
        Argument::Buffer(buffer) => Some((
            Argument::Whole(buffer),
            (buffer.offset() as u64).to_ne_bytes(),
        )),
        Argument::Null => Some((Argument::Null, [0; 8])),
        _ => None,
    }
}

/// Receives each launch: the device kernel's name, groups, items, and its arguments in order.
pub(crate) type LaunchSink<'s> =
    dyn FnMut(&str, [u64; 3], [u32; 3], &[Argument<'_>]) -> Result<()> + 's;

/// The names that a host part computes with, makes or changes.
pub(super) struct Computed(Vec<String>);

impl Computed {
    pub(super) fn of(host: &[Statement]) -> Self {
        let mut names = Vec::new();
        Statement::for_each_name(host, &mut |name| names.push(root_name(name).to_string()));
        names.sort_unstable();
        names.dedup();
        Self(names)
    }

    /// Whether what a name stands for is no more than handed on.
    pub(super) fn lets_pass(&self, name: &str) -> bool {
        self.0
            .binary_search_by(|own| own.as_str().cmp(name))
            .is_err()
    }
}

/// Where a launch has an argument from.
#[derive(Clone, Copy)]
pub(super) enum Given {
    /// A number that the host's part has worked out, and how many bytes it has.
    Number([u8; 8], usize),
    /// What the name in that place stands for.
    Bound(usize),
}

/// A launch that is worked out.
pub(super) struct Worked<'l> {
    pub(super) kernel: &'l str,
    pub(super) groups: [u64; 3],
    pub(super) items: [u32; 3],
    pub(super) arguments: &'l [Given],
    /// Each buffer is followed by how many bytes into it the parameter points.
    pub(super) offsets: bool,
    /// As those of a [`Launch`].
    pub(super) bases: &'l [(usize, u64)],
}

/// Runs the host's part of `kernel` and hands every launch to `sink`. A launch with an extent of
/// zero or less is skipped.
///
/// # Errors
/// Expressions without a value, extents over the device's limits, arguments nobody bound, a loop
/// that does not end, and whatever the sink returns.
pub(super) fn run(
    program: &Program<'_>,
    (host, computed): (&[Statement], &Computed),
    bindings: &[(&str, Bound<'_>)],
    limits: &Limits,
    sink: &mut dyn FnMut(&Worked<'_>) -> Result<()>,
) -> Result<()> {
    let scalars = bindings.iter().filter_map(|(name, bound)| match bound {
        Bound::Scalar(value) => Some((*name, *value)),
        _ => None,
    });
    let mut frame = Frame::new(program, bindings, scalars);
    let mut launcher = Launcher {
        bindings,
        computed,
        limits,
        sink,
    };
    frame
        .block(host, &mut |frame, launch| launcher.launch(frame, launch))
        .map(|_| ())
}

struct Launcher<'a, 's> {
    bindings: &'a [(&'a str, Bound<'a>)],
    computed: &'a Computed,
    limits: &'a Limits,
    sink: &'a mut (dyn FnMut(&Worked<'_>) -> Result<()> + 's),
}

impl Worked<'_> {
    /// Hands it to a sink, with what names stand for.
    ///
    /// # Errors
    /// Whatever the sink returns.
    pub(super) fn hand(
        &self,
        bindings: &[(&str, Bound<'_>)],
        limits: &Limits,
        sink: &mut LaunchSink<'_>,
    ) -> Result<()> {
        let mut places = List::<_, SHORT>::filled([0; 8], self.arguments.len());
        let mut arguments = List::<_, SHORT>::new(Argument::Null);
        for (given, place) in self.arguments.iter().zip(places.iter_mut()) {
            let argument = match given {
                Given::Number(bytes, size) => Argument::Value(&bytes[..*size]),
                Given::Bound(index) => match bindings[*index].1 {
                    Bound::Buffer(buffer) => Argument::Buffer(buffer),
                    Bound::Bytes(bytes) | Bound::Structure(bytes, _) => Argument::Value(bytes),
                    Bound::Null => Argument::Null,
                    Bound::Scalar(value) => {
                        let size = to_bytes(value, place);
                        arguments.push(Argument::Value(&place[..size]));
                        continue;
                    }
                },
            };
            match self.offsets.then(|| with_offset(argument)).flatten() {
                Some((whole, offset)) => {
                    *place = offset;
                    arguments.extend([whole, Argument::Value(place)]);
                }
                None => arguments.push(argument),
            }
        }
        match self.bases {
            [] => sink(self.kernel, self.groups, self.items, &arguments),
            _ => self.slices(limits, &arguments, sink),
        }
    }

    /// Launches as many groups at a time as the device takes; the kernel's last arguments say where
    /// they begin.
    fn slices(
        &self,
        limits: &Limits,
        arguments: &[Argument<'_>],
        sink: &mut LaunchSink<'_>,
    ) -> Result<()> {
        let (groups, bases) = (self.groups, self.bases);
        let most = |axis: usize| match bases.iter().any(|(a, _)| *a == axis) {
            true => limits.grid[axis].min(1 << 31),
            false => u64::MAX,
        };
        let most = [most(0), most(1), most(2)];
        let mut from = [0u64; 3];
        loop {
            let size = |axis: usize| (groups[axis] - from[axis]).min(most[axis]);
            let slice = [size(0), size(1), size(2)];
            let first = from.map(|n| u32::try_from(n).unwrap_or(u32::MAX).to_ne_bytes());
            let mut all = List::<_, SHORT>::new(Argument::Null);
            all.extend(arguments.iter().copied());
            all.extend(bases.iter().map(|&(axis, _)| Argument::Value(&first[axis])));
            sink(self.kernel, slice, self.items, &all)?;
            // The next slice, x first.
            let mut axis = 0;
            loop {
                from[axis] += slice[axis];
                if from[axis] < groups[axis] {
                    break;
                }
                from[axis] = 0;
                axis += 1;
                if axis == 3 {
                    return Ok(());
                }
            }
        }
    }
}

impl Launcher<'_, '_> {
    fn launch(&mut self, frame: &Frame<'_>, launch: &Launch) -> Result<()> {
        let Some(groups) = extents(frame, &launch.groups)? else {
            return Ok(());
        };
        let Some(items) = extents(frame, &launch.items)? else {
            return Ok(());
        };
        self.check(frame, launch, groups, items)?;
        let items = items.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let mut arguments = List::<_, SHORT>::new(Given::Bound(0));
        for name in &launch.arguments {
            arguments.push(self.argument(frame, &launch.kernel, name)?);
        }
        (self.sink)(&Worked {
            kernel: &launch.kernel,
            groups,
            items,
            arguments: &arguments,
            offsets: launch.offsets,
            bases: &launch.bases,
        })
    }

    fn check(
        &self,
        frame: &Frame<'_>,
        launch: &Launch,
        groups: [u64; 3],
        items: [u64; 3],
    ) -> Result<()> {
        let device_kernel = &launch.kernel;
        let limits = self.limits;
        for (axis, name) in AXES.iter().enumerate() {
            let (n, most) = (items[axis], u64::from(limits.group[axis]));
            if n > most {
                return frame.fail(format_args!(
                    "'{device_kernel}' wants {n} inner iterations along {name}; this device runs at most {most}"
                ));
            }
            let (n, most) = (groups[axis], limits.grid[axis]);
            let most = match launch.bases.iter().any(|(a, _)| *a == axis) {
                true => u64::from(u32::MAX),
                false => most,
            };
            if n > most {
                return frame.fail(format_args!(
                    "'{device_kernel}' wants {n} outer iterations along {name}; this device runs at most {most}"
                ));
            }
        }
        let product = items.iter().try_fold(1u64, |a, b| a.checked_mul(*b));
        let most = match (u64::from(limits.threads_per_group), launch.most_items) {
            (most, 0) => most,
            (most, kernels) => most.min(kernels),
        };
        if product.is_none_or(|n| n > most) {
            let [x, y, z] = items;
            let whose = match most == launch.most_items {
                true => "it is made for",
                false => "this device runs",
            };
            return frame.fail(format_args!(
                "'{device_kernel}' wants {x} x {y} x {z} inner iterations (x, y, z); {whose} at most {most} in one group"
            ));
        }
        Ok(())
    }

    fn argument(&self, frame: &Frame<'_>, device_kernel: &str, name: &str) -> Result<Given> {
        let place = self.bindings.iter().position(|(n, _)| *n == name);
        if let Some(place) = place.filter(|_| self.computed.lets_pass(name)) {
            return Ok(Given::Bound(place));
        }
        if let Some(value) = frame.variable(name) {
            let mut bytes = [0; 8];
            let size = to_bytes(value, &mut bytes);
            return Ok(Given::Number(bytes, size));
        }
        match place {
            Some(place) if !matches!(self.bindings[place].1, Bound::Scalar(_)) => {
                Ok(Given::Bound(place))
            }
            _ => frame.fail(format_args!(
                "'{device_kernel}' wants '{name}', which nothing binds"
            )),
        }
    }
}

/// Three extents, unless one of them is zero or less.
fn extents(frame: &Frame<'_>, exprs: &[Expr; 3]) -> Result<Option<[u64; 3]>> {
    let mut extents = [0; 3];
    for (extent, expr) in extents.iter_mut().zip(exprs) {
        *extent = extent_of(frame.compute(expr)?);
        if *extent == 0 {
            return Ok(None);
        }
    }
    Ok(Some(extents))
}

/// A value as an extent: zero for whatever is less.
pub(super) fn extent_of(value: Value) -> u64 {
    match value {
        Value::Int(Scalar::ULong, bits) => bits as u64,
        value => match value.convert(Scalar::Long) {
            Value::Int(_, n) => u64::try_from(n).unwrap_or(0),
            Value::Float(..) => 0,
        },
    }
}

/// Writes a value as its type lies in memory; returns the type's size.
pub(crate) fn to_bytes(value: Value, room: &mut [u8; 8]) -> usize {
    let size = value.scalar().size();
    let bytes = match value {
        Value::Float(Scalar::Float, x) => u64::from((x as f32).to_bits()).to_le_bytes(),
        Value::Float(_, x) => x.to_bits().to_le_bytes(),
        Value::Int(_, bits) => bits.to_le_bytes(),
    };
    *room = bytes;
    size
}

/// Reads a value of a type; `None` if there are not as many bytes as it takes.
pub(crate) fn from_bytes(scalar: Scalar, bytes: &[u8]) -> Option<Value> {
    // In one piece: launches read all of their numbers so.
    fn whole<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
        bytes.try_into().ok()
    }
    let bits = match scalar {
        Scalar::Float => {
            let number = f32::from_le_bytes(whole(bytes)?);
            return Some(Value::Float(scalar, number.into()));
        }
        Scalar::Double => {
            let number = f64::from_le_bytes(whole(bytes)?);
            return Some(Value::Float(scalar, number));
        }
        Scalar::Bool => (u8::from_le_bytes(whole(bytes)?) != 0).into(),
        Scalar::Char => i8::from_le_bytes(whole(bytes)?).into(),
        Scalar::UChar => u8::from_le_bytes(whole(bytes)?).into(),
        Scalar::Short => i16::from_le_bytes(whole(bytes)?).into(),
        Scalar::UShort => u16::from_le_bytes(whole(bytes)?).into(),
        Scalar::Int => i32::from_le_bytes(whole(bytes)?).into(),
        Scalar::UInt => u32::from_le_bytes(whole(bytes)?).into(),
        Scalar::Long | Scalar::ULong => i64::from_le_bytes(whole(bytes)?),
    };
    Some(Value::Int(scalar, bits))
}

#[cfg(test)]
#[path = "launch_tests.rs"]
mod tests;
