//! Joining what processes have of the groups that they share.

use super::super::Reduction;
use crate::expr::Scalar;

/// What a process has of the groups.
pub(super) struct Share<'g> {
    pub(super) rank: usize,
    /// Which of them; all where that is not said.
    pub(super) groups: Option<&'g [u32]>,
    /// As bytes: of each field those of its groups.
    pub(super) values: Vec<u8>,
}

/// The values of so many fields of so many groups, as bytes, of what each process has of them, in the order of the processes.
pub(super) fn joined(
    scalar: Scalar,
    reduction: Reduction,
    count: (usize, usize),
    shares: &[Share<'_>],
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
            let total = join_all(count, shares, join, read);
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

fn join_all<T: Copy + Default, const SIZE: usize>(
    (fields, groups): (usize, usize),
    shares: &[Share<'_>],
    join: impl Fn(T, T) -> T,
    read: impl Fn(&[u8; SIZE]) -> T,
) -> Vec<T> {
    let mut total = vec![T::default(); fields * groups];
    let mut begun = vec![false; groups];
    for share in shares {
        let (values, _) = share.values.as_chunks::<SIZE>();
        let all: Vec<u32>;
        let own = match share.groups {
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
        let share = |rank, groups, values| Share {
            rank,
            groups,
            values,
        };
        let shares = [
            share(0, Some(&[0, 2][..]), a),
            share(1, None, b),
            share(2, Some(&[2][..]), c),
        ];
        let sum = joined(Scalar::Float, Reduction::Sum, (2, 3), &shares);
        assert_eq!(sum, bytes(&[1e8, 5.0, 3.0, 110.0, 200.0, 20.0]));
        let least = joined(Scalar::Float, Reduction::Min, (2, 3), &shares);
        assert_eq!(least, bytes(&[1.0, 5.0, -2.0, 10.0, 200.0, -300.0]));
    }
}
