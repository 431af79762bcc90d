//! Names of which the grammar cannot know that they are variables, since it knows no declarations: in `(v * (a & b)) - 1`
//! it sees a cast to a type of functions, in `f(a * b)` a list of parameters, in `f(a < b, c > (d))` a template. It reads
//! numbers of the same length instead, which leave no doubt; nobody else sees them.

use crate::lex::{Token, lex};
use crate::module::VectorType;
use crate::source::Span;
use std::borrow::Cow;
use std::collections::HashSet;

/// What a brace or bracket that is open holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Declarations: those of a file, a namespace or a type; parameters.
    Declarations,
    /// Statements or expressions.
    Code,
}

/// The text with such names replaced. `directives` are lines that no grammar sees.
pub(super) fn with_stand_ins<'t>(text: &'t str, directives: &[Span]) -> Cow<'t, str> {
    let mut out = Cow::Borrowed(text);
    let mut tokens = lex(text);
    if !directives.is_empty() {
        tokens.retain(|t| !directives.iter().any(|d| d.contains(t.span)));
    }
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let (mut types, mut templates) = (None, None);
    let mut open: Vec<Holds> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", word);
        match token.text(text) {
            "{" => open.push(brace(&tokens, text, index)),
            "(" => {
                let around = open.last().copied().unwrap_or(Holds::Declarations);
                open.push(match before {
                    "]" | "catch" => Holds::Declarations,
                    _ => around,
                });
            }
            "[" => open.push(open.last().copied().unwrap_or(Holds::Declarations)),
            "}" | ")" | "]" => {
                open.pop();
            }
            _ if matches!(before, "(" | ",") && token.is_identifier() && !token.spliced => {
                if open.last() != Some(&Holds::Code) {
                    continue;
                }
                let name = token.text(text);
                let types = types.get_or_insert_with(|| declared_types(&tokens, text));
                let is_type = |name: &str| is_type(name, types);
                let is_variable = if word(index + 1) == "<" {
                    let templates =
                        templates.get_or_insert_with(|| declared_templates(&tokens, text));
                    let compared = tokens.get(index + 2).is_some_and(Token::is_identifier);
                    compared
                        && word(index + 3) == ","
                        && !is_type(word(index + 2))
                        && !templates.contains(name)
                } else {
                    is_factor(&tokens, text, index) || is_alone(&tokens, text, index)
                };
                if is_variable && !is_type(name) {
                    let range = token.span.start as usize..token.span.end as usize;
                    out.to_mut().replace_range(range, &"1".repeat(name.len()));
                }
            }
            _ => {}
        }
    }
    out
}

/// Whether a name is followed by `*` or `&` and an operand, and this declares nothing.
fn is_factor(tokens: &[Token], text: &str, index: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut at = index + 1;
    while matches!(word(at), "*" | "&" | "&&") {
        at += 1;
    }
    if at == index + 1 {
        return false;
    }
    match word(at) {
        // `(T *(*)(int))` is a type.
        "(" => !matches!((word(at + 1), word(at + 2)), ("*" | "&", ")")),
        _ if tokens.get(at).is_some_and(Token::is_identifier) => {
            // `for (T *p = …`, `for (T &v : …`
            !matches!(word(at), "const" | "volatile" | "restrict" | "__restrict__")
                && !matches!(word(at + 1), "=" | ":" | "{")
        }
        _ => false,
    }
}

/// Whether a name stands alone between parentheses where the grammar could take it for a type: `(int)(a) - b`,
/// `int c(a);`.
fn is_alone(tokens: &[Token], text: &str, index: usize) -> bool {
    let token = |back: usize| index.checked_sub(back).and_then(|at| tokens.get(at));
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let (Some(open), Some(before)) = (token(1), token(2)) else {
        return false;
    };
    if !open.is(text, "(") || word(index + 1) != ")" {
        return false;
    }
    let behind = word(index + 2);
    if before.is(text, ")") {
        return matches!(behind, "-" | "+" | "*" | "&");
    }
    let declared = token(3).is_some_and(|t| t.is_identifier() || matches!(t.text(text), "," | "*"));
    let asks = matches!(before.text(text), "sizeof" | "alignof" | "decltype");
    declared && before.is_identifier() && !asks && matches!(behind, "," | ";")
}

/// What a brace opens.
fn brace(tokens: &[Token], text: &str, index: usize) -> Holds {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut before = index;
    // Back to the beginning of what it belongs to.
    while let Some(at) = before.checked_sub(1) {
        match word(at) {
            ")" if at + 1 == index => return Holds::Code,
            ";" | "{" | "}" | "(" | "=" => return Holds::Code,
            "struct" | "class" | "union" | "enum" | "namespace" | "extern" => {
                return Holds::Declarations;
            }
            _ => before = at,
        }
    }
    Holds::Code
}

/// Whether a word can be a type, as far as the text tells.
fn is_type(word: &str, declared: &HashSet<&str>) -> bool {
    declared.contains(word)
        || word.ends_with("_t")
        || VectorType::from_name(word).is_some()
        || matches!(
            word,
            "auto"
                | "bool"
                | "char"
                | "class"
                | "const"
                | "constexpr"
                | "decltype"
                | "double"
                | "enum"
                | "float"
                | "half"
                | "int"
                | "long"
                | "new"
                | "register"
                | "return"
                | "short"
                | "signed"
                | "sizeof"
                | "static"
                | "struct"
                | "this"
                | "true"
                | "false"
                | "typename"
                | "uchar"
                | "uint"
                | "ulong"
                | "union"
                | "unsigned"
                | "ushort"
                | "void"
                | "volatile"
                | "FILE"
                | "_Bool"
        )
}

/// Names that the program declares as types.
fn declared_types<'t>(tokens: &[Token], text: &'t str) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    let word = |at: usize| tokens.get(at).map(|t| t.text(text));
    // Depth of brackets within a `typedef`.
    let mut typedef = None;
    for (index, token) in tokens.iter().enumerate() {
        match (token.text(text), &mut typedef) {
            ("struct" | "union" | "enum" | "class" | "typename" | "using", _) => {
                names.extend(word(index + 1));
            }
            ("typedef", _) => typedef = Some(0usize),
            ("{" | "(", Some(depth)) => *depth += 1,
            ("}" | ")", Some(depth)) => *depth = depth.saturating_sub(1),
            ("," | ";" | "[", Some(0)) => {
                names.extend(index.checked_sub(1).and_then(word));
                if token.is(text, ";") {
                    typedef = None;
                }
            }
            _ => {}
        }
    }
    names
}

/// Names of functions and types that stand behind `template <…>`: all that are followed by `(` or `{` there.
fn declared_templates<'t>(tokens: &[Token], text: &'t str) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    for (index, token) in tokens.iter().enumerate() {
        if !token.is(text, "template") {
            continue;
        }
        let mut at = index + 1;
        while !matches!(word(at), "" | "{" | ";" | "(") {
            at += 1;
        }
        names.insert(word(at - 1));
    }
    names
}
