//! Matrices that a group shares: which way they lie best where the items of a group are lanes of vectors. Lanes that
//! count the last subscript read a row side by side; what they read across the rows has to be gathered, unless there
//! is a copy that lies the other way.

use super::affine::Growth;
use super::purity::is_pure;
use super::walk::Walk;
use crate::expr;
use crate::lex::lex;
use crate::module::{Construct, ConstructKind, LoopId, LoopKind, MatrixAccess, MatrixLayout};
use crate::syntax::{Field, Kind, NodeId};
use std::collections::HashMap;

/// The most memory of a group, in bytes, that goes into second copies.
const MOST_COPIES: u64 = 64 << 10;

/// How many rounds a loop is taken to have.
const ROUNDS: u64 = 8;

/// By how much fewer accesses out of line are worth another layout.
const WORTH: u64 = 4;

/// A matrix that a group shares.
pub(super) struct Matrix {
    name: String,
    /// Its declaration among the constructs, and which of the declaration's variables it is.
    declaration: (usize, usize),
    /// The block that declares it.
    block: NodeId,
    columns: u64,
    bytes: u64,
    nest: LoopId,
    accesses: Vec<Access>,
}

/// All that its name is used for, if nothing forbids to have it lie in another way.
struct Access {
    /// Its place among the constructs.
    construct: usize,
    writes: bool,
    /// How often it happens, roughly.
    times: u64,
    /// What the lanes of that loop count: the first subscript, or the last.
    lanes: Option<(LoopId, Side)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Last,
}

impl Walk<'_, '_> {
    /// Notes the matrices of numbers of the declaration that was found last.
    pub(super) fn matrices_declared(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let block = tree.parent(node);
        let Some(block) = block.filter(|&b| tree.kind(b) == Kind::CompoundStatement) else {
            return;
        };
        let construct = self.unit.constructs.len().saturating_sub(1);
        let Some(ConstructKind::Shared {
            variables,
            element: Some(element),
            nest,
            ..
        }) = self.unit.constructs.last().map(|c| &c.kind)
        else {
            return;
        };
        for (which, variable) in variables.iter().enumerate() {
            let [(_, Some(rows)), (_, Some(columns))] = *variable.sizes.as_slice() else {
                continue;
            };
            if let Some(symbol) = self.unit.scopes.get_mut(&variable.name) {
                symbol.matrix = Some(self.matrices.len());
            }
            self.matrices.push(Matrix {
                name: variable.name.clone(),
                declaration: (construct, which),
                block,
                columns,
                bytes: rows.saturating_mul(columns).saturating_mul(*element),
                nest: *nest,
                accesses: Vec::new(),
            });
        }
    }

    /// An element whose value is used.
    pub(super) fn matrix_read(&mut self, node: NodeId) {
        if !self.matrices.is_empty() && self.is_value(node) {
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
            && !self.matrices.is_empty()
            && around == Some(Kind::ExpressionStatement)
        {
            self.matrix_access(target, Some(node));
        }
    }

    /// Notes an access to an element, which an assignment may be made of.
    fn matrix_access(&mut self, node: NodeId, assignment: Option<NodeId>) {
        let tree = self.context.tree;
        let text = self.context.text;
        if tree.kind(node) != Kind::SubscriptExpression {
            return;
        }
        let Some(row) = tree.child(node, Field::Argument) else {
            return;
        };
        let name = tree.child(row, Field::Argument);
        let Some(name) = name.filter(|_| tree.kind(row) == Kind::SubscriptExpression) else {
            return;
        };
        let symbol = self.unit.scopes.get(tree.text(name, text));
        let Some(index) = symbol.and_then(|s| s.matrix) else {
            return;
        };
        // Lambdas and atomics have rules of their own; headers of attributed loops are written several times.
        let in_header = self.current.is_some_and(|id| {
            let header = self.unit.loops[id.0 as usize].header_span;
            header.contains(tree.span(node))
        });
        if self.root.is_none() || self.in_atomic || in_header {
            return;
        }
        let (Some(first), Some(last)) = (self.pure_subscript(row), self.pure_subscript(node))
        else {
            return;
        };
        let columns = self.matrices.get(index).map_or(0, |m| m.columns);
        // Behind the end of a row there is another row only where rows lie one behind the other.
        if !self.is_below(last, columns) {
            return;
        }
        let lanes = self.lanes(first, last);
        let Some(matrix) = self.matrices.get_mut(index) else {
            return;
        };
        let mut times: u64 = 1;
        let mut at = tree.parent(node);
        while let Some(around) = at.filter(|&a| a != matrix.block) {
            let is_loop = matches!(
                tree.kind(around),
                Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop
            );
            times = times.saturating_mul(if is_loop { ROUNDS } else { 1 });
            at = tree.parent(around);
        }
        matrix.accesses.push(Access {
            construct: self.unit.constructs.len(),
            writes: assignment.is_some(),
            times,
            lanes,
        });
        let nest = matrix.nest;
        self.unit.push(
            tree.span(assignment.unwrap_or(node)),
            ConstructKind::MatrixAccess(MatrixAccess {
                name: tree.span(name),
                subscripts: [tree.span(first), tree.span(last)],
                written: assignment.map(|a| tree.span(a).end),
                across: lanes.is_some_and(|(_, side)| side == Side::First),
                layout: MatrixLayout::Declared,
                nest,
            }),
        );
    }

    /// What stands between the brackets, if it can stand there twice.
    fn pure_subscript(&self, access: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let index = tree.child(access, Field::Index)?;
        let index = match tree.kind(index) {
            Kind::SubscriptArguments => tree.children(index).next()?,
            _ => index,
        };
        let mut parts = tree.descendants(index);
        let pure = parts.all(|n| is_pure(tree.kind(n), tree.field(n)));
        pure.then_some(index)
    }

    /// The innermost loop over items around here, and which subscript alone its variable is in.
    fn lanes(&self, first: NodeId, last: NodeId) -> Option<(LoopId, Side)> {
        let loops = &self.unit.loops;
        let mut at = self.current;
        while let Some(id) = at.filter(|id| loops[id.0 as usize].kind == LoopKind::Sequential) {
            at = loops[id.0 as usize].parent;
        }
        let id = at.filter(|id| loops[id.0 as usize].kind == LoopKind::Inner)?;
        let variable = &loops[id.0 as usize].header.variable;
        let slope = |node: NodeId| {
            let text = self.context.tree.text(node, self.context.text);
            // Most are plain names, which are not worth an expression.
            match self.context.tree.kind(node) {
                Kind::NumberLiteral => Some(0),
                Kind::Identifier if text == variable => Some(1),
                Kind::Identifier if !self.is_defined(text) => Some(0),
                _ => Growth::new(variable).slope(&self.unit.resolve(&expr::parse(text).ok()?)),
            }
        };
        match (slope(first)?, slope(last)?) {
            (0, 0) => None,
            (_, 0) => Some((id, Side::First)),
            (0, _) => Some((id, Side::Last)),
            _ => None,
        }
    }

    /// Whether a name is that of a constant which may be made of loops' variables.
    fn is_defined(&self, name: &str) -> bool {
        let symbol = self.unit.scopes.get(name);
        symbol.is_some_and(|s| s.definition.is_some())
    }

    /// Decides which way each matrix lies.
    pub(super) fn settle_matrices(&mut self) {
        let mut copied: HashMap<LoopId, u64> = HashMap::new();
        let mut mentions: HashMap<NodeId, HashMap<String, usize>> = HashMap::new();
        for matrix in std::mem::take(&mut self.matrices) {
            let copied = copied.entry(matrix.nest).or_default();
            let layout = self.layout(&matrix, MOST_COPIES.saturating_sub(*copied));
            if layout == MatrixLayout::Declared {
                continue;
            }
            // It may be passed on, hidden, measured, or whatever else is no access to an element.
            let mentions = mentions.entry(matrix.block);
            let mentions = mentions.or_insert_with(|| self.mentions(matrix.block));
            if mentions.get(&matrix.name) != Some(&(matrix.accesses.len() + 1)) {
                continue;
            }
            if layout == MatrixLayout::Both {
                *copied += matrix.bytes;
            }
            let (declaration, which) = matrix.declaration;
            let constructs = &mut self.unit.constructs;
            if let Some(ConstructKind::Shared { variables, .. }) =
                constructs.get_mut(declaration).map(|c| &mut c.kind)
                && let Some(variable) = variables.get_mut(which)
            {
                variable.layout = layout;
            }
            for access in &matrix.accesses {
                if let Some(Construct {
                    kind: ConstructKind::MatrixAccess(access),
                    ..
                }) = constructs.get_mut(access.construct)
                {
                    access.layout = layout;
                }
            }
        }
    }

    /// The layout in which the fewest accesses of lanes are out of line. A second copy is written wherever the first
    /// one is.
    fn layout(&self, matrix: &Matrix, most: u64) -> MatrixLayout {
        let (mut first, mut last, mut writes) = (0u64, 0u64, 0u64);
        for access in &matrix.accesses {
            let side = access.lanes.filter(|(id, _)| self.may_be_vector(*id));
            match side.map(|(_, side)| side) {
                Some(Side::First) => first = first.saturating_add(access.times),
                Some(Side::Last) => last = last.saturating_add(access.times),
                None => {}
            }
            if access.writes {
                writes = writes.saturating_add(access.times);
            }
        }
        let worth = |costs: u64, than: u64| costs < than && costs.saturating_mul(WORTH) <= than;
        if matrix.bytes <= most && worth(writes, first.min(last)) {
            MatrixLayout::Both
        } else if worth(last, first) {
            MatrixLayout::Turned
        } else {
            MatrixLayout::Declared
        }
    }

    /// Whether a loop over items has no other inside, and nothing that keeps it from being a vector.
    fn may_be_vector(&self, id: LoopId) -> bool {
        let this = &self.unit.loops[id.0 as usize];
        let inner = |id: &LoopId| self.has_inner(*id);
        this.plain_body && !this.children.iter().any(inner)
    }

    fn has_inner(&self, id: LoopId) -> bool {
        let this = &self.unit.loops[id.0 as usize];
        this.kind == LoopKind::Inner || this.children.iter().any(|c| self.has_inner(*c))
    }

    /// How often each name is mentioned in a block, be it in a line that is for the compiler.
    fn mentions(&self, block: NodeId) -> HashMap<String, usize> {
        let text = self.context.tree.text(block, self.context.text);
        let mut mentions = HashMap::new();
        for token in lex(text).iter().filter(|t| t.is_identifier()) {
            match mentions.get_mut(token.text(text)) {
                Some(count) => *count += 1,
                None => {
                    mentions.insert(token.text(text).to_string(), 1);
                }
            }
        }
        mentions
    }
}
