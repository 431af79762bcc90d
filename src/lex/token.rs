use crate::source::Span;
use foldhash::HashMap;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword.
    Identifier,
    /// A preprocessing number: every C and C++ literal, digit separators and hex floats included.
    Number,
    /// A string literal with its prefix; raw strings too.
    String,
    /// A character literal with its prefix.
    Character,
    /// An operator or punctuator, longest match.
    Punctuator,
    /// `@`.
    At,
    /// A string without its closing quote, up to the end of the line.
    UnterminatedString,
    /// A character literal without its closing quote.
    UnterminatedCharacter,
    /// A comment without its end, up to the end of the text.
    UnterminatedComment,
    /// A byte that begins no token.
    Stray,
}

/// A token: kind and place. The text stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
    /// First token of its line; continued lines count as one.
    pub line_start: bool,
    /// White space or a comment stands before it.
    pub space_before: bool,
    /// A backslash-newline is inside: the spelling has to be cleaned before it is compared.
    pub spliced: bool,
}

impl Token {
    /// The bytes of the token.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        self.span.of(source)
    }

    /// Whether it is the punctuator or identifier `what`.
    pub fn is(&self, source: &str, what: &str) -> bool {
        self.text(source) == what
    }

    /// Whether it is a name.
    pub fn is_identifier(&self) -> bool {
        self.kind == TokenKind::Identifier
    }
}

/// Text without its backslash-newlines.
pub fn unspliced(text: &str) -> String {
    text.replace("\\\r\n", "").replace("\\\n", "")
}

/// The spellings of tokens that have a backslash-newline inside, by index.
pub fn spliced_words(text: &str, tokens: &[Token]) -> HashMap<usize, Box<str>> {
    let spliced = tokens.iter().enumerate().filter(|(_, t)| t.spliced);
    spliced
        .map(|(index, token)| (index, unspliced(token.text(text)).into()))
        .collect()
}
