//! Control flow and variables.

use super::make::Make;
use super::{Lower, Lowered, Meaning};
use crate::analyze::brook::check::Ty;
use crate::body::{
    BinaryOperator, ExpressionId, ExpressionKind, Memory, StatementId, StatementKind, Step,
    TypeKind,
};
use crate::expr::{self, Scalar};
use crate::source::Span;
use crate::syntax::{
    Declarator, Field, Kind, NodeId, attributes_of, declarators, decorated, type_span,
};

impl Lower<'_, '_, '_> {
    /// The statements of a block, or the one statement that stands in the place of one.
    pub(super) fn statements_of(&mut self, node: NodeId) -> Vec<StatementId> {
        let mut out = Vec::new();
        match self.syntax(node) {
            Kind::CompoundStatement => {
                for child in self.children(node) {
                    self.statement(child, &mut out);
                }
            }
            _ => self.statement(node, &mut out),
        }
        out
    }

    /// Adds what a statement does; one of which something is not modelled is `Opaque`.
    fn statement(&mut self, node: NodeId, out: &mut Vec<StatementId>) {
        let before = out.len();
        if let Err(opaque) = self.try_statement(node, out) {
            out.truncate(before);
            self.finish(StatementKind::Opaque(opaque.what), opaque.span, out);
        }
    }

    fn finish(&mut self, kind: StatementKind, span: Span, out: &mut Vec<StatementId>) {
        let statement = self.push_statement(kind, span);
        out.push(statement);
    }

    fn try_statement(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let span = self.span(node);
        let kind = match self.syntax(node) {
            Kind::CompoundStatement => StatementKind::Block(self.statements_of(node)),
            Kind::AttributedStatement => {
                let inner = decorated(self.unit.context.tree, node);
                return self.try_statement(inner, out);
            }
            Kind::ElseClause => {
                for child in self.children(node) {
                    self.statement(child, out);
                }
                return Ok(());
            }
            Kind::Declaration => return self.declaration(node, out),
            Kind::ExpressionStatement => match self.children(node).first() {
                Some(&expression) => return self.effect(expression, out),
                None => return Ok(()),
            },
            Kind::IfStatement => {
                let condition = self.condition(node)?;
                let then = self.part(node, Field::Consequence)?;
                let then = self.statements_of(then);
                let otherwise = self.unit.context.tree.child(node, Field::Alternative);
                let otherwise = otherwise.map(|other| self.statements_of(other));
                StatementKind::If {
                    condition,
                    then,
                    otherwise: otherwise.unwrap_or_default(),
                }
            }
            Kind::ForStatement => self.for_loop(node)?,
            Kind::WhileStatement | Kind::DoStatement => StatementKind::Loop {
                initial: Vec::new(),
                condition: Some(self.condition(node)?),
                step: None,
                body: {
                    let body = self.part(node, Field::Body)?;
                    self.statements_of(body)
                },
                late: self.syntax(node) == Kind::DoStatement,
            },
            Kind::BreakStatement => StatementKind::Break,
            Kind::ContinueStatement => StatementKind::Continue,
            Kind::ReturnStatement => match self.children(node).first() {
                Some(&value) => StatementKind::Return(Some(self.expression(value)?)),
                None => StatementKind::Return(None),
            },
            _ if self.text(node).trim() == ";" => return Ok(()),
            _ => return self.unnamed(node, "a statement of this form"),
        };
        self.finish(kind, span, out);
        Ok(())
    }

    fn for_loop(&mut self, node: NodeId) -> Lowered<StatementKind> {
        let tree = self.unit.context.tree;
        let mut initial = Vec::new();
        if let Some(first) = tree.child(node, Field::Initializer) {
            match tree.kind(first) {
                Kind::Declaration => self.declaration(first, &mut initial)?,
                _ => self.effect(first, &mut initial)?,
            }
        }
        let condition = match tree.child(node, Field::Condition) {
            Some(_) => Some(self.condition(node)?),
            None => None,
        };
        let step = match tree.child(node, Field::Update) {
            Some(update) => Some(self.expression(update)?),
            None => None,
        };
        let body = self.part(node, Field::Body)?;
        Ok(StatementKind::Loop {
            initial,
            condition,
            step,
            body: self.statements_of(body),
            late: false,
        })
    }

    /// An expression that is there for what it does.
    fn effect(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let span = self.span(node);
        if self.waits(node) {
            let scope = crate::module::BarrierScope::Group;
            self.finish(StatementKind::Barrier(scope), span, out);
            return Ok(());
        }
        if self.syntax(node) == Kind::AssignmentExpression
            && let Some(scatter) = self.scatter(node)?
        {
            self.finish(scatter, span, out);
            return Ok(());
        }
        let value = self.expression(node)?;
        self.finish(StatementKind::Expression(value), span, out);
        Ok(())
    }

    /// `syncGroup()`
    fn waits(&self, node: NodeId) -> bool {
        let tree = self.unit.context.tree;
        let function = tree.child(node, Field::Function);
        tree.kind(node) == Kind::CallExpression
            && function.is_some_and(|f| self.text(f) == "syncGroup")
    }

    /// The condition of a statement: of a vector, any component decides.
    pub(super) fn condition(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let condition = self.part(node, Field::Condition)?;
        let condition = self.inner(condition);
        let value = self.expression(condition)?;
        self.truth(value)
    }

    /// Whether a number is not zero, or any component of a vector.
    pub(super) fn truth(&mut self, value: ExpressionId) -> Lowered<ExpressionId> {
        let (ty, span) = (self.ty(value), self.body.expression(value).span);
        let TypeKind::Vector(vector) = self.kind(ty) else {
            return self.shaped(value, (Scalar::Bool, 1));
        };
        let (before, kept) = self.keep(value);
        let mut all = None;
        for index in 0..u32::from(vector.width) {
            let part = self.component(kept, index, span);
            let part = self.as_scalar(part, Scalar::Bool);
            all = Some(match all {
                None => part,
                Some(others) => {
                    let ty = self.scalar_type(Scalar::Bool);
                    self.push(ExpressionKind::Or(others, part), ty, span)
                }
            });
        }
        Ok(self.then(before, all.unwrap_or(value)))
    }

    fn declaration(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let (tree, text) = (self.unit.context.tree, self.unit.context.text);
        let names = declarators(tree, node, text);
        let mut attributes = attributes_of(tree, node, text);
        attributes.extend(names.iter().flat_map(|n| n.attributes.iter().cloned()));
        let shared = attributes.iter().any(|a| a.name == "shared");
        let ty = self.unit.facts.named(type_span(tree, node).of(text));
        let ty = ty.and_then(|ty| self.unit.of(ty).map(|made| (ty, made)));
        let Some((meant, ty)) = ty else {
            return self.unnamed(node, "a variable of this type");
        };
        for name in names {
            if shared {
                self.shared(node, &name, ty)?;
                continue;
            }
            if !name.sizes.is_empty() || name.pointers > 0 || name.function {
                return self.unnamed(node, "a variable of this form");
            }
            let variable = self.variable(name.name, ty, Memory::Private, name.name_span);
            self.declare(name.node, Meaning::Local(variable));
            let value = match name.value {
                Some(value) => Some(self.initial(value, meant)?),
                None => None,
            };
            let zeros = false;
            self.finish(StatementKind::Declare { variable, zeros }, name.span, out);
            if let Some(value) = value {
                let place = self.whole(variable, name.name_span);
                let assigned = self.assign(place, value, name.span);
                self.finish(StatementKind::Expression(assigned), name.span, out);
            }
        }
        Ok(())
    }

    /// The value that a variable begins with.
    fn initial(&mut self, value: NodeId, meant: Ty) -> Lowered<ExpressionId> {
        if self.syntax(value) != Kind::InitializerList {
            return self.expression(value);
        }
        let mut parts = Vec::new();
        for part in self.children(value) {
            parts.push(self.expression(part)?);
        }
        let span = self.span(value);
        match meant {
            Ty::Number(ty) if usize::from(ty.width) == parts.len() => Ok(self.vector(parts, span)),
            _ => self.unnamed(value, "a list of this form"),
        }
    }

    /// An array that the group shares.
    fn shared(&mut self, node: NodeId, name: &Declarator, ty: crate::body::Type) -> Lowered<()> {
        let count = name.sizes.first().copied().flatten();
        let count = count.and_then(|size| expr::constant(&expr::parse(self.text(size)).ok()?));
        let count = count.and_then(|c| u64::try_from(c).ok());
        let Some(count) = count else {
            return self.unnamed(node, "an array of this form");
        };
        let array = self.types().of(TypeKind::Array(ty, count));
        let variable = self.variable(name.name, array, Memory::Shared, name.name_span);
        self.declare(name.node, Meaning::Shared(variable));
        Ok(())
    }

    /// A component of a place that is a vector.
    pub(super) fn component_of(
        &mut self,
        vector: &crate::body::Place,
        index: u32,
    ) -> Lowered<crate::body::Place> {
        let mut place = vector.clone();
        let scalar = match self.kind(vector.ty) {
            TypeKind::Vector(vector) => vector.scalar,
            _ => Scalar::Int,
        };
        place.path.push(Step::Component(index));
        place.ty = self.scalar_type(scalar);
        Ok(place)
    }

    /// A number and one of the same type, compared with zero.
    pub(super) fn is_zero(&mut self, value: ExpressionId) -> ExpressionId {
        let span = self.body.expression(value).span;
        let ty = self.ty(value);
        let zero = self.number_of(0, ty, span);
        self.binary(BinaryOperator::Equal, value, zero, span)
    }
}
