//! Kernels as functions of one element.

use super::make::Make;
use super::{Lower, Meaning, Passed, Unit, empty};
use crate::analyze::brook::declared::parameters_of;
use crate::body::{Body, Memory, StatementKind, Type, Types, Variable, VariableId};
use crate::expr::Scalar;
use crate::module::{Base, Kernel, Parameter, ParameterKind, Type as Number};
use crate::source::Span;
use crate::syntax::NodeId;

/// How many variables travel in front of a kernel's parameters: the place, and in group kernels the item's number and
/// whether it belongs to an element.
pub(super) fn hidden(kernel: &Kernel) -> u32 {
    match kernel.group_size() {
        Some(_) => 3,
        None => 1,
    }
}

impl Unit<'_, '_> {
    /// A kernel's head as that of a function. What is not modelled of it is said by its body.
    pub(super) fn head(&mut self, number: usize) -> (Body, Vec<Passed>) {
        let kernel = &self.kernels[number];
        let mut body = empty(&kernel.name, kernel.span);
        body.result = self.result(kernel);
        let at = Number::vector(Base::Int, 4);
        let at = self.number(at);
        variable(&mut body, "here", at, kernel.head);
        if kernel.group_size().is_some() {
            let (int, bool_type) = (
                self.program.types.scalar(Scalar::Int),
                self.program.types.scalar(Scalar::Bool),
            );
            variable(&mut body, "item", int, kernel.head);
            variable(&mut body, "active", bool_type, kernel.head);
        }
        let long = self.program.types.scalar(Scalar::Long);
        let mut passed = Vec::new();
        for parameter in &kernel.parameters {
            let span = parameter.name_span;
            let ty = self.passed_type(parameter).unwrap_or(Types::VOID);
            let own = variable(&mut body, &parameter.name, ty, span);
            let rank = match parameter.kind {
                ParameterKind::Gather(rank) | ParameterKind::Scatter(rank) => rank,
                _ => 0,
            };
            let first = body.variables.len() as u32;
            for axis in 0..rank {
                let name = format!("{}.{axis}", parameter.name);
                variable(&mut body, &name, long, span);
            }
            passed.push(Passed {
                variable: own,
                extents: (rank > 0).then_some(first),
                place: parameter.indexed.then(|| {
                    let name = format!("{}.place", parameter.name);
                    variable(&mut body, &name, at, span)
                }),
            });
        }
        body.parameters = body.variables.len() as u32;
        (body, passed)
    }

    fn result(&mut self, kernel: &Kernel) -> Type {
        use crate::analyze::brook::check::Ty;
        match kernel.result_struct {
            Some(record) => self.of(Ty::Record(record)).unwrap_or(Types::VOID),
            None => self.number(kernel.result),
        }
    }

    /// The type of what is passed for a parameter; `None` where that is not modelled.
    pub(super) fn passed_type(&mut self, parameter: &Parameter) -> Option<Type> {
        let value = self.value_of(parameter)?;
        let array = !parameter.element_sizes.is_empty();
        Some(match parameter.kind {
            // Elements that are arrays stay where they are.
            ParameterKind::StreamIn if array => self.program.types.pointer(value),
            ParameterKind::StreamOut { .. } if array => self.program.types.pointer(value),
            _ if array => return None,
            ParameterKind::Value | ParameterKind::StreamIn => value,
            ParameterKind::StreamOut { .. } | ParameterKind::Out | ParameterKind::Reduce => {
                self.program.types.pointer(value)
            }
            ParameterKind::Gather(_) | ParameterKind::Scatter(_) => {
                let stored = self.stored(value);
                self.program.types.pointer(stored)
            }
            ParameterKind::Pointer(_) | ParameterKind::Vout => return None,
        })
    }

    /// What a parameter is called that is not modelled.
    pub(super) fn strange_parameter(&mut self, kernel: usize) -> Option<(Span, String)> {
        let kernels = self.kernels;
        let kernel = &kernels[kernel];
        let strange = kernel
            .parameters
            .iter()
            .find(|p| self.passed_type(p).is_none());
        let what = |p: &Parameter| match p.kind {
            ParameterKind::Vout => "a variable output".to_string(),
            _ => format!("a parameter of the type '{}'", p.type_name),
        };
        if let Some(parameter) = strange {
            return Some((parameter.span, what(parameter)));
        }
        let result = self.result(kernel);
        (result == Types::VOID
            && (kernel.result.base != Base::Void || kernel.result_struct.is_some()))
        .then(|| (kernel.head, "a result of this type".to_string()))
    }
}

fn variable(body: &mut Body, name: &str, ty: Type, span: Span) -> VariableId {
    body.variables.push(Variable {
        name: name.to_string(),
        ty,
        memory: Memory::Private,
        span,
    });
    VariableId::Local(body.variables.len() as u32 - 1)
}

impl<'l, 'u, 'a> Lower<'l, 'u, 'a> {
    pub(super) fn new(
        unit: &'l mut Unit<'u, 'a>,
        (kernel, definition): (usize, NodeId),
        body: Body,
        passed: Vec<Passed>,
    ) -> Self {
        let known = &unit.kernels[kernel];
        let meanings = parameters_of(unit.context, definition).filter_map(|(name, id)| {
            let index = known.parameters.iter().position(|p| p.name == name)?;
            Some((id, Meaning::Parameter(index)))
        });
        let item = (hidden(known) == 3).then_some([VariableId::Local(1), VariableId::Local(2)]);
        Self {
            meanings: meanings.collect(),
            unit,
            body,
            kernel,
            passed,
            here: VariableId::Local(0),
            item,
            temporaries: 0,
        }
    }

    /// The function with all of its body.
    pub(super) fn whole(mut self, body: NodeId) -> Body {
        if let Some((span, what)) = self.unit.strange_parameter(self.kernel) {
            // Nobody reads the names of a head that is not modelled.
            let statement = self.push_statement(StatementKind::Opaque(what), span);
            self.body.root = vec![statement];
            return self.body;
        }
        self.body.root = self.statements_of(body);
        self.body
    }

    pub(super) fn parameter(&self, index: usize) -> &'u Parameter {
        &self.unit.kernels[self.kernel].parameters[index]
    }
}
