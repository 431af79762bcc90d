//! Words of which C's grammar cannot know what they mean, since it knows no declarations: is `(a) + b` a sum or a cast
//! of `+b`? It reads others of the same length instead, which leave no doubt; nobody else sees them.

use crate::lex::{Lexed, Token, TokenKind};
use crate::module::{Fixed, Type};
use foldhash::{HashSet, HashSetExt};
use std::borrow::Cow;
use std::cell::LazyCell;

/// Words that are no variables', although they name no type of Brook+ by themselves.
const KEYWORDS: [&str; 17] = [
    "auto", "const", "enum", "extern", "false", "goto", "long", "register", "restrict", "signed",
    "sizeof", "static", "struct", "true", "typedef", "union", "volatile",
];

/// The text with such words replaced: names of types by names of C's types, and other names by numbers. With `fixed`,
/// BrookGPU's types of fixed point are among them.
pub(in crate::analyze) fn with_stand_ins<'t>(lexed: &Lexed<'t>, fixed: bool) -> Cow<'t, str> {
    let is_type = |name: &str| {
        Type::from_words(name).is_some() || (fixed && Fixed::from_name(name).is_some())
    };
    let mut out = Cow::Borrowed(lexed.text);
    // Few names leave a doubt.
    let types = LazyCell::new(|| declared_types(lexed));
    let brackets = LazyCell::new(|| Brackets::of(lexed));
    let closes = |open| brackets.closes(open);
    let mut depth = 0usize;
    let mut first = false;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let behind_bracket = std::mem::take(&mut first);
        if token.kind == TokenKind::Punctuator {
            match token.text(lexed.text) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "(" => first = true,
                _ => {}
            }
            continue;
        }
        if !behind_bracket || depth == 0 || !token.is_identifier() || token.spliced {
            continue;
        }
        let name = token.text(lexed.text);
        let stand_in = match is_type(name) {
            true => {
                let bare = type_in_brackets(lexed, &closes, index, &is_type);
                // `(float2(a, b)) + c` makes a vector of numbers.
                let makes = || makes_vector(lexed, index) && could_be_type(lexed, &closes, index);
                let bare = bare.and_then(|()| spelled_in_c(name));
                bare.or_else(|| makes().then(|| number(name)))
            }
            false => {
                let variable = could_be_type(lexed, &closes, index)
                    && !types.contains(name)
                    && !is_type_like(name);
                variable.then(|| number(name))
            }
        };
        if let Some(stand_in) = stand_in {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            out.to_mut().replace_range(start..end, &stand_in);
        }
    }
    out
}

/// A number that is as long as a name.
fn number(name: &str) -> String {
    "1".repeat(name.len())
}

/// Whether a vector is made of what stands in the brackets behind its type.
fn makes_vector(lexed: &Lexed<'_>, index: usize) -> bool {
    let vector = Type::from_words(lexed.word(index)).is_some_and(Type::is_vector);
    vector && lexed.word(index + 1) == "("
}

/// A type of C whose name has that length.
fn spelled_in_c(name: &str) -> Option<String> {
    let stand_in = match name.len() {
        3 => "int",
        4 => "char",
        5 => "float",
        6 => "double",
        7 => "int32_t",
        10 => "short long",
        11 => "max_align_t",
        _ => return None,
    };
    Some(stand_in.to_string())
}

fn is_type_like(name: &str) -> bool {
    KEYWORDS.contains(&name) || name.ends_with("_t")
}

/// A type in brackets that the grammar would take for an operand, or for a function that is called.
fn type_in_brackets(
    lexed: &Lexed<'_>,
    closes: &dyn Fn(usize) -> Option<usize>,
    index: usize,
    is_type: &dyn Fn(&str) -> bool,
) -> Option<()> {
    let cast = lexed.word(index + 1) == ")"
        && match lexed.word(index + 2) {
            "-" | "+" => true,
            "(" => {
                let close = closes(index + 2)?;
                let one = close == index + 4 && is_type(lexed.word(index + 3));
                // Casts bind less than what stands behind brackets.
                one || matches!(lexed.word(close + 1), "." | "(" | "[")
            }
            _ => false,
        };
    cast.then_some(())
}

/// A name behind a bracket that could be a type's, with the brackets of calls and elements behind it: of a cast, or of
/// pointers.
fn could_be_type(lexed: &Lexed<'_>, closes: &dyn Fn(usize) -> Option<usize>, index: usize) -> bool {
    let mut end = index + 1;
    while matches!(lexed.word(end), "(" | "[") {
        let Some(close) = closes(end) else {
            return false;
        };
        end = close + 1;
    }
    match lexed.word(end) {
        ")" => matches!(
            lexed.word(end + 1),
            "-" | "+" | "*" | "&" | "++" | "--" | "&&"
        ),
        "*" | "&" | "&&" => true,
        _ => false,
    }
}

/// Names that the program declares as types.
fn declared_types<'t>(lexed: &Lexed<'t>) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    let word = |at: usize| lexed.tokens.get(at).map(|t: &Token| t.text(lexed.text));
    let mut in_typedef = false;
    let mut depth = 0usize;
    for (index, token) in lexed.tokens.iter().enumerate() {
        match token.text(lexed.text) {
            "struct" | "union" | "enum" | "class" | "typename" => names.extend(word(index + 1)),
            "using" => names.extend(word(index + 1)),
            "typedef" => (in_typedef, depth) = (true, 0),
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "," | ";" | "[" if in_typedef && depth == 0 => {
                names.extend(index.checked_sub(1).and_then(word));
                in_typedef &= token.text(lexed.text) != ";";
            }
            _ => {}
        }
    }
    names
}

/// Where brackets that are opened are closed.
struct Brackets(Vec<usize>);

impl Brackets {
    fn of(lexed: &Lexed<'_>) -> Self {
        let mut closes = vec![usize::MAX; lexed.tokens.len()];
        let mut open = Vec::new();
        for index in 0..lexed.tokens.len() {
            match lexed.word(index) {
                "(" | "[" => open.push(index),
                ")" | "]" => {
                    if let Some(place) = open.pop().and_then(|o: usize| closes.get_mut(o)) {
                        *place = index;
                    }
                }
                _ => {}
            }
        }
        Self(closes)
    }

    fn closes(&self, open: usize) -> Option<usize> {
        self.0.get(open).copied().filter(|&at| at != usize::MAX)
    }
}
