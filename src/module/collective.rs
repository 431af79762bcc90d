use super::LoopId;
use crate::expr::Scalar;
use crate::source::Span;

/// What a function of a whole group does with the items' values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectiveKind {
    /// All values become one, which every item gets.
    Reduce,
    /// Every item gets what the values up to its own become.
    ScanInclusive,
    /// The same without its own; the first item gets the operator's identity.
    ScanExclusive,
    /// Whether a condition holds for all items.
    All,
    /// Whether a condition holds for any item.
    Any,
    /// Every item gets the value of one.
    Broadcast,
    /// Every item gets the value of the lane of its warp that it names: CUDA's shuffles.
    Shuffle(Shuffle),
}

/// How an item names a lane of its warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// By its number.
    Lane,
    /// So many lanes before its own.
    Up,
    /// So many lanes behind its own.
    Down,
    /// By its own with some bits flipped.
    Xor,
}

impl Shuffle {
    /// What the prelude's functions that find the lane end with.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Lane => "",
            Self::Up => "_up",
            Self::Down => "_down",
            Self::Xor => "_xor",
        }
    }
}

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CollectiveOperator {
    Add,
    Min,
    Max,
}

impl CollectiveOperator {
    /// As names of functions spell it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// One of OpenCL 2.0's work-group functions, or of CUDA's shuffles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectiveFunction {
    /// What it does.
    pub kind: CollectiveKind,
    /// The operator of reductions and scans.
    pub operator: Option<CollectiveOperator>,
}

impl CollectiveFunction {
    /// The function of that name: `work_group_` and what it does.
    pub fn from_name(name: &str) -> Option<Self> {
        use CollectiveKind::{All, Any, Broadcast, Reduce, ScanExclusive, ScanInclusive};
        if let Some(rest) = name.strip_prefix("okl_shfl_") {
            use Shuffle::{Down, Lane, Up, Xor};
            let suffix = format!("_{}", rest.strip_suffix("sync")?);
            let suffix = suffix.trim_end_matches('_');
            let shuffle = [Lane, Up, Down, Xor].into_iter();
            let shuffle = shuffle.clone().find(|s| s.suffix() == suffix)?;
            return Some(Self {
                kind: CollectiveKind::Shuffle(shuffle),
                operator: None,
            });
        }
        let rest = name.strip_prefix("work_group_")?;
        let single = |kind| {
            Some(Self {
                kind,
                operator: None,
            })
        };
        let (kind, operator) = match rest {
            "all" => return single(All),
            "any" => return single(Any),
            "broadcast" => return single(Broadcast),
            _ => rest.rsplit_once('_')?,
        };
        let kind = match kind {
            "reduce" => Reduce,
            "scan_inclusive" => ScanInclusive,
            "scan_exclusive" => ScanExclusive,
            _ => return None,
        };
        use CollectiveOperator::{Add, Max, Min};
        let operator = [Add, Min, Max].into_iter().find(|o| o.word() == operator);
        Some(Self {
            kind,
            operator: Some(operator?),
        })
    }

    /// What the prelude's functions are called behind their prefix: `reduce_add`, `all`.
    pub fn word(self) -> String {
        let kind = match self.kind {
            CollectiveKind::Reduce => "reduce",
            CollectiveKind::ScanInclusive => "scan_inclusive",
            CollectiveKind::ScanExclusive => "scan_exclusive",
            CollectiveKind::All => "all",
            CollectiveKind::Any => "any",
            CollectiveKind::Broadcast => "broadcast",
            CollectiveKind::Shuffle(_) => "shuffle",
        };
        match self.operator {
            Some(operator) => format!("{kind}_{}", operator.word()),
            None => kind.to_string(),
        }
    }

    /// Whether all items get the same.
    pub const fn is_uniform(self) -> bool {
        !matches!(
            self.kind,
            CollectiveKind::ScanInclusive
                | CollectiveKind::ScanExclusive
                | CollectiveKind::Shuffle(_)
        )
    }

    /// As a program spells it.
    pub fn name(self) -> String {
        match self.kind {
            CollectiveKind::Shuffle(s) => format!("okl_shfl{}_sync", s.suffix()),
            _ => format!("work_group_{}", self.word()),
        }
    }

    /// Whether it is one of CUDA's shuffles.
    pub const fn is_shuffle(self) -> bool {
        matches!(self.kind, CollectiveKind::Shuffle(_))
    }

    /// Whether it counts values that are not zero, whatever their type.
    pub const fn is_vote(self) -> bool {
        matches!(self.kind, CollectiveKind::All | CollectiveKind::Any)
    }
}

/// A call of such a function in the body of an inner loop.
#[derive(Clone, Debug)]
pub struct Collective {
    /// Which function.
    pub function: CollectiveFunction,
    /// Its arguments: the value, then the item's place in a broadcast, or the lane and the mask of a shuffle.
    pub arguments: Vec<Span>,
    /// The type of the value, if it is known.
    pub scalar: Option<Scalar>,
    /// The innermost inner loop around it.
    pub inside: LoopId,
    /// The nest's root loop.
    pub nest: LoopId,
    /// The statement it is evaluated first in: where a body can be split.
    pub cut: Option<u32>,
    /// What keeps some items from it, of a shuffle: not all targets mind.
    pub divided: Option<String>,
    /// An ordinary loop repeats it within its group.
    pub repeated: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_opencl() {
        for word in [
            "reduce_add",
            "scan_inclusive_min",
            "scan_exclusive_max",
            "all",
            "broadcast",
        ] {
            let found = CollectiveFunction::from_name(&format!("work_group_{word}"));
            assert_eq!(found.map(CollectiveFunction::word).as_deref(), Some(word));
        }
        for other in [
            "work_group_reduce_mul",
            "work_group_scan_add",
            "work_group_barrier",
            "all",
        ] {
            assert_eq!(CollectiveFunction::from_name(other), None);
        }
    }
}
