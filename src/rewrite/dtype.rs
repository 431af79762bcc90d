//! Types as the existing transpiler describes them, with sizes and offsets added.

use crate::expr::{Scalar, root_name};
use crate::module::{Layout, Layouts, VectorType};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A type: its `type` says which of the other keys it has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dtype {
    /// The type's name; arrays have none.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub name: Cow<'static, str>,
    /// `builtin`, `struct`, `union`, `tuple`, `enum` or `custom`.
    #[serde(rename = "type")]
    pub kind: Cow<'static, str>,
    /// Size of a value, where it is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bytes: Option<usize>,
    /// The fields of a struct.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldMetadata>,
    /// The elements of an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtype: Option<Box<Dtype>>,
    /// Number of elements of an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// The enumerators of an enumeration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enumerators: Vec<EnumeratorMetadata>,
    /// The integer that an enumeration is kept in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scalar: Option<Scalar>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FieldMetadata {
    /// Its type.
    pub dtype: Dtype,
    /// Its name.
    pub name: String,
    /// Where it begins, in bytes.
    pub offset: usize,
}

/// An enumerator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnumeratorMetadata {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

impl Dtype {
    /// A scalar or vector type.
    pub fn builtin(name: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            kind: "builtin".into(),
            ..Self::default()
        }
    }

    /// A type of which nothing but its size is known, 0 if not even that.
    pub fn custom(name: impl Into<Cow<'static, str>>, bytes: usize) -> Self {
        Self {
            name: name.into(),
            kind: "custom".into(),
            bytes: Some(bytes),
            ..Self::default()
        }
    }

    /// The type that lies in memory like this.
    pub fn of(layouts: &Layouts, layout: &Layout) -> Self {
        let size = layouts.size(layout).0;
        match layout {
            Layout::Scalar(scalar) => Self::builtin(scalar.c_name()),
            Layout::Vector(vector) => Self::builtin(vector.to_string()),
            Layout::Pointer => Self::custom("none", 8),
            Layout::Array(element, count) => Self {
                kind: "tuple".into(),
                dtype: Some(Box::new(Self::of(layouts, element))),
                size: Some(*count),
                ..Self::default()
            },
            Layout::Enumeration(index) => {
                let Some(found) = layouts.enumerations.get(*index) else {
                    return Self::custom("none", size);
                };
                let enumerator = |(name, value): &(String, i64)| EnumeratorMetadata {
                    name: name.clone(),
                    value: *value,
                };
                Self {
                    name: found.name.clone().into(),
                    kind: "enum".into(),
                    bytes: Some(size),
                    enumerators: found.enumerators.iter().map(enumerator).collect(),
                    scalar: Some(found.scalar),
                    ..Self::default()
                }
            }
            Layout::Record(index) => {
                let Some(record) = layouts.records.get(*index) else {
                    return Self::custom("none", size);
                };
                let kind = if record.union { "union" } else { "struct" };
                let fields = record.fields.iter().map(|field| FieldMetadata {
                    dtype: Self::of(layouts, &field.layout),
                    name: field.name.clone(),
                    offset: field.offset,
                });
                Self {
                    name: record.name.clone().into(),
                    kind: kind.into(),
                    bytes: Some(size),
                    fields: fields.collect(),
                    ..Self::default()
                }
            }
        }
    }

    /// Size of a value in bytes, 0 if unknown.
    pub fn bytes(&self) -> usize {
        let element = self.dtype.as_ref().map(|d| d.bytes());
        let array = element.zip(self.size).map(|(size, count)| size * count);
        let scalar = || Scalar::from_words(self.name.split_ascii_whitespace()).map(Scalar::size);
        let vector = || VectorType::from_name(&self.name).map(VectorType::size);
        let known = self.bytes.or(array).or_else(scalar).or_else(vector);
        known.unwrap_or(0)
    }

    /// Adds the numbers that it consists of, in order, where they lie behind `offset`. None if it is not made
    /// of numbers alone, or they share their place.
    pub fn numbers(&self, offset: usize, found: &mut Vec<(usize, Scalar)>) -> Option<()> {
        match &*self.kind {
            "builtin" => {
                let scalar = Scalar::from_words(self.name.split_ascii_whitespace());
                if let Some(scalar) = scalar {
                    found.push((offset, scalar));
                    return Some(());
                }
                let vector = VectorType::from_name(&self.name)?;
                let size = vector.scalar.size();
                found.extend((0..vector.width.into()).map(|i| (offset + i * size, vector.scalar)));
            }
            "enum" => found.push((offset, self.scalar?)),
            "struct" => {
                for field in &self.fields {
                    field.dtype.numbers(offset + field.offset, found)?;
                }
            }
            "tuple" => {
                let element = self.dtype.as_ref()?;
                for index in 0..self.size? {
                    element.numbers(offset + index * element.bytes(), found)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The scalar at the end of a member path such as `.grid.nx` or `.list[2].x`, and where it lies.
    pub fn locate(&self, path: &str) -> Option<(usize, Scalar)> {
        if path.is_empty() {
            let builtin = || Scalar::from_words(self.name.split_ascii_whitespace());
            return Some((0, self.scalar.or_else(builtin)?));
        }
        if let Some(rest) = path.strip_prefix('[') {
            let (index, rest) = rest.split_once(']')?;
            let index: usize = index
                .parse()
                .ok()
                .filter(|i| Some(i) < self.size.as_ref())?;
            let element = self.dtype.as_ref()?;
            let (offset, scalar) = element.locate(rest)?;
            return Some((index * element.bytes() + offset, scalar));
        }
        let rest = path.strip_prefix('.')?;
        let name = root_name(rest);
        if let Some(vector) = VectorType::from_name(&self.name)
            && self.kind == "builtin"
        {
            return Layouts::default().locate(&Layout::Vector(vector), path);
        }
        let field = self.fields.iter().find(|f| f.name == name)?;
        let (offset, scalar) = field.dtype.locate(rest.get(name.len()..)?)?;
        Some((field.offset + offset, scalar))
    }
}
