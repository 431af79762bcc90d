use super::super::code::{Implied, Nest, Operation, Register, Width};
use super::layout::Home;
use super::{Builder, Context, Level, Result, not_modelled};
use crate::body::{
    Body, Distributed, DistributedKind, StatementId, StatementKind, TypeKind, VariableId,
};
use crate::expr::Scalar;
use crate::module::BarrierScope;
use crate::source::Span;
use std::collections::HashSet;

impl<'p> Builder<'_, 'p> {
    /// A loop whose iterations are groups or items. The outermost one of a nest says how many there are of all of its
    /// loops, so that each iteration of an inner one begins where the outermost one begins.
    pub(super) fn distributed(&mut self, of: &'p Distributed, span: Span) -> Result<()> {
        let inner = of.kind == DistributedKind::Inner;
        let (coordinates, extents) = match inner {
            false => (self.frame.group, self.frame.groups),
            true => (self.frame.item, self.frame.items),
        };
        let below = match (self.level, inner) {
            (Level::Host, false) => Level::Group,
            (Level::Group, true) => Level::Item,
            // The tiles of a loop in another one's iterations.
            (Level::Group | Level::Item, false) => return self.iteration(of, coordinates, span),
            (Level::Item, true) => {
                let wait = Operation::Barrier(BarrierScope::Group, Implied::Yes);
                if of.wait.before {
                    self.emit(wait, span);
                }
                self.iteration(of, coordinates, span)?;
                if of.wait.after {
                    self.emit(wait, span);
                }
                return Ok(());
            }
            _ => return Err(not_modelled(span, "a loop of this kind here")),
        };
        if inner && of.wait.before {
            self.emit(Operation::Phase, span);
        }
        self.extents(of, extents, span)?;
        let number = self.unit.code.nests.len() as u16;
        self.unit.code.nests.push(Nest {
            entry: 0,
            extents,
            coordinates,
        });
        self.emit(Operation::Spawn(number), span);
        let past = self.jump(Operation::Jump(0), span);
        self.unit.code.nests[number as usize].entry = self.here();
        let before = self.level;
        self.level = below;
        self.iteration(of, coordinates, span)?;
        self.emit(Operation::End, span);
        self.level = before;
        self.land(past);
        if inner && of.wait.after {
            self.emit(Operation::Phase, span);
        }
        Ok(())
    }

    /// Computes how many iterations the loops of a nest have at most, on each axis.
    fn extents(&mut self, of: &'p Distributed, extents: Register, span: Span) -> Result<()> {
        let one = self.unit.constant(1);
        let zero = self.unit.constant(0);
        let mut loops = vec![of];
        let mut inside = HashSet::new();
        if let VariableId::Local(index) = of.variable {
            inside.insert(index);
        }
        nested(self.body, &of.body, of.kind, &mut loops, &mut inside);
        for axis in 0..3u16 {
            // What stands beside a loop without iterations is done all the same.
            let outermost = of.axis.min(2) == usize::from(axis);
            let first = if outermost { zero } else { one };
            self.emit(Operation::Constant(extents + axis, first), span);
        }
        for of in loops {
            let mut own = false;
            self.for_each_variable(of.count, &mut |id| {
                own |= matches!(id, VariableId::Local(index) if inside.contains(&index));
            });
            if own {
                let what = "a number of iterations that the loops around compute";
                return Err(not_modelled(self.body.expression(of.count).span, what));
            }
            let mark = self.next;
            let count = self.value(of.count, None)?;
            let to = extents + of.axis.min(2) as Register;
            self.emit(Operation::Max(to, to, count, Scalar::Long), span);
            self.next = mark;
        }
        Ok(())
    }

    /// The iteration that the coordinates name, if the loop has it.
    fn iteration(&mut self, of: &'p Distributed, coordinates: Register, span: Span) -> Result<()> {
        let mark = self.next;
        let coordinate = coordinates + of.axis.min(2) as Register;
        let count = self.value(of.count, None)?;
        let mut absent = vec![self.jump(Operation::JumpUnlessLess(coordinate, count, 0), span)];
        let VariableId::Local(index) = of.variable else {
            return Err(not_modelled(span, "a loop over this variable"));
        };
        let ty = self.body.variables[index as usize].ty;
        let TypeKind::Scalar(scalar) = self.kind(ty) else {
            let name = self.program.type_name(ty);
            return Err(not_modelled(
                span,
                &format!("a loop variable of type '{name}'"),
            ));
        };
        let first = self.value(of.first, None)?;
        let step = self.value(of.step, None)?;
        let at = self.temporary(1, span)?;
        self.emit(Operation::MultiplyU64(at, coordinate, step), span);
        self.emit(Operation::AddU64(at, at, first), span);
        if scalar.size() < 8 {
            // What a tile has past the end may be past the end of the type.
            let wrapped = self.temporary(2, span)?;
            self.emit(Operation::Wrap(wrapped, at, Width::of(scalar)), span);
            if of.guard.is_some() {
                self.emit(Operation::NotEqual(wrapped + 1, wrapped, at), span);
                absent.push(self.jump(Operation::JumpIf(wrapped + 1, 0), span));
            }
            self.emit(Operation::Move(at, wrapped), span);
        }
        let before = self.written.clone();
        match self.homes[index as usize] {
            Home::Registers(to, _) => {
                self.copy_registers(to, at, 1, span);
                self.mark_written(index, span);
            }
            home => {
                let pointer = self.home_address(home, span)?;
                self.store(pointer, 0, false, at, ty, span)?;
            }
        }
        if let Some(guard) = of.guard {
            absent.extend(self.unless(guard)?);
        }
        self.next = mark;
        let around = std::mem::take(&mut self.alike);
        let mut alike = Vec::new();
        for (kind, coordinates) in [
            (DistributedKind::Outer, self.frame.group),
            (DistributedKind::Inner, self.frame.item),
        ] {
            // A group itself is no item.
            if kind == DistributedKind::Inner && self.level != Level::Item {
                continue;
            }
            let mut below = Vec::new();
            nested(self.body, &of.body, kind, &mut below, &mut HashSet::new());
            let axes = below.iter().map(|l| l.axis.min(2) as Register);
            alike.extend(axes.map(|axis| coordinates + axis));
        }
        // Of axes that only loops beside this one have, the first iteration runs it.
        for &other in &around {
            if other != coordinate && !alike.contains(&other) {
                absent.push(self.jump(Operation::JumpIf(other, 0), span));
            }
        }
        self.alike = alike;
        self.contexts
            .push(Context::Distributed { ends: Vec::new() });
        let start = self.here();
        self.statements(&of.body)?;
        self.alike = around;
        let mut end = vec![self.jump(Operation::Jump(0), span)];
        if let Some(Context::Distributed { ends }) = self.contexts.pop()
            && !ends.is_empty()
        {
            self.land_all(ends);
            self.emit(Operation::Left(start), span);
            end.push(self.jump(Operation::Jump(0), span));
        }
        self.land_all(absent);
        self.emit(Operation::Absent, span);
        self.land_all(end);
        // Not all items came by.
        self.written = before;
        Ok(())
    }
}

/// The loops of a kind inside of statements, and variables that are declared there.
fn nested<'b>(
    body: &'b Body,
    list: &'b [StatementId],
    kind: DistributedKind,
    loops: &mut Vec<&'b Distributed>,
    variables: &mut HashSet<u32>,
) {
    let local = |id: VariableId| match id {
        VariableId::Local(index) => Some(index),
        VariableId::Global(_) => None,
    };
    for &id in list {
        match &body.statement(id).kind {
            StatementKind::Declare { variable, .. } => variables.extend(local(*variable)),
            StatementKind::Block(list) => nested(body, list, kind, loops, variables),
            StatementKind::If {
                then, otherwise, ..
            } => {
                nested(body, then, kind, loops, variables);
                nested(body, otherwise, kind, loops, variables);
            }
            StatementKind::Loop {
                initial,
                body: list,
                ..
            } => {
                nested(body, initial, kind, loops, variables);
                nested(body, list, kind, loops, variables);
            }
            StatementKind::Switch { cases, .. } => {
                for case in cases {
                    nested(body, &case.body, kind, loops, variables);
                }
            }
            StatementKind::Distributed(of) => {
                variables.extend(local(of.variable));
                if of.kind == kind {
                    loops.push(of);
                }
                nested(body, &of.body, kind, loops, variables);
            }
            _ => {}
        }
    }
}
