//! Arrays through which the items of a group give each other values.
//!
//! NVIDIA's compilers take it that a barrier leaves `restrict` memory as it is, since a call that is not given the
//! pointer could not change it in C: what an item has read or written before a barrier it goes on with behind it,
//! whatever the others wrote there. Of two arrays one of which is `restrict` they believe it of the other, too. Where
//! items wait for one another, arrays that a kernel both reads and writes lose the promise, and their addresses pass an
//! empty `asm`; those that are only read or only written keep it.

use super::reads::Root;
use crate::module::{ConstructKind, Kernel, Module};
use foldhash::{HashSet, HashSetExt};

/// Of arrays that are both read and written, those whose kernels' items wait for one another.
pub(super) fn exchanged<'a>(
    module: &'a Module,
    changed: impl Iterator<Item = Root> + 'a,
) -> impl Iterator<Item = Root> + 'a {
    let inside = |kernel: &Kernel, at: u32| kernel.body.start <= at && at < kernel.body.end;
    let mut waiting = HashSet::new();
    for construct in module.constructs.iter().filter(|c| waits(&c.kind)) {
        let at = construct.span.start;
        let around = module.kernels.iter().position(|k| inside(k, at));
        match around {
            Some(kernel) => {
                waiting.insert(kernel);
            }
            // Any kernel may call a function.
            None => waiting.extend(0..module.kernels.len()),
        }
    }
    let split = |l: &&crate::module::Loop| l.barrier_before || l.barrier_after || l.waits;
    for stands in module.loops.iter().filter(split).map(|l| l.span.start) {
        waiting.extend(module.kernels.iter().position(|k| inside(k, stands)));
    }
    changed.filter(move |(kernel, _)| waiting.contains(kernel))
}

/// Whether items see behind it what others did before it.
fn waits(what: &ConstructKind) -> bool {
    matches!(
        what,
        ConstructKind::Barrier { .. }
            | ConstructKind::Atomic(_)
            | ConstructKind::Critical { .. }
            | ConstructKind::Collective(_)
            | ConstructKind::Intrinsic { .. }
            | ConstructKind::GroupStatement { .. }
            | ConstructKind::GroupDeclaration { .. }
            | ConstructKind::OnceStatement { .. }
    )
}
