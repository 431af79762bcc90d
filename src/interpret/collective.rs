//! Functions of all items of a group, or of a warp.

use super::findings::Kind;
use super::machine::Machine;
use super::numbers::{identities, larger, smaller, sum};
use super::thread::{Stop, Thread};
use crate::expr::Scalar;
use crate::module::{CollectiveKind, CollectiveOperator, Shuffle};

/// Where a thread's arguments and its result are.
fn registers(thread: &Thread) -> (usize, usize) {
    match thread.stop {
        Stop::Collective {
            result, arguments, ..
        } => (arguments as usize, result as usize),
        _ => (0, 0),
    }
}

fn argument(thread: &mut Thread, number: usize) -> u64 {
    let (first, _) = registers(thread);
    thread.frame_registers()[first + number]
}

/// Gives a thread its result, and lets it go on.
fn finish(thread: &mut Thread, value: u64) {
    let (_, to) = registers(thread);
    thread.frame_registers()[to] = value;
    thread.stop = Stop::Ready;
}

/// Whether a condition is one.
fn is_true(value: u64, scalar: Scalar) -> bool {
    match scalar {
        Scalar::Float => f32::from_bits(value as u32) != 0.0,
        Scalar::Double => f64::from_bits(value) != 0.0,
        _ => value != 0,
    }
}

impl Machine<'_> {
    /// Of those items, which are in order.
    pub(super) fn collective(&mut self, number: u16, items: &[usize], threads: &mut [Thread]) {
        let known = self.code.collectives[number as usize];
        let scalar = known.scalar;
        let values: Vec<u64> = items
            .iter()
            .map(|i| argument(&mut threads[*i], 0))
            .collect();
        let [zero, highest, lowest] = identities(scalar);
        let operator = known.function.operator.unwrap_or(CollectiveOperator::Add);
        let identity = match operator {
            CollectiveOperator::Add => zero,
            CollectiveOperator::Min => highest,
            CollectiveOperator::Max => lowest,
        };
        let join = |a: u64, b: u64| match operator {
            CollectiveOperator::Add => sum(a, b, scalar),
            CollectiveOperator::Min => smaller(a, b, scalar),
            CollectiveOperator::Max => larger(a, b, scalar),
        };
        let mut so_far = identity;
        let before: Vec<u64> = values
            .iter()
            .map(|value| {
                let next = join(so_far, *value);
                std::mem::replace(&mut so_far, next)
            })
            .collect();
        let truths = || values.iter().map(|v| is_true(*v, scalar));
        for (index, item) in items.iter().enumerate() {
            let thread = &mut threads[*item];
            let result = match known.function.kind {
                CollectiveKind::Reduce => so_far,
                CollectiveKind::ScanExclusive => before[index],
                CollectiveKind::ScanInclusive => join(before[index], values[index]),
                CollectiveKind::All => u64::from(truths().all(|t| t)),
                CollectiveKind::Any => u64::from(truths().any(|t| t)),
                CollectiveKind::Broadcast => {
                    let arguments = usize::from(known.arguments);
                    let from: Vec<u64> = (1..arguments).map(|n| argument(thread, n)).collect();
                    let coordinate = |n: usize| from.get(n).copied().unwrap_or(0);
                    let wanted = [coordinate(0), coordinate(1), coordinate(2)];
                    let at = items.iter().position(|i| self.items[*i] == wanted);
                    at.map_or(values[index], |at| values[at])
                }
                CollectiveKind::Shuffle(_) => values[index],
            };
            finish(thread, result);
        }
    }

    /// A shuffle of those items of a warp that have come to it. The mask of who takes part, the value, the lane.
    pub(super) fn shuffle(
        &mut self,
        number: u16,
        warp: &[u32],
        lanes: &[usize],
        here: (u32, u32),
        threads: &mut [Thread],
    ) {
        let known = self.code.collectives[number as usize];
        let CollectiveKind::Shuffle(kind) = known.function.kind else {
            return;
        };
        let lane_of = |item: usize| warp.iter().position(|i| *i as usize == item).unwrap_or(0);
        let mut results = Vec::new();
        let mut reported = false;
        for &item in lanes {
            let lane = lane_of(item) as i64;
            let mask = argument(&mut threads[item], 0) as u32;
            let by = argument(&mut threads[item], 2) as i32 as i64;
            for (other, &wanted) in warp.iter().enumerate() {
                let missing = !lanes.contains(&(wanted as usize)) && mask >> other & 1 == 1;
                if missing && !reported {
                    reported = true;
                    let thread = &threads[wanted as usize];
                    let site = (thread.stop != Stop::Ended).then(|| thread.at - 1);
                    let missing = (thread.number, site);
                    self.divergence(Kind::CollectiveDivergence, here, missing);
                }
            }
            let from = match kind {
                Shuffle::Lane => by & 31,
                Shuffle::Up => lane - by,
                Shuffle::Down => lane + by,
                Shuffle::Xor => lane ^ by,
            };
            let source = usize::try_from(from).ok().and_then(|at| warp.get(at));
            let source = source.filter(|i| lanes.contains(&(**i as usize)));
            // Who names a lane that is not there has its own value.
            let source = source.map_or(item, |i| *i as usize);
            results.push(argument(&mut threads[source], 1));
        }
        for (&item, value) in lanes.iter().zip(results) {
            finish(&mut threads[item], value);
        }
    }
}
