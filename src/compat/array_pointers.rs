use crate::lex::{Token, TokenKind};
use crate::preprocess::Preprocessed;
use crate::source::{Edits, Span};
use foldhash::{HashSet, HashSetExt};

/// What the grammar is told instead of a type: one that nothing is called by.
pub(crate) const STAND_IN: &str = "long";

/// Makes room for another word where a type stands before `(*p)[4]`.
pub(super) fn part_from_types(read: &Preprocessed, tokens: &[Token], edits: &mut Edits) {
    for index in array_pointers(&read.text, tokens) {
        let (Some(token), Some(next)) = (tokens.get(index), tokens.get(index + 1)) else {
            continue;
        };
        // Of comments there, a blank is left at most; of continued lines, nothing.
        let gap = Span::new(token.span.end, next.span.start);
        let blanks = match gap.of(&read.text) {
            plain if plain.trim().is_empty() => plain.len(),
            _ => 0,
        };
        let room = token.span.len() as usize + blanks;
        let wanted = STAND_IN.len().max(token.span.len() as usize + 1);
        if room < wanted {
            edits.insert(token.span.end, " ".repeat(wanted - room));
        }
    }
}

/// The last words of types that stand right before `(*p)[` or `(&p)[`, by tokens: what a grammar may take for a call.
pub(crate) fn array_pointers(text: &str, tokens: &[Token]) -> Vec<usize> {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let is_word = |at: usize| tokens.get(at).is_some_and(Token::is_identifier);
    let mut known: Option<HashSet<&str>> = None;
    let mut found = Vec::new();
    for index in 0..tokens.len() {
        if !is_word(index) || word(index + 1) != "(" {
            continue;
        }
        let stars = (index + 2..).take_while(|&at| matches!(word(at), "*" | "&"));
        let name = index + 2 + stars.count();
        if name == index + 2 || !is_word(name) || word(name + 1) != ")" || word(name + 2) != "[" {
            continue;
        }
        let this = word(index);
        if is_number(this)
            || known
                .get_or_insert_with(|| declared(text, tokens))
                .contains(this)
        {
            found.push(index);
        }
    }
    found
}

/// A number or a vector of numbers, or the last word of a type.
fn is_number(word: &str) -> bool {
    let base = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let width = word.get(base.len()..).unwrap_or_default();
    let vector = matches!(width, "" | "2" | "3" | "4" | "8" | "16");
    match base {
        "bool" | "char" | "double" | "float" | "half" | "int" | "long" | "short" | "uchar"
        | "uint" | "ulong" | "ushort" => vector,
        "const" | "signed" | "unsigned" | "volatile" => width.is_empty(),
        // `size_t`, `int32_t`.
        _ => word.ends_with("_t"),
    }
}

/// The names of types that a text declares anywhere.
fn declared<'t>(text: &'t str, tokens: &[Token]) -> HashSet<&'t str> {
    let mut found = HashSet::new();
    // The blocks that are open in a `typedef`.
    let mut alias: Option<usize> = None;
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1).map_or("", |t| t.text(text));
        let before = index.checked_sub(1).and_then(|b| tokens.get(b));
        let before = before.map_or("", |t| t.text(text));
        let named = match token.text(text) {
            "typedef" => {
                alias = Some(0);
                false
            }
            "{" => {
                alias = alias.map(|depth| depth + 1);
                false
            }
            "}" => {
                alias = alias.map(|depth| depth.saturating_sub(1));
                false
            }
            ";" => {
                alias = alias.filter(|depth| *depth > 0);
                false
            }
            _ if token.kind == TokenKind::Punctuator => false,
            _ => {
                matches!(
                    before,
                    "struct" | "class" | "union" | "enum" | "typename" | "using"
                ) || alias == Some(0) && matches!(next, ";" | "," | ")" | "[")
            }
        };
        if named {
            found.insert(token.text(text));
        }
    }
    found
}
