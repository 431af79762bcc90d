//! Sequences: CUDA's graphs, captured from a stream.

use crate::device::Session;
use crate::queue::CudaQueue;
use crate::status::check;
use brook_driver::{Error, Queue, Result, Sequence};
use cudarc::driver::sys::{self, CUgraph, CUgraphExec, CUstreamCaptureMode_enum as Mode};
use std::any::Any;
use std::ptr::null_mut;
use std::sync::Arc;

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
    /// Captures what `enqueue` puts into the queue that it is given; nothing of it is done now.
    pub(crate) fn capture(
        session: Arc<Session>,
        enqueue: &mut dyn FnMut(&dyn Queue) -> Result<()>,
    ) -> Result<Self> {
        let what = "recording a CUDA graph";
        let queue = CudaQueue::create(session.clone())?;
        let stream = queue.stream();
        // SAFETY: the stream is live, and nobody else knows it.
        let begun = unsafe {
            sys::cuStreamBeginCapture_v2(stream, Mode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
        };
        check(begun.result(), what)?;
        let enqueued = enqueue(&queue);
        let mut graph: CUgraph = null_mut();
        // SAFETY: the stream is being captured; the pointer is to a live variable.
        let ended = unsafe { sys::cuStreamEndCapture(stream, &raw mut graph) };
        let captured = Captured(graph);
        enqueued?;
        check(ended.result(), what)?;
        let mut exec: CUgraphExec = null_mut();
        // SAFETY: the graph is live; the pointer is to a live variable.
        let made = unsafe { sys::cuGraphInstantiateWithFlags(&raw mut exec, captured.0, 0) };
        check(made.result(), what)?;
        Ok(Self {
            session,
            graph: exec,
        })
    }
}

/// A graph that was captured.
struct Captured(CUgraph);

impl Drop for Captured {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the graph is this one's own.
            let _ = unsafe { sys::cuGraphDestroy(self.0) };
        }
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
