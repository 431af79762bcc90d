use super::State;
use super::pieces::{Kind, Piece};
use crate::diagnostics::codes;
use crate::lex::{TokenKind, lex};

impl State<'_> {
    /// `#`: the spelling of an argument as a string literal.
    pub(super) fn stringize(&mut self, pieces: &[Piece], at: &Piece) -> Piece {
        let mut text = String::from("\"");
        let mut in_attribute = false;
        for (index, piece) in pieces.iter().enumerate() {
            let after_quote =
                index > 0 && pieces.get(index - 1).is_some_and(|p| p.kind == Kind::Open);
            if piece.space && index > 0 && !after_quote {
                text.push(' ');
            }
            let spelling = self.texts.of(piece);
            match piece.kind {
                Kind::Open | Kind::Close => {
                    in_attribute = piece.kind == Kind::Open;
                    text.push_str("\\\"");
                }
                // What stands in an attribute's string is escaped there already, once more here.
                Kind::Token(_) if in_attribute => escape(&escaped(spelling), &mut text),
                Kind::Token(TokenKind::String | TokenKind::Character) => {
                    escape(spelling, &mut text);
                }
                Kind::Token(_) => text.push_str(spelling),
            }
        }
        // A backslash alone would escape the closing quote.
        let backslashes = text.bytes().rev().take_while(|&b| b == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        self.texts.make(&text, TokenKind::String, at)
    }

    /// `##`: one token of two. What gives none is reported.
    pub(super) fn paste(&mut self, left: &Piece, right: &Piece, at: &Piece) -> Option<Piece> {
        let text = format!("{}{}", self.texts.of(left), self.texts.of(right));
        let tokens = lex(&text);
        let kind = match tokens.as_slice() {
            [one] if one.span.len() as usize == text.len() => Some(one.kind),
            // A literal with a suffix of the user's own.
            [one, suffix] if !suffix.space_before && suffix.text(&text).starts_with('_') => {
                Some(one.kind)
                    .filter(|kind| matches!(kind, TokenKind::String | TokenKind::Character))
            }
            _ => None,
        };
        let whole = kind.filter(|kind| {
            matches!(left.kind, Kind::Token(_))
                && matches!(right.kind, Kind::Token(_))
                && matches!(
                    kind,
                    TokenKind::Identifier
                        | TokenKind::Number
                        | TokenKind::String
                        | TokenKind::Character
                        | TokenKind::Punctuator
                )
        });
        let Some(kind) = whole else {
            let (a, b) = (
                self.texts.of(left).to_string(),
                self.texts.of(right).to_string(),
            );
            self.fail_at(&codes::MACRO_PASTE, at, &[&a, &b]);
            return None;
        };
        let like = Piece {
            space: left.space,
            ..*at
        };
        Some(self.texts.make(&text, kind, &like))
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // In a raw string.
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
}
