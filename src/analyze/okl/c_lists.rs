//! Lists of values in braces that C takes only in part: vectors need a value for each component, and `return { … }` a type.

use super::c_tags::tag;
use crate::analyze::Context;
use crate::sema::{Type, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

/// Spans and what they become.
type Edits = Vec<(Span, String)>;

/// Zeros for the components of vectors that a list for something of a type leaves out.
pub(super) fn filled(context: &Context<'_>, list: NodeId, ty: Type) -> Edits {
    let mut edits = Vec::new();
    fill(context, list, ty, &mut edits);
    edits
}

fn fill(context: &Context<'_>, list: NodeId, ty: Type, edits: &mut Edits) {
    let (tree, sema) = (context.tree, context.sema);
    if tree.kind(list) != Kind::InitializerList {
        return;
    }
    let values: Vec<NodeId> = tree.children(list).collect();
    if values
        .iter()
        .any(|&v| tree.kind(v) == Kind::InitializerPair)
    {
        return;
    }
    match sema.kind(ty) {
        TypeKind::Vector(vector) => {
            let width = usize::from(vector.width);
            // One vector is all of it.
            let whole = matches!(values.as_slice(), [one] if sema.scalar(*one).is_none());
            if let Some(last) = values.last().filter(|_| values.len() < width && !whole) {
                let zeros = ", 0".repeat(width - values.len());
                edits.push((Span::at(tree.span(*last).end), zeros));
            }
        }
        TypeKind::Array(of) => {
            for value in values {
                fill(context, value, of, edits);
            }
        }
        TypeKind::Record(record) => {
            for (value, field) in values.into_iter().zip(sema.fields(record)) {
                fill(context, value, field.ty, edits);
            }
        }
        _ => {}
    }
}

/// `return { … }` of what a function declares.
pub(super) fn returned(context: &Context<'_>, node: NodeId) -> Edits {
    let (tree, text, sema) = (context.tree, context.text, context.sema);
    let Some(list) = tree.child_of_kind(node, Kind::InitializerList) else {
        return Vec::new();
    };
    let mut around = std::iter::successors(Some(node), |&n| tree.parent(n));
    let function = around.find(|&n| {
        let kind = tree.kind(n);
        kind == Kind::FunctionDefinition || kind == Kind::LambdaExpression
    });
    let named = function.and_then(|f| Some((f, tree.child(f, Field::Type)?)));
    // A pointer has its stars elsewhere.
    let named = named.filter(|&(f, _)| {
        let declarator = tree.child(f, Field::Declarator);
        declarator.is_some_and(|d| tree.kind(d) == Kind::FunctionDeclarator)
    });
    let Some((function, ty)) = named else {
        return Vec::new();
    };
    let keyword = match tree.kind(ty) {
        Kind::TypeIdentifier => sema.definition(ty).and_then(|id| tag(context, id)),
        _ => None,
    };
    let words = tree.text(ty, text);
    let cast = format!("({}{words})", keyword.unwrap_or(""));
    let mut edits = vec![(Span::at(tree.span(list).start), cast)];
    fill(context, list, sema.described(function), &mut edits);
    edits
}
