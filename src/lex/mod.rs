//! The one lexer: C and C++ tokens with their spans, for the normaliser, the preprocessor and the
//! expression parser.
//!
//! - `lexer.rs`, `token.rs`: from text to tokens; `lexed.rs`: a text with its tokens.
//! - `memory.rs`: texts whose tokens are known.
//! - `words.rs`: small questions about the words of a text.

mod lexed;
mod lexer;
mod memory;
mod token;
mod words;

pub use lexed::Lexed;
pub use lexer::{is_blank, lex, lex_into};
pub(crate) use memory::remembering_tokens;
pub use token::{Token, TokenKind, spliced_words, unspliced};
pub use words::{is_long_double, length, mentions, one_layout, same_words, shown, without_const};
