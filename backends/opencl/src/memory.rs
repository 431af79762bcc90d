//! Buffers.

use crate::commands::{Commands, forget_event};
use crate::handle::Handle;
use crate::host_memory::MappedMemory;
use crate::objects::{create, no_room};
use crate::session::Session;
use crate::staging;
use crate::status::failed;
use brook_driver::{
    Buffer, Error, HostMemory, NativeMemory, Result, Staged, check_range, copy_overlapping,
    copy_through_host, ranges_overlap,
};
use cl3::types::{CL_TRUE, cl_buffer_region, cl_mem};
use cl3::{command_queue, memory};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;

/// An OpenCL buffer object, or a part of one.
pub(crate) struct ClBuffer {
    /// What kernels are given: the whole, or a part of it made for that. None where OpenCL cannot make
    /// one that begins there. Released before the whole and the context.
    argument: Option<Arc<Handle>>,
    /// The buffer object, and where in it this begins.
    whole: Arc<Handle>,
    offset: usize,
    bytes: usize,
    /// Where the host finds the whole, if both use it.
    host: Option<Arc<MappedMemory>>,
    session: Arc<Session>,
}

impl Drop for ClBuffer {
    fn drop(&mut self) {
        // A program that has given up its memory may end next, and must not while a kernel is compiled for it.
        let is_last = self.offset == 0 && Arc::strong_count(&self.whole) <= 2;
        if is_last {
            self.session.queue.finish_first_launches();
        }
    }
}

impl ClBuffer {
    pub(crate) fn new(session: Arc<Session>, bytes: usize) -> Result<Self> {
        session.check()?;
        // NVIDIA's says only when such a buffer is used that there is not as much.
        if let Some(room) = session.room.filter(|room| bytes as u64 > *room) {
            return Err(no_room(bytes, &format!("the device has {room}")));
        }
        let whole = Arc::new(create(&session.context, bytes, memory::CL_MEM_READ_WRITE)?);
        Ok(Self::whole(session, whole, bytes))
    }

    /// Memory that the host has mapped for as long as it lives. A device with memory of its own would have a copy.
    pub(crate) fn of_host(session: Arc<Session>, host: MappedMemory, bytes: usize) -> Self {
        let mut whole = Self::whole(session, host.mapped.buffer.clone(), bytes);
        whole.host = Some(Arc::new(host));
        whole
    }

    fn whole(session: Arc<Session>, whole: Arc<Handle>, bytes: usize) -> Self {
        Self {
            host: None,
            argument: Some(whole.clone()),
            whole,
            offset: 0,
            bytes,
            session,
        }
    }

    /// Somebody else's buffer object, of which this keeps a reference.
    ///
    /// # Safety
    /// `object` is a live buffer object.
    pub(crate) unsafe fn import(
        session: Arc<Session>,
        object: cl_mem,
        offset: usize,
        bytes: usize,
    ) -> Result<Self> {
        session.check()?;
        let what = "importing an OpenCL buffer";
        let ask = |parameter| {
            let answer =
                memory::get_mem_object_data(object, parameter).map_err(|s| failed(what, s));
            answer.map(|b| b.first_chunk().map_or(0, |b| usize::from_ne_bytes(*b)))
        };
        if ask(memory::CL_MEM_CONTEXT)? != session.context.raw().addr() {
            return Err(Error::invalid(
                "the cl_mem is of another context than the device's",
            ));
        }
        check_range(ask(memory::CL_MEM_SIZE)?, offset, bytes, "import")?;
        // SAFETY: by this function's contract.
        unsafe { memory::retain_mem_object(object) }.map_err(|s| failed(what, s))?;
        // SAFETY: the reference was taken just now.
        let whole = unsafe { Handle::new(object, memory::release_mem_object) };
        let whole = Self::whole(session, Arc::new(whole), offset + bytes);
        match offset {
            0 => Ok(whole),
            _ => whole.part(offset, bytes),
        }
    }

    /// The buffer behind the trait, if it belongs to this session's context.
    pub(crate) fn of<'b>(buffer: &'b dyn Buffer, session: &Arc<Session>) -> Option<&'b Self> {
        let own = buffer.as_any().downcast_ref::<Self>();
        own.filter(|b| Arc::ptr_eq(&b.session, session))
    }

    /// What a kernel is given, or why there is nothing to give.
    pub(crate) fn argument(&self) -> std::result::Result<*mut c_void, String> {
        match &self.argument {
            Some(argument) => Ok(argument.raw()),
            None => Err(format!(
                "begins at byte {} of its memory; this OpenCL device gives kernels only parts that \
                 begin at multiples of {} bytes",
                self.offset, self.session.alignment
            )),
        }
    }

    /// The buffer object, and where in it a place of this buffer is.
    pub(crate) fn place(&self, offset: usize) -> (*mut c_void, usize) {
        (self.whole.raw(), self.offset + offset)
    }

    /// Whether two ranges of two buffers have memory in common.
    pub(crate) fn overlap(&self, offset: usize, other: &Self, from: usize, bytes: usize) -> bool {
        self.whole.raw() == other.whole.raw()
            && ranges_overlap(self.offset + offset, other.offset + from, bytes)
    }

    fn part(&self, offset: usize, bytes: usize) -> Result<Self> {
        check_range(self.bytes, offset, bytes, "take")?;
        let start = self.offset + offset;
        let argument = if start == 0 || bytes == 0 {
            // Kernels may reach behind the part then, as they may in C.
            Some(self.whole.clone())
        } else if start.is_multiple_of(self.session.alignment) {
            let region = cl_buffer_region {
                origin: start,
                size: bytes,
            };
            // SAFETY: the region is within the whole, which is no part itself.
            let part = unsafe {
                memory::create_sub_buffer(
                    self.whole.raw(),
                    0,
                    memory::CL_BUFFER_CREATE_TYPE_REGION,
                    (&raw const region).cast(),
                )
            };
            match part {
                // SAFETY: the call above returned the one reference to a new object.
                Ok(part) => Some(Arc::new(unsafe {
                    Handle::new(part, memory::release_mem_object)
                })),
                // An imported buffer may itself be a part, of which there are no parts.
                Err(_) => None,
            }
        } else {
            None
        };
        Ok(Self {
            argument,
            whole: self.whole.clone(),
            offset: start,
            bytes,
            host: self.host.clone(),
            session: self.session.clone(),
        })
    }
}

/// Enqueues a copy between ranges that do not overlap.
pub(crate) fn enqueue_copy(
    queue: &Commands,
    target: &ClBuffer,
    offset: usize,
    source: &ClBuffer,
    source_offset: usize,
    bytes: usize,
) -> Result<()> {
    let what = "copying OpenCL memory";
    check_range(target.len(), offset, bytes, "write")?;
    check_range(source.len(), source_offset, bytes, "read")?;
    if bytes == 0 {
        return Ok(());
    }
    let (to, offset) = target.place(offset);
    let (from, source_offset) = source.place(source_offset);
    // SAFETY: both ranges were checked.
    let event = unsafe {
        command_queue::enqueue_copy_buffer(
            queue.raw(),
            from,
            to,
            source_offset,
            offset,
            bytes,
            0,
            std::ptr::null(),
        )
    };
    forget_event(event, what)?;
    queue.enqueued(what)
}

impl Buffer for ClBuffer {
    fn len(&self) -> usize {
        self.bytes
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "write")?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.session.check()?;
        if staging::pays(&self.session, bytes.as_ptr(), bytes.len()) {
            let host = Staged::From(bytes.as_ptr());
            // SAFETY: the range was checked; the bytes are borrowed until this returns.
            return unsafe { staging::copy(&self.session, self.place(offset), host, bytes.len()) };
        }
        let before = self.session.queue.so_far();
        // SAFETY: the range was checked, and the call blocks until the bytes have been read.
        let event = unsafe {
            command_queue::enqueue_write_buffer(
                self.session.queue.raw(),
                self.whole.raw(),
                CL_TRUE,
                self.offset + offset,
                bytes.len(),
                bytes.as_ptr().cast(),
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, "writing to OpenCL memory")?;
        before.have_ended();
        Ok(())
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<()> {
        check_range(self.bytes, offset, bytes.len(), "read")?;
        if bytes.is_empty() {
            return Ok(());
        }
        self.session.check()?;
        if staging::pays(&self.session, bytes.as_ptr(), bytes.len()) {
            let host = Staged::To(bytes.as_mut_ptr());
            // SAFETY: as in `write`.
            return unsafe { staging::copy(&self.session, self.place(offset), host, bytes.len()) };
        }
        let before = self.session.queue.so_far();
        // SAFETY: the range was checked, and the call blocks until the bytes have been written.
        let event = unsafe {
            command_queue::enqueue_read_buffer(
                self.session.queue.raw(),
                self.whole.raw(),
                CL_TRUE,
                self.offset + offset,
                bytes.len(),
                bytes.as_mut_ptr().cast(),
                0,
                std::ptr::null(),
            )
        };
        forget_event(event, "reading from OpenCL memory")?;
        before.have_ended();
        Ok(())
    }

    fn zero(&self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        self.session.check()?;
        // The pattern must divide size and offset; the wider one is the faster.
        let pattern = [0u8; 16];
        let fits = |n: usize| n.is_multiple_of(pattern.len());
        let width = if fits(self.bytes) && fits(self.offset) {
            pattern.len()
        } else {
            1
        };
        // SAFETY: the range is this buffer's, and the pattern is copied before the call returns.
        let event = unsafe {
            command_queue::enqueue_fill_buffer(
                self.session.queue.raw(),
                self.whole.raw(),
                pattern.as_ptr().cast(),
                width,
                self.offset,
                self.bytes,
                0,
                std::ptr::null(),
            )
        };
        let what = "zeroing OpenCL memory";
        forget_event(event, what)?;
        self.session.queue.enqueued(what)
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let Some(own) = Self::of(source, &self.session) else {
            return copy_through_host(self, offset, source, source_offset, bytes);
        };
        if self.overlap(offset, own, source_offset, bytes) {
            return copy_overlapping(self, offset, source, source_offset, bytes);
        }
        let queue = &self.session.queue;
        enqueue_copy(queue, self, offset, own, source_offset, bytes)
    }

    fn slice(&self, offset: usize, bytes: usize) -> Result<Arc<dyn Buffer>> {
        Ok(Arc::new(self.part(offset, bytes)?))
    }

    fn needs_offset(&self) -> bool {
        self.argument.is_none()
    }

    fn offset(&self) -> usize {
        self.offset
    }

    fn host(&self) -> Option<*mut u8> {
        let host = self.host.as_ref()?;
        Some(host.pointer().wrapping_add(self.offset))
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::OpenCl {
            object: self.whole.raw(),
            offset: self.offset,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
