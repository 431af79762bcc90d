//! How kernels of Brook+ run: where a target has items, how many elements and rows one takes, and whether there is another kernel for
//! calls that leave no array; where loops stay loops, which elements are lanes of vectors, how rows are cut, and what is
//! written past the caches.

use super::masked_loops::runs_masked_loop;
use super::work::{
    Doing, LITTLE, doings, few_elements, folds_little, made_of, plain_size, vectorizes,
};
use super::{LINE, MOST_STREAMING, WIDE};
use crate::backend::{Backend, Model};
use crate::grammar::Dialect;
use crate::module::{
    ConstructKind, Kernel, KernelForm, LoopBody, MOST_OPERATIONS, Module, Parameter, ParameterKind,
};
use crate::options::Options;
use crate::source::Span;

/// How a kernel runs.
#[derive(Clone, Debug)]
pub(crate) struct MapSchedule {
    /// Elements that an item of a GPU takes where item i has element i of every stream, a power of two.
    pub(crate) width: usize,
    /// Rows that it goes through where a launch gives rows groups of their own; 0 where it may not.
    pub(crate) rows: usize,
    /// There is another kernel for calls that are known to leave none of their arrays, where 32 bits count their elements: its
    /// indices are what the program says. Arrays of one dimension alone are not worth it: a clamp is two instructions.
    pub(crate) in_bounds: bool,
    /// The kernel's function is told by a constant, which compilers inline, whether it is called by such a kernel.
    pub(crate) told: bool,
    /// That kernel takes indices that are computed as floating-point numbers for the integers that they are, and counts iterations.
    pub(crate) counts: bool,
    /// Elements may be lanes of a vector.
    pub(crate) vectorizes: bool,
    /// Those that a reduction folds may be, whatever makes them.
    pub(crate) folds_lanes: bool,
    /// Elements run one after the other on a processor.
    pub(crate) one_by_one: bool,
    /// Elements that leave its loop at different times run that together, as many as [`super::Lanes`] says.
    pub(crate) masked: bool,
    /// Rows are run in parts: where what is gathered beside an element is inside, and the ends.
    pub(crate) cut: bool,
    /// Elements of streams that are written past the caches at once; 0 if there are none.
    pub(crate) line: usize,
    /// The place of an element means anything.
    pub(crate) placed: bool,
    /// Elements may take very different times.
    pub(crate) uneven: bool,
    /// With so many elements one thread is left alone; 0 where nobody knows.
    pub(crate) few: u64,
    /// Of how many groups of a reduction's functions along single rows, and across short ones, there are to be registers at once, unless
    /// somebody has chosen; nothing where a target cannot be told, or its kernel needs many itself.
    pub(crate) row_groups: Option<(u32, u32)>,
}

/// The schedules of all kernels, by number.
pub(super) fn schedules(module: &Module, backend: &Backend, options: &Options) -> Vec<MapSchedule> {
    if module.dialect != Dialect::Brook {
        return Vec::new();
    }
    let doings = doings(module);
    let masked = module.kernels.iter();
    let masked = masked.map(|kernel| runs_masked_loop(module, kernel, backend, options));
    let masked: Vec<bool> = masked.collect();
    let cuts = module.kernels.iter().zip(&doings);
    let cuts: Vec<bool> = cuts.map(|(k, doing)| cut(k, doing, backend)).collect();
    let whole = counting(module);
    // Where loops stay loops clamps cost little beside that; rows that are cut are without them.
    let suits = |k: usize| backend.model == Model::Simt || whole[k] && !cuts[k] && !masked[k];
    let all = module.kernels.iter().enumerate();
    let in_bounds = all.map(|(number, kernel)| has_in_bounds(kernel) && suits(number));
    let in_bounds: Vec<bool> = in_bounds.collect();
    let told = told(module, in_bounds.clone());
    let all = module.kernels.iter().zip(&doings).enumerate();
    all.map(|(number, (kernel, doing))| {
        let width = width(module, &doings, number, options);
        let map = matches!(kernel.form, KernelForm::Map { .. });
        // An item takes one element where a target has no wide accesses.
        let narrow = backend.model == Model::Simt && !backend.lowering.wide;
        let cut = cuts[number];
        let one_by_one = backend.model == Model::Loops && one_by_one(kernel, doing, cut);
        MapSchedule {
            width: if map && narrow { 1 } else { width },
            rows: match width {
                1 => rows_of_item(kernel, doing, backend, options),
                _ => 0,
            },
            in_bounds: in_bounds[number],
            told: told[number],
            counts: in_bounds[number] && whole[number],
            vectorizes: vectorizes(kernel, doing),
            folds_lanes: folds_lanes(module, &doings, number),
            one_by_one,
            masked: masked[number],
            cut,
            line: match one_by_one || options.no_widen {
                true => 0,
                false => line(kernel, doing, backend),
            },
            placed: doing.placed,
            uneven: doing.work.leaves,
            few: few_elements(kernel, doing),
            row_groups: row_groups(kernel, doing, backend),
        }
    })
    .collect()
}

/// The most rows that an item goes through.
const MOST_ROWS: usize = 4;

/// Gathers that an item may make.
const MOST_GATHERS: usize = 4;

/// Groups of a reduction that run side by side: fewer than there could be, so that each item has registers for four
/// accesses on their way at once. Left alone, compilers choose more groups, and one access after the other.
const ROW_GROUPS: u32 = 5;
const ACROSS_GROUPS: u32 = 4;

fn row_groups(kernel: &Kernel, doing: &Doing, backend: &Backend) -> Option<(u32, u32)> {
    let any_order = matches!(kernel.form, KernelForm::Reduce { operator: Some(_) });
    let told = any_order && !backend.spelling.resident_bounds.is_empty();
    (told && folds_little(kernel, doing)).then_some((ROW_GROUPS, ACROSS_GROUPS))
}

/// Elements that an item of a GPU takes, a power of two.
pub(crate) fn width(module: &Module, doings: &[Doing], number: usize, options: &Options) -> usize {
    let Some((kernel, doing)) = module.kernels.get(number).zip(doings.get(number)) else {
        return 1;
    };
    // Which elements of a reduction are folded together does not depend on where they come from.
    if let Some([_, fold]) = made_of(module, kernel) {
        return width(module, doings, fold, options);
    }
    if options.no_widen {
        return 1;
    }
    let streams = kernel.parameters.iter().filter(|p| {
        matches!(
            p.kind,
            ParameterKind::StreamIn | ParameterKind::StreamOut { .. }
        )
    });
    let largest = streams.filter_map(plain_size).max();
    let (Some(largest), Some(operations)) = (largest, doing.straight()) else {
        return 1;
    };
    let mut width = (WIDE / largest).max(1);
    let chosen = options.choices_of(module.asked_name(&kernel.name)).elements;
    // Neighbouring items no longer gather neighbouring elements: that pays for few of them only.
    let too_many = |width: usize| match chosen {
        Some(most) => width > usize::from(most),
        None => {
            width.saturating_mul(operations) > MOST_OPERATIONS
                || width.saturating_mul(doing.gathers) > MOST_GATHERS
        }
    };
    while width > 1 && too_many(width) {
        width /= 2;
    }
    width
}

/// Whether elements that a reduction folds may be lanes of a vector, which says in what order they are folded: that does not
/// depend on where they come from, either.
fn folds_lanes(module: &Module, doings: &[Doing], number: usize) -> bool {
    let kernels = &module.kernels;
    let reduces = |k: &&Kernel| matches!(k.form, KernelForm::Reduce { .. });
    let reduction = kernels.get(number).filter(reduces);
    reduction.is_some_and(|kernel| {
        let folding = made_of(module, kernel).map_or(number, |[_, fold]| fold);
        let (fold, doing) = (kernels.get(folding), doings.get(folding));
        fold.zip(doing).is_some_and(|(k, d)| vectorizes(k, d))
    })
}

/// How many rows an item of a GPU goes through, where a launch may give rows groups of their own: places are asked for,
/// and would take a division each. 0 where it may not. Elements below each other are read side by side by neighbouring
/// items, whatever they gather, so that many accesses are on their way at once.
fn rows_of_item(kernel: &Kernel, doing: &Doing, backend: &Backend, options: &Options) -> usize {
    let suits = backend.model == Model::Simt
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && doing.placed;
    if !suits {
        return 0;
    }
    match doing.straight() {
        Some(operations) if !options.no_widen => match MOST_OPERATIONS / operations.max(1) {
            0 | 1 => 1,
            2 | 3 => 2,
            _ => MOST_ROWS,
        },
        _ => 1,
    }
}

/// The most reads of arrays with which elements are faster one by one.
const FEW_GATHERS: usize = 2;

/// Whether a processor is better off with one element after the other: it reads from computed places, and has little
/// else to do. Instructions that gather take longer than as many that read, unless more reads lie side by side.
fn one_by_one(kernel: &Kernel, doing: &Doing, cut: bool) -> bool {
    let side_by_side = match cut {
        true => kernel.gather_offsets.in_one_row,
        false => 0,
    };
    let computed = doing.gathers - side_by_side;
    let few = (1..=FEW_GATHERS).contains(&computed);
    doing.work.operations <= LITTLE && few && computed >= side_by_side
}

/// Whether rows of a kernel's elements are run in parts: where all such gathers are inside, and the ends.
fn cut(kernel: &Kernel, doing: &Doing, backend: &Backend) -> bool {
    backend.model == Model::Loops
        && !kernel.gather_offsets.arrays.is_empty()
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && vectorizes(kernel, doing)
}

/// Kernels by number: whether indices of theirs are integers in calls that leave no array. What others call is called with
/// other arrays, too.
fn counting(module: &Module) -> Vec<bool> {
    let bodies: Vec<Span> = module.kernels.iter().map(|k| k.body).collect();
    let mut found = vec![false; bodies.len()];
    for construct in &module.constructs {
        if let ConstructKind::Gather(access) = &construct.kind
            && !access.whole.is_empty()
            && let Some(kernel) = construct.span.holder(&bodies)
        {
            found[kernel] = true;
        }
    }
    for called in module.kernels.iter().flat_map(|k| &k.calls) {
        if let Some(found) = found.get_mut(*called) {
            *found = false;
        }
    }
    for (found, kernel) in found.iter_mut().zip(&module.kernels) {
        let loops = kernel.counted_loops.iter();
        let mut bodies = loops.flat_map(|l| l.around.iter().chain([&l.body]));
        *found &= !bodies.any(|body| !body.block && has_directive(module, body));
    }
    found
}

/// Whether a line for the vendor's compiler stands between a loop and what it repeats: that is to stay before the loop which it is about.
fn has_directive(module: &Module, body: &LoopBody) -> bool {
    let mut directives = module.directives.iter();
    directives.any(|d| body.of.start < d.span.start && d.span.end <= body.span.start)
}

/// Whether a kernel over streams may have such another one.
fn has_in_bounds(kernel: &Kernel) -> bool {
    let map = matches!(kernel.form, KernelForm::Map { group_size: None });
    let mut several = false;
    let known = kernel.parameters.iter().all(|p| match p.kind {
        ParameterKind::Gather(rank) => {
            several |= rank > 1;
            p.indices.len() == rank && p.indices.iter().all(|axis| !axis.is_empty())
        }
        // What it writes may be anywhere.
        ParameterKind::Scatter(_) => false,
        _ => true,
    });
    map && several && known
}

/// Kernels by number: whether their functions are told that nothing leaves an array, being of kernels that are told already or called
/// by them.
fn told(module: &Module, mut told: Vec<bool>) -> Vec<bool> {
    let kernels = &module.kernels;
    let mut left: Vec<usize> = (0..told.len()).filter(|k| told[*k]).collect();
    while let Some(caller) = left.pop() {
        for &called in &kernels[caller].calls {
            let Some(kernel) = kernels.get(called) else {
                continue;
            };
            let mut parameters = kernel.parameters.iter();
            let gathers = parameters.any(|p| matches!(p.kind, ParameterKind::Gather(_)));
            let plain = matches!(
                kernel.form,
                KernelForm::SubKernel | KernelForm::Map { group_size: None }
            );
            if gathers && plain && !std::mem::replace(&mut told[called], true) {
                left.push(called);
            }
        }
    }
    told
}
/// Whether a parameter is such a stream: each element is written, and none is read.
pub(crate) fn is_streamed(p: &Parameter) -> bool {
    p.kind == ParameterKind::StreamOut { reads: false } && plain_size(p).is_some()
}

/// How many elements are written so at once; 0 if the kernel has no such streams, or has more to do than to write them.
fn line(kernel: &Kernel, doing: &Doing, backend: &Backend) -> usize {
    let suits = backend.lowering.streams
        && backend.model == Model::Loops
        && matches!(kernel.form, KernelForm::Map { group_size: None })
        && vectorizes(kernel, doing)
        && !doing.placed
        && doing.operations().is_some_and(|n| n <= MOST_STREAMING);
    let streamed = kernel.parameters.iter().filter(|p| is_streamed(p));
    let smallest = streamed.filter_map(plain_size).min();
    match smallest.filter(|_| suits) {
        Some(size) => LINE / size,
        None => 0,
    }
}
