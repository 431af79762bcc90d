use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{Expr, Scalar, Value};
use crate::module::{Capture, HostFunction, Launch, Nest, Parameter, ParameterKind, Statement};
use crate::source::Span;
use crate::syntax::{
    Kind, NodeId, attributes_of, declarators, decorated, outlines, specifiers, type_words,
};

/// Reads the host's part of a kernel: everything outside its nests. Also reads the functions it
/// calls.
pub(super) struct Host<'h, 'a> {
    pub(super) context: &'h mut Context<'a>,
    pub(super) unit: &'h mut Unit,
    kernel: &'h str,
    /// The kernel's nests; each learns which host variables it uses.
    nests: &'h mut [Nest],
    /// The parameters: name, scalar, and whether it is constant.
    pub(super) parameters: Vec<(String, Option<Scalar>, bool)>,
    /// Host variables in scope, innermost last.
    pub(super) variables: Vec<Variable>,
    /// The type of a function's value.
    result: Option<Scalar>,
    /// Number of variables that keep values of expressions.
    pub(super) kept: usize,
    /// All names that a function declares, each as often as it does so.
    pub(super) declared: Vec<String>,
}

/// A variable of the host.
pub(super) struct Variable {
    pub(super) name: String,
    /// `None` where its declaration could not be read.
    pub(super) scalar: Option<Scalar>,
    pub(super) constant: bool,
    /// What a constant is, if that is known.
    pub(super) value: Option<Value>,
    /// The sizes of an array, slowest first.
    pub(super) extents: Vec<u64>,
}

impl<'h, 'a> Host<'h, 'a> {
    /// The reader of a kernel.
    pub(super) fn kernel(
        context: &'h mut Context<'a>,
        unit: &'h mut Unit,
        kernel: &'h str,
        parameters: &[Parameter],
        nests: &'h mut [Nest],
    ) -> Self {
        let parameter = |p: &Parameter| {
            let scalar = p.scalar.filter(|_| p.kind == ParameterKind::Value);
            (p.name.clone(), scalar, p.constant)
        };
        Self {
            context,
            unit,
            kernel,
            nests,
            parameters: parameters.iter().map(parameter).collect(),
            variables: Vec::new(),
            result: None,
            kept: 0,
            declared: Vec::new(),
        }
    }

    /// The reader of a function that declares these names.
    pub(super) fn function(
        context: &'h mut Context<'a>,
        unit: &'h mut Unit,
        head: &'h HostFunction,
        declared: Vec<String>,
    ) -> Self {
        let parameter = |(name, scalar): &(String, Scalar)| (name.clone(), Some(*scalar), false);
        Self {
            context,
            unit,
            kernel: &head.name,
            nests: &mut [],
            parameters: head.parameters.iter().map(parameter).collect(),
            variables: Vec::new(),
            result: Some(head.result),
            kept: 0,
            declared,
        }
    }

    pub(super) fn declare(&mut self, name: &str, scalar: Option<Scalar>, constant: bool) {
        self.variables.push(Variable {
            name: name.to_string(),
            scalar,
            constant,
            value: None,
            extents: Vec::new(),
        });
    }

    /// What reads a function, where there are arrays.
    pub(super) fn in_function(&self) -> bool {
        self.result.is_some()
    }

    pub(super) fn statements(&mut self, parent: NodeId) -> Vec<Statement> {
        let tree = self.context.tree;
        self.scoped(|this, out| {
            for node in tree.children(parent) {
                this.statement(node, out);
            }
        })
    }

    /// The statements that `read` adds; variables they declare end with them.
    pub(super) fn scoped(
        &mut self,
        read: impl FnOnce(&mut Self, &mut Vec<Statement>),
    ) -> Vec<Statement> {
        let visible = self.variables.len();
        let mut out = Vec::new();
        read(self, &mut out);
        self.variables.truncate(visible);
        out
    }

    pub(super) fn statement(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let span = tree.span(node);
        if let Some(index) = self.nests.iter().position(|n| n.span == span) {
            self.launch(node, index, out);
            return;
        }
        // Types and constants are known already.
        if self.unit.host.locals.contains(&span) {
            return;
        }
        match tree.kind(node) {
            Kind::CompoundStatement => out.push(Statement::Block(self.statements(node))),
            Kind::Declaration => self.declaration(node, out),
            Kind::ExpressionStatement => {
                if let Some(inner) = tree.children(node).next() {
                    self.effect_of(tree.span(inner), out);
                }
            }
            Kind::IfStatement => self.branch(node, out),
            Kind::WhileStatement if self.declares(node) => self.repeat_declaring(node, out),
            Kind::ForStatement | Kind::WhileStatement => self.repeat(node, out),
            Kind::DoStatement => self.repeat_late(node, out),
            Kind::ForRangeLoop => self.repeat_over(node, out),
            Kind::SwitchStatement if self.declares(node) => {
                let inside = self.scoped(|this, out| this.switch(node, out));
                out.push(Statement::Block(inside));
            }
            Kind::SwitchStatement => self.switch(node, out),
            Kind::BreakStatement => out.push(Statement::Break),
            Kind::ContinueStatement => out.push(Statement::Continue),
            Kind::ReturnStatement => self.give(node, out),
            Kind::AttributedStatement => {
                // A barrier between launches means nothing: launches are ordered.
                let attributes = attributes_of(tree, node, self.context.text);
                if attributes.iter().all(|a| a.name != "barrier") {
                    self.statement(decorated(tree, node), out);
                }
            }
            Kind::AttributeDeclaration => {}
            _ => self.context.error(&codes::HOST_STATEMENT, span, &[]),
        }
    }

    fn give(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let value = tree.children(node).next();
        match (value, self.result) {
            (Some(value), Some(result)) => {
                if let Some(value) = self.value_of(tree.span(value), out) {
                    out.push(Statement::Give(Expr::Cast(result, Box::new(value))));
                }
            }
            (None, None) => out.push(Statement::Return),
            _ => {
                let span = tree.span(node);
                self.context.error(&codes::HOST_STATEMENT, span, &[]);
            }
        }
    }

    /// One statement or a block, as the body of something.
    pub(super) fn body(&mut self, node: Option<NodeId>) -> Vec<Statement> {
        match node {
            Some(node) if self.context.tree.kind(node) == Kind::CompoundStatement => {
                self.statements(node)
            }
            Some(node) => self.scoped(|this, out| this.statement(node, out)),
            None => Vec::new(),
        }
    }

    fn launch(&mut self, node: NodeId, index: usize, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let mut captures: Vec<Capture> = Vec::new();
        let mut names = Vec::new();
        for name in tree
            .descendants(node)
            .filter(|&n| tree.kind(n) == Kind::Identifier)
        {
            names.push(tree.text(name, self.context.text));
        }
        // Sizes of tiles and dimensions stand in attributes.
        let attributes = tree
            .descendants(node)
            .filter(|&n| tree.kind(n) == Kind::AttributeDeclaration);
        for attribute in attributes {
            let text = tree.text(attribute, self.context.text);
            let inside = text.split_once('"').map_or("", |(_, rest)| rest);
            let words = inside.split(|c: char| !c.is_alphanumeric() && c != '_');
            names.extend(words.filter(|w| !w.is_empty()));
        }
        for name in names {
            let known = self.variables.iter().rev().find(|v| v.name == name);
            let Some(scalar) = known.and_then(|v| v.scalar) else {
                continue;
            };
            if captures.iter().all(|c| c.name != name) {
                let name = name.to_string();
                captures.push(Capture { name, scalar });
            }
        }
        let Some(nest) = self.nests.get_mut(index) else {
            return;
        };
        let own = captures.iter().map(|c| c.name.clone());
        let shadowed = |p: &&String| !captures.iter().any(|c| c.name == **p);
        let arguments = self
            .parameters
            .iter()
            .map(|(name, ..)| name)
            .filter(shadowed)
            .cloned()
            .chain(own)
            .collect();
        out.push(Statement::Launch(Box::new(Launch {
            kernel: format!("_occa_{}_{index}", self.kernel),
            groups: nest.outer.clone(),
            items: nest.inner.clone(),
            arguments,
            offsets: false,
            shared: 0,
            bases: Vec::new(),
            most_items: 0,
        })));
        nest.captures = captures;
    }

    pub(super) fn declaration(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let text = self.context.text;
        let words = &*type_words(tree, node, text);
        let said = specifiers(tree, node, text);
        let (constant, is_auto) = (said.constant, said.automatic);
        let sema = self.context.sema;
        let scalar = self.unit.scalar_of(sema, node);
        let names = declarators(tree, node, text);
        let lasting = said.is_static && !constant || said.external;
        let unknown = scalar.is_none() && !is_auto || lasting;
        if unknown {
            self.context
                .error(&codes::HOST_TYPE, tree.span(node), &[&words]);
        }
        for name in names {
            let mut found = scalar.filter(|_| !unknown);
            let mut value = None;
            if let Some(scalar) = found
                && self.in_function()
                && !name.sizes.is_empty()
                && name.pointers == 0
                && !name.reference
            {
                self.array(&name, scalar, constant, out);
                continue;
            }
            if !unknown && (name.pointers > 0 || !name.sizes.is_empty() || name.reference) {
                self.context
                    .error(&codes::HOST_TYPE, name.span, &[&name.span.of(text)]);
                found = None;
            } else if !unknown {
                let span = name.value.map(|v| initializer(tree.span(v), text));
                value = span.and_then(|span| self.value_of(span, out));
                if is_auto {
                    found = match (span, &value) {
                        (Some(span), Some(value)) => self.scalar_of(value, span),
                        _ => None,
                    };
                }
                if let Some(scalar) = found.filter(|_| span.is_none() || value.is_some()) {
                    out.push(Statement::Declare {
                        name: name.name.to_string(),
                        scalar,
                        value: value.clone(),
                    });
                }
            }
            let value = value.filter(|_| constant).zip(found);
            let known = value
                .and_then(|(value, scalar)| self.evaluated(&Expr::Cast(scalar, Box::new(value))));
            self.declare(name.name, found, constant);
            if let Some(variable) = self.variables.last_mut() {
                variable.value = known;
            }
        }
    }
}

/// An initialiser without the braces that may stand around it.
fn initializer(span: Span, text: &str) -> Span {
    let braced = span.of(text).starts_with('{') && span.of(text).ends_with('}');
    match braced {
        true => Span::new(span.start + 1, span.end - 1),
        false => span,
    }
}

/// Names that host code may declare anywhere in a kernel, for telling host values from device
/// values before the statements are read in order.
pub(super) fn host_names(
    context: &Context<'_>,
    parent: NodeId,
    nests: &[Span],
    names: &mut Vec<String>,
) {
    let tree = context.tree;
    for node in tree.children(parent) {
        if nests.contains(&tree.span(node)) {
            continue;
        }
        if tree.kind(node) == Kind::Declaration {
            names.extend(outlines(tree, node).map(|d| d.name.of(context.text).to_string()));
        }
        host_names(context, node, nests, names);
    }
}
