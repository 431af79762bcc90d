use super::expressions::{Use, read};
use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, Scalar};
use crate::module::{
    Capture, Case, HostFunction, Launch, Nest, Parameter, ParameterKind, Statement,
};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, declarators, decorated, type_words};

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
}

/// A variable of the host.
pub(super) struct Variable {
    pub(super) name: String,
    /// `None` where its declaration could not be read.
    pub(super) scalar: Option<Scalar>,
    pub(super) constant: bool,
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
        }
    }

    /// The reader of a function.
    pub(super) fn function(
        context: &'h mut Context<'a>,
        unit: &'h mut Unit,
        head: &'h HostFunction,
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
        }
    }

    pub(super) fn declare(&mut self, name: &str, scalar: Option<Scalar>, constant: bool) {
        self.variables.push(Variable {
            name: name.to_string(),
            scalar,
            constant,
        });
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
    fn scoped(&mut self, read: impl FnOnce(&mut Self, &mut Vec<Statement>)) -> Vec<Statement> {
        let visible = self.variables.len();
        let mut out = Vec::new();
        read(self, &mut out);
        self.variables.truncate(visible);
        out
    }

    fn statement(&mut self, node: NodeId, out: &mut Vec<Statement>) {
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
    fn body(&mut self, node: Option<NodeId>) -> Vec<Statement> {
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
            shared: 0,
            bases: Vec::new(),
        })));
        nest.captures = captures;
    }

    fn declaration(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let text = self.context.text;
        let words = &*type_words(tree, node, text);
        let has = |word: &str| words.split_ascii_whitespace().any(|w| w == word);
        let constant = has("const") || has("constexpr");
        let scalar = match self.unit.named_type(words) {
            (scalar, 0) => scalar,
            _ => None,
        };
        let plain: Vec<&str> = words
            .split_ascii_whitespace()
            .filter(|w| !matches!(*w, "const" | "constexpr" | "volatile"))
            .collect();
        let is_auto = plain == ["auto"];
        let scalar = scalar.or_else(|| match self.unit.named_type(&plain.join(" ")) {
            (scalar, 0) => scalar,
            _ => None,
        });
        let names = declarators(tree, node, text);
        let unknown =
            (scalar.is_none() && !is_auto) || (has("static") && !constant) || has("extern");
        if unknown {
            self.context
                .error(&codes::HOST_TYPE, tree.span(node), &[&words]);
        }
        for name in names {
            let mut found = scalar.filter(|_| !unknown);
            if !unknown && (name.pointers > 0 || !name.sizes.is_empty() || name.reference) {
                self.context
                    .error(&codes::HOST_TYPE, name.span, &[&name.span.of(text)]);
                found = None;
            } else if !unknown {
                let span = name.value.map(|v| initializer(tree.span(v), text));
                let value = span.and_then(|span| self.value_of(span, out));
                if is_auto {
                    found = match (span, &value) {
                        (Some(span), Some(value)) => self.scalar_of(value, span),
                        _ => None,
                    };
                }
                if let Some(scalar) = found.filter(|_| span.is_none() || value.is_some()) {
                    out.push(Statement::Declare {
                        name: name.name.clone(),
                        scalar,
                        value,
                    });
                }
            }
            self.declare(&name.name, found, constant);
        }
    }

    /// The condition of a statement; what it declares goes to `out`, as all that it does.
    fn condition(&mut self, node: NodeId, out: &mut Vec<Statement>) -> Option<Expr> {
        let tree = self.context.tree;
        let condition = tree.child(node, Field::Condition)?;
        if tree.kind(condition) != Kind::ConditionClause {
            return self.value_of(tree.span(tree.unparenthesized(condition)), out);
        }
        // `if (f(); g())`
        if let Some(first) = tree.child(condition, Field::Initializer) {
            for statement in tree.children(first) {
                match tree.kind(statement) {
                    Kind::ExpressionStatement | Kind::Declaration => self.statement(statement, out),
                    _ => self.effect_of(tree.span(statement), out),
                }
            }
        }
        let value = tree.child(condition, Field::Value)?;
        if tree.kind(value) != Kind::Declaration {
            return self.value_of(tree.span(value), out);
        }
        // `if (int n = f())`
        self.declaration(value, out);
        let declared = declarators(tree, value, self.context.text);
        let known = self.variables.last().filter(|v| v.scalar.is_some())?;
        let name = declared.first().filter(|d| d.name == known.name)?;
        Some(Expr::name(name.name.as_str()))
    }

    /// Whether the condition of a statement declares variables, which live as long as the statement.
    fn declares(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let condition = tree.child(node, Field::Condition);
        condition.is_some_and(|c| {
            let value = tree.child(c, Field::Value);
            tree.child(c, Field::Initializer).is_some()
                || value.is_some_and(|v| tree.kind(v) == Kind::Declaration)
        })
    }

    fn branch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        if self.declares(node) {
            let inside = self.scoped(|this, out| this.plain_branch(node, out));
            out.push(Statement::Block(inside));
        } else {
            self.plain_branch(node, out);
        }
    }

    fn plain_branch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let Some(condition) = self.condition(node, out) else {
            // What it may have declared would be missed in the branches.
            return;
        };
        let then = self.body(tree.child(node, Field::Consequence));
        let otherwise = tree.child(node, Field::Alternative);
        let otherwise = otherwise.and_then(|a| match tree.kind(a) {
            Kind::ElseClause => tree.children(a).next(),
            _ => Some(a),
        });
        let otherwise = self.body(otherwise);
        out.push(Statement::If {
            condition,
            then,
            otherwise,
        });
    }

    /// `while (int n = f())`: the variable is a new one in each round, and the body sees it.
    fn repeat_declaring(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let body = self.scoped(|this, out| {
            if let Some(condition) = this.condition(node, out) {
                out.push(Statement::If {
                    condition,
                    then: Vec::new(),
                    otherwise: vec![Statement::Break],
                });
                let body = this.body(tree.child(node, Field::Body));
                out.push(Statement::Block(body));
            }
        });
        out.push(Statement::Loop {
            initial: Vec::new(),
            prepare: Vec::new(),
            condition: Expr::int(1),
            step: Vec::new(),
            body,
            late: false,
        });
    }

    fn repeat(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let visible = self.variables.len();
        let mut initial = Vec::new();
        if let Some(first) = tree.child(node, Field::Initializer) {
            match tree.kind(first) {
                Kind::Declaration => self.declaration(first, &mut initial),
                _ => self.effect_of(tree.span(first), &mut initial),
            }
        }
        let mut prepare = Vec::new();
        let condition = match tree.child(node, Field::Condition) {
            Some(_) => self.condition(node, &mut prepare),
            None => Some(Expr::int(1)),
        };
        let mut step = Vec::new();
        if let Some(update) = tree.child(node, Field::Update) {
            self.effect_of(tree.span(update), &mut step);
        }
        let body = self.body(tree.child(node, Field::Body));
        self.variables.truncate(visible);
        if let Some(condition) = condition {
            out.push(Statement::Loop {
                initial,
                prepare,
                condition,
                step,
                body,
                late: false,
            });
        }
    }

    fn repeat_late(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let body = self.body(tree.child(node, Field::Body));
        let mut prepare = Vec::new();
        if let Some(condition) = self.condition(node, &mut prepare) {
            out.push(Statement::Loop {
                initial: Vec::new(),
                prepare,
                condition,
                step: Vec::new(),
                body,
                late: true,
            });
        }
    }

    fn switch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let value = self.condition(node, out);
        let visible = self.variables.len();
        let mut cases = Vec::new();
        let mut declarations = Vec::new();
        let body = tree.child(node, Field::Body);
        for part in body.into_iter().flat_map(|b| tree.children(b)) {
            if tree.kind(part) != Kind::CaseStatement {
                let span = tree.span(part);
                self.context.error(&codes::HOST_STATEMENT, span, &[]);
                continue;
            }
            let mut label = None;
            let marked = tree.child(part, Field::Value);
            if let Some(marked) = marked {
                let span = tree.span(marked);
                let read = read(self.context, self.unit, span, Use::Statement);
                label = read.as_ref().and_then(expr::constant);
                if read.is_some() && label.is_none() {
                    let text = span.of(self.context.text);
                    self.context.error(&codes::HOST_UNKNOWN, span, &[&text]);
                }
            }
            let mut body = Vec::new();
            for statement in tree.children(part).filter(|&c| Some(c) != marked) {
                self.statement(statement, &mut body);
            }
            hoist(&mut body, &mut declarations);
            cases.push(Case { label, body });
        }
        self.variables.truncate(visible);
        let Some(value) = value else { return };
        let switch = Statement::Switch { value, cases };
        if declarations.is_empty() {
            out.push(switch);
        } else {
            declarations.push(switch);
            out.push(Statement::Block(declarations));
        }
    }
}

/// Moves declarations out of a case: other cases see the variables too, and C++ lets nobody jump over
/// an initialisation.
fn hoist(body: &mut [Statement], declarations: &mut Vec<Statement>) {
    for statement in body {
        if let Statement::Declare {
            name,
            scalar,
            value,
        } = statement
        {
            declarations.push(Statement::Declare {
                name: name.clone(),
                scalar: *scalar,
                value: None,
            });
            let value = value.take().unwrap_or(Expr::int(0));
            let name = std::mem::take(name);
            *statement = Statement::Assign { name, value };
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
            names.extend(
                declarators(tree, node, context.text)
                    .into_iter()
                    .map(|d| d.name),
            );
        }
        host_names(context, node, nests, names);
    }
}
