//! Integer constants where constants become enumerators, which are `int` and have no place: those of other types are
//! literals of theirs wherever they are used, and those whose address is taken have a place besides.

use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::{ConstructKind, PlacedConstant};
use crate::source::Span;
use crate::syntax::{Declarator, Field, Kind, NodeId, Tree};
use foldhash::HashSet;

/// The name of the place.
fn place(name: &str) -> String {
    format!("brook_at_{name}")
}

/// Records a declaration of integer constants of a type, with their values.
pub(super) fn constants(
    context: &Context<'_>,
    unit: &mut Unit,
    declaration: NodeId,
    scalar: Scalar,
    values: Vec<(String, i64)>,
) {
    let (tree, text) = (context.tree, context.text);
    let pointed = unit.pointed.get_or_insert_with(|| names(tree, text));
    // Larger ones are no enumerators, but constants with a place.
    let small = values.iter().all(|(_, n)| i32::try_from(*n).is_ok());
    let placed: Vec<PlacedConstant> = values
        .iter()
        .filter(|(name, _)| small && pointed.contains(name.as_str()))
        .map(|(name, value)| PlacedConstant {
            place: place(name),
            scalar,
            value: *value,
        })
        .collect();
    if small && scalar != Scalar::Int {
        let declarators = tree.children(declaration);
        let declarators = declarators.filter(|&c| tree.field(c) == Field::Declarator);
        for id in declarators.filter_map(|d| context.sema.declared_by(d)) {
            let name = context.sema.name(id);
            if let Some((_, value)) = values.iter().find(|(n, _)| n == name) {
                unit.literals.insert(id, literal(scalar, *value));
            }
        }
    }
    for (name, _) in values.iter().filter(|_| !placed.is_empty()) {
        unit.placed.insert(name.clone());
    }
    unit.push(
        tree.span(declaration),
        ConstructKind::Constants { values, placed },
    );
}

/// A declaration of integer constants that are numbers for compilers only, such as sizes of structures.
pub(super) fn not_computed(
    context: &Context<'_>,
    unit: &mut Unit,
    declaration: NodeId,
    scalar: Scalar,
    names: &[Declarator],
) {
    let (tree, text) = (context.tree, context.text);
    let span = tree.span(declaration);
    let pointed = unit.pointed.get_or_insert_with(|| self::names(tree, text));
    let assigned = |n: &Declarator| {
        let before = n
            .value
            .map(|v| Span::new(n.name_span.end, tree.span(v).start));
        before.is_some_and(|s| s.of(text).trim() == "=") && !pointed.contains(n.name)
    };
    let semicolon = Span::new(span.end - 1, span.end);
    match names.first() {
        Some(first)
            if scalar == Scalar::Int && names.iter().all(assigned) && semicolon.of(text) == ";" =>
        {
            let head = Span::new(span.start, first.span.start);
            unit.push(head, ConstructKind::EnumeratorsBegin);
            unit.push(semicolon, ConstructKind::InC(" };".to_string()));
        }
        _ => unit.push(
            span,
            ConstructKind::Constants {
                values: Vec::new(),
                placed: Vec::new(),
            },
        ),
    }
}

/// A number as a literal of its type.
fn literal(scalar: Scalar, value: i64) -> String {
    let suffix = match scalar {
        Scalar::UInt => "u",
        Scalar::Long => "L",
        Scalar::ULong => "UL",
        narrow => return format!("(({}){value})", narrow.c_name()),
    };
    match value < 0 {
        true => format!("({value}{suffix})"),
        false => format!("{value}{suffix}"),
    }
}

/// All names that stand behind `&`.
fn names(tree: &Tree, text: &str) -> HashSet<String> {
    let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    all.filter_map(|node| Some(tree.text(pointed(tree, text, node)?, text).to_string()))
        .collect()
}

/// The name in `&name`.
fn pointed(tree: &Tree, text: &str, node: NodeId) -> Option<NodeId> {
    let takes =
        tree.kind(node) == Kind::PointerExpression && tree.text(node, text).starts_with('&');
    let argument = tree.unparenthesized(tree.child(node, Field::Argument).filter(|_| takes)?);
    (tree.kind(argument) == Kind::Identifier).then_some(argument)
}

impl Walk<'_, '_> {
    /// The use of a constant that is no `int`.
    pub(super) fn constant_literal(&mut self, node: NodeId) {
        if self.unit.literals.is_empty() {
            return;
        }
        let (tree, text, sema) = (self.context.tree, self.context.text, self.context.sema);
        let Some(id) = sema.definition(node) else {
            return;
        };
        let declares = sema.name_span(id) == tree.span(node);
        let around = std::iter::successors(tree.parent(node), |&n| tree.parent(n))
            .find(|&n| tree.kind(n) != Kind::ParenthesizedExpression);
        let is_pointed = around.is_some_and(|n| pointed(tree, text, n).is_some());
        if let Some(literal) = self
            .unit
            .literals
            .get(&id)
            .filter(|_| !declares && !is_pointed)
        {
            let literal = literal.clone();
            self.unit.push(tree.span(node), ConstructKind::InC(literal));
        }
    }

    /// `&c` of a constant that has a place.
    pub(super) fn constant_address(&mut self, node: NodeId) {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some(name) = pointed(tree, text, node) else {
            return;
        };
        let words = tree.text(name, text);
        if self.unit.placed.contains(words)
            && self.unit.scopes.get(words).is_some_and(|s| s.constant)
        {
            self.unit
                .push(tree.span(name), ConstructKind::InC(place(words)));
        }
    }
}
