//! Nests whose items may access elements of several iterations at once: what their bodies say is found in the text again.

use super::unit::Unit;
use crate::analyze::work::work;
use crate::expr::{Expr, Scalar};
use crate::module::{
    Construct, ConstructKind, Elementwise, IndexDeclaration, Loop, LoopId, LoopKind,
    MOST_OPERATIONS,
};
use crate::passes::WideAccess;
use crate::sema::Sema;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators, is_record};
use foldhash::{HashMap, HashSet};

/// Whether it is a statement with attributes, which is where the statement is.
pub(super) fn is_around(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == Kind::AttributedStatement
}

/// The statements of a block, or the one that stands in the place of one.
fn block(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    match tree.kind(node) {
        Kind::CompoundStatement => tree.children(node).collect(),
        _ => vec![node],
    }
}

fn is_leaf(this: &Loop) -> bool {
    let header = &this.header;
    let upward = !header.down && header.step == Expr::int(1);
    let integer = matches!(
        header.scalar,
        Some(Scalar::Int | Scalar::Long | Scalar::UInt | Scalar::ULong)
    );
    this.kind == LoopKind::Inner && this.axis == 0 && upward && integer
}

/// The loops of a file by their statements: outer ones along x, and innermost ones.
pub(super) struct Loops {
    outer: HashMap<Span, LoopId>,
    leaves: HashMap<Span, LoopId>,
}

impl Loops {
    pub(super) fn of(unit: &Unit) -> Self {
        let all = |wanted: &dyn Fn(&Loop) -> bool| {
            let all = (0..unit.loops.len()).map(LoopId::at);
            let named = all.map(|id| (&unit.loops[id.index()], id));
            let found = named.filter(|(l, _)| wanted(l)).map(|(l, id)| (l.span, id));
            found.collect()
        };
        Self {
            outer: all(&|l| l.kind == LoopKind::Outer && l.axis == 0),
            leaves: all(&|l| l.children.is_empty() && is_leaf(l)),
        }
    }

    /// The body of the innermost loop, if all loops of the nest run as they are, on every item of a group.
    pub(super) fn body(&self, unit: &Unit, found: &WideAccess) -> Option<Span> {
        let leaf = *self.leaves.get(&found.leaf)?;
        let mut around = Some(leaf);
        while let Some(id) = around {
            let this = &unit.loops[id.index()];
            if this.guarded
                || !this.absent.is_empty()
                || !this.constants.is_empty()
                || this.barrier_before
                || this.barrier_after
                || this.kind == LoopKind::Sequential
            {
                return None;
            }
            around = this.parent;
        }
        Some(unit.loops[leaf.index()].body)
    }
}

/// What the pass has found, with the node of the innermost loop's body.
pub(super) fn described(
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    unit: &Unit,
    loops: &Loops,
    body: NodeId,
    found: WideAccess,
) -> Option<Elementwise> {
    // Indices are written where types and numbers that the body declares are not known.
    if tree.descendants(body).any(|n| declares_type(tree, n)) {
        return None;
    }
    let statements = block(tree, body);
    let (first, rest) = first((tree, text), &found, &statements)?;
    let begin = statements.get(..statements.len() - rest.len())?;
    let (guard, rest) = match (found.guarded, rest) {
        (false, _) => (None, rest.to_vec()),
        (true, [only]) if tree.kind(*only) == Kind::IfStatement => {
            let condition = tree.child(*only, Field::Condition)?;
            let then = tree.child(*only, Field::Consequence)?;
            (Some(tree.span(condition)), block(tree, then))
        }
        (true, _) => return None,
    };
    // Both are written again for each iteration that an item runs.
    let short = |list: &[NodeId]| {
        let operations = work(tree, sema, list).straight();
        operations.is_some_and(|n| 2 * n <= MOST_OPERATIONS)
    };
    if !short(begin) || !short(&rest) {
        return None;
    }
    let span = Span::new(
        tree.span(*rest.first()?).start,
        tree.span(*rest.last()?).end,
    );
    // Indices, the condition and what these are computed of are written again, before the rest and behind it.
    let indices = found.elements.iter().map(|e| e.index);
    let first_spans = first.iter().map(|f| f.span);
    let again: Vec<Span> = indices.chain(first_spans).chain(guard).collect();
    let declared: HashSet<&str> = found.declared.iter().map(String::as_str).collect();
    let hidden = |n: NodeId| {
        tree.kind(n) == Kind::Identifier
            && declared.contains(tree.text(n, text))
            && again.iter().any(|s| s.contains(tree.span(n)))
    };
    let hides_array = found
        .elements
        .iter()
        .any(|e| found.declared.contains(&e.array));
    if hides_array || tree.descendants(body).any(hidden) {
        return None;
    }
    let leaf = *loops.leaves.get(&found.leaf)?;
    // What the loop asks stands behind what is declared first, too.
    let mut around = Some(leaf);
    while let Some(id) = around {
        let this = &unit.loops[id.index()];
        let mut names = first.iter().flat_map(|f| &f.names);
        if names.any(|n| this.header.names.contains(n)) {
            return None;
        }
        around = this.parent;
    }
    // What is copied or replaced must have nothing in it that a backend spells differently, and must not be part of what it
    // spells anew.
    let uses = || found.elements.iter().flat_map(|e| &e.uses).map(|u| u.span);
    let own: Vec<Span> = again.iter().copied().chain(uses()).collect();
    let spelled = |c: &Construct| match c.kind {
        ConstructKind::Read(_) => false,
        ConstructKind::Intrinsic { .. } => {
            own.iter().any(|s| s.contains(c.span)) || uses().any(|u| c.span.contains(u))
        }
        _ => own.iter().any(|s| s.contains(c.span)),
    };
    if unit.constructs.iter().any(spelled) {
        return None;
    }
    Some(Elementwise {
        leaf,
        outer: *loops.outer.get(&found.outer)?,
        first,
        guard,
        rest: span,
        work: work(tree, sema, &rest),
        elements: found.elements,
        asked: found.asked,
        repeats: found.repeats,
        total: found.total,
    })
}

/// Whether a type, its members or another name for one are declared there.
pub(super) fn declares_type(tree: &Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::TypeDefinition
        | Kind::AliasDeclaration
        | Kind::UsingDeclaration
        | Kind::NamespaceAlias => true,
        kind => {
            let specifies = is_record(kind) || kind == Kind::EnumSpecifier;
            specifies && tree.child(node, Field::Body).is_some()
        }
    }
}

/// The statements that the pass knows by their declarators, and those behind them.
fn first<'s>(
    (tree, text): (&Tree, &str),
    found: &WideAccess,
    statements: &'s [NodeId],
) -> Option<(Vec<IndexDeclaration>, &'s [NodeId])> {
    let mut first = Vec::new();
    let mut left = found.first.as_slice();
    let mut rest = statements;
    while let [statement, others @ ..] = rest
        && !left.is_empty()
    {
        if tree.kind(*statement) != Kind::Declaration {
            return None;
        }
        let span = tree.span(*statement);
        let names: Vec<String> = { declarators(tree, *statement, text).into_iter() }
            .map(|d| d.name.to_string())
            .collect();
        let own = left.iter().take_while(|d| span.contains(**d)).count();
        // Some of its variables may belong to the rest.
        if own != names.len() {
            return None;
        }
        left = left.get(own..)?;
        first.push(IndexDeclaration { span, names });
        rest = others;
    }
    left.is_empty().then_some((first, rest))
}
