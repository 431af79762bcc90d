//! Sequences: HIP's graphs, captured from a stream of their own. HIP adds nodes to a graph by the address of a function of
//! the host, which what is compiled at run time has not; a capture takes it as a launch does.

use crate::queue::HipQueue;
use crate::session::Session;
use crate::status::check;
use crate::sys::CAPTURE_OF_THREAD;
use brook_driver::{Error, Queue, Recording, Result, Sequence};
use std::any::Any;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Arc;

/// A graph that can be launched.
pub(crate) struct HipSequence {
    session: Arc<Session>,
    graph: *mut c_void,
}

// SAFETY: graphs may be launched by any thread, and HIP's functions are thread-safe.
unsafe impl Send for HipSequence {}
// SAFETY: as above; launches of one graph follow each other.
unsafe impl Sync for HipSequence {}

impl HipSequence {
    /// What `enqueue` puts into the queue that it is given; nothing of it is done now.
    pub(crate) fn new(
        session: Arc<Session>,
        enqueue: &mut dyn FnMut(&dyn Queue) -> Result<()>,
    ) -> Result<Self> {
        let queue = Recording(HipQueue::create(session.clone())?);
        let stream = queue.0.stream();
        let graph = session.capturing(|| capture(&session, stream, || enqueue(&queue)))?;
        let mut exec = null_mut();
        // SAFETY: the graph is live; HIP takes null for the node and the text of an error.
        let made = unsafe {
            (session.hip.graph_instantiate)(&raw mut exec, graph, null_mut(), null_mut(), 0)
        };
        let made = check(session.hip, made, "recording a HIP graph");
        // SAFETY: the graph is this function's own, and what was made of it needs it no more.
        unsafe { (session.hip.graph_destroy)(graph) };
        made.map(|()| Self {
            session,
            graph: exec,
        })
    }
}

/// The graph of what `work` puts into the stream.
fn capture(
    session: &Session,
    stream: *mut c_void,
    work: impl FnOnce() -> Result<()>,
) -> Result<*mut c_void> {
    let hip = session.hip;
    let what = "recording a HIP graph";
    session.enter()?;
    // SAFETY: the stream is live.
    let begun = unsafe { (hip.stream_begin_capture)(stream, CAPTURE_OF_THREAD) };
    check(hip, begun, what)?;
    let done = work();
    let mut graph = null_mut();
    // The capture ends whether or not all could be recorded.
    //
    // SAFETY: the stream is live and captured; the pointer is to a live variable.
    let ended = unsafe { (hip.stream_end_capture)(stream, &raw mut graph) };
    match done.and_then(|()| check(hip, ended, what)) {
        Ok(()) => Ok(graph),
        Err(error) => {
            if !graph.is_null() {
                // SAFETY: the graph is this function's own.
                unsafe { (hip.graph_destroy)(graph) };
            }
            Err(error)
        }
    }
}

impl Sequence for HipSequence {
    fn replay(&self, queue: &dyn Queue) -> Result<()> {
        let stream = HipQueue::stream_of(queue, &self.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        self.session.enter()?;
        // SAFETY: graph and stream are live, and of one device.
        let launched = unsafe { (self.session.hip.graph_launch)(self.graph, stream) };
        check(self.session.hip, launched, "launching a HIP graph")
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for HipSequence {
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // HIP, unlike CUDA, does not say that launches under way keep the graph.
            let _ = self.session.synchronize_all();
            // SAFETY: the graph is this sequence's own, and nothing runs that came of it.
            unsafe { (self.session.hip.graph_exec_destroy)(self.graph) };
        }
    }
}
