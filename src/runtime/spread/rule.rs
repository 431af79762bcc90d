//! How rows are shared out: the one place that says so.

use super::super::layout::MOST_DIMENSIONS;
use std::ops;
use std::sync::OnceLock;

/// Memory of fewer bytes stays on the first device: to launch twice takes longer than to compute half of that saves.
const LEAST_BYTES: usize = 4 << 20;

/// Where parts have at least so many rows, they begin at multiples of [`EVEN`]: items read several elements at once where these
/// are aligned, and OpenCL makes
/// buffer objects of parts of memory there.
const MANY_ROWS: usize = 1 << 16;
const EVEN: usize = 1024;

/// What the bytes of memory are to the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Rows {
    /// How many there are.
    pub(in super::super) count: usize,
    /// Bytes of each.
    pub(in super::super) bytes: usize,
}

impl Rows {
    /// One row, which stays on the first device.
    pub(super) fn single(bytes: usize) -> Self {
        Self { count: 1, bytes }
    }

    /// Of a stream of those extents, fastest first; its rows are along the slowest dimension of which there is more than one.
    pub(in super::super) fn of(extents: [u32; MOST_DIMENSIONS], element: usize) -> Self {
        let axis = axis(&extents);
        let below = extents[..axis].iter().map(|e| *e as usize);
        Self {
            count: extents[axis] as usize,
            bytes: below.product::<usize>() * element,
        }
    }

    /// The rows of a part of so many; those of all parts together are all rows, in order. Each part begins where
    /// [`Rows::bound`] says.
    pub(super) fn share(&self, part: usize, parts: usize, least: usize) -> ops::Range<usize> {
        self.bound(part, parts, least)..self.bound(part + 1, parts, least)
    }

    /// The first row of a part.
    fn bound(&self, part: usize, parts: usize, least: usize) -> usize {
        if part >= parts || part > 0 && self.count.saturating_mul(self.bytes) < least {
            return self.count;
        }
        let bound = (self.count as u128 * part as u128 / parts as u128) as usize;
        let even = alignment(self.count / parts);
        bound / even * even
    }
}

/// What the first rows of parts of so many rows are multiples of.
pub(super) fn alignment(rows: usize) -> usize {
    match rows >= MANY_ROWS {
        true => EVEN,
        false => 1,
    }
}

/// The dimension whose numbers say to which part an element belongs.
pub(super) fn axis(extents: &[u32; MOST_DIMENSIONS]) -> usize {
    extents.iter().rposition(|e| *e > 1).unwrap_or(0)
}

/// Bytes that memory must have for its rows to be shared out. `BROOK_SPREAD_BYTES` says another number: tests share out
/// everything.
pub(super) fn least_bytes() -> usize {
    static SAID: OnceLock<usize> = OnceLock::new();
    *SAID.get_or_init(|| {
        let said = std::env::var("BROOK_SPREAD_BYTES").ok();
        let said = said.and_then(|text| text.trim().parse().ok());
        said.unwrap_or(LEAST_BYTES)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_belong_to_one_part_each() {
        for count in [0, 1, 2, 3, 7, 64, 1000, MANY_ROWS * 3 + 5, 1 << 20] {
            for parts in 1..=8 {
                let rows = Rows { count, bytes: 4 };
                let mut next = 0;
                for part in 0..parts {
                    let share = rows.share(part, parts, 0);
                    assert_eq!(share.start, next);
                    assert!(share.len() <= count / parts + 1 + EVEN);
                    next = share.end;
                }
                assert_eq!(next, count);
            }
        }
    }

    #[test]
    fn little_stays_on_the_first_device() {
        let rows = Rows {
            count: 100,
            bytes: 4,
        };
        assert_eq!(rows.share(0, 2, 401), 0..100);
        assert_eq!(rows.share(1, 2, 401), 100..100);
        assert_eq!(rows.share(0, 2, 400), 0..50);
        assert_eq!(Rows::of([3, 5, 1, 1], 8).bytes, 24);
        assert_eq!(Rows::of([3, 1, 1, 1], 8).count, 3);
        assert_eq!(Rows::of([1, 1, 1, 1], 8).count, 1);
    }
}
