//! What is written.

use super::make::Make;
use super::operators::Operator;
use super::places::Target;
use super::{Lower, Lowered};
use crate::body::{BinaryOperator, ExpressionId, ExpressionKind, Place};
use crate::source::Span;
use crate::syntax::{Field, NodeId};

impl Lower<'_, '_, '_> {
    /// `a = b`, `a OP= b`
    pub(super) fn assignment(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let left = self.part(node, Field::Left)?;
        let right = self.part(node, Field::Right)?;
        if self.is_scattered(left) {
            return self.opaque(node, "a scatter inside of an expression");
        }
        let target = self.target(left)?;
        let value = self.expression(right)?;
        let operator = self.operator_of(node);
        let operator = operator.strip_suffix('=').unwrap_or_default();
        if operator.is_empty() {
            return self.write(&target, value, span);
        }
        let Some(operator) = Operator::from_text(operator) else {
            return self.unnamed(node, "this operator");
        };
        if !self.is_pure(left) {
            return self.opaque(node, "a change of what is found by an effect");
        }
        let before = self.value_of(&target, span);
        let changed = self.changed(node, operator, before, value)?;
        self.write(&target, changed, span)
    }

    /// What `before OP= value` writes, for an assignment's operator.
    pub(super) fn changed(
        &mut self,
        node: NodeId,
        operator: Operator,
        before: ExpressionId,
        value: ExpressionId,
    ) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let ty = self.ty(before);
        let Some(shape) = self.shape(ty) else {
            return self.unnamed(node, "an operator of these types");
        };
        let operand = self.unit.facts.operand(node);
        let before = match operand {
            Some(operand) => self.converted(before, operand)?,
            None => before,
        };
        // A shift's count has the type of what is shifted.
        let wanted = self.ty(before);
        let value = match self.shape(wanted) {
            Some(shape) => self.shaped(value, shape)?,
            None => value,
        };
        let changed = self.operate(operator, before, value, span)?;
        self.shaped(changed, shape)
    }

    /// What a target holds.
    pub(super) fn value_of(&mut self, target: &Target, span: Span) -> ExpressionId {
        match target {
            Target::Whole(place) => self.load(place.clone()),
            Target::Components(place, list) => {
                let parts = list.iter().map(|index| {
                    let place = self.component_place(place, *index);
                    self.load(place)
                });
                let parts = parts.collect();
                self.vector(parts, span)
            }
        }
    }

    fn component_place(&mut self, place: &Place, index: u32) -> Place {
        match self.component_of(place, index) {
            Ok(place) => place,
            Err(_) => place.clone(),
        }
    }

    /// Writes a value; its own value is what is written.
    pub(super) fn write(
        &mut self,
        target: &Target,
        value: ExpressionId,
        span: Span,
    ) -> Lowered<ExpressionId> {
        match target {
            Target::Whole(place) => {
                let (wanted, given) = (place.ty, self.ty(value));
                let value = match self.shape(wanted) {
                    Some(shape) if wanted != given => self.shaped(value, shape)?,
                    _ => value,
                };
                Ok(self.assign(place.clone(), value, span))
            }
            Target::Components(place, list) => {
                if let [one] = list[..] {
                    let place = self.component_place(place, one);
                    return Ok(self.assign(place, value, span));
                }
                let (mut before, kept) = self.keep(value);
                for (from, to) in list.iter().enumerate() {
                    let part = self.component(kept, from as u32, span);
                    let place = self.component_place(place, *to);
                    let assigned = self.assign(place, part, span);
                    before = Some(self.then(before, assigned));
                }
                let value = self.kept(kept, span);
                Ok(self.then(before, value))
            }
        }
    }

    /// `++a`, `a--` and their like.
    pub(super) fn step(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let argument = self.part(node, Field::Argument)?;
        let operator = match self.operator_of(node) {
            "--" => BinaryOperator::Subtract,
            _ => BinaryOperator::Add,
        };
        if self.is_scattered(argument) {
            return self.opaque(node, "a scatter inside of an expression");
        }
        let after = self.span(argument).start == span.start;
        let target = self.target(argument)?;
        if let Target::Whole(place) = target {
            let (computed, ty) = (place.ty, place.ty);
            let value = self.number_of(1, ty, span);
            let place = self.push_place(place);
            let kind = ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                before: after,
            };
            return Ok(self.push(kind, ty, span));
        }
        if !self.is_pure(argument) {
            return self.opaque(node, "a change of what is found by an effect");
        }
        let old = self.value_of(&target, span);
        let (before, kept) = self.keep(old);
        let old = self.kept(kept, span);
        let ty = self.ty(old);
        let one = self.number_of(1, ty, span);
        let changed = self.binary(operator, old, one, span);
        let written = self.write(&target, changed, span)?;
        let written = self.then(before, written);
        match after {
            true => {
                let old = self.kept(kept, span);
                Ok(self.then(Some(written), old))
            }
            false => Ok(written),
        }
    }
}
