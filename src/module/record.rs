use super::VectorType;
use crate::expr::{Scalar, root_name};

/// A struct or union whose layout is known: that of C on a 64-bit Unix.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its name, or that of the typedef which names it.
    pub name: String,
    /// A union: all fields lie at 0.
    pub union: bool,
    /// Its fields in order.
    pub fields: Vec<RecordField>,
    /// Size in bytes, padding included.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
}

/// A field of a [`Record`].
#[derive(Clone, Debug, PartialEq)]
pub struct RecordField {
    /// Its name.
    pub name: String,
    /// Its type.
    pub layout: Layout,
    /// Where it begins.
    pub offset: usize,
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// The integer it is kept in.
    pub scalar: Scalar,
    /// Its enumerators and their values.
    pub enumerators: Vec<(String, i64)>,
}

/// How a value lies in memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// A number.
    Scalar(Scalar),
    /// `float4`, `int2`, …: three components take the room of four.
    Vector(VectorType),
    /// Index into the records of the module.
    Record(usize),
    /// Index into the enumerations of the module.
    Enumeration(usize),
    /// A pointer.
    Pointer,
    /// An array of so many.
    Array(Box<Layout>, usize),
}

/// The records and enumerations of a program.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// Structs and unions, those inside others first.
    pub records: Vec<Record>,
    /// Enumerations.
    pub enumerations: Vec<Enumeration>,
}

impl Layouts {
    /// Size and alignment in bytes.
    pub fn size(&self, layout: &Layout) -> (usize, usize) {
        match layout {
            Layout::Scalar(scalar) => (scalar.size(), scalar.size()),
            Layout::Vector(vector) => (vector.size(), vector.size()),
            Layout::Record(index) => self
                .records
                .get(*index)
                .map_or((0, 1), |r| (r.size, r.align)),
            Layout::Enumeration(index) => {
                let scalar = self.enumerations.get(*index).map(|e| e.scalar);
                let size = scalar.map_or(4, Scalar::size);
                (size, size)
            }
            Layout::Pointer => (8, 8),
            Layout::Array(element, count) => {
                let (size, align) = self.size(element);
                (size * count, align)
            }
        }
    }

    /// The scalar at the end of a member path such as `.grid.nx` or `[2].x`, and where it lies.
    pub fn locate(&self, layout: &Layout, path: &str) -> Option<(usize, Scalar)> {
        if path.is_empty() {
            return match layout {
                Layout::Scalar(scalar) => Some((0, *scalar)),
                Layout::Enumeration(index) => Some((0, self.enumerations.get(*index)?.scalar)),
                _ => None,
            };
        }
        if let Some(rest) = path.strip_prefix('[') {
            let (index, rest) = rest.split_once(']')?;
            let index: usize = index.parse().ok()?;
            let Layout::Array(element, count) = layout else {
                return None;
            };
            let (offset, scalar) = self.locate(element, rest).filter(|_| index < *count)?;
            return Some((index * self.size(element).0 + offset, scalar));
        }
        let path = path.strip_prefix('.')?;
        let name = root_name(path);
        let rest = path.get(name.len()..)?;
        match layout {
            Layout::Record(index) => {
                let fields = &self.records.get(*index)?.fields;
                let field = fields.iter().find(|f| f.name == name)?;
                let (offset, scalar) = self.locate(&field.layout, rest)?;
                Some((field.offset + offset, scalar))
            }
            Layout::Vector(vector) if rest.is_empty() => {
                let component = match name {
                    "x" | "s0" => 0,
                    "y" | "s1" => 1,
                    "z" | "s2" => 2,
                    "w" | "s3" => 3,
                    _ => return None,
                };
                let place = usize::from(component) * vector.scalar.size();
                (component < vector.width).then_some((place, vector.scalar))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let scalar = Layout::Scalar;
        let vector = |name| Layout::Vector(VectorType::from_name(name).unwrap());
        let field = |name: &str, layout, offset| RecordField {
            name: name.into(),
            layout,
            offset,
        };
        let record = |name: &str, fields, size, align| Record {
            name: name.into(),
            union: false,
            fields,
            size,
            align,
        };
        let layouts = Layouts {
            records: vec![
                record("Grid", vec![field("nx", scalar(Scalar::Long), 0)], 8, 8),
                record(
                    "P",
                    vec![
                        field("n", scalar(Scalar::Char), 0),
                        field("grid", Layout::Array(Box::new(Layout::Record(0)), 3), 8),
                        field("v", vector("float3"), 32),
                    ],
                    48,
                    16,
                ),
            ],
            enumerations: Vec::new(),
        };
        let at = |path| layouts.locate(&Layout::Record(1), path);
        assert_eq!(at(".n"), Some((0, Scalar::Char)));
        assert_eq!(at(".grid[2].nx"), Some((24, Scalar::Long)));
        assert_eq!(at(".grid[3].nx"), None);
        assert_eq!(at(".v.z"), Some((40, Scalar::Float)));
        assert_eq!(at(".v.w"), None);
        assert_eq!(at(".grid"), None);
        assert_eq!(layouts.size(&vector("double3")), (32, 32));
    }
}
