use super::super::code::{Operation, Register, Subscript, Width};
use super::layout::Home;
use super::{Builder, Level, Result, not_modelled};
use crate::body::{
    Atomicity, ExpressionKind, Memory, PlaceId, Root, Step, Type, TypeKind, VariableId,
};
use crate::source::Span;

/// Where a value is read from, or written to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// In registers; of that variable.
    Registers(Register, u32),
    /// So many bytes behind a pointer.
    Memory(Register, u64),
    /// The element of that number behind a pointer.
    Element(Register, Register),
}

impl Builder<'_, '_> {
    /// Finds a place. `address`: only its address is wanted, which the end of an array has, too.
    pub(super) fn spot(&mut self, id: PlaceId, address: bool) -> Result<Spot> {
        let place = self.body.place(id);
        let span = place.span;
        let (mut spot, mut ty) = match place.root {
            Root::Variable(VariableId::Local(index)) => {
                let ty = self.body.variables[index as usize].ty;
                match self.homes[index as usize] {
                    Home::Registers(first, _) => (Spot::Registers(first, index), ty),
                    home => (Spot::Memory(self.home_address(home, span)?, 0), ty),
                }
            }
            Root::Variable(VariableId::Global(index)) => {
                let object = self.unit.globals[index as usize];
                let pointer = self.home_address(Home::Global(object), span)?;
                let ty = self.program.globals[index as usize].ty;
                (Spot::Memory(pointer, 0), ty)
            }
            Root::Pointer(pointer) => {
                let expression = self.body.expression(pointer);
                let to = self.program.types.element(expression.ty);
                let to = to.ok_or_else(|| not_modelled(span, "memory of unknown type"))?;
                if let ExpressionKind::Offset(base, index) = expression.kind
                    && place.path.is_empty()
                    && !address
                    && place.atomicity == Atomicity::Plain
                    && matches!(self.kind(to), TypeKind::Scalar(_) | TypeKind::Pointer(_))
                {
                    let base = self.value(base, None)?;
                    let index = self.value(index, None)?;
                    return Ok(Spot::Element(base, index));
                }
                (Spot::Memory(self.value(pointer, None)?, 0), to)
            }
        };
        let mut way = place.path.as_slice();
        while let Some(step) = way.first() {
            if let Step::Index(_) = step {
                (spot, ty, way) = self.subscripts(spot, ty, way, address, id)?;
            } else {
                (spot, ty) = self.step(spot, ty, *step, id)?;
                way = &way[1..];
            }
        }
        Ok(spot)
    }

    /// Finds the element that the indices at the beginning of a way lead to: all those of one array at once, which may
    /// leave a row for another.
    fn subscripts<'w>(
        &mut self,
        spot: Spot,
        mut ty: Type,
        mut way: &'w [Step],
        address: bool,
        place: PlaceId,
    ) -> Result<(Spot, Type, &'w [Step])> {
        let place = self.body.place(place);
        let span = place.span;
        let (mut dimensions, mut indices) = (Vec::new(), Vec::new());
        while let Some((Step::Index(index), rest)) = way.split_first() {
            let (of, extent) = match self.program.types.kind(ty) {
                TypeKind::Array(of, extent) => (of, extent),
                // Nothing is inside of a component.
                TypeKind::Vector(vector) => (place.ty, u64::from(vector.width)),
                _ => return Err(not_modelled(span, "this way into memory")),
            };
            dimensions.push((self.program.types.size(of), extent));
            indices.push(*index);
            (ty, way) = (of, rest);
        }
        let Spot::Memory(pointer, offset) = spot else {
            return Err(not_modelled(span, "an index of this value"));
        };
        let name = match place.root {
            Root::Variable(id) => self.program.variable(self.body, id).name.clone(),
            Root::Pointer(_) => String::new(),
        };
        let subscript = Subscript {
            dimensions,
            past: address && way.is_empty(),
            name,
        };
        let index_span = self
            .body
            .expression(*indices.last().unwrap_or(&indices[0]))
            .span;
        let first = match indices[..] {
            [index] => self.value(index, None)?,
            _ => self.arguments(&indices, span)?,
        };
        let pointer = match offset {
            0 => pointer,
            _ => {
                let to = self.temporary(1, span)?;
                self.emit(Operation::Further(to, pointer, offset as u32), span);
                to
            }
        };
        let known = &mut self.unit.code.subscripts;
        let at = known.iter().position(|s| *s == subscript);
        let at = at.unwrap_or_else(|| {
            known.push(subscript);
            known.len() - 1
        });
        let at = u16::try_from(at).map_err(|_| not_modelled(span, "so many arrays"))?;
        let to = self.temporary(1, span)?;
        self.emit(Operation::Subscript(to, pointer, first, at), index_span);
        Ok((Spot::Memory(to, 0), ty, way))
    }

    fn step(&mut self, spot: Spot, ty: Type, step: Step, place: PlaceId) -> Result<(Spot, Type)> {
        let place = self.body.place(place);
        let span = place.span;
        let types = &self.program.types;
        match (step, types.kind(ty)) {
            (Step::Field(number), TypeKind::Record(id)) => {
                let field = &types.record(id).fields[number as usize];
                match spot {
                    Spot::Memory(pointer, offset) => {
                        Ok((Spot::Memory(pointer, offset + field.offset), field.ty))
                    }
                    _ => Err(not_modelled(span, "a field of this value")),
                }
            }
            (Step::Component(number), TypeKind::Vector(vector)) => {
                let offset = u64::from(number) * vector.scalar.size() as u64;
                let spot = match spot {
                    Spot::Memory(pointer, from) => Spot::Memory(pointer, from + offset),
                    Spot::Registers(first, variable) => {
                        Spot::Registers(first + number as Register, variable)
                    }
                    Spot::Element(..) => return Err(not_modelled(span, "this component")),
                };
                // Nothing is inside of a component.
                Ok((spot, place.ty))
            }
            _ => Err(not_modelled(span, "this way into memory")),
        }
    }

    /// The address of a place.
    pub(super) fn address(&mut self, id: PlaceId, want: Option<Register>) -> Result<Register> {
        let span = self.body.place(id).span;
        match self.spot(id, true)? {
            Spot::Memory(pointer, 0) => Ok(pointer),
            Spot::Memory(pointer, offset) => {
                let to = self.target(want, 1, span)?;
                self.emit(Operation::Further(to, pointer, offset as u32), span);
                Ok(to)
            }
            _ => Err(not_modelled(span, "this address")),
        }
    }

    /// Reads a place.
    pub(super) fn read(&mut self, id: PlaceId, want: Option<Register>) -> Result<Register> {
        let place = self.body.place(id);
        let (ty, span) = (place.ty, place.span);
        let spot = self.spot(id, false)?;
        self.read_spot(spot, ty, self.is_atomic(id), want, span)
    }

    pub(super) fn is_atomic(&self, id: PlaceId) -> bool {
        self.body.place(id).atomicity == Atomicity::Atomic
    }

    pub(super) fn read_spot(
        &mut self,
        spot: Spot,
        ty: Type,
        atomic: bool,
        want: Option<Register>,
        span: Span,
    ) -> Result<Register> {
        match spot {
            Spot::Registers(first, variable) => {
                self.check_written(variable, span);
                Ok(first)
            }
            Spot::Memory(pointer, offset) => self.load(pointer, offset, atomic, ty, want, span),
            Spot::Element(base, index) => {
                let to = self.target(want, 1, span)?;
                let width = self.number_width(ty, span)?;
                self.emit(Operation::LoadElement(to, base, index, width), span);
                Ok(to)
            }
        }
    }

    /// Writes a place; a record's value is its address.
    pub(super) fn write_spot(
        &mut self,
        spot: Spot,
        ty: Type,
        atomic: bool,
        value: Register,
        span: Span,
    ) -> Result<()> {
        match spot {
            Spot::Registers(first, variable) => {
                self.check_group(variable, span);
                let width = self.width(ty);
                self.copy_registers(first, value, width, span);
                self.mark_written(variable, span);
                Ok(())
            }
            Spot::Memory(pointer, offset) => {
                if let TypeKind::Record(_) = self.kind(ty) {
                    let to = match offset {
                        0 => pointer,
                        _ => self.temporary(1, span)?,
                    };
                    if offset > 0 {
                        self.emit(Operation::Further(to, pointer, offset as u32), span);
                    }
                    let size = self.program.types.size(ty) as u32;
                    self.emit(Operation::Copy(to, value, size, atomic), span);
                    return Ok(());
                }
                self.store(pointer, offset, atomic, value, ty, span)
            }
            Spot::Element(base, index) => {
                let width = self.number_width(ty, span)?;
                self.emit(Operation::StoreElement(value, base, index, width), span);
                Ok(())
            }
        }
    }

    fn number_width(&self, ty: Type, span: Span) -> Result<Width> {
        match self.kind(ty) {
            TypeKind::Scalar(scalar) => Ok(Width::of(scalar)),
            TypeKind::Pointer(_) => Ok(Width::Whole),
            _ => {
                let name = self.program.type_name(ty);
                Err(not_modelled(span, &format!("a value of type '{name}'")))
            }
        }
    }

    /// Reads what lies so many bytes behind a pointer; a record's value is its address.
    pub(super) fn load(
        &mut self,
        pointer: Register,
        offset: u64,
        atomic: bool,
        ty: Type,
        want: Option<Register>,
        span: Span,
    ) -> Result<Register> {
        match self.kind(ty) {
            TypeKind::Record(_) => {
                let from = match offset {
                    0 => pointer,
                    _ => self.target(want, 1, span)?,
                };
                if offset > 0 {
                    self.emit(Operation::Further(from, pointer, offset as u32), span);
                }
                if !atomic {
                    return Ok(from);
                }
                // What is read at once is read here, and not where somebody looks at its fields.
                let size = self.program.types.size(ty) as u32;
                let object = self.local_object("a value", ty, span)?;
                let to = self.temporary(1, span)?;
                self.emit(Operation::LocalAddress(to, object), span);
                self.emit(Operation::Copy(to, from, size, true), span);
                Ok(to)
            }
            TypeKind::Vector(vector) => {
                let width = Width::of(vector.scalar);
                let cell = self.cell(pointer, offset, width, atomic, span)?;
                let to = self.target(want, u32::from(vector.width), span)?;
                self.emit(Operation::LoadMany(to, cell, vector.width), span);
                Ok(to)
            }
            _ => {
                let width = self.number_width(ty, span)?;
                let cell = self.cell(pointer, offset, width, atomic, span)?;
                let to = self.target(want, 1, span)?;
                self.emit(Operation::Load(to, cell), span);
                Ok(to)
            }
        }
    }

    /// Writes a number or a vector so many bytes behind a pointer.
    pub(super) fn store(
        &mut self,
        pointer: Register,
        offset: u64,
        atomic: bool,
        value: Register,
        ty: Type,
        span: Span,
    ) -> Result<()> {
        if let TypeKind::Vector(vector) = self.kind(ty) {
            let width = Width::of(vector.scalar);
            let cell = self.cell(pointer, offset, width, atomic, span)?;
            self.emit(Operation::StoreMany(value, cell, vector.width), span);
            return Ok(());
        }
        let width = self.number_width(ty, span)?;
        let cell = self.cell(pointer, offset, width, atomic, span)?;
        self.emit(Operation::Store(value, cell), span);
        Ok(())
    }

    /// Sees to it that a read of what is not written is found.
    fn check_written(&mut self, index: u32, span: Span) {
        if self.written[index as usize] {
            return;
        }
        self.unit.learnt.tracked.insert((self.key, index));
        if let Home::Registers(_, Some(flag)) = self.homes[index as usize] {
            let name = &self.body.variables[index as usize].name;
            let number = self.variable_number(name);
            self.emit(Operation::CheckWritten(flag, number), span);
        }
    }

    /// A variable in registers has a value from here on.
    pub(super) fn mark_written(&mut self, index: u32, span: Span) {
        let known = std::mem::replace(&mut self.written[index as usize], true);
        if let Home::Registers(_, Some(flag)) = self.homes[index as usize]
            && !known
        {
            let one = self.unit.constant(1);
            self.emit(Operation::Constant(flag, one), span);
        }
    }

    /// Sees to it that an item's write of what is the group's is found.
    fn check_group(&mut self, index: u32, span: Span) {
        let variable = &self.body.variables[index as usize];
        if self.level == Level::Item && variable.memory == Memory::Group {
            let number = self.variable_number(&variable.name);
            self.emit(Operation::WritesGroup(number), span);
        }
    }

    pub(super) fn copy_registers(&mut self, to: Register, from: Register, width: u32, span: Span) {
        match width {
            _ if to == from => {}
            0 => {}
            1 => self.emit(Operation::Move(to, from), span),
            width => self.emit(Operation::MoveMany(to, from, width as u16), span),
        }
    }
}
