use super::Checker;
use super::names::Hint;
use super::operators::is_for_integers;
use super::symbols::Role;
use super::types::{INT, Ty};
use super::values::{Place, Value, array_operand};
use crate::diagnostics::codes;
use crate::module::Type;
use crate::syntax::{Field, Kind, NodeId};

impl Checker<'_, '_> {
    pub(super) fn assignment(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return Value::of(INT);
        };
        let target = tree.unparenthesized(left);
        let operator = self.operator_of(node).to_string();
        let integers = is_for_integers(&operator[..operator.len().saturating_sub(1)]);
        let a = self.expression(left);
        let b = self.operand(right, integers);
        self.target(target, &a);
        let span = tree.span(node);
        let group = "Problem in Assignment expression";
        if let Some(code) = array_operand(&a, &b) {
            self.report_in(group, code, span, &[]);
            return Value::of(a.ty);
        }
        if a.undefined || b.undefined {
            return Value::of(a.ty);
        }
        let (x, y) = (a.ty.arithmetic(), b.ty.arithmetic());
        let records = matches!((a.ty, b.ty), (Ty::Record(_), Ty::Record(_)));
        if (x.is_none() || y.is_none()) && !records {
            if x.is_none() {
                self.report(&codes::BROOK_LEFT_ARITHMETIC, tree.span(left), &[]);
            }
            if y.is_none() {
                self.report(&codes::BROOK_RIGHT_ARITHMETIC, tree.span(right), &[]);
            }
            return Value::of(a.ty);
        }
        if records && operator != "=" {
            self.report(&codes::BROOK_LEFT_ARITHMETIC, tree.span(left), &[]);
            return Value::of(a.ty);
        }
        if integers {
            // The old compiler let both pass and failed later.
            if !a.ty.is_integer() {
                self.report(&codes::BROOK_LEFT_INTEGER, tree.span(left), &[]);
                return Value::of(a.ty);
            }
            // Where nothing is converted, the types that differ are said below.
            if !b.ty.is_integer() && self.checking.relaxed {
                self.report(&codes::BROOK_RIGHT_INTEGER, tree.span(right), &[]);
                return Value::of(a.ty);
            }
        }
        self.following(a.guessed || b.guessed, |this| {
            this.convert(Place::Assignment, right, b.ty, a.ty);
        });
        if let (false, Some(x), Some(y)) = (operator == "=", x, y) {
            self.computed(node, &operator, (right, y), x);
        }
        Value::of(a.ty).guessed_if(a.guessed)
    }

    /// `a OP= b` is computed in the type that both meet in; a shift in that of `a`.
    fn computed(&mut self, node: NodeId, operator: &str, (right, given): (NodeId, Type), to: Type) {
        let both = match operator {
            "<<=" | ">>=" => to,
            _ => self.meet(to, given),
        };
        if both != to {
            self.facts.conversions.remove(&right);
            self.converts(right, Ty::Number(given), both);
            self.facts.operands.insert(node, both);
        }
    }

    /// What is assigned to; reports what cannot be. `value` is what the target is worth.
    fn target(&mut self, node: NodeId, value: &Value) {
        let span = self.span(node);
        match self.kind(node) {
            Kind::Identifier => {
                let Some(symbol) = self.symbol_of(node).cloned() else {
                    return;
                };
                if value.array.is_some() {
                    self.report(&codes::BROOK_ARRAY_TARGET, span, &[]);
                }
                match symbol.role {
                    Role::StreamIn => {
                        let name = self.word(node);
                        let hint =
                            Hint::label(format!("'{name}' is an input: it is no 'out' stream"));
                        self.report_with(hint, &codes::BROOK_READ_ONLY_STREAM, span, &[]);
                    }
                    Role::Value | Role::Gather { .. } => {
                        self.report(&codes::BROOK_READ_ONLY_VALUE, span, &[]);
                    }
                    Role::Local { constant: true } => {
                        self.report(&codes::BROOK_CONSTANT_TARGET, span, &[]);
                    }
                    _ => {}
                }
            }
            Kind::FieldExpression => {
                self.written_field(node);
                let root = self.root(node);
                match self.kind(root) {
                    Kind::SubscriptExpression => self.written_element(root),
                    Kind::Identifier => self.written_part(root),
                    _ => self.report(&codes::BROOK_LVALUE, span, &[]),
                }
            }
            Kind::SubscriptExpression => self.written_element(node),
            _ => self.report(&codes::BROOK_LVALUE, span, &[]),
        }
    }

    /// The variable or element that a field belongs to.
    pub(super) fn root(&self, mut node: NodeId) -> NodeId {
        let tree = self.context.tree;
        while self.kind(node) == Kind::FieldExpression {
            match tree.child(node, Field::Argument) {
                Some(base) => node = tree.unparenthesized(base),
                None => break,
            }
        }
        node
    }

    /// A component of a variable is written. Components of inputs are the kernel's own copies.
    fn written_part(&mut self, name: NodeId) {
        let constant = self.role(name);
        if constant == Some(Role::Local { constant: true }) {
            let span = self.span(name);
            self.report(&codes::BROOK_CONSTANT_TARGET, span, &[]);
        }
    }

    /// `a[i] = …`
    fn written_element(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let mut array = node;
        let mut index = None;
        while self.kind(array) == Kind::SubscriptExpression {
            index = tree.child(array, Field::Index);
            match tree.child(array, Field::Argument) {
                Some(base) => array = tree.unparenthesized(base),
                None => break,
            }
        }
        let span = self.span(node);
        match self.role(array) {
            Some(Role::Gather { .. }) => self.report(&codes::BROOK_READ_ONLY_GATHER, span, &[]),
            Some(Role::Shared(elements)) => {
                if let Some(index) = index {
                    self.shared_write(index, elements);
                }
            }
            _ => {}
        }
    }

    /// `v++` and its like.
    pub(super) fn update(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let Some(argument) = tree.child(node, Field::Argument) else {
            return Value::of(INT);
        };
        let value = self.expression(argument);
        let (span, target) = (tree.span(node), tree.unparenthesized(argument));
        if value.array.is_some() {
            self.report(&codes::BROOK_ARRAY_UNARY, span, &[]);
            return Value::of(value.ty);
        }
        if value.ty.arithmetic().is_none() {
            self.report(&codes::BROOK_OPERAND_ARITHMETIC, span, &[]);
        }
        // Inputs are the kernel's own copies: the old compiler let them be counted up.
        match self.kind(target) {
            Kind::Identifier => self.written_part(target),
            Kind::FieldExpression => {
                let root = self.root(target);
                match self.kind(root) {
                    Kind::SubscriptExpression => self.written_element(root),
                    Kind::Identifier => self.written_part(root),
                    _ => self.report(&codes::BROOK_LVALUE, span, &[]),
                }
            }
            Kind::SubscriptExpression => self.written_element(target),
            _ => self.report(&codes::BROOK_LVALUE, span, &[]),
        }
        Value::of(value.ty)
    }
}
