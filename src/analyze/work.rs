use crate::module::Work;
use crate::sema::Sema;
use crate::syntax::{Field, Kind, NodeId, Tree};
use foldhash::{HashSet, HashSetExt};

/// What some statements do, with the functions that they call.
pub(super) fn work(tree: &Tree, sema: &Sema<'_>, statements: &[NodeId]) -> Work {
    of(tree, statements, |call| Some(sema.callees(call)), |_| false)
}

/// What each item of a nest does: loops over groups and items are none of its own.
pub(super) fn work_of_items(
    tree: &Tree,
    sema: &Sema<'_>,
    nest: NodeId,
    over_items: impl Fn(NodeId) -> bool,
) -> Work {
    of(tree, &[nest], |call| Some(sema.callees(call)), over_items)
}

/// What a body does itself.
pub(super) fn own_work(tree: &Tree, body: NodeId) -> Work {
    of(tree, &[body], |_| None, |_| false)
}

fn of(
    tree: &Tree,
    statements: &[NodeId],
    callees: impl Fn(NodeId) -> Option<Vec<NodeId>>,
    over_items: impl Fn(NodeId) -> bool,
) -> Work {
    let mut out = Work::default();
    let mut seen: HashSet<NodeId> = HashSet::new();
    let mut left = statements.to_vec();
    while let Some(node) = left.pop() {
        for n in tree.descendants(node) {
            match tree.kind(n) {
                Kind::WhileStatement | Kind::DoStatement | Kind::GotoStatement => {
                    out.loops = true;
                    out.leaves = true;
                }
                Kind::BreakStatement => out.leaves = true,
                Kind::ForStatement if over_items(n) => {}
                Kind::ForStatement | Kind::ForRangeLoop => {
                    out.loops = true;
                    let mut head = tree.children(n).filter(|&c| tree.field(c) != Field::Body);
                    let is_access = |n: NodeId| tree.kind(n) == Kind::SubscriptExpression;
                    out.bounds_in_memory |= head.any(|c| tree.descendants(c).any(is_access));
                }
                Kind::CallExpression => {
                    out.operations += 1;
                    let called = callees(n);
                    // `double(x)` is a cast.
                    let function = tree.child(n, Field::Function).map(|f| tree.kind(f));
                    let named =
                        matches!(function, Some(Kind::Identifier | Kind::QualifiedIdentifier));
                    let library = named && called.as_ref().is_some_and(Vec::is_empty);
                    out.library += usize::from(library);
                    left.extend(called.into_iter().flatten().filter(|&c| seen.insert(c)));
                }
                // Grammars take some of them for numbers.
                Kind::UnaryExpression
                    if tree
                        .child(n, Field::Argument)
                        .is_some_and(|a| tree.kind(a) == Kind::NumberLiteral) => {}
                kind if is_operation(kind) => out.operations += 1,
                _ => {}
            }
        }
    }
    out
}

fn is_operation(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::BinaryExpression
            | Kind::UnaryExpression
            | Kind::UpdateExpression
            | Kind::AssignmentExpression
            | Kind::InitDeclarator
            | Kind::ConditionalExpression
            | Kind::SubscriptExpression
            | Kind::PointerExpression
            | Kind::CastExpression
    )
}
