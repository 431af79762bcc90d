//! Arrays of several dimensions that a group shares: where rows are left, and where more than elements is used.

use super::walk::Walk;
use crate::module::ConstructKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

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
        let sizes: Vec<Option<u64>> = declared.sizes.iter().map(|s| s.1).collect();
        let mut brackets = Vec::new();
        let mut leaves_rows = false;
        let mut at = node;
        while brackets.len() < rank
            && let Some(parent) = tree.parent(at)
            && tree.kind(parent) == Kind::SubscriptExpression
            && tree.child(parent, Field::Argument) == Some(at)
        {
            let (before, behind) = (tree.span(at).end, tree.span(parent).end);
            let open = self.context.text.get(before as usize..behind as usize);
            let open = open.and_then(|t| t.find('[')).unwrap_or(0);
            let index = tree.child(parent, Field::Index).and_then(|i| {
                match tree.kind(i) == Kind::SubscriptArguments {
                    true => tree.children(i).next(),
                    false => Some(i),
                }
            });
            let size = sizes.get(brackets.len()).copied().flatten();
            if let Some(index) = index.filter(|_| !brackets.is_empty()) {
                leaves_rows |= !size.is_some_and(|n| self.is_below(index, n));
            }
            brackets.push(Span::new(before + open as u32, behind));
            at = parent;
        }
        let whole = brackets.len() < rank;
        let construct = self.unit.constructs.get_mut(declaration);
        if let Some(ConstructKind::Shared { variables, .. }) = construct.map(|c| &mut c.kind)
            && let Some(declared) = variables.get_mut(which)
        {
            declared.whole |= whole;
            declared.leaves_rows |= leaves_rows;
        }
        if !whole {
            self.unit.push(
                tree.span(node),
                ConstructKind::SharedElement { variable, brackets },
            );
        }
    }
}
