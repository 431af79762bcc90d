use super::super::code::{Implied, Operation};
use super::layout::Home;
use super::{Builder, Context, Level, Result, not_modelled};
use crate::body::{
    BinaryOperator, Case, ExpressionId, ExpressionKind, Memory, Root, Statement, StatementId,
    StatementKind, TypeKind, VariableId,
};
use crate::expr::Scalar;
use crate::source::Span;

impl<'p> Builder<'_, 'p> {
    pub(super) fn statements(&mut self, list: &'p [StatementId]) -> Result<()> {
        list.iter().try_for_each(|s| self.statement(*s))
    }

    /// Statements in a scope of their own: what they declare is gone afterwards, whoever has its address.
    fn scope(&mut self, list: &'p [StatementId]) -> Result<()> {
        self.statements(list)?;
        for id in list {
            let Statement { kind, span } = self.body.statement(*id);
            if let StatementKind::Declare {
                variable: VariableId::Local(index),
                ..
            } = kind
                && self.body.variables[*index as usize].memory == Memory::Private
                && self.addressed[*index as usize]
                && let Home::Local(object) = self.homes[*index as usize]
            {
                self.emit(Operation::Forget(object), *span);
            }
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, id: StatementId) -> Result<()> {
        let mark = self.next;
        let Statement { kind, span } = self.body.statement(id);
        let span = *span;
        match kind {
            StatementKind::Expression(value) => {
                // What is done beside loops is done once for all of their iterations.
                let mut others = Vec::new();
                let seen = self.changes_memory(*value);
                let ordered = seen && self.level == Level::Group;
                // What the group itself writes stands between two barriers.
                if ordered {
                    self.emit(Operation::Phase, span);
                }
                if seen {
                    for coordinate in self.alike.clone() {
                        others.push(self.jump(Operation::JumpIf(coordinate, 0), span));
                    }
                }
                self.value(*value, None)?;
                self.land_all(others);
                if ordered {
                    self.emit(Operation::Phase, span);
                }
            }
            StatementKind::Declare { variable, zeros } => self.declare(*variable, *zeros, span)?,
            StatementKind::Block(list) => self.scope(list)?,
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let jumps = self.unless(*condition)?;
                let before = self.written.clone();
                self.scope(then)?;
                if otherwise.is_empty() {
                    self.land_all(jumps);
                    self.written = before;
                } else {
                    let end = self.jump(Operation::Jump(0), span);
                    self.land_all(jumps);
                    let first = std::mem::replace(&mut self.written, before);
                    self.scope(otherwise)?;
                    self.land(end);
                    for (mine, other) in self.written.iter_mut().zip(first) {
                        *mine &= other;
                    }
                }
            }
            StatementKind::Loop {
                initial,
                condition,
                step,
                body,
                late,
            } => {
                self.statements(initial)?;
                self.repeat(*condition, *step, body, *late, span)?;
            }
            StatementKind::Switch { value, cases } => self.switch(*value, cases, span)?,
            StatementKind::Break | StatementKind::Continue => {
                let is_break = matches!(kind, StatementKind::Break);
                let jump = self.jump(Operation::Jump(0), span);
                let found = self.contexts.iter_mut().rev().find_map(|c| match c {
                    Context::Loop { breaks, continues } => {
                        Some(if is_break { breaks } else { continues })
                    }
                    Context::Switch { breaks } => is_break.then_some(breaks),
                    Context::Distributed { ends } => Some(ends),
                });
                found
                    .ok_or_else(|| not_modelled(span, "a jump out of nothing"))?
                    .push(jump);
            }
            StatementKind::Return(value) => self.leave(*value, span)?,
            StatementKind::Barrier(scope) => self.emit(
                match self.level {
                    Level::Group | Level::Host => Operation::Phase,
                    _ if self.apart.contains(&span) => Operation::Barrier(*scope, Implied::Apart),
                    _ => Operation::Barrier(*scope, Implied::No),
                },
                span,
            ),
            StatementKind::Distributed(distributed) => self.distributed(distributed, span)?,
            StatementKind::Opaque(what) => return Err(not_modelled(span, what)),
        }
        self.next = mark;
        Ok(())
    }

    fn declare(&mut self, variable: VariableId, zeros: bool, span: Span) -> Result<()> {
        let VariableId::Local(index) = variable else {
            return Ok(());
        };
        let ty = self.body.variables[index as usize].ty;
        match self.homes[index as usize] {
            Home::Registers(first, flag) => {
                self.written[index as usize] = false;
                let width = self.width(ty) as u16;
                let zero = self.unit.constant(0);
                if zeros {
                    for at in 0..self.width(ty) {
                        self.emit(Operation::Constant(first + at as u16, zero), span);
                    }
                    self.mark_written(index, span);
                } else if let Some(flag) = flag {
                    self.emit(Operation::Constant(flag, zero), span);
                }
                if self.is_exclusive(index) && self.level == Level::Group {
                    // With the register that says whether it has been written.
                    self.emit(Operation::ShareRegisters(first, width + 1), span);
                }
            }
            home => {
                if let Home::Local(object) = home {
                    self.emit(Operation::Forget(object), span);
                    if self.is_exclusive(index) && self.level == Level::Group {
                        self.emit(Operation::ShareObject(object), span);
                    }
                }
                if zeros {
                    let pointer = self.home_address(home, span)?;
                    let size = self.program.types.size(ty) as u32;
                    self.emit(Operation::Zero(pointer, size), span);
                }
            }
        }
        Ok(())
    }

    /// Whether what a statement does is seen by others.
    fn changes_memory(&self, value: ExpressionId) -> bool {
        let place = match self.body.expression(value).kind {
            ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } => place,
            _ => return false,
        };
        match self.body.place(place).root {
            Root::Variable(id) => {
                let memory = self.program.variable(self.body, id).memory;
                matches!(memory, Memory::Shared | Memory::Constant)
            }
            Root::Pointer(_) => true,
        }
    }

    /// Whether a variable is an item's own for as long as the group runs.
    fn is_exclusive(&self, index: u32) -> bool {
        let memory = self.body.variables[index as usize].memory;
        self.is_kernel && memory == Memory::Exclusive
    }

    fn repeat(
        &mut self,
        condition: Option<ExpressionId>,
        step: Option<ExpressionId>,
        body: &'p [StatementId],
        late: bool,
        span: Span,
    ) -> Result<()> {
        let first = late.then(|| self.jump(Operation::Jump(0), span));
        let start = self.here();
        let mark = self.next;
        let before = self.written.clone();
        let ends = match condition {
            Some(condition) => self.unless(condition)?,
            None => Vec::new(),
        };
        self.next = mark;
        if let Some(first) = first {
            self.land(first);
            self.written.clone_from(&before);
        }
        let after = self.written.clone();
        self.contexts.push(Context::Loop {
            breaks: Vec::new(),
            continues: Vec::new(),
        });
        self.scope(body)?;
        let Some(Context::Loop { breaks, continues }) = self.contexts.pop() else {
            return Err(not_modelled(span, "this loop"));
        };
        self.land_all(continues);
        // An iteration may have ended before it wrote what the body writes.
        self.written.clone_from(&after);
        if let Some(step) = step {
            self.value(step, None)?;
            self.next = mark;
        }
        self.emit(Operation::Jump(start), span);
        self.land_all(ends);
        self.land_all(breaks);
        self.written = if late { before } else { after };
        Ok(())
    }

    fn switch(&mut self, value: ExpressionId, cases: &'p [Case], span: Span) -> Result<()> {
        let TypeKind::Scalar(_) = self.kind(self.body.expression(value).ty) else {
            let name = self.program.type_name(self.body.expression(value).ty);
            return Err(not_modelled(span, &format!("a switch of type '{name}'")));
        };
        let value = self.value(value, None)?;
        let is = self.temporary(1, span)?;
        let mut jumps = Vec::new();
        for case in cases {
            let Some(label) = case.label else {
                jumps.push(None);
                continue;
            };
            let mark = self.next;
            let label = self.constant(label as u64, None, span)?;
            self.operate(
                BinaryOperator::Equal,
                Scalar::Long,
                [is, value, label],
                span,
            )?;
            self.next = mark;
            jumps.push(Some(self.jump(Operation::JumpIf(is, 0), span)));
        }
        let otherwise = self.jump(Operation::Jump(0), span);
        let before = self.written.clone();
        self.contexts.push(Context::Switch { breaks: Vec::new() });
        let mut has_default = false;
        for (case, jump) in cases.iter().zip(jumps) {
            match jump {
                Some(jump) => self.land(jump),
                None => {
                    self.land(otherwise);
                    has_default = true;
                }
            }
            self.written.clone_from(&before);
            self.statements(&case.body)?;
        }
        if !has_default {
            self.land(otherwise);
        }
        if let Some(Context::Switch { breaks }) = self.contexts.pop() {
            self.land_all(breaks);
        }
        self.written = before;
        Ok(())
    }

    fn leave(&mut self, value: Option<ExpressionId>, span: Span) -> Result<()> {
        if self.is_kernel {
            let jump = self.jump(Operation::Jump(0), span);
            let found = self.contexts.iter_mut().rev().find_map(|c| match c {
                Context::Distributed { ends } => Some(ends),
                _ => None,
            });
            match found {
                Some(ends) => ends.push(jump),
                None => self.unit.code.operations[jump] = Operation::End,
            }
            return Ok(());
        }
        let Some(value) = value else {
            self.emit(Operation::Return(0, 0), span);
            return Ok(());
        };
        let ty = self.body.expression(value).ty;
        let found = self.value(value, None)?;
        if let Some(result) = self.result {
            let size = self.program.types.size(ty) as u32;
            self.emit(Operation::Copy(result, found, size, false), span);
            self.emit(Operation::Return(0, 0), span);
            return Ok(());
        }
        let width = self.width(ty) as u8;
        self.emit(Operation::Return(found, width), span);
        Ok(())
    }
}
