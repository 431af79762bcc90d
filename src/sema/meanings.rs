//! What one name means, scope by scope, and the words of one type. Most names mean one thing and most types have one word:
//! neither takes memory of its own then.

use super::definitions::DefinitionId;

/// The definitions of one name that are visible, with the number of scopes around each.
#[derive(Default)]
pub(super) struct Meanings {
    pub(super) innermost: Option<(usize, DefinitionId)>,
    /// Those that it hides, innermost last.
    outer: Vec<(usize, DefinitionId)>,
}

impl Meanings {
    /// Adds one behind those of its own scope and of outer ones.
    pub(super) fn insert(&mut self, depth: usize, id: DefinitionId) {
        let new = (depth, id);
        match self.innermost {
            None => self.innermost = Some(new),
            Some(last) if last.0 <= depth => {
                self.outer.push(last);
                self.innermost = Some(new);
            }
            Some(_) => {
                let behind = self.outer.iter().rposition(|(d, _)| *d <= depth);
                self.outer.insert(behind.map_or(0, |p| p + 1), new);
            }
        }
    }

    /// Forgets the innermost one.
    pub(super) fn pop(&mut self) {
        self.innermost = self.outer.pop();
    }

    /// All of them, with the number of scopes around each.
    pub(super) fn innermost_first(&self) -> impl Iterator<Item = (usize, DefinitionId)> + '_ {
        self.innermost
            .iter()
            .chain(self.outer.iter().rev())
            .copied()
    }

    /// The last one of a scope.
    pub(super) fn at(&self, depth: usize) -> Option<DefinitionId> {
        let mut all = self.innermost_first();
        all.find(|(d, _)| *d == depth).map(|(_, id)| id)
    }
}

/// The words of a type, as many as any type of the language has.
#[derive(Default)]
pub(super) struct Words<'t> {
    list: [&'t str; 8],
    count: usize,
}

impl<'t> Words<'t> {
    pub(super) fn push_all(&mut self, text: &'t str) {
        for word in text.split_ascii_whitespace() {
            if let Some(place) = self.list.get_mut(self.count) {
                *place = word;
            }
            self.count += 1;
        }
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// `None` if there are more than any type has.
    pub(super) fn all(&self) -> Option<&[&'t str]> {
        self.list.get(..self.count)
    }
}
