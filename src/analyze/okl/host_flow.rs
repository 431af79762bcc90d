//! Conditions and loops of the host's part.

use super::expressions::{Use, read};
use super::host::Host;
use super::host_arrays;
use crate::diagnostics::codes;
use crate::expr::{self, BinaryOperator, Expr, Scalar};
use crate::module::{Case, Statement};
use crate::syntax::{Field, Kind, NodeId, declarators};

/// Longer rows of `else if` are laid flat: whoever reads the statements afterwards has an ordinary stack.
const LINKS: usize = 20;

impl Host<'_, '_> {
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
        Some(Expr::name(name.name))
    }

    /// Whether the condition of a statement declares variables, which live as long as the statement.
    pub(super) fn declares(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let condition = tree.child(node, Field::Condition);
        condition.is_some_and(|c| {
            let value = tree.child(c, Field::Value);
            tree.child(c, Field::Initializer).is_some()
                || value.is_some_and(|v| tree.kind(v) == Kind::Declaration)
        })
    }

    pub(super) fn branch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        if self.declares(node) {
            let inside = self.scoped(|this, out| this.plain_branch(node, out));
            out.push(Statement::Block(inside));
        } else {
            self.plain_branch(node, out);
        }
    }

    fn plain_branch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
        if self.links(node) > LINKS {
            self.flat_branches(node, out);
            return;
        }
        let tree = self.context.tree;
        let Some(condition) = self.condition(node, out) else {
            // What it may have declared would be missed in the branches.
            return;
        };
        let then = self.body(tree.child(node, Field::Consequence));
        let otherwise = self.body(self.alternative(node));
        out.push(Statement::If {
            condition,
            then,
            otherwise,
        });
    }

    /// The statement behind `else`.
    fn alternative(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let otherwise = tree.child(node, Field::Alternative)?;
        match tree.kind(otherwise) {
            Kind::ElseClause => tree.children(otherwise).next(),
            _ => Some(otherwise),
        }
    }

    /// The next `if` of a row of `else if`, unless it declares something that all behind it see.
    fn next_link(&self, node: NodeId) -> Option<NodeId> {
        let next = self.alternative(node);
        next.filter(|&n| self.context.tree.kind(n) == Kind::IfStatement && !self.declares(n))
    }

    /// How many `else if` follow, as far as it matters.
    fn links(&self, node: NodeId) -> usize {
        let following = std::iter::successors(Some(node), |&n| self.next_link(n));
        following.skip(1).take(LINKS + 1).count()
    }

    /// A row of `else if` whose statements are not as deep as it is long: each asks whether one before it was taken.
    fn flat_branches(&mut self, first: NodeId, out: &mut Vec<Statement>) {
        let tree = self.context.tree;
        let taken = self.fresh(Scalar::Int);
        out.push(Statement::Declare {
            name: taken.clone(),
            scalar: Scalar::Int,
            value: None,
        });
        let unless_taken = |then| Statement::If {
            condition: Expr::binary(
                BinaryOperator::Equal,
                Expr::name(taken.as_str()),
                Expr::int(0),
            ),
            then,
            otherwise: Vec::new(),
        };
        let mut at = first;
        loop {
            let mut link = Vec::new();
            let Some(condition) = self.condition(at, &mut link) else {
                return;
            };
            let mut then = vec![Statement::Assign {
                name: taken.clone(),
                value: Expr::int(1),
            }];
            then.extend(self.body(tree.child(at, Field::Consequence)));
            link.push(Statement::If {
                condition,
                then,
                otherwise: Vec::new(),
            });
            out.push(unless_taken(link));
            match self.next_link(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        if let Some(last) = self.alternative(at) {
            let last = self.body(Some(last));
            out.push(unless_taken(last));
        }
    }

    /// `while (int n = f())`: the variable is a new one in each round, and the body sees it.
    pub(super) fn repeat_declaring(&mut self, node: NodeId, out: &mut Vec<Statement>) {
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

    pub(super) fn repeat(&mut self, node: NodeId, out: &mut Vec<Statement>) {
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

    pub(super) fn repeat_late(&mut self, node: NodeId, out: &mut Vec<Statement>) {
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

    pub(super) fn switch(&mut self, node: NodeId, out: &mut Vec<Statement>) {
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
fn hoist(body: &mut Vec<Statement>, declarations: &mut Vec<Statement>) {
    let mut statements = Vec::with_capacity(body.len());
    for statement in body.drain(..) {
        match statement {
            Statement::Declare {
                name,
                scalar,
                value,
            } => {
                declarations.push(Statement::Declare {
                    name: name.clone(),
                    scalar,
                    value: None,
                });
                let value = value.unwrap_or(Expr::int(0));
                statements.push(Statement::Assign { name, value });
            }
            Statement::Array {
                name,
                scalar,
                extents,
                values,
            } => {
                // A list makes all elements anew, wherever the program has jumped before.
                if !values.is_empty() {
                    statements.extend(host_arrays::filled(&name, &extents, values));
                }
                declarations.push(Statement::Array {
                    name,
                    scalar,
                    extents,
                    values: Vec::new(),
                });
            }
            other => statements.push(other),
        }
    }
    *body = statements;
}
