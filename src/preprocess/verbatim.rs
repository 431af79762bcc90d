use super::{Normalizer, Preprocessed};
use crate::lex::lex;
use crate::source::{EditMap, FileId, Files, Place, Provenance, Segment, SourceFile, Span};

/// A text as it is, normalised but with nothing expanded: what AMD's Brook+ compiler read without `-pp`.
/// Directives stay for the host's compiler.
pub fn verbatim(name: &str, raw: &str, normalize: &Normalizer<'_>) -> Preprocessed {
    let (text, map) = normalize(raw);
    let mut files = Files::default();
    files.add(SourceFile {
        normalized: text.clone(),
        map,
        ..SourceFile::plain(name, raw)
    });
    let spelled = Place {
        file: FileId::MAIN,
        offset: 0,
    };
    let segment = Segment {
        start: 0,
        spelled,
        verbatim: true,
        expansion: None,
    };
    let kept_directives = lines(&text);
    Preprocessed {
        text,
        provenance: Provenance {
            files,
            segments: vec![segment],
            expansions: Vec::new(),
            renormalized: EditMap::identity(),
        },
        expanded_attributes: false,
        dependencies: Vec::new(),
        kept_directives,
        conditionals: Vec::new(),
        kept_includes: Vec::new(),
    }
}

/// The directives of a text, without their newlines.
fn lines(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let tokens = lex(text);
    let mut starts = tokens.iter().filter(|t| t.line_start).peekable();
    while let Some(first) = starts.next() {
        if !first.is(text, "#") {
            continue;
        }
        // A line may go on behind a backslash.
        let next = starts.peek().map_or(text.len(), |t| t.span.start as usize);
        let from = first.span.start as usize;
        let last = tokens
            .iter()
            .take_while(|t| (t.span.start as usize) < next)
            .last()
            .map_or(next, |t| t.span.end as usize);
        let end = text[last..next].find('\n').map_or(next, |n| last + n);
        found.push(Span::new(from as u32, end as u32));
    }
    found
}
