//! Lines and columns as the protocol counts them: from 0, columns in units of an encoding.

use brook::source::{FileId, Span};
use lsp_types::{Position, PositionEncodingKind, Range};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// What columns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// The best one that a client knows; without a word from it, UTF-16.
    pub(crate) fn of(offered: Option<&Vec<PositionEncodingKind>>) -> Self {
        let offered = offered.map_or(&[][..], Vec::as_slice);
        match offered.contains(&PositionEncodingKind::UTF8) {
            true => Self::Utf8,
            false => Self::Utf16,
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, text: &str) -> u32 {
        match self {
            Self::Utf8 => text.len() as u32,
            Self::Utf16 => text.encode_utf16().count() as u32,
        }
    }
}

/// A text by lines.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        // `\n`, `\r\n`, and `\r` alone.
        let ends = bytes.iter().enumerate().filter(|(i, b)| match b {
            b'\n' => true,
            b'\r' => bytes.get(i + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(i, _)| i as u32 + 1));
        Self {
            text,
            starts: starts.collect(),
            encoding,
        }
    }

    /// A line without what ends it.
    fn line(&self, index: usize) -> Option<(u32, &'t str)> {
        let start = *self.starts.get(index)?;
        let next = self
            .starts
            .get(index + 1)
            .map_or(self.text.len(), |&s| s as usize);
        let line = self.text.get(start as usize..next)?;
        Some((start, line.trim_end_matches(['\n', '\r'])))
    }

    /// The byte at a position; past the end of a line is its end, past the last line the text's.
    pub(crate) fn offset(&self, at: Position) -> u32 {
        let Some((start, line)) = self.line(at.line as usize) else {
            return self.text.len() as u32;
        };
        let mut units = 0;
        for (index, c) in line.char_indices() {
            if units >= at.character {
                return start + index as u32;
            }
            units += match self.encoding {
                Encoding::Utf8 => c.len_utf8() as u32,
                Encoding::Utf16 => c.len_utf16() as u32,
            };
        }
        start + line.len() as u32
    }

    /// The position of a byte.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let mut at = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self
            .starts
            .partition_point(|&s| s as usize <= at)
            .saturating_sub(1);
        let start = self.starts.get(line).map_or(0, |&s| s as usize);
        let before = self.text.get(start..at).unwrap_or_default();
        Position::new(line as u32, self.encoding.length(before))
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end))
    }

    pub(crate) fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(start, end.max(start))
    }

    /// How many units a piece of the text has.
    pub(crate) fn units(&self, span: Span) -> u32 {
        self.encoding.length(span.of(self.text))
    }
}

/// What is made of each file once, when it is first asked for: a table of lines is as long as its text, and messages about
/// a file are many.
pub(crate) struct Made<T>(RefCell<HashMap<FileId, Option<Rc<T>>>>);

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T> Made<T> {
    /// That of a file, which `make` makes if nobody has asked for it yet.
    pub(crate) fn of(&self, file: FileId, make: impl FnOnce() -> Option<T>) -> Option<Rc<T>> {
        if let Some(known) = self.0.borrow().get(&file) {
            return known.clone();
        }
        let made = make().map(Rc::new);
        self.0.borrow_mut().insert(file, made.clone());
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brook::source::{Files, SourceFile};

    #[test]
    fn of_each_file_once() {
        let mut files = Files::default();
        let both = ["a", "b"].map(|name| files.add(SourceFile::plain(name, "")));
        let (made, mut times) = (Made::default(), 0);
        for file in both.into_iter().cycle().take(9) {
            let found = made.of(file, || {
                times += 1;
                (file == both[0]).then_some(times)
            });
            assert_eq!(found.as_deref(), (file == both[0]).then_some(&1));
        }
        assert_eq!(times, 2);
    }

    #[test]
    fn columns_count_units() {
        let text = "a\r\nä𝛼b\n";
        let utf16 = Lines::new(text, Encoding::Utf16);
        let b = text.find('b').unwrap_or(0) as u32;
        assert_eq!(utf16.position(b), Position::new(1, 3));
        assert_eq!(utf16.offset(Position::new(1, 3)), b);
        // In the middle of a pair: behind it, as a caret cannot stand in it.
        assert_eq!(utf16.offset(Position::new(1, 2)), b);
        let utf8 = Lines::new(text, Encoding::Utf8);
        assert_eq!(utf8.position(b), Position::new(1, 6));
        assert_eq!(utf8.offset(Position::new(1, 6)), b);
        assert_eq!(utf8.offset(Position::new(0, 9)), 1);
        assert_eq!(utf8.offset(Position::new(9, 0)), text.len() as u32);
        assert_eq!(utf8.position(99), Position::new(2, 0));
        let old = Lines::new("a\rb\r\nc", Encoding::Utf8);
        assert_eq!(old.position(2), Position::new(1, 0));
        assert_eq!(old.offset(Position::new(2, 0)), 5);
    }
}
