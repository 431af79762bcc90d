//! Where the words of generated source were written, so that columns in what its compiler says can be the user's.

use crate::lex::lex;
use crate::module::{HostProgram, Module};
use crate::source::{EditMap, FileId, Files, Location, Span};

/// A word of a line of generated source that was written by the user. Columns count bytes, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Where it begins in that line.
    pub column: usize,
    /// The file it is from; of what a macro stands for, the one with the call.
    pub file: FileId,
    /// The line in there, from 1.
    pub line: usize,
    /// Where it begins in that line.
    pub original: usize,
}

/// For each line of the device source its words, in order.
pub(super) fn words(module: &Module, prelude: &str, text: &str, map: &EditMap) -> Vec<Vec<Word>> {
    let files = &module.provenance.files;
    by_line(files, prelude, text, |at, _| {
        let place = module.provenance.origin(Span::at(map.original(at)));
        place.map(|o| o.location).filter(|_| map.is_verbatim(at))
    })
}

/// The same of the host half, whose text is not preprocessed.
pub(super) fn of_host(
    host: &HostProgram,
    files: &Files,
    before: &str,
    (text, map): (&str, &EditMap),
) -> Vec<Vec<Word>> {
    by_line(files, before, text, |at, word| {
        let place = files.as_written(host.place(map.original(at)));
        let written = &files.get(place.file)?.text;
        let found = written.get(place.offset as usize..)?.starts_with(word);
        let location = Location {
            file: place.file,
            span: Span::at(place.offset),
        };
        (found && map.is_verbatim(at)).then_some(location)
    })
}

/// The words of `text`, which has `before` before it, by lines; `origin` says where one is written.
fn by_line(
    files: &Files,
    before: &str,
    text: &str,
    origin: impl Fn(u32, &str) -> Option<Location>,
) -> Vec<Vec<Word>> {
    let mut lines = vec![Vec::new(); before.matches('\n').count()];
    let (mut line, mut start) = (lines.len(), 0);
    lines.extend(std::iter::repeat_n(
        Vec::new(),
        text.matches('\n').count() + 1,
    ));
    let mut ends = text.match_indices('\n').map(|(at, _)| at).peekable();
    for token in &lex(text) {
        let at = token.span.start;
        while let Some(end) = ends.next_if(|&end| end < at as usize) {
            (line, start) = (line + 1, end + 1);
        }
        let Some(place) = origin(at, token.text(text)) else {
            continue;
        };
        let Some(file) = files.get(place.file) else {
            continue;
        };
        if let Some(words) = lines.get_mut(line) {
            let begins = file.text[..place.span.start as usize].rfind('\n');
            words.push(Word {
                column: at as usize - start + 1,
                file: place.file,
                line: file.line_column(place.span.start).0,
                original: place.span.start as usize - begins.map_or(0, |b| b + 1) + 1,
            });
        }
    }
    lines
}
