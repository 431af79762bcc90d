use super::pieces::{Kind, Piece};
use crate::module::Directive;
use crate::source::{ExpansionId, Place, Segment, Span};

/// The text that comes out, and where its runs came from.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub text: String,
    pub segments: Vec<Segment>,
    pub kept: Vec<Span>,
    pub kept_includes: Vec<Directive>,
    /// Within the string of an attribute: quotes and backslashes are escaped.
    pub in_string: bool,
    /// The white space before the next piece has been copied already.
    pub fresh: bool,
}

impl Output {
    /// Copies text that stands so in a file.
    pub fn copy(&mut self, text: &str, place: Place) {
        if !text.is_empty() {
            self.note(place, true, None);
            self.text.push_str(text);
        }
    }

    /// Adds text that stands for a place.
    pub fn add(&mut self, text: &str, place: Place, expansion: Option<ExpansionId>) {
        if !text.is_empty() {
            self.note(place, false, expansion);
            self.text.push_str(text);
        }
    }

    fn note(&mut self, place: Place, verbatim: bool, expansion: Option<ExpansionId>) {
        let start = self.text.len() as u32;
        let goes_on = self.segments.last().is_some_and(|last| {
            let spelled = last.spelled.offset + if verbatim { start - last.start } else { 0 };
            last.verbatim == verbatim
                && last.expansion == expansion
                && last.spelled.file == place.file
                && spelled == place.offset
        });
        if !goes_on {
            self.segments.push(Segment {
                start,
                spelled: place,
                verbatim,
                expansion,
            });
        }
    }

    /// Adds a token of an expansion, apart from what stands before it where that is needed.
    pub fn piece(&mut self, text: &str, piece: &Piece) {
        let apart = piece.space && !self.fresh && !self.text.ends_with([' ', '\n', '\t']);
        self.fresh = false;
        // What stood together in a file was read as two tokens, and will be again.
        let melts =
            || matches!(piece.kind, Kind::Token(_)) && !self.follows(piece) && self.pastes(text);
        if !self.after_quote() && (apart || melts()) {
            self.text.push(' ');
        }
        match piece.kind {
            Kind::Open => self.in_string = true,
            Kind::Close => self.in_string = false,
            Kind::Token(_) if self.in_string && text.contains(['"', '\\']) => {
                let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
                return self.add(&escaped, piece.place, piece.expansion);
            }
            Kind::Token(_) => {}
        }
        self.note(piece.place, piece.is_verbatim(), piece.expansion);
        self.text.push_str(text);
    }

    /// Whether the piece's text is the next one after the last byte, in the file they come from.
    fn follows(&self, piece: &Piece) -> bool {
        self.segments.last().is_some_and(|last| {
            let next = last.spelled.offset + (self.text.len() as u32 - last.start);
            last.verbatim
                && piece.is_verbatim()
                && last.spelled.file == piece.place.file
                && next == piece.place.offset
        })
    }

    /// Just after the opening quote of an attribute's string.
    fn after_quote(&self) -> bool {
        self.in_string && self.text.ends_with('"') && !self.text.ends_with("\\\"")
    }

    /// Whether `next` would melt with the token before it.
    pub fn pastes(&self, next: &str) -> bool {
        let bytes = self.text.as_bytes();
        match (bytes.last(), next.as_bytes().first()) {
            (Some(&last), Some(&first)) => would_paste(last, first),
            _ => false,
        }
    }

    pub fn at_line_start(&self) -> bool {
        let mut bytes = self.text.bytes().rev();
        match bytes.next() {
            None => true,
            // A line that is continued goes on.
            Some(b'\n') => !matches!(bytes.find(|b| *b != b'\r'), Some(b'\\')),
            Some(_) => false,
        }
    }

    /// Begins a new line unless one has just begun.
    pub fn break_line(&mut self, place: Place) {
        if !self.at_line_start() {
            self.add("\n", place, None);
        }
    }
}

/// Whether two bytes at the border of two tokens could belong to one.
fn would_paste(last: u8, first: u8) -> bool {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    match (last, first) {
        // Names and numbers; `L"…"`; `1.` and `.5`.
        (a, b) if is_name(a) => {
            is_name(b)
                || matches!(b, b'"' | b'\'' | b'.')
                || (matches!(b, b'+' | b'-') && matches!(a, b'e' | b'E' | b'p' | b'P'))
        }
        (b'.', b) => b.is_ascii_digit() || matches!(b, b'.' | b'*'),
        // A suffix would make a literal of the user's own.
        (b'"' | b'\'', b) => is_name(b),
        (b'-', b'>') | (b'/', b'*') | (b'<' | b'%', b':' | b'%') | (b':' | b'%', b'>') => true,
        (b'>', b'*') => false,
        (a, b'=') => b"+-*/%&|^<>=!".contains(&a),
        (a, b) => a == b && b"+-&|<>:#/".contains(&a),
    }
}
