//! Copies that no device can make by itself, and how much memory is allocated.

use crate::arguments::check_range;
use crate::buffer::Buffer;
use crate::error::Result;

/// How many bytes of device memory are allocated for so many: at least one, since no memory of none can be had, and whole
/// words of 32 bits, since atomics on smaller numbers change the words that these lie in.
#[must_use]
pub const fn allocated(bytes: usize) -> usize {
    let bytes = if bytes == 0 { 1 } else { bytes };
    match bytes.checked_next_multiple_of(4) {
        Some(whole) => whole,
        None => bytes,
    }
}

/// Bytes on the way at a time.
const PORTION: usize = 16 << 20;

/// Copies between two buffers that do not overlap, of whatever devices, by way of the host.
pub fn copy_through_host(
    target: &dyn Buffer,
    offset: usize,
    source: &dyn Buffer,
    source_offset: usize,
    bytes: usize,
) -> Result<()> {
    check_range(target.len(), offset, bytes, "write")?;
    check_range(source.len(), source_offset, bytes, "read")?;
    let mut portion = vec![0; bytes.min(PORTION)];
    let mut done = 0;
    while done < bytes {
        let portion = &mut portion[..PORTION.min(bytes - done)];
        source.read(source_offset + done, portion)?;
        target.write(offset + done, portion)?;
        done += portion.len();
    }
    Ok(())
}

/// Copies within one memory, whose ranges overlap: all of it leaves before any of it comes back.
pub fn copy_overlapping(
    target: &dyn Buffer,
    offset: usize,
    source: &dyn Buffer,
    source_offset: usize,
    bytes: usize,
) -> Result<()> {
    check_range(target.len(), offset, bytes, "write")?;
    check_range(source.len(), source_offset, bytes, "read")?;
    let mut all = vec![0; bytes];
    source.read(source_offset, &mut all)?;
    target.write(offset, &all)
}

/// Whether two ranges of so many bytes have one in common.
pub fn ranges_overlap(one: usize, other: usize, bytes: usize) -> bool {
    one.abs_diff(other) < bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_do_not_overlap() {
        assert!(ranges_overlap(4, 4, 1) && ranges_overlap(4, 7, 4) && ranges_overlap(7, 4, 4));
        assert!(!ranges_overlap(4, 8, 4) && !ranges_overlap(8, 4, 4) && !ranges_overlap(4, 4, 0));
    }
}
