//! The text of a program's host half: the main file's, with the files in place that it includes and that are
//! Brook+, too. All others are the C++ compiler's to include. And kernels in it that macros write.

use super::items;
use crate::grammar::Dialect;
use crate::lex::Lexed;
use crate::module::HostOrigin;
use crate::source::{FileId, Files, Place, Provenance, SourceFile, Span};

/// The text, and where its parts come from.
pub(super) fn text(files: &Files) -> (String, Vec<HostOrigin>) {
    let mut spliced = Spliced {
        files,
        text: String::new(),
        origins: Vec::new(),
    };
    spliced.file(FileId::MAIN);
    (spliced.text, spliced.origins)
}

/// Where in the host's text kernels stand that only the analysed text has: macros write them, or parts of their
/// heads.
pub(super) fn written_by_macros(
    lexed: &Lexed<'_>,
    origins: &[HostOrigin],
    known: &[Span],
    analysed: &[Span],
    provenance: &Provenance,
) -> Vec<(Span, Span)> {
    let here = |place: Place| {
        let mut pieces = origins.iter();
        let found = pieces.find(|o| {
            o.file == place.file && (o.offset..o.offset + o.length).contains(&place.offset)
        });
        found.map(|o| place.offset - o.offset + o.start)
    };
    let mut found: Vec<(Span, Span)> = Vec::new();
    for kernel in analysed {
        let (Some((first, _)), Some((last, called))) = (
            provenance.place(kernel.start),
            provenance.place(kernel.end.saturating_sub(1)),
        ) else {
            continue;
        };
        let (Some(start), Some(last)) = (here(first), here(last)) else {
            continue;
        };
        if Span::at(start).holder(known).is_some() {
            continue;
        }
        let end = match called {
            true => call_end(lexed, last),
            false => last + 1,
        };
        let span = Span::new(start, end.max(start));
        if !found
            .iter()
            .any(|(other, _)| other.contains(Span::at(start)))
        {
            found.push((span, *kernel));
        }
    }
    found
}

/// The end of a macro's call: of its name, or of its arguments.
fn call_end(lexed: &Lexed<'_>, start: u32) -> u32 {
    let (text, tokens) = (lexed.text, lexed.tokens.as_slice());
    let name = lexed.first_from(start);
    let mut depth = 0usize;
    for token in tokens.iter().skip(name + 1) {
        match token.text(text) {
            "(" => depth += 1,
            ")" if depth == 1 => return token.span.end,
            ")" => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    tokens.get(name).map_or(start, |t| t.span.end)
}

fn has_kernels(file: &SourceFile) -> bool {
    is_brook(&file.name) || !items::kernels(&Lexed::new(&file.normalized)).is_empty()
}

struct Spliced<'f> {
    files: &'f Files,
    text: String,
    origins: Vec<HostOrigin>,
}

impl Spliced<'_> {
    fn file(&mut self, id: FileId) {
        let files = self.files;
        let Some(file) = files.get(id) else { return };
        let text = file.normalized.as_str();
        let includes = |f: &SourceFile| f.included_from.is_some_and(|from| from.file == id);
        let again = files.repeated().iter().any(|(from, _)| from.file == id);
        if !text.contains(".br") && !again && !files.iter().any(|(_, f)| includes(f)) {
            return self.piece(id, Span::new(0, text.len() as u32));
        }
        let lexed = Lexed::new(text);
        let word = |i: usize| lexed.word(i);
        let mut done = 0;
        for (index, token) in lexed.tokens.iter().enumerate() {
            let directive = token.line_start && word(index) == "#" && word(index + 1) == "include";
            if !directive {
                continue;
            }
            let place = files.as_written(Place {
                file: id,
                offset: token.span.start,
            });
            let (line, _) = file.line_column(place.offset);
            let child = self.child(id, line);
            let path = word(index + 2).trim_matches('"');
            if child.is_none() && !is_brook(path) && !self.is_repeated(id, line) {
                continue;
            }
            let rest = &text[token.span.start as usize..];
            let end = token.span.start + rest.find('\n').unwrap_or(rest.len()) as u32;
            self.piece(id, Span::new(done, token.span.start));
            done = end;
            // Without one it stands in a branch that is not taken, or the file is in its place already.
            let Some(child) = child else { continue };
            let name = files.get(child).map_or("", |f| f.name.as_str());
            self.text += &format!("\n#line 1 {name:?}\n");
            self.file(child);
            self.text += &format!("\n#line {} {:?}", line + 1, file.name);
        }
        self.piece(id, Span::new(done, text.len() as u32));
    }

    /// The Brook+ file that the directive in a line brings in.
    fn child(&self, parent: FileId, line: usize) -> Option<FileId> {
        let file = self.files.get(parent)?;
        let mut all = self.files.iter();
        let found = all.find(|(_, child)| {
            let here = child.included_from.filter(|from| from.file == parent);
            here.is_some_and(|from| file.line_column(from.offset).0 == line) && has_kernels(child)
        });
        found.map(|(id, _)| id)
    }

    /// Whether the directive in a line includes a Brook+ file that another one has brought in.
    fn is_repeated(&self, parent: FileId, line: usize) -> bool {
        let Some(file) = self.files.get(parent) else {
            return false;
        };
        let mut repeated = self.files.repeated().iter();
        repeated.any(|(from, child)| {
            from.file == parent
                && file.line_column(from.offset).0 == line
                && self.files.get(*child).is_some_and(has_kernels)
        })
    }

    fn piece(&mut self, file: FileId, span: Span) {
        let Some(source) = self.files.get(file) else {
            return;
        };
        self.origins.push(HostOrigin {
            start: self.text.len() as u32,
            file,
            offset: span.start,
            length: span.len(),
        });
        self.text += span.of(&source.normalized);
    }
}

fn is_brook(path: &str) -> bool {
    Dialect::of_path(path) == Dialect::Brook
}
