use crate::lex::{Token, TokenKind, lex, unspliced};
use crate::source::{ExpansionId, FileId, Place, Span};
use foldhash::HashMap;
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// A file as it is read: normalised text and its tokens.
#[derive(Debug)]
pub(super) struct Source {
    pub id: FileId,
    /// Where the loader found it.
    pub path: String,
    /// The include directory in which it was found.
    pub directory: Option<usize>,
    pub text: String,
    pub tokens: Vec<Token>,
    /// Spellings of tokens with a backslash-newline inside.
    pub spliced: HashMap<usize, Box<str>>,
    /// What `#pragma once` says.
    pub once: Cell<Once>,
    /// The macro of an include guard around the whole file.
    pub guard: Option<Box<str>>,
}

/// Whether a file may be read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Once {
    #[default]
    Again,
    Never,
    /// It was read in some groups of a conditional that the vendor's compiler decides, not in all.
    InSomeGroup,
}

impl Source {
    pub fn word(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(token) if token.spliced => self.spliced.get(&index).map_or("", |w| w),
            Some(token) => token.text(&self.text),
            None => "",
        }
    }

    /// Whether a directive begins at this token.
    pub fn is_directive(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|t| t.line_start && t.is(&self.text, "#"))
    }

    /// The index after the last token of the line that holds token `index`.
    pub fn line_end(&self, index: usize) -> usize {
        let rest = self.tokens.get(index + 1..).unwrap_or_default();
        index + 1 + rest.iter().take_while(|t| !t.line_start).count()
    }

    /// Whether the string at `index` is the argument of an attribute in normal form:
    /// `[` `[` `okl_name` `(` `"…"` `)` `]` `]`.
    pub fn is_attribute_string(&self, index: usize) -> bool {
        self.tokens
            .get(index)
            .is_some_and(|t| t.kind == TokenKind::String)
            && index >= 4
            && self.is_attribute(index - 2)
    }

    /// Whether the name at `index` is that of an attribute in normal form.
    pub fn is_attribute(&self, index: usize) -> bool {
        is_attribute_name(self.word(index))
            && index >= 2
            && ["[", "["] == [self.word(index - 2), self.word(index - 1)]
            && self.word(index + 1) == "("
            && self
                .tokens
                .get(index + 2)
                .is_some_and(|t| t.kind == TokenKind::String)
            && self.word(index + 2).starts_with('"')
            && [")", "]", "]"] == [3, 4, 5].map(|n| self.word(index + n))
    }

    /// The token's spelling without backslash-newlines.
    pub fn spelling(&self, token: Token) -> Cow<'_, str> {
        let text = token.text(&self.text);
        if token.spliced {
            Cow::Owned(unspliced(text))
        } else {
            Cow::Borrowed(text)
        }
    }
}

/// Whether a name in double brackets is an attribute of ours.
pub(super) fn is_attribute_name(name: &str) -> bool {
    name.starts_with("okl_") || name.starts_with("brook_")
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Token(TokenKind),
    /// The quote that opens an attribute's string, whose content follows as pieces.
    Open,
    /// The quote that closes it.
    Close,
}

/// A token during expansion. Its text is in [`Texts`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub kind: Kind,
    /// White space stands before it.
    pub space: bool,
    /// It names a macro in whose expansion it stands: it is never expanded again.
    pub painted: bool,
    /// Where its text is: a file, or the pool.
    pub source: u32,
    pub span: Span,
    /// Where the user finds it; its text too unless that is in the pool.
    pub place: Place,
    pub expansion: Option<ExpansionId>,
}

impl Piece {
    pub fn is_identifier(&self) -> bool {
        self.kind == Kind::Token(TokenKind::Identifier)
    }

    /// Whether its text stands in the file, byte for byte.
    pub fn is_verbatim(&self) -> bool {
        self.source != POOL
    }
}

/// Stands for the pool where a file's number is expected.
const POOL: u32 = u32::MAX;

/// The texts in which pieces are spelled.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// By number of the file.
    pub sources: Vec<Rc<Source>>,
    /// What `#`, `##` and the like made.
    pub pool: String,
}

impl Texts {
    pub fn of(&self, piece: &Piece) -> &str {
        if piece.source == POOL {
            return piece.span.of(&self.pool);
        }
        self.sources
            .get(piece.source as usize)
            .map_or("", |s| piece.span.of(&s.text))
    }

    pub fn is(&self, piece: &Piece, text: &str) -> bool {
        self.of(piece) == text
    }

    /// The spelling of several pieces, with single blanks where there was white space.
    pub fn join(&self, pieces: &[Piece]) -> String {
        let mut out = String::new();
        for piece in pieces {
            if piece.space && !out.is_empty() {
                out.push(' ');
            }
            out.push_str(self.of(piece));
        }
        out
    }

    /// A piece whose text is made, not read.
    pub fn make(&mut self, text: &str, kind: TokenKind, like: &Piece) -> Piece {
        let start = self.pool.len();
        self.pool.push_str(text);
        let span = Span::from(start..self.pool.len());
        Piece {
            kind: Kind::Token(kind),
            painted: false,
            source: POOL,
            span,
            ..*like
        }
    }

    /// A token of a file.
    pub fn piece(&mut self, source: &Source, token: Token) -> Piece {
        let piece = Piece {
            kind: Kind::Token(token.kind),
            space: token.space_before,
            painted: false,
            source: source.id.0,
            span: token.span,
            place: Place {
                file: source.id,
                offset: token.span.start,
            },
            expansion: None,
        };
        if token.spliced {
            return self.make(&unspliced(token.text(&source.text)), token.kind, &piece);
        }
        piece
    }

    /// Tokens of a file, the strings of attributes opened.
    pub fn pieces(&mut self, source: &Source, range: Range<usize>) -> Vec<Piece> {
        let mut out = Vec::with_capacity(range.len());
        for index in range {
            if source.is_attribute_string(index) {
                self.open(source, index, &mut out);
            } else if let Some(token) = source.tokens.get(index) {
                out.push(self.piece(source, *token));
            }
        }
        out
    }

    /// The string of an attribute as an opening quote, the tokens of its content, a closing quote.
    pub fn open(&mut self, source: &Source, index: usize, out: &mut Vec<Piece>) {
        let Some(token) = source.tokens.get(index) else {
            return;
        };
        let (start, end) = (token.span.start, token.span.end);
        let quote = |kind, at: u32, space| Piece {
            kind,
            space,
            painted: false,
            source: source.id.0,
            span: Span::new(at, at + 1),
            place: Place {
                file: source.id,
                offset: at,
            },
            expansion: None,
        };
        out.push(quote(Kind::Open, start, token.space_before));
        let content = Span::new(start + 1, end - 1).of(&source.text);
        if content.contains('\\') {
            self.open_escaped(source, start + 1, content, out);
        } else {
            for mut inner in lex(content) {
                inner.span = Span::new(inner.span.start + start + 1, inner.span.end + start + 1);
                out.push(self.piece(source, inner));
            }
        }
        out.push(quote(Kind::Close, end - 1, false));
    }

    fn open_escaped(&mut self, source: &Source, at: u32, content: &str, out: &mut Vec<Piece>) {
        let mut plain = String::with_capacity(content.len());
        // For each byte of `plain`, where it stands in `content`.
        let mut offsets = Vec::with_capacity(content.len());
        let mut chars = content.char_indices().peekable();
        while let Some((mut offset, mut c)) = chars.next() {
            if c == '\\' {
                match chars.next() {
                    // A line continuation.
                    Some((_, '\n')) => continue,
                    Some((_, '\r')) if chars.next_if(|(_, c)| *c == '\n').is_some() => continue,
                    Some((next, escaped)) => (offset, c) = (next, escaped),
                    None => {}
                }
            }
            plain.push(c);
            offsets.resize(plain.len(), offset as u32);
        }
        for token in lex(&plain) {
            let first = offsets.get(token.span.start as usize).copied().unwrap_or(0);
            let like = Piece {
                kind: Kind::Token(token.kind),
                space: token.space_before,
                painted: false,
                source: source.id.0,
                span: token.span,
                place: Place {
                    file: source.id,
                    offset: at + first,
                },
                expansion: None,
            };
            let piece = self.make(token.text(&plain), token.kind, &like);
            out.push(piece);
        }
    }
}
