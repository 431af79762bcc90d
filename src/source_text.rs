//! Sources, and their bytes as text.

use crate::diagnostics::{Diagnostic, Report, codes};
use crate::grammar::Dialect;
use crate::lex::{TokenKind, lex};
use crate::source::{Location, SourceFile, Span};
use std::borrow::Cow;
use std::fmt::Display;

/// A source to translate.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, for messages and for resolving includes relative to it.
    pub name: String,
    /// Its bytes.
    pub text: Vec<u8>,
    /// The language it is written in.
    pub dialect: Dialect,
}

impl Source {
    /// A source whose language its name tells: Brook+ for `.br` and `.bri`, OKL otherwise.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        let name = name.into();
        let dialect = Dialect::of_path(&name);
        Self {
            name,
            text: text.into(),
            dialect,
        }
    }
}

/// Unterminated comments, NUL bytes and the like in a source that is not going to be preprocessed.
pub fn lexical_errors(source: &Source) -> Report {
    let text = match read(source) {
        Ok(text) => text,
        Err(report) => return *report,
    };
    let text = &*text;
    let mut report = Report::default();
    let file = report.files.add(SourceFile::plain(&source.name, text));
    let mut in_directive = false;
    let mut conditions = 0usize;
    let tokens = lex(text);
    for (index, token) in tokens.iter().enumerate() {
        if token.line_start {
            in_directive = token.is(text, "#");
            match tokens.get(index + 1).map_or("", |t| t.text(text)) {
                "if" | "ifdef" | "ifndef" if in_directive => conditions += 1,
                "endif" if in_directive => conditions = conditions.saturating_sub(1),
                _ => {}
            }
        }
        let code = match token.kind {
            TokenKind::UnterminatedComment => &codes::UNTERMINATED_COMMENT,
            // `#error don't` is no string.
            // Nor is what a branch that is not taken may hold.
            TokenKind::UnterminatedString | TokenKind::UnterminatedCharacter
                if !in_directive && conditions == 0 =>
            {
                &codes::UNTERMINATED_STRING
            }
            _ => continue,
        };
        let at = Location {
            file,
            span: token.span,
        };
        report
            .diagnostics
            .push(Diagnostic::new(code, Some(at), &[]));
    }
    report
}

/// The text of bytes that are UTF-8 but for comments, where old sources have letters of other character sets: each
/// such byte becomes a `?`. Otherwise where the first bad byte is.
fn forgiving(bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
    let first = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(error) => error.valid_up_to(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut bad = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for _ in chunk.invalid() {
            bad.push(text.len() as u32);
            text.push('?');
        }
    }
    let tokens = lex(&text);
    let behind = |at: u32| tokens.partition_point(|t| t.span.end <= at);
    let inside = |at: &u32| tokens.get(behind(*at)).is_some_and(|t| t.span.start <= *at);
    match bad.iter().any(inside) {
        true => Err(first),
        false => Ok(Cow::Owned(text)),
    }
}

/// The source as text, or why it cannot be.
pub(crate) fn read(source: &Source) -> Result<Cow<'_, str>, Box<Report>> {
    let fail = |code, arguments: &[&dyn Display]| {
        let diagnostic = Diagnostic::new(code, None, arguments);
        Box::new(Report {
            diagnostics: vec![diagnostic],
            ..Report::default()
        })
    };
    if source.text.len() as u64 >= crate::source::MOST_BYTES {
        return Err(fail(&codes::FILE_TOO_LARGE, &[&source.name]));
    }
    // Editors of DOS ended files with Ctrl-Z.
    let bytes = source.text.trim_ascii_end();
    let bytes = bytes.strip_suffix(b"\x1a").unwrap_or(&source.text);
    let text = forgiving(bytes).map_err(|at| not_utf8(&source.name, bytes, at))?;
    if let Some(at) = text.bytes().position(|b| b == 0) {
        let mut report = Report::default();
        let file = report.files.add(SourceFile::plain(&source.name, &text));
        let span = Span::new(at as u32, at as u32 + 1);
        let at = Location { file, span };
        report
            .diagnostics
            .push(Diagnostic::new(&codes::NUL_BYTE, Some(at), &[]));
        return Err(Box::new(report));
    }
    Ok(text)
}

/// That bytes are no text, from one of them on, with the line in which that is.
pub fn not_utf8(name: &str, bytes: &[u8], at: usize) -> Box<Report> {
    // What is before is text; control characters behind would not be shown as they are anyway.
    let text = String::from_utf8_lossy(bytes);
    let text: String = { text.chars() }
        .map(|c| match c.is_ascii_control() && !"\n\r\t".contains(c) {
            true => '?',
            false => c,
        })
        .collect();
    let mut report = Report::default();
    let file = report.files.add(SourceFile::plain(name, &text));
    let span = Span::from(at..at + char::REPLACEMENT_CHARACTER.len_utf8());
    let location = Location { file, span };
    let code = &codes::NOT_UTF8;
    let what = Diagnostic::new(code, Some(location), &[&name, &at]);
    report.diagnostics.push(what);
    Box::new(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_may_be_of_another_character_set() {
        let comment = b"// caf\xe9 \xa9\nint x; /* \xff */";
        assert_eq!(forgiving(comment).unwrap(), "// caf? ?\nint x; /* ? */");
        assert_eq!(forgiving(b"int x = '\xe9';").unwrap_err(), 9);
        assert_eq!(forgiving("é".as_bytes()).unwrap(), "é");
    }
}
