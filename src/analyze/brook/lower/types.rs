//! Types as they lie in streams: as the host's compiler lays them out, where vectors are packed.

use super::{Lower, Unit};
use crate::analyze::brook::check::Ty;
use crate::body::{Field, Record, RecordId, Type, TypeKind};
use crate::expr::Scalar;
use crate::module::{self, VectorType};
use foldhash::HashMap;

/// Records that have been made.
#[derive(Debug, Default)]
pub(super) struct Records {
    /// The program's, by the checker's numbers; `None` for what no kernel can have.
    structs: HashMap<usize, Option<Type>>,
    /// Those around vectors of three, which have no room for a fourth in memory.
    packed: HashMap<Type, Type>,
}

impl Unit<'_, '_> {
    /// A number or a vector.
    pub(super) fn number(&mut self, ty: module::Type) -> Type {
        let Some(scalar) = ty.base.scalar() else {
            return crate::body::Types::VOID;
        };
        self.numbers_of(scalar, ty.width)
    }

    pub(super) fn numbers_of(&mut self, scalar: Scalar, width: u8) -> Type {
        match width {
            1 => self.program.types.scalar(scalar),
            width => {
                let kind = TypeKind::Vector(VectorType { scalar, width });
                self.program.types.of(kind)
            }
        }
    }

    /// What the checker calls a type; `None` where nothing of it is known.
    pub(super) fn of(&mut self, ty: Ty) -> Option<Type> {
        match ty {
            Ty::Number(ty) => Some(self.number(ty)),
            Ty::Record(record) => self.structure(record),
        }
    }

    /// The type that a parameter's value has inside of its kernel.
    pub(super) fn value_of(&mut self, parameter: &module::Parameter) -> Option<Type> {
        if !parameter.element_sizes.is_empty() {
            return self.array_of(parameter);
        }
        match parameter.structure {
            // Structs that are made for elements are none of the checker's.
            Some(index) if index < self.facts.records.len() => self.structure(index),
            Some(_) => None,
            None => Some(self.number(parameter.ty)),
        }
    }

    /// An element that is an array.
    fn array_of(&mut self, parameter: &module::Parameter) -> Option<Type> {
        let sizes = parameter.element_sizes.iter();
        let sizes: String = sizes.map(|n| format!("[{n}]")).collect();
        let words = parameter.type_name.strip_suffix(&sizes)?;
        if self.facts.stored(words).is_some() {
            return None;
        }
        let one = self.facts.named(words)?;
        let one = self.of(one)?;
        let mut ty = self.stored(one);
        for count in parameter.element_sizes.iter().rev() {
            ty = self.program.types.of(TypeKind::Array(ty, *count));
        }
        Some(ty)
    }

    /// The same in memory.
    pub(super) fn stored(&mut self, ty: Type) -> Type {
        let TypeKind::Vector(vector) = self.program.types.kind(ty) else {
            return ty;
        };
        if vector.width != 3 {
            return ty;
        }
        if let Some(&known) = self.records.packed.get(&ty) {
            return known;
        }
        let size = vector.scalar.size() as u64;
        let record = Record {
            name: format!("packed {}3", vector.base_name()),
            fields: vec![Field {
                name: String::new(),
                ty,
                offset: 0,
            }],
            size: 3 * size,
            align: size,
        };
        let id = self.program.types.add_record(record);
        let made = self.program.types.of(TypeKind::Record(id));
        self.records.packed.insert(ty, made);
        made
    }

    /// The record of the checker's number.
    fn structure(&mut self, number: usize) -> Option<Type> {
        if let Some(&known) = self.records.structs.get(&number) {
            return known;
        }
        self.records.structs.insert(number, None);
        let facts = self.facts;
        let found = facts.records.get(number)?;
        if !found.sound || found.alias.is_some() || found.fields.iter().any(|f| f.fixed.is_some()) {
            return None;
        }
        let mut fields = Vec::new();
        let (mut size, mut align) = (0u64, 1u64);
        for field in &found.fields {
            let one = self.of(field.ty)?;
            let one = self.stored(one);
            let own = self.alignment(one);
            let mut ty = one;
            for count in field.sizes.iter().rev() {
                ty = self.program.types.of(TypeKind::Array(ty, *count));
            }
            size = size.next_multiple_of(own);
            fields.push(Field {
                name: field.name.clone(),
                ty,
                offset: size,
            });
            size += self.program.types.size(ty);
            align = align.max(own);
        }
        let record = Record {
            name: found.names.last().cloned().unwrap_or_default(),
            fields,
            size: size.next_multiple_of(align),
            align,
        };
        let id = self.program.types.add_record(record);
        let made = self.program.types.of(TypeKind::Record(id));
        self.records.structs.insert(number, Some(made));
        Some(made)
    }

    /// On the host, vectors are aligned like their components.
    fn alignment(&self, ty: Type) -> u64 {
        let types = &self.program.types;
        match types.kind(ty) {
            TypeKind::Vector(vector) => vector.scalar.size() as u64,
            TypeKind::Array(of, _) => self.alignment(of),
            _ => types.align(ty),
        }
    }

    /// Whether a type stands around a vector of three.
    pub(super) fn is_packed(&self, id: RecordId) -> bool {
        let packed = self.records.packed.values();
        packed
            .into_iter()
            .any(|ty| self.program.types.kind(*ty) == TypeKind::Record(id))
    }
}

impl Lower<'_, '_, '_> {
    pub(super) fn kind(&self, ty: Type) -> TypeKind {
        self.unit.program.types.kind(ty)
    }

    pub(super) fn scalar_type(&mut self, scalar: Scalar) -> Type {
        self.unit.program.types.scalar(scalar)
    }

    /// The component type and the number of components of a number or a vector.
    pub(super) fn shape(&self, ty: Type) -> Option<(Scalar, u8)> {
        match self.kind(ty) {
            TypeKind::Scalar(scalar) => Some((scalar, 1)),
            TypeKind::Vector(vector) => Some((vector.scalar, vector.width)),
            _ => None,
        }
    }
}
