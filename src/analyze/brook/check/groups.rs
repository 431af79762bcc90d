use super::Checker;
use super::parameters::Size;
use super::symbols::Role;
use super::types::Ty;
use crate::diagnostics::codes;
use crate::source::Span;
use crate::syntax::{AttributeUse, Declarator, Field, Kind, NodeId};

/// `Attribute[GroupSize(n)]`
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupSize(pub(super) u64);

/// Most items in a group.
const MOST_ITEMS: u64 = 1024;
/// Most words of 32 bits in the shared array.
const MOST_WORDS: u64 = 4096;
/// Most words of it that belong to one item.
const MOST_WORDS_EACH: u64 = 64;

impl Checker<'_, '_> {
    /// The kernel's attributes, all but `kernel` and `reduce`.
    pub(super) fn group_size(&mut self, attributes: &[AttributeUse]) -> Option<GroupSize> {
        let mut found: Option<GroupSize> = None;
        let lists = attributes.iter().filter(|a| a.name == "attribute");
        for attribute in lists {
            for piece in attribute.split() {
                if found.is_some() {
                    let shown = format!("Attribute(({piece}))");
                    self.report(&codes::BROOK_GROUP_MORE, attribute.span, &[&shown]);
                    continue;
                }
                found = Some(self.one_group_size(piece, attribute.span));
            }
        }
        found
    }

    fn one_group_size(&mut self, piece: &str, span: Span) -> GroupSize {
        let inside = piece
            .strip_prefix("GroupSize")
            .and_then(|t| t.trim().strip_prefix('('))
            .and_then(|t| t.strip_suffix(')'));
        let Some(inside) = inside else {
            self.report(&codes::BROOK_ATTRIBUTE, span, &[&piece]);
            return GroupSize(1);
        };
        let values: Vec<&str> = inside.split(',').map(str::trim).collect();
        let shown = format!("Attribute((GroupSize({})))", values.join(", "));
        let numbers: Vec<Option<u64>> = values.iter().map(|v| v.parse().ok()).collect();
        if values.len() > 4 {
            self.report(&codes::BROOK_GROUP_COMPONENTS, span, &[&shown]);
        }
        for (index, number) in numbers.iter().enumerate().skip(1).rev() {
            if *number != Some(1) {
                let dimension = index + 1;
                let code = &codes::BROOK_GROUP_DIMENSION;
                self.report(code, span, &[&dimension, &shown]);
            }
        }
        match numbers.first().copied().flatten() {
            Some(n) if n > MOST_ITEMS => {
                self.report(&codes::BROOK_GROUP_FIRST, span, &[&shown]);
                GroupSize(n)
            }
            Some(n) if n > 0 => GroupSize(n),
            _ => {
                self.report(&codes::BROOK_GROUP_VALUES, span, &[&shown]);
                GroupSize(1)
            }
        }
    }

    /// A local variable with `shared` in front.
    pub(super) fn shared_array(&mut self, name: &Declarator, ty: Ty) -> Role {
        if name.sizes.is_empty() {
            self.report(&codes::BROOK_GROUP_SHARED_ARRAY, name.span, &[]);
            return Role::Local { constant: false };
        }
        if name.sizes.len() > 1 {
            for _ in 0..2 {
                self.report(&codes::BROOK_GROUP_SHARED_RANK, name.span, &[]);
            }
            return Role::Shared(None);
        }
        let size = match name.sizes.first().copied().flatten() {
            Some(node) => (self.size(node), self.span(node)),
            None => (Size::NotSimple, name.span),
        };
        let code = match size.0 {
            Size::Given(elements) => return self.sized_shared_array(name, ty, elements),
            Size::NotPositive => &codes::BROOK_GROUP_LOCAL_SIZE,
            Size::NotInteger => &codes::BROOK_GROUP_LOCAL_CONSTANT,
            Size::NotSimple => &codes::BROOK_GROUP_LOCAL_SIMPLE,
        };
        for _ in 0..2 {
            self.report(code, size.1, &[]);
        }
        Role::Shared(None)
    }

    fn sized_shared_array(&mut self, name: &Declarator, ty: Ty, elements: u64) -> Role {
        let bytes = ty.arithmetic().map_or(0, |t| t.size() as u64);
        let words = elements * bytes / 4;
        let group = self.here.group.map_or(1, |g| g.0);
        let rules = [
            (
                self.here.group.is_none(),
                &codes::BROOK_GROUP_SHARED_OUTSIDE,
            ),
            (bytes != 16, &codes::BROOK_GROUP_SHARED_TYPE),
            (self.here.shares, &codes::BROOK_GROUP_SHARED_ONE),
            (words > MOST_WORDS, &codes::BROOK_GROUP_SHARED_SIZE),
            (
                !(words / group).is_multiple_of(4),
                &codes::BROOK_GROUP_SHARED_MULTIPLE,
            ),
            (
                words / group > MOST_WORDS_EACH,
                &codes::BROOK_GROUP_SHARED_STRETCH,
            ),
            (
                !words.is_multiple_of(group),
                &codes::BROOK_GROUP_SHARED_REST,
            ),
        ];
        for (broken, code) in rules {
            if broken {
                self.report(code, name.span, &[]);
            }
        }
        if name.value.is_some() {
            self.report(&codes::BROOK_GROUP_SHARED_VALUE, name.span, &[]);
        }
        self.here.shares = true;
        Role::Shared(Some(elements))
    }

    /// The index of an element of the shared array that is written: each item writes its own stretch,
    /// `stride * instanceInGroup().x + offset`. Lone numbers and variables are not looked at.
    pub(super) fn shared_write(&mut self, index: NodeId, elements: Option<u64>) {
        let tree = self.context.tree;
        let index = tree.unparenthesized(index);
        let span = self.span(index);
        let sum = self.parts(index, "+");
        let Some((left, right)) = sum else {
            if matches!(
                self.kind(index),
                Kind::BinaryExpression | Kind::FieldExpression
            ) {
                self.report(&codes::BROOK_GROUP_INDEX_FORM, span, &[]);
            }
            return;
        };
        let product = |this: &Self, node| this.parts(node, "*").map(|parts| (parts, node));
        let (product, offset) = match (product(self, left), product(self, right)) {
            (Some((parts, _)), _) => (parts, right),
            (None, Some((parts, _))) => (parts, left),
            (None, None) => {
                self.report(&codes::BROOK_GROUP_INDEX_FORM, span, &[]);
                return;
            }
        };
        let stretch = elements.map(|n| n / self.here.group.map_or(1, |g| g.0));
        let stride = match product {
            (a, b) if self.is_item(a) => b,
            (a, b) if self.is_item(b) => a,
            _ => {
                self.report(&codes::BROOK_GROUP_INDEX_ITEM, span, &[]);
                return;
            }
        };
        let (stride_span, offset_span) = (self.span(stride), self.span(offset));
        match (self.size(stride), stretch) {
            (Size::Given(n), Some(stretch)) if n != stretch => {
                self.report(&codes::BROOK_GROUP_INDEX_STRIDE, stride_span, &[&stretch]);
            }
            (Size::Given(_), _) => {}
            _ => self.report(&codes::BROOK_GROUP_INDEX_STRIDE_INTEGER, stride_span, &[]),
        }
        let zero = self.word(offset) == "0";
        match (self.size(offset), stretch) {
            (Size::Given(n), Some(stretch)) if n >= stretch => {
                let code = &codes::BROOK_GROUP_INDEX_OFFSET_RANGE;
                self.report(code, offset_span, &[&n, &stretch]);
            }
            (Size::Given(_), _) => {}
            _ if zero => {}
            (Size::NotInteger, _) => {
                self.report(&codes::BROOK_GROUP_INDEX_OFFSET_INTEGER, offset_span, &[]);
            }
            _ => self.report(&codes::BROOK_GROUP_INDEX_OFFSET, offset_span, &[]),
        }
    }

    /// The operands of a binary expression with that operator.
    fn parts(&self, node: NodeId, operator: &str) -> Option<(NodeId, NodeId)> {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        let found = tree.child(node, Field::Operator)?;
        let matches = self.kind(node) == Kind::BinaryExpression && self.word(found) == operator;
        let (left, right) = (
            tree.child(node, Field::Left)?,
            tree.child(node, Field::Right)?,
        );
        matches.then(|| (tree.unparenthesized(left), tree.unparenthesized(right)))
    }

    /// `instanceInGroup().x`
    fn is_item(&self, node: NodeId) -> bool {
        let words: String = self.word(node).split_whitespace().collect();
        words == "instanceInGroup().x"
    }
}
