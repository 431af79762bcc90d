use super::header::expression;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{BinaryOperator, Expr, Scalar};
use crate::module::{Capture, Launch, Nest, Statement};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, declarators, decorated, type_span};

/// Reads the host's part of a kernel: everything outside its nests.
pub(super) struct Host<'h, 'a> {
    pub(super) context: &'h mut Context<'a>,
    pub(super) kernel: &'h str,
    /// The kernel's nests; each learns which host variables it uses.
    pub(super) nests: &'h mut [Nest],
    /// Names of the kernel's parameters.
    pub(super) parameters: Vec<String>,
    /// Host variables in scope, innermost last.
    pub(super) variables: Vec<Capture>,
}

impl Host<'_, '_> {
    pub(super) fn statements(&mut self, parent: NodeId) -> Vec<Statement> {
        let visible = self.variables.len();
        let tree = self.context.tree;
        let mut out = Vec::new();
        for node in tree.children(parent) {
            self.statement(node, &mut out);
        }
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
        match tree.kind(node) {
            Kind::CompoundStatement => out.push(Statement::Block(self.statements(node))),
            Kind::Declaration => self.declaration(node, out),
            Kind::ExpressionStatement => {
                if let Some(inner) = tree.children(node).next() {
                    self.expression(inner, out);
                }
            }
            Kind::IfStatement => self.branch(node, out),
            Kind::ForStatement | Kind::WhileStatement => self.repeat(node, out),
            Kind::BreakStatement => out.push(Statement::Break),
            Kind::ContinueStatement => out.push(Statement::Continue),
            Kind::ReturnStatement => out.push(Statement::Return),
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

    /// One statement or a block, as the body of something.
    fn body(&mut self, node: Option<NodeId>) -> Vec<Statement> {
        let mut out = Vec::new();
        match node {
            Some(node) if self.context.tree.kind(node) == Kind::CompoundStatement => {
                out = self.statements(node);
            }
            Some(node) => self.statement(node, &mut out),
            None => {}
        }
        out
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
            if let Some(variable) = known.filter(|v| !captures.contains(v)) {
                captures.push(variable.clone());
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
            .filter(shadowed)
            .cloned()
            .chain(own)
            .collect();
        out.push(Statement::Launch(Launch {
            kernel: format!("_occa_{}_{index}", self.kernel),
            groups: nest.outer.clone(),
            items: nest.inner.clone(),
            arguments,
            shared: 0,
            bases: Vec::new(),
        }));
        nest.captures = captures;
    }

    fn declaration(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let words = type_span(tree, node).of(self.context.text);
        let Some(scalar) = Scalar::from_words(words.split_ascii_whitespace()) else {
            self.context
                .error(&codes::HOST_TYPE, tree.span(node), &[&words]);
            return;
        };
        for name in declarators(tree, node, self.context.text) {
            if name.pointers > 0 || !name.sizes.is_empty() || name.reference {
                self.context.error(
                    &codes::HOST_TYPE,
                    name.span,
                    &[&name.span.of(self.context.text)],
                );
                continue;
            }
            let value = match name.value {
                Some(value) => match expression(self.context, tree.span(value)) {
                    Some(value) => Some(value),
                    None => continue,
                },
                None => None,
            };
            out.push(Statement::Declare {
                name: name.name.clone(),
                scalar,
                value,
            });
            self.variables.push(Capture {
                name: name.name,
                scalar,
            });
        }
    }

    fn expression(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        let text = self.context.text;
        let operator = |field| tree.child(node, field).map_or("", |o| tree.text(o, text));
        let (target, value) = match tree.kind(node) {
            Kind::UpdateExpression => {
                let by = match operator(Field::Operator) {
                    "++" => BinaryOperator::Add,
                    _ => BinaryOperator::Subtract,
                };
                (
                    tree.child(node, Field::Argument),
                    Some((Some(by), Expr::int(1))),
                )
            }
            Kind::AssignmentExpression => {
                let right = tree.child(node, Field::Right).map(|r| tree.span(r));
                let value = right.and_then(|r| expression(self.context, r));
                let by = compound(operator(Field::Operator));
                (tree.child(node, Field::Left), value.map(|v| (by, v)))
            }
            Kind::CommaExpression => {
                for part in tree.children(node) {
                    self.expression(part, out);
                }
                return;
            }
            _ => (None, None),
        };
        let name = target
            .filter(|&t| tree.kind(t) == Kind::Identifier)
            .map(|t| tree.text(t, text).to_string());
        let known = name.filter(|n| self.variables.iter().any(|v| v.name == *n));
        match (known, value) {
            (Some(name), Some((by, value))) => {
                let value = match by {
                    Some(by) => Expr::binary(by, Expr::name(name.as_str()), value),
                    None => value,
                };
                out.push(Statement::Assign { name, value });
            }
            (_, None) if tree.kind(node) == Kind::AssignmentExpression => {}
            _ => self
                .context
                .error(&codes::HOST_STATEMENT, tree.span(node), &[]),
        }
    }

    fn condition(&mut self, node: NodeId) -> Option<Expr> {
        let tree = self.context.tree;
        let condition = tree.child(node, Field::Condition)?;
        expression(self.context, tree.span(tree.unparenthesized(condition)))
    }

    fn branch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let condition = self.condition(node);
        let then = self.body(tree.child(node, Field::Consequence));
        let otherwise = tree.child(node, Field::Alternative);
        let otherwise = otherwise.and_then(|a| match tree.kind(a) {
            Kind::ElseClause => tree.children(a).next(),
            _ => Some(a),
        });
        let otherwise = self.body(otherwise);
        if let Some(condition) = condition {
            out.push(Statement::If {
                condition,
                then,
                otherwise,
            });
        }
    }

    fn repeat(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let visible = self.variables.len();
        let mut initial = Vec::new();
        if let Some(first) = tree.child(node, Field::Initializer) {
            match tree.kind(first) {
                Kind::Declaration => self.declaration(first, &mut initial),
                _ => self.expression(first, &mut initial),
            }
        }
        let condition = match tree.child(node, Field::Condition) {
            Some(_) => self.condition(node),
            None => Some(Expr::int(1)),
        };
        let mut step = Vec::new();
        if let Some(update) = tree.child(node, Field::Update) {
            self.expression(update, &mut step);
        }
        let body = self.body(tree.child(node, Field::Body));
        self.variables.truncate(visible);
        if let Some(condition) = condition {
            out.push(Statement::Loop {
                initial,
                condition,
                step,
                body,
            });
        }
    }
}

fn compound(operator: &str) -> Option<BinaryOperator> {
    Some(match operator {
        "+=" => BinaryOperator::Add,
        "-=" => BinaryOperator::Subtract,
        "*=" => BinaryOperator::Multiply,
        "/=" => BinaryOperator::Divide,
        "%=" => BinaryOperator::Remainder,
        "<<=" => BinaryOperator::ShiftLeft,
        ">>=" => BinaryOperator::ShiftRight,
        "&=" => BinaryOperator::BitAnd,
        "|=" => BinaryOperator::BitOr,
        "^=" => BinaryOperator::BitXor,
        _ => return None,
    })
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
