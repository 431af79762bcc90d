use super::{Normalizer, Preprocessed, kept};
use crate::source::{EditMap, FileId, Files, Place, Provenance, Segment, SourceFile};

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
    let kept_directives = kept::lines(&text);
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
        macros: Vec::new(),
        kept_includes: Vec::new(),
    }
}
