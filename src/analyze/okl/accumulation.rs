//! Loops over items that add up, as `passes/accumulation.rs` finds them, in terms of the text.

use super::unit::Unit;
use super::wide_access::declares_type;
use crate::module::{Accumulated, ConstructKind, LoopId};
use crate::passes::Accumulation;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};

/// What the pass has found, of loops that are no tiles.
pub(super) fn settle(
    unit: &Unit,
    source: (&Tree, &str),
    found: Vec<Accumulation>,
) -> Vec<Accumulated> {
    let leaf = |found: &Accumulation| {
        let all = (0..unit.loops.len()).map(LoopId::at);
        let mut all = all.filter(|id| unit.loops[id.index()].span == found.leaf);
        // The halves of a tile have one statement.
        all.next().filter(|_| all.next().is_none())
    };
    let described = |found| described(unit, source, leaf(&found)?, found);
    found.into_iter().filter_map(described).collect()
}

/// What the pass has found, if nothing that moves, or is replaced, is spelled anew as a whole.
fn described(
    unit: &Unit,
    (tree, text): (&Tree, &str),
    leaf: LoopId,
    found: Accumulation,
) -> Option<Accumulated> {
    let mut within = tree.within(found.update);
    let update = within
        .find(|&n| tree.span(n) == found.update && tree.kind(n) == Kind::AssignmentExpression)?;
    let part = |field| tree.child(update, field).map(|n| tree.span(n));
    let (place, value) = (part(Field::Left)?, part(Field::Right)?);
    let between = text.get(place.end as usize..value.start as usize)?;
    let head = |statement: Span| {
        let mut within = tree.within(statement);
        let found =
            within.find(|&n| tree.span(n) == statement && tree.kind(n) == Kind::ForStatement)?;
        let body = tree.span(tree.child(found, Field::Body)?);
        Some(Span::new(statement.start, body.start))
    };
    let before = match found.declares {
        true => Some(declarations(tree, found.rounds.0)?),
        false => None,
    };
    let elements = found.elements.into_iter();
    let elements: Option<_> = elements.map(|(s, name)| Some((head(s)?, name))).collect();
    let this = Accumulated {
        leaf,
        before,
        rounds: (head(found.rounds.0)?, found.rounds.1),
        elements: elements?,
        temporaries: found.temporaries,
        place,
        operator: between.trim().to_string(),
        value,
    };
    let body = unit.loops[leaf.index()].body;
    let temporaries = || this.temporaries.iter();
    let mut taken = vec![this.place, this.value];
    taken.extend(this.before);
    taken.extend(temporaries().map(|t| t.value));
    let suits = unit.constructs.iter().all(|c| {
        let inside = taken.iter().any(|t| t.contains(c.span));
        let around = matches!(c.kind, ConstructKind::Read(_)) || c.span.contains(body);
        inside || around || !body.contains(c.span)
    });
    // What is a type, or a temporary as a whole, says nothing in bodies, and would mean something else.
    let within = |span: Span| tree.within(span);
    let declares = within(body).any(|n| declares_type(tree, n));
    let heads = this.elements.iter().map(|(head, _)| *head);
    let mut read = taken.clone();
    read.extend(heads.chain([this.rounds.0]));
    read.retain(|span| Some(*span) != this.before);
    let bare = temporaries().any(|held| {
        let named =
            |n: &NodeId| tree.kind(*n) == Kind::Identifier && tree.text(*n, text) == held.name;
        let names = read.iter().flat_map(|span| within(*span)).filter(named);
        let spans: Vec<Span> = names.map(|n| tree.span(n)).collect();
        spans
            .iter()
            .any(|name| !held.uses.iter().any(|u| u.contains(*name)))
    });
    if declares || bare {
        return None;
    }
    let uses = temporaries().flat_map(|t| &t.uses);
    let spelled = |u| {
        unit.constructs
            .iter()
            .any(|c| c.span.contains(u) && this.value.contains(c.span))
    };
    // No comment stands beside it.
    let operator = ["+=", "-=", "*="].contains(&this.operator.as_str());
    (suits && operator && !uses.copied().any(spelled)).then_some(this)
}

/// All that stands before a statement in its block, if that is declarations.
fn declarations(tree: &Tree, statement: Span) -> Option<Span> {
    let mut within = tree.within(statement);
    let this = within.find(|&n| tree.span(n) == statement)?;
    let block = tree.parent(this)?;
    let before = { tree.children(block) }.take_while(|&n| n != this);
    let mut all: Option<Span> = None;
    for node in before {
        if tree.kind(node) != Kind::Declaration {
            return None;
        }
        let span = tree.span(node);
        all = Some(all.map_or(span, |a| a.to(span)));
    }
    all
}
