use super::Checker;
use super::types::{Ty, VOID, loses};
use super::values::Value;
use crate::diagnostics::codes;
use crate::syntax::{Field, Kind, NodeId, attributes_of, decorated};

impl Checker<'_, '_> {
    pub(super) fn statement(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let span = tree.span(node);
        match tree.kind(node) {
            Kind::CompoundStatement | Kind::ElseClause => {
                for child in tree.children(node) {
                    self.statement(child);
                }
            }
            Kind::Declaration => self.declaration(node),
            Kind::ExpressionStatement => {
                if let Some(expression) = tree.children(node).next() {
                    self.expression(expression);
                }
            }
            Kind::IfStatement => {
                let condition = self.condition_of(node);
                for field in [Field::Consequence, Field::Alternative] {
                    if let Some(branch) = tree.child(node, field) {
                        self.statement(branch);
                    }
                }
                self.scalar(condition);
            }
            Kind::ForStatement => {
                if let Some(initial) = tree.child(node, Field::Initializer) {
                    match tree.kind(initial) {
                        Kind::Declaration => self.declaration(initial),
                        _ => {
                            self.expression(initial);
                        }
                    }
                }
                let condition = self.condition_of(node);
                if let Some(update) = tree.child(node, Field::Update) {
                    self.expression(update);
                }
                self.repeated(node);
                self.scalar(condition);
            }
            Kind::WhileStatement => {
                let condition = self.condition_of(node);
                self.repeated(node);
                self.scalar(condition);
            }
            Kind::DoStatement => {
                self.repeated(node);
                let condition = self.condition_of(node);
                self.scalar(condition);
            }
            Kind::ReturnStatement => self.returns(node),
            Kind::BreakStatement | Kind::ContinueStatement if self.here.loops > 0 => {}
            Kind::SwitchStatement => self.report(&codes::BROOK_SWITCH, span, &[]),
            Kind::AttributedStatement => {
                for attribute in attributes_of(tree, node, self.context.text) {
                    self.report(&codes::BROOK_CONTROL_FLOW, attribute.span, &[]);
                }
                self.statement(decorated(tree, node));
            }
            Kind::LabeledStatement => {
                // Where there is a goto, it says so.
                if !self.here.jumps {
                    self.report(&codes::BROOK_CONTROL_FLOW, span, &[]);
                }
                for child in tree.children(node).skip(1) {
                    self.statement(child);
                }
            }
            Kind::Error | Kind::Missing => {}
            _ => self.report(&codes::BROOK_CONTROL_FLOW, span, &[]),
        }
    }

    fn repeated(&mut self, node: NodeId) {
        self.here.loops += 1;
        if let Some(body) = self.context.tree.child(node, Field::Body) {
            self.statement(body);
        }
        self.here.loops -= 1;
    }

    /// The condition of a statement; it is judged after what it decides about.
    fn condition_of(&mut self, node: NodeId) -> Option<(NodeId, Value)> {
        let tree = self.context.tree;
        let condition = tree.unparenthesized(tree.child(node, Field::Condition)?);
        let value = self.expression(condition);
        Some((condition, value))
    }

    /// The condition of a statement or of `?:`: a scalar.
    pub(super) fn scalar(&mut self, condition: Option<(NodeId, Value)>) {
        let Some((node, value)) = condition else {
            return;
        };
        let span = self.span(node);
        if value.array.is_some() {
            self.report(&codes::BROOK_ARRAY_UNARY, span, &[]);
            return;
        }
        let code = match value.ty.arithmetic() {
            None => &codes::BROOK_CONDITION_TYPE,
            Some(ty) if ty.is_vector() && self.checking.brookgpu => return,
            Some(ty) if ty.is_vector() => &codes::BROOK_CONDITION,
            Some(_) => return,
        };
        self.following(value.guessed, |this| this.report(code, span, &[]));
    }

    fn returns(&mut self, node: NodeId) {
        let span = self.span(node);
        let wanted = self.here.result.unwrap_or(VOID);
        let Some(value) = self.context.tree.children(node).next() else {
            if wanted != VOID {
                self.report(&codes::BROOK_MUST_RETURN, span, &[]);
            }
            return;
        };
        let worth = self.expression(value);
        let found = worth.ty;
        if found == wanted {
            return;
        }
        let (from, to) = (self.show(found), self.show(wanted));
        let span = self.span(value);
        self.following(worth.guessed, |this| match (found.arithmetic(), wanted) {
            (Some(a), Ty::Number(b)) if this.checking.relaxed && wanted != VOID => {
                this.converts(value, found, b);
                if loses(a.base, b.base) {
                    this.report(&codes::BROOK_RETURN_CONVERTED, span, &[&from, &to]);
                }
            }
            _ => this.refuse(&codes::BROOK_RETURN_MISMATCH, span, &[&from, &to]),
        });
    }
}
