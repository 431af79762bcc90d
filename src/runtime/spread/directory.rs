//! Which parts of a device set hold which bytes of a memory as they are now.

use std::ops::Range;

/// Most devices of a set: a bit for each in [`Segment::current`].
pub(super) const MOST_PARTS: usize = 64;

/// Bytes side by side of which the same is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    /// The byte behind the last.
    end: usize,
    /// One bit for each part that has them.
    current: u64,
    /// They are zeros, whether or not any part has them.
    zeros: bool,
}

/// What a part is to do for bytes that it lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bring {
    /// Copy them from the part of that number.
    Copy(usize, Range<usize>),
    /// Make them zero.
    Zero(Range<usize>),
}

/// The state of every byte of one memory. Bytes that nobody has, and that are no zeros, have never been written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Directory {
    /// In order, without gaps from byte 0 on; neighbours differ.
    segments: Vec<Segment>,
}

impl Directory {
    /// Of so many bytes, which nobody has written.
    pub(super) fn new(bytes: usize) -> Self {
        let all = Segment {
            end: bytes,
            current: 0,
            zeros: false,
        };
        Self {
            segments: vec![all; usize::from(bytes > 0)],
        }
    }

    /// The segments of a range, cut to it.
    fn within(&self, range: &Range<usize>) -> impl Iterator<Item = (Range<usize>, Segment)> {
        let first = self.segments.partition_point(|s| s.end <= range.start);
        let (mut at, end) = (range.start, range.end);
        self.segments[first..].iter().map_while(move |segment| {
            let from = at;
            at = segment.end.min(end);
            (from < at).then_some((from..at, *segment))
        })
    }

    /// What the part has to do to have a range.
    pub(super) fn lacking(&self, part: usize, range: &Range<usize>) -> Vec<Bring> {
        let missing = |(_, s): &(Range<usize>, Segment)| s.current & (1 << part) == 0;
        let all = self.within(range).filter(missing);
        let bring = all.filter_map(|(bytes, segment)| match segment {
            Segment { zeros: true, .. } => Some(Bring::Zero(bytes)),
            Segment { current: 0, .. } => None,
            Segment { current, .. } => Some(Bring::Copy(current.trailing_zeros() as usize, bytes)),
        });
        bring.collect()
    }

    /// The ranges that make up a range, and a part that has each; `None` for zeros, and for what nobody has written.
    pub(super) fn holders(&self, range: &Range<usize>) -> Vec<(Range<usize>, Option<usize>)> {
        let all = self.within(range).map(|(bytes, segment)| {
            let first = segment.current.trailing_zeros() as usize;
            (bytes, (segment.current != 0).then_some(first))
        });
        all.collect()
    }

    /// What of a range that part has, as it is now.
    pub(super) fn held(&self, part: usize, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut held: Vec<Range<usize>> = Vec::new();
        for (bytes, segment) in self.within(range) {
            match held.last_mut() {
                _ if segment.current & (1 << part) == 0 => {}
                Some(last) if last.end == bytes.start => last.end = bytes.end,
                _ => held.push(bytes),
            }
        }
        held
    }

    /// Whether that part has a range, as it is now.
    pub(super) fn has(&self, part: usize, range: &Range<usize>) -> bool {
        let mut all = self.within(range);
        all.all(|(_, segment)| segment.current & (1 << part) != 0)
    }

    /// The part has a range, too.
    pub(super) fn brought(&mut self, part: usize, range: &Range<usize>) {
        self.change(range, |segment| segment.current |= 1 << part);
    }

    /// Copies that others have besides that part are given up.
    pub(super) fn settled(&mut self, part: usize, range: &Range<usize>) {
        self.change(range, |segment| segment.current &= 1 << part);
    }

    /// Only that part has a range: it has written there.
    pub(super) fn written(&mut self, part: usize, range: &Range<usize>) {
        self.change(range, |segment| {
            (segment.current, segment.zeros) = (1 << part, false);
        });
    }

    /// A range is zeros, which nobody has stored.
    pub(super) fn zeroed(&mut self, range: &Range<usize>) {
        self.change(range, |segment| {
            (segment.current, segment.zeros) = (0, true);
        });
    }

    fn change(&mut self, range: &Range<usize>, change: impl Fn(&mut Segment)) {
        if range.is_empty() {
            return;
        }
        let mut changed: Vec<Segment> = Vec::with_capacity(self.segments.len() + 2);
        let mut push = |segment: Segment| match changed.last_mut() {
            Some(last) if (last.current, last.zeros) == (segment.current, segment.zeros) => {
                last.end = segment.end;
            }
            _ => changed.push(segment),
        };
        let mut start = 0;
        for segment in &self.segments {
            let (from, to) = (range.start.max(start), range.end.min(segment.end));
            if from >= to {
                push(*segment);
            } else {
                if start < from {
                    push(Segment {
                        end: from,
                        ..*segment
                    });
                }
                let mut inside = Segment {
                    end: to,
                    ..*segment
                };
                change(&mut inside);
                push(inside);
                if to < segment.end {
                    push(*segment);
                }
            }
            start = segment.end;
        }
        self.segments = changed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_brought_from_who_has_it() {
        let mut directory = Directory::new(100);
        assert!(directory.lacking(1, &(0..100)).is_empty());
        directory.written(0, &(0..50));
        directory.written(1, &(50..100));
        assert_eq!(directory.lacking(0, &(0..50)), []);
        assert_eq!(directory.lacking(0, &(40..60)), [Bring::Copy(1, 50..60)]);
        directory.brought(0, &(50..60));
        assert!(directory.has(0, &(0..60)) && !directory.has(0, &(0..61)));
        assert!(directory.has(1, &(50..100)));
        directory.written(1, &(55..56));
        assert_eq!(directory.lacking(0, &(0..60)), [Bring::Copy(1, 55..56)]);
        let holders = directory.holders(&(49..61));
        assert_eq!(holders[0], (49..50, Some(0)));
        assert_eq!(holders.last(), Some(&(60..61, Some(1))));
    }

    #[test]
    fn zeros_are_made_where_they_are_needed() {
        let mut directory = Directory::new(10);
        directory.zeroed(&(0..10));
        directory.written(0, &(2..4));
        assert_eq!(
            directory.lacking(1, &(0..5)),
            [Bring::Zero(0..2), Bring::Copy(0, 2..4), Bring::Zero(4..5)]
        );
        directory.brought(1, &(0..5));
        assert_eq!(directory.lacking(1, &(0..6)), [Bring::Zero(5..6)]);
        // They are still zeros for the others.
        assert_eq!(directory.lacking(0, &(0..2)), [Bring::Zero(0..2)]);
        let none = Directory::new(0);
        assert!(none.lacking(0, &(0..0)).is_empty() && none.has(0, &(0..0)));
    }

    /// Against a table with one row for each byte.
    #[test]
    fn any_order_of_changes() {
        let mut state = 1u64;
        let mut random = |n: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % n
        };
        for _ in 0..200 {
            let bytes = 1 + random(40);
            let mut directory = Directory::new(bytes);
            let mut table = vec![(0u64, false); bytes];
            for _ in 0..30 {
                let start = random(bytes + 1);
                let range = start..start + random(bytes - start + 1);
                let part = random(3);
                match random(3) {
                    0 => {
                        directory.brought(part, &range);
                        table[range].iter_mut().for_each(|t| t.0 |= 1 << part);
                    }
                    1 => {
                        directory.written(part, &range);
                        table[range].fill((1 << part, false));
                    }
                    _ => {
                        directory.zeroed(&range);
                        table[range].fill((0, true));
                    }
                }
                for (byte, expected) in table.iter().enumerate() {
                    let found = directory.within(&(byte..byte + 1)).next().unwrap().1;
                    assert_eq!((found.current, found.zeros), *expected);
                }
                let segments = &directory.segments;
                assert_eq!(segments.last().unwrap().end, bytes);
                assert!(segments.windows(2).all(|w| w[0].end < w[1].end));
            }
        }
    }
}
