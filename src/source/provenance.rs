use super::edit_map::Run;
use super::{EditMap, FileId, Files, Location, Place, Span};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How far behind the beginning of an attribute its words are looked for.
const WORDS_WITHIN: usize = 400;

/// Names a macro expansion of one translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExpansionId(pub(crate) u32);

/// One expansion of a macro.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Expansion {
    /// The macro's name.
    pub name: Arc<str>,
    /// Where its name stands, in normalised text. Within another macro's body if `parent` is set.
    pub call: Place,
    /// Length of the name (for the caret).
    pub length: u32,
    /// The expansion in whose result this one stands.
    pub parent: Option<ExpansionId>,
}

/// A run of preprocessed text that comes from one piece of a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// First byte in the preprocessed text.
    pub start: u32,
    /// Where it is spelled, in normalised text.
    pub spelled: Place,
    /// Bytes stand one for one; otherwise all stand for the one place (`#`, `##`, `__LINE__`).
    pub verbatim: bool,
    /// The innermost expansion that produced it.
    pub expansion: Option<ExpansionId>,
}

/// Where a byte of the preprocessed text came from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// What to point at: the user's own text; for a macro, its outermost call.
    pub location: Location,
    /// The macros in between, outermost first: name, and where it was called.
    pub expansions: Vec<(String, Location)>,
    /// Where the text itself is spelled, if that is not `location`.
    pub spelled: Option<Location>,
}

/// From the text that is analysed back to what the user wrote.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The files read.
    pub files: Files,
    /// Runs of the preprocessed text, ascending.
    pub segments: Vec<Segment>,
    /// All macro expansions.
    pub expansions: Vec<Expansion>,
    /// From the analysed text back to the preprocessed text, which differ where expansion produced
    /// something that had to be normalised again.
    pub renormalized: EditMap,
}

impl Provenance {
    /// Where the byte at `offset` of the analysed text came from.
    pub fn origin(&self, span: Span) -> Option<Origin> {
        let start = self.renormalized.original(span.start);
        let segment = self.segment(start)?;
        // Mapped on its own, since another normalisation in between changes the length.
        let last = self.renormalized.original(span.end.max(span.start + 1) - 1);
        let length = if span.is_empty() {
            0
        } else {
            last.max(start) - start + 1
        };
        let mut spelled = self.written(segment, start, length);
        if let Some(end) = self.end_of_pieces(start, last) {
            spelled.span.end = end;
        }
        let mut chain = Vec::new();
        let mut next = segment.expansion;
        while let Some(expansion) = next.and_then(|id| self.expansions.get(id.0 as usize)) {
            chain.push((expansion.name.to_string(), self.name_of(expansion)));
            next = expansion.parent;
        }
        chain.reverse();
        let location = chain.first().map_or(spelled, |(_, call)| *call);
        let spelled = (!chain.is_empty()).then_some(spelled);
        Some(Origin {
            location,
            expansions: chain,
            spelled,
        })
    }

    /// Where a word stands that is written at or soon behind the place that `span` comes from, such as one in the arguments
    /// of an attribute: as written, and if it stands there in the file that the place is in.
    pub fn word_from(&self, span: Span, word: &str) -> Option<Location> {
        let origin = self.origin(span)?;
        let from = origin.spelled.unwrap_or(origin.location);
        let file = self.files.get(from.file)?;
        let text = file.text.get(from.span.start as usize..)?;
        let mut end = text.len().min(WORDS_WITHIN);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = text.get(..end)?;
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let found = text.match_indices(word).map(|(at, _)| at).find(|&at| {
            let (before, behind) = (text.get(..at), text.get(at + word.len()..));
            !is_part(before.and_then(|b| b.chars().next_back()))
                && !is_part(behind.and_then(|b| b.chars().next()))
        })?;
        let start = from.span.start + found as u32;
        Some(Location {
            file: from.file,
            span: Span::new(start, start + word.len() as u32),
        })
    }

    /// Where the bytes of the analysed text are spelled, be it in a macro: `None` where they are put together.
    pub fn spelled(&self, span: Span) -> Option<Location> {
        let start = self.renormalized.original(span.start);
        let segment = self.segment(start).filter(|s| s.verbatim)?;
        Some(self.written(segment, start, span.len()))
    }

    /// Where a byte of the analysed text stands in normalised text, and the call of a macro if it does not stand
    /// there itself.
    pub fn place(&self, offset: u32) -> Option<(Place, bool)> {
        let offset = self.renormalized.original(offset);
        let segment = self.segment(offset)?;
        let outermost = self.outermost_call(segment);
        let delta = if segment.verbatim {
            offset - segment.start
        } else {
            0
        };
        let spelled = Place {
            file: segment.spelled.file,
            offset: segment.spelled.offset + delta,
        };
        Some(outermost.map_or((spelled, false), |call| (call, true)))
    }

    /// The same of a text whose main file was itself put together of what `before` leads back from; `length` is the
    /// text's. `None` where other files have a part in the text.
    pub fn after(&self, before: Self, length: u32) -> Option<Self> {
        let main = self.files.get(FileId::MAIN)?;
        let mut runs = Vec::with_capacity(self.segments.len());
        for segment in &self.segments {
            let call = self.outermost_call(segment);
            let from = call.unwrap_or(segment.spelled);
            if from.file != FileId::MAIN {
                return None;
            }
            runs.push(Run {
                new: segment.start,
                old: from.offset,
                verbatim: segment.verbatim && call.is_none(),
            });
        }
        let maps = [&EditMap { runs }, &main.map, &before.renormalized];
        let through = |map: EditMap, earlier: &EditMap| map.after(earlier, length);
        let renormalized = maps.into_iter().fold(self.renormalized.clone(), through);
        Some(Self {
            renormalized,
            ..before
        })
    }

    /// Where text that is made of several pieces ends, as written: behind the last piece that is written where the first one is,
    /// or, of text that no macro made, behind the name of the macro that the last piece comes from.
    fn end_of_pieces(&self, start: u32, last: u32) -> Option<u32> {
        let index = |at| self.segments.partition_point(|s| s.start <= at);
        let first = index(start).checked_sub(1)?;
        let pieces = self.segments.get(first..index(last))?;
        let [from, .., _] = pieces else {
            return None;
        };
        let begin = self.written(from, start, 0);
        let mut end = last + 1;
        for piece in pieces.iter().rev() {
            let at = match self.outermost(piece) {
                _ if piece.expansion == from.expansion => {
                    let at = piece.start.max(start);
                    Some(self.written(piece, at, end - at))
                }
                Some(made) if from.expansion.is_none() => Some(self.name_of(made)),
                _ => None,
            };
            let behind = |at: &Location| at.file == begin.file && at.span.end > begin.span.start;
            if let Some(at) = at.filter(behind) {
                return Some(at.span.end);
            }
            end = piece.start;
        }
        None
    }

    /// The name in the call of a macro.
    fn name_of(&self, made: &Expansion) -> Location {
        let at = self.files.as_written(made.call);
        Location {
            file: at.file,
            span: Span::new(at.offset, at.offset + made.length),
        }
    }

    /// The call of a macro that a run of text comes from in the end.
    fn outermost_call(&self, segment: &Segment) -> Option<Place> {
        self.outermost(segment).map(|expansion| expansion.call)
    }

    fn outermost(&self, segment: &Segment) -> Option<&Expansion> {
        let mut outermost = None;
        let mut next = segment.expansion;
        while let Some(expansion) = next.and_then(|id| self.expansions.get(id.0 as usize)) {
            outermost = Some(expansion);
            next = expansion.parent;
        }
        outermost
    }

    fn segment(&self, offset: u32) -> Option<&Segment> {
        let index = self.segments.partition_point(|s| s.start <= offset);
        self.segments.get(index.checked_sub(1)?)
    }

    fn written(&self, segment: &Segment, offset: u32, length: u32) -> Location {
        let delta = if segment.verbatim {
            offset - segment.start
        } else {
            0
        };
        let start = Place {
            file: segment.spelled.file,
            offset: segment.spelled.offset + delta,
        };
        let from = self.files.as_written(start);
        let limit = self.files.get(from.file).map_or(0, |f| f.text.len() as u32);
        // The last byte is mapped on its own, since edits in between change the length.
        let last = Place {
            offset: start.offset + length.saturating_sub(1),
            ..start
        };
        let to =
            (self.files.as_written(last).offset + 1).clamp(from.offset, limit.max(from.offset));
        Location {
            file: from.file,
            span: Span::new(from.offset, to),
        }
    }

    /// The file and line (from 1) of a byte of the analysed text, for source maps.
    pub fn file_line(&self, offset: u32) -> Option<(FileId, usize)> {
        let origin = self.origin(Span::at(offset))?;
        let file = self.files.get(origin.location.file)?;
        Some((
            origin.location.file,
            file.line_column(origin.location.span.start).0,
        ))
    }
}
