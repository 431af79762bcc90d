//! Joining what processes have of the groups that they share.

use super::super::Reduction;
use crate::expr::Scalar;

/// The values of so many fields of so many groups, as bytes, of what each process has of some of the groups, or of all, in the order
/// of the processes.
pub(super) fn joined<'b>(
    scalar: Scalar,
    reduction: Reduction,
    count: (usize, usize),
    of_each: impl Iterator<Item = (Option<&'b [u32]>, &'b [u8])>,
) -> Vec<u8> {
    macro_rules! of {
        ($type:ty, $sum:expr, $product:expr) => {{
            let join = |a: $type, b: $type| match reduction {
                Reduction::Sum => $sum(a, b),
                Reduction::Product => $product(a, b),
                Reduction::Min if b < a => b,
                Reduction::Max if a < b => b,
                Reduction::Min | Reduction::Max => a,
            };
            let read = |bytes: &[u8; size_of::<$type>()]| <$type>::from_ne_bytes(*bytes);
            let total = join_all(count, of_each, join, read);
            total.into_iter().flat_map(<$type>::to_ne_bytes).collect()
        }};
    }
    match scalar {
        Scalar::Int => of!(i32, i32::wrapping_add, i32::wrapping_mul),
        Scalar::Long => of!(i64, i64::wrapping_add, i64::wrapping_mul),
        Scalar::Double => of!(f64, std::ops::Add::add, std::ops::Mul::mul),
        _ => of!(f32, std::ops::Add::add, std::ops::Mul::mul),
    }
}

fn join_all<'b, T: Copy + Default, const SIZE: usize>(
    (fields, groups): (usize, usize),
    of_each: impl Iterator<Item = (Option<&'b [u32]>, &'b [u8])>,
    join: impl Fn(T, T) -> T,
    read: impl Fn(&[u8; SIZE]) -> T,
) -> Vec<T> {
    let mut total = vec![T::default(); fields * groups];
    let mut begun = vec![false; groups];
    for (own, bytes) in of_each {
        let (values, _) = bytes.as_chunks::<SIZE>();
        let all: Vec<u32>;
        let own = match own {
            Some(own) => own,
            None => {
                all = (0..groups as u32).collect();
                &all
            }
        };
        for (field, values) in values.chunks(own.len().max(1)).take(fields).enumerate() {
            for (group, value) in own.iter().zip(values) {
                let group = *group as usize;
                let slot = &mut total[field * groups + group];
                *slot = match begun[group] {
                    true => join(*slot, read(value)),
                    false => read(value),
                };
            }
        }
        for group in own {
            begun[*group as usize] = true;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_order_of_processes() {
        let bytes = |values: &[f32]| {
            values
                .iter()
                .flat_map(|v| v.to_ne_bytes())
                .collect::<Vec<_>>()
        };
        // Two fields of three groups: the first process has groups 0 and 2, the second all, the third group 2.
        let (a, b, c) = (
            bytes(&[1e8, 2.0, 10.0, 20.0]),
            bytes(&[1.0, 5.0, 3.0, 100.0, 200.0, 300.0]),
            bytes(&[-2.0, -300.0]),
        );
        let of_each = || {
            let all: [(Option<&[u32]>, &[u8]); 3] =
                [(Some(&[0, 2]), &a), (None, &b), (Some(&[2]), &c)];
            all.into_iter()
        };
        let sum = joined(Scalar::Float, Reduction::Sum, (2, 3), of_each());
        assert_eq!(sum, bytes(&[1e8, 5.0, 3.0, 110.0, 200.0, 20.0]));
        let least = joined(Scalar::Float, Reduction::Min, (2, 3), of_each());
        assert_eq!(least, bytes(&[1.0, 5.0, -2.0, 10.0, 200.0, -300.0]));
    }
}
