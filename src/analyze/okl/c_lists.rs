//! Lists of values in braces: what they are of where they are returned, assigned or passed, which C wants to be said, and
//! what they leave out of vectors. C, and classes of vectors, want a value for each component, in braces of its own.

use super::c_tags::tag;
use super::unit::Unit;
use crate::analyze::Context;
use crate::module::ConstructKind;
use crate::sema::{DefinitionId, DefinitionKind, Type, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

/// Spans and what they become.
type Edits = Vec<(Span, String)>;

/// Records what becomes of every list.
pub(super) fn lists(context: &Context<'_>, unit: &mut Unit) {
    let tree = context.tree;
    let Some(root) = tree.root() else { return };
    for list in tree.descendants(root) {
        if tree.kind(list) != Kind::InitializerList {
            continue;
        }
        let Some((ty, declared)) = type_of_list(context, list) else {
            continue;
        };
        if !declared {
            for (span, text) in cast(context, list, ty) {
                unit.push(span, ConstructKind::InC(text));
            }
        }
        let mut edits = Vec::new();
        match fill(context, list, ty, &mut edits) {
            Some(()) => {
                for (span, text) in edits {
                    unit.push(span, ConstructKind::InLists(text));
                }
            }
            None => {
                let what = "a list without the braces of its parts";
                unit.push(tree.span(list), ConstructKind::NoC(what));
            }
        }
    }
}

/// The type of what a list makes that is in no other, and whether that is declared beside it.
fn type_of_list(context: &Context<'_>, list: NodeId) -> Option<(Type, bool)> {
    let (tree, sema) = (context.tree, context.sema);
    let parent = tree.parent(list)?;
    let referred = |ty: Type| match sema.kind(ty) {
        TypeKind::Reference(to) => to,
        _ => ty,
    };
    match tree.kind(parent) {
        Kind::InitDeclarator => {
            let id = sema.declared_by(tree.child(parent, Field::Declarator)?)?;
            Some((sema.type_of_definition(id), true))
        }
        Kind::CompoundLiteral => Some((sema.type_of(parent), true)),
        Kind::AssignmentExpression if tree.field(list) == Field::Right => {
            Some((sema.type_of(tree.child(parent, Field::Left)?), false))
        }
        Kind::ReturnStatement => {
            let mut around = std::iter::successors(Some(parent), |&n| tree.parent(n));
            let function = around.find(|&n| {
                let kind = tree.kind(n);
                kind == Kind::FunctionDefinition || kind == Kind::LambdaExpression
            })?;
            // A pointer has its stars elsewhere.
            let declarator = tree.child(function, Field::Declarator)?;
            let plain = tree.kind(declarator) == Kind::FunctionDeclarator;
            plain.then(|| (sema.described(function), false))
        }
        Kind::ArgumentList => {
            let call = tree.parent(parent)?;
            let position = tree.children(parent).position(|n| n == list)?;
            // Which one of several is meant, nobody here decides.
            let &[_] = sema.callees(call).as_slice() else {
                return None;
            };
            let parameter = sema.parameters_for(call, position).into_iter().next()?;
            let id = sema.declared(parameter)?;
            Some((referred(sema.defined(id).ty), false))
        }
        _ => None,
    }
}

/// The type of a list, where C wants that said.
fn cast(context: &Context<'_>, list: NodeId, ty: Type) -> Edits {
    let (tree, sema) = (context.tree, context.sema);
    let span = tree.span(list);
    let mut values = tree.children(list);
    let text = match sema.kind(ty) {
        TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Enumeration(_) => {
            // A number has no empty list in C.
            let Some(value) = values.next() else {
                return vec![(span, "0".to_string())];
            };
            let value = tree.span(value);
            let before = Span::new(span.start, value.start);
            let behind = Span::new(value.end, span.end);
            return vec![(before, "(".to_string()), (behind, ")".to_string())];
        }
        TypeKind::Vector(vector) if values.next().is_none() => {
            return vec![(span, format!("({vector})(0)"))];
        }
        TypeKind::Vector(vector) => format!("({vector})"),
        TypeKind::Record(record) if !sema.name(record).is_empty() => {
            let keyword = tag(context, record).unwrap_or("");
            format!("({keyword}{})", sema.name(record))
        }
        _ => return Vec::new(),
    };
    vec![(Span::at(span.start), text)]
}

/// Whether something of a type has vectors in it.
fn has_vectors(context: &Context<'_>, ty: Type) -> bool {
    let is_vector = |kind| matches!(kind, TypeKind::Vector(_));
    context.sema.any_part(ty, is_vector)
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
            let whole = matches!(left, [one] if sema.record(*one).is_some());
            if whole || !is_aggregate(context, record) {
                return Some(());
            }
            fields(context, &mut left, record, edits)?;
        }
        _ => {}
    }
    Some(())
}

/// Whether a structure has no constructors, which lists would be the arguments of.
fn is_aggregate(context: &Context<'_>, record: DefinitionId) -> bool {
    let sema = context.sema;
    let name = sema.name(record);
    !sema
        .members(record)
        .any(|id| sema.defined(id).kind == DefinitionKind::Function && sema.name(id) == name)
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
        TypeKind::Record(record)
            if sema.record(first).is_none() && is_aggregate(context, record) =>
        {
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
