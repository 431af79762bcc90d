//! The statements of such a loop.

use super::depends::Flow;
use super::{MaskedLoop, MaskedLoops, Outer, Returns, is_lane};
use crate::body::{
    BinaryOperator, ExpressionId, ExpressionKind, PlaceId, StatementId, StatementKind, VariableId,
};
use crate::expr::Scalar;
use crate::module::{LaneVariable, Masked};
use foldhash::{HashSet, HashSetExt};

/// Conditions inside conditions.
const DEEPEST: usize = 64;

/// What reads one loop.
pub(super) struct Reader<'r> {
    pub(super) of: &'r MaskedLoops<'r>,
    pub(super) outer: &'r [Outer],
    returns: Returns,
    /// Variables that the loop declares.
    pub(super) inner: HashSet<VariableId>,
    variables: Vec<(VariableId, LaneVariable)>,
    /// The conditions around here.
    conditions: Vec<ExpressionId>,
    flow: Flow,
    pub(super) mixes: bool,
    continues: bool,
    returned: bool,
}

impl MaskedLoops<'_> {
    /// The loop, if items leave it at different times and may run it together.
    pub(super) fn read(
        &self,
        id: StatementId,
        outer: &[Outer],
        returns: Returns,
    ) -> Option<MaskedLoop> {
        let body = self.body;
        let StatementKind::Loop {
            initial,
            condition,
            step,
            body: list,
            late,
        } = &body.statement(id).kind
        else {
            return None;
        };
        let mut all = outer.to_vec();
        for &first in initial {
            self.declare(first, &mut all);
        }
        // They come to stand beside the others.
        let fresh = all.get(outer.len()..).unwrap_or_default();
        let hides = |o: &Outer| {
            let name = self.name(o.id);
            name.is_empty() || outer.iter().any(|known| self.name(known.id) == name)
        };
        if fresh.iter().any(hides) {
            return None;
        }
        let mut reader = Reader {
            of: self,
            outer: &all,
            returns,
            inner: HashSet::new(),
            variables: Vec::new(),
            conditions: Vec::new(),
            flow: Flow::default(),
            mixes: false,
            continues: false,
            returned: false,
        };
        let condition = match condition {
            Some(condition) => {
                let text = reader.value(*condition)?;
                reader.flow.exits.push(*condition);
                Some(text)
            }
            None => None,
        };
        let mut update = Vec::new();
        if let Some(step) = step {
            update.push(reader.expression(*step)?);
        }
        let statements = reader.list(list)?;
        let exits = self.depends(&all).exits(&reader.flow);
        let flows = exits != 0 && reader.variables.iter().any(|(_, v)| v.changes);
        flows.then(|| MaskedLoop {
            span: body.statement(id).span,
            condition,
            runs_once: *late,
            statements: vec![Masked::Block(statements)],
            update,
            variables: reader.variables,
            mixes: reader.mixes,
            continues: reader.continues,
            returns: reader.returned,
            exits,
        })
    }
}

impl Reader<'_> {
    /// The variable of all lanes; where it is among them.
    pub(super) fn lane(&mut self, known: &Outer) -> Option<usize> {
        if let Some(at) = self.variables.iter().position(|(id, _)| *id == known.id) {
            return Some(at);
        }
        let name = self.of.name(known.id);
        if name.is_empty() || self.variables.iter().any(|(_, v)| v.name == name) {
            return None;
        }
        let lane = LaneVariable {
            name: name.to_string(),
            ty: self.of.lane(known)?,
            components: 1,
            used: true,
            changes: false,
            outlives: false,
        };
        self.variables.push((known.id, lane));
        Some(self.variables.len() - 1)
    }

    fn list(&mut self, list: &[StatementId]) -> Option<Vec<Masked>> {
        let body = self.of.body;
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(&id) = list.get(at) {
            at += 1;
            match &body.statement(id).kind {
                StatementKind::Declare { variable, .. } => {
                    let value = list.get(at).and_then(|next| self.first(*next, *variable));
                    at += usize::from(value.is_some());
                    out.push(self.declaration(*variable, value)?);
                }
                StatementKind::Expression(value) => out.push(self.expression(*value)?),
                StatementKind::Block(inside) => out.push(Masked::Block(self.list(inside)?)),
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => out.push(self.condition(*condition, then, otherwise)?),
                StatementKind::Break => {
                    self.flow.exits.extend(&self.conditions);
                    out.push(Masked::Break);
                }
                StatementKind::Continue => {
                    self.flow.skips.extend(&self.conditions);
                    self.continues = true;
                    out.push(Masked::Continue);
                }
                StatementKind::Return(value) => {
                    let value = match (self.returns, value) {
                        (Returns::Nothing, None) => None,
                        (Returns::Number(ty), Some(value)) => {
                            let own = self.of.scalar(body.expression(*value).ty);
                            Some(self.value(*value).filter(|_| own == Some(ty))?)
                        }
                        _ => return None,
                    };
                    self.flow.exits.extend(&self.conditions);
                    self.returned = true;
                    out.push(Masked::Return(value));
                }
                _ => return None,
            }
        }
        Some(out)
    }

    /// What a statement gives to the variable that the one before it declares.
    fn first(&self, id: StatementId, variable: VariableId) -> Option<ExpressionId> {
        let body = self.of.body;
        let StatementKind::Expression(value) = body.statement(id).kind else {
            return None;
        };
        let (assigned, value) = body.assigned(value)?;
        (assigned == variable).then_some(value)
    }

    fn declaration(&mut self, id: VariableId, value: Option<ExpressionId>) -> Option<Masked> {
        let of = self.of;
        let variable = of.program.variable(of.body, id);
        let ty = of.scalar(variable.ty).filter(|ty| is_lane(*ty))?;
        if variable.name.is_empty() || (of.is_volatile)(variable.span) {
            return None;
        }
        let text = match value {
            Some(value) => {
                let text = self.value(value)?;
                self.given(id, Some(value));
                Some(text)
            }
            None => None,
        };
        self.inner.insert(id);
        Some(Masked::Declaration {
            name: variable.name.clone(),
            ty,
            value: text,
        })
    }

    fn given(&mut self, id: VariableId, value: Option<ExpressionId>) {
        self.flow.given.push((id, value, self.conditions.clone()));
    }

    fn condition(
        &mut self,
        condition: ExpressionId,
        then: &[StatementId],
        otherwise: &[StatementId],
    ) -> Option<Masked> {
        let text = self.value(condition)?;
        // Masks inside masks: whoever writes them recurses, and compilers give up sooner.
        if self.conditions.len() >= DEEPEST {
            return None;
        }
        self.conditions.push(condition);
        // What one declares is not seen by the other.
        let then = vec![Masked::Block(self.list(then)?)];
        let otherwise = match otherwise {
            [] => Vec::new(),
            list => vec![Masked::Block(self.list(list)?)],
        };
        self.conditions.pop();
        Some(Masked::If(text, then, otherwise))
    }

    /// An expression that is a statement: it changes a variable.
    fn expression(&mut self, id: ExpressionId) -> Option<Masked> {
        let body = self.of.body;
        match body.expression(id).kind {
            ExpressionKind::Assign { place, value } => {
                let (target, name, ty) = self.target(place)?;
                let text = self.value(value)?;
                self.given(target, Some(value));
                Some(Masked::Assignment {
                    name,
                    ty,
                    value: text,
                })
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                ..
            } => {
                let (target, name, ty) = self.target(place)?;
                let both = self.of.scalar(computed)?;
                let suits = match operator {
                    BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                        true
                    }
                    BinaryOperator::Divide => both.is_float() && !self.of.wraps(),
                    BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => {
                        !both.is_float()
                    }
                    _ => false,
                };
                if !suits {
                    return None;
                }
                let own = self.conversion((name.clone(), ty), both, false)?;
                let product = (ty == both)
                    .then(|| self.product(operator, value, both))
                    .flatten();
                let found = match product {
                    Some(factors) => self.added(operator, factors, &own)?,
                    None => {
                        let value_text = self.value(value)?;
                        self.operation(operator, own, value_text, both)?
                    }
                };
                let text = self.conversion((found, both), ty, false)?;
                self.given(target, Some(value));
                Some(Masked::Assignment {
                    name,
                    ty,
                    value: text,
                })
            }
            _ => None,
        }
    }

    /// What an assignment writes: a variable of the loop's own, or one that lanes have.
    fn target(&mut self, place: PlaceId) -> Option<(VariableId, String, Scalar)> {
        let of = self.of;
        let id = of.variable_at(place, self.outer)?;
        if self.inner.contains(&id) {
            let variable = of.program.variable(of.body, id);
            return Some((id, variable.name.clone(), of.scalar(variable.ty)?));
        }
        let known = *self.outer.iter().find(|o| o.id == id)?;
        let at = self.lane(&known)?;
        let (_, lane) = self.variables.get_mut(at)?;
        lane.changes = true;
        Some((id, lane.name.clone(), lane.ty))
    }
}
