use super::{Fixed, Type};

/// A struct that Brook+ kernels use. In streams it lies as the host's compiler lays it out: vectors are packed
/// and have the alignment of their components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Struct {
    /// What typedef, or the host's C++, calls it.
    pub name: String,
    /// Its name after `struct`, if it has one.
    pub tag: Option<String>,
    /// Its fields in order.
    pub fields: Vec<StructField>,
    /// It is no struct but another name of the type in these words.
    pub alias: Option<String>,
    /// It is no struct but numbers that lie in memory in another form: its only field, which has no name.
    pub fixed: Option<Fixed>,
}

impl Struct {
    /// What elements of fixed point are to those who read and write them.
    pub fn of_fixed(fixed: Fixed) -> Self {
        Self {
            name: fixed.name().to_string(),
            tag: None,
            fields: vec![StructField {
                name: String::new(),
                ty: Element::Fixed(fixed),
                sizes: Vec::new(),
            }],
            alias: None,
            fixed: Some(fixed),
        }
    }
}

/// A field of a [`Struct`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructField {
    /// Its name.
    pub name: String,
    /// Its type, or that of its elements.
    pub ty: Element,
    /// The sizes of an array, slowest first.
    pub sizes: Vec<u64>,
}

/// What variables, fields and elements of streams can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A number or a vector.
    Number(Type),
    /// Floats in kernels, integers in memory.
    Fixed(Fixed),
    /// Index into the structs of the module.
    Struct(usize),
}

/// A number inside a struct: the path from the struct, `.place.x`, its type, and where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructPart {
    /// Fields, indices and components.
    pub path: String,
    /// The type in memory, which is no vector.
    pub ty: Type,
    /// Bytes from the beginning.
    pub offset: u64,
    /// A component of fixed point.
    pub fixed: bool,
}

/// Size and alignment of a value on the host, in bytes.
pub fn layout(structs: &[Struct], element: Element) -> (u64, u64) {
    match element {
        Element::Number(ty) => {
            let component = ty.size() as u64 / u64::from(ty.width.max(1));
            (ty.size() as u64, component.max(1))
        }
        Element::Fixed(fixed) => {
            let stored = fixed.number().with_base(fixed.stored());
            layout(structs, Element::Number(stored))
        }
        Element::Struct(index) => {
            let (mut size, mut align) = (0u64, 1u64);
            for field in structs.get(index).map_or(&[][..], |s| &s.fields) {
                let (one, own) = layout(structs, field.ty);
                size = size.next_multiple_of(own) + one * field.sizes.iter().product::<u64>();
                align = align.max(own);
            }
            (size.next_multiple_of(align), align)
        }
    }
}

/// All numbers of a value, in order.
pub fn parts(structs: &[Struct], element: Element) -> Vec<StructPart> {
    let mut found = Vec::new();
    collect(structs, element, String::new(), 0, &mut found);
    found
}

fn collect(
    structs: &[Struct],
    element: Element,
    path: String,
    offset: u64,
    found: &mut Vec<StructPart>,
) {
    let (element, fixed) = match element {
        Element::Fixed(fixed) => {
            let stored = fixed.number().with_base(fixed.stored());
            (Element::Number(stored), true)
        }
        element => (element, false),
    };
    match element {
        Element::Number(ty) if ty.is_vector() => {
            let scalar = Type::scalar(ty.base);
            let components = "xyzw".chars().take(usize::from(ty.width));
            found.extend(components.enumerate().map(|(i, c)| StructPart {
                path: format!("{path}.{c}"),
                ty: scalar,
                offset: offset + i as u64 * scalar.size() as u64,
                fixed,
            }));
        }
        Element::Number(ty) => found.push(StructPart {
            path,
            ty,
            offset,
            fixed,
        }),
        // Taken for its numbers above.
        Element::Fixed(_) => {}
        Element::Struct(index) => {
            let mut at = offset;
            for field in structs.get(index).map_or(&[][..], |s| &s.fields) {
                let (size, align) = layout(structs, field.ty);
                at = at.next_multiple_of(align);
                for place in 0..field.sizes.iter().product::<u64>() {
                    let mut rest = place;
                    let mut indices = String::new();
                    for &extent in field.sizes.iter().rev() {
                        indices = format!("[{}]{indices}", rest % extent);
                        rest /= extent;
                    }
                    let path = match field.name.as_str() {
                        "" => path.clone(),
                        name => format!("{path}.{name}{indices}"),
                    };
                    collect(structs, field.ty, path, at, found);
                    at += size;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Base;

    #[test]
    fn host_layout() {
        let field = |name: &str, ty, sizes: &[u64]| StructField {
            name: name.into(),
            ty,
            sizes: sizes.to_vec(),
        };
        let float4 = Element::Number(Type::vector(Base::Float, 4));
        let char_ = Element::Number(Type::scalar(Base::Char));
        let double = Element::Number(Type::scalar(Base::Double));
        let structs = [
            Struct {
                name: "five".into(),
                tag: None,
                alias: None,
                fixed: None,
                fields: vec![field("a", float4, &[]), field("b", char_, &[])],
            },
            Struct {
                name: "all".into(),
                tag: None,
                alias: None,
                fixed: None,
                fields: vec![
                    field("c", char_, &[]),
                    field("f", Element::Struct(0), &[2]),
                    field("d", double, &[]),
                ],
            },
        ];
        assert_eq!(layout(&structs, Element::Struct(0)), (20, 4));
        assert_eq!(layout(&structs, Element::Struct(1)), (56, 8));
        let parts = parts(&structs, Element::Struct(1));
        let at = |path: &str| parts.iter().find(|p| p.path == path).map(|p| p.offset);
        assert_eq!(at(".c"), Some(0));
        assert_eq!(at(".f[0].a.w"), Some(16));
        assert_eq!(at(".f[1].b"), Some(40));
        assert_eq!(at(".d"), Some(48));
        assert_eq!(parts.len(), 12);
    }
}
