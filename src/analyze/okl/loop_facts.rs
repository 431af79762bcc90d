//! What the trees of loops say that decides how they may be lowered.

use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::work::work;
use crate::expr;
use crate::module::{Header, LocalArray, Loop, LoopId, LoopKind};
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};
use std::collections::HashSet;

/// Fills in what the bounds and the step of a loop are made of; `size` is that of its tiles.
pub(super) fn header(
    context: &Context<'_>,
    statement: NodeId,
    size: Option<&str>,
    header: &mut Header,
) {
    let (tree, text) = (context.tree, context.text);
    let own = [
        Some(header.start_span),
        Some(header.end_span),
        header.step_span,
    ];
    let head = tree
        .children(statement)
        .filter(|&c| tree.field(c) != Field::Body);
    let within = |n: &NodeId| own.iter().flatten().any(|s| s.contains(tree.span(*n)));
    let operator = |n: NodeId| {
        tree.child(n, Field::Operator)
            .map_or("", |o| tree.text(o, text))
    };
    header.plain = true;
    for node in head.flat_map(|c| tree.descendants(c)).filter(within) {
        match tree.kind(node) {
            Kind::Identifier => header.names.push(tree.text(node, text).to_string()),
            Kind::BinaryExpression if matches!(operator(node), "/" | "%") => header.plain = false,
            Kind::FieldExpression if operator(node) == "->" => header.plain = false,
            Kind::CallExpression
            | Kind::SubscriptExpression
            | Kind::PointerExpression
            | Kind::ConditionalExpression
            | Kind::AssignmentExpression
            | Kind::UpdateExpression
            | Kind::SizeofExpression
            | Kind::CompoundLiteral
            | Kind::InitializerList
            | Kind::LambdaExpression => header.plain = false,
            _ => {}
        }
    }
    if let Some(Ok(size)) = size.map(expr::parse) {
        size.for_each_name(&mut |name| header.names.push(name.to_string()));
    }
}

/// Whether one iteration of a loop may take much longer than another.
pub(super) fn is_uneven(context: &Context<'_>, statement: NodeId) -> bool {
    let work = work(context.tree, context.sema, &[statement]);
    work.leaves || work.bounds_in_memory
}

/// See [`copies`](crate::module::Loop::copies).
pub(super) fn copies(context: &Context<'_>, body: NodeId) -> Option<Span> {
    let (tree, text) = (context.tree, context.text);
    let mut inner = body;
    loop {
        let only = match tree.kind(inner) {
            Kind::CompoundStatement => {
                let mut all = tree.children(inner);
                all.next().filter(|_| all.next().is_none())
            }
            _ => Some(inner),
        };
        match only.filter(|&n| tree.kind(n) == Kind::ForStatement) {
            Some(next) => inner = tree.child(next, Field::Body)?,
            None => break,
        }
    }
    let plain = |n: NodeId| match tree.kind(n) {
        Kind::AssignmentExpression => {
            let operator = tree.child(n, Field::Operator);
            operator.is_some_and(|o| tree.text(o, text) == "=")
        }
        Kind::UpdateExpression
        | Kind::BreakStatement
        | Kind::ReturnStatement
        | Kind::GotoStatement
        | Kind::ForStatement
        | Kind::ForRangeLoop
        | Kind::WhileStatement
        | Kind::DoStatement
        | Kind::AttributeDeclaration => false,
        _ => true,
    };
    tree.descendants(inner).all(plain).then(|| tree.span(inner))
}

/// What is known of an array by its uses.
pub(super) fn array(context: &Context<'_>, name: &str, id: Option<DefinitionId>) -> LocalArray {
    let (tree, text) = (context.tree, context.text);
    let indexed_by = id.and_then(|id| {
        let mut names = Vec::new();
        // The first one is its declaration's.
        for &node in context.sema.uses(id).iter().skip(1) {
            let mut at = node;
            while let Some(index) = index_of(tree, at) {
                let inside = tree.descendants(index);
                let inside = inside.filter(|&n| tree.kind(n) == Kind::Identifier);
                names.extend(inside.map(|n| tree.text(n, text).to_string()));
                at = tree.parent(at)?;
            }
            if at == node {
                return None;
            }
        }
        Some(names)
    });
    LocalArray {
        name: name.to_string(),
        indexed_by,
    }
}

/// The index with which something is subscripted.
fn index_of(tree: &Tree, array: NodeId) -> Option<NodeId> {
    let around = tree.parent(array)?;
    let subscripted =
        tree.kind(around) == Kind::SubscriptExpression && tree.field(array) == Field::Argument;
    tree.child(around, Field::Index).filter(|_| subscripted)
}

/// The loops over items, by their statements, that have no other inside, and nothing that keeps them from being vectors.
pub(super) fn vectors(unit: &Unit) -> HashSet<Span> {
    let innermost = |this: &&Loop| {
        let plain = this.kind == LoopKind::Inner && this.plain_body;
        plain && !this.children.iter().any(|c| has_inner(unit, *c))
    };
    unit.loops
        .iter()
        .filter(innermost)
        .map(|l| l.span)
        .collect()
}

fn has_inner(unit: &Unit, id: LoopId) -> bool {
    let this = &unit.loops[id.index()];
    this.kind == LoopKind::Inner || this.children.iter().any(|c| has_inner(unit, *c))
}
