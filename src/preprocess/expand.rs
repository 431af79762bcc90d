use super::State;
use super::macros::{BuiltIn, Macro, Meaning};
use super::pieces::{Kind, Piece};
use crate::lex::{Token, TokenKind};
use crate::source::{Expansion, ExpansionId, Place, Span};
use std::rc::Rc;

/// A list of tokens being rescanned.
#[derive(Debug)]
pub(super) struct Context {
    pieces: Vec<Piece>,
    at: usize,
    /// The macro whose replacement it is; it does not expand until the list ends.
    replaces: Option<Rc<Macro>>,
}

impl State<'_> {
    pub(super) fn push_context(&mut self, pieces: Vec<Piece>, replaces: Option<Rc<Macro>>) {
        if let Some(of) = &replaces {
            of.active.set(true);
        }
        self.contexts.push(Context {
            pieces,
            at: 0,
            replaces,
        });
    }

    fn pop_context(&mut self) {
        let Some(Context {
            pieces, replaces, ..
        }) = self.contexts.pop()
        else {
            return;
        };
        if let Some(of) = replaces {
            of.active.set(false);
        }
        self.spare(pieces);
    }

    /// Keeps the memory of a list that is not needed any more for the next one.
    pub(super) fn spare(&mut self, mut pieces: Vec<Piece>) {
        if self.spare.len() < 16 {
            pieces.clear();
            self.spare.push(pieces);
        }
    }

    /// Drops lists that are read to their end. What remains above `floor` has tokens left.
    pub(super) fn drop_finished(&mut self, floor: usize) {
        while self.contexts.len() > floor
            && self.contexts.last().is_some_and(|c| c.at >= c.pieces.len())
        {
            self.pop_context();
        }
    }

    /// The next token of the lists above `floor`, as it stands there.
    pub(super) fn next_of_context(&mut self, floor: usize) -> Option<Piece> {
        self.drop_finished(floor);
        if self.contexts.len() <= floor || self.stopped {
            return None;
        }
        let context = self.contexts.last_mut()?;
        let piece = *context.pieces.get(context.at)?;
        context.at += 1;
        Some(piece)
    }

    /// The next token, unexpanded, from the lists above `floor` and then from the file if
    /// `on_file`.
    pub(super) fn next(&mut self, floor: usize, on_file: bool) -> Option<Piece> {
        match self.next_of_context(floor) {
            None if on_file && !self.stopped => self.next_of_file(),
            piece => piece,
        }
    }

    /// The next token after macro expansion; `None` where the lists above `floor` end.
    ///
    /// `first` is taken before what the lists hold. With `on_file` the arguments of a call may go on
    /// in the file.
    pub(super) fn advance(
        &mut self,
        floor: usize,
        on_file: bool,
        first: &mut Option<Piece>,
    ) -> Option<Piece> {
        // White space before a call with an empty result stands before what comes next.
        let mut space = false;
        loop {
            let mut piece = match first.take() {
                Some(piece) => piece,
                None => self.next_of_context(floor)?,
            };
            piece.space |= space;
            if !piece.is_identifier() || piece.painted {
                return Some(piece);
            }
            let Some(found) = self.macros.get(self.texts.of(&piece)) else {
                return Some(piece);
            };
            if found.active.get() {
                piece.painted = true;
                return Some(piece);
            }
            let found = Rc::clone(found);
            let arguments = match &found.meaning {
                Meaning::BuiltIn(built_in) => return Some(self.built_in(*built_in, piece)),
                Meaning::Split(begins) => {
                    let used = self.outermost(&piece);
                    self.split_macro(&found.name, *begins, used);
                    piece.painted = true;
                    return Some(piece);
                }
                Meaning::Object(_) => Vec::new(),
                Meaning::Function(parameters, _) => {
                    if !self.open_follows(floor, on_file) {
                        return Some(piece);
                    }
                    match self.collect(&found, parameters, &piece, floor, on_file) {
                        Some(arguments) => arguments,
                        // Reported; the name alone stays.
                        None => {
                            piece.painted = true;
                            return Some(piece);
                        }
                    }
                }
            };
            let empty = self.enter(found, &piece, arguments);
            space = empty && piece.space;
        }
    }

    /// Puts the replacement of a call on top of the lists; tells whether it is empty.
    fn enter(&mut self, called: Rc<Macro>, name: &Piece, arguments: Vec<Vec<Piece>>) -> bool {
        let expansion = ExpansionId(self.expansions.len() as u32);
        self.expansions.push(Expansion {
            name: called.name.clone(),
            call: name.place,
            length: called.name.len() as u32,
            parent: name.expansion,
        });
        let mut pieces = self.substitute(&called, arguments, expansion);
        // The record of the expansion takes room, too.
        self.spend(pieces.len() + 2, name);
        if let Some(first) = pieces.first_mut() {
            first.space = name.space;
        }
        let empty = pieces.is_empty();
        self.push_context(pieces, Some(called));
        empty
    }

    /// All of `pieces` expanded, as an argument is before it is substituted.
    pub(super) fn expand_all(&mut self, pieces: &[Piece]) -> Vec<Piece> {
        let may_expand =
            |p: &Piece| p.is_identifier() && self.macros.get(self.texts.of(p)).is_some();
        let Some(call) = pieces.iter().find(|p| may_expand(p)).copied() else {
            let mut list = self.spare.pop().unwrap_or_default();
            list.extend_from_slice(pieces);
            return list;
        };
        if self.argument_depth >= super::DEEPEST_ARGUMENT {
            return self.too_deep(&call).unwrap_or_default();
        }
        self.argument_depth += 1;
        let floor = self.contexts.len();
        let mut list = self.spare.pop().unwrap_or_default();
        list.extend_from_slice(pieces);
        self.push_context(list, None);
        let mut out = Vec::with_capacity(pieces.len());
        while let Some(piece) = self.advance(floor, false, &mut None) {
            out.push(piece);
        }
        while self.contexts.len() > floor {
            self.pop_context();
        }
        self.argument_depth -= 1;
        out
    }

    /// Whether the next token is an opening parenthesis.
    pub(super) fn open_follows(&self, floor: usize, on_file: bool) -> bool {
        for context in self.contexts.iter().skip(floor).rev() {
            if let Some(piece) = context.pieces.get(context.at) {
                return piece.kind == Kind::Token(TokenKind::Punctuator)
                    && self.texts.is(piece, "(");
            }
        }
        let Some(frame) = self.frames.last().filter(|_| on_file) else {
            return false;
        };
        frame.source.word(frame.at) == "("
    }

    /// Whether the name at `at` of a file is a macro that is called there.
    pub(super) fn is_call(&self, name: &str, tokens: &[Token], text: &str, at: usize) -> bool {
        let Some(found) = self.macros.get(name) else {
            return false;
        };
        match &found.meaning {
            Meaning::Object(_) | Meaning::Split(_) => true,
            Meaning::Function(..) => tokens.get(at + 1).is_some_and(|t| t.is(text, "(")),
            Meaning::BuiltIn(BuiltIn::HasInclude | BuiltIn::HasIncludeNext) => false,
            Meaning::BuiltIn(_) => true,
        }
    }

    fn built_in(&mut self, built_in: BuiltIn, mut piece: Piece) -> Piece {
        let (text, kind) = match built_in {
            BuiltIn::Pragma | BuiltIn::HasInclude | BuiltIn::HasIncludeNext => {
                piece.painted = true;
                return piece;
            }
            BuiltIn::File => (self.file_literal(), TokenKind::String),
            BuiltIn::Line => (self.line().to_string(), TokenKind::Number),
            BuiltIn::Counter => {
                self.counter = self.counter.wrapping_add(1);
                (self.counter.wrapping_sub(1).to_string(), TokenKind::Number)
            }
            BuiltIn::IncludeLevel => (
                self.frames.len().saturating_sub(1).to_string(),
                TokenKind::Number,
            ),
            // The same input gives the same output.
            BuiltIn::Date => ("\"Jan  1 1970\"".to_string(), TokenKind::String),
            BuiltIn::Time => ("\"00:00:00\"".to_string(), TokenKind::String),
        };
        self.texts.make(&text, kind, &piece)
    }

    /// `__FILE__`; a name from `#line` is escaped as it was written.
    fn file_literal(&self) -> String {
        let frame = self.frames.last();
        if let Some(name) = frame.and_then(|f| f.claimed.1.as_ref()) {
            return format!("\"{name}\"");
        }
        let path = frame.map_or("", |f| f.source.path.as_str());
        format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    }

    /// The line, from 1, of the outermost call.
    fn line(&mut self) -> i64 {
        let Some(frame) = self.frames.last() else {
            return 1;
        };
        let claimed = frame.claimed.0;
        let span = frame
            .source
            .tokens
            .get(frame.began)
            .map_or(Span::at(0), |t| t.span);
        let place = Place {
            file: frame.source.id,
            offset: span.start,
        };
        self.line_of(place) as i64 + claimed
    }

    /// The line, from 1, of a place in a file as written.
    pub(super) fn line_of(&mut self, place: Place) -> usize {
        let written = self.files.as_written(place);
        let files = &self.files;
        let lines = self.lines.entry(written.file).or_insert_with(|| {
            let text = files.get(written.file).map_or("", |f| f.text.as_str());
            text.bytes()
                .zip(0..)
                .filter(|(b, _)| *b == b'\n')
                .map(|(_, at)| at)
                .collect()
        });
        lines.partition_point(|&newline| newline < written.offset) + 1
    }
}
