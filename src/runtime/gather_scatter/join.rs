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

/// Puts into `total` the values of so many fields of so many groups, as bytes, of what each process has of them, in the order of the
/// processes.
pub(super) fn join(
    scalar: Scalar,
    reduction: Reduction,
    count: (usize, usize),
    shares: &[Share<'_>],
    total: &mut [u8],
) {
    macro_rules! of {
        ($type:ty, $sum:expr, $product:expr) => {{
            let (read, write) = (<$type>::from_ne_bytes, <$type>::to_ne_bytes);
            // Each is a loop of its own, in which the compiler knows the operation.
            match reduction {
                Reduction::Sum => join_all(count, shares, $sum, (read, write), total),
                Reduction::Product => join_all(count, shares, $product, (read, write), total),
                Reduction::Min => {
                    let least = |a: $type, b: $type| if b < a { b } else { a };
                    join_all(count, shares, least, (read, write), total);
                }
                Reduction::Max => {
                    let most = |a: $type, b: $type| if a < b { b } else { a };
                    join_all(count, shares, most, (read, write), total);
                }
            }
        }};
    }
    match scalar {
        Scalar::Int => of!(i32, i32::wrapping_add, i32::wrapping_mul),
        Scalar::Long => of!(i64, i64::wrapping_add, i64::wrapping_mul),
        Scalar::Double => of!(f64, std::ops::Add::add, std::ops::Mul::mul),
        _ => of!(f32, std::ops::Add::add, std::ops::Mul::mul),
    }
}

/// With numbers of so many bytes, and what these are.
fn join_all<T: Copy, const SIZE: usize>(
    (fields, groups): (usize, usize),
    shares: &[Share<'_>],
    join: impl Fn(T, T) -> T,
    (read, write): (impl Fn([u8; SIZE]) -> T, impl Fn(T) -> [u8; SIZE]),
    total: &mut [u8],
) {
    let (total, _) = total.as_chunks_mut::<SIZE>();
    let mut begun = vec![false; groups];
    for share in shares {
        let (values, _) = share.values.as_chunks::<SIZE>();
        let own = share.groups.map_or(groups, <[u32]>::len);
        for field in 0..fields {
            let total = &mut total[field * groups..(field + 1) * groups];
            let values = &values[field * own..(field + 1) * own];
            let add = |slot: &mut [u8; SIZE], value: &[u8; SIZE], begun: bool| {
                *slot = match begun {
                    true => write(join(read(*slot), read(*value))),
                    false => *value,
                };
            };
            match share.groups {
                Some(own) => {
                    for (group, value) in own.iter().zip(values) {
                        let group = *group as usize;
                        add(&mut total[group], value, begun[group]);
                    }
                }
                None => {
                    let slots = total.iter_mut().zip(values).zip(&begun);
                    slots.for_each(|((slot, value), begun)| add(slot, value, *begun));
                }
            }
        }
        match share.groups {
            Some(own) => own.iter().for_each(|group| begun[*group as usize] = true),
            None => begun.fill(true),
        }
    }
}

/// Those of the values of all groups, of each field, that are of some groups, one behind the other.
pub(super) fn picked(own: &[u8], size: usize, groups: usize, some: &[u32]) -> Vec<u8> {
    fn of<const SIZE: usize>(own: &[u8], groups: usize, some: &[u32]) -> Vec<u8> {
        let (values, _) = own.as_chunks::<SIZE>();
        let fields = values.chunks_exact(groups);
        let picked = fields.flat_map(|field| some.iter().map(|group| field[*group as usize]));
        picked.collect::<Vec<_>>().into_flattened()
    }
    match size {
        4 => of::<4>(own, groups, some),
        _ => of::<8>(own, groups, some),
    }
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
        let joined = |reduction| {
            let mut total = vec![0; 24];
            join(Scalar::Float, reduction, (2, 3), &shares, &mut total);
            total
        };
        let sum = joined(Reduction::Sum);
        assert_eq!(sum, bytes(&[1e8, 5.0, 3.0, 110.0, 200.0, 20.0]));
        let least = joined(Reduction::Min);
        assert_eq!(least, bytes(&[1.0, 5.0, -2.0, 10.0, 200.0, -300.0]));
    }
    #[test]
    fn what_a_neighbour_gets() {
        let values: Vec<u8> = (0..48).collect();
        assert_eq!(
            picked(&values, 4, 6, &[5, 0])[..8],
            [20, 21, 22, 23, 0, 1, 2, 3]
        );
        assert_eq!(
            picked(&values, 8, 3, &[2])[..],
            [&values[16..24], &values[40..48]].concat()
        );
        assert!(picked(&values, 8, 3, &[]).is_empty());
    }
}
