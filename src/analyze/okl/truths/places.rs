use super::Truths;
use crate::sema::TypeKind;
use crate::syntax::{Field, Kind, NodeId};
use foldhash::{HashSet, HashSetExt};

impl Truths<'_> {
    /// The parts of indices that may be truth values.
    pub(super) fn places(&self) -> HashSet<usize> {
        let mut found = HashSet::new();
        let tree = self.tree;
        for (function, _) in self.functions.values().flatten() {
            for node in tree.descendants(*function) {
                self.place(node, Some(*function), &mut found);
            }
        }
        found
    }

    fn place(&self, node: NodeId, function: Option<NodeId>, found: &mut HashSet<usize>) {
        let tree = self.tree;
        let child = |field| tree.child(node, field);
        match tree.kind(node) {
            Kind::SubscriptExpression => {
                if let Some(index) = tree.subscript(node) {
                    self.parts(index, function, found);
                }
            }
            Kind::PointerExpression if tree.text(node, self.text).starts_with('*') => {
                let Some(sum) = child(Field::Argument).map(|a| tree.unparenthesized(a)) else {
                    return;
                };
                let side = |field| tree.child(sum, field);
                match (side(Field::Left), side(Field::Right)) {
                    _ if tree.kind(sum) != Kind::BinaryExpression => {}
                    // Those are looked at as sums.
                    (Some(left), Some(right))
                        if self.is_address(left, function) || self.is_address(right, function) => {}
                    _ => self.parts(sum, function, found),
                }
            }
            Kind::BinaryExpression | Kind::AssignmentExpression => {
                let operator = child(Field::Operator).map(|o| tree.text(o, self.text));
                let (Some(left), Some(right)) = (child(Field::Left), child(Field::Right)) else {
                    return;
                };
                if !matches!(operator, Some("+" | "-" | "+=" | "-=")) {
                    return;
                }
                if self.is_address(left, function) {
                    self.parts(right, function, found);
                } else if operator == Some("+") && self.is_address(right, function) {
                    self.parts(left, function, found);
                }
            }
            // `m(i, j)` of a variable with dimensions.
            Kind::CallExpression => {
                let called = child(Field::Function).map(|f| tree.text(f, self.text));
                let is_array = called.is_some_and(|c| self.arrays.contains(&(function, c)));
                let list = child(Field::Arguments).filter(|_| is_array);
                for index in list.into_iter().flat_map(|l| tree.children(l)) {
                    self.parts(index, function, found);
                }
            }
            _ => {}
        }
    }

    /// Whether names show that an expression is an address.
    fn is_address(&self, node: NodeId, function: Option<NodeId>) -> bool {
        let tree = self.tree;
        let mut node = tree.unparenthesized(node);
        loop {
            let words = tree.text(node, self.text);
            match tree.kind(node) {
                Kind::Identifier => return self.arrays.contains(&(function, words)),
                Kind::PointerExpression => return words.starts_with('&'),
                Kind::CastExpression => {
                    let ty = tree.child(node, Field::Type);
                    let kind = ty.map(|t| self.sema.kind(self.sema.described(t)));
                    return matches!(kind, Some(TypeKind::Pointer(_)));
                }
                Kind::BinaryExpression => match tree.child(node, Field::Left) {
                    Some(left) => node = tree.unparenthesized(left),
                    None => return false,
                },
                _ => return false,
            }
        }
    }

    /// The terms of an index: what remains of it keeps its form, which compilers know.
    fn parts(&self, index: NodeId, function: Option<NodeId>, found: &mut HashSet<usize>) {
        if !self.is_truth(index, function) {
            return;
        }
        let tree = self.tree;
        let mut waiting = vec![index];
        while let Some(node) = waiting.pop() {
            let operator = tree.child(node, Field::Operator);
            let operator = operator.map(|o| tree.text(o, self.text));
            match tree.kind(node) {
                Kind::ParenthesizedExpression => waiting.extend(tree.children(node).next()),
                Kind::CommaExpression => waiting.extend(tree.children(node).last()),
                Kind::BinaryExpression if matches!(operator, Some("+" | "-" | "*")) => {
                    waiting.extend(tree.child(node, Field::Left));
                    waiting.extend(tree.child(node, Field::Right));
                }
                _ if self.is_truth(node, function) => {
                    found.insert(node.index());
                }
                _ => {}
            }
        }
    }
}
