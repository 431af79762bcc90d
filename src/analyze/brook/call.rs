use super::body::{Body, ReduceUse};
use super::check::{Ty, cast_in_brackets};
use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::module::{CollectiveFunction, ConstructKind, Kernel, ParameterKind, Temporary, Type};
use crate::syntax::{Field, Kind, NodeId};
use std::collections::BTreeSet;

/// Functions that compilers for processors have for whole vectors, too.
const VECTOR_FUNCTIONS: [&str; 5] = ["cos", "exp", "log", "pow", "sin"];

impl Body<'_, '_> {
    pub(super) fn call(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let (Some(function), Some(list)) = (
            self.part(node, Field::Function),
            self.part(node, Field::Arguments),
        ) else {
            return;
        };
        let arguments: Vec<NodeId> = tree.children(list).collect();
        let (span, name_span) = (self.span(node), self.span(function));
        if let Some(operand) = self.cast_operand(node) {
            self.cast_of(node, operand);
            return;
        }
        if tree.kind(function) == Kind::ParenthesizedExpression {
            // `(float4)(a, b)` of relaxed checking: C's comma, of which the last part is cast.
            let effects = |&a: &NodeId| tree.descendants(a).any(|n| has_effect(tree.kind(n)));
            let Some((&last, others)) = arguments.split_last() else {
                return;
            };
            if others.iter().any(effects) {
                self.context
                    .error(&codes::BROOK_CONVERSION_LATER, span, &[]);
            }
            self.cast_of(node, last);
            return;
        }
        let name = self.word(function).to_string();
        match name.as_str() {
            "push" => return self.push(node, &arguments),
            "indexof" => {
                let input = self.indexed(&arguments);
                return self.unit.push(span, ConstructKind::IndexOf(input));
            }
            "instance" => return self.unit.push(span, ConstructKind::Instance),
            "instanceInGroup" => return self.unit.push(span, ConstructKind::InstanceInGroup),
            "syncGroup" => {
                self.waits();
                return self.unit.push(span, ConstructKind::SyncGroup);
            }
            _ => {}
        }
        let callee = self.unit.numbers.get(&name).copied();
        if let Some(kernel) = callee {
            let temporaries = self.sub_kernel(kernel, &arguments);
            let arguments = arguments.iter().map(|&a| tree.span(a)).collect();
            let what = ConstructKind::SubKernelCall {
                kernel,
                name: name_span,
                arguments,
                temporaries,
            };
            self.unit.push(span, what);
            return;
        }
        let mut types = Vec::new();
        for &argument in &arguments {
            types.extend(self.expression(argument));
        }
        if let Some(function) = CollectiveFunction::from_name(&name) {
            self.waits();
            self.unit.kernels[self.kernel].collectives = true;
            let arguments = arguments.iter().map(|&a| tree.span(a)).collect();
            let what = ConstructKind::GroupFunction {
                function,
                arguments,
            };
            return self.unit.push(span, what);
        }
        let arguments = arguments.iter().map(|&a| tree.span(a)).collect();
        let vector = self.number_named(&name).is_some_and(Type::is_vector);
        self.unit.kernels[self.kernel].vector_functions |=
            VECTOR_FUNCTIONS.contains(&name.as_str());
        let what = match self.facts.number(node) {
            Some(ty) if vector => ConstructKind::Constructor {
                ty,
                name: name_span,
                arguments,
            },
            _ => ConstructKind::Builtin {
                name,
                name_span,
                types,
            },
        };
        self.unit.push(span, what);
    }

    /// What is cast, where the grammar takes a cast for a call.
    pub(super) fn cast_operand(&self, call: NodeId) -> Option<NodeId> {
        let function = self.part(call, Field::Function)?;
        let list = self.part(call, Field::Arguments)?;
        let (name, operand) = cast_in_brackets(self.context.tree, function, list)?;
        self.number_named(self.word(name)).map(|_| operand)
    }

    /// The number or vector that words name.
    fn number_named(&self, words: &str) -> Option<Type> {
        match self.facts.named(words)? {
            Ty::Number(ty) => Some(ty),
            Ty::Record(_) => None,
        }
    }

    /// The input stream that `indexof` is applied to, if it is one.
    fn indexed(&mut self, arguments: &[NodeId]) -> Option<String> {
        let name = self.word(*arguments.first()?).to_string();
        let parameters = &mut self.unit.kernels[self.kernel].parameters;
        let parameter = parameters.iter_mut().find(|p| p.name == name)?;
        (parameter.kind == ParameterKind::StreamIn).then(|| {
            parameter.indexed = true;
            name
        })
    }

    /// `push(o)`, with its semicolon: a block has none.
    fn push(&mut self, node: NodeId, arguments: &[NodeId]) {
        let kernel = self.kernel;
        let parameters = &self.unit.kernels[kernel].parameters;
        let name = arguments.first().map_or("", |&a| self.word(a));
        let parameter = parameters.iter().position(|p| p.name == name);
        if let (Some(statement), Some(parameter)) = (self.context.tree.parent(node), parameter) {
            let span = self.span(statement);
            self.unit
                .push(span, ConstructKind::Push { kernel, parameter });
        }
    }

    /// The arguments of a call of another kernel: values in, outputs back, arrays passed on.
    fn sub_kernel(&mut self, callee: usize, arguments: &[NodeId]) -> Vec<Temporary> {
        let parameters = self.unit.kernels[callee].parameters.clone();
        let mut temporaries = Vec::new();
        for (index, (&argument, parameter)) in arguments.iter().zip(&parameters).enumerate() {
            let span = self.span(argument);
            match parameter.kind {
                ParameterKind::Gather(_) => self.unit.push(span, ConstructKind::Name),
                ParameterKind::StreamOut { .. } | ParameterKind::Out | ParameterKind::Reduce => {
                    let Some((base, components)) = self.components(argument) else {
                        self.expression(argument);
                        continue;
                    };
                    self.expression(base);
                    let Some(ty) = self.facts.number(argument) else {
                        continue;
                    };
                    self.temporaries = true;
                    if self.holder.is_none() {
                        let code = &codes::BROOK_COMPONENT_LATER;
                        self.context.error(code, span, &[]);
                    }
                    temporaries.push(Temporary {
                        argument: index,
                        base: self.span(base),
                        components,
                        ty,
                    });
                }
                _ => {
                    let before = self.reduce;
                    self.expression(argument);
                    if before != self.reduce {
                        self.reduce = ReduceUse::Otherwise;
                    }
                }
            }
        }
        temporaries
    }
}

fn has_effect(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::AssignmentExpression | Kind::UpdateExpression | Kind::CallExpression
    )
}

/// A kernel that passes an input stream on to one that asks for its element's index has to know it, too.
pub(super) fn spread_indices(context: &Context<'_>, unit: &mut Unit) {
    loop {
        let mut changed = false;
        for construct in &unit.constructs {
            let ConstructKind::SubKernelCall {
                kernel, arguments, ..
            } = &construct.kind
            else {
                continue;
            };
            let callee = unit.kernels[*kernel].parameters.iter();
            let asked: Vec<&str> = callee
                .zip(arguments)
                .filter(|(p, _)| p.indexed)
                .map(|(_, span)| span.of(context.text))
                .collect();
            let mut kernels = unit.kernels.iter_mut();
            let caller = kernels.find(|k| k.body.contains(construct.span));
            for parameter in caller.into_iter().flat_map(|k| &mut k.parameters) {
                let passes = parameter.kind == ParameterKind::StreamIn
                    && asked.contains(&parameter.name.as_str());
                changed |= passes && !parameter.indexed;
                parameter.indexed |= passes;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Kernels by number: whether calls lead from one to a circle. Whoever calls nobody of whom that is not known does not.
fn leads_to_circles(kernels: &[Kernel]) -> Vec<bool> {
    let mut callers = vec![Vec::new(); kernels.len()];
    for (number, kernel) in kernels.iter().enumerate() {
        kernel.calls.iter().for_each(|&c| callers[c].push(number));
    }
    let mut open: Vec<usize> = kernels.iter().map(|k| k.calls.len()).collect();
    let mut left: Vec<usize> = (0..open.len()).filter(|&k| open[k] == 0).collect();
    while let Some(done) = left.pop() {
        for &caller in &callers[done] {
            open[caller] -= 1;
            if open[caller] == 0 {
                left.push(caller);
            }
        }
    }
    open.iter().map(|&calls| calls > 0).collect()
}

/// Sub-kernels are logically expanded inline, so no kernel may reach itself.
pub(super) fn check_recursion(context: &mut Context<'_>, unit: &Unit) {
    let suspects = leads_to_circles(&unit.kernels);
    for (start, kernel) in unit.kernels.iter().enumerate() {
        if !suspects[start] {
            continue;
        }
        let mut reached = BTreeSet::new();
        let mut open = kernel.calls.clone();
        while let Some(next) = open.pop() {
            if reached.insert(next) {
                open.extend(&unit.kernels[next].calls);
            }
        }
        if reached.contains(&start) {
            context.error(&codes::BROOK_RECURSION, kernel.head, &[&kernel.name]);
        }
    }
}
