//! Bodies that run kernels: for each element of their outputs, or in groups.
//!
//! They take what a call passes, in order; then, four of each and fastest first, the extents of where the kernel runs, its first
//! place, what inputs are stretched to, and where that begins; then the extents of each argument: as many `long`s. An element is a group that has no items, so that what two of them do is ordered in no way.

use super::make::{Make, Plain, place};
use super::{Unit, empty};
use crate::body::{
    BinaryOperator, Body, BodyId, Distributed, DistributedKind, ExpressionId, ExpressionKind,
    Memory, Place, Root, StatementId, StatementKind, Step, Type, TypeKind, Types, VariableId, Wait,
};
use crate::expr::{Scalar, Value};
use crate::module::{Base, Kernel, KernelForm, Parameter, ParameterKind, Type as Number};
use crate::source::Span;

/// The variables of a body that runs a kernel.
pub(super) struct Launch {
    /// What is passed for each parameter.
    pub(super) arguments: Vec<VariableId>,
    /// The extents of where it runs.
    pub(super) domain: [VariableId; 4],
    /// The first place there.
    start: [VariableId; 4],
    /// The extents of what inputs are stretched to.
    whole: [VariableId; 4],
    /// The first place of that.
    origin: [VariableId; 4],
    /// Those of each argument.
    pub(super) extents: Vec<[VariableId; 4]>,
}

impl Unit<'_, '_> {
    /// What runs a kernel over streams; `None` for one that only others call.
    pub(super) fn launched(&mut self, number: usize) -> Option<Body> {
        let kernels = self.kernels;
        let kernel = &kernels[number];
        let span = kernel.head;
        let mut body = empty(&kernel.name, kernel.span);
        body.kernel = true;
        let mut plain = Plain { unit: self, body };
        let strange = plain.unit.strange_parameter(number);
        if let Some((at, what)) = strange {
            if matches!(kernel.form, KernelForm::SubKernel) {
                return None;
            }
            let statement = plain.push_statement(StatementKind::Opaque(what), at);
            plain.body.root = vec![statement];
            return Some(plain.body);
        }
        let launch = plain.heads(kernel);
        let of = (
            BodyId(number as u32),
            plain.unit.program.bodies[number].result,
        );
        let statement = match &kernel.form {
            KernelForm::Map { group_size: None } => {
                plain.body.elements = true;
                plain.map(kernel, &launch, of, span)
            }
            KernelForm::Map {
                group_size: Some(size),
            } => plain.groups(kernel, &launch, of, *size, span),
            KernelForm::Reduce { operator } => {
                plain.body.elements = true;
                plain.fold(kernel, &launch, of, *operator)
            }
            KernelForm::SubKernel | KernelForm::Okl { .. } | KernelForm::Vout => return None,
        };
        plain.body.root = vec![statement];
        Some(plain.body)
    }
}

impl Plain<'_, '_, '_> {
    fn heads(&mut self, kernel: &Kernel) -> Launch {
        let long = self.types().scalar(Scalar::Long);
        let mut arguments = Vec::new();
        for parameter in &kernel.parameters {
            let ty = self.argument_type(parameter);
            let span = parameter.name_span;
            arguments.push(self.variable(&parameter.name, ty, Memory::Host, span));
        }
        let four = |this: &mut Self, name: &str, span: Span| {
            [0, 1, 2, 3].map(|axis| {
                let name = format!("{name}.{axis}");
                this.variable(&name, long, Memory::Host, span)
            })
        };
        let parts = ["domain", "start", "whole", "origin"];
        let [domain, start, whole, origin] = parts.map(|name| four(self, name, kernel.head));
        let mut extents = Vec::new();
        for parameter in &kernel.parameters {
            extents.push(four(self, &parameter.name, parameter.name_span));
        }
        self.body.parameters = self.body.variables.len() as u32;
        Launch {
            arguments,
            domain,
            start,
            whole,
            origin,
            extents,
        }
    }

    /// What a call passes: a value, or memory.
    fn argument_type(&mut self, parameter: &Parameter) -> Type {
        let value = self.unit.value_of(parameter).unwrap_or(Types::VOID);
        match parameter.kind {
            ParameterKind::Value => value,
            _ => {
                let stored = self.unit.stored(value);
                self.types().pointer(stored)
            }
        }
    }

    /// For each element of the outputs.
    fn map(
        &mut self,
        kernel: &Kernel,
        launch: &Launch,
        of: (BodyId, Type),
        span: Span,
    ) -> StatementId {
        let long = self.types().scalar(Scalar::Long);
        // The slowest two dimensions are one loop.
        let names = ["x", "y", "zw"];
        let loops = names.map(|name| self.variable(name, long, Memory::Group, span));
        let mut inside = Vec::new();
        let mut split = |this: &mut Self, name: &str, operator: BinaryOperator| {
            let (both, depth) = (this.read(loops[2], span), this.read(launch.domain[2], span));
            let value = this.binary(operator, both, depth, span);
            let variable = this.variable(name, long, Memory::Group, span);
            let to = this.whole(variable, span);
            let assigned = this.assign(to, value, span);
            inside.push(this.statement(assigned, span));
            variable
        };
        let z = split(self, "z", BinaryOperator::Remainder);
        let w = split(self, "w", BinaryOperator::Divide);
        let names = ["at.x", "at.y", "at.z", "at.w"];
        let place = names.map(|name| self.variable(name, long, Memory::Group, span));
        for (axis, from) in [loops[0], loops[1], z, w].into_iter().enumerate() {
            let (from, start) = (self.read(from, span), self.read(launch.start[axis], span));
            let value = self.binary(BinaryOperator::Add, start, from, span);
            let to = self.whole(place[axis], span);
            let assigned = self.assign(to, value, span);
            inside.push(self.statement(assigned, span));
        }
        let mut values = vec![self.int4(place, span)];
        for index in 0..kernel.parameters.len() {
            self.pass(kernel, launch, index, place, &mut values);
        }
        let called = self.call(of, values, span);
        inside.push(self.statement(called, span));
        let mut body = inside;
        for (axis, variable) in loops.into_iter().enumerate() {
            let mut count = self.read(launch.domain[axis], span);
            if axis == 2 {
                let slowest = self.read(launch.domain[3], span);
                count = self.binary(BinaryOperator::Multiply, count, slowest, span);
            }
            let made = self.distributed(DistributedKind::Outer, axis, variable, count, body, span);
            body = vec![made];
        }
        body[0]
    }

    fn distributed(
        &mut self,
        kind: DistributedKind,
        axis: usize,
        variable: VariableId,
        count: ExpressionId,
        body: Vec<StatementId>,
        span: Span,
    ) -> StatementId {
        let first = self.long(0, span);
        let step = self.long(1, span);
        let made = Distributed {
            kind,
            axis,
            variable,
            first,
            count,
            step,
            guard: None,
            wait: Wait::default(),
            body,
        };
        self.push_statement(StatementKind::Distributed(Box::new(made)), span)
    }

    /// Four numbers as an `int4`.
    pub(super) fn int4(&mut self, of: [VariableId; 4], span: Span) -> ExpressionId {
        let mut parts = Vec::new();
        for variable in of {
            let value = self.read(variable, span);
            parts.push(self.as_scalar(value, Scalar::Int));
        }
        let ty = self.unit.number(Number::vector(Base::Int, 4));
        self.push(ExpressionKind::Construct(parts), ty, span)
    }

    /// What the function of a kernel gets for a parameter, at a place.
    fn pass(
        &mut self,
        kernel: &Kernel,
        launch: &Launch,
        index: usize,
        place: [VariableId; 4],
        values: &mut Vec<ExpressionId>,
    ) {
        let parameter = &kernel.parameters[index];
        let span = parameter.name_span;
        match parameter.kind {
            ParameterKind::StreamIn => {
                let at = self.stretched(launch, index, place, span);
                let element = self.element(launch, index, at.clone(), span);
                values.push(match parameter.element_sizes.is_empty() {
                    true => self.load(element),
                    false => self.address(element),
                });
                if parameter.indexed {
                    let parts = at.into_iter().map(|at| self.as_scalar(at, Scalar::Int));
                    let parts = parts.collect();
                    let ty = self.unit.number(Number::vector(Base::Int, 4));
                    values.push(self.push(ExpressionKind::Construct(parts), ty, span));
                }
            }
            ParameterKind::StreamOut { .. } => {
                let at = place.map(|axis| self.read(axis, span)).to_vec();
                let element = self.element(launch, index, at, span);
                values.push(self.address(element));
            }
            ParameterKind::Gather(rank) | ParameterKind::Scatter(rank) => {
                values.push(self.read(launch.arguments[index], span));
                for axis in &launch.extents[index][..rank] {
                    values.push(self.read(*axis, span));
                }
            }
            _ => values.push(self.read(launch.arguments[index], span)),
        }
    }

    /// The element of an input that belongs to a place of the domain: each dimension is scaled.
    fn stretched(
        &mut self,
        launch: &Launch,
        index: usize,
        place: [VariableId; 4],
        span: Span,
    ) -> Vec<ExpressionId> {
        let mut at = Vec::new();
        for (axis, here) in place.into_iter().enumerate() {
            let here = self.read(here, span);
            let extent = self.read(launch.extents[index][axis], span);
            let whole = self.read(launch.whole[axis], span);
            let origin = self.read(launch.origin[axis], span);
            let here = self.binary(BinaryOperator::Subtract, here, origin, span);
            let scaled = self.binary(BinaryOperator::Multiply, here, extent, span);
            at.push(self.binary(BinaryOperator::Divide, scaled, whole, span));
        }
        at
    }

    /// An element of an argument, by its place there.
    pub(super) fn element(
        &mut self,
        launch: &Launch,
        index: usize,
        at: Vec<ExpressionId>,
        span: Span,
    ) -> Place {
        let mut whole = None;
        for (axis, at) in at.into_iter().enumerate().rev() {
            whole = Some(match whole {
                None => at,
                Some(rows) => {
                    let extent = self.read(launch.extents[index][axis], span);
                    let start = self.binary(BinaryOperator::Multiply, rows, extent, span);
                    self.binary(BinaryOperator::Add, start, at, span)
                }
            });
        }
        self.element_at(launch, index, whole, span)
    }

    /// An element of an argument, by its number.
    pub(super) fn element_at(
        &mut self,
        launch: &Launch,
        index: usize,
        at: Option<ExpressionId>,
        span: Span,
    ) -> Place {
        let pointer = self.read(launch.arguments[index], span);
        let ty = self.ty(pointer);
        let pointer = match at {
            Some(at) => self.push(ExpressionKind::Offset(pointer, at), ty, span),
            None => pointer,
        };
        let to = self.types().element(ty).unwrap_or_default();
        let mut found = place(Root::Pointer(pointer), to, span);
        if let TypeKind::Record(id) = self.unit.program.types.kind(to)
            && self.unit.is_packed(id)
        {
            found.path.push(Step::Field(0));
            found.ty = self.unit.program.types.record(id).fields[0].ty;
        }
        found
    }

    /// In groups of so many: the items of the last one that belong to no element only wait.
    fn groups(
        &mut self,
        kernel: &Kernel,
        launch: &Launch,
        of: (BodyId, Type),
        size: u32,
        span: Span,
    ) -> StatementId {
        let types = [Scalar::Long, Scalar::Bool];
        let [long, bool_type] = types.map(|scalar| self.types().scalar(scalar));
        let group = self.variable("group", long, Memory::Group, span);
        let item = self.variable("item", long, Memory::Private, span);
        let index = self.variable("index", long, Memory::Private, span);
        let active = self.variable("active", bool_type, Memory::Private, span);
        let own = self.variable("own", long, Memory::Private, span);
        let names = ["x", "y", "z", "w"];
        let here = names.map(|name| self.variable(name, long, Memory::Private, span));
        let from = names.map(|name| {
            let name = format!("from.{name}");
            self.variable(&name, long, Memory::Private, span)
        });
        let mut inside = Vec::new();
        let mut set = |this: &mut Self, variable, value| {
            let to = this.whole(variable, span);
            let assigned = this.assign(to, value, span);
            inside.push(this.statement(assigned, span));
        };
        let items = self.long(i64::from(size), span);
        let first = self.read(group, span);
        let first = self.binary(BinaryOperator::Multiply, first, items, span);
        let number = self.read(item, span);
        let value = self.binary(BinaryOperator::Add, first, number, span);
        set(self, index, value);
        let count = self.count(launch, span);
        let number = self.read(index, span);
        let value = self.binary(BinaryOperator::Less, number, count, span);
        set(self, active, value);
        let (yes, zero) = (self.read(index, span), self.long(0, span));
        let condition = self.read(active, span);
        let value = self.conditional(condition, yes, zero, span);
        set(self, own, value);
        // Of an item behind the last one, the slowest dimension that there is goes on.
        for (axes, number, last) in [(here, index, true), (from, own, false)] {
            let mut rest = self.read(number, span);
            for axis in 0..4 {
                let start = self.read(launch.start[axis], span);
                if axis == 3 {
                    let value = self.binary(BinaryOperator::Add, start, rest, span);
                    set(self, axes[3], value);
                    break;
                }
                let (rest_again, extent) = (rest, self.read(launch.domain[axis], span));
                let within = self.binary(BinaryOperator::Remainder, rest_again, extent, span);
                let (value, next) = match last {
                    false => {
                        let extent = self.read(launch.domain[axis], span);
                        (
                            within,
                            self.binary(BinaryOperator::Divide, rest, extent, span),
                        )
                    }
                    true => {
                        let goes_on = self.goes_on(launch, axis, span);
                        let value = self.conditional(goes_on, within, rest, span);
                        let goes_on = self.goes_on(launch, axis, span);
                        let extent = self.read(launch.domain[axis], span);
                        let next = self.binary(BinaryOperator::Divide, rest, extent, span);
                        let zero = self.long(0, span);
                        (value, self.conditional(goes_on, next, zero, span))
                    }
                };
                let value = self.binary(BinaryOperator::Add, start, value, span);
                set(self, axes[axis], value);
                rest = next;
            }
        }
        let mut values = vec![self.int4(here, span)];
        let number = self.read(item, span);
        values.push(self.as_scalar(number, Scalar::Int));
        values.push(self.read(active, span));
        for index in 0..kernel.parameters.len() {
            self.pass(kernel, launch, index, from, &mut values);
        }
        let called = self.call(of, values, span);
        inside.push(self.statement(called, span));
        let items = self.long(i64::from(size), span);
        let inner = self.distributed(DistributedKind::Inner, 0, item, items, inside, span);
        let count = self.count(launch, span);
        let rest = self.long(i64::from(size) - 1, span);
        let count = self.binary(BinaryOperator::Add, count, rest, span);
        let items = self.long(i64::from(size), span);
        let count = self.binary(BinaryOperator::Divide, count, items, span);
        self.distributed(DistributedKind::Outer, 0, group, count, vec![inner], span)
    }

    /// Whether a dimension beyond that one has more than one element.
    fn goes_on(&mut self, launch: &Launch, axis: usize, span: Span) -> ExpressionId {
        let bool_type = self.types().scalar(Scalar::Bool);
        let mut any = self.literal(Value::Int(Scalar::Bool, 0), span);
        for next in axis + 1..4 {
            let extent = self.read(launch.domain[next], span);
            let one = self.long(1, span);
            let more = self.binary(BinaryOperator::Greater, extent, one, span);
            any = self.push(ExpressionKind::Or(any, more), bool_type, span);
        }
        any
    }

    /// How many elements there are.
    pub(super) fn count(&mut self, launch: &Launch, span: Span) -> ExpressionId {
        let mut count = self.read(launch.domain[0], span);
        for axis in &launch.domain[1..] {
            let extent = self.read(*axis, span);
            count = self.binary(BinaryOperator::Multiply, count, extent, span);
        }
        count
    }
}
