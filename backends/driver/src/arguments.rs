//! The array of pointers a launch hands over, one per kernel parameter.
//!
//! Up to 32 parameters and 1 KiB of values live on the stack, so an ordinary launch allocates
//! nothing; larger ones fall back to the heap.

use crate::buffer::Buffer;
use crate::device::Limits;
use crate::error::{Error, Result};
use crate::kernel::Argument;
use std::ffi::c_void;

/// Most arguments of most kernels.
const FEW: usize = 8;
const STACK_POINTERS: usize = 32;
const STACK_CHUNKS: usize = 1024 / CHUNK;

/// Bytes of a chunk: those of the longest vector, whose alignment that is.
const CHUNK: usize = 32;

/// A part of a value, aligned as the strictest vector type of a kernel's parameter wants it.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Chunk([u8; CHUNK]);

const ZERO: Chunk = Chunk([0; CHUNK]);

/// How many chunks an argument's value occupies; never zero, so that its pointer is its own.
fn chunks(argument: &Argument<'_>) -> usize {
    match argument {
        Argument::Buffer(_) | Argument::Whole(_) | Argument::Null => 1,
        Argument::Value(bytes) => bytes.len().div_ceil(CHUNK).max(1),
    }
}

/// Calls `launch` with one pointer per argument: to the address that `address` gives for a buffer,
/// to a null address, or to a 32-byte aligned copy of a value. The pointers are valid, and what they
/// point at stays unchanged, until `launch` returns.
pub fn with_pointers<R>(
    arguments: &[Argument<'_>],
    address: impl Fn(usize, &dyn Buffer) -> Result<u64>,
    launch: impl FnOnce(&mut [*mut c_void]) -> Result<R>,
) -> Result<R> {
    // Clearing the room for many, and sharing it out, takes as long as the rest.
    if arguments.len() <= FEW && arguments.iter().all(|a| chunks(a) == 1) {
        let (mut chunks, mut pointers) = ([ZERO; FEW], [std::ptr::null_mut(); FEW]);
        let places = chunks.iter_mut().zip(&mut pointers);
        for ((index, argument), (chunk, pointer)) in arguments.iter().enumerate().zip(places) {
            put(index, argument, &address, std::slice::from_mut(chunk))?;
            *pointer = std::ptr::from_mut(chunk).cast();
        }
        return launch(&mut pointers[..arguments.len()]);
    }
    let needed: usize = arguments.iter().map(chunks).sum();
    let mut stack_chunks = [ZERO; STACK_CHUNKS];
    let mut heap_chunks = Vec::new();
    let room: &mut [Chunk] = if needed <= STACK_CHUNKS {
        &mut stack_chunks
    } else {
        heap_chunks.resize(needed, ZERO);
        &mut heap_chunks
    };
    let mut stack_pointers = [std::ptr::null_mut(); STACK_POINTERS];
    let mut heap_pointers = Vec::new();
    let pointers: &mut [*mut c_void] = if arguments.len() <= STACK_POINTERS {
        &mut stack_pointers[..arguments.len()]
    } else {
        heap_pointers.resize(arguments.len(), std::ptr::null_mut());
        &mut heap_pointers
    };
    point(arguments, &address, room, pointers)?;
    launch(pointers)
}

/// Puts values and addresses into `room`, and pointers to them into `pointers`.
fn point(
    arguments: &[Argument<'_>],
    address: &impl Fn(usize, &dyn Buffer) -> Result<u64>,
    room: &mut [Chunk],
    pointers: &mut [*mut c_void],
) -> Result<()> {
    let mut rest = room;
    for (index, (argument, pointer)) in arguments.iter().zip(pointers.iter_mut()).enumerate() {
        // Each slice is split off for good: no later borrow touches it, so its pointer stays valid.
        let (own, after) = rest.split_at_mut(chunks(argument));
        rest = after;
        put(index, argument, address, own)?;
        *pointer = own.as_mut_ptr().cast();
    }
    Ok(())
}

/// Puts one argument's value or address into chunks of its own, which are zero.
#[inline]
fn put(
    index: usize,
    argument: &Argument<'_>,
    address: &impl Fn(usize, &dyn Buffer) -> Result<u64>,
    own: &mut [Chunk],
) -> Result<()> {
    match argument {
        // Where there are addresses, parts have their own.
        Argument::Buffer(buffer) | Argument::Whole(buffer) => {
            let address = address(index, *buffer)?;
            own[0].0[..size_of::<u64>()].copy_from_slice(&address.to_ne_bytes());
        }
        Argument::Null => {}
        Argument::Value(bytes) => {
            for (chunk, part) in own.iter_mut().zip(bytes.chunks(CHUNK)) {
                chunk.0[..part.len()].copy_from_slice(part);
            }
        }
    }
    Ok(())
}

/// Whether `length` bytes at `offset` lie within a buffer of `size` bytes; the error says what could
/// not be done.
pub fn check_range(size: usize, offset: usize, length: usize, verb: &str) -> Result<()> {
    match offset.checked_add(length) {
        Some(end) if end <= size => Ok(()),
        _ => Err(Error::invalid(format!(
            "cannot {verb} {length} bytes at offset {offset}: the buffer has {size} bytes"
        ))),
    }
}

/// The grid in the 32 bits of a driver's launch call, or which limit grid or group exceeds.
/// `most_items` bounds groups times items along one axis, where the hardware counts those.
pub fn check_launch(
    grid: [u64; 3],
    group: [u32; 3],
    limits: &Limits,
    most_items: u64,
) -> Result<[u32; 3]> {
    let mut narrow = [0; 3];
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        // A division takes as long as the rest of the check, which every launch goes through.
        let most = match most_items {
            u64::MAX => limits.grid[axis],
            items => limits.grid[axis].min(items / u64::from(group[axis].max(1))),
        };
        let fits = u32::try_from(grid[axis])
            .ok()
            .filter(|n| u64::from(*n) <= most);
        narrow[axis] = fits.ok_or_else(|| {
            Error::invalid(format!(
                "grid of {} groups along {name} exceeds the device's limit {most}",
                grid[axis]
            ))
        })?;
        if group[axis] > limits.group[axis] {
            return Err(Error::invalid(format!(
                "group of {} items along {name} exceeds the device's limit {}",
                group[axis], limits.group[axis]
            )));
        }
    }
    let items = group
        .iter()
        .fold(1u64, |n, g| n.saturating_mul(u64::from(*g)));
    if items > u64::from(limits.threads_per_group) {
        return Err(Error::invalid(format!(
            "group of {items} items exceeds the {} that this kernel can run with",
            limits.threads_per_group
        )));
    }
    Ok(narrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads back what each pointer points at.
    fn read_back(values: &[Vec<u8>]) {
        let arguments: Vec<_> = values.iter().map(|v| Argument::Value(v)).collect();
        with_pointers(
            &arguments,
            |_, _| Ok(0),
            |pointers| {
                assert_eq!(pointers.len(), values.len());
                for (pointer, value) in pointers.iter().zip(values) {
                    assert_eq!(pointer.addr() % CHUNK, 0);
                    // SAFETY: the pointer is to a copy of `value`, at least as long as it.
                    let copy =
                        unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), value.len()) };
                    assert_eq!(copy, value.as_slice());
                }
                Ok(())
            },
        )
        .unwrap();
    }

    #[test]
    fn values_survive_on_stack_and_heap() {
        read_back(&[]);
        read_back(&[
            vec![],
            vec![1],
            vec![2; 16],
            vec![3; 17],
            vec![4; 32],
            vec![5; 33],
        ]);
        read_back(&[vec![7; 1024]]);
        read_back(&[vec![8; 4000], vec![9; 3]]);
        read_back(&(0..100).map(|i| vec![i; 5]).collect::<Vec<_>>());
    }

    #[test]
    fn null_is_a_pointer_to_null() {
        with_pointers(
            &[Argument::Null],
            |_, _| Ok(1),
            |pointers| {
                // SAFETY: a null argument points at eight zero bytes.
                assert_eq!(unsafe { pointers[0].cast::<u64>().read() }, 0);
                Ok(())
            },
        )
        .unwrap();
    }
}
