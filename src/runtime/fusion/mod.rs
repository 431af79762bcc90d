//! Calls of Brook+ kernels that wait until somebody needs what they compute, and then run as fewer kernels.
//!
//! A call waits if its kernel is elementwise ([`KernelMetadata::elementwise`](crate::render::KernelMetadata::elementwise)),
//! all of its streams have the shape of the first output, and it was made from a source that is still known. Whoever reads a
//! stream, or folds it, gets what that depends on ([`Device::catch_up_for`]); everything else that a device is asked for first
//! does all that waits ([`Device::catch_up`]), so that nobody sees a difference. What waits is done thus:
//!
//! - Calls whose results nobody can ask for any more are left out: their streams are gone, or are written again before
//!   they are read.
//! - Neighbouring calls over one shape become one kernel, Brook+ like any other, which calls theirs: what one makes goes to
//!   the next in a variable, and is stored only if somebody may still read it.
//! - That kernel is built once for each chain, and kept in the kernel cache. Building takes longer than calls do, so that
//!   a chain has to come often enough first ([`Fusion::On`]).
//!
//! Results are those of the single calls to the bit: which products are not rounded before they are added to is said in the
//! source ([`Options::contract`](crate::Options)), and no compiler contracts those of one kernel with sums of the next.
//!
//! - `call.rs`: which calls wait, and what is kept of them.
//! - `pending.rs`: the list of them, and what makes them.
//! - `needed.rs`: which are needed.
//! - `plan.rs`, `group.rs`: which become one.
//! - `slice.rs`: which of them make one stream, where somebody asks for that only.
//! - `text.rs`: the kernel that they become.
//! - `run.rs`: building and calling it.
//! - `recorded.rs`: calls that a sequence keeps, and reductions of what they make.
//! - `mapped.rs`: kernels of OKL among them.

mod call;
mod group;
mod mapped;
mod needed;
mod pending;
mod plan;
mod recorded;
mod run;
mod slice;
mod text;

pub(super) use call::{Waiting, may_fold, waiting};
pub(super) use pending::Pending;
pub(super) use recorded::{Recorded, fuses};
pub(super) use run::Chains;

use super::{Device, DynStream, Result, lock};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether calls of Brook+ kernels wait for others that they can run with: see [`Device::set_fusion`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Fusion {
    /// Every call is made at once.
    #[default]
    Off = 0,
    /// Calls wait, and those that come again and again are fused: once a fused kernel would have saved as much time as
    /// its building takes.
    On = 1,
    /// Calls wait, and whatever can be fused is, the first time, too: building may take longer than all calls do.
    Now = 2,
}

impl Fusion {
    /// What `BROOK_FUSION` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Now => "now",
        }
    }

    /// What `BROOK_FUSION` says: `off`, `on` or `now`; anything else is `off`.
    fn from_environment() -> Self {
        match std::env::var("BROOK_FUSION").as_deref().map(str::trim) {
            Ok("on" | "1") => Self::On,
            Ok("now") => Self::Now,
            _ => Self::Off,
        }
    }

    /// By its number: 0, 1, 2.
    pub(crate) fn from_number(number: u8) -> Self {
        match number {
            1 => Self::On,
            2 => Self::Now,
            _ => Self::Off,
        }
    }
}

/// What has become of calls that waited for a device, since the process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FusionCounts {
    /// Calls that waited.
    pub waited: u64,
    /// Those of them that were not made, since nobody could ask for their results any more.
    pub left_out: u64,
    /// Those that became parts of other kernels, and launches and calls of recordings that did.
    pub fused: u64,
    /// Calls of these other kernels.
    pub kernels: u64,
    /// Chains of calls that no kernel could be built for.
    pub refused: u64,
}

/// What has become of calls that waited or were recorded, device by device, which kernels were fused how often, and what could not
/// be; nothing where none have waited, and no recorded ones were fused.
pub fn fusion_report() -> String {
    let mut text = String::new();
    for (device, pending) in &*Pending::all() {
        let counts = FusionCounts::of(pending);
        if counts.waited + counts.fused + counts.refused == 0 {
            continue;
        }
        let FusionCounts {
            waited,
            left_out,
            fused,
            kernels,
            refused: _,
        } = counts;
        let _ = writeln!(
            text,
            "{device}: {waited} calls waited, of which {left_out} were left out, and {fused}, recorded ones among them, became {kernels} calls of fused kernels"
        );
        for (names, times) in &*lock(&pending.counted.chains) {
            let _ = writeln!(text, "  {times} times {names}");
        }
        for failure in &*lock(&pending.counted.failures) {
            let _ = writeln!(text, "  not fused: {failure}");
        }
    }
    text
}

impl FusionCounts {
    fn of(pending: &Pending) -> Self {
        let counted = &pending.counted;
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Self {
            waited: of(&counted.waited),
            left_out: of(&counted.left_out),
            fused: of(&counted.fused),
            kernels: of(&counted.kernels),
            refused: lock(&counted.failures).len() as u64,
        }
    }
}

impl Device {
    /// What has become of calls of Brook+ kernels that waited.
    pub fn fusion_counts(&self) -> FusionCounts {
        FusionCounts::of(self.pending())
    }

    /// Whether calls of Brook+ kernels wait: what [`Device::set_fusion`] said last, or else `BROOK_FUSION` when the device
    /// was opened first.
    pub fn fusion(&self) -> Fusion {
        self.pending().fusion()
    }

    /// Lets calls of Brook+ kernels wait from now on, or not, for all that have this device open; and lets neighbouring calls, and launches of OKL
    /// kernels that touch only their own elements, become fewer kernels where they are [recorded](Device::record). Results are the same, to
    /// the bit; errors of the device come later, from whatever needs the results.
    ///
    /// # Errors
    /// Those of calls that have waited.
    pub fn set_fusion(&self, fusion: Fusion) -> Result<()> {
        self.pending().set_fusion(fusion);
        self.catch_up()
    }

    /// As [`Device::catch_up`], for whoever cannot say what has failed: whoever asks next does.
    pub(super) fn catch_up_later_told(&self) {
        self.pending().catch_up_later_told();
    }

    /// Makes, of the calls that wait, what whoever reads and writes these streams has to find done.
    pub(super) fn catch_up_for(&self, read: &[&DynStream], written: &[&DynStream]) -> Result<()> {
        self.pending().before(read, written)
    }

    /// Makes the calls that wait.
    pub(crate) fn catch_up(&self) -> Result<()> {
        self.pending().catch_up()
    }
}
