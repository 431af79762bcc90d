//! What C writes in another way than C++: the edits, construct by construct.

use super::c_declarations::is_static_local;
use super::c_tags::{self, Tags};
use super::c_values;
use crate::analyze::Context;
use crate::lex::mentions;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, is_of_the_language};

/// Edits that make C of the node itself: spans and what they become.
pub(super) fn possible(
    context: &Context<'_>,
    node: NodeId,
    tags: &Tags<'_>,
) -> Vec<(Span, String)> {
    let (tree, text) = (context.tree, context.text);
    let span = tree.span(node);
    let words = tree.text(node, text);
    let insert = |at: u32, what: &str| (Span::at(at), what.to_string());
    match tree.kind(node) {
        Kind::Null if words == "nullptr" => vec![(span, "0".to_string())],
        Kind::NumberLiteral => number(words).map(|n| (span, n)).into_iter().collect(),
        // The declared type follows from the value; GNU C has it, and so has OpenCL's compiler.
        Kind::PlaceholderType => vec![(span, "__auto_type".to_string())],
        Kind::StaticAssert => vec![(span, String::new())],
        // Ours are gone before C is written.
        Kind::AttributeDeclaration if !is_of_the_language(tree, node, text) => {
            let unused = mentions(words, &["maybe_unused"]);
            let own = if unused {
                "__attribute__((unused))"
            } else {
                ""
            };
            vec![(span, own.to_string())]
        }
        Kind::StorageClass if is_static_local(context, node) => {
            vec![(span, String::new())]
        }
        // `c ? a : b = d`
        Kind::AssignmentExpression if tree.field(node) == Field::Alternative => {
            vec![insert(span.start, "("), insert(span.end, ")")]
        }
        Kind::TypeQualifier | Kind::StorageClass if is_inline(tree, node, text) => {
            let parent = tree.parent(node).into_iter();
            let mut beside = parent.flat_map(|p| tree.children(p));
            match beside.any(|c| tree.text(c, text) == "static") && words != "constexpr" {
                true => Vec::new(),
                false => {
                    let blank = text.as_bytes().get(span.end as usize) == Some(&b' ');
                    let word = Span::new(span.start, span.end + u32::from(blank));
                    vec![(word, String::new())]
                }
            }
        }
        Kind::TypeQualifier if words == "constexpr" => vec![(span, "const".to_string())],
        Kind::StorageClass if words == "constexpr" => vec![(span, "const".to_string())],
        Kind::SizedType if words.contains("long") => {
            let longs = words
                .split_ascii_whitespace()
                .filter(|w| *w == "long")
                .count();
            match longs {
                2 => vec![(
                    span,
                    words.replacen("long", "", 1).trim().replace("  ", " "),
                )],
                _ => Vec::new(),
            }
        }
        Kind::IfStatement => {
            let condition = tree
                .child(node, Field::Condition)
                .map_or(span.end, |c| tree.span(c).start);
            let head = Span::new(span.start, condition);
            match head.of(text).find("constexpr") {
                Some(at) => {
                    let at = span.start + at as u32;
                    vec![(Span::new(at, at + 9), String::new())]
                }
                None => Vec::new(),
            }
        }
        Kind::InitDeclarator => c_values::declared(context, node),
        Kind::CompoundLiteral if !words.starts_with('(') => c_values::listed(context, node),
        Kind::CallExpression => {
            let Some(function) = tree.child(node, Field::Function) else {
                return Vec::new();
            };
            let span = tree.span(function);
            match tree.kind(function) {
                Kind::PrimitiveType | Kind::SizedType => c_values::cast(tree, node, ""),
                Kind::Identifier if tree.text(function, text) == "unsigned" => {
                    c_values::cast(tree, node, "")
                }
                Kind::Identifier => c_values::made(context, node, tags),
                // `(Flags)(x)`, which may as well be a call.
                Kind::ParenthesizedExpression => {
                    let name = tree.unparenthesized(function);
                    let is_name = tree.kind(name) == Kind::Identifier;
                    let id = context.sema.definition(name).filter(|_| is_name);
                    let keyword = id.and_then(|id| c_tags::tag(context, id));
                    let keyword = keyword.map(|k| insert(tree.span(name).start, k));
                    keyword.into_iter().collect()
                }
                Kind::TemplateFunction => match named_cast(tree, function, text) {
                    Some(ty) => {
                        let edits = vec![
                            (Span::new(span.start, ty.start), "(".to_string()),
                            (Span::new(ty.end, span.end), ")".to_string()),
                        ];
                        c_values::within_postfix(tree, node, edits)
                    }
                    None => Vec::new(),
                },
                _ => Vec::new(),
            }
        }
        Kind::QualifiedIdentifier => match words.strip_prefix("std::") {
            Some(rest) => {
                let scope = words.len() - rest.len();
                vec![(
                    Span::new(span.start, span.start + scope as u32),
                    String::new(),
                )]
            }
            None => Vec::new(),
        },
        Kind::AliasDeclaration => {
            let (name, ty) = (tree.child(node, Field::Name), tree.child(node, Field::Type));
            match (name, ty) {
                (Some(name), Some(ty)) => {
                    let at = place_of_name(tree, ty);
                    let (name, ty) = (tree.span(name), tree.span(ty));
                    vec![
                        (Span::new(span.start, ty.start), "typedef ".to_string()),
                        insert(at, &format!(" {}", name.of(text))),
                    ]
                }
                _ => Vec::new(),
            }
        }
        Kind::Identifier
            if tree
                .parent(node)
                .and_then(|p| tree.parent(p))
                .is_some_and(|p| tree.kind(p) == Kind::SizeofExpression) =>
        {
            match tags.keyword(context, node) {
                Some(keyword) => vec![insert(span.start, keyword)],
                None => Vec::new(),
            }
        }
        Kind::TypeIdentifier => {
            let specifies = tree.field(node) == Field::Name;
            let keyword = tags.keyword(context, node);
            match keyword.filter(|_| !specifies) {
                Some(keyword) => vec![insert(span.start, keyword)],
                None => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Where a declaration has the name that a type without one leaves out: `float[4]`, `float (*)[2]`.
fn place_of_name(tree: &Tree, ty: NodeId) -> u32 {
    let inner = |node: NodeId| {
        let mut parts = tree.children(node);
        parts.find(|&c| {
            matches!(
                tree.kind(c),
                Kind::PointerDeclarator
                    | Kind::ReferenceDeclarator
                    | Kind::ArrayDeclarator
                    | Kind::ParenthesizedDeclarator
                    | Kind::FunctionDeclarator
            )
        })
    };
    let all = std::iter::successors(inner(ty), |&n| inner(n));
    match all.last() {
        Some(last)
            if matches!(
                tree.kind(last),
                Kind::ArrayDeclarator | Kind::FunctionDeclarator
            ) =>
        {
            tree.span(last).start
        }
        Some(last) => tree.span(last).end,
        None => tree.span(ty).end,
    }
}

/// A word that makes a function inline. C has a definition of such a function in this file only if it is
/// static, too; without the word there is one in any case.
fn is_inline(tree: &Tree, node: NodeId, text: &str) -> bool {
    let of_function = |p: NodeId| match tree.kind(p) {
        Kind::FunctionDefinition => true,
        Kind::Declaration => tree.child_of_kind(p, Kind::FunctionDeclarator).is_some(),
        _ => false,
    };
    let words = tree.text(node, text);
    matches!(words, "inline" | "__inline__" | "__inline" | "constexpr")
        && tree.parent(node).is_some_and(of_function)
}

/// A number without digit separators, and with one `L` at most.
fn number(words: &str) -> Option<String> {
    let doubled = words.contains("LL") || words.contains("ll");
    let binary = words.starts_with("0b") || words.starts_with("0B");
    if binary {
        let digits: String = words
            .chars()
            .skip(2)
            .filter(|c| matches!(c, '0' | '1'))
            .collect();
        let suffix: String = words.chars().filter(|c| matches!(c, 'u' | 'U')).collect();
        return u64::from_str_radix(&digits, 2)
            .ok()
            .map(|n| format!("0x{n:x}{suffix}"));
    }
    if !words.contains('\'') && !doubled {
        return None;
    }
    Some(
        words
            .replace('\'', "")
            .replace("LL", "L")
            .replace("ll", "L"),
    )
}

/// The type and the value of `static_cast<type>(value)` and its like.
pub(super) fn named_cast_of(tree: &Tree, call: NodeId, text: &str) -> Option<(NodeId, NodeId)> {
    let function = tree.child(call, Field::Function)?;
    named_cast(tree, function, text)?;
    let list = tree.child(function, Field::Arguments)?;
    let value = tree.child(call, Field::Arguments)?;
    Some((tree.children(list).next()?, tree.children(value).next()?))
}

/// The type in `static_cast<type>`.
pub(super) fn named_cast(tree: &Tree, function: NodeId, text: &str) -> Option<Span> {
    let name = tree.child(function, Field::Name)?;
    let known = matches!(
        tree.text(name, text),
        "static_cast" | "reinterpret_cast" | "const_cast"
    );
    let list = tree.child(function, Field::Arguments).filter(|_| known)?;
    let span = tree.span(list);
    Some(Span::new(span.start + 1, span.end - 1))
}
