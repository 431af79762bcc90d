//! Short lists that need no heap, so that a launch allocates nothing.

use std::ops::{Deref, DerefMut};

/// A list of which up to `N` elements lie on the stack.
pub(crate) struct List<T: Copy, const N: usize> {
    short: [T; N],
    len: usize,
    /// All elements, once there were more.
    long: Vec<T>,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// No elements; `filler` is what lies where there are none.
    pub(super) fn new(filler: T) -> Self {
        Self {
            short: [filler; N],
            len: 0,
            long: Vec::new(),
        }
    }

    /// So many elements, all alike.
    pub(crate) fn filled(element: T, len: usize) -> Self {
        let long = match len > N {
            true => vec![element; len],
            false => Vec::new(),
        };
        Self {
            short: [element; N],
            len,
            long,
        }
    }

    pub(super) fn push(&mut self, element: T) {
        if !self.long.is_empty() {
            self.long.push(element);
        } else if let Some(place) = self.short.get_mut(self.len) {
            *place = element;
        } else {
            self.long.extend_from_slice(&self.short);
            self.long.push(element);
        }
        self.len += 1;
    }

    /// Keeps the first `len` elements.
    pub(super) fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        if len <= N && !self.long.is_empty() {
            self.short[..len].copy_from_slice(&self.long[..len]);
            self.long.clear();
        }
        self.long.truncate(len);
        self.len = len;
    }
}

impl<T: Copy, const N: usize> Extend<T> for List<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.push(element);
        }
    }
}

impl<T: Copy, const N: usize> Deref for List<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self.long.is_empty() {
            true => &self.short[..self.len],
            false => &self.long,
        }
    }
}

impl<T: Copy, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self.long.is_empty() {
            true => &mut self.short[..self.len],
            false => &mut self.long,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long() {
        let mut list = List::<_, 3>::new(0);
        assert!(list.is_empty());
        for n in 1..=5 {
            list.push(n);
            assert_eq!(*list, (1..=n).collect::<Vec<_>>());
        }
        list.truncate(9);
        list.truncate(4);
        assert_eq!(*list, [1, 2, 3, 4]);
        list.truncate(2);
        list[1] = 7;
        assert_eq!(*list, [1, 7]);
        list.extend([8, 9, 10]);
        assert_eq!(*list, [1, 7, 8, 9, 10]);
        list.truncate(0);
        assert!(list.is_empty());
        assert_eq!(*List::<_, 2>::filled(5, 3), [5; 3]);
        assert_eq!(*List::<_, 2>::filled(5, 1), [5]);
    }
}
