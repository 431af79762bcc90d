//! Elements of streams at any index. Gathers clamp each index to its dimension; scatters outside are dropped.

use super::make::Make;
use super::operators::Operator;
use super::places::Target;
use super::{Lower, Lowered, Meaning};
use crate::body::{
    BinaryOperator, Builtin, ExpressionId, ExpressionKind, Place, StatementId, StatementKind,
    VariableId,
};
use crate::expr::Scalar;
use crate::module::ParameterKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_, '_> {
    /// The array that a subscript is of, if it is a parameter read or written at any index; and the indices.
    fn indexed(&self, node: NodeId) -> Option<(usize, Vec<NodeId>)> {
        let tree = self.unit.context.tree;
        let mut indices = Vec::new();
        let mut array = self.inner(node);
        while tree.kind(array) == Kind::SubscriptExpression {
            indices.push(tree.child(array, Field::Index)?);
            array = self.inner(tree.child(array, Field::Argument)?);
        }
        indices.reverse();
        let Some(Meaning::Parameter(index)) = self.lookup(array) else {
            return None;
        };
        let kind = &self.parameter(index).kind;
        let arrays = matches!(kind, ParameterKind::Gather(_) | ParameterKind::Scatter(_));
        (arrays && !indices.is_empty()).then_some((index, indices))
    }

    /// The scattered element that an expression is, or is a part of.
    fn scattered(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.unit.context.tree;
        let mut element = self.inner(node);
        while tree.kind(element) == Kind::FieldExpression {
            element = self.inner(tree.child(element, Field::Argument)?);
        }
        let (parameter, _) = self.indexed(element)?;
        let scatters = matches!(self.parameter(parameter).kind, ParameterKind::Scatter(_));
        scatters.then_some(element)
    }

    pub(super) fn is_scattered(&self, node: NodeId) -> bool {
        self.scattered(node).is_some()
    }

    /// `a[i]` as a value; `None` for what is no such array.
    pub(super) fn gather(&mut self, node: NodeId) -> Lowered<Option<ExpressionId>> {
        let node = self.inner(node);
        if self.syntax(node) != Kind::SubscriptExpression {
            return Ok(None);
        }
        let Some((parameter, indices)) = self.indexed(node) else {
            return Ok(None);
        };
        let span = self.span(node);
        let (before, indices) = self.indices(parameter, &indices)?;
        let mut clamped = Vec::new();
        for (axis, index) in indices.into_iter().enumerate() {
            let extent = self.extent(parameter, axis, span);
            clamped.push(self.builtin(Builtin::Clamp, vec![index, extent], span));
        }
        let place = self.element_at(parameter, clamped, span);
        let value = self.load(place);
        Ok(Some(self.then(before, value)))
    }

    /// The indices of an access, each a `long`, fastest first; and what computes them, if that is done before.
    fn indices(
        &mut self,
        parameter: usize,
        nodes: &[NodeId],
    ) -> Lowered<(Option<ExpressionId>, Vec<ExpressionId>)> {
        let rank = match self.parameter(parameter).kind {
            ParameterKind::Gather(rank) | ParameterKind::Scatter(rank) => rank,
            _ => 0,
        };
        if let [only] = nodes {
            let value = self.expression(*only)?;
            let span = self.span(*only);
            if rank == 1 {
                return Ok((None, vec![self.whole_number(value, true)]));
            }
            let (before, kept) = self.keep(value);
            let mut indices = Vec::new();
            for axis in 0..rank as u32 {
                let part = self.component(kept, axis, span);
                indices.push(self.whole_number(part, true));
            }
            return Ok((before, indices));
        }
        let mut indices = Vec::new();
        for node in nodes {
            let value = self.expression(*node)?;
            indices.push(self.whole_number(value, false));
        }
        indices.reverse();
        Ok((None, indices))
    }

    /// An index as a `long`: floating-point ones alone are rounded, beside others cut off.
    pub(super) fn whole_number(&mut self, value: ExpressionId, nearest: bool) -> ExpressionId {
        let (ty, span) = (self.ty(value), self.body.expression(value).span);
        let float = matches!(self.shape(ty), Some((scalar, 1)) if scalar.is_float());
        if !float || !nearest {
            return self.as_scalar(value, Scalar::Long);
        }
        let value = self.as_scalar(value, Scalar::Double);
        let ty = self.ty(value);
        let quarter = self.real_of(0.25, ty, span);
        let sum = self.binary(BinaryOperator::Add, value, quarter, span);
        let floor = self.builtin(Builtin::Real("floor"), vec![sum], span);
        self.as_scalar(floor, Scalar::Long)
    }

    /// How many elements a dimension has.
    fn extent(&mut self, parameter: usize, axis: usize, span: Span) -> ExpressionId {
        let first = self.passed[parameter].extents.unwrap_or_default();
        self.read(VariableId::Local(first + axis as u32), span)
    }

    /// The element at indices that are inside.
    fn element_at(&mut self, parameter: usize, indices: Vec<ExpressionId>, span: Span) -> Place {
        let mut at = None;
        for (axis, index) in indices.into_iter().enumerate().rev() {
            at = Some(match at {
                None => index,
                Some(rows) => {
                    let extent = self.extent(parameter, axis, span);
                    let start = self.binary(BinaryOperator::Multiply, rows, extent, span);
                    self.binary(BinaryOperator::Add, start, index, span)
                }
            });
        }
        let pointer = self.passed[parameter].variable;
        let pointer = self.read(pointer, span);
        let ty = self.ty(pointer);
        let pointer = match at {
            Some(at) => self.push(ExpressionKind::Offset(pointer, at), ty, span),
            None => pointer,
        };
        self.at(pointer, span)
    }

    /// `a[i] = value;` of a scatter array, or of a part of its elements: `None` for other assignments.
    pub(super) fn scatter(&mut self, node: NodeId) -> Lowered<Option<StatementKind>> {
        let left = self.part(node, Field::Left)?;
        let Some(element) = self.scattered(left) else {
            return Ok(None);
        };
        let Some((parameter, nodes)) = self.indexed(element) else {
            return Ok(None);
        };
        let span = self.span(node);
        let (before, indices) = self.indices(parameter, &nodes)?;
        // All of them first, then whether they are inside.
        let mut all: Vec<StatementId> = Vec::new();
        if let Some(before) = before {
            all.push(self.push_statement(StatementKind::Expression(before), span));
        }
        let bool_type = self.scalar_type(Scalar::Bool);
        let mut inside = self.item.map(|[_, active]| self.read(active, span));
        let mut kept_indices = Vec::new();
        for (axis, index) in indices.into_iter().enumerate() {
            let (computed, kept) = self.keep(index);
            if let Some(computed) = computed {
                all.push(self.push_statement(StatementKind::Expression(computed), span));
            }
            let index = self.kept(kept, self.body.expression(index).span);
            let extent = self.extent(parameter, axis, span);
            let element_span = self.span(element);
            let fits = self.builtin(Builtin::Inside, vec![index, extent], element_span);
            let fits = self.as_scalar(fits, Scalar::Bool);
            inside = Some(match inside {
                None => fits,
                Some(others) => self.push(ExpressionKind::And(others, fits), bool_type, span),
            });
            kept_indices.push(self.kept(kept, span));
        }
        let place = self.element_at(parameter, kept_indices, span);
        let target = self.part_of_scattered(left, element, place)?;
        let right = self.part(node, Field::Right)?;
        let mut value = self.expression(right)?;
        // A function of the group in it is called by all items, also those that write nothing.
        if self.item.is_some() {
            let (computed, kept) = self.keep(value);
            if let Some(computed) = computed {
                all.push(self.push_statement(StatementKind::Expression(computed), span));
            }
            value = self.kept(kept, span);
        }
        let operator = self.operator_of(node);
        let operator = operator.strip_suffix('=').unwrap_or_default();
        if let Some(operator) = Operator::from_text(operator) {
            let old = self.value_of(&target, span);
            value = self.changed(node, operator, old, value)?;
        }
        let written = self.write(&target, value, span)?;
        let written = self.push_statement(StatementKind::Expression(written), span);
        let Some(condition) = inside else {
            return self.unnamed(node, "this scatter");
        };
        let guarded = StatementKind::If {
            condition,
            then: vec![written],
            otherwise: Vec::new(),
        };
        all.push(self.push_statement(guarded, span));
        Ok(Some(match all[..] {
            [_] => match self.body.statements.pop() {
                Some(only) => only.kind,
                None => StatementKind::Block(all),
            },
            _ => StatementKind::Block(all),
        }))
    }

    /// What of a scattered element is written.
    fn part_of_scattered(
        &mut self,
        node: NodeId,
        element: NodeId,
        place: Place,
    ) -> Lowered<Target> {
        let node = self.inner(node);
        if node == element {
            return Ok(Target::Whole(place));
        }
        let base = self.part(node, Field::Argument)?;
        let name = self.part(node, Field::FieldName)?;
        let base = self.part_of_scattered(base, element, place)?;
        self.narrowed(node, base, name)
    }
}
