//! Lists of values in braces that C takes only in part: vectors need a value for each component, and `return { … }` a type.

use super::c_tags::tag;
use crate::analyze::Context;
use crate::sema::{DefinitionId, Type, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, parameters};
use std::collections::HashSet;

/// Spans and what they become.
type Edits = Vec<(Span, String)>;

/// Braces and zeros for the components of vectors that a list for something of a type leaves out. `None`: the list is one
/// whose parts nobody here can tell apart.
pub(super) fn filled(context: &Context<'_>, list: NodeId, ty: Type) -> Option<Edits> {
    let mut edits = Vec::new();
    fill(context, list, ty, &mut edits)?;
    Some(edits)
}

/// Whether something of a type has vectors in it.
fn has_vectors(context: &Context<'_>, ty: Type) -> bool {
    let sema = context.sema;
    let (mut left, mut seen) = (vec![ty], HashSet::new());
    while let Some(ty) = left.pop() {
        match sema.kind(ty) {
            TypeKind::Vector(_) => return true,
            TypeKind::Array(of) => left.push(of),
            TypeKind::Record(record) if seen.insert(record) => {
                left.extend(sema.fields(record).map(|f| f.ty));
            }
            _ => {}
        }
    }
    false
}

fn fill(context: &Context<'_>, list: NodeId, ty: Type, edits: &mut Edits) -> Option<()> {
    let (tree, sema) = (context.tree, context.sema);
    if tree.kind(list) != Kind::InitializerList || !has_vectors(context, ty) {
        return Some(());
    }
    let values: Vec<NodeId> = tree.children(list).collect();
    if values
        .iter()
        .any(|&v| tree.kind(v) == Kind::InitializerPair)
    {
        return Some(());
    }
    let mut left = values.as_slice();
    match sema.kind(ty) {
        TypeKind::Vector(vector) => {
            let width = usize::from(vector.width);
            // One vector is all of it.
            let whole = matches!(left, [one] if sema.scalar(*one).is_none());
            if let Some(last) = left.last().filter(|_| left.len() < width && !whole) {
                edits.push((Span::at(tree.span(*last).end), zeros(width - left.len())));
            }
        }
        TypeKind::Array(of) => {
            while !left.is_empty() {
                part(context, &mut left, of, edits)?;
            }
        }
        TypeKind::Record(record) => {
            // The whole value.
            if matches!(left, [one] if sema.record(*one).is_some()) {
                return Some(());
            }
            fields(context, &mut left, record, edits)?;
        }
        _ => {}
    }
    Some(())
}

/// The fields of a structure, as far as there are values.
fn fields(
    context: &Context<'_>,
    left: &mut &[NodeId],
    record: DefinitionId,
    edits: &mut Edits,
) -> Option<()> {
    let is_union = tag(context, record) == Some("union ");
    let all = context.sema.fields_of(record);
    let count = if is_union { 1 } else { all.len() };
    for id in all.into_iter().take(count) {
        if left.is_empty() {
            break;
        }
        part(context, left, context.sema.defined(id).ty, edits)?;
    }
    Some(())
}

/// Takes what initialises one element or field, which may have no braces of its own.
fn part(context: &Context<'_>, left: &mut &[NodeId], ty: Type, edits: &mut Edits) -> Option<()> {
    let (tree, sema) = (context.tree, context.sema);
    let Some((&first, rest)) = left.split_first() else {
        return Some(());
    };
    if tree.kind(first) == Kind::InitializerList {
        *left = rest;
        return fill(context, first, ty, edits);
    }
    match sema.kind(ty) {
        TypeKind::Vector(vector) if sema.scalar(first).is_some() => {
            let width = usize::from(vector.width);
            let numbers = left.iter().take(width);
            let count = numbers.take_while(|&&n| sema.scalar(n).is_some()).count();
            let (own, rest) = left.split_at_checked(count)?;
            let last = own.last()?;
            edits.push((Span::at(tree.span(first).start), "{".to_string()));
            let end = format!("{}}}", zeros(width - count));
            edits.push((Span::at(tree.span(*last).end), end));
            *left = rest;
        }
        // What it is of is not known: a number, or the whole.
        TypeKind::Vector(_) if sema.vector(first).is_none() => return None,
        // Braces within are its own only if it has some.
        TypeKind::Record(record) if sema.record(first).is_none() => {
            let before = *left;
            let braces = has_vectors(context, ty);
            if braces {
                edits.push((Span::at(tree.span(first).start), "{".to_string()));
            }
            fields(context, left, record, edits)?;
            let taken = before.len() - left.len();
            let last = taken.checked_sub(1).and_then(|at| before.get(at));
            if let Some(last) = last.filter(|_| braces) {
                edits.push((Span::at(tree.span(*last).end), "}".to_string()));
            }
        }
        TypeKind::Array(_) if is_text(tree.kind(first)) => *left = rest,
        // How many elements are taken is its extent's to say.
        TypeKind::Array(_) => return None,
        _ => *left = rest,
    }
    Some(())
}

fn is_text(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::StringLiteral | Kind::RawStringLiteral | Kind::ConcatenatedString
    )
}

fn zeros(count: usize) -> String {
    ", 0".repeat(count)
}

/// `{ … }` for something of a type, where C wants that said.
fn typed(context: &Context<'_>, list: NodeId, ty: Type) -> Option<Edits> {
    let (tree, sema) = (context.tree, context.sema);
    let span = tree.span(list);
    let mut values = tree.children(list);
    let cast = match sema.kind(ty) {
        TypeKind::Reference(to) => return typed(context, list, to),
        TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Enumeration(_) => {
            // A number has no empty list in C.
            let Some(value) = values.next() else {
                return Some(vec![(span, "0".to_string())]);
            };
            let value = tree.span(value);
            let before = Span::new(span.start, value.start);
            let behind = Span::new(value.end, span.end);
            return Some(vec![(before, "(".to_string()), (behind, ")".to_string())]);
        }
        TypeKind::Vector(vector) if values.next().is_none() => {
            return Some(vec![(span, format!("({vector})(0)"))]);
        }
        TypeKind::Vector(vector) => format!("({vector})"),
        TypeKind::Record(record) if !sema.name(record).is_empty() => {
            let keyword = tag(context, record).unwrap_or("");
            format!("({keyword}{})", sema.name(record))
        }
        _ => return Some(Vec::new()),
    };
    let mut edits = vec![(Span::at(span.start), cast)];
    fill(context, list, ty, &mut edits)?;
    Some(edits)
}

/// `place = { … }`
pub(super) fn assigned(context: &Context<'_>, node: NodeId) -> Option<Edits> {
    let (tree, sema) = (context.tree, context.sema);
    let (left, right) = (
        tree.child(node, Field::Left),
        tree.child(node, Field::Right),
    );
    match (left, right) {
        (Some(left), Some(right)) if tree.kind(right) == Kind::InitializerList => {
            typed(context, right, sema.type_of(left))
        }
        _ => Some(Vec::new()),
    }
}

/// `{ … }` as arguments of a call.
pub(super) fn passed(context: &Context<'_>, call: NodeId) -> Option<Edits> {
    let (tree, sema) = (context.tree, context.sema);
    let list = tree.child(call, Field::Arguments).into_iter();
    let all = list.flat_map(|l| tree.children(l)).enumerate();
    let mut edits = Vec::new();
    for (position, argument) in all.filter(|(_, n)| tree.kind(*n) == Kind::InitializerList) {
        // Which one is meant, nobody here decides.
        let &[function] = sema.callees(call).as_slice() else {
            continue;
        };
        let (given, _) = parameters(tree, function)?;
        let parameter = given.get(position).and_then(|p| sema.declared(*p));
        if let Some(id) = parameter {
            edits.extend(typed(context, argument, sema.defined(id).ty)?);
        }
    }
    Some(edits)
}

/// `return { … }` of what a function declares.
pub(super) fn returned(context: &Context<'_>, node: NodeId) -> Option<Edits> {
    let (tree, sema) = (context.tree, context.sema);
    let list = tree.child_of_kind(node, Kind::InitializerList);
    let mut around = std::iter::successors(Some(node), |&n| tree.parent(n));
    let function = around.find(|&n| {
        let kind = tree.kind(n);
        kind == Kind::FunctionDefinition || kind == Kind::LambdaExpression
    });
    // A pointer has its stars elsewhere.
    let function = function.filter(|&f| {
        let declarator = tree.child(f, Field::Declarator);
        declarator.is_some_and(|d| tree.kind(d) == Kind::FunctionDeclarator)
    });
    match (list, function) {
        (Some(list), Some(function)) => typed(context, list, sema.described(function)),
        _ => Some(Vec::new()),
    }
}
