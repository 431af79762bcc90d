//! Shapes of streams, parts of them, and where kernels run, as the generated source receives them.

use std::fmt;
use std::ops;

/// Most dimensions of a stream.
pub(super) const MOST_DIMENSIONS: usize = 4;

type Numbers = [u32; MOST_DIMENSIONS];

/// Bytes of `struct brook_shape`, and of `struct brook_range`, of the generated source.
pub(super) const LAYOUT: usize = 40;
pub(super) const RANGE: usize = 64;

/// Extents of a stream or array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rank: usize,
    /// Fastest first; those beyond the rank are 1.
    pub(super) extents: Numbers,
}

impl Shape {
    /// `None` if there are no dimensions, too many, empty ones, or more elements than memory has
    /// addresses.
    pub(super) fn new(slowest_first: &[u32]) -> Option<Self> {
        let rank = slowest_first.len();
        if rank == 0 || rank > MOST_DIMENSIONS || slowest_first.contains(&0) {
            return None;
        }
        let mut extents = [1; MOST_DIMENSIONS];
        for (to, from) in extents.iter_mut().zip(slowest_first.iter().rev()) {
            *to = *from;
        }
        let product = slowest_first
            .iter()
            .try_fold(1u64, |n, e| n.checked_mul((*e).into()));
        product
            .filter(|n| *n <= 1 << 48)
            .map(|_| Self { rank, extents })
    }

    /// A single element, in that many dimensions.
    pub(super) fn single(rank: usize) -> Self {
        Self {
            rank,
            extents: [1; MOST_DIMENSIONS],
        }
    }

    /// Number of elements.
    pub(super) fn count(&self) -> u64 {
        count(&self.extents)
    }
}

fn count(extents: &Numbers) -> u64 {
    extents.iter().map(|e| u64::from(*e)).product()
}

impl fmt::Display for Shape {
    /// As Brook+ writes extents: `<rows, columns>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slowest_first = self.extents[..self.rank].iter().rev();
        let words: Vec<String> = slowest_first.map(u32::to_string).collect();
        write!(f, "<{}>", words.join(", "))
    }
}

/// Where the elements of a stream, or of a part of one, lie in its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) shape: Shape,
    /// The first element's place in the whole, fastest first.
    pub(super) start: Numbers,
    /// Extents of the whole.
    pub(super) whole: Numbers,
    /// The elements are those of a range's items only: what that range says of itself.
    pub(super) told: Option<Told>,
}

/// The first item's place and the whole as items are told of them, where they are some of a larger range's.
pub(super) type Told = (Numbers, Numbers);

impl Layout {
    /// All of a stream.
    pub(super) fn packed(shape: Shape) -> Self {
        Self {
            shape,
            start: [0; MOST_DIMENSIONS],
            whole: shape.extents,
            told: None,
        }
    }

    /// The first elements of something of those extents.
    pub(super) fn within(shape: Shape, whole: Numbers) -> Self {
        Self {
            shape,
            start: [0; MOST_DIMENSIONS],
            whole,
            told: None,
        }
    }

    /// The same elements in more dimensions.
    pub(super) fn raised(&self, rank: usize) -> Self {
        let missing = rank.saturating_sub(self.shape.rank);
        let shift = |numbers: &Numbers, fill: u32| {
            let mut shifted = [fill; MOST_DIMENSIONS];
            shifted[missing..rank].copy_from_slice(&numbers[..self.shape.rank]);
            shifted
        };
        Self {
            shape: Shape {
                rank,
                extents: shift(&self.shape.extents, 1),
            },
            start: shift(&self.start, 0),
            whole: shift(&self.whole, 1),
            told: None,
        }
    }

    /// The same elements in that many dimensions, if only leading extents of 1 come or go (BrookGPU).
    pub(super) fn with_rank(mut self, rank: usize) -> Self {
        if self.shape.extents[rank..].iter().all(|e| *e == 1) {
            self.shape.rank = rank;
        }
        self
    }

    /// The elements from `start` up to, but without, `end`: one number a dimension, fastest first.
    /// `None` where the end comes first, or there is not as much.
    pub(super) fn part(&self, start: &[u32], end: &[u32]) -> Option<Self> {
        let rank = self.shape.rank;
        let mut part = *self;
        for axis in 0..rank {
            let (from, to) = (*start.get(axis)?, *end.get(axis)?);
            if from > to || to > self.shape.extents[axis] {
                return None;
            }
            part.start[axis] += from;
            part.shape.extents[axis] = to - from;
        }
        Some(part)
    }

    /// Whether it is all of its memory.
    pub(super) fn is_packed(&self) -> bool {
        self.shape.extents == self.whole
    }

    /// Whether two parts of one memory have no element in common.
    pub(super) fn is_apart_from(&self, other: &Self) -> bool {
        self.whole == other.whole
            && (0..MOST_DIMENSIONS).any(|axis| {
                let end = |l: &Self| l.start[axis] + l.shape.extents[axis];
                end(self) <= other.start[axis] || end(other) <= self.start[axis]
            })
    }

    /// Index of the element at a place, fastest first.
    fn index(&self, place: &Numbers) -> u64 {
        let axes = (0..MOST_DIMENSIONS).rev();
        axes.fold(0, |index, axis| {
            index * u64::from(self.whole[axis]) + u64::from(self.start[axis] + place[axis])
        })
    }

    /// Runs of elements that lie side by side, in order: first element and number of elements.
    pub(super) fn runs(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let layout = *self;
        let extents = self.shape.extents;
        // Dimensions that are taken whole belong to the run, and so does the first that is not.
        let full = (0..MOST_DIMENSIONS)
            .position(|axis| extents[axis] != layout.whole[axis])
            .map_or(MOST_DIMENSIONS, |axis| axis + 1);
        let length = count_first(&extents, full);
        (0..layout.shape.count().checked_div(length).unwrap_or(0)).map(move |run| {
            let mut rest = run;
            let mut place = [0; MOST_DIMENSIONS];
            for axis in full..MOST_DIMENSIONS {
                let extent = u64::from(extents[axis]);
                place[axis] = (rest % extent) as u32;
                rest /= extent;
            }
            (layout.index(&place), length)
        })
    }

    /// The elements of memory from the first with one of these places along an axis to the last one.
    pub(super) fn span(&self, axis: usize, places: &ops::Range<usize>) -> ops::Range<usize> {
        let mut last = self.shape.extents;
        last[axis] = places.end as u32;
        if places.is_empty() || last.contains(&0) {
            return 0..0;
        }
        let mut first = [0; MOST_DIMENSIONS];
        first[axis] = places.start as u32;
        self.index(&first) as usize..self.index(&last.map(|end| end - 1)) as usize + 1
    }

    /// Whether item i of a domain has element i.
    pub(super) fn is_linear(&self, domain: &Range) -> bool {
        // The memory of a slab begins with its first element; that of any other stream may only look like it.
        self.is_packed() && domain.is_all_of(&self.shape.extents) && domain.told == self.told
    }

    /// `struct brook_shape` of the generated source.
    pub(super) fn to_bytes(self, domain: &Range) -> [u8; LAYOUT] {
        let linear = self.is_linear(domain);
        let first = self.index(&[0; MOST_DIMENSIONS]);
        let words = self.shape.extents.iter().chain(&self.whole[..3]).copied();
        let mut bytes = [0; LAYOUT];
        bytes[..8].copy_from_slice(&first.to_le_bytes());
        put(&mut bytes[8..], words.chain([u32::from(linear)]));
        bytes
    }
}

/// Writes words one behind the other.
fn put(bytes: &mut [u8], words: impl Iterator<Item = u32>) {
    let (places, _) = bytes.as_chunks_mut();
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
}

fn count_first(extents: &Numbers, dimensions: usize) -> u64 {
    extents[..dimensions]
        .iter()
        .map(|e| u64::from(*e))
        .product()
}

/// Where a kernel runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) extents: Numbers,
    /// The first item's place.
    pub(super) start: Numbers,
    /// What inputs are stretched to, and the place that their first element belongs to.
    pub(super) whole: Numbers,
    pub(super) origin: Numbers,
    pub(super) told: Option<Told>,
}

/// Groups along the second and the third axis that every GPU can launch.
const MOST_ROWS: u64 = 65_535;

/// Of how many items in a row one may be idle.
const MOST_IDLE: u32 = 8;

impl Range {
    /// For every element of a shape.
    pub(super) fn all(shape: &Shape) -> Self {
        Self {
            extents: shape.extents,
            start: [0; MOST_DIMENSIONS],
            whole: shape.extents,
            origin: [0; MOST_DIMENSIONS],
            told: None,
        }
    }

    /// Those of its items whose place along an axis is one of these, and which of these places there are; items have the places that
    /// they have in it. `None` where there are none.
    pub(super) fn slab(
        &self,
        axis: usize,
        places: &ops::Range<usize>,
    ) -> Option<(Self, ops::Range<usize>)> {
        let (start, extent) = (self.start[axis] as usize, self.extents[axis] as usize);
        let from = places.start.max(start);
        let to = places.end.min(start + extent);
        if from >= to || self.count() == 0 {
            return None;
        }
        let mut slab = *self;
        slab.extents[axis] = (to - from) as u32;
        if self.is_all_of(&self.whole) {
            // Streams of these elements only have element i for item i.
            let mut start = self.start;
            start[axis] = from as u32;
            (slab.whole, slab.told) = (slab.extents, Some((start, self.whole)));
        } else {
            slab.start[axis] = from as u32;
        }
        Some((slab, from..to))
    }

    /// Number of items.
    pub(super) fn count(&self) -> u64 {
        count(&self.extents)
    }

    /// The rows, and the layers of them, to launch groups of that many items for, so that no item has to divide to
    /// find its place; `None` where too many items would be left without an element.
    pub(super) fn rows(&self, items: u32, most: [u64; 3]) -> Option<[u32; 2]> {
        let [length, rows, layers, others] = self.extents;
        let idle = length.checked_next_multiple_of(items)? - length;
        let fits = |n: u32, most: u64| n > 0 && u64::from(n) <= most.min(MOST_ROWS);
        let all = others == 1 && fits(rows, most[1]) && fits(layers, most[2]);
        (all && idle <= length / MOST_IDLE).then_some([rows, layers])
    }

    /// Whether item `i` has element `i` of a stream of those extents.
    fn is_all_of(&self, extents: &Numbers) -> bool {
        let none = [0; MOST_DIMENSIONS];
        self.extents == *extents
            && self.whole == *extents
            && self.start == none
            && self.origin == none
    }

    /// `struct brook_range` of the generated source.
    pub(super) fn to_bytes(self) -> [u8; RANGE] {
        let (start, whole) = self.told.unwrap_or((self.start, self.whole));
        let words = [self.extents, start, self.origin, whole];
        let mut bytes = [0; RANGE];
        put(&mut bytes, words.into_iter().flatten());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(extents: &[u32]) -> Shape {
        Shape::new(extents).unwrap()
    }

    fn words(bytes: &[u8]) -> Vec<u8> {
        bytes.chunks(4).map(|w| w[0]).collect()
    }

    #[test]
    fn rows_have_groups_of_their_own_where_few_items_are_idle() {
        let most = [1 << 31, 65_535, 65_535];
        let rows = |extents: &[u32], most| Range::all(&shape(extents)).rows(256, most);
        assert_eq!(rows(&[3, 7, 512], most), Some([7, 3]));
        assert_eq!(rows(&[7, 2280], most), Some([7, 1]));
        assert_eq!(rows(&[7, 1800], most), None);
        assert_eq!(rows(&[7, 3], most), None);
        assert_eq!(rows(&[65_536, 256], most), None);
        assert_eq!(rows(&[7, 256], [1 << 31, 6, 6]), None);
        assert_eq!(rows(&[2, 1, 1, 256], most), None);
        let mut empty = Range::all(&shape(&[7, 256]));
        empty.extents[1] = 0;
        assert_eq!(empty.rows(256, most), None);
    }

    #[test]
    fn shapes_as_kernels_see_them() {
        let domain = shape(&[2, 3]);
        let all = Range::all(&domain);
        assert_eq!(
            words(&Layout::packed(domain).to_bytes(&all)),
            [0, 0, 3, 2, 1, 1, 3, 2, 1, 1]
        );
        assert_eq!(
            words(&Layout::packed(shape(&[6])).to_bytes(&all)),
            [0, 0, 6, 1, 1, 1, 6, 1, 1, 0]
        );
        assert_eq!(
            words(&all.to_bytes()),
            [3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 1]
        );
        assert_eq!(shape(&[2, 3]).to_string(), "<2, 3>");
        assert!(Shape::new(&[]).is_none() && Shape::new(&[1, 0]).is_none());
        assert!(Shape::new(&[1; 5]).is_none() && Shape::new(&[u32::MAX; 3]).is_none());
    }

    #[test]
    fn parts_of_parts() {
        let whole = Layout::packed(shape(&[4, 6]));
        let part = whole.part(&[1, 2], &[5, 4]).unwrap();
        assert_eq!(part.shape, shape(&[2, 4]));
        let all = Range::all(&part.shape);
        assert_eq!(words(&part.to_bytes(&all)), [13, 0, 4, 2, 1, 1, 6, 4, 1, 0]);
        assert_eq!(part.runs().collect::<Vec<_>>(), [(13, 4), (19, 4)]);
        let inner = part.part(&[1, 1], &[3, 2]).unwrap();
        assert_eq!(inner.runs().collect::<Vec<_>>(), [(20, 2)]);
        let rows = whole.part(&[0, 1], &[6, 3]).unwrap();
        assert_eq!(rows.runs().collect::<Vec<_>>(), [(6, 12)]);
        assert_eq!(whole.runs().collect::<Vec<_>>(), [(0, 24)]);
        // Nothing is a part, too.
        let nothing = whole.part(&[6, 1], &[6, 2]).unwrap();
        assert_eq!(nothing.runs().count(), 0);
        assert!(whole.part(&[2, 1], &[1, 2]).is_none());
        assert!(whole.part(&[0, 0], &[7, 1]).is_none());
        assert!(whole.part(&[0], &[1]).is_none());
    }

    #[test]
    fn what_parts_have_in_common() {
        let whole = Layout::packed(shape(&[10]));
        let (low, high) = (whole.part(&[0], &[5]), whole.part(&[5], &[10]));
        let (low, high) = (low.unwrap(), high.unwrap());
        assert!(low.is_apart_from(&high) && high.is_apart_from(&low));
        assert!(!low.is_apart_from(&whole) && !low.is_apart_from(&low));
    }

    #[test]
    fn dimensions_added_on_the_fast_side() {
        let line = Layout::packed(shape(&[10])).part(&[2], &[5]).unwrap();
        let raised = line.raised(2);
        assert_eq!(raised.shape, shape(&[3, 1]));
        assert_eq!(raised.runs().collect::<Vec<_>>(), [(2, 3)]);
    }
}
