//! What the trees of loops say that decides how they may be lowered.

use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::work::{work, work_of_items};
use crate::expr;
use crate::module::{Header, Loop, LoopId, LoopKind};
use crate::source::Span;
use crate::syntax::{AttributeUse, Field, Kind, NodeId, attributes_of};
use foldhash::HashSet;

/// The names in the bounds and the step of a loop, and in the size of its tiles.
pub(super) fn names(
    context: &Context<'_>,
    statement: NodeId,
    size: Option<&str>,
    header: &Header,
) -> Vec<String> {
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
    let nodes = head.flat_map(|c| tree.descendants(c)).filter(within);
    let identifiers = nodes.filter(|n| tree.kind(*n) == Kind::Identifier);
    let mut names: Vec<String> = identifiers
        .map(|n| tree.text(n, text).to_string())
        .collect();
    if let Some(Ok(size)) = size.map(expr::parse) {
        size.for_each_name(&mut |name| names.push(name.to_string()));
    }
    names
}

/// Whether one iteration of a loop may take much longer than another.
pub(super) fn is_uneven(context: &Context<'_>, statement: NodeId) -> bool {
    let work = work(context.tree, context.sema, &[statement]);
    work.leaves || work.bounds_in_memory
}

/// The operations of each item of a nest, those of the library's functions estimated; `None` where ordinary loops say how many there
/// are.
pub(super) fn operations(context: &Context<'_>, nest: NodeId) -> Option<usize> {
    let (tree, text) = (context.tree, context.text);
    let over_items = |statement: NodeId| {
        let around = tree.parent(statement);
        let around = around.filter(|&a| tree.kind(a) == Kind::AttributedStatement);
        let attributes = around.map(|a| attributes_of(tree, a, text));
        let over = |a: &AttributeUse| match a.name.as_str() {
            "outer" | "inner" => true,
            // Both of its loops.
            "tile" => a.split().len() >= 3,
            _ => false,
        };
        attributes.is_some_and(|all| all.iter().any(over))
    };
    work_of_items(tree, context.sema, nest, over_items).straight_on_processor()
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
