//! The memory that atomics are about, and other parts of their expressions.

use crate::analyze::Context;
use crate::analyze::okl::unit::Unit;
use crate::lex::same_words;
use crate::module::Space;
use crate::syntax::{Field, Kind, NodeId, declarators, parameters};

/// Answers questions about the parts of an atomic.
pub(super) struct Reader<'r, 'a> {
    pub(super) context: &'r Context<'a>,
    pub(super) unit: &'r Unit,
}

/// Whether an expression denotes memory that other items see.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Memory {
    Yes,
    /// An access through something of which nothing is known.
    Maybe,
    No,
}

impl Reader<'_, '_> {
    /// Whether `left = right` is to read `right`, not to write `left`.
    pub(super) fn reads(&self, left: NodeId, right: NodeId) -> bool {
        matches!(
            (self.memory(left), self.memory(right)),
            (Memory::No, Memory::Yes | Memory::Maybe) | (Memory::Maybe, Memory::Yes)
        )
    }

    pub(super) fn memory(&self, node: NodeId) -> Memory {
        let tree = self.context.tree;
        let mut at = tree.unparenthesized(node);
        let mut through = false;
        // How many subscripts and `*` there are, and whether fields are on the way.
        let (mut subscripts, mut fields) = (0i64, false);
        loop {
            let next = match tree.kind(at) {
                Kind::SubscriptExpression => {
                    through = true;
                    subscripts += 1;
                    tree.child(at, Field::Argument)
                }
                Kind::PointerExpression => {
                    let operator = tree.child(at, Field::Operator);
                    let is_address =
                        operator.is_some_and(|o| tree.text(o, self.context.text) != "*");
                    if is_address && !through {
                        return Memory::No;
                    }
                    through = true;
                    subscripts += if is_address { -1 } else { 1 };
                    tree.child(at, Field::Argument)
                }
                Kind::FieldExpression => {
                    fields = true;
                    let arrow = tree.child(at, Field::Operator);
                    through |= arrow.is_some_and(|o| tree.text(o, self.context.text) == "->");
                    tree.child(at, Field::Argument)
                }
                // `m(i, j)`; other calls have no address.
                Kind::CallExpression => {
                    let function = tree.child(at, Field::Function);
                    let name = function.map_or("", |f| tree.text(f, self.context.text));
                    let name = name.rsplit(['.', '>']).next().unwrap_or("");
                    let dimensions = self.unit.scopes.get(name).map(|s| s.dimensions.is_some());
                    let of_field = |f| self.unit.fields.named(self.context, f);
                    if dimensions != Some(true) && function.and_then(of_field).is_none() {
                        return Memory::No;
                    }
                    through = true;
                    function
                }
                // `*(p + i)`
                Kind::BinaryExpression if through => tree.child(at, Field::Left),
                Kind::Identifier => break,
                _ if through => return Memory::Maybe,
                _ => return Memory::No,
            };
            match next {
                Some(next) => at = tree.unparenthesized(next),
                None => return Memory::No,
            }
        }
        let symbol = self.unit.scopes.get(tree.text(at, self.context.text));
        match symbol {
            Some(s) if s.shared => Memory::Yes,
            _ if !through => Memory::No,
            // An element of the item's own; what a variable of its own points to may be anybody's.
            Some(s) if s.item_variable.is_some() && !fields && subscripts <= s.rank as i64 => {
                Memory::No
            }
            Some(s) if s.item_variable.is_some() && s.rank > 0 => Memory::Maybe,
            Some(s) => match s.pointer.and_then(|p| self.unit.space(p)) {
                Some(Space::Constant) => Memory::No,
                Some(Space::Global | Space::Shared) => Memory::Yes,
                Some(Space::Private) => Memory::No,
                None => Memory::Maybe,
            },
            None => Memory::Maybe,
        }
    }

    /// Whether the memory is a `@shared` variable, or an element of one.
    pub(super) fn is_of_group(&self, memory: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.unparenthesized(memory);
        let mut indices = 0;
        while tree.kind(at) == Kind::SubscriptExpression {
            let Some(next) = tree.child(at, Field::Argument) else {
                return false;
            };
            at = tree.unparenthesized(next);
            indices += 1;
        }
        let symbol = self.unit.scopes.get(tree.text(at, self.context.text));
        // What an element points to may be anybody's.
        symbol.is_some_and(|s| s.shared && indices <= s.rank)
    }

    /// Whether no other item sees the memory: an `@exclusive` variable, an array or variable that the
    /// function declares.
    pub(super) fn is_private(&self, memory: NodeId) -> bool {
        let tree = self.context.tree;
        if self.memory(memory) != Memory::No {
            return false;
        }
        let name = tree
            .descendants(memory)
            .find(|&n| tree.kind(n) == Kind::Identifier);
        let calls = self.calls(&[memory]);
        name.is_some_and(|n| !calls && self.is_own(n))
    }

    /// Whether the name is declared, not as a reference, in the function around it.
    pub(super) fn is_own(&self, name: NodeId) -> bool {
        let tree = self.context.tree;
        let text = tree.text(name, self.context.text);
        let mut at = name;
        while let Some(around) = tree.parent(at) {
            let parameters = parameters(tree, around).map_or(Vec::new(), |(list, _)| list);
            let before = tree.children(around).take_while(|&c| c != at);
            let declarations = before.filter(|&c| tree.kind(c) == Kind::Declaration);
            for declaration in parameters.into_iter().chain(declarations) {
                let mut names = declarators(tree, declaration, self.context.text).into_iter();
                if let Some(found) = names.find(|d| d.name == text) {
                    return !found.reference;
                }
            }
            if tree.kind(around) == Kind::FunctionDefinition {
                break;
            }
            at = around;
        }
        false
    }

    /// The same expression, whatever stands between its words and around it.
    pub(super) fn same(&self, a: NodeId, b: NodeId) -> bool {
        let (tree, sema) = (self.context.tree, self.context.sema);
        let (a, b) = (tree.unparenthesized(a), tree.unparenthesized(b));
        let (mut of_a, mut of_b) = (tree.children(a), tree.children(b));
        let mut parts = 0;
        loop {
            match (of_a.next(), of_b.next()) {
                (None, None) => break,
                (Some(x), Some(y)) if self.same(x, y) => parts += 1,
                _ => return false,
            }
        }
        // What is of no kind of its own is told apart by its words.
        let words = parts == 0 || matches!(tree.kind(a), Kind::Other | Kind::LambdaCaptures);
        tree.kind(a) == tree.kind(b)
            && sema.definition(a) == sema.definition(b)
            && (!words
                || same_words(
                    tree.text(a, self.context.text),
                    tree.text(b, self.context.text),
                ))
    }

    /// Evaluating the expression changes nothing.
    pub(super) fn is_plain(&self, expression: NodeId) -> bool {
        !self.changes(expression)
    }

    pub(super) fn changes(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let changes = |n| {
            matches!(
                tree.kind(n),
                Kind::UpdateExpression | Kind::AssignmentExpression
            )
        };
        tree.descendants(node).any(changes)
    }

    pub(super) fn calls(&self, nodes: &[NodeId]) -> bool {
        let tree = self.context.tree;
        let mut all = nodes.iter().flat_map(|&n| tree.descendants(n));
        all.any(|n| tree.kind(n) == Kind::CallExpression)
    }
}
