//! The statements of such a loop.

use super::expressions::{converts, signed_operator};
use super::varying::Flow;
use super::{Outer, Returns, Surroundings, is_lane};
use crate::expr::Scalar;
use crate::module::{Eager, LaneVariable, Lockstep, Masked};
use crate::sema::TypeKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, declarators};

/// Operators of assignments that work on integers alone.
const OF_INTEGERS: [&str; 3] = ["&", "|", "^"];

/// Conditions inside conditions.
const DEEPEST: usize = 64;

/// What reads one loop.
pub(super) struct Reader<'r, 's> {
    pub(super) of: &'r Surroundings<'s>,
    outer: &'r [Outer],
    /// Variables that the loop declares, innermost last: name, type, whether it is a constant.
    inner: Vec<(String, Scalar, bool)>,
    variables: Vec<LaneVariable>,
    pub(super) eager: Vec<(Span, Eager)>,
    /// The conditions around here.
    conditions: Vec<NodeId>,
    flow: Flow,
    pub(super) mixes: bool,
    continues: bool,
    returned: bool,
}

impl Surroundings<'_> {
    /// The loop, if items leave it at different times and may run it together.
    pub(in crate::analyze) fn read(&self, node: NodeId, outer: &[Outer]) -> Option<Lockstep> {
        let tree = self.tree;
        let mut all = outer.to_vec();
        let initial = tree.child(node, Field::Initializer);
        if let Some(initial) = initial {
            self.declare(initial, &mut all);
            let fresh = all.get(outer.len()..).unwrap_or_default();
            // They come to stand beside the others.
            let hides = |o: &Outer| outer.iter().any(|known| known.name == o.name);
            if fresh.iter().any(hides) {
                return None;
            }
        }
        let mut reader = Reader {
            of: self,
            outer: &all,
            inner: Vec::new(),
            variables: Vec::new(),
            eager: Vec::new(),
            conditions: Vec::new(),
            flow: Flow::default(),
            mixes: false,
            continues: false,
            returned: false,
        };
        let condition = tree
            .child(node, Field::Condition)
            .map(|c| tree.unparenthesized(c));
        if let Some(condition) = condition {
            reader.harmless(condition)?;
            reader.flow.exits.push(condition);
        }
        let mut update = Vec::new();
        if let Some(node) = tree.child(node, Field::Update) {
            reader.expression(node, &mut update)?;
        }
        let mut statements = Vec::new();
        reader.statement(tree.child(node, Field::Body)?, &mut statements)?;
        let exits = reader.flow.exits(self, &all);
        let flows = exits != 0 && reader.variables.iter().any(|v| v.changes);
        flows.then(|| Lockstep {
            body: tree.span(node),
            early: Vec::new(),
            parameters: Span::at(tree.span(node).start),
            span: tree.span(node),
            initial: initial.map(|i| {
                // A declaration has its semicolon, an expression has not.
                let span = tree.span(i);
                let rest = self.text.get(span.end as usize..).unwrap_or_default();
                let closed = span.of(self.text).ends_with(';');
                let gap = rest
                    .find(';')
                    .filter(|_| !closed)
                    .map_or(0, |at| at as u32 + 1);
                Span::new(span.start, span.end + gap)
            }),
            condition: condition.map(|c| tree.span(c)),
            runs_once: tree.kind(node) == Kind::DoStatement,
            statements,
            update,
            variables: reader.variables,
            eager: reader.eager,
            mixes: reader.mixes,
            continues: reader.continues,
            returns: reader.returned,
            result: match self.returns {
                Returns::Number(ty) => Some(ty),
                _ => None,
            },
            exits,
        })
    }
}

impl Reader<'_, '_> {
    /// What a name stands for.
    pub(super) fn variable(&mut self, node: NodeId, name: &str) -> Option<Scalar> {
        if let Some((_, ty, _)) = self.inner.iter().rev().find(|(n, ..)| n == name) {
            return Some(*ty);
        }
        match self.outer.iter().rev().find(|o| o.name == name) {
            Some(known) => {
                let ty = known.ty?;
                self.lane(name, ty);
                Some(ty)
            }
            None => self.around(node),
        }
    }

    /// The variable of all lanes.
    fn lane(&mut self, name: &str, ty: Scalar) -> usize {
        match self.variables.iter().position(|v| v.name == name) {
            Some(known) => known,
            None => {
                self.variables.push(LaneVariable {
                    name: name.to_string(),
                    ty,
                    components: 1,
                    used: true,
                    changes: false,
                    outlives: false,
                });
                self.variables.len() - 1
            }
        }
    }

    /// The type of what stands around the body, and is the same in all of the loop's iterations.
    fn around(&self, name: NodeId) -> Option<Scalar> {
        let sema = self.of.sema;
        let id = sema.definition(name)?;
        let known = sema.defined(id);
        let said = known.qualified.own;
        let fixed = (said.constant || sema.is_local(id)) && !said.volatile;
        match sema.kind(known.ty) {
            TypeKind::Scalar(ty) if fixed && !known.storage.lasting && is_lane(ty) => Some(ty),
            _ => None,
        }
    }

    fn statement(&mut self, node: NodeId, out: &mut Vec<Masked>) -> Option<()> {
        let tree = self.of.tree;
        match tree.kind(node) {
            Kind::CompoundStatement => {
                let depth = self.inner.len();
                let mut inside = Vec::new();
                for child in tree.children(node) {
                    self.statement(child, &mut inside)?;
                }
                self.inner.truncate(depth);
                out.push(Masked::Block(inside));
            }
            Kind::Declaration => self.declaration(node, out)?,
            Kind::ExpressionStatement => {
                let mut parts = tree.children(node);
                if let Some(only) = parts.next() {
                    self.expression(only, out)?;
                }
            }
            Kind::IfStatement => self.condition(node, out)?,
            Kind::BreakStatement => {
                self.flow.exits.extend(&self.conditions);
                out.push(Masked::Break);
            }
            Kind::ContinueStatement => {
                self.flow.skips.extend(&self.conditions);
                self.continues = true;
                out.push(Masked::Continue);
            }
            Kind::ReturnStatement => {
                let value = tree.children(node).next();
                let ty = value.map(|v| self.harmless(v));
                match (self.of.returns, ty) {
                    (Returns::Nothing, None) => {}
                    (Returns::Number(to), Some(Some(from))) if converts(from, to) => {
                        self.meets(value, from, to);
                    }
                    _ => return None,
                }
                self.flow.exits.extend(&self.conditions);
                self.returned = true;
                out.push(Masked::Return(value.map(|v| tree.span(v))));
            }
            _ => return None,
        }
        Some(())
    }

    fn declaration(&mut self, node: NodeId, out: &mut Vec<Masked>) -> Option<()> {
        let (tree, text) = (self.of.tree, self.of.text);
        let mut names = Vec::new();
        let mut declared = None;
        for name in declarators(tree, node, text) {
            let ty = self.of.scalar(node, &name)?;
            declared = Some(ty);
            if !name.attributes.is_empty() {
                return None;
            }
            if let Some(value) = name.value {
                let from = self.harmless(value)?;
                converts(from, ty).then_some(())?;
                self.meets(Some(value), from, ty);
                self.given(name.name, Some(value));
            }
            names.push((name.name.to_string(), name.value.map(|v| tree.span(v))));
            let constant = self.of.is_constant(&name);
            self.inner.push((name.name.to_string(), ty, constant));
        }
        out.push(Masked::Declaration(declared?, names));
        Some(())
    }

    fn given(&mut self, name: &str, value: Option<NodeId>) {
        let conditions = self.conditions.clone();
        self.flow.given.push((name.to_string(), value, conditions));
    }

    fn condition(&mut self, node: NodeId, out: &mut Vec<Masked>) -> Option<()> {
        let tree = self.of.tree;
        let clause = tree.child(node, Field::Condition)?;
        let condition = tree.unparenthesized(clause);
        let start = Span::new(tree.span(node).start, tree.span(clause).start);
        // `if constexpr` asks for another kind of condition.
        if start.of(self.of.text).trim() != "if" {
            return None;
        }
        self.harmless(condition)?;
        // Masks inside masks: whoever writes them recurses, and compilers give up sooner.
        if self.conditions.len() >= DEEPEST {
            return None;
        }
        self.conditions.push(condition);
        let (mut then, mut other) = (Vec::new(), Vec::new());
        let depth = self.inner.len();
        self.statement(tree.child(node, Field::Consequence)?, &mut then)?;
        self.inner.truncate(depth);
        if let Some(clause) = tree.child(node, Field::Alternative) {
            let statement = match tree.kind(clause) {
                Kind::ElseClause => tree.children(clause).next()?,
                _ => clause,
            };
            self.statement(statement, &mut other)?;
            self.inner.truncate(depth);
        }
        self.conditions.pop();
        out.push(Masked::If(tree.span(condition), then, other));
        Some(())
    }

    /// An expression that is a statement: it changes a variable.
    fn expression(&mut self, node: NodeId, out: &mut Vec<Masked>) -> Option<()> {
        let (tree, text) = (self.of.tree, self.of.text);
        let operator = tree.text(tree.child(node, Field::Operator)?, text);
        let (target, value) = match tree.kind(node) {
            Kind::UpdateExpression => (tree.child(node, Field::Argument)?, None),
            Kind::AssignmentExpression => {
                let value = tree.child(node, Field::Right)?;
                (tree.child(node, Field::Left)?, Some(value))
            }
            _ => return None,
        };
        if tree.kind(target) != Kind::Identifier {
            return None;
        }
        let name = tree.text(target, text);
        let ty = match self.inner.iter().rev().find(|(n, ..)| n == name) {
            Some((_, ty, constant)) => (!constant).then_some(*ty)?,
            None => {
                let known = self.outer.iter().rev().find(|o| o.name == name)?;
                let ty = known.ty.filter(|_| !known.constant)?;
                let at = self.lane(name, ty);
                self.variables.get_mut(at)?.changes = true;
                ty
            }
        };
        let operator = match value {
            None => operator.get(..1)?,
            Some(_) => operator.strip_suffix('=')?,
        };
        let from = value.map_or(Some(Scalar::Int), |v| self.harmless(v))?;
        let both = ty.common(from);
        let operator = match operator {
            "" => "",
            "+" | "-" | "*" => signed_operator(operator)?,
            "/" if both.is_float() && !self.of.wraps => "/",
            other if !both.is_float() => OF_INTEGERS.into_iter().find(|o| *o == other)?,
            _ => return None,
        };
        let computed = if operator.is_empty() { from } else { both };
        // Where Brook+ works in another type than the target's, it is another construct's text.
        let mixed = self.of.wraps && !operator.is_empty() && value.is_some() && from != ty;
        let meet = operator.is_empty() || converts(from, both) && converts(ty, both);
        if !(meet && converts(computed, ty)) || mixed || (ty == Scalar::Bool && value.is_none()) {
            return None;
        }
        if operator.is_empty() {
            self.meets(value, from, ty);
        } else {
            self.meets(value, from, both);
            self.meets(None, ty, both);
        }
        self.given(name, value);
        let signed = matches!(operator, "+" | "-" | "*") && self.overflows(both);
        out.push(Masked::Assignment {
            name: name.to_string(),
            ty,
            operator,
            value: value.map(|v| tree.span(v)),
            signed: signed.then_some(both),
        });
        Some(())
    }
}
