//! The one lexer: C and C++ tokens with their spans, for the normaliser, the preprocessor and the
//! expression parser.

mod lexed;
mod lexer;
mod token;

pub use lexed::Lexed;
pub use lexer::{lex, lex_into};
pub use token::{Token, TokenKind, spliced_words, unspliced};
