//! Building the kernels of groups, and calling them.

use super::super::call_argument::StreamArgument;
use super::super::stream::DynStream;
use super::super::{Error, Kernel, Program, Result, lock};
use super::Fusion;
use super::call::{Pending, Waiting};
use super::plan::{self, Group};
use super::text::{self, Parameter};
use crate::module::{Base, FUSED};
use brook_driver::DeviceKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What became of a chain of calls.
pub(in super::super) enum Known {
    /// Its kernel would have saved so many seconds so far.
    Seen(f64),
    Built(Arc<Fused>),
    /// It cannot be built.
    Never,
}

/// A kernel that was built of several.
pub(in super::super) struct Fused {
    kernel: Kernel,
    parameters: Vec<Parameter>,
    /// What it is made of.
    names: Arc<str>,
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
    let groups = plan::groups(calls, now);
    let made: usize = groups.iter().map(|g| g.calls.len()).sum();
    count(&pending.counted.left_out, now - made);
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
    result.map_err(|error| match Arc::try_unwrap(error) {
        Ok(error) => error.context("a call of a kernel before this"),
        Err(error) => Error::argument(format!("a call of a kernel before this: {error}")),
    })
}

fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}

fn run_group(group: &Group<'_>, pending: &Pending) -> Result<()> {
    if let Some(fused) = find(group, pending) {
        count(&pending.counted.fused, group.calls.len());
        count(&pending.counted.kernels, 1);
        *lock(&pending.counted.chains)
            .entry(Arc::clone(&fused.names))
            .or_default() += 1;
        return fused.call(group);
    }
    let mut result = Ok(());
    for call in &group.calls {
        result = result.and(call.call());
    }
    result
}

/// The kernel of a group, if there is one, or the time has come to build it.
fn find(group: &Group<'_>, pending: &Pending) -> Option<Arc<Fused>> {
    let program = group.calls.first()?.kernel.program();
    let identity = group.identity();
    let before = match program.fused().get(&identity) {
        Some(Known::Built(fused)) => return Some(Arc::clone(fused)),
        Some(Known::Never) => return None,
        Some(Known::Seen(seconds)) => *seconds,
        None => 0.0,
    };
    let saved = before + seconds_saved(program, group);
    let build = pending.fusion() == Fusion::Now || saved >= BUILD;
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
    program.fused().insert(identity, known);
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
        let mut source = recipe.source.clone();
        source.text.extend_from_slice(kernel.as_bytes());
        let mut options = recipe.options.clone();
        options.translate.checking.fused = true;
        let built = match build {
            true => Some(program.device().build(&source, &options)?),
            false => program.device().find_built(&source, &options),
        };
        let Some(built) = built else {
            return Ok(None);
        };
        Ok(Some(Self {
            kernel: built.kernel(FUSED)?,
            parameters,
            names: group.names().into(),
        }))
    }

    fn call(&self, group: &Group<'_>) -> Result<()> {
        let argument = |parameter: &Parameter| match *parameter {
            Parameter::Stream(n) => StreamArgument::Stream(group.streams[n].stream),
            Parameter::Value(call, index) => group.calls[call].arguments[index].as_argument(),
            Parameter::Key(Base::Double) => StreamArgument::from(0.0f64),
            Parameter::Key(_) => StreamArgument::from(0.0f32),
        };
        let mut arguments: Vec<StreamArgument<'_>> = self.parameters.iter().map(argument).collect();
        self.kernel.call_into(None, &mut arguments, None)
    }
}
