//! Which of the calls that wait are needed.

use super::super::stream::DynStream;
use super::call::Waiting;
use std::collections::HashMap;
use std::sync::Arc;

/// Leaves out calls whose results nobody can ask for any more; how many.
pub(super) fn prune(calls: &mut Vec<Waiting>) -> usize {
    let before = calls.len();
    let holders = Holders::of(calls);
    let mut needed = needed(calls, &|stream| holders.are_others(stream)).into_iter();
    calls.retain(|call| {
        let needed = needed.next().unwrap_or(true);
        if let (false, Some(computed)) = (needed, &call.computed) {
            computed.ends(false);
        }
        needed
    });
    before - calls.len()
}

/// Memory, and how many references to it the calls have.
pub(super) struct Holders<'w>(HashMap<*const (), (&'w DynStream, usize)>);

pub(super) fn address(stream: &DynStream) -> *const () {
    Arc::as_ptr(&stream.memory).cast()
}

impl<'w> Holders<'w> {
    pub(super) fn of(calls: &'w [Waiting]) -> Self {
        let mut all = HashMap::new();
        for (_, stream) in calls.iter().flat_map(Waiting::streams) {
            all.entry(address(stream)).or_insert((stream, 0)).1 += 1;
        }
        Self(all)
    }

    /// Whether others than the calls have a stream's memory.
    pub(super) fn are_others(&self, stream: &DynStream) -> bool {
        let here = self.0.get(&address(stream)).map_or(0, |(_, count)| *count);
        Arc::strong_count(&stream.memory) > here
    }
}

/// Bytes that only the calls keep alive.
pub(super) fn kept(calls: &[Waiting]) -> u64 {
    let holders = Holders::of(calls);
    let streams = holders.0.values().map(|(stream, _)| *stream);
    let only_here = streams.filter(|stream| !holders.are_others(stream));
    only_here.map(|stream| stream.memory.held() as u64).sum()
}

/// Whether somebody reads a stream when all calls have been made.
pub(super) type Others<'o> = dyn Fn(&DynStream) -> bool + 'o;

/// Whether anybody may read what a stream holds now: the calls after that, or somebody who has it still.
pub(super) fn is_read<'c>(
    stream: &DynStream,
    after: impl Iterator<Item = &'c Waiting>,
    others: &Others<'_>,
) -> bool {
    for call in after {
        if call.read().any(|s| s.overlaps(stream)) {
            return true;
        }
        if call.written().any(|s| s.is_same_part(stream)) {
            return false;
        }
    }
    others(stream)
}

/// Which calls compute what anybody may read.
pub(super) fn needed(calls: &[Waiting], others: &Others<'_>) -> Vec<bool> {
    let mut needed = vec![true; calls.len()];
    for index in (0..calls.len()).rev() {
        let mut written = calls[index].written();
        let after = || {
            let later = calls[index + 1..].iter().zip(&needed[index + 1..]);
            later.filter(|(_, needed)| **needed).map(|(call, _)| call)
        };
        let wanted = written.any(|stream| is_read(stream, after(), others));
        needed[index] = wanted;
    }
    needed
}
