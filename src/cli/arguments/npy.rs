//! NumPy's file format, version 1.0 and 2.0: one array, row-major.

use super::array::{Array, Element};
use brook::expr::Scalar;
#[cfg(any(test, feature = "runtime"))]
use std::fmt::Write;
use std::path::Path;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The code of a type, without the byte order.
fn code(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "b1",
        Scalar::Char => "i1",
        Scalar::UChar => "u1",
        Scalar::Short => "i2",
        Scalar::UShort => "u2",
        Scalar::Int => "i4",
        Scalar::UInt => "u4",
        Scalar::Long => "i8",
        Scalar::ULong => "u8",
        Scalar::Float => "f4",
        Scalar::Double => "f8",
    }
}

/// An array as a file: elements of one scalar type as that type, with a dimension for the components if there
/// are several; any others as bytes.
#[cfg(any(test, feature = "runtime"))]
pub(in crate::cli) fn encode(array: &Array) -> Vec<u8> {
    let (scalar, width) = match array.element.uniform() {
        Some(found) => found,
        None => (Scalar::UChar, array.element.bytes),
    };
    let mut shape: Vec<usize> = array.shape.iter().map(|&e| e as usize).collect();
    if width > 1 || array.element.uniform().is_none() {
        shape.push(width);
    }
    let mut tuple = String::new();
    for extent in &shape {
        // A String cannot fail to be written to.
        let _ = write!(tuple, "{extent}, ");
    }
    let tuple = match shape.len() {
        0 | 1 => tuple.trim_end().to_string(),
        _ => tuple.trim_end_matches(", ").to_string(),
    };
    let order = match (scalar.size(), cfg!(target_endian = "big")) {
        (1, _) => '|',
        (_, true) => '>',
        (_, false) => '<',
    };
    let mut header = format!(
        "{{'descr': '{order}{}', 'fortran_order': False, 'shape': ({tuple}), }}",
        code(scalar)
    );
    // The data begins at a multiple of 64 bytes, behind a line's end.
    let before = MAGIC.len() + 4;
    while !(before + header.len() + 1).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut file = MAGIC.to_vec();
    file.extend([1, 0]);
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.into_bytes());
    file.extend(&array.bytes);
    file
}

/// Reads a file for elements of a type. Their components may be a dimension of their own.
pub(in crate::cli) fn read(path: &Path, element: &Element) -> Result<Array, String> {
    let bytes = brook::source::read_below(path, u64::MAX)
        .map_err(|e| format!("cannot read '{}': {e}", path.display()))?;
    decode(&bytes, element).map_err(|what| format!("'{}': {what}", path.display()))
}

fn decode(file: &[u8], element: &Element) -> Result<Array, String> {
    let damaged = || "it is no .npy file of version 1 or 2".to_string();
    let rest = file.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (length, start) = match rest {
        [1, _, a, b, ..] => (u32::from(u16::from_le_bytes([*a, *b])), 4),
        [2, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]), 6),
        _ => return Err(damaged()),
    };
    let header = rest
        .get(start..start + length as usize)
        .ok_or_else(damaged)?;
    let data = &rest[start + length as usize..];
    let header = String::from_utf8_lossy(header).replace(' ', "");
    let after = |key: &str| {
        let at = header.find(key)? + key.len();
        header.get(at..)
    };
    let descr = after("'descr':'").and_then(|r| r.split('\'').next());
    let descr = descr.ok_or("it has no simple type")?;
    let tuple = after("'shape':(").and_then(|r| r.split(')').next());
    let extents = tuple
        .ok_or_else(damaged)?
        .split(',')
        .filter(|e| !e.is_empty());
    let extents: Option<Vec<u32>> = extents
        .map(|e| e.trim_end_matches('L').parse().ok())
        .collect();
    let mut shape = extents.ok_or_else(damaged)?;
    if after("'fortran_order':").is_some_and(|r| r.starts_with("True")) && shape.len() > 1 {
        return Err("it is column-major; numpy.ascontiguousarray() changes that".to_string());
    }
    let native = if cfg!(target_endian = "big") {
        '>'
    } else {
        '<'
    };
    let (order, found) = descr.split_at(usize::from(!descr.is_empty()));
    if !(order == "|" || order == "=" || order.starts_with(native)) {
        return Err(format!("its type is '{descr}', in the other byte order"));
    }
    let (scalar, width) = match element.uniform() {
        Some(found) => found,
        None => (Scalar::UChar, element.bytes),
    };
    if found != code(scalar) {
        let wanted = code(scalar);
        return Err(format!("its type is '{found}'; the kernel's is '{wanted}'"));
    }
    if width > 1 || element.uniform().is_none() {
        if shape.last() != Some(&(width as u32)) {
            return Err(format!(
                "its last dimension is {:?}; elements have {width} components",
                shape.last().copied().unwrap_or(0)
            ));
        }
        shape.pop();
    }
    let array = Array::zeros(element.clone(), shape).ok_or("it is too large")?;
    if data.len() != array.bytes.len() {
        let (wanted, got) = (array.bytes.len(), data.len());
        return Err(format!("its shape takes {wanted} bytes; it has {got}"));
    }
    Ok(Array {
        bytes: data.to_vec(),
        ..array
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::cli::arguments::spec::Fill;

    fn element(numbers: &[(usize, Scalar)], bytes: usize) -> Element {
        Element {
            bytes,
            numbers: numbers.to_vec(),
        }
    }

    #[test]
    fn files_come_back() {
        let float3 = element(&[0, 4, 8].map(|o| (o, Scalar::Float)), 12);
        let mixed = element(&[(0, Scalar::Float), (4, Scalar::Int)], 8);
        let double = element(&[(0, Scalar::Double)], 8);
        for (element, shape) in [(float3, vec![2, 5]), (mixed, vec![3]), (double, vec![])] {
            let mut array = Array::zeros(element, shape).unwrap();
            array.fill(Fill::Iota);
            let file = encode(&array);
            assert_eq!((file.len() - array.bytes.len()) % 64, 0);
            assert_eq!(decode(&file, &array.element), Ok(array));
        }
    }

    #[test]
    fn what_numpy_writes_is_read() {
        let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file.extend([1, 0, 0, 0, 2, 0, 0, 0]);
        let int = element(&[(0, Scalar::Int)], 4);
        let array = decode(&file, &int).unwrap();
        assert_eq!((array.shape, array.bytes.len()), (vec![2], 8));
        let uint = element(&[(0, Scalar::UInt)], 4);
        assert_eq!(
            decode(&file, &uint).unwrap_err(),
            "its type is 'i4'; the kernel's is 'u4'"
        );
        file.pop();
        assert!(decode(&file, &int).unwrap_err().contains("takes 8 bytes"));
        assert!(decode(b"no", &int).is_err());
    }
}
