//! Calls of BrookGPU kernels with variable outputs.
//!
//! Besides the names of `call.rs`:
//!
//! | name | what |
//! |---|---|
//! | `brook_parts` | row-major ranges the domain is cut into, as `ulong`; each is run one by one |
//! | `brook_counts` | 1 where what is pushed is only counted, 0 where it is written |
//! | `brook_pushed` | one `ulong` for each range of each variable output: the count, or where it begins |
//!
//! The domain is the first ordinary output's shape, or the first input's where there is none. What a variable
//! output gets is compacted in the domain's row-major order. Its stream is a new one afterwards: in one
//! dimension as long as what was pushed; in more, its faster extents stay and the slowest is what is needed,
//! the rest of the last row being infinity (0 for integers).

use super::bindings::{Bindings, Owned};
use super::call_argument::StreamArgument;
use super::call_binding::Call;
use super::domain::{self, ExecutionDomain};
use super::element::ElementType;
use super::stream::DynStream;
use super::{Error, Kernel, Result};
use crate::expr::{Scalar, Value};
use crate::module::Base;
use crate::module::LaunchVariable;
use crate::render::Role;
use std::sync::Arc;

/// Elements that are run one by one at least.
const SMALL_RANGE: u64 = 16;

impl Kernel {
    pub(super) fn vary(
        &self,
        domain: Option<&ExecutionDomain>,
        arguments: &mut [StreamArgument<'_>],
    ) -> Result<()> {
        let call = Call::new(self, false);
        let outputs = call.streams(arguments, |role| role == Role::Output)?;
        let inputs = call.streams(arguments, |role| role == Role::Input)?;
        let variable = call.streams(arguments, |role| role == Role::Vout)?;
        let first = outputs.first().or(inputs.first());
        let Some(shape) = first.map(|(_, stream)| stream.layout.shape) else {
            return Err(Error::argument(
                "Kernel Execution: a kernel with variable outputs only runs on the elements of an input \
                 stream, and there is none",
            ));
        };
        let written: Vec<&DynStream> = outputs.iter().map(|(_, stream)| *stream).collect();
        let range = domain::range(&shape, domain, None, false)?;
        for (index, stream) in &variable {
            call.memory(*index, Role::Vout, stream, &range, &[])?;
            if !matches!(arguments[*index], StreamArgument::Growing(_)) {
                let what =
                    "is a variable output, whose stream becomes another one: it takes a variable";
                return call.fail(*index, what);
            }
        }
        let parts = self.ranges(range.count());
        let pushed = self
            .program()
            .device()
            .allocate(parts as usize * variable.len() * 8)?;
        let pass = |counts: i64, streams: &[(usize, DynStream)]| -> Result<()> {
            let mut bindings = Bindings::new(&range);
            bindings.count(LaunchVariable::Parts.name(), parts);
            bindings.add(
                LaunchVariable::Counts.name(),
                Owned::Scalar(Value::Int(Scalar::Int, counts)),
            );
            bindings.buffer(LaunchVariable::Pushed.name(), Arc::clone(&pushed));
            for (index, argument) in arguments.iter().enumerate() {
                if let Some((_, stream)) = streams.iter().find(|(i, _)| *i == index) {
                    let name = &self.metadata().parameters[index].name;
                    bindings.buffer(name, Arc::clone(stream.memory.buffer()?));
                } else {
                    call.bind(index, argument, shape.rank, &range, &written, &mut bindings)?;
                }
            }
            self.run_host(&bindings.as_bound()?, None)
        };
        let before: Vec<(usize, DynStream)> =
            variable.iter().map(|(i, s)| (*i, (*s).clone())).collect();
        pass(1, &before)?;
        let mut bytes = vec![0; pushed.len()];
        pushed.read(0, &mut bytes)?;
        let totals = begins(&mut bytes, parts as usize);
        pushed.write(0, &bytes)?;
        let mut made = Vec::new();
        for ((index, old), total) in before.iter().zip(totals) {
            made.push((*index, compacted(old, total)?));
        }
        pass(0, &made)?;
        for (index, new) in made {
            if let StreamArgument::Growing(stream) = &mut arguments[index] {
                **stream = new;
            }
        }
        Ok(())
    }

    /// How many ranges the elements are cut into.
    fn ranges(&self, count: u64) -> u64 {
        self.workers().min(count.div_ceil(SMALL_RANGE)).max(1)
    }
}

/// Counts become places: for each output the sum of what came before. Returns the sums of all.
fn begins(bytes: &mut [u8], parts: usize) -> Vec<u64> {
    let mut totals = Vec::new();
    for counts in bytes.chunks_mut(parts * 8) {
        let mut total = 0u64;
        for count in counts.chunks_exact_mut(8) {
            let mut word = [0; 8];
            word.copy_from_slice(count);
            count.copy_from_slice(&total.to_le_bytes());
            total += u64::from_le_bytes(word);
        }
        totals.push(total);
    }
    totals
}

/// A stream for that many elements.
fn compacted(old: &DynStream, total: u64) -> Result<DynStream> {
    let mut shape = old.layout.shape;
    let slowest = shape.rank - 1;
    let row: u64 = shape.extents[..slowest]
        .iter()
        .map(|e| u64::from(*e))
        .product();
    shape.extents[slowest] = u32::try_from(total.div_ceil(row.max(1)))
        .map_err(|_| Error::argument("Kernel Execution: too many elements are pushed"))?;
    let new = DynStream::allocate(&old.device, old.element, shape)?;
    new.set_written();
    let rest = (shape.count() - total) as usize;
    let infinite = match old.element {
        ElementType::Number(ty) if ty.base == Base::Float => f32::INFINITY.to_le_bytes().to_vec(),
        ElementType::Number(ty) if ty.base == Base::Double => f64::INFINITY.to_le_bytes().to_vec(),
        _ => return Ok(new),
    };
    let size = old.element.size();
    if rest > 0 {
        let bytes = infinite.repeat(rest * size / infinite.len());
        new.memory.buffer()?.write(total as usize * size, &bytes)?;
    }
    Ok(new)
}
