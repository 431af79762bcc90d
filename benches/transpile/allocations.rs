//! Counts what is allocated, by Rust and by tree-sitter's C.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};

/// What a piece of work took from the allocator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Allocations of Rust's; those that grow what is there count, too.
    pub allocations: usize,
    /// Bytes of these.
    pub bytes: usize,
    /// Allocations of the parser's.
    pub parser_allocations: usize,
    /// Most bytes held at once, by both, above what was held before.
    pub peak: usize,
}

static COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicUsize = AtomicUsize::new(0);
static PARSER: AtomicUsize = AtomicUsize::new(0);
/// Below zero where work frees what was there before.
static LIVE: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

/// What `work` costs; whatever other threads allocate meanwhile is counted, too.
pub fn cost_of<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    for counter in [&ALLOCATIONS, &BYTES, &PARSER] {
        counter.store(0, Relaxed);
    }
    LIVE.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    let result = work();
    COUNTING.store(false, Relaxed);
    let cost = Cost {
        allocations: ALLOCATIONS.load(Relaxed),
        bytes: BYTES.load(Relaxed),
        parser_allocations: PARSER.load(Relaxed),
        peak: PEAK.load(Relaxed).max(0) as usize,
    };
    (result, cost)
}

/// Has tree-sitter allocate through the same counters. To be called before its first use.
pub fn count_parser() {
    static ONCE: Once = Once::new();
    let allocator = tree_sitter::Allocator {
        malloc: parser_malloc,
        calloc: parser_calloc,
        realloc: parser_realloc,
        free: parser_free,
    };
    // SAFETY: the four functions belong together, end the process instead of returning null, and align as
    // `malloc` does; nothing has been parsed yet.
    ONCE.call_once(|| unsafe { tree_sitter::set_allocator(Some(allocator)) });
}

fn hold(bytes: isize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
}

fn count(bytes: usize) {
    if COUNTING.load(Relaxed) {
        ALLOCATIONS.fetch_add(1, Relaxed);
        BYTES.fetch_add(bytes, Relaxed);
    }
}

fn held(bytes: isize) {
    if COUNTING.load(Relaxed) {
        hold(bytes);
    }
}

struct Counting;

#[global_allocator]
static COUNTING_ALLOCATOR: Counting = Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        held(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        held(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        held(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        held(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Before each block of the parser's stands its size; as much as keeps the alignment of `malloc`.
const HEAD: usize = 16;

fn layout(size: usize) -> Layout {
    Layout::from_size_align(size + HEAD, HEAD).unwrap_or_else(|_| std::process::abort())
}

/// # Safety
/// `memory` is null or a fresh block of `size` and the head.
unsafe fn with_head(memory: *mut u8, size: usize) -> *mut c_void {
    if memory.is_null() {
        std::process::abort();
    }
    // SAFETY: the block is at least a head long.
    unsafe {
        memory.cast::<usize>().write(size);
        memory.add(HEAD).cast()
    }
}

/// # Safety
/// `memory` came from `with_head`.
unsafe fn head_of(memory: *mut c_void) -> (*mut u8, usize) {
    // SAFETY: a head stands before it.
    unsafe {
        let start = memory.cast::<u8>().sub(HEAD);
        (start, start.cast::<usize>().read())
    }
}

fn parser_takes(bytes: isize) {
    if COUNTING.load(Relaxed) {
        PARSER.fetch_add(1, Relaxed);
        hold(bytes);
    }
}

unsafe extern "C" fn parser_malloc(size: usize) -> *mut c_void {
    parser_takes(size as isize);
    // SAFETY: the layout is not empty.
    unsafe { with_head(System.alloc(layout(size)), size) }
}

unsafe extern "C" fn parser_calloc(count: usize, size: usize) -> *mut c_void {
    let size = count.saturating_mul(size);
    parser_takes(size as isize);
    // SAFETY: the layout is not empty.
    unsafe { with_head(System.alloc_zeroed(layout(size)), size) }
}

unsafe extern "C" fn parser_realloc(memory: *mut c_void, size: usize) -> *mut c_void {
    if memory.is_null() {
        // SAFETY: as for a fresh block.
        return unsafe { parser_malloc(size) };
    }
    // SAFETY: the parser passes what it was given.
    unsafe {
        let (start, before) = head_of(memory);
        parser_takes(size as isize - before as isize);
        let grown = System.realloc(start, layout(before), layout(size).size());
        with_head(grown, size)
    }
}

unsafe extern "C" fn parser_free(memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    // SAFETY: the parser passes what it was given.
    unsafe {
        let (start, size) = head_of(memory);
        held(-(size as isize));
        System.dealloc(start, layout(size));
    }
}
