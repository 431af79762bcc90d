//! The order of the calls that wait, and which of them become one kernel.

use super::call::Waiting;
use super::group::Group;
use super::needed::{Others, address, is_read, needed};
use crate::render::Role;
use std::collections::HashMap;
use std::thread::ThreadId;

/// The calls as groups, in order.
fn grouped<'w>(mut calls: &[&'w Waiting]) -> Vec<Group<'w>> {
    let mut groups = Vec::new();
    while !calls.is_empty() {
        let group = Group::first(calls);
        calls = &calls[group.calls.len()..];
        groups.push(group);
    }
    groups
}

/// How many of the calls can be made now so that the rest, which are as many as belong together at the end, may still be
/// continued.
pub(super) fn without_last(calls: &[Waiting]) -> usize {
    let groups = grouped(&calls.iter().collect::<Vec<_>>());
    match groups.as_slice() {
        [.., _, last] => calls.len() - last.calls.len(),
        _ => calls.len(),
    }
}

/// Puts the calls of each thread together, where no thread writes what another one uses: else their order means something.
pub(super) fn thread_by_thread(calls: &mut [Waiting]) {
    let mut threads: Vec<ThreadId> = Vec::new();
    for call in &*calls {
        if !threads.contains(&call.thread) {
            threads.push(call.thread);
        }
    }
    if threads.len() < 2 {
        return;
    }
    // Who uses memory first, whether others do, and whether anybody writes it.
    let mut uses: HashMap<*const (), (ThreadId, bool, bool)> = HashMap::new();
    for call in &*calls {
        for (parameter, stream) in call.streams() {
            let first = (call.thread, false, false);
            let (user, shared, written) = uses.entry(address(stream)).or_insert(first);
            *shared |= *user != call.thread;
            *written |= parameter.role == Role::Output;
        }
    }
    if !uses
        .values()
        .any(|(_, shared, written)| *shared && *written)
    {
        calls.sort_by_key(|call| threads.iter().position(|t| *t == call.thread));
    }
}

/// The first `now` calls as groups, without those that are not needed.
pub(super) fn groups<'w>(calls: &'w [Waiting], now: usize, others: &Others<'_>) -> Vec<Group<'w>> {
    let needed = needed(calls, others);
    let all: Vec<&Waiting> = calls[..now]
        .iter()
        .zip(&needed)
        .filter(|(_, n)| **n)
        .map(|(c, _)| c)
        .collect();
    let later: Vec<&Waiting> = calls[now..].iter().collect();
    let mut groups = grouped(&all);
    let mut end = 0;
    for group in &mut groups {
        end += group.calls.len();
        let after = || all[end..].iter().chain(&later).copied();
        for used in &mut group.streams {
            used.kept = used.written && is_read(used.stream, after(), others);
        }
    }
    groups
}
