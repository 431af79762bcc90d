use super::body::{Body, Meaning, ReduceUse};
use super::functions;
use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::module::{Base, Kernel, KernelForm, ParameterKind, Type, What};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    pub(super) fn call(&mut self, node: NodeId) -> Option<Type> {
        let tree = self.context.tree;
        let function = self.part(node, Field::Function)?;
        let list = self.part(node, Field::Arguments)?;
        let arguments: Vec<NodeId> = tree.children(list).collect();
        let span = self.span(node);
        if !matches!(tree.kind(function), Kind::Identifier | Kind::PrimitiveType) {
            self.context.error(&codes::BROOK_INDIRECT_CALL, span, &[]);
            return None;
        }
        let name = self.word(function).to_string();
        match name.as_str() {
            "indexof" => return self.index_of(node, &arguments),
            "instance" => return self.instance(node, &arguments),
            "instanceInGroup" | "syncGroup" => {
                self.context.error(&codes::BROOK_GROUPS_LATER, span, &[]);
                return None;
            }
            _ => {}
        }
        if let Some(ty) = Type::from_words(&name)
            && ty.is_vector()
        {
            return self.constructor(node, function, ty, &arguments);
        }
        let callee = self.unit.kernels.iter().position(|k| k.name == name);
        if let Some(callee) = callee {
            return self.sub_kernel(node, function, callee, &arguments);
        }
        let Some(row) = functions::find(&name) else {
            self.context.error(&codes::BROOK_CALLEE, span, &[&name]);
            return None;
        };
        let mut types = Vec::new();
        for &argument in &arguments {
            types.push(self.expression(argument));
        }
        let types: Vec<Type> = types.into_iter().collect::<Option<_>>()?;
        let fits = types.len() == row.arguments
            && types.windows(2).all(|w| w[0] == w[1])
            && types.first().is_some_and(|t| {
                (row.integers || !t.base.is_integer())
                    && (!row.whole || t.is_vector())
                    && (name != "cross" || t.width == 3)
            });
        if !fits {
            let shown: Vec<String> = types.iter().map(Type::to_string).collect();
            let code = &codes::BROOK_BUILTIN;
            self.context.error(code, span, &[&name, &shown.join(", ")]);
            return None;
        }
        let first = *types.first()?;
        let name_span = self.span(function);
        self.unit.push(
            span,
            What::Builtin {
                name,
                name_span,
                types,
            },
        );
        Some(if row.scalar_result {
            Type::scalar(first.base)
        } else {
            first
        })
    }

    fn in_reduction(&mut self, span: Span, which: &str) -> bool {
        let kernel = &self.unit.kernels[self.kernel];
        let reduces = matches!(kernel.form, KernelForm::Reduce { .. });
        if reduces {
            self.context
                .error(&codes::BROOK_INDEX_IN_REDUCTION, span, &[&which]);
        }
        reduces
    }

    fn index_of(&mut self, node: NodeId, arguments: &[NodeId]) -> Option<Type> {
        let span = self.span(node);
        if self.in_reduction(span, "indexof") {
            return None;
        }
        let [argument] = arguments else {
            let code = &codes::BROOK_ARGUMENT_COUNT;
            self.context
                .error(code, span, &[&"indexof", &1, &arguments.len()]);
            return None;
        };
        let name = self.word(*argument).to_string();
        let kind = match self.lookup(&name) {
            Some(Meaning::Parameter(p)) => Some(p.kind.clone()),
            _ => None,
        };
        match kind {
            Some(
                ParameterKind::StreamIn
                | ParameterKind::StreamOut { .. }
                | ParameterKind::Scatter(_),
            ) => {}
            Some(ParameterKind::Gather(_)) => {
                self.context.error(&codes::BROOK_INDEXOF_GATHER, span, &[]);
                return None;
            }
            _ => {
                self.context.error(&codes::BROOK_INDEXOF_STREAM, span, &[]);
                return None;
            }
        }
        self.unit.push(span, What::IndexOf);
        Some(Type::vector(Base::Float, 4))
    }

    fn instance(&mut self, node: NodeId, arguments: &[NodeId]) -> Option<Type> {
        let span = self.span(node);
        if self.in_reduction(span, "instance") {
            return None;
        }
        if !arguments.is_empty() {
            let code = &codes::BROOK_ARGUMENT_COUNT;
            self.context
                .error(code, span, &[&"instance", &0, &arguments.len()]);
            return None;
        }
        self.unit.push(span, What::Instance);
        Some(Type::vector(Base::Int, 4))
    }

    fn constructor(
        &mut self,
        node: NodeId,
        function: NodeId,
        ty: Type,
        arguments: &[NodeId],
    ) -> Option<Type> {
        let span = self.span(node);
        if ty.base == Base::Double && ty.width > 2 {
            self.context.error(&codes::BROOK_DOUBLE_WIDTH, span, &[]);
        }
        if arguments.len() != usize::from(ty.width) {
            let code = &codes::BROOK_CONSTRUCTOR_COUNT;
            self.context
                .error(code, span, &[&ty, &ty.width, &arguments.len()]);
        }
        let wanted = Type::scalar(ty.base);
        for (index, &argument) in arguments.iter().enumerate() {
            if let Some(found) = self.expression(argument)
                && found != wanted
            {
                let at = self.span(argument);
                let code = &codes::BROOK_ELEMENT_MISMATCH;
                self.context.error(code, at, &[&index, &found, &wanted]);
            }
        }
        let tree = self.context.tree;
        let arguments = arguments.iter().map(|&a| tree.span(a)).collect();
        let name = self.span(function);
        self.unit.push(
            span,
            What::Constructor {
                ty,
                name,
                arguments,
            },
        );
        Some(ty)
    }

    /// A call of another kernel: values in, `out` parameters back, arrays passed on.
    fn sub_kernel(
        &mut self,
        node: NodeId,
        function: NodeId,
        callee: usize,
        arguments: &[NodeId],
    ) -> Option<Type> {
        let tree = self.context.tree;
        let span = self.span(node);
        let Kernel {
            name,
            parameters,
            form,
            result,
            ..
        } = self.unit.kernels[callee].clone();
        if matches!(form, KernelForm::Reduce { .. }) {
            self.context.error(&codes::BROOK_CALL_REDUCTION, span, &[]);
            return None;
        }
        if parameters
            .iter()
            .any(|p| matches!(p.kind, ParameterKind::Scatter(_)))
        {
            self.context.error(&codes::BROOK_CALL_SCATTER, span, &[]);
            return None;
        }
        if arguments.len() != parameters.len() {
            let code = &codes::BROOK_ARGUMENT_COUNT;
            self.context
                .error(code, span, &[&name, &parameters.len(), &arguments.len()]);
            return None;
        }
        for (index, (&argument, parameter)) in arguments.iter().zip(&parameters).enumerate() {
            match parameter.kind {
                ParameterKind::Gather(rank) => {
                    self.array_argument(argument, index, rank, parameter.ty)
                }
                ParameterKind::StreamOut { .. } | ParameterKind::Out => {
                    let target = self.target(argument);
                    if let Some(found) = target {
                        self.expression(argument);
                        self.expect_argument(argument, index, found, parameter.ty);
                    }
                    let argument = tree.unparenthesized(argument);
                    if tree.kind(argument) != Kind::Identifier {
                        let at = self.span(argument);
                        self.context
                            .error(&codes::BROOK_ARGUMENT_LVALUE, at, &[&index]);
                    }
                }
                _ => {
                    let before = self.reduce;
                    let found = self.expression(argument);
                    if before != self.reduce {
                        self.reduce = ReduceUse::Otherwise;
                    }
                    if let Some(found) = found {
                        self.expect_argument(argument, index, found, parameter.ty);
                    }
                }
            }
        }
        let arguments = arguments.iter().map(|&a| tree.span(a)).collect();
        let name = self.span(function);
        self.unit.push(
            span,
            What::SubKernelCall {
                kernel: callee,
                name,
                arguments,
            },
        );
        Some(result)
    }

    fn expect_argument(&mut self, node: NodeId, index: usize, found: Type, wanted: Type) {
        if found != wanted {
            let span = self.span(node);
            let code = &codes::BROOK_ARGUMENT_MISMATCH;
            self.context.error(code, span, &[&index, &found, &wanted]);
        }
    }

    fn array_argument(&mut self, node: NodeId, index: usize, rank: usize, element: Type) {
        let span = self.span(node);
        self.unit.push(span, What::Name);
        let parameter = match self.lookup(self.word(node)) {
            Some(Meaning::Parameter(p)) => Some(p.clone()),
            _ => None,
        };
        match parameter {
            Some(p) if p.kind == ParameterKind::Gather(rank) => {
                self.expect_argument(node, index, p.ty, element);
            }
            Some(p) if matches!(p.kind, ParameterKind::Gather(_)) => {
                self.context
                    .error(&codes::BROOK_ARGUMENT_DIMENSIONS, span, &[&index]);
            }
            _ => self
                .context
                .error(&codes::BROOK_ARGUMENT_GATHER, span, &[&index]),
        }
    }
}

/// Sub-kernels are logically expanded inline, so no kernel may reach itself.
pub(super) fn check_recursion(context: &mut Context<'_>, unit: &Unit) {
    let calls = |kernel: &Kernel| -> Vec<usize> {
        let inside = unit
            .constructs
            .iter()
            .filter(|c| kernel.body.contains(c.span));
        inside
            .filter_map(|c| match c.what {
                What::SubKernelCall { kernel, .. } => Some(kernel),
                _ => None,
            })
            .collect()
    };
    let graph: Vec<Vec<usize>> = unit.kernels.iter().map(calls).collect();
    for (start, kernel) in unit.kernels.iter().enumerate() {
        let mut reached = vec![false; graph.len()];
        let mut open = graph[start].clone();
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut reached[next], true) {
                open.extend(&graph[next]);
            }
        }
        if reached[start] {
            context.error(&codes::BROOK_RECURSION, kernel.head, &[&kernel.name]);
        }
    }
}
