//! `@name(arguments)` becomes `[[okl_name("(arguments)")]]`, where a C++ parser accepts it.

use super::lines::{injected, okl_call};
use super::{Dialect, Source, attributes, one_line, render_attribute};
use crate::lex::TokenKind;
use crate::source::{Edits, Span};

pub(super) fn normalize(source: &Source<'_>, edits: &mut Edits) {
    let mut index = 0;
    while index < source.tokens.len() {
        if source.word(index) == "for" && source.word(index + 1) == "(" {
            index = normalize_for(source, edits, index);
        } else if let Some(end) = injected(source, edits, index) {
            index = end;
        } else if let Some(attribute) = attribute_at(source, index) {
            index = place(source, edits, &attribute);
        } else if source.tokens[index].kind == TokenKind::At && source.is_identifier(index + 1) {
            // Left for later, with all its arguments.
            let open = index + 2;
            let after = source.after(open).filter(|_| source.word(open) == "(");
            index = after.unwrap_or(open);
        } else {
            index += 1;
        }
    }
}

/// An attribute in either spelling.
struct Attribute<'a> {
    name: &'a str,
    /// Its normal form.
    text: String,
    /// Tokens `first..end`.
    first: usize,
    end: usize,
    /// Not in normal form yet, so it has to be rewritten wherever it stands.
    legacy: bool,
}

impl Attribute<'_> {
    fn span(&self, source: &Source<'_>) -> Span {
        source.tokens[self.first]
            .span
            .to(source.tokens[self.end - 1].span)
    }
}

fn attribute_at<'a>(source: &'a Source<'_>, index: usize) -> Option<Attribute<'a>> {
    let token = source.tokens.get(index)?;
    if token.kind == TokenKind::At && source.is_identifier(index + 1) {
        let name = source.word(index + 1);
        let row = attributes::find(Dialect::Okl, name);
        if !source.preprocessed && (row.is_none() || source.is_macro_parameter(index + 1)) {
            return None;
        }
        let takes = row.is_none_or(|a| a.most_arguments > 0);
        let open = index + 2;
        let (arguments, end) = match source.after(open) {
            // `@atomic (c ? a : b) += 1` begins a statement; `@atomic(12) a += 1` does not.
            Some(after)
                if source.word(open) == "("
                    && (takes || source.is_identifier(after) || source.word(after) == "{") =>
            {
                (one_line(source, open, after), after)
            }
            _ => (String::new(), open),
        };
        if !source.preprocessed && source.holds_directive(open, end) {
            return None;
        }
        let text = render_attribute("okl_", name, &arguments);
        return Some(Attribute {
            name,
            text,
            first: index,
            end,
            legacy: true,
        });
    }
    // `[` `[` okl_name `(` "…" `)` `]` `]`
    let name = source.word(index + 2).strip_prefix("okl_")?;
    if source.word(index) != "[" || source.word(index + 1) != "[" {
        return None;
    }
    let end = source.after(index)?;
    // Blanks and comments inside are for nobody.
    let text: String = (index..end).map(|at| source.word(at)).collect();
    let written = source.tokens[index].span.to(source.tokens[end - 1].span);
    Some(Attribute {
        name,
        legacy: text != written.of(source.text),
        text,
        first: index,
        end,
    })
}

/// `for (…; …; …; @outer)`: attributes in a fourth clause move before the `for`.
fn normalize_for(source: &Source<'_>, edits: &mut Edits, keyword: usize) -> usize {
    let open = keyword + 1;
    let Some(close) = source.brackets.partner(open) else {
        return open;
    };
    let mut semicolons = 0;
    let mut at = open + 1;
    let mut clause = None;
    while at < close {
        match source.word(at) {
            ";" => {
                semicolons += 1;
                if semicolons == 3 {
                    clause = Some(at);
                    break;
                }
                at += 1;
            }
            "(" | "[" | "{" => match source.after(at) {
                Some(after) => at = after,
                None => return open,
            },
            _ => at += 1,
        }
    }
    let Some(third) = clause else { return open };
    // What directives decide is known after preprocessing: until then the clause stays as it is.
    let is_directive = |at: usize| {
        let first = source.tokens.get(at).is_some_and(|t| t.line_start);
        first && source.word(at) == "#"
    };
    if !source.preprocessed && (third..close).any(is_directive) {
        return close;
    }
    let mut moved = Vec::new();
    at = third;
    while at < close {
        if source.word(at) == ";" {
            at += 1;
        } else if let Some(attribute) = attribute_at(source, at) {
            at = attribute.end;
            moved.push(attribute);
        } else if let Some((content, end)) = okl_call(source, at) {
            moved.push(Attribute {
                name: "",
                text: super::normalize(content.trim(), Dialect::Okl).0,
                first: at,
                end,
                legacy: true,
            });
            at = end;
        } else {
            // A macro, most likely: its expansion is normalised again.
            return open;
        }
    }
    for attribute in moved {
        let from = attribute.span(source).start;
        let text = attribute.text + " ";
        edits.insert_moved(source.tokens[keyword].span.start, text, from);
    }
    let from = source.tokens[third].span.start;
    edits.delete(Span::new(from, source.tokens[close].span.start));
    // What precedes the fourth clause has no attribute of this loop; nothing else to do there.
    close + 1
}

/// Words of a type that an attribute may follow without belonging to a declarator.
const SPECIFIERS: &[&str] = &[
    "const",
    "volatile",
    "static",
    "constexpr",
    "inline",
    "extern",
    "unsigned",
    "signed",
    "register",
];

/// Whether an attribute says in which memory a pointer's target lies.
fn is_space(name: &str) -> bool {
    matches!(name, "global" | "globalPtr")
}

/// Whether the token before `index` may end the words of a type.
fn is_type_end(source: &Source<'_>, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|i| source.tokens.get(i));
    before.is_some_and(|t| t.is_identifier() || t.is(source.text, ">"))
        && source.declaration_start(index) < index
}

/// Writes an attribute where its kind wants it; returns the index after it.
fn place(source: &Source<'_>, edits: &mut Edits, attribute: &Attribute<'_>) -> usize {
    let next = source.word(attribute.end);
    let previous = if attribute.first > 0 {
        source.word(attribute.first - 1)
    } else {
        ""
    };
    let after_star = matches!(previous, "*" | "&")
        || (previous == "const" && attribute.first > 1 && source.word(attribute.first - 2) == "*");
    let span = attribute.span(source);
    // `const int @restrict *a`
    let before_star = || {
        let mut at = attribute.end;
        while matches!(source.word(at), "const" | "volatile") {
            at += 1;
        }
        source.word(at) == "*" && is_type_end(source, attribute.first)
    };
    if attribute.name == "restrict" && (after_star || before_star()) {
        let start = source.declaration_start(attribute.first);
        let level = (start..attribute.first)
            .filter(|&i| source.word(i) == "*")
            .count()
            + usize::from(!after_star);
        let text = render_attribute("okl_", "restrict", &level.to_string());
        edits.delete_word(span, source.text);
        match typedef_end(source, start) {
            Some(end) => edits.insert_moved(end, format!(" {text}"), span.start),
            None => {
                let at = source.tokens[start].span.start;
                edits.insert_moved(at, format!("{text} "), span.start);
            }
        }
    } else if let Some(end) = match (next, previous) {
        ("typedef", _) => typedef_end(source, attribute.end),
        (_, "typedef") => typedef_end(source, attribute.first - 1),
        _ => None,
    } {
        edits.delete_word(span, source.text);
        edits.insert_moved(end, format!(" {}", attribute.text), span.start);
    } else if SPECIFIERS.contains(&previous) {
        // Within the words of a type: the whole declaration is meant.
        let start = source.declaration_start(attribute.first);
        edits.delete_word(span, source.text);
        let at = source.tokens[start].span.start;
        edits.insert_moved(at, format!("{} ", attribute.text), span.start);
    } else if is_space(attribute.name)
        && source.declaration_start(attribute.first) < attribute.first
    {
        // Where the target spells it: before the type.
        let start = source.declaration_start(attribute.first);
        edits.delete_word(span, source.text);
        let at = source.tokens[start].span.start;
        edits.insert_moved(at, format!("{} ", attribute.text), span.start);
    } else if attribute.legacy {
        edits.replace(span, attribute.text.clone());
    }
    attribute.end
}

/// Where an attribute of the typedef that begins at token `start` goes: before its semicolon.
fn typedef_end(source: &Source<'_>, start: usize) -> Option<u32> {
    if source.word(start) != "typedef" {
        return None;
    }
    let mut at = start;
    while at < source.tokens.len() {
        match source.word(at) {
            ";" => return Some(source.tokens[at].span.start),
            "(" | "[" | "{" => at = source.after(at)?,
            _ => at += 1,
        }
    }
    None
}
