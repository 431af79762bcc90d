//! Sequences: CUDA's graphs, made node by node. A stream that is captured instead loses its capture to what other threads
//! do meanwhile.

use crate::queue::{CudaQueue, own_buffer, sides};
use crate::session::Session;
use crate::status::check;
use brook_driver::{Buffer, Error, Queue, Recorder, Recording, Result, Sequence};
use cudarc::driver::DriverError;
use cudarc::driver::sys::{
    self, CUDA_KERNEL_NODE_PARAMS, CUDA_MEMCPY3D, CUfunction, CUgraph, CUgraphExec, CUgraphNode,
    CUmemorytype_enum as MemoryType,
};
use std::any::Any;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::{Arc, Mutex, PoisonError};

/// A graph that can be launched.
pub(crate) struct CudaSequence {
    session: Arc<Session>,
    graph: CUgraphExec,
}

// SAFETY: the driver lets any thread launch a graph whose context it has made current.
unsafe impl Send for CudaSequence {}
// SAFETY: launches of one graph follow each other; the driver sees to that.
unsafe impl Sync for CudaSequence {}

impl CudaSequence {
    /// What `enqueue` puts into the queue that it is given; nothing of it is done now.
    pub(crate) fn new(
        session: Arc<Session>,
        enqueue: &mut dyn FnMut(&dyn Queue) -> Result<()>,
    ) -> Result<Self> {
        let what = "recording a CUDA graph";
        session.enter()?;
        let mut graph: CUgraph = null_mut();
        // SAFETY: the pointer is to a live variable.
        let created = unsafe { sys::cuGraphCreate(&raw mut graph, 0) };
        check(created.result(), what)?;
        let queue = Recording(GraphRecorder {
            session,
            graph: Graph(graph),
            last: Mutex::new(Node(null_mut())),
        });
        enqueue(&queue)?;
        let session = queue.0.session.clone();
        session.enter()?;
        let mut exec: CUgraphExec = null_mut();
        // SAFETY: the graph is live; the pointer is to a live variable.
        let made = unsafe { sys::cuGraphInstantiateWithFlags(&raw mut exec, graph, 0) };
        check(made.result(), what)?;
        Ok(Self {
            session,
            graph: exec,
        })
    }
}

/// Makes operations nodes of a graph, each behind the one before.
pub(crate) struct GraphRecorder {
    session: Arc<Session>,
    graph: Graph,
    last: Mutex<Node>,
}

struct Graph(CUgraph);

struct Node(CUgraphNode);

// SAFETY: a graph may be changed by any thread, by one at a time: whoever holds the last node.
unsafe impl Send for Graph {}
// SAFETY: as above.
unsafe impl Sync for Graph {}
// SAFETY: a node belongs to no thread.
unsafe impl Send for Node {}

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: the graph is this one's own.
        let _ = unsafe { sys::cuGraphDestroy(self.0) };
    }
}

impl GraphRecorder {
    /// The recorder behind a queue, if it is one of this session's.
    pub(crate) fn of<'q>(queue: &'q dyn Queue, session: &Arc<Session>) -> Option<&'q Self> {
        Recording::<Self>::of(queue).filter(|own| Arc::ptr_eq(&own.session, session))
    }

    /// Adds a node behind the last one; `add` is given the graph, what the node depends on, and room for it.
    fn add(
        &self,
        add: impl FnOnce(CUgraph, &[CUgraphNode], &mut CUgraphNode) -> sys::CUresult,
    ) -> std::result::Result<(), DriverError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let before = [last.0];
        let before = match last.0.is_null() {
            true => &[],
            false => &before[..],
        };
        let mut node: CUgraphNode = null_mut();
        add(self.graph.0, before, &mut node).result()?;
        *last = Node(node);
        Ok(())
    }

    /// A launch of a function with a pointer for each of its parameters, whose context is current.
    ///
    /// # Safety
    /// As of `cuLaunchKernel`.
    pub(crate) unsafe fn launch(
        &self,
        function: CUfunction,
        grid: [u32; 3],
        group: [u32; 3],
        shared: u32,
        pointers: &mut [*mut c_void],
    ) -> std::result::Result<(), DriverError> {
        let node = CUDA_KERNEL_NODE_PARAMS {
            func: function,
            gridDimX: grid[0],
            gridDimY: grid[1],
            gridDimZ: grid[2],
            blockDimX: group[0],
            blockDimY: group[1],
            blockDimZ: group[2],
            sharedMemBytes: shared,
            kernelParams: pointers.as_mut_ptr(),
            extra: null_mut(),
            kern: null_mut(),
            ctx: null_mut(),
        };
        self.add(|graph, before, to| {
            // SAFETY: by this function's contract; the driver copies the values before it returns.
            unsafe {
                sys::cuGraphAddKernelNode_v2(
                    to,
                    graph,
                    before.as_ptr(),
                    before.len(),
                    &raw const node,
                )
            }
        })
    }
}

impl Recorder for GraphRecorder {
    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let own = |buffer| own_buffer(buffer, &self.session);
        let (to, from) = (own(target)?, own(source)?);
        let Some((to, from)) = sides(to, offset, from, source_offset, bytes)? else {
            return Ok(());
        };
        let node = CUDA_MEMCPY3D {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: MemoryType::CU_MEMORYTYPE_DEVICE,
            srcHost: null(),
            srcDevice: from,
            srcArray: null_mut(),
            reserved0: null_mut(),
            srcPitch: 0,
            srcHeight: 0,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: MemoryType::CU_MEMORYTYPE_DEVICE,
            dstHost: null_mut(),
            dstDevice: to,
            dstArray: null_mut(),
            reserved1: null_mut(),
            dstPitch: 0,
            dstHeight: 0,
            WidthInBytes: bytes,
            Height: 1,
            Depth: 1,
        };
        self.session.enter()?;
        let added = self.add(|graph, before, node_of| {
            let (first, count) = (before.as_ptr(), before.len());
            let context = self.session.context();
            // SAFETY: both ranges were checked; the other pointers are to live variables.
            unsafe {
                sys::cuGraphAddMemcpyNode(node_of, graph, first, count, &raw const node, context)
            }
        });
        check(added, "recording a copy of CUDA memory")
    }
}

impl Sequence for CudaSequence {
    fn replay(&self, queue: &dyn Queue) -> Result<()> {
        let stream = CudaQueue::stream_of(queue, &self.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        let launched = self.session.launch(|| {
            // SAFETY: graph and stream are live, and of one context.
            unsafe { sys::cuGraphLaunch(self.graph, stream) }.result()
        })?;
        check(launched, "launching a CUDA graph")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaSequence {
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // SAFETY: the graph is this sequence's own; the driver waits for launches of it.
            let _ = unsafe { sys::cuGraphExecDestroy(self.graph) };
        }
    }
}
