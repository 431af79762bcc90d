use super::Span;
use super::edit_map::{EditMap, Run, original};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// A set of changes to one text: replacements of spans and insertions at points.
///
/// Changes are kept by position, so they may be added in any order. What no edit touches survives
/// byte for byte. Two replacements that overlap are refused by [`Edits::apply`]; insertions at the
/// same point keep the order in which they were added, and stand before a replacement that starts
/// there.
#[derive(Debug, Default)]
pub struct Edits {
    /// Keyed by start; each start holds its insertions, then at most one replacement.
    at: BTreeMap<u32, Vec<Edit>>,
}

#[derive(Clone, Debug)]
struct Edit {
    end: u32,
    text: Cow<'static, str>,
    /// Where the text came from, if it was moved here.
    from: Option<u32>,
    /// Where its parts came from, if it is put together of such.
    runs: Vec<Run>,
    /// An insertion that belongs to the text before it.
    appended: bool,
    /// An insertion that goes around all others that are made there.
    outermost: bool,
}

/// Two edits wanted to change the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The edit that starts first.
    pub first: Span,
    /// The edit that starts inside it.
    pub second: Span,
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = (self.first, self.second);
        write!(
            f,
            "edits of bytes {}..{} and {}..{} overlap",
            a.start, a.end, b.start, b.end
        )
    }
}

impl std::error::Error for Overlap {}

impl Edits {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Replaces the bytes of `span`.
    pub fn replace(&mut self, span: Span, text: impl Into<Cow<'static, str>>) {
        self.at.entry(span.start).or_default().push(Edit {
            end: span.end,
            text: text.into(),
            from: None,
            runs: Vec::new(),
            appended: false,
            outermost: false,
        });
    }

    /// Inserts before the byte at `at`, after insertions already made there.
    pub fn insert(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        self.replace(Span::at(at), text);
    }

    /// Inserts before the byte at `at`, as the end of what stands before it: whoever takes or drops
    /// that text takes or drops this with it.
    pub fn append(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        let edit = Edit {
            end: at,
            text: text.into(),
            from: None,
            runs: Vec::new(),
            appended: true,
            outermost: false,
        };
        self.at.entry(at).or_default().push(edit);
    }

    /// As [`Edits::append`], for text that stands elsewhere: the map leads there.
    pub fn append_moved(&mut self, at: u32, moved: &Moved) {
        let edit = Edit {
            appended: true,
            ..moved.clone().replacing(Span::at(at))
        };
        self.at.entry(at).or_default().push(edit);
    }

    /// As [`Edits::insert_before`], for text that is put together of what stands elsewhere.
    pub fn insert_before_moved(&mut self, at: u32, moved: Moved) {
        let edit = moved.replacing(Span::at(at));
        self.at.entry(at).or_default().insert(0, edit);
    }

    /// As [`Edits::replace`], for such text.
    pub fn replace_moved(&mut self, span: Span, moved: Moved) {
        let edit = moved.replacing(span);
        self.at.entry(span.start).or_default().push(edit);
    }

    /// As [`Edits::insert`], for text that stood at `from`: the map leads there.
    pub fn insert_moved(&mut self, at: u32, text: impl Into<Cow<'static, str>>, from: u32) {
        let edit = Edit {
            end: at,
            text: text.into(),
            from: Some(from),
            runs: Vec::new(),
            appended: false,
            outermost: false,
        };
        self.at.entry(at).or_default().push(edit);
    }

    /// Inserts before the byte at `at`, ahead of insertions already made there.
    pub fn insert_before(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        self.at.entry(at).or_default().insert(
            0,
            Edit {
                end: at,
                text: text.into(),
                from: None,
                runs: Vec::new(),
                appended: false,
                outermost: false,
            },
        );
    }

    /// Inserts before the byte at `at`, ahead of insertions that are made there by all other means, before and after;
    /// behind others that were inserted so.
    pub fn insert_outermost(&mut self, at: u32, text: impl Into<Cow<'static, str>>) {
        let edit = Edit {
            end: at,
            text: text.into(),
            from: None,
            runs: Vec::new(),
            appended: false,
            outermost: true,
        };
        self.at.entry(at).or_default().push(edit);
    }

    /// Removes the bytes of `span`.
    pub fn delete(&mut self, span: Span) {
        if !span.is_empty() {
            self.replace(span, "");
        }
    }

    /// Removes the bytes of `span` and one blank after them, so that deleted words leave no double
    /// space. The blank behind the last word of something is none of its own.
    pub fn delete_word(&mut self, span: Span, text: &str) {
        let behind = text.as_bytes().get(span.end as usize..).unwrap_or_default();
        let next = behind.iter().find(|b| !b.is_ascii_whitespace());
        let last = next.is_none_or(|b| matches!(b, b',' | b')' | b';'));
        let blank = behind.first() == Some(&b' ') && !last;
        self.delete(Span::new(span.start, span.end + u32::from(blank)));
    }

    /// The text of `span` with the edits inside it applied, for use in a replacement of a span
    /// around it. Those edits are taken out of the set, so that the replacement does not overlap
    /// them.
    pub fn take(&mut self, span: Span, text: &str) -> Result<String, Overlap> {
        let mut inner = Self {
            at: self.remove(span),
        };
        inner.apply_within(span, text, &mut |_, _, _| {})
    }

    /// As [`Edits::take`], with the places that the text comes from.
    pub fn take_moved(&mut self, span: Span, text: &str) -> Result<Moved, Overlap> {
        let mut inner = Self {
            at: self.remove(span),
        };
        let mut runs = Vec::new();
        let text = inner.apply_within(span, text, &mut |new, old, verbatim| {
            runs.push(Run { new, old, verbatim });
        })?;
        Ok(Moved { text, runs })
    }

    /// The text of [`Edits::take`] where it is needed where it stands, too.
    pub fn copy(&self, span: Span, text: &str) -> Result<String, Overlap> {
        self.within(span).take(span, text)
    }

    /// The edits that start within `span` or at its end, for a copy of its text with others besides.
    #[must_use]
    pub fn within(&self, span: Span) -> Self {
        let range = self.at.range(span.start..=span.end);
        Self {
            at: range.map(|(at, edits)| (*at, edits.clone())).collect(),
        }
    }

    /// Removes every edit that starts within `span`, for text that is dropped as a whole.
    pub fn discard(&mut self, span: Span) {
        self.remove(span);
    }

    /// Takes out the edits that start within `span`. Insertions exactly at its end belong to whatever
    /// stands behind it and stay, unless they were appended; appended ones at its start stay.
    fn remove(&mut self, span: Span) -> BTreeMap<u32, Vec<Edit>> {
        let keys: Vec<u32> = self
            .at
            .range(span.start..=span.end)
            .map(|(key, _)| *key)
            .collect();
        let mut removed = BTreeMap::new();
        for key in keys {
            let Some(edits) = self.at.remove(&key) else {
                continue;
            };
            let inside = key > span.start && key < span.end;
            let goes = |edit: &Edit| match edit.appended {
                true => key > span.start,
                false => inside || (key == span.start && !span.is_empty()),
            };
            let (gone, kept): (Vec<Edit>, Vec<Edit>) = edits.into_iter().partition(goes);
            if !kept.is_empty() {
                self.at.insert(key, kept);
            }
            if !gone.is_empty() {
                removed.insert(key, gone);
            }
        }
        removed
    }

    /// Applies all edits to `text`; with the result comes the map back.
    pub fn apply(mut self, text: &str) -> Result<(String, EditMap), Overlap> {
        let mut map = EditMap {
            runs: Vec::with_capacity(2 * self.at.len() + 1),
        };
        let whole = Span::new(0, text.len() as u32);
        let result = self.apply_within(whole, text, &mut |new, old, verbatim| {
            map.runs.push(Run { new, old, verbatim });
        })?;
        Ok((result, map))
    }

    /// `note(new, old, verbatim)` is told at which new offset each run of text begins and from which
    /// old offset it comes.
    fn apply_within(
        &mut self,
        span: Span,
        text: &str,
        note: &mut dyn FnMut(u32, u32, bool),
    ) -> Result<String, Overlap> {
        let added: usize = self.at.values().flatten().map(|e| e.text.len()).sum();
        let mut out = String::with_capacity(span.len() as usize + added);
        let mut done = span.start;
        let mut last = Span::at(span.start);
        for (&start, edits) in &self.at {
            // Insertions first, the one replacement last, whatever order they came in.
            let appended = edits.iter().filter(|e| e.appended);
            let inserted = edits.iter().filter(|e| e.end == start && !e.appended);
            let outermost = inserted.clone().filter(|e| e.outermost);
            let inserted = inserted.filter(|e| !e.outermost);
            let insertions = appended.chain(outermost).chain(inserted);
            let replacements = edits.iter().filter(|e| e.end != start);
            for edit in insertions.chain(replacements) {
                let this = Span::new(start, edit.end);
                if start < done || this.end > span.end {
                    return Err(Overlap {
                        first: last,
                        second: this,
                    });
                }
                if start > done {
                    note(out.len() as u32, done, true);
                    out.push_str(Span::new(done, start).of(text));
                }
                if !edit.text.is_empty() {
                    let new = out.len() as u32;
                    if edit.runs.is_empty() {
                        note(new, edit.from.unwrap_or(start), false);
                    }
                    for run in &edit.runs {
                        note(new + run.new, run.old, run.verbatim);
                    }
                    out.push_str(&edit.text);
                }
                done = edit.end;
                last = this;
            }
        }
        if done < span.end {
            note(out.len() as u32, done, true);
            out.push_str(Span::new(done, span.end).of(text));
        }
        Ok(out)
    }
}

/// Edited text that is to stand elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    text: String,
    runs: Vec<Run>,
}

impl Moved {
    /// Adds text that stands for the place `from`.
    pub fn push(&mut self, text: &str, from: u32) {
        self.add(text, from, false);
    }

    /// Adds the text of a span as it is.
    pub fn push_span(&mut self, span: Span, text: &str) {
        self.add(span.of(text), span.start, true);
    }

    /// Adds what was put together before.
    pub fn push_moved(&mut self, other: &Self) {
        let before = self.text.len() as u32;
        let runs = other.runs.iter().map(|run| Run {
            new: before + run.new,
            ..*run
        });
        self.runs.extend(runs);
        self.text.push_str(&other.text);
    }

    fn add(&mut self, text: &str, old: u32, verbatim: bool) {
        if !text.is_empty() {
            let new = self.text.len() as u32;
            self.runs.push(Run { new, old, verbatim });
            self.text.push_str(text);
        }
    }

    /// What there is so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the byte at `offset` of it comes from.
    pub fn original(&self, offset: u32) -> u32 {
        original(&self.runs, offset)
    }

    /// What there is, and where it comes from.
    pub fn into_text(self) -> (String, EditMap) {
        (self.text, EditMap { runs: self.runs })
    }

    /// Leaves the first bytes.
    pub fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        self.runs.retain(|run| (run.new as usize) < length);
    }

    fn replacing(self, span: Span) -> Edit {
        Edit {
            end: span.end,
            text: self.text.into(),
            from: None,
            runs: self.runs,
            appended: false,
            outermost: false,
        }
    }
}
