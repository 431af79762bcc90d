//! Parameters of macros, which are names in one directive alone.

use super::macros::{self, Definition};
use super::names::Names;
use super::rename::check;
use crate::lex::{TokenKind, lex};
use crate::source::Location;

/// A parameter of a macro.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    macro_: Definition,
    /// Which one it is.
    index: usize,
}

impl Parameter {
    /// The parameter that is named at a place.
    pub(super) fn at(names: &Names, place: Location) -> Option<Self> {
        let mut all = macros::every(&names.files).into_iter();
        let macro_ =
            all.find(|d| d.whole.file == place.file && d.whole.span.contains(place.span))?;
        let index = macro_.named.iter().position(|p| p.contains(&place))?;
        Some(Self { macro_, index })
    }

    /// Where it is named, first where it is declared.
    pub(super) fn uses(&self) -> Vec<Location> {
        self.macro_
            .named
            .get(self.index)
            .cloned()
            .unwrap_or_default()
    }

    /// The directive in which it stands.
    pub(super) fn text(&self) -> &str {
        &self.macro_.text
    }

    /// The places to write `new` at.
    pub(super) fn renamed(&self, names: &Names, new: &str) -> Result<Vec<Location>, String> {
        check(names, new)?;
        let text = self.text();
        let old = self
            .macro_
            .parameters
            .get(self.index)
            .map_or("", String::as_str);
        let mut before = TokenKind::Punctuator;
        for token in lex(text) {
            let behind = std::mem::replace(&mut before, token.kind);
            if token.is(text, new) {
                return Err(format!("there is a '{new}' already in the macro"));
            }
            // An attribute's name is the language's, whatever the parameter is called.
            if token.is(text, old) && behind == TokenKind::At {
                return Err(format!("'{old}' is an attribute's name, too"));
            }
        }
        if old == "__VA_ARGS__" || new == "__VA_ARGS__" {
            return Err("'__VA_ARGS__' is the language's".to_string());
        }
        Ok(self.uses())
    }
}
