//! What an item keeps of the elements that it has read, where it runs several iterations of an outer loop: the next of them reads some
//! again. Compilers see that only where they may make all reads at once.

use crate::module::{Elementwise, Repeat};
use crate::schedule::Window;
use crate::source::Span;

/// What the next iteration has of the one before.
#[derive(Default)]
pub(super) struct Kept {
    /// By the number of each element and its distance from the item's own: the number and the distance of what was read before.
    again: Vec<Vec<(i64, (usize, i64))>>,
    /// The elements that are read, by number, each behind those that have something of it.
    pub(super) order: Vec<usize>,
}

impl Kept {
    /// Of a nest whose items run several iterations of an outer loop, which is not given if they do not.
    pub(super) fn of(this: &Elementwise, windows: &[Window], outer: Option<Span>) -> Self {
        let all = this.elements.iter().enumerate();
        let mut left: Vec<usize> = all.filter(|(_, e)| e.reads).map(|(n, _)| n).collect();
        let repeats = this.repeats.iter().filter(|r| Some(r.outer) == outer);
        let repeats: Vec<&Repeat> = repeats.collect();
        let mut kept = Self {
            again: vec![Vec::new(); this.elements.len()],
            order: Vec::new(),
        };
        for repeat in repeats {
            let (Some(own), Some(before)) = (windows.get(repeat.element), windows.get(repeat.from))
            else {
                continue;
            };
            let Some(again) = kept.again.get_mut(repeat.element) else {
                continue;
            };
            for distance in own.needed() {
                let there = distance + repeat.by;
                let known = again.iter().any(|(d, _)| *d == distance);
                if !known && before.needed().any(|d| d == there) {
                    again.push((distance, (repeat.from, there)));
                }
            }
        }
        while !left.is_empty() {
            let free = left.iter().position(|n| {
                let mut others = left.iter().filter(|other| *other != n);
                !others.any(|other| kept.takes(*other, *n))
            });
            match free {
                Some(at) => kept.order.push(left.remove(at)),
                // Each has something of another one: the first reads all it needs.
                None => {
                    if let Some(again) = left.first().and_then(|n| kept.again.get_mut(*n)) {
                        again.clear();
                    }
                }
            }
        }
        kept
    }

    /// Whether an element has something of another one.
    fn takes(&self, element: usize, from: usize) -> bool {
        let again = self.again.get(element).into_iter().flatten();
        again.into_iter().any(|(_, (of, _))| *of == from)
    }

    /// Whether something of an element lasts longer than an iteration.
    pub(super) fn is_used(&self, number: usize) -> bool {
        let has = self.again.get(number).is_some_and(|a| !a.is_empty());
        has || (0..self.again.len()).any(|other| self.takes(other, number))
    }

    /// Where an element was read in the iteration before, if it was.
    pub(super) fn from(&self, number: usize, distance: i64) -> Option<(usize, i64)> {
        let again = self.again.get(number)?;
        let found = again.iter().find(|(d, _)| *d == distance);
        found.map(|(_, from)| *from)
    }
}
