//! The elements of an array that the iterations of an item need together, and which of them are one access.

use crate::module::ElementAccess;
use std::collections::BTreeSet;

/// The elements that some neighbouring iterations need, by their distance from the first iteration's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    /// The lowest distance.
    pub(crate) first: i64,
    /// How many elements there are from there to the highest one.
    pub(crate) count: usize,
    /// Where elements begin that are read or written at once, as many as there are iterations.
    pub(crate) pieces: Vec<i64>,
    /// The others that are needed.
    pub(crate) single: Vec<i64>,
    /// How many iterations there are.
    width: i64,
}

impl Window {
    /// The window of `width` iterations, of which the first one of all is `shift` elements behind an aligned address.
    pub(crate) fn of(element: &ElementAccess, width: usize, shift: i64) -> Self {
        let width = width as i64;
        let distances = element.uses.iter().map(|u| u.distance);
        let needed: BTreeSet<i64> = distances.flat_map(|d| d..d + width).collect();
        // Where the first iteration is one that begins at an aligned address.
        let aligned = shift - element.offset;
        let begins = |d: &i64| (d - aligned).rem_euclid(width) == 0;
        let whole = |d: &i64| (*d..d + width).all(|d| needed.contains(&d));
        let pieces: Vec<i64> = { needed.iter().copied() }
            .filter(|d| begins(d) && whole(d))
            .collect();
        let within = |d: &i64| pieces.iter().any(|p| (*p..p + width).contains(d));
        let single = needed.iter().copied().filter(|d| !within(d)).collect();
        let first = needed.first().copied().unwrap_or(0);
        let last = needed.last().copied().unwrap_or(0);
        Self {
            first,
            count: usize::try_from(last - first + 1).unwrap_or(0),
            pieces,
            single,
            width,
        }
    }

    /// Whether it is what a type of the prelude is: one piece.
    pub(crate) fn is_one_piece(&self) -> bool {
        self.pieces == [self.first] && self.single.is_empty()
    }

    /// The distances of all elements that are read or written.
    pub(crate) fn needed(&self) -> impl Iterator<Item = i64> + '_ {
        let pieces = self.pieces.iter().flat_map(|p| *p..*p + self.width);
        pieces.chain(self.single.iter().copied())
    }

    /// How many accesses it takes.
    pub(crate) fn accesses(&self) -> usize {
        self.pieces.len() + self.single.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Scalar;
    use crate::module::ElementUse;
    use crate::source::Span;

    /// The window of uses at these distances: pieces, and single elements.
    fn window(distances: &[i64], offset: i64, width: usize, shift: i64) -> (Vec<i64>, Vec<i64>) {
        let span = Span::at(0);
        let uses = distances.iter();
        let element = ElementAccess {
            array: "a".to_string(),
            scalar: Scalar::Float,
            index: span,
            offset,
            uses: uses
                .map(|&distance| ElementUse { span, distance })
                .collect(),
            reads: true,
            writes: false,
        };
        let window = Window::of(&element, width, shift);
        (window.pieces, window.single)
    }

    #[test]
    fn own_elements_are_one_piece() {
        assert_eq!(window(&[0], 0, 4, 0), (vec![0], vec![]));
        assert_eq!(window(&[0], 1, 4, 1), (vec![0], vec![]));
        assert_eq!(window(&[0], 513, 4, 1), (vec![0], vec![]));
        assert_eq!(window(&[0], -3, 4, 1), (vec![0], vec![]));
    }

    #[test]
    fn neighbours_are_read_alone() {
        assert_eq!(window(&[-1, 0, 1], 1, 2, 1), (vec![0], vec![-1, 2]));
        assert_eq!(window(&[-1, 1], 1, 2, 1), (vec![0], vec![-1, 2]));
        // The first use is the left one.
        assert_eq!(window(&[0, 1, 2], 0, 2, 1), (vec![1], vec![0, 3]));
        assert_eq!(window(&[0, 3], 0, 2, 0), (vec![0], vec![3, 4]));
    }

    #[test]
    fn far_neighbours_are_pieces() {
        assert_eq!(window(&[-2, 0, 2], 0, 2, 0), (vec![-2, 0, 2], vec![]));
        let ends = window(&[-4, -3, -2, -1, 0, 1, 2, 3, 4], 0, 4, 0);
        assert_eq!(ends, (vec![-4, 0, 4], vec![]));
        let ends = window(&[-3, -2, -1, 0, 1, 2, 3], 0, 4, 0);
        assert_eq!(ends, (vec![0], vec![-3, -2, -1, 4, 5, 6]));
    }

    #[test]
    fn what_is_never_aligned_is_read_alone() {
        assert_eq!(window(&[0], 1, 2, 0), (vec![], vec![0, 1]));
    }
}
