//! What `@atomic` statements do.
//!
//! - `places.rs`: the memory, and what else their expressions are made of; `forms.rs`: the forms they may have.
//! - `objects.rs`: memory that is a whole structure or vector.
//! - `effects.rs`: values that may be computed more than once; `bodies.rs`: what the functions in them change.

mod bodies;
mod effects;
mod forms;
mod objects;
mod places;

use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::lex::mentions;
use crate::module::{Atomic, AtomicOperation, ConstructKind};
use crate::source::Span;
use crate::syntax::{AttributeUse, Kind, NodeId, declarators};
pub(super) use bodies::Bodies;
use forms::Found;
use objects::Object;
pub(super) use objects::settle;
use places::Reader;

/// Reads what an `@atomic` statement does. Its parts have been visited.
pub(super) fn statement(
    context: &mut Context<'_>,
    unit: &mut Unit,
    statement: NodeId,
    attribute: &AttributeUse,
) {
    let tree = context.tree;
    let parts: Vec<NodeId> = match tree.kind(statement) {
        Kind::CompoundStatement => tree.children(statement).collect(),
        _ => vec![statement],
    };
    let is_block = tree.kind(statement) == Kind::CompoundStatement;
    let reader = Reader { context, unit };
    let found = match parts.as_slice() {
        [one] => reader
            .expression_of(*one)
            .and_then(|e| Some((tree.span(tree.unparenthesized(e)), reader.single(e)?))),
        [first, second] => reader
            .pair(*first, *second)
            .map(|found| (tree.span(statement), found)),
        _ => None,
    };
    if let Some((span, found)) = found {
        if let Some(atomic) = checked(context, unit, found) {
            unit.push(attribute.span, ConstructKind::Attribute);
            unparenthesize(context, unit, &parts);
            unit.push(span, ConstructKind::Atomic(atomic));
        }
        return;
    }
    let simple = parts.iter().all(|&p| reader.expression_of(p).is_some());
    if is_block && (parts.len() > 1 || !simple) {
        critical(context, unit, statement, attribute);
    } else if let Some(effect) = parts.iter().find_map(|&p| reader.repeated_effect(p)) {
        let text = tree.text(effect, context.text);
        context.error(&codes::ATOMIC_EFFECTS, tree.span(effect), &[&text]);
    } else if parts.iter().any(|&p| reader.changes(p)) || reader.calls(&parts) {
        context.error(&codes::ATOMIC_FORM, tree.span(statement), &[]);
    } else {
        context.error(&codes::ATOMIC_NO_EFFECT, tree.span(statement), &[]);
    }
}

/// `@atomic int old = x++;`
pub(super) fn declaration(
    context: &mut Context<'_>,
    unit: &mut Unit,
    declaration: NodeId,
    attribute: &AttributeUse,
) {
    let tree = context.tree;
    let span = tree.span(declaration);
    let names = declarators(tree, declaration, context.text);
    let values: Vec<NodeId> = names.iter().filter_map(|n| n.value).collect();
    unit.push(attribute.span, ConstructKind::Attribute);
    if values.is_empty() {
        // `@atomic b * c;` is read as a declaration, too.
        context.error(&codes::ATOMIC_NO_EFFECT, span, &[]);
        return;
    }
    let reader = Reader { context, unit };
    let found = match (names.as_slice(), values.as_slice()) {
        ([_], [value]) => reader.initializer(*value),
        _ => None,
    };
    match (found, values.first()) {
        (Some(found), Some(value)) => {
            if let Some(atomic) = checked(context, unit, found) {
                unit.push(tree.span(*value), ConstructKind::Atomic(atomic));
            }
        }
        _ => match values.iter().find_map(|&v| reader.repeated_effect(v)) {
            Some(effect) => {
                let text = tree.text(effect, context.text);
                context.error(&codes::ATOMIC_EFFECTS, tree.span(effect), &[&text]);
            }
            None => context.error(&codes::ATOMIC_FORM, span, &[]),
        },
    }
}

/// The atomic, if its memory is some that can be changed at once.
fn checked(context: &mut Context<'_>, unit: &mut Unit, found: Found) -> Option<Atomic> {
    let reader = Reader { context, unit };
    let Found {
        mut atomic,
        memory,
        expression,
    } = found;
    let text = atomic.memory.of(context.text);
    if reader.is_private(memory) {
        context.error(&codes::ATOMIC_PRIVATE, atomic.memory, &[&text]);
        return None;
    }
    match reader.object(memory) {
        Object::Number => {
            if let AtomicOperation::Compute { .. } = atomic.operation {
                atomic.object = reader.number(memory);
            }
        }
        Object::Whole { object, raised } => {
            let computes = matches!(
                atomic.operation,
                AtomicOperation::Update { .. }
                    | AtomicOperation::Increment
                    | AtomicOperation::Decrement
            );
            if computes {
                // No target has an instruction for it.
                let Some(operation) = reader.computed(expression) else {
                    let effect = reader.repeated_effect(expression).unwrap_or(expression);
                    let text = context.tree.text(effect, context.text);
                    let span = context.tree.span(effect);
                    context.error(&codes::ATOMIC_EFFECTS, span, &[&text]);
                    return None;
                };
                atomic.operation = operation;
                atomic.places = reader.places(memory, expression);
            }
            atomic.object = Some(object);
            unit.raised
                .extend(raised.map(|index| (index, atomic.memory)));
        }
        Object::Impossible(reason) => {
            context.error(&codes::ATOMIC_COMPOSED, atomic.memory, &[&text, &reason]);
            return None;
        }
    }
    Some(atomic)
}

/// Several statements: one group item at a time runs them.
fn critical(context: &mut Context<'_>, unit: &mut Unit, block: NodeId, attribute: &AttributeUse) {
    let tree = context.tree;
    // Whoever left the block otherwise than by its end would keep the lock.
    let leaves = |node: NodeId| match tree.kind(node) {
        Kind::ReturnStatement | Kind::GotoStatement => true,
        Kind::AttributeDeclaration => mentions(tree.text(node, context.text), &["okl_barrier"]),
        kind @ (Kind::BreakStatement | Kind::ContinueStatement) => {
            let mut at = tree.parent(node);
            while let Some(around) = at.filter(|&a| a != block) {
                match tree.kind(around) {
                    Kind::ForStatement
                    | Kind::WhileStatement
                    | Kind::DoStatement
                    | Kind::ForRangeLoop => return false,
                    Kind::SwitchStatement if kind == Kind::BreakStatement => return false,
                    _ => at = tree.parent(around),
                }
            }
            true
        }
        _ => false,
    };
    if let Some(node) = tree.descendants(block).find(|&n| leaves(n)) {
        context.error(&codes::ATOMIC_LEAVES, tree.span(node), &[]);
        return;
    }
    let attribute = attribute.span;
    unit.push(tree.span(block), ConstructKind::Critical { attribute });
}

/// Removes parentheses around whole statements: OpenMP's pragma does not take them.
fn unparenthesize(context: &Context<'_>, unit: &mut Unit, statements: &[NodeId]) {
    let tree = context.tree;
    for &statement in statements {
        let mut at = tree.children(statement).next();
        while let Some(node) = at.filter(|&n| tree.kind(n) == Kind::ParenthesizedExpression) {
            let span = tree.span(node);
            unit.push(
                Span::new(span.start, span.start + 1),
                ConstructKind::Attribute,
            );
            unit.push(Span::new(span.end - 1, span.end), ConstructKind::Attribute);
            at = tree.children(node).next();
        }
    }
}
