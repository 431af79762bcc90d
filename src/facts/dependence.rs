//! How far apart accesses to one element are: by how many iterations of a loop.

use super::affine::Sum;
use crate::body::VariableId;

/// Which iterations of a loop come to one element by two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    /// The second one comes there so many values of the loop variable later than the first.
    Of(i64),
    /// Neither moves with the loop: all iterations do.
    Every,
    /// No iteration, or which ones depends on more than the loop: on the values of other variables.
    Unknown,
}

/// How far two accesses to one object are apart, by the variable of a loop: the first one's element in the iteration of a value
/// `v` is the second one's in that of `v + d`. Indices are sums over the same variables, which have one value each.
pub(crate) fn distance(first: &Sum, second: &Sum, variable: VariableId) -> Distance {
    let (Some(slope), Some(other)) = (first.slope(variable), second.slope(variable)) else {
        return Distance::Unknown;
    };
    if slope != other {
        return Distance::Unknown;
    }
    let Some(apart) = first.clone().minus(second) else {
        return Distance::Unknown;
    };
    let nothing = Sum::default();
    match (slope == nothing, apart == nothing) {
        (true, true) => Distance::Every,
        (true, false) => Distance::Unknown,
        (false, true) => Distance::Of(0),
        (false, false) => match apart.divided(&slope) {
            Some(by) => Distance::Of(by),
            None => Distance::Unknown,
        },
    }
}
