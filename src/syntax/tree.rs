use super::{Field, Kind};
use crate::source::Span;

/// A node of one [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The node at a position in that order.
    pub(crate) fn at(index: usize) -> Self {
        Self(index as u32)
    }

    /// Position in the tree's order of nodes, which is pre-order: for tables kept beside a tree.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) kind: Kind,
    pub(super) field: Field,
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) next_sibling: u32,
}

/// A syntax tree: named nodes and operators, without comments, in pre-order.
#[derive(Debug, Default)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Links a new node behind `previous`, or as first child of its parent.
    pub(super) fn link(&mut self, parent: Option<NodeId>, previous: Option<NodeId>, node: NodeId) {
        match (previous, parent) {
            (Some(previous), _) => self.nodes[previous.index()].next_sibling = node.0,
            (None, Some(parent)) => self.nodes[parent.index()].first_child = node.0,
            (None, None) => {}
        }
    }

    pub(super) fn node(span: Span, kind: Kind, field: Field, parent: Option<NodeId>) -> Node {
        let parent = parent.map_or(NONE, |p| p.0);
        Node {
            span,
            kind,
            field,
            parent,
            first_child: NONE,
            next_sibling: NONE,
        }
    }

    fn optional(id: u32) -> Option<NodeId> {
        (id != NONE).then_some(NodeId(id))
    }

    /// The whole text's node; `None` if the tree is empty.
    pub fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What the node is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.index()].kind
    }

    /// What the node is to its parent.
    pub fn field(&self, id: NodeId) -> Field {
        self.nodes[id.index()].field
    }

    /// Its bytes.
    pub fn span(&self, id: NodeId) -> Span {
        self.nodes[id.index()].span
    }

    /// Its text.
    pub fn text<'a>(&self, id: NodeId, source: &'a str) -> &'a str {
        self.span(id).of(source)
    }

    /// The node around it.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Self::optional(self.nodes[id.index()].parent)
    }

    /// Its children in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = Self::optional(self.nodes[id.index()].first_child);
        std::iter::successors(first, |n| {
            Self::optional(self.nodes[n.index()].next_sibling)
        })
    }

    /// Its children before the first declarator: what a declaration's names have in common.
    pub fn specifiers(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let all = self.children(id);
        all.take_while(|&c| self.field(c) != Field::Declarator)
    }

    /// What follows the node in the one around it, in order.
    pub fn siblings_behind(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(id), |n| {
            Self::optional(self.nodes[n.index()].next_sibling)
        })
        .skip(1)
    }

    /// What stands between the brackets of `a[i]`; of several indices, the first.
    pub fn subscript(&self, access: NodeId) -> Option<NodeId> {
        let index = self.child(access, Field::Index)?;
        match self.kind(index) {
            Kind::SubscriptArguments => self.children(index).next(),
            _ => Some(index),
        }
    }

    /// Its first child in that role.
    pub fn child(&self, id: NodeId, field: Field) -> Option<NodeId> {
        self.children(id).find(|&c| self.field(c) == field)
    }

    /// Its first child of that kind.
    pub fn child_of_kind(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(id).find(|&c| self.kind(c) == kind)
    }

    /// The node and everything below it, in pre-order.
    pub fn descendants(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        (id.0..self.end_of(id) as u32).map(NodeId)
    }

    /// The nodes that lie in a span, in pre-order.
    pub fn within(&self, span: Span) -> impl Iterator<Item = NodeId> + '_ {
        // Nodes that come later begin later, or within those that begin where they do.
        let first = self.nodes.partition_point(|n| n.span.start < span.start);
        let begun = self.nodes[first..].iter().enumerate();
        begun
            .take_while(move |(_, n)| n.span.start < span.end)
            .filter(move |(_, n)| span.contains(n.span))
            .map(move |(behind, _)| NodeId((first + behind) as u32))
    }

    /// The [index](NodeId::index) of the first node behind everything below a node.
    pub fn end_of(&self, id: NodeId) -> usize {
        // Pre-order: a subtree is a contiguous range that ends where the next node is no
        // descendant, which is the next sibling of the node or of one of its ancestors.
        let mut at = Some(id);
        while let Some(node) = at {
            let next = self.nodes[node.index()].next_sibling;
            if next != NONE {
                return next as usize;
            }
            at = self.parent(node);
        }
        self.nodes.len()
    }

    /// Whether `inner` is `outer` or lies below it.
    pub fn is_within(&self, inner: NodeId, outer: NodeId) -> bool {
        let mut at = Some(inner);
        while let Some(node) = at {
            if node == outer {
                return true;
            }
            at = self.parent(node);
        }
        false
    }

    /// The expression inside any parentheses around it.
    pub fn unparenthesized(&self, mut id: NodeId) -> NodeId {
        while matches!(
            self.kind(id),
            Kind::ParenthesizedExpression | Kind::ConditionClause
        ) {
            match self.children(id).next() {
                Some(inner) => id = inner,
                None => break,
            }
        }
        id
    }
}
