//! What running a kernel brought to light.

use crate::source::Span;
use serde::Serialize;
use std::collections::HashMap;
use std::fmt;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two items of a group access the same place in the same phase, and one writes.
    Race,
    /// Two items of a group write the same value to the same place in the same phase.
    EqualRace,
    /// Items of two groups access the same place, and one writes.
    GroupRace,
    /// Items of two groups write the same value to the same place.
    EqualGroupRace,
    /// An atomic access, and one that is not, of the same place by items that do not wait for each other.
    MixedAtomics,
    /// An item waits at a barrier that another one does not come to.
    BarrierDivergence,
    /// An item calls a function of all items that another one does not come to.
    CollectiveDivergence,
    /// A read outside of an object.
    ReadOutOfBounds,
    /// A write outside of an object.
    WriteOutOfBounds,
    /// A subscript that an array does not have.
    Subscript,
    /// A subscript that a row of an array does not have, and that leads to another row of it.
    Row,
    /// An access through a pointer to nothing.
    NullPointer,
    /// An access through a pointer to what is no more, or never was, or is another item's own.
    InvalidPointer,
    /// A read of what nobody wrote.
    Uninitialised,
    /// An access of what an item copies, before that one has waited for it.
    UnfinishedCopy,
    /// The value of a call whose function came to its end without one.
    NoValue,
    /// A result that the signed type cannot hold.
    Overflow,
    /// By zero.
    DivisionByZero,
    /// By a negative number of bits, or by as many as there are.
    Shift,
    /// A floating-point number that the integer type cannot hold.
    Conversion,
    /// An item writes a variable of its group.
    GroupVariable,
    /// Two elements of Brook+ streams access the same place, and one writes.
    ElementRace,
    /// Two elements write the same value to the same place.
    EqualElementRace,
    /// Brook+: an index outside of an array that is read, which is clamped.
    Clamped,
    /// Brook+: an index outside of an array that is written, which is dropped.
    Dropped,
    /// A result depends on the order in which items run.
    OrderDependence,
    /// A floating-point result does, by as little as rounding may do.
    OrderRounding,
}

impl Kind {
    /// A remark: nothing has to be wrong.
    pub fn is_remark(self) -> bool {
        self == Self::OrderRounding
    }
}

/// Who runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Who {
    /// Coordinates of the group, x first; none for the host's part, and for elements of Brook+ streams.
    pub group: Option<[u64; 3]>,
    /// Coordinates of the item, or of the element, x first; none for what the group itself does.
    pub item: Option<[u64; 3]>,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tuple = |c: [u64; 3]| format!("({}, {}, {})", c[0], c[1], c[2]);
        match (self.item, self.group) {
            (Some(item), Some(group)) => {
                write!(f, "item {} of group {}", tuple(item), tuple(group))
            }
            (None, Some(group)) => write!(f, "group {} itself", tuple(group)),
            (Some(element), None) => write!(f, "element {}", tuple(element)),
            (None, None) => write!(f, "the host's part"),
        }
    }
}

/// What memory it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Element {
    /// The variable, or the argument of the kernel.
    pub name: String,
    /// Which element; negative in front of the first one.
    pub index: i64,
    /// How many there are.
    pub extent: u64,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.index, self.extent) {
            (0, 1) => write!(f, "'{}'", self.name),
            (index, _) => write!(f, "'{}[{index}]'", self.name),
        }
    }
}

/// One cause, with the first example of it.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What is wrong.
    pub kind: Kind,
    /// Where, in the text that was analysed.
    #[serde(skip)]
    pub span: Span,
    /// The other place that takes part.
    #[serde(skip)]
    pub other: Option<Span>,
    /// What memory it is about.
    pub element: Option<Element>,
    /// Who came there.
    pub who: Who,
    /// Who came to the other place, or did not come here.
    pub other_who: Option<Who>,
    /// What it did there, or with what values it came to this.
    pub detail: String,
    /// What the other one did.
    pub other_detail: String,
    /// In which launch it was first seen, counted from 1; 0 outside of launches, and of what is seen after them.
    #[serde(skip)]
    pub launch: u64,
    /// How often it was seen in the run that saw it most often.
    pub count: u64,
}

/// What a cause is recognised by.
type Cause = (Kind, Span, Option<Span>);

/// All findings of a run, by cause.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    known: HashMap<Cause, usize>,
}

impl Findings {
    /// Adds one; `first` describes the first one of its cause.
    pub(super) fn add(
        &mut self,
        kind: Kind,
        span: Span,
        other: Option<Span>,
        first: impl FnOnce() -> Finding,
    ) {
        // Which of two places of a race came second is chance.
        let cause = match other {
            Some(other) if other < span => (kind, other, Some(span)),
            other => (kind, span, other),
        };
        if let Some(&at) = self.known.get(&cause) {
            self.list[at].count += 1;
            return;
        }
        self.known.insert(cause, self.list.len());
        self.list.push(first());
    }

    /// Takes over what another run saw.
    pub(super) fn merge(&mut self, other: Self) {
        for (cause, at) in other.known {
            let finding = &other.list[at];
            match self.known.get(&cause) {
                Some(&mine) => {
                    let mine = &mut self.list[mine];
                    mine.count = mine.count.max(finding.count);
                }
                None => {
                    self.known.insert(cause, self.list.len());
                    self.list.push(finding.clone());
                }
            }
        }
    }

    /// In source order.
    pub(super) fn into_sorted(mut self) -> Vec<Finding> {
        self.list
            .sort_by_key(|f| (f.span.start, f.span.end, f.kind, f.other));
        self.list
    }
}
