//! Building the kernels of groups, and calling them.

use super::super::call_argument::StreamArgument;
use super::super::fold::Partials;
use super::super::kernel::FunctionSink;
use super::super::stream::DynStream;
use super::super::{BuildOptions, Error, Kernel, Program, Result, lock};
use super::Fusion;
use super::call::{Waiting, values};
use super::group::Group;
use super::mapped::Mapped;
use super::needed::Holders;
use super::pending::Pending;
use super::plan;
use super::slice::{Regrets, Slice};
use super::text::{self, Parameter};
use crate::module::FUSED;
use crate::source_text::Source;
use brook_driver::DeviceKind;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What became of a chain of calls.
enum Known {
    /// Its kernel would have saved so many seconds so far.
    Seen(f64),
    Built(Arc<Fused>),
    /// It cannot be built.
    Never,
}

/// A kernel that was built of several.
pub(super) struct Fused {
    kernel: Kernel,
    parameters: Vec<Parameter>,
    /// What it is made of.
    names: Arc<str>,
}

/// What is known of a program's chains.
#[derive(Default)]
pub(in super::super) struct Chains {
    /// By [`Group::identity`].
    known: HashMap<Vec<u32>, Known>,
    /// By [`Group::chain`].
    slices: HashMap<Vec<u32>, Arc<Regrets>>,
    /// What kernels of OKL are in Brook+, by number, if that was asked for.
    mapped: Option<Vec<Option<Arc<Mapped>>>>,
}

/// Chains that a program remembers at most: one that makes others all the time gains nothing by any of them.
const MOST_CHAINS: usize = 1024;

impl Chains {
    fn remember(&mut self, identity: Vec<u32>, known: Known) {
        if self.known.len() >= MOST_CHAINS {
            self.known
                .retain(|_, known| matches!(known, Known::Built(_)));
        }
        if self.known.len() >= MOST_CHAINS {
            self.known.clear();
        }
        self.known.insert(identity, known);
    }

    /// What a kernel of OKL is in Brook+, if it is anything; `find` says it of all kernels in order.
    pub(super) fn mapped(
        &mut self,
        number: usize,
        find: impl FnOnce() -> Vec<Option<Arc<Mapped>>>,
    ) -> Option<Arc<Mapped>> {
        self.mapped.get_or_insert_with(find).get(number)?.clone()
    }

    /// What is to be stored of the calls of a slice, so many of them.
    pub(super) fn regrets(&mut self, chain: Vec<u32>, calls: usize) -> Arc<Regrets> {
        if self.slices.len() >= MOST_CHAINS {
            self.slices.clear();
        }
        let known = self.slices.entry(chain);
        Arc::clone(known.or_insert_with(|| Arc::new(Regrets::new(calls))))
    }
}

/// What building takes, in seconds; and what looking for something built takes at most.
const BUILD: f64 = 1.0;
const LOOK: f64 = 0.01;

/// Bytes that GPUs, and processors, move in a second; seconds that a launch takes.
const GPU_BYTES: f64 = 1e12;
const CPU_BYTES: f64 = 2e10;
const LAUNCH: f64 = 4e-6;

/// Makes the first `now` of the calls. Whatever fails, the others are made. Errors are told to the streams that would have
/// been written, and to those that are computed from them; the first that no stream is told of is returned.
pub(super) fn run(calls: &[Waiting], now: usize, pending: &Pending) -> Result<()> {
    let mut result = Ok(());
    let mut failed: Vec<(&DynStream, Arc<Error>)> = Vec::new();
    let holders = Holders::of(calls);
    let groups = plan::groups(calls, now, &|stream| holders.are_others(stream));
    let made: usize = groups.iter().map(|g| g.calls.len()).sum();
    count(&pending.counted.left_out, now - made);
    for call in &calls[..now] {
        if let Some(computed) = &call.computed {
            let mut all = groups.iter().flat_map(|g| &g.calls);
            computed.ends(all.any(|c| c.number() == call.number()));
        }
    }
    for group in groups {
        let all = || group.calls.iter().copied();
        let read = || all().flat_map(Waiting::read);
        let spread = |(stream, _): &&(&DynStream, _)| read().any(|s| s.overlaps(stream));
        let mut errors: Vec<Arc<Error>> = failed
            .iter()
            .filter(spread)
            .map(|(_, error)| Arc::clone(error))
            .collect();
        let done = match group.calls.as_slice() {
            [single] => single.call(),
            _ => run_group(&group, pending),
        };
        let own = done.map_err(Arc::new).err();
        errors.extend(own.clone());
        let mut told = false;
        for stream in all().flat_map(Waiting::written) {
            for error in &errors {
                told |= stream.tell(error);
                failed.push((stream, Arc::clone(error)));
            }
        }
        if let (Some(error), false, true) = (own, told, result.is_ok()) {
            result = Err(error);
        }
    }
    drop(failed);
    result.map_err(of_before)
}

/// An error of what was called before the call that it is told of.
fn of_before(error: Arc<Error>) -> Error {
    match Arc::try_unwrap(error) {
        Ok(error) => error.context("a call of a kernel before this"),
        Err(error) => Error::argument(format!("a call of a kernel before this: {error}")),
    }
}

/// Stores what a slice says, and nothing else of what its calls do; `None` if there is no kernel for that, or it fails.
pub(super) fn store(slice: &Slice, pending: &Pending) -> Option<()> {
    if let [single] = slice.calls.as_slice() {
        return single.call().ok();
    }
    let group = Group::storing(slice)?;
    let fused = find(&group, pending, false)?;
    fused.call(&group, None, None).ok()?;
    fused.count(&group, pending);
    Some(())
}

/// Folds the stream that a slice makes, which need not be stored; `None` if there is no kernel for that, or it fails.
pub(super) fn fold(
    (slice, pending): (&Slice, &Pending),
    kernel: &Kernel,
    arguments: &[StreamArgument<'_>],
    input: &DynStream,
    (output, left): (&DynStream, Option<&mut Option<Partials>>),
) -> Option<()> {
    let group = Group::storing(slice)?.folded_by(kernel, values(arguments), input)?;
    let fused = find(&group, pending, false)?;
    fused.fold(&group, output, left).ok()?;
    fused.count(&group, pending);
    Some(())
}

fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}

fn run_group(group: &Group<'_>, pending: &Pending) -> Result<()> {
    if let Some(fused) = find(group, pending, false) {
        fused.count(group, pending);
        return fused.call(group, None, None);
    }
    let mut result = Ok(());
    for call in &group.calls {
        result = result.and(call.call());
    }
    result
}

/// The kernel of a group, if there is one, or the time has come to build it; of one that will come again and again, it has.
pub(super) fn find(group: &Group<'_>, pending: &Pending, again: bool) -> Option<Arc<Fused>> {
    let program = group.program()?;
    let identity = group.identity();
    let before = match program.fused().known.get(&identity) {
        Some(Known::Built(fused)) => return Some(Arc::clone(fused)),
        Some(Known::Never) => return None,
        Some(Known::Seen(seconds)) => *seconds,
        None => 0.0,
    };
    let saved = before + seconds_saved(program, group);
    let build = again || pending.fusion() == Fusion::Now || saved >= BUILD;
    let look = before < LOOK && saved >= LOOK;
    let made = match build || look {
        true => Fused::new(program, group, build),
        false => Ok(None),
    };
    let known = match made {
        Ok(Some(fused)) => Known::Built(Arc::new(fused)),
        Ok(None) => Known::Seen(saved),
        Err(error) => {
            let failure = format!("{}: {error}", group.names());
            lock(&pending.counted.failures).push(failure);
            Known::Never
        }
    };
    let fused = match &known {
        Known::Built(fused) => Some(Arc::clone(fused)),
        Known::Seen(_) | Known::Never => None,
    };
    program.fused().remember(identity, known);
    fused
}

/// What the kernel of a group saves at each call, roughly.
fn seconds_saved(program: &Program, group: &Group<'_>) -> f64 {
    let bandwidth = match program.device().info().kind {
        DeviceKind::Cpu => CPU_BYTES,
        DeviceKind::Gpu | DeviceKind::Accelerator => GPU_BYTES,
    };
    group.saved_bytes() as f64 / bandwidth + (group.calls.len() - 1) as f64 * LAUNCH
}

impl Fused {
    /// Builds the kernel, or looks only whether it has been built.
    fn new(program: &Program, group: &Group<'_>, build: bool) -> Result<Option<Self>> {
        let Some(recipe) = program.recipe() else {
            return Ok(None);
        };
        let (kernel, parameters) = text::kernel(group);
        let (mut source, mut options) = match group.is_of_okl() {
            false => (recipe.source.clone(), recipe.options.clone()),
            true => {
                let mut options = BuildOptions::new().math(recipe.options.compile.math);
                options.cache = recipe.options.cache;
                (Source::new("fused.br", ""), options)
            }
        };
        source.text.extend_from_slice(kernel.as_bytes());
        options.translate.checking.fused = true;
        let built = match build {
            true => Some(program.device().build(&source, &options)?),
            false => program.device().find_built(&source, &options),
        };
        let Some(built) = built else {
            return Ok(None);
        };
        let kernel = built.kernel(FUSED)?;
        if let Some(fold) = &group.fold
            && fold.kernel.metadata().any_order != kernel.metadata().any_order
        {
            let text = "elements would be folded in another order";
            return Err(Error::argument(text));
        }
        Ok(Some(Self {
            kernel,
            parameters,
            names: group.names().into(),
        }))
    }

    pub(super) fn count(&self, group: &Group<'_>, pending: &Pending) {
        count(&pending.counted.fused, group.calls.len());
        count(&pending.counted.kernels, 1);
        let mut chains = lock(&pending.counted.chains);
        *chains.entry(Arc::clone(&self.names)).or_default() += 1;
    }

    fn arguments<'a>(
        &self,
        group: &'a Group<'_>,
        output: Option<&'a DynStream>,
    ) -> Vec<StreamArgument<'a>> {
        let argument = |parameter: &Parameter| match (*parameter, &group.fold, output) {
            (Parameter::Stream(n), ..) => Some(StreamArgument::Stream(group.streams[n].stream)),
            (Parameter::Own(call, index), ..) => {
                Some(group.calls[call].arguments[index].as_argument())
            }
            (Parameter::Fold(index), Some(fold), _) => {
                fold.values[index].map(StreamArgument::Number)
            }
            (Parameter::Target, _, Some(output)) => Some(StreamArgument::Stream(output)),
            _ => None,
        };
        self.parameters.iter().filter_map(argument).collect()
    }

    /// Calls it, or hands its launches to a sink; where it ends in a reduction, that writes `output`.
    pub(super) fn call(
        &self,
        group: &Group<'_>,
        output: Option<&DynStream>,
        sink: Option<&mut FunctionSink<'_>>,
    ) -> Result<()> {
        self.kernel
            .call_into(None, &mut self.arguments(group, output), sink)
    }

    /// Calls a reduction, whose last step may be left to the host.
    fn fold(
        &self,
        group: &Group<'_>,
        output: &DynStream,
        left: Option<&mut Option<Partials>>,
    ) -> Result<()> {
        self.kernel.program().device().count_launch();
        self.kernel
            .reduce_in_part(&mut self.arguments(group, Some(output)), left)
    }
}
