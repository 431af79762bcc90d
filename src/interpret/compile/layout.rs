use super::super::code::{Cell, Operation, Owner, Parameter, Register, Width};
use super::values::{may_end_without_value, unused_calls};
use super::{Builder, Key, Level, Result, Unit, not_modelled};
use crate::body::{
    Atomicity, Body, ExpressionKind, Memory, Place, Root, StatementKind, Step, Type, TypeKind,
    VariableId,
};
use crate::facts::{Definitions, Uniformity, divergences};
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// In registers from that one on; another one says whether it has been written, if that is in question.
    Registers(Register, Option<Register>),
    /// In an object of the frame.
    Local(u16),
    /// In an object that all see.
    Global(u32),
}

/// The barriers to which a condition lets some items only.
fn barriers_apart(body: &Body) -> HashSet<Span> {
    let mut statements = body.statements.iter();
    if !statements.any(|s| matches!(s.kind, StatementKind::Barrier(_))) {
        return HashSet::new();
    }
    let definitions = Definitions::of(body);
    let uniformity = Uniformity::new(body, &definitions);
    let found = divergences(body, &uniformity);
    found.into_iter().map(|d| d.at).collect()
}

/// Registers that every kernel has: three each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KernelFrame {
    pub(super) group: Register,
    pub(super) groups: Register,
    pub(super) item: Register,
    pub(super) items: Register,
}

/// Variables whose address somebody takes.
fn addressed(body: &Body) -> Vec<bool> {
    let mut result = vec![false; body.variables.len()];
    for expression in &body.expressions {
        if let ExpressionKind::AddressOf(place) = expression.kind
            && let Root::Variable(VariableId::Local(index)) = body.place(place).root
        {
            result[index as usize] = true;
        }
    }
    result
}

/// Variables of a body that have an address: of some type, or because something takes it.
fn in_memory(unit: &Unit<'_>, body: &Body, addressed: &[bool]) -> Vec<bool> {
    let types = &unit.program.types;
    let variables = body.variables.iter().zip(addressed);
    let mut result: Vec<bool> = variables
        .map(|(variable, addressed)| {
            let kind = types.kind(variable.ty);
            *addressed
                || matches!(kind, TypeKind::Array(..) | TypeKind::Record(_))
                || matches!(variable.memory, Memory::Shared | Memory::Constant)
        })
        .collect();
    let mut mark = |id: VariableId| {
        if let VariableId::Local(index) = id {
            result[index as usize] = true;
        }
    };
    // Each component of a vector is written by itself, where nothing writes all of it first.
    let definitions = Definitions::of(body);
    for expression in &body.expressions {
        if let ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } =
            &expression.kind
            && let Place {
                root: Root::Variable(variable),
                path,
                ..
            } = body.place(*place)
            && let [Step::Component(_), ..] = path[..]
            && !definitions.begins_whole(body, *variable)
        {
            mark(*variable);
        }
    }
    for place in &body.places {
        let computed = place.path.iter().any(|s| matches!(s, Step::Index(_)));
        if let Root::Variable(variable) = place.root
            && (computed || place.atomicity == Atomicity::Atomic)
        {
            mark(variable);
        }
    }
    result
}

impl<'a, 'p> Builder<'a, 'p> {
    pub(super) fn new(
        unit: &'a mut Unit<'p>,
        body: &'p Body,
        key: Key,
        is_kernel: bool,
    ) -> Result<Self> {
        let program = unit.program;
        Ok(Self {
            unit,
            program,
            body,
            key,
            is_kernel,
            homes: vec![Home::Local(0); body.variables.len()],
            addressed: addressed(body),
            written: vec![false; body.variables.len()],
            next: 0,
            most: 0,
            objects: Vec::new(),
            bytes: 0,
            level: if is_kernel {
                Level::Host
            } else {
                Level::Function
            },
            contexts: Vec::new(),
            constants: HashMap::new(),
            addresses: HashMap::new(),
            frame: KernelFrame::default(),
            alike: Vec::new(),
            result: None,
            unused: unused_calls(body),
            apart: barriers_apart(body),
        })
    }

    /// Compiles it as the function of that number.
    pub(super) fn build(mut self, at: usize) -> Result<()> {
        let memory = in_memory(self.unit, self.body, &self.addressed);
        let span = self.body.span;
        let parameters = self.body.parameters as usize;
        // An item's own come first, so that a nest leaves them alone.
        let exclusive = |v: &crate::body::Variable| v.memory == Memory::Exclusive;
        for (index, variable) in self.body.variables.iter().enumerate() {
            if self.is_kernel && exclusive(variable) {
                self.settle(index, memory[index])?;
            }
        }
        if self.is_kernel {
            self.unit.code.exclusive_registers = self.next as u16;
            self.unit.code.exclusive_bytes = self.bytes;
        }
        if matches!(self.kind(self.body.result), TypeKind::Record(_)) {
            self.result = Some(self.temporary(1, span)?);
        }
        let mut arrivals = Vec::new();
        for variable in &self.body.variables[..parameters] {
            let width = self.width(variable.ty);
            arrivals.push(self.temporary(width, variable.span)?);
        }
        let arguments = self.next as u16;
        for index in 0..self.body.variables.len() {
            if index < parameters && !memory[index] {
                self.homes[index] = Home::Registers(arrivals[index], None);
                self.written[index] = true;
            } else if !(self.is_kernel && exclusive(&self.body.variables[index])) {
                self.settle(index, memory[index])?;
            }
        }
        if self.is_kernel {
            self.frame = KernelFrame {
                group: self.temporary(3, span)?,
                groups: self.temporary(3, span)?,
                item: self.temporary(3, span)?,
                items: self.temporary(3, span)?,
            };
        }
        let entry = self.here();
        if self.is_kernel {
            self.prepare(&arrivals)?;
        }
        for (index, &arrival) in arrivals.iter().enumerate() {
            if memory[index] {
                self.arrive(index, arrival)?;
            }
        }
        for index in 0..self.body.root.len() {
            self.statement(self.body.root[index])?;
        }
        if self.is_kernel {
            self.emit(Operation::End, span);
        } else if may_end_without_value(self.program, self.body) {
            // Not what somebody else has left there.
            let width = self.width(self.body.result);
            let nothing = self.temporary(width, span)?;
            let zero = self.unit.constant(0);
            let zeros = if self.result.is_some() { 0 } else { width };
            for at in 0..zeros as Register {
                self.emit(Operation::Constant(nothing + at, zero), span);
            }
            self.emit(Operation::NoValue, span);
            self.emit(Operation::Return(nothing, zeros as u8), span);
        } else {
            self.emit(Operation::Return(0, 0), span);
        }
        let function = &mut self.unit.code.functions[at];
        function.entry = entry;
        function.registers = self.most;
        function.arguments = arguments;
        function.objects = self.objects;
        function.bytes = self.bytes;
        Ok(())
    }

    /// Gives a variable a place.
    fn settle(&mut self, index: usize, in_memory: bool) -> Result<()> {
        let variable = &self.body.variables[index];
        let (ty, span) = (variable.ty, variable.span);
        if !in_memory {
            let width = self.width(ty);
            let first = self.temporary(width.max(1), span)?;
            let tracked = self.unit.known.tracked.contains(&(self.key, index as u32));
            let exclusive = self.is_kernel && variable.memory == Memory::Exclusive;
            let flag = match tracked || exclusive {
                true => Some(self.temporary(1, span)?),
                false => None,
            };
            self.homes[index] = Home::Registers(first, flag);
            return Ok(());
        }
        let owner = match variable.memory {
            Memory::Shared => Owner::Shared,
            Memory::Group => Owner::Group,
            Memory::Host if self.is_kernel => Owner::Host,
            Memory::Constant => Owner::Constant,
            Memory::Exclusive | Memory::Private | Memory::Host => {
                self.homes[index] = Home::Local(self.local_object(&variable.name, ty, span)?);
                return Ok(());
            }
        };
        self.homes[index] = Home::Global(self.unit.object(&variable.name, ty, owner));
        Ok(())
    }

    /// What a kernel begins with: parameters, and registers that keep what does not change.
    fn prepare(&mut self, arrivals: &[Register]) -> Result<()> {
        let span = self.body.span;
        let constants = self.unit.known.constants.clone();
        for value in constants {
            let register = self.temporary(1, span)?;
            let constant = self.unit.constant(value);
            self.emit(Operation::Constant(register, constant), span);
            self.constants.insert(value, register);
        }
        for index in 0..self.homes.len() {
            if let Home::Global(object) = self.homes[index] {
                let register = self.temporary(1, span)?;
                self.emit(Operation::Address(register, object), span);
                self.addresses.insert(object, register);
            }
        }
        for (index, &register) in arrivals.iter().enumerate() {
            let variable = &self.body.variables[index];
            let parameter = self.parameter(variable.ty, register, variable.span)?;
            self.unit.code.parameters.push(parameter);
        }
        Ok(())
    }

    fn parameter(&self, ty: Type, register: Register, span: Span) -> Result<Parameter> {
        Ok(match self.kind(ty) {
            TypeKind::Scalar(scalar) => Parameter::Numbers(register, scalar, 1),
            TypeKind::Vector(v) => Parameter::Numbers(register, v.scalar, v.width),
            TypeKind::Record(_) => Parameter::Bytes(register, self.program.types.size(ty)),
            TypeKind::Pointer(to) => Parameter::Pointer(
                register,
                self.program.types.size(to).max(1),
                self.unit.granule_of(to),
            ),
            TypeKind::Void | TypeKind::Array(..) => {
                let name = self.program.type_name(ty);
                return Err(not_modelled(span, &format!("a parameter of type '{name}'")));
            }
        })
    }

    /// Puts an argument where the variable lives.
    fn arrive(&mut self, index: usize, arrival: Register) -> Result<()> {
        let variable = &self.body.variables[index];
        let (ty, span) = (variable.ty, variable.span);
        let mark = self.next;
        let pointer = self.home_address(self.homes[index], span)?;
        match self.kind(ty) {
            TypeKind::Record(_) => {
                let size = self.program.types.size(ty) as u32;
                self.emit(Operation::Copy(pointer, arrival, size, false), span);
            }
            _ => self.store(pointer, 0, false, arrival, ty, span)?,
        }
        self.next = mark;
        Ok(())
    }

    /// A register with the address of what is not in registers.
    pub(super) fn home_address(&mut self, home: Home, span: Span) -> Result<Register> {
        if let Home::Global(object) = home
            && let Some(&register) = self.addresses.get(&object)
        {
            return Ok(register);
        }
        let to = self.temporary(1, span)?;
        self.emit(
            match home {
                Home::Global(object) => Operation::Address(to, object),
                Home::Local(object) => Operation::LocalAddress(to, object),
                Home::Registers(..) => return Err(not_modelled(span, "an address")),
            },
            span,
        );
        Ok(to)
    }

    /// A cell at a pointer.
    pub(super) fn cell(
        &mut self,
        pointer: Register,
        offset: u64,
        width: Width,
        atomic: bool,
        span: Span,
    ) -> Result<Cell> {
        let (pointer, offset) = match u16::try_from(offset) {
            Ok(offset) => (pointer, offset),
            Err(_) => {
                let to = self.temporary(1, span)?;
                self.emit(Operation::Further(to, pointer, offset as u32), span);
                (to, 0)
            }
        };
        Ok(Cell {
            pointer,
            offset,
            width,
            atomic,
        })
    }
}
