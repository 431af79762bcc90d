use super::{Token, lex};

/// A text with its tokens, for who looks at it several times.
#[derive(Debug)]
pub struct Lexed<'t> {
    /// The text.
    pub text: &'t str,
    /// All of its tokens.
    pub tokens: Vec<Token>,
}

impl<'t> Lexed<'t> {
    /// Finds the tokens.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let tokens = lex(text);
        Self { text, tokens }
    }

    /// What token `index` is; nothing behind the last one.
    #[must_use]
    pub fn word(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |t| t.text(self.text))
    }

    /// In which column, in bytes from 0, a token begins.
    pub(crate) fn column(&self, index: usize) -> usize {
        let start = self.tokens.get(index).map_or(0, |t| t.span.start as usize);
        let before = self.text.get(..start).unwrap_or("");
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }

    /// The number of the first token that begins at a byte of the text or behind it.
    #[must_use]
    pub fn first_from(&self, offset: u32) -> usize {
        self.tokens.partition_point(|t| t.span.start < offset)
    }
}
