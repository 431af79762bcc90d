//! Which accesses are to one element, and whether it matters when they happen.

use crate::body::VariableId;
use crate::expr::Scalar;
use crate::facts::{Aliases, Object, Sum};
use crate::module::{ElementAccess, ElementUse, Parameter, Repeat};
use crate::source::Span;
use foldhash::{HashSet, HashSetExt};
use std::collections::BTreeMap;

/// How far elements are from each other at most that are read at once.
const MOST_DISTANCE: i64 = 8;

/// Who has more of them has all registers full.
const MOST_ELEMENTS: usize = 32;

/// An access to an element.
pub(super) struct Touch {
    pub(super) parameter: usize,
    pub(super) index: Sum,
    pub(super) index_span: Span,
    pub(super) span: Span,
    /// The element moves with the loop; otherwise all iterations have it in common.
    pub(super) moves: bool,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// When in an iteration it happens.
    pub(super) event: u32,
}

/// All accesses to one element.
#[derive(Default)]
struct Place {
    last: u32,
    first_write: Option<u32>,
    /// All iterations write it.
    common_write: bool,
}

/// The elements that move, with their indices, unless it could matter when they are read and written. `at_first` says what an index
/// is in the first iteration of all loops.
pub(super) fn elements(
    touched: &[Touch],
    (parameters, aliases): (&[Parameter], &Aliases),
    at_first: &dyn Fn(&Sum) -> i64,
) -> Option<Vec<(ElementAccess, Sum)>> {
    let pointed = |parameter: usize| Object::Pointed(VariableId::Local(parameter as u32));
    let mut places: BTreeMap<(usize, &Sum), Place> = BTreeMap::new();
    for touch in touched {
        let place = places.entry((touch.parameter, &touch.index)).or_default();
        place.last = place.last.max(touch.event);
        if touch.writes {
            place.first_write.get_or_insert(touch.event);
            place.common_write |= !touch.moves;
        }
    }
    // Two places of one array that are written end this, so few are compared with all.
    for (at, written) in &places {
        let Some(first_write) = written.first_write else {
            continue;
        };
        for ((parameter, _), other) in places.iter().filter(|(o, _)| *o != at) {
            let apart = aliases.apart(pointed(*parameter), pointed(at.0));
            let before = other.first_write.is_none() && other.last < first_write;
            if written.common_write || !(apart || before) {
                return None;
            }
        }
    }
    let mut elements: Vec<(usize, &Sum, ElementAccess)> = Vec::new();
    // What is read and written is one use.
    let mut seen: HashSet<(usize, Span)> = HashSet::new();
    for touch in touched {
        if !touch.moves {
            // All iterations write it: it is nobody's own.
            if touch.writes {
                return None;
            }
            continue;
        }
        let parameter = &parameters[touch.parameter];
        let scalar = parameter.scalar.filter(|s| *s != Scalar::Bool)?;
        let near = elements.iter_mut().find_map(|(parameter, index, element)| {
            let same = *parameter == touch.parameter;
            let distance = same.then(|| distance(&touch.index, index)).flatten()?;
            (distance.abs() <= MOST_DISTANCE).then_some((distance, element))
        });
        let new = seen.insert((touch.parameter, touch.span));
        let span = touch.span;
        match near {
            Some((distance, element)) => {
                if new {
                    element.uses.push(ElementUse { span, distance });
                }
                element.reads |= touch.reads;
                element.writes |= touch.writes;
            }
            None => {
                let element = ElementAccess {
                    array: parameter.name.clone(),
                    scalar,
                    index: touch.index_span,
                    offset: at_first(&touch.index),
                    uses: vec![ElementUse { span, distance: 0 }],
                    reads: touch.reads,
                    writes: touch.writes,
                };
                elements.push((touch.parameter, &touch.index, element));
            }
        }
    }
    let elements = elements.into_iter();
    let mut found: Vec<(ElementAccess, Sum)> = elements.map(|(_, i, e)| (e, i.clone())).collect();
    // What is written is an element that nobody else has anything to do with.
    let shared = |e: &ElementAccess| {
        let others = found.iter().filter(|(o, _)| o.array == e.array).count() > 1;
        others || e.uses.iter().any(|u| u.distance != 0)
    };
    if found.len() > MOST_ELEMENTS || found.iter().any(|(e, _)| e.writes && shared(e)) {
        return None;
    }
    // As the program has them, and not as they are computed.
    found.sort_by_key(|(e, _)| e.uses.iter().map(|u| u.span.start).min());
    (!found.is_empty()).then_some(found)
}

/// Which elements are others that were read when the variable of an outer loop was smaller by its step, wherever that is.
pub(super) fn repeated(
    elements: &[(ElementAccess, Sum)],
    (outer, variable, step): (Span, VariableId, i64),
) -> Vec<Repeat> {
    let step = Sum::constant(step);
    let mut found = Vec::new();
    for (element, (this, index)) in elements.iter().enumerate() {
        let further = index.slope(variable).and_then(|s| s.times(&step));
        let Some(next) = further.and_then(|f| index.clone().plus(&f)) else {
            continue;
        };
        for (from, (other, before)) in elements.iter().enumerate() {
            let same = this.array == other.array && element != from;
            let read = this.reads && other.reads && !this.writes && !other.writes;
            if same
                && read
                && let Some(by) = distance(&next, before)
                && by.abs() <= MOST_DISTANCE
            {
                found.push(Repeat {
                    outer,
                    element,
                    from,
                    by,
                });
            }
        }
    }
    found
}

/// How many elements one index is behind another, wherever that is.
fn distance(index: &Sum, from: &Sum) -> Option<i64> {
    index.clone().minus(from)?.as_constant()
}
