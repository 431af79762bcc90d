//! Arrays of several dimensions that a group shares: where the text has their elements, and how the passes over bodies say that
//! they lie.

use super::unit::Unit;
use super::walk::Walk;
use crate::lex::mentions;
use crate::module::{ConstructKind, MatrixAccess, MatrixLayout, SharedVariable};
use crate::passes::Matrix;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use foldhash::{HashMap, HashMapExt};

/// A variable by its declaration among the constructs, and its place there.
type Variable = (usize, usize);

impl Walk<'_, '_> {
    /// A use of an array of several dimensions that a group shares.
    pub(super) fn shared_use(&mut self, node: NodeId, variable: (usize, usize)) {
        let tree = self.context.tree;
        let (declaration, which) = variable;
        let construct = self.unit.constructs.get(declaration).map(|c| &c.kind);
        let Some(ConstructKind::Shared { variables, .. }) = construct else {
            return;
        };
        let Some(declared) = variables.get(which) else {
            return;
        };
        let rank = declared.rank;
        let mut brackets = Vec::new();
        let mut at = node;
        while brackets.len() < rank
            && let Some(parent) = tree.parent(at)
        {
            // More subscripts than two become one list.
            let enclosed = tree.kind(parent) == Kind::ParenthesizedExpression;
            if enclosed && (brackets.is_empty() || rank == 2) {
                at = parent;
                continue;
            }
            let element = tree.kind(parent) == Kind::SubscriptExpression
                && tree.child(parent, Field::Argument) == Some(at);
            if !element {
                break;
            }
            let (before, behind) = (tree.span(at).end, tree.span(parent).end);
            let open = self.context.text.get(before as usize..behind as usize);
            let open = open.and_then(|t| t.find('[')).unwrap_or(0);
            brackets.push(Span::new(before + open as u32, behind));
            at = parent;
        }
        let whole = brackets.len() < rank;
        let construct = self.unit.constructs.get_mut(declaration);
        if let Some(ConstructKind::Shared { variables, .. }) = construct.map(|c| &mut c.kind)
            && let Some(declared) = variables.get_mut(which)
        {
            declared.whole |= whole;
        }
        if !whole {
            self.unit.push(
                tree.span(node),
                ConstructKind::SharedElement { variable, brackets },
            );
        }
    }

    /// An element whose value is used.
    pub(super) fn matrix_read(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let mut outer = node;
        while let Some(around) = tree.parent(outer)
            && tree.kind(around) == Kind::ParenthesizedExpression
        {
            outer = around;
        }
        let target = match tree.parent(outer).map(|p| tree.kind(p)) {
            Some(Kind::AssignmentExpression) => tree.field(outer) == Field::Left,
            Some(Kind::UpdateExpression) => true,
            _ => false,
        };
        if !target {
            self.matrix_access(node, None);
        }
    }

    /// A statement that assigns to an element.
    pub(super) fn matrix_written(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let target = tree.child(node, Field::Left);
        let target = target.or_else(|| tree.child(node, Field::Argument));
        let around = tree.parent(node).map(|p| tree.kind(p));
        if let Some(target) = target
            && around == Some(Kind::ExpressionStatement)
        {
            self.matrix_access(target, Some(node));
        }
    }

    /// Notes an access to an element, which an assignment may be made of.
    fn matrix_access(&mut self, node: NodeId, assignment: Option<NodeId>) {
        let tree = self.context.tree;
        if self.root.is_none() || tree.kind(node) != Kind::SubscriptExpression {
            return;
        }
        let Some(row) = tree.child(node, Field::Argument) else {
            return;
        };
        let name = tree.child(row, Field::Argument);
        let Some(name) = name.filter(|_| tree.kind(row) == Kind::SubscriptExpression) else {
            return;
        };
        let symbol = self.unit.scopes.get(tree.text(name, self.context.text));
        let Some(variable) = symbol.and_then(|s| s.shared_at) else {
            return;
        };
        let (Some(first), Some(last)) = (tree.subscript(row), tree.subscript(node)) else {
            return;
        };
        let declaration = self.unit.constructs.get(variable.0).map(|c| &c.kind);
        let Some(ConstructKind::Shared { nest, .. }) = declaration else {
            return;
        };
        let access = MatrixAccess {
            variable,
            name: tree.span(name),
            subscripts: [tree.span(first), tree.span(last)],
            written: assignment.map(|a| tree.span(a).end),
            across: false,
            layout: MatrixLayout::Declared,
            nest: *nest,
        };
        let span = tree.span(assignment.unwrap_or(node));
        self.unit.push(span, ConstructKind::MatrixAccess(access));
    }
}

/// All that the text does with one variable.
#[derive(Default)]
struct Uses {
    /// Elements.
    elements: usize,
    /// Some of them may be in another row.
    leaves_rows: bool,
    /// Accesses to elements of a matrix, by their places among the constructs.
    accesses: Vec<usize>,
}

/// Notes how arrays lie: `kept` says of elements, by where they begin, whether they stay in their rows.
pub(super) fn settle(
    unit: &mut Unit,
    (text, directives): (&str, &[Span]),
    found: &[Matrix],
    kept: &HashMap<u32, bool>,
) {
    let mut uses: HashMap<Variable, Uses> = HashMap::new();
    for (at, construct) in unit.constructs.iter().enumerate() {
        match &construct.kind {
            ConstructKind::SharedElement { variable, .. } => {
                let uses = uses.entry(*variable).or_default();
                uses.elements += 1;
                uses.leaves_rows |= kept.get(&construct.span.start) != Some(&true);
            }
            ConstructKind::MatrixAccess(access) => {
                uses.entry(access.variable).or_default().accesses.push(at);
            }
            _ => {}
        }
    }
    let found: HashMap<Span, &Matrix> = found.iter().map(|m| (m.declared, m)).collect();
    for (place, uses) in uses {
        let Some(variable) = shared(unit, place) else {
            continue;
        };
        variable.leaves_rows = uses.leaves_rows;
        let Some(matrix) = found.get(&variable.name_span) else {
            continue;
        };
        let plain = variable.sizes.len() == 2 && variable.rank == 2 && !variable.whole;
        let counts = [uses.elements, uses.accesses.len()];
        // It may be measured, be meant in a line that is for the compiler, or whatever else is no access to an element.
        let named = |line: &Span| mentions(line.of(text), &[&variable.name]);
        if !plain
            || counts.iter().any(|c| *c != matrix.across.len())
            || directives.iter().any(named)
        {
            continue;
        }
        let across = { uses.accesses.iter() }.map(|at| match &unit.constructs.get(*at)?.kind {
            ConstructKind::MatrixAccess(access) => matrix.across.get(&access.name.start).copied(),
            _ => None,
        });
        let Some(across) = across.collect::<Option<Vec<bool>>>() else {
            continue;
        };
        for (at, across) in uses.accesses.iter().zip(across) {
            if let Some(ConstructKind::MatrixAccess(access)) =
                unit.constructs.get_mut(*at).map(|c| &mut c.kind)
            {
                (access.layout, access.across) = (matrix.layout, across);
            }
        }
        if let Some(variable) = shared(unit, place) {
            variable.layout = matrix.layout;
        }
    }
}

fn shared(unit: &mut Unit, (declaration, which): Variable) -> Option<&mut SharedVariable> {
    match &mut unit.constructs.get_mut(declaration)?.kind {
        ConstructKind::Shared { variables, .. } => variables.get_mut(which),
        _ => None,
    }
}
