//! Values of declarations, and of types, that C writes in another way: `T v(x)`, `T v{x}`, `T(x)`.

use super::types::type_word;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators, type_span, words_of};
use std::collections::HashSet;

/// Spans and what they become.
type Edits = Vec<(Span, String)>;

fn insert(at: u32, what: &str) -> (Span, String) {
    (Span::at(at), what.to_string())
}

/// The type of the variable itself that a declarator with a value declares: not of one that points or refers to such.
fn plain_type<'t>(tree: &Tree, node: NodeId, text: &'t str) -> Option<&'t str> {
    let declaration = tree.parent(node)?;
    let declarator = tree.child(node, Field::Declarator)?;
    let words = type_span(tree, declaration).of(text);
    (tree.kind(declarator) == Kind::Identifier).then_some(words)
}

/// Whether a declaration constructs something from several values, which C does for vectors only.
pub(super) fn constructs(tree: &Tree, node: NodeId, text: &str) -> bool {
    let value = tree.child(node, Field::Value);
    let list = value.filter(|&v| tree.kind(v) == Kind::ArgumentList);
    let ty = plain_type(tree, node, text);
    let vector = ty.is_some_and(|t| VectorType::from_name(type_word(&words_of(t))).is_some());
    list.is_some_and(|l| tree.children(l).count() != 1) && !vector
}

/// The value of a declaration.
pub(super) fn declared(context: &Context<'_>, node: NodeId) -> Edits {
    let (tree, text) = (context.tree, context.text);
    let Some(value) = tree.child(node, Field::Value) else {
        return Vec::new();
    };
    let name = tree
        .child(node, Field::Declarator)
        .map_or(tree.span(node).start, |d| tree.span(d).end);
    let span = tree.span(value);
    let assigns = Span::new(name, span.start).of(text).contains('=');
    let equals = if assigns { "" } else { " = " };
    let ty = plain_type(tree, node, text);
    let vector = ty.and_then(|t| VectorType::from_name(type_word(&words_of(t))));
    match tree.kind(value) {
        Kind::InitializerList => {
            let values: Vec<NodeId> = tree.children(value).collect();
            if let ([], Some(ty)) = (values.as_slice(), ty) {
                let words = words_of(ty);
                let plain = words.split_ascii_whitespace();
                let plain = plain.filter(|w| !matches!(*w, "const" | "static" | "volatile"));
                // A number has no empty list in C.
                if let Some(zero) = zero(Scalar::from_words(plain).is_some(), vector) {
                    return vec![(span, format!("{equals}{zero}"))];
                }
            }
            if let ([one], Some(_)) = (values.as_slice(), ty)
                && context.sema.record(*one).is_some()
                && vector.is_none()
            {
                // The whole value, where C would take it for that of the first field.
                return vec![
                    (Span::new(span.start, span.start + 1), format!("{equals}(")),
                    (Span::new(span.end - 1, span.end), ")".to_string()),
                ];
            }
            match assigns {
                true => Vec::new(),
                false => vec![insert(span.start, " = ")],
            }
        }
        Kind::ArgumentList => match (vector, tree.children(value).count()) {
            // `double sum(0);`
            (_, 1) => vec![insert(span.start, " = ")],
            (Some(vector), 2..) => vec![insert(span.start, &format!(" = ({vector})"))],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// What an empty list in braces makes of a number or a vector.
fn zero(number: bool, vector: Option<VectorType>) -> Option<String> {
    match vector {
        Some(vector) => Some(format!("({vector})(0)")),
        None => number.then(|| "0".to_string()),
    }
}

/// `float2(x, y)`, `S(s)`
pub(super) fn made(
    context: &Context<'_>,
    call: NodeId,
    tags: &HashSet<(&str, &'static str)>,
) -> Edits {
    let (tree, text) = (context.tree, context.text);
    let (Some(function), Some(list)) = (
        tree.child(call, Field::Function),
        tree.child(call, Field::Arguments),
    ) else {
        return Vec::new();
    };
    let span = tree.span(function);
    let name = tree.text(function, text);
    let arguments: Vec<NodeId> = tree.children(list).collect();
    if VectorType::from_name(name).is_some() {
        let mut edits = vec![insert(span.start, "("), insert(span.end, ")")];
        if arguments.is_empty() {
            edits.push((tree.span(list), "(0)".to_string()));
        }
        return edits;
    }
    match arguments.as_slice() {
        [] if is_record(tree, name, text, tags) => {
            let tag = tags.iter().find(|(tag, _)| *tag == name);
            let tag = tag.map_or("", |(_, keyword)| keyword);
            let empty = (tree.span(list), "{}".to_string());
            vec![(span, format!("({tag}{name})")), empty]
        }
        [one] if is_record(tree, name, text, tags) => {
            let copies = context.sema.record(*one).is_some()
                || matches!(
                    tree.kind(*one),
                    Kind::CallExpression | Kind::CompoundLiteral
                );
            match copies {
                true => vec![(span, String::new())],
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Whether a name is that of a structure, or of a typedef.
fn is_record(tree: &Tree, name: &str, text: &str, tags: &HashSet<(&str, &'static str)>) -> bool {
    if tags.iter().any(|(tag, _)| *tag == name) {
        return true;
    }
    let mut all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    all.any(|n| {
        tree.kind(n) == Kind::TypeDefinition
            && declarators(tree, n, text)
                .iter()
                .any(|d| d.name_span.of(text) == name)
    })
}
