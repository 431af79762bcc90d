//! The forms of atomics: updates, reads, writes, exchanges, alone and in pairs.

use super::objects::Object;
use super::places::{Memory, Reader};
use crate::analyze::okl::components::component;
use crate::analyze::okl::symbols::Refers;
use crate::expr::Scalar;
use crate::module::{
    Atomic, AtomicComponent, AtomicOperation, AtomicOperator, AtomicResult, AtomicShape, Origin,
    Space,
};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

/// A change of memory, and whether the expression's value is that after it.
struct Change {
    operation: AtomicOperation,
    memory: NodeId,
    after: bool,
    expression: NodeId,
}

/// An atomic.
pub(super) struct Found {
    pub(super) atomic: Atomic,
    /// Its memory.
    pub(super) memory: NodeId,
    /// What changes it, or reads it.
    pub(super) expression: NodeId,
}

impl Reader<'_, '_> {
    pub(super) fn expression_of(&self, statement: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let is_expression = tree.kind(statement) == Kind::ExpressionStatement;
        tree.children(statement).next().filter(|_| is_expression)
    }

    /// A statement of one expression.
    pub(super) fn single(&self, expression: NodeId) -> Option<Found> {
        let tree = self.context.tree;
        let expression = tree.unparenthesized(expression);
        if let Some((left, right)) = self.assignment(expression) {
            let inner = tree.unparenthesized(right);
            let assigns = matches!(
                tree.kind(inner),
                Kind::UpdateExpression | Kind::AssignmentExpression
            );
            if assigns {
                let change = self.change(inner)?;
                self.is_plain(left).then_some(())?;
                let target = Some(tree.span(left));
                let mut found = self.atomic(&change, Some(target), AtomicShape::Expression);
                found.atomic.bare &= right == inner;
                return Some(found);
            }
            if self.reads(left, inner) {
                self.is_plain(left).then_some(())?;
                self.is_plain(inner).then_some(())?;
                return Some(self.read(inner, Some(tree.span(left)), AtomicShape::Expression));
            }
        }
        let change = self.change(expression)?;
        Some(self.atomic(&change, None, AtomicShape::Expression))
    }

    /// What a variable is initialised with.
    pub(super) fn initializer(&self, value: NodeId) -> Option<Found> {
        let tree = self.context.tree;
        let inner = tree.unparenthesized(value);
        if let Some(change) = self.change(inner) {
            return Some(self.atomic(&change, Some(None), AtomicShape::Initializer));
        }
        let reads = self.memory(inner) != Memory::No && self.is_plain(inner);
        reads.then(|| self.read(inner, None, AtomicShape::Initializer))
    }

    /// `{ old = x; x = v; }`, `{ x += v; now = x; }`
    pub(super) fn pair(&self, first: NodeId, second: NodeId) -> Option<Found> {
        let tree = self.context.tree;
        let first = tree.unparenthesized(self.expression_of(first)?);
        let second = tree.unparenthesized(self.expression_of(second)?);
        let try_order = |copy: NodeId, change: NodeId, after: bool| {
            let (target, source) = self.assignment(copy)?;
            let change = self.change(change)?;
            let same = self.same(source, change.memory) && self.is_plain(target);
            let other = !self.same(target, change.memory) && !self.value_mentions(&change, target);
            (same && other).then(|| {
                let change = Change { after, ..change };
                let target = Some(tree.span(target));
                self.atomic(&change, Some(target), AtomicShape::Block)
            })
        };
        try_order(first, second, false).or_else(|| try_order(second, first, true))
    }

    /// How many bytes the memory has, where that is known.
    fn bytes(&self, memory: NodeId) -> Option<usize> {
        let sema = &self.context.sema;
        let scalar = sema.scalar(memory).map(Scalar::size);
        scalar.or_else(|| match self.object(memory) {
            Object::Whole { object, .. } => Some(object.size),
            Object::Number | Object::Impossible(_) => None,
        })
    }

    fn atomic(&self, change: &Change, result: Option<Option<Span>>, shape: AtomicShape) -> Found {
        let after = change.after;
        let atomic = Atomic {
            operation: change.operation,
            memory: self.context.tree.span(change.memory),
            places: match change.operation {
                AtomicOperation::Compute { .. } => self.places(change.memory, change.expression),
                _ => Vec::new(),
            },
            result: result.map(|target| AtomicResult { target, after }),
            shape,
            bytes: self.bytes(change.memory),
            object: None,
            component: self.component(change.memory),
            // OpenMP does not say how often it evaluates the operands.
            bare: self.is_plain(change.memory)
                && self.is_plain_value(change)
                && !self.is_bracketed(change),
            group: self.is_of_group(change.memory),
        };
        Found {
            atomic,
            memory: change.memory,
            expression: change.expression,
        }
    }

    /// The component of a vector that the memory is.
    fn component(&self, memory: NodeId) -> Option<AtomicComponent> {
        let tree = self.context.tree;
        let memory = tree.unparenthesized(memory);
        let found = component(self.context, memory)?;
        let mut names = tree.descendants(memory);
        let name = names.find(|&n| tree.kind(n) == Kind::Identifier)?;
        let symbol = self.unit.scopes.get(tree.text(name, self.context.text))?;
        let own = Origin::Space(Space::Private);
        Some(AtomicComponent {
            vector: found.vector,
            index: found.index,
            base: tree.span(found.base),
            arrow: found.arrow,
            origin: match symbol.refers {
                Some(Refers::Pointer(origin)) => origin,
                _ => symbol.pointer.unwrap_or(own),
            },
        })
    }

    fn read(&self, memory: NodeId, target: Option<Span>, shape: AtomicShape) -> Found {
        let change = Change {
            operation: AtomicOperation::Read,
            memory,
            after: false,
            expression: memory,
        };
        self.atomic(&change, Some(target), shape)
    }

    /// The two sides of a plain assignment.
    fn assignment(&self, expression: NodeId) -> Option<(NodeId, NodeId)> {
        let tree = self.context.tree;
        let is_assignment = tree.kind(expression) == Kind::AssignmentExpression;
        let operator = tree
            .child(expression, Field::Operator)
            .filter(|_| is_assignment)?;
        let sides = (
            tree.child(expression, Field::Left)?,
            tree.child(expression, Field::Right)?,
        );
        (tree.text(operator, self.context.text) == "=").then_some(sides)
    }

    fn change(&self, expression: NodeId) -> Option<Change> {
        let tree = self.context.tree;
        let operator = tree.child(expression, Field::Operator)?;
        let word = tree.text(operator, self.context.text);
        let change = match tree.kind(expression) {
            Kind::UpdateExpression => {
                let memory = tree.child(expression, Field::Argument)?;
                Change {
                    operation: match word {
                        "++" => AtomicOperation::Increment,
                        _ => AtomicOperation::Decrement,
                    },
                    memory,
                    after: tree.span(operator).start < tree.span(memory).start,
                    expression,
                }
            }
            Kind::AssignmentExpression => {
                let memory = tree.child(expression, Field::Left)?;
                let right = tree.child(expression, Field::Right)?;
                let known = match word.strip_suffix('=')? {
                    "" => self.new_value(memory, tree.unparenthesized(right)),
                    operator => self.update(operator, memory, right),
                };
                let operation = match known {
                    Some(operation) => operation,
                    None => self.computed(expression)?,
                };
                Change {
                    operation,
                    memory,
                    after: true,
                    expression,
                }
            }
            _ => return None,
        };
        // What is written once is evaluated once, whatever else it does.
        let once = match change.operation {
            AtomicOperation::Increment | AtomicOperation::Decrement => true,
            AtomicOperation::Compute { .. } => {
                self.places(change.memory, change.expression).len() == 1
            }
            _ => word != "=",
        };
        (once || self.effect(change.memory).is_none()).then_some(change)
    }

    /// `memory OP= value`
    fn update(&self, operator: &str, memory: NodeId, value: NodeId) -> Option<AtomicOperation> {
        Some(AtomicOperation::Update {
            operator: AtomicOperator::from_text(operator)?,
            value: self.unread(memory, value)?,
            reversed: false,
        })
    }

    /// Whatever an assignment or `++` makes of memory.
    pub(super) fn computed(&self, expression: NodeId) -> Option<AtomicOperation> {
        let tree = self.context.tree;
        // Evaluated again, it must come to the same.
        if let Some(value) = tree.child(expression, Field::Right)
            && self.effect(value).is_some()
        {
            return None;
        }
        Some(AtomicOperation::Compute {
            expression: tree.span(expression),
        })
    }

    /// Where memory stands in an expression.
    pub(super) fn places(&self, memory: NodeId, expression: NodeId) -> Vec<Span> {
        let tree = self.context.tree;
        let bare = |n| tree.kind(n) != Kind::ParenthesizedExpression;
        let same = |n: &NodeId| bare(*n) && self.same(*n, memory);
        let all = tree.descendants(expression).filter(same);
        all.map(|n| tree.span(n)).collect()
    }

    /// What `memory = right` does.
    fn new_value(&self, memory: NodeId, right: NodeId) -> Option<AtomicOperation> {
        let tree = self.context.tree;
        let update = |operator, other, reversed| {
            Some(AtomicOperation::Update {
                operator,
                value: self.unread(memory, other)?,
                reversed,
            })
        };
        match tree.kind(right) {
            Kind::BinaryExpression => {
                let operator = tree.text(tree.child(right, Field::Operator)?, self.context.text);
                let a = tree.child(right, Field::Left)?;
                let b = tree.child(right, Field::Right)?;
                if let Some(operator) = AtomicOperator::from_text(operator) {
                    if self.same(a, memory) {
                        return update(operator, b, false);
                    }
                    if self.same(b, memory) {
                        return update(operator, a, !operator.commutes());
                    }
                }
            }
            Kind::CallExpression => {
                let name = tree.text(tree.child(right, Field::Function)?, self.context.text);
                let list = tree.child(right, Field::Arguments)?;
                let arguments: Vec<NodeId> = tree.children(list).collect();
                let known = function(name).filter(|_| !self.unit.host.nodes.contains_key(name));
                if let ([a, b], Some(operator)) = (arguments.as_slice(), known) {
                    // `std::min(a, b)` is `a` where neither is less.
                    if self.same(*a, memory) {
                        return update(operator, *b, false);
                    }
                    if self.same(*b, memory) {
                        let fmin = matches!(operator, AtomicOperator::FMin | AtomicOperator::FMax);
                        return update(operator, *a, !fmin);
                    }
                }
            }
            Kind::ConditionalExpression => {
                if let Some((operator, other, reversed)) = self.selection(memory, right) {
                    return update(operator, other, reversed);
                }
            }
            _ => {}
        }
        // A value computed from the memory it goes to would be read and written in two steps.
        let value = self.unread(memory, right)?;
        Some(AtomicOperation::Write { value })
    }

    /// `x < v ? v : x` and its relatives: the operator, `v`, and whether `v` is taken where neither
    /// is less, as with a NaN.
    fn selection(
        &self,
        memory: NodeId,
        conditional: NodeId,
    ) -> Option<(AtomicOperator, NodeId, bool)> {
        let tree = self.context.tree;
        let condition = tree.unparenthesized(tree.child(conditional, Field::Condition)?);
        if tree.kind(condition) != Kind::BinaryExpression {
            return None;
        }
        let a = tree.child(condition, Field::Left)?;
        let b = tree.child(condition, Field::Right)?;
        let yes = tree.child(conditional, Field::Consequence)?;
        let no = tree.child(conditional, Field::Alternative)?;
        let (other, first) = if self.same(a, memory) {
            (b, true)
        } else if self.same(b, memory) {
            (a, false)
        } else {
            return None;
        };
        let takes_memory = self.same(yes, memory) && self.same(no, other);
        let takes_other = self.same(yes, other) && self.same(no, memory);
        if !takes_memory && !takes_other {
            return None;
        }
        // It is evaluated once instead of twice.
        if self.effect(other).is_some() {
            return None;
        }
        let operator = tree.text(tree.child(condition, Field::Operator)?, self.context.text);
        let less = match operator {
            "<" | "<=" => true,
            ">" | ">=" => false,
            _ => return None,
        };
        // The side that the condition calls the smaller one is taken if it holds.
        let smaller = (less == first) == takes_memory;
        let operator = match smaller {
            true => AtomicOperator::Min,
            false => AtomicOperator::Max,
        };
        Some((operator, other, takes_memory))
    }

    /// A value that does not read the memory it is for.
    fn unread(&self, memory: NodeId, value: NodeId) -> Option<Span> {
        let tree = self.context.tree;
        let reads = tree.descendants(value).any(|n| self.same(n, memory));
        (!reads).then(|| tree.span(value))
    }

    /// `x = (x + v)`, which GCC does not take.
    fn is_bracketed(&self, change: &Change) -> bool {
        let tree = self.context.tree;
        let right = tree.child(change.expression, Field::Right);
        let plain = self.assignment(change.expression).is_some();
        let updates = matches!(change.operation, AtomicOperation::Update { .. });
        let brackets = |r: NodeId| tree.kind(r) == Kind::ParenthesizedExpression;
        plain && updates && right.is_some_and(brackets)
    }

    /// Evaluating the operation's value changes nothing.
    fn is_plain_value(&self, change: &Change) -> bool {
        let tree = self.context.tree;
        let (AtomicOperation::Update { value, .. } | AtomicOperation::Write { value }) =
            change.operation
        else {
            return true;
        };
        let around = tree.parent(change.memory).into_iter();
        let mut inside = around
            .flat_map(|p| tree.descendants(p))
            .filter(|&n| value.start <= tree.span(n).start && tree.span(n).end <= value.end);
        inside.next().is_none_or(|n| self.is_plain(n))
    }

    fn value_mentions(&self, change: &Change, node: NodeId) -> bool {
        let tree = self.context.tree;
        if let AtomicOperation::Compute { .. } = change.operation {
            let mut all = tree.descendants(change.expression);
            return all.any(|n| self.same(n, node));
        }
        let (AtomicOperation::Update { value, .. } | AtomicOperation::Write { value }) =
            change.operation
        else {
            return false;
        };
        let around = tree.parent(change.memory).into_iter();
        around
            .flat_map(|p| tree.descendants(p))
            .filter(|&n| value.start <= tree.span(n).start && tree.span(n).end <= value.end)
            .any(|n| self.same(n, node))
    }
}

/// The functions of two values that can be done indivisibly.
fn function(name: &str) -> Option<AtomicOperator> {
    let name = name.trim_start_matches("::");
    Some(match name.strip_prefix("std::").unwrap_or(name) {
        "min" => AtomicOperator::Min,
        "max" => AtomicOperator::Max,
        "fmin" | "fminf" => AtomicOperator::FMin,
        "fmax" | "fmaxf" => AtomicOperator::FMax,
        _ => return None,
    })
}
