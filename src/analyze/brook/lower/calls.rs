//! Calls of other kernels, and what asks where the kernel is.

use super::make::Make;
use super::places::Target;
use super::{Lower, Lowered, Meaning};
use crate::analyze::brook::check::{Ty, cast_in_brackets};
use crate::body::{ExpressionId, ExpressionKind, VariableId};
use crate::expr::{Scalar, Value};
use crate::module::{CollectiveFunction, CollectiveKind, CollectiveOperator, ParameterKind, Type};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_, '_> {
    pub(super) fn call_of(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.context.tree;
        let span = self.span(node);
        let function = self.part(node, Field::Function)?;
        let list = self.part(node, Field::Arguments)?;
        let arguments = self.children(list);
        if let Some((name, operand)) = cast_in_brackets(tree, function, list)
            && self.number_named(self.text(name)).is_some()
        {
            return self.cast_of(node, operand);
        }
        if tree.kind(function) == Kind::ParenthesizedExpression {
            // C's comma, of which the last part is cast.
            let Some((&last, others)) = arguments.split_last() else {
                return self.unnamed(node, "a call of this form");
            };
            if others.iter().any(|other| !self.is_pure(*other)) {
                return self.unnamed(node, "a call of this form");
            }
            return self.cast_of(node, last);
        }
        let name = self.text(function);
        match name {
            "instance" => return Ok(self.read(self.here, span)),
            "indexof" => return self.index_of(node, &arguments),
            "instanceInGroup" => return self.item_place(node),
            "syncGroup" | "push" => return self.opaque(node, format!("'{name}' here")),
            _ => {}
        }
        if let Some(&kernel) = self.unit.numbers.get(name) {
            return self.kernel_call(node, kernel, &arguments);
        }
        let mut values = Vec::new();
        for &argument in &arguments {
            values.push(self.expression(argument)?);
        }
        if let Some(function) = CollectiveFunction::from_name(name) {
            let result = self.unit.facts.number(node);
            let Some(scalar) = result.and_then(|ty| ty.base.scalar()) else {
                return self.opaque(node, format!("a call of '{name}'"));
            };
            let ty = self.scalar_type(scalar);
            // Items of the last group that belong to no element call it with what changes nothing.
            if let (Some([_, active]), Some(neutral)) = (self.item, neutral(function, scalar))
                && let [value] = values.as_mut_slice()
            {
                let active = self.read(active, span);
                let own = self.as_scalar(*value, neutral.scalar());
                let neutral = self.literal(neutral, span);
                *value = self.conditional(active, own, neutral, span);
            }
            return Ok(self.push(ExpressionKind::Collective(function, values), ty, span));
        }
        if self.number_named(name).is_some_and(Type::is_vector) {
            return Ok(self.vector(values, span));
        }
        self.function(node, name, &values)
    }

    /// The number or vector that words name.
    fn number_named(&self, words: &str) -> Option<Type> {
        match self.unit.facts.named(words)? {
            Ty::Number(ty) => Some(ty),
            Ty::Record(_) => None,
        }
    }

    /// `indexof(s)`: a `float4`.
    fn index_of(&mut self, node: NodeId, arguments: &[NodeId]) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let place = arguments.first().map(|a| self.place_of(*a));
        let place = self.read(place.unwrap_or(self.here), span);
        self.shaped(place, (Scalar::Float, 4))
    }

    /// Where the element of an argument is: an input's own place, or the kernel's.
    fn place_of(&self, node: NodeId) -> VariableId {
        match self.lookup(self.inner(node)) {
            Some(Meaning::Parameter(index)) => self.passed[index].place.unwrap_or(self.here),
            _ => self.here,
        }
    }

    /// `instanceInGroup()`: an `int4`.
    fn item_place(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let Some([item, _]) = self.item else {
            return self.opaque(node, "'instanceInGroup' here");
        };
        let mut parts = vec![self.read(item, span)];
        for _ in 1..4 {
            parts.push(self.int(0, span));
        }
        Ok(self.vector(parts, span))
    }

    /// A call of another kernel: values in, outputs back, arrays with their extents.
    fn kernel_call(
        &mut self,
        node: NodeId,
        kernel: usize,
        arguments: &[NodeId],
    ) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let callee = &self.unit.kernels[kernel];
        if callee.group_size().is_some() {
            return self.opaque(node, "a call of a group kernel");
        }
        if let Some((_, what)) = self.unit.strange_parameter(kernel) {
            return self.opaque(node, what);
        }
        let mut values = vec![self.read(self.here, span)];
        let mut before = None;
        let mut back: Vec<(Target, VariableId)> = Vec::new();
        for (&argument, parameter) in arguments.iter().zip(&callee.parameters) {
            let at = self.span(argument);
            match parameter.kind {
                ParameterKind::Gather(rank) => {
                    let name = self.inner(argument);
                    let Some(Meaning::Parameter(own)) = self.lookup(name) else {
                        return self.unnamed(argument, "this array as an argument");
                    };
                    let passed = self.passed[own];
                    values.push(self.read(passed.variable, at));
                    for axis in 0..rank as u32 {
                        let first = passed.extents.unwrap_or_default();
                        values.push(self.read(VariableId::Local(first + axis), at));
                    }
                }
                ParameterKind::StreamOut { .. } | ParameterKind::Out | ParameterKind::Reduce => {
                    match self.target(argument)? {
                        Target::Whole(place) => values.push(self.address(place)),
                        target => {
                            // Components lie in a variable meanwhile.
                            let value = self.value_of(&target, at);
                            let ty = self.ty(value);
                            let variable = self.temporary(ty, at);
                            let place = self.whole(variable, at);
                            let assigned = self.assign(place.clone(), value, at);
                            before = Some(self.then(before, assigned));
                            values.push(self.address(place));
                            back.push((target, variable));
                        }
                    }
                }
                _ => values.push(self.expression(argument)?),
            }
            if parameter.indexed {
                let place = self.place_of(argument);
                values.push(self.read(place, at));
            }
        }
        let of = self.result_of(kernel);
        let called = self.call(of, values, span);
        if back.is_empty() {
            return Ok(self.then(before, called));
        }
        self.called_back(before, called, &back, span)
    }

    /// A call, and behind it what goes back to components.
    fn called_back(
        &mut self,
        before: Option<ExpressionId>,
        called: ExpressionId,
        back: &[(Target, VariableId)],
        span: Span,
    ) -> Lowered<ExpressionId> {
        let ty = self.ty(called);
        let (mut done, result) = match ty == crate::body::Types::VOID {
            true => (Some(self.then(before, called)), None),
            false => {
                let (computed, kept) = self.keep(called);
                let computed = computed.unwrap_or(called);
                (Some(self.then(before, computed)), Some(kept))
            }
        };
        for (target, variable) in back {
            let value = self.read(*variable, span);
            let written = self.write(target, value, span)?;
            done = Some(self.then(done, written));
        }
        match (done, result) {
            (done, Some(kept)) => {
                let value = self.kept(kept, span);
                Ok(self.then(done, value))
            }
            (Some(done), None) => Ok(done),
            (None, None) => Ok(called),
        }
    }
}

/// The value of a type that changes no other in a function of the group; `None` where that takes a single item's.
fn neutral(function: CollectiveFunction, scalar: Scalar) -> Option<Value> {
    let least = match scalar.is_float() {
        true => Value::Float(scalar, f64::NEG_INFINITY),
        false if !scalar.is_unsigned() => Value::Int(scalar, i64::MIN >> (64 - 8 * scalar.size())),
        false => Value::Int(scalar, 0),
    };
    let most = match least {
        Value::Float(..) => Value::Float(scalar, f64::INFINITY),
        Value::Int(_, 0) => Value::Int(scalar, (u64::MAX >> (64 - 8 * scalar.size())) as i64),
        Value::Int(_, least) => Value::Int(scalar, !least),
    };
    match (function.kind, function.operator) {
        (CollectiveKind::All, _) => Some(Value::Int(Scalar::Bool, 1)),
        (CollectiveKind::Any, _) => Some(Value::Int(Scalar::Bool, 0)),
        (_, Some(CollectiveOperator::Add)) => Some(Value::int(0).convert(scalar)),
        (_, Some(CollectiveOperator::Min)) => Some(most),
        (_, Some(CollectiveOperator::Max)) => Some(least),
        _ => None,
    }
}
