//! Streams and kernels of Brook+ become plain C with `[[brook_…("…")]]`.

use super::{Source, one_line, render_attribute};
use crate::module::{Fixed, Type};
use crate::source::{Edits, Span};

pub(super) fn normalize(source: &Source<'_>, edits: &mut Edits) {
    let mut index = 0;
    // End of the kernel body we are in, so that `shared` and `indexof` mean what they mean there.
    let mut body_end = 0;
    while index < source.tokens.len() {
        match source.word(index) {
            "Attribute" if source.word(index + 1) == "[" => {
                index = attribute(source, edits, index);
            }
            "kernel" | "reduce" if index >= body_end => match kernel_head(source, index) {
                Some(head) => {
                    kernel(source, edits, &head);
                    if source.word(head.close + 1) == "{" {
                        body_end = source.after(head.close + 1).unwrap_or(0);
                    }
                    index = head.close + 1;
                }
                None => index += 1,
            },
            // A head in normal form, whose parameters macros may have written since.
            "[" if is_normal_head(source, index) => match normal_parameters(source, index) {
                Some((open, close)) => {
                    parameters(source, edits, open, close);
                    if source.word(close + 1) == "{" {
                        body_end = source.after(close + 1).unwrap_or(0);
                    }
                    index = close + 1;
                }
                None => index += 1,
            },
            "shared" if index < body_end && source.is_identifier(index + 1) => {
                word_to_attribute(source, edits, index, "shared");
                index += 1;
            }
            word @ ("out" | "reduce") if index < body_end && source.is_identifier(index + 1) => {
                word_to_attribute(source, edits, index, word);
                index += 1;
            }
            "indexof" if index < body_end && source.is_identifier(index + 1) => {
                let name = source.tokens[index + 1].span;
                edits.replace(Span::new(source.tokens[index].span.end, name.start), "(");
                edits.insert(name.end, ")");
                index += 2;
            }
            "iter" if is_declarator(source, index + 1) => {
                word_to_attribute(source, edits, index, "iter");
                index += 1;
            }
            word if index < body_end && is_constructed(source, index, word) => {
                index = constructed(source, edits, index, word);
            }
            "unsigned" if is_unsigned_vector(source.word(index + 1)) => {
                unsigned_vector(source, edits, index);
                index += 1;
            }
            "," if is_later_declarator(source, index) => {
                index = declarators(source, edits, index + 1);
            }
            _ if let Some((open, end)) = pointer_declarator(source, index) => {
                stream(source, edits, open, end);
                index = end;
            }
            _ if is_declarator(source, index) => index = declarators(source, edits, index + 1),
            _ => index += 1,
        }
    }
}

/// `float4 v (a, b, c, d);` in a kernel: a variable and its components.
fn is_constructed(source: &Source<'_>, index: usize, word: &str) -> bool {
    // Few words stand before a name and a bracket, and every one is asked about.
    constructor_end(source, index + 1).is_some() && type_named(word).is_some_and(Type::is_vector)
}

/// The type that a word names, one of BrookGPU's fixed point included: where a declaration begins with it, it is
/// nothing else in any dialect.
fn type_named(word: &str) -> Option<Type> {
    Type::from_words(word).or_else(|| Fixed::from_name(word).map(Fixed::number))
}

/// The index behind `v (a, b, c, d)`, if a declaration ends or goes on there.
fn constructor_end(source: &Source<'_>, name: usize) -> Option<usize> {
    let open = name + 1;
    if !source.is_identifier(name) || source.word(open) != "(" {
        return None;
    }
    let end = source.after(open)?;
    matches!(source.word(end), ";" | ",").then_some(end)
}

/// `float4 v (…)` becomes `float4 v = float4(…)`, and so do those that follow it.
fn constructed(source: &Source<'_>, edits: &mut Edits, index: usize, word: &str) -> usize {
    let mut name = index + 1;
    loop {
        let Some(end) = constructor_end(source, name) else {
            return name;
        };
        let at = source.tokens[name].span.end;
        edits.insert(at, format!(" = {word}"));
        if source.word(end) != "," {
            return end;
        }
        name = end + 1;
    }
}

/// `Attribute[GroupSize(64)]`
fn attribute(source: &Source<'_>, edits: &mut Edits, index: usize) -> usize {
    let Some(end) = source.after(index + 1) else {
        return index + 1;
    };
    let arguments = one_line(source, index + 2, end - 1);
    let span = source.tokens[index].span.to(source.tokens[end - 1].span);
    edits.replace(span, render_attribute("brook_", "attribute", &arguments));
    end
}

fn word_to_attribute(source: &Source<'_>, edits: &mut Edits, index: usize, name: &str) {
    edits.replace(
        source.tokens[index].span,
        render_attribute("brook_", name, ""),
    );
}

/// Tokens of a kernel's head: `start` first word of the declaration, `open` and `close` the brackets
/// of its parameters.
struct Head {
    start: usize,
    open: usize,
    close: usize,
}

/// `kernel void f(…)`, `void kernel f(…)`, `kernel static void f(…)`, the same with `reduce`;
/// followed by a body, or by a semicolon in a prototype.
fn kernel_head(source: &Source<'_>, index: usize) -> Option<Head> {
    let mut start = index;
    while start > 0
        && source.is_identifier(start - 1)
        && !source.in_directive(start - 1)
        && !matches!(source.word(start - 1), "else" | "return" | "do")
    {
        start -= 1;
    }
    let mut open = index + 1;
    while source.is_identifier(open) {
        open += 1;
    }
    // At least a type (or another keyword) and a name besides the keyword.
    if source.word(open) != "(" || open - start < 2 || open == index + 1 {
        return None;
    }
    let close = source.brackets.partner(open)?;
    matches!(source.word(close + 1), "{" | ";").then_some(Head { start, open, close })
}

fn kernel(source: &Source<'_>, edits: &mut Edits, head: &Head) {
    // `void kernel f` is a reduction if it has a reduction variable (specification, section 4.1.2).
    let mut reduce = source.word(head.open - 2) == "kernel" && head.open - 2 > head.start && {
        let mut words = head.open + 1..head.close;
        words.any(|i| source.word(i) == "reduce" && source.is_identifier(i + 1))
    };
    for index in head.start..head.open - 1 {
        let word = source.word(index);
        if matches!(word, "kernel" | "reduce") {
            reduce |= word == "reduce";
            edits.delete_word(source.tokens[index].span, source.text);
        }
    }
    let name = if reduce { "reduce" } else { "kernel" };
    let text = render_attribute("brook_", name, "") + " ";
    edits.insert_before(source.tokens[head.start].span.start, text);

    parameters(source, edits, head.open, head.close);
}

/// The parameters between two brackets.
fn parameters(source: &Source<'_>, edits: &mut Edits, open: usize, close: usize) {
    let mut at = open + 1;
    let mut at_start = true;
    while at < close {
        match source.word(at) {
            "," => {
                at_start = true;
                at += 1;
                continue;
            }
            word @ ("out" | "reduce" | "iter" | "vout" | "shared") if at_start => {
                word_to_attribute(source, edits, at, word);
                at += 1;
                // `vout [4] float4 o<>`: how many there are at most is of no importance.
                if word == "vout"
                    && source.word(at) == "["
                    && let Some(end) = source.after(at)
                {
                    let sizes = source.tokens[at].span.to(source.tokens[end - 1].span);
                    edits.delete(sizes);
                    at = end;
                }
                continue;
            }
            "<" if source.is_identifier(at - 1) => match stream_end(source, at, close) {
                Some(end) => {
                    stream(source, edits, at, end);
                    at = end;
                }
                None => at += 1,
            },
            "(" | "[" => at = source.after(at).unwrap_or(at + 1),
            "unsigned" if is_unsigned_vector(source.word(at + 1)) => {
                unsigned_vector(source, edits, at);
                at += 1;
            }
            _ => at += 1,
        }
        at_start = false;
    }
}

/// Words that may stand before a name and `<` without declaring a stream.
const NOT_A_TYPE: &[&str] = &[
    "return",
    "else",
    "case",
    "goto",
    "new",
    "delete",
    "sizeof",
    "throw",
    "const",
    "static",
    "inline",
    "extern",
    "typename",
    "class",
    "template",
    "public",
    "private",
    "protected",
    "virtual",
    "typedef",
    "using",
    "operator",
    "struct",
    "union",
    "enum",
    "do",
    "define",
    "if",
    "elif",
    "include",
    "kernel",
    "reduce",
    "iter",
    "out",
    "and",
    "or",
    "not",
];

/// `TYPE NAME <`: in C, nothing but a stream declaration begins so.
fn is_declarator(source: &Source<'_>, index: usize) -> bool {
    source.is_identifier(index)
        && source.is_identifier(index + 1)
        && source.word(index + 2) == "<"
        && !NOT_A_TYPE.contains(&source.word(index))
        && source.word(index + 1) != "operator"
        && stream_end(source, index + 2, source.tokens.len()).is_some_and(|end| {
            matches!(source.word(end), ";" | "," | "=" | "[" | ")") || source.word(end - 1) == ">="
        })
}

/// `unsigned int4` becomes `uint4`: C++ would not have it.
fn unsigned_vector(source: &Source<'_>, edits: &mut Edits, index: usize) {
    edits.delete_word(source.tokens[index].span, source.text);
    edits.insert_before(source.tokens[index + 1].span.start, "u");
}

fn is_normal_head(source: &Source<'_>, index: usize) -> bool {
    source.word(index + 1) == "["
        && matches!(source.word(index + 2), "brook_kernel" | "brook_reduce")
}

/// The brackets of the parameters behind `[[brook_kernel("")]]`.
fn normal_parameters(source: &Source<'_>, index: usize) -> Option<(usize, usize)> {
    let mut open = source.after(index)?;
    while source.is_identifier(open) {
        open += 1;
    }
    let close = source.brackets.partner(open)?;
    (source.word(open) == "(").then_some((open, close))
}

/// `int4` behind `unsigned`.
fn is_unsigned_vector(word: &str) -> bool {
    let digits = word.trim_end_matches(['2', '3', '4']);
    matches!(digits, "char" | "short" | "int") && word.len() == digits.len() + 1
}

/// `TYPE (*NAME)<…>`, `TYPE (**NAME[3])<…>`: a parameter or a variable that points to streams. The tokens of its
/// `<` and behind its `>`.
fn pointer_declarator(source: &Source<'_>, index: usize) -> Option<(usize, usize)> {
    if !source.is_identifier(index) || source.word(index + 1) != "(" {
        return None;
    }
    let mut name = index + 2;
    while source.word(name) == "*" {
        name += 1;
    }
    let open = source.after(index + 1)?;
    if name == index + 2 || !source.is_identifier(name) || source.word(open) != "<" {
        return None;
    }
    let mut at = name + 1;
    while source.word(at) == "[" {
        at = source.after(at)?;
    }
    let end = stream_end(source, open, source.tokens.len())?;
    let declared = match source.word(end) {
        "," | ")" => true,
        // Anything else may be an expression unless a type begins it.
        ";" | "=" => type_named(source.word(index)).is_some(),
        _ => false,
    };
    (at + 1 == open && source.word(end - 1) == ">" && declared).then_some((open, end))
}

/// `, NAME <…>` in a declaration of variables of a type of the language: `int x = 3, s<4>;`
fn is_later_declarator(source: &Source<'_>, comma: usize) -> bool {
    let name = comma + 1;
    let ends = |end: usize| matches!(source.word(end), ";" | ",");
    let shaped = source.is_identifier(name)
        && source.word(name + 1) == "<"
        && stream_end(source, name + 1, source.tokens.len()).is_some_and(ends);
    if !shaped {
        return false;
    }
    let mut first = comma;
    while first > 0 {
        let before = first - 1;
        match source.word(before) {
            ";" | "{" => break,
            // Brackets that are open here are not a declaration's.
            "(" | "[" => return false,
            ")" | "]" => first = source.brackets.partner(before).unwrap_or(before),
            "}" => match source.brackets.partner(before) {
                Some(open) if open > 0 && source.word(open - 1) == "=" => first = open,
                _ => break,
            },
            _ => first = before,
        }
    }
    while matches!(source.word(first), "static" | "const") {
        first += 1;
    }
    type_named(source.word(first)).is_some()
}

/// `NAME <…> , NAME <…> …` from the first name on.
fn declarators(source: &Source<'_>, edits: &mut Edits, mut name: usize) -> usize {
    loop {
        let Some(end) = stream_end(source, name + 1, source.tokens.len()) else {
            return name + 1;
        };
        stream(source, edits, name + 1, end);
        let another =
            source.word(end) == "," && source.is_identifier(end + 1) && source.word(end + 2) == "<";
        if !another {
            return end;
        }
        name = end + 1;
    }
}

/// The index after the `>` that closes the `<` at `open`. Extents are expressions; a comparison in
/// one has to stand in parentheses.
fn stream_end(source: &Source<'_>, open: usize, limit: usize) -> Option<usize> {
    let mut at = open + 1;
    while at < limit {
        match source.word(at) {
            ">" | ">=" => return Some(at + 1),
            "(" | "[" => at = source.after(at)?,
            ";" | "{" | "}" | "<" | ")" | "]" | "" => return None,
            _ => at += 1,
        }
    }
    None
}

/// `<10, 20>` becomes an attribute after the name.
fn stream(source: &Source<'_>, edits: &mut Edits, open: usize, end: usize) {
    let close = end - 1;
    let extents = one_line(source, open + 1, close);
    let mut text = String::new();
    if !source.tokens[open].space_before {
        text.push(' ');
    }
    text.push_str(&render_attribute(
        "brook_",
        "stream",
        &format!("<{extents}>"),
    ));
    if source.word(close) == ">=" {
        text.push_str(" =");
    }
    edits.replace(source.tokens[open].span.to(source.tokens[close].span), text);
}
