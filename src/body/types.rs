use crate::expr::Scalar;
use crate::module::VectorType;
use foldhash::{HashMap, HashMapExt};

/// A type, as a number that stands for it: equal types are equal numbers. `const` and its like are no part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Type(u32);

/// Names a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(pub u32);

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// No value.
    Void,
    /// A number.
    Scalar(Scalar),
    /// Some numbers. One of three has room for a fourth.
    Vector(VectorType),
    /// A structure or union.
    Record(RecordId),
    /// The address of something of that type; of [`TypeKind::Void`] if that is not said.
    Pointer(Type),
    /// So many of one type, side by side.
    Array(Type, u64),
}

/// A structure or union, as it lies in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its fields, in order. Those of a union lie at the same place.
    pub fields: Vec<Field>,
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub align: u64,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// How many bytes after the record's first one it begins.
    pub offset: u64,
}

/// All types of a program, each once.
#[derive(Clone, Debug)]
pub struct Types {
    kinds: Vec<TypeKind>,
    known: HashMap<TypeKind, Type>,
    records: Vec<Record>,
}

impl Default for Types {
    fn default() -> Self {
        let mut this = Self {
            kinds: Vec::new(),
            known: HashMap::new(),
            records: Vec::new(),
        };
        this.of(TypeKind::Void);
        this
    }
}

impl Types {
    /// [`TypeKind::Void`].
    pub const VOID: Type = Type(0);

    /// The type of that kind.
    pub fn of(&mut self, kind: TypeKind) -> Type {
        let next = Type(self.kinds.len() as u32);
        let ty = *self.known.entry(kind).or_insert(next);
        if ty == next {
            self.kinds.push(kind);
        }
        ty
    }

    /// A scalar type.
    pub fn scalar(&mut self, scalar: Scalar) -> Type {
        self.of(TypeKind::Scalar(scalar))
    }

    /// A pointer to something of that type.
    pub fn pointer(&mut self, to: Type) -> Type {
        self.of(TypeKind::Pointer(to))
    }

    /// What a type is.
    pub fn kind(&self, ty: Type) -> TypeKind {
        self.kinds[ty.0 as usize]
    }

    /// A new record.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record);
        RecordId(self.records.len() as u32 - 1)
    }

    /// Gives a record its fields, which may point to itself.
    pub fn complete_record(&mut self, id: RecordId, record: Record) {
        self.records[id.0 as usize] = record;
    }

    /// The record of that number.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// The scalar that a type is.
    pub fn as_scalar(&self, ty: Type) -> Option<Scalar> {
        match self.kind(ty) {
            TypeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// What a pointer points to, or an array has.
    pub fn element(&self, ty: Type) -> Option<Type> {
        match self.kind(ty) {
            TypeKind::Pointer(of) | TypeKind::Array(of, _) => Some(of),
            _ => None,
        }
    }

    /// How many bytes a value has; 0 for [`TypeKind::Void`].
    pub fn size(&self, ty: Type) -> u64 {
        match self.kind(ty) {
            TypeKind::Void => 0,
            TypeKind::Scalar(scalar) => scalar.size() as u64,
            TypeKind::Vector(vector) => vector.size() as u64,
            TypeKind::Record(id) => self.record(id).size,
            TypeKind::Pointer(_) => 8,
            TypeKind::Array(of, count) => self.size(of).saturating_mul(count),
        }
    }

    /// Of how many bytes its address is a multiple; 1 for [`TypeKind::Void`].
    pub fn align(&self, ty: Type) -> u64 {
        match self.kind(ty) {
            TypeKind::Void => 1,
            TypeKind::Record(id) => self.record(id).align,
            TypeKind::Array(of, _) => self.align(of),
            _ => self.size(ty),
        }
    }
}
