//! Bodies that run reductions: each element of the output folds its own tile of the input, in order.

use super::launches::Launch;
use super::make::{Make, Plain};
use crate::body::{
    BinaryOperator, BodyId, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory,
    StatementId, StatementKind, Type, TypeKind, VariableId, Wait,
};
use crate::expr::{Scalar, Value};
use crate::module::{Kernel, ParameterKind};
use crate::source::Span;

impl Plain<'_, '_, '_> {
    /// Where one operator is all that changes the target, every element goes through the kernel, from what changes nothing on;
    /// else the first one is what the others are folded into.
    pub(super) fn fold(
        &mut self,
        kernel: &Kernel,
        launch: &Launch,
        of: (BodyId, Type),
        operator: Option<&str>,
    ) -> StatementId {
        let span = kernel.head;
        let long = self.types().scalar(Scalar::Long);
        let cell = self.variable("cell", long, Memory::Group, span);
        let number = self.variable("number", long, Memory::Group, span);
        let find = |wanted: fn(&ParameterKind) -> bool| {
            let mut all = kernel.parameters.iter();
            all.position(|p| wanted(&p.kind)).unwrap_or(0)
        };
        let target = find(|k| *k == ParameterKind::Reduce);
        let input = find(|k| *k == ParameterKind::StreamIn);
        // The element that everything begins with.
        let first = match operator {
            Some(operator) => self.identity(launch, target, operator, span),
            None => {
                let zero = self.long(0, span);
                let element = self.of_tile(launch, input, cell, zero, span);
                self.load(element)
            }
        };
        let to = self.read(cell, span);
        let to = self.element_at(launch, target, Some(to), span);
        let begun = self.assign(to, first, span);
        let begun = self.statement(begun, span);
        let mut zero = Vec::new();
        for _ in 0..4 {
            zero.push(self.int(0, span));
        }
        let place = self
            .unit
            .number(crate::module::Type::vector(crate::module::Base::Int, 4));
        let mut values = vec![self.push(ExpressionKind::Construct(zero), place, span)];
        for (index, parameter) in kernel.parameters.iter().enumerate() {
            let at = parameter.name_span;
            match parameter.kind {
                ParameterKind::Reduce => {
                    let to = self.read(cell, at);
                    let to = self.element_at(launch, index, Some(to), at);
                    values.push(self.address(to));
                }
                ParameterKind::StreamIn => {
                    let element = self.read(number, at);
                    let element = self.of_tile(launch, index, cell, element, at);
                    values.push(self.load(element));
                }
                ParameterKind::Gather(rank) => {
                    values.push(self.read(launch.arguments[index], at));
                    for axis in &launch.extents[index][..rank] {
                        values.push(self.read(*axis, at));
                    }
                }
                _ => values.push(self.read(launch.arguments[index], at)),
            }
        }
        let called = self.call(of, values, span);
        let called = self.statement(called, span);
        let start = self.long(i64::from(operator.is_none()), span);
        let to = self.whole(number, span);
        let start = self.assign(to, start, span);
        let start = self.statement(start, span);
        let reached = self.read(number, span);
        let count = self.tile_count(launch, input, span);
        let condition = self.binary(BinaryOperator::Less, reached, count, span);
        let next = self.read(number, span);
        let one = self.long(1, span);
        let next = self.binary(BinaryOperator::Add, next, one, span);
        let to = self.whole(number, span);
        let step = self.assign(to, next, span);
        let folded = StatementKind::Loop {
            initial: vec![start],
            condition: Some(condition),
            step: Some(step),
            body: vec![called],
            late: false,
        };
        let folded = self.push_statement(folded, span);
        let count = self.count(launch, span);
        let made = Distributed {
            kind: DistributedKind::Outer,
            axis: 0,
            variable: cell,
            first: self.long(0, span),
            count,
            step: self.long(1, span),
            guard: None,
            wait: Wait::default(),
            body: vec![begun, folded],
        };
        self.push_statement(StatementKind::Distributed(Box::new(made)), span)
    }

    /// How many elements of the input an element of the output folds, along one dimension.
    fn tile(&mut self, launch: &Launch, input: usize, axis: usize, span: Span) -> ExpressionId {
        let extent = self.read(launch.extents[input][axis], span);
        let cells = self.read(launch.domain[axis], span);
        self.binary(BinaryOperator::Divide, extent, cells, span)
    }

    fn tile_count(&mut self, launch: &Launch, input: usize, span: Span) -> ExpressionId {
        let mut count = self.tile(launch, input, 0, span);
        for axis in 1..4 {
            let more = self.tile(launch, input, axis, span);
            count = self.binary(BinaryOperator::Multiply, count, more, span);
        }
        count
    }

    /// The element of that number, row by row, of a cell's tile.
    fn of_tile(
        &mut self,
        launch: &Launch,
        input: usize,
        cell: VariableId,
        number: ExpressionId,
        span: Span,
    ) -> crate::body::Place {
        let mut rest = number;
        let mut corner = self.read(cell, span);
        let mut at = Vec::new();
        for axis in 0..4 {
            let tile = self.tile(launch, input, axis, span);
            let cells = self.read(launch.domain[axis], span);
            let within = self.binary(BinaryOperator::Remainder, rest, tile, span);
            let place = self.binary(BinaryOperator::Remainder, corner, cells, span);
            let start = self.binary(BinaryOperator::Multiply, place, tile, span);
            at.push(self.binary(BinaryOperator::Add, start, within, span));
            rest = self.binary(BinaryOperator::Divide, rest, tile, span);
            corner = self.binary(BinaryOperator::Divide, corner, cells, span);
        }
        self.element(launch, input, at, span)
    }

    /// What changes nothing.
    fn identity(
        &mut self,
        launch: &Launch,
        target: usize,
        operator: &str,
        span: Span,
    ) -> ExpressionId {
        let element = self.element_at(launch, target, None, span);
        let (scalar, width) = match self.unit.program.types.kind(element.ty) {
            TypeKind::Vector(vector) => (vector.scalar, vector.width),
            TypeKind::Scalar(scalar) => (scalar, 1),
            _ => (Scalar::Int, 1),
        };
        let number: i64 = match operator {
            "*" => 1,
            "&" => -1,
            _ => 0,
        };
        let value = match scalar.is_float() {
            true => Value::Float(scalar, number as f64),
            false => Value::Int(Scalar::Long, number).convert(scalar),
        };
        let one = self.literal(value, span);
        match width {
            1 => one,
            _ => {
                let ty = element.ty;
                self.push(ExpressionKind::Convert(one), ty, span)
            }
        }
    }
}
