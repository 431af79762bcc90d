//! Structures that only a typedef names get a tag of their own where the target has to declare them ahead of their
//! definitions.

use super::Rewritten;
use crate::lex::{Token, TokenKind, lex};
use crate::source::{Edits, Overlap};

/// Gives tags to all of them.
pub(super) fn settle(rewritten: &mut Rewritten) -> Result<(), Overlap> {
    let mut edits = Edits::new();
    {
        let text = rewritten.text.as_str();
        let tokens = lex(text);
        for (index, token) in tokens.iter().enumerate() {
            if token.is(text, "typedef")
                && let Some((at, name)) = without_tag(&tokens, index + 1, text)
            {
                edits.insert(at, format!("brook_tag_{name} "));
            }
        }
    }
    if edits.is_empty() {
        return Ok(());
    }
    let (text, map) = edits.apply(&rewritten.text)?;
    rewritten.map = map.after(&rewritten.map, text.len() as u32);
    rewritten.text = text;
    Ok(())
}

/// Where the tag of a typedef's structure is missing, and the first name that the typedef gives.
fn without_tag<'t>(tokens: &[Token], first: usize, text: &'t str) -> Option<(u32, &'t str)> {
    let mut at = first;
    while matches!(tokens.get(at)?.text(text), "const" | "volatile") {
        at += 1;
    }
    if !matches!(tokens.get(at)?.text(text), "struct" | "union") {
        return None;
    }
    at += 1;
    while matches!(tokens.get(at)?.text(text), "__attribute__" | "alignas") {
        at = behind(tokens, at + 1, text)?;
    }
    let open = tokens.get(at).filter(|t| t.is(text, "{"))?;
    let behind = behind(tokens, at, text)?;
    let named = tokens.get(behind..)?.iter();
    let name = named
        .take_while(|t| !t.is(text, ";"))
        .find(|t| t.kind == TokenKind::Identifier && !t.text(text).starts_with("__"))?;
    Some((open.span.start, name.text(text)))
}

/// The token behind what a bracket begins.
fn behind(tokens: &[Token], open: usize, text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}
