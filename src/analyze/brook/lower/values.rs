//! Expressions.

use super::make::Make;
use super::{Lower, Lowered};
use crate::analyze::brook::check::literal;
use crate::body::{ExpressionId, ExpressionKind, TypeKind};
use crate::expr::{self, Expr, Scalar};
use crate::module::{Base, Type};
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_, '_> {
    /// The value of an expression as it is converted where it stands.
    pub(super) fn expression(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let value = self.value(node)?;
        match self.unit.facts.conversion(node) {
            Some(to) => self.converted(value, to),
            None => Ok(value),
        }
    }

    fn value(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        match self.syntax(node) {
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                match self.children(node).as_slice() {
                    [only] => self.expression(*only),
                    _ => self.unnamed(node, "an expression of this form"),
                }
            }
            Kind::NumberLiteral | Kind::CharLiteral | Kind::True | Kind::False => self.number(node),
            Kind::Identifier | Kind::FieldExpression | Kind::SubscriptExpression => {
                self.read_of(node)
            }
            Kind::BinaryExpression => self.infix(node),
            Kind::UnaryExpression => self.prefix(node),
            Kind::UpdateExpression => self.step(node),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::ConditionalExpression => self.choice(node),
            Kind::CommaExpression => {
                let (mut before, mut last) = (None, None);
                for part in self.children(node) {
                    let value = self.expression(part)?;
                    if let Some(last) = last.replace(value) {
                        before = Some(self.then(before, last));
                    }
                }
                match last {
                    Some(last) => Ok(self.then(before, last)),
                    None => self.unnamed(node, "an expression of this form"),
                }
            }
            Kind::CastExpression => {
                let operand = self.part(node, Field::Value)?;
                self.cast_of(node, operand)
            }
            Kind::CallExpression => self.call_of(node),
            _ => {
                let _ = span;
                self.unnamed(node, "an expression of this form")
            }
        }
    }

    /// `(TYPE) operand`
    pub(super) fn cast_of(&mut self, node: NodeId, operand: NodeId) -> Lowered<ExpressionId> {
        let value = self.expression(operand)?;
        match self.unit.facts.number(node) {
            Some(to) => self.converted(value, to),
            None => self.unnamed(node, "a cast to this type"),
        }
    }

    /// A number as it is written, of the type that the checker gives it.
    fn number(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let text = self.text(node);
        let plain = match self.syntax(node) {
            Kind::NumberLiteral => literal(text),
            Kind::CharLiteral => Type::scalar(Base::Char),
            _ => Type::scalar(Base::Bool),
        };
        let found = match expr::parse(text).ok() {
            Some(Expr::Literal(value)) => Some(value),
            // The grammar takes a sign into the number.
            Some(other) => expr::evaluate(&other, &|_| None).ok(),
            None => None,
        };
        let ty = self.unit.facts.number(node).unwrap_or(plain);
        match (found, ty.base.scalar()) {
            (Some(value), Some(scalar)) => {
                // A suffix may promise more bits than the language has.
                let value = match plain.base.scalar() {
                    Some(own) if value.scalar() != own => value.convert(own),
                    _ => value,
                };
                let value = match value.scalar() == scalar {
                    true => value,
                    false => value.convert(scalar),
                };
                Ok(self.literal(value, span))
            }
            _ => self.unnamed(node, "a number of this form"),
        }
    }

    fn choice(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let condition = self.part(node, Field::Condition)?;
        let yes = self.part(node, Field::Consequence)?;
        let no = self.part(node, Field::Alternative)?;
        let condition = self.expression(condition)?;
        let ty = self.ty(condition);
        let (yes, no) = (self.expression(yes)?, self.expression(no)?);
        if let TypeKind::Vector(_) = self.kind(ty) {
            // Component by component; both are computed.
            return self.each(&[condition, yes, no], span, |this, values| {
                let [condition, yes, no] = [values[0], values[1], values[2]];
                let condition = this.as_scalar(condition, Scalar::Bool);
                this.conditional(condition, yes, no, span)
            });
        }
        let condition = self.truth(condition)?;
        if self.ty(yes) != self.ty(no) {
            return self.unnamed(node, "a choice between these types");
        }
        Ok(self.conditional(condition, yes, no, span))
    }

    /// `+a`, `-a`, `!a`, `~a`
    fn prefix(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        use crate::body::UnaryOperator as U;
        let span = self.span(node);
        let operand = self.part(node, Field::Argument)?;
        let value = self.expression(operand)?;
        let ty = self.ty(value);
        let operator = match self.operator_of(node) {
            "+" => return Ok(value),
            "-" => U::Negate,
            "~" => U::Complement,
            "!" => {
                return self.each(&[value], span, |this, values| {
                    let truth = this.as_scalar(values[0], Scalar::Bool);
                    let not = this.unary(U::Not, truth, span);
                    let scalar = this.shape(ty).map_or(Scalar::Int, |(scalar, _)| scalar);
                    this.as_scalar(not, scalar)
                });
            }
            _ => return self.unnamed(node, "this operator"),
        };
        if self
            .shape(ty)
            .is_some_and(|(scalar, _)| scalar == Scalar::Bool)
        {
            return self.unnamed(node, "this operator on a truth value");
        }
        Ok(self.push(ExpressionKind::Unary(operator, value), ty, span))
    }

    /// What of an index is known to be a constant.
    pub(super) fn constant(&self, node: NodeId) -> Option<i64> {
        expr::constant(&expr::parse(self.text(node)).ok()?)
    }

    /// Whether evaluating an expression twice does what evaluating it once does.
    pub(super) fn is_pure(&self, node: NodeId) -> bool {
        let tree = self.unit.context.tree;
        !tree.descendants(node).any(|n| {
            matches!(
                tree.kind(n),
                Kind::AssignmentExpression | Kind::UpdateExpression | Kind::CallExpression
            )
        })
    }
}
