//! Which bytes of reserved memory are there.

use crate::error::Result;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// What has been committed of memory whose addresses are all there from the beginning.
pub struct Committed {
    bytes: usize,
    granule: usize,
    margin: usize,
    /// In order, each as it was asked for.
    ranges: Mutex<Vec<Range<usize>>>,
}

impl Committed {
    /// Nothing of so many bytes, which come in multiples of `granule` bytes from the first on. Around what is asked for `margin` bytes
    /// are to be there, too.
    pub fn new(bytes: usize, granule: usize, margin: usize) -> Self {
        Self {
            bytes,
            granule,
            margin,
            ranges: Mutex::default(),
        }
    }

    /// Calls `make` with each stretch of granules that a range still lacks.
    ///
    /// # Errors
    /// Those of `make`; what was made before stays.
    pub fn commit(
        &self,
        range: &Range<usize>,
        mut make: impl FnMut(&Range<usize>) -> Result<()>,
    ) -> Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        let from = range.start.saturating_sub(self.margin) / self.granule * self.granule;
        let to = range.end.saturating_add(self.margin);
        let to = to.next_multiple_of(self.granule).min(self.bytes);
        // Whatever panicked elsewhere, the list says what was made.
        let mut ranges = self.ranges.lock().unwrap_or_else(PoisonError::into_inner);
        for gap in gaps(&ranges, &(from..to)) {
            make(&gap)?;
            let at = ranges.partition_point(|r| r.start < gap.start);
            ranges.insert(at, gap);
        }
        Ok(())
    }

    /// Takes out all that was made, each as `make` was called with it.
    pub fn take(&mut self) -> Vec<Range<usize>> {
        let ranges = self.ranges.get_mut();
        std::mem::take(ranges.unwrap_or_else(PoisonError::into_inner))
    }
}

/// The stretches of a range that are not among some others, which are in order.
fn gaps(others: &[Range<usize>], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut at = range.start;
    let first = others.partition_point(|o| o.end <= range.start);
    let inside = others[first..].iter().take_while(|o| o.start < range.end);
    for other in inside {
        if at < other.start {
            gaps.push(at..other.start);
        }
        at = other.end;
    }
    if at < range.end {
        gaps.push(at..range.end);
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_missing_is_made() {
        let missing = |range: Range<usize>| {
            let found = gaps(&[2..4, 6..7, 7..9], &range).into_iter();
            found.map(|gap| (gap.start, gap.end)).collect::<Vec<_>>()
        };
        assert_eq!(missing(0..2), [(0, 2)]);
        assert_eq!(missing(0..10), [(0, 2), (4, 6), (9, 10)]);
        assert_eq!(missing(3..8), [(4, 6)]);
        assert_eq!(missing(2..4), []);
        assert_eq!(missing(9..12), [(9, 12)]);
    }

    #[test]
    fn in_granules_and_once() -> Result<()> {
        let mut committed = Committed::new(80, 10, 3);
        let mut made = Vec::new();
        for range in [0..0, 24..27, 12..13, 0..80, 79..80] {
            committed.commit(&range, |gap| {
                made.push(gap.clone());
                Ok(())
            })?;
        }
        assert_eq!(made, [20..30, 0..20, 30..80]);
        assert_eq!(committed.take(), [0..20, 20..30, 30..80]);
        Ok(())
    }
}
