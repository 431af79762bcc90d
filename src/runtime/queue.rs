//! Work beside the device's own queue: asynchronous launches and copies, and events.

use super::plain::{bytes_of, bytes_of_mut};
use super::trace::{self, What};
use super::{Device, DynMemory, Element, Error, Memory, Pinned, Result};
use brook_driver::{Buffer, NativeEvent, NativeQueue};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::time::Duration;

/// A queue: what is enqueued is done in order, beside the work of other queues and of the host. Clones
/// share it; dropping the last one waits for what is in it.
///
/// Everything that names no queue goes through the device's own, [`Device::default_queue`]. Queues know
/// nothing of each other: [`Queue::wait_for`] an [`Event`] is what orders them. Memory may be dropped
/// while queues still use it.
///
/// On the processor, a queue is a thread; launches and copies of all queues take turns there, since
/// each of them uses all cores anyway.
#[derive(Clone)]
pub struct Queue {
    queue: Arc<dyn brook_driver::Queue>,
    device: Device,
}

impl Device {
    /// A new queue.
    ///
    /// # Errors
    /// The device's.
    pub fn queue(&self) -> Result<Queue> {
        let queue = self.driver().create_queue()?;
        self.remember(&queue);
        // What was prepared for it, such as zeroed memory, is there when it begins.
        self.driver().default_queue()?.synchronize()?;
        Ok(Queue {
            queue,
            device: self.clone(),
        })
    }

    /// Somebody else's queue, a `CUstream`, `hipStream_t` or `cl_command_queue` (in order): what is launched and copied
    /// through the result is in order with what they put there. It is not destroyed here; of a `cl_command_queue` one
    /// reference is kept.
    ///
    /// # Errors
    /// It is not this device's, as far as that can be told, or of a kind that the device has not got.
    ///
    /// # Safety
    /// It is such a queue, and stays one until the last clone of the result is dropped.
    pub unsafe fn import_queue(&self, queue: NativeQueue) -> Result<Queue> {
        // SAFETY: by this function's contract.
        let queue = unsafe { self.borrow_queue(queue) }?;
        self.remember(&queue.queue);
        self.driver().default_queue()?.synchronize()?;
        Ok(queue)
    }

    /// As [`import_queue`](Self::import_queue), of a queue that its owner may destroy before the result is dropped: this device
    /// does not count it among its own, so [`synchronize`](Self::synchronize) does not wait for it
    /// ([`synchronize_context`](Self::synchronize_context) does), nor does what is freed here. Whoever uses memory of this device
    /// in it puts that in order by events.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// It is such a queue now, and whenever the result is used.
    pub unsafe fn borrow_queue(&self, queue: NativeQueue) -> Result<Queue> {
        // SAFETY: by this function's contract; dropping the result uses nothing of the queue.
        let queue = unsafe { self.driver().import_queue(queue) }?;
        Ok(Queue {
            queue,
            device: self.clone(),
        })
    }

    /// The queue of everything that names none.
    ///
    /// # Errors
    /// The device's.
    pub fn default_queue(&self) -> Result<Queue> {
        Ok(Queue {
            queue: self.driver().default_queue()?,
            device: self.clone(),
        })
    }
}

impl Queue {
    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The vendor's object behind it (`CUstream`, `hipStream_t`, `cl_command_queue`), for libraries
    /// that take one; valid as long as this.
    pub fn native(&self) -> NativeQueue {
        self.driver().native()
    }

    pub(super) fn driver(&self) -> &dyn brook_driver::Queue {
        // Whoever enqueues, records or waits is behind the calls that wait; what fails is said by whatever is asked for next.
        self.device.catch_up_later_told();
        &*self.queue
    }

    /// A mark behind everything enqueued so far.
    ///
    /// # Errors
    /// The device's.
    pub fn record(&self) -> Result<Event> {
        Ok(Event {
            event: self.driver().record()?,
        })
    }

    /// Lets what is enqueued from now on begin after the event, which may be of any queue of any
    /// device. The host waits where the device cannot.
    ///
    /// # Errors
    /// The device's.
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        Ok(self.driver().wait_for(&event.event)?)
    }

    /// Waits for everything enqueued so far, and reports errors that happened in it.
    ///
    /// # Errors
    /// The device's.
    pub fn wait(&self) -> Result<()> {
        Ok(self.driver().synchronize()?)
    }

    /// Whether everything enqueued so far has finished, well or not. Of an imported queue of OpenCL, what others have put into
    /// it until this was first asked: ask until it is so, or [`Queue::wait`].
    ///
    /// # Errors
    /// The device's.
    pub fn is_done(&self) -> Result<bool> {
        Ok(self.driver().is_idle()?)
    }

    /// Enqueues a copy between memory of this device.
    ///
    /// # Errors
    /// Lengths or devices differ, or the two overlap.
    pub fn copy<T: Element>(&self, from: &Memory<T>, to: &Memory<T>) -> Result<()> {
        to.same_length(from.len())?;
        let bytes = size_of::<T>() * from.len();
        self.traced(What::copy("copy", bytes), |queue| {
            queue.copy(to.buffer(), 0, from.buffer(), 0, bytes)
        })
    }

    /// Enqueues a copy of all elements from host memory, which is given away until the copy has been
    /// made: [`Transfer::wait`] returns it. [`Pinned`] memory is copied without a detour.
    ///
    /// # Errors
    /// Lengths or devices differ, or the device's.
    pub fn upload<T: Element, H: HostSlice<T>>(
        &self,
        from: H,
        to: &Memory<T>,
    ) -> Result<Transfer<H>> {
        to.same_length(from.elements().len())?;
        let bytes = bytes_of(from.elements());
        let (pointer, len) = (bytes.as_ptr(), bytes.len());
        // SAFETY: the transfer keeps the host's memory, at its place, until the copy has been made.
        self.transfer(from, What::from_host(len), |buffer| unsafe {
            buffer.write(to.buffer(), 0, pointer, len)
        })
    }

    /// Enqueues a copy of all elements to host memory, which is given away until the copy has been
    /// made: [`Transfer::wait`] returns it.
    ///
    /// # Errors
    /// Lengths or devices differ, or the device's.
    pub fn download<T: Element, H: HostSlice<T>>(
        &self,
        from: &Memory<T>,
        mut to: H,
    ) -> Result<Transfer<H>> {
        from.same_length(to.elements().len())?;
        let bytes = bytes_of_mut(to.elements_mut());
        let (pointer, len) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: as in `upload`; and nobody can look at it there.
        self.transfer(to, What::to_host(len), |buffer| unsafe {
            buffer.read(from.buffer(), 0, pointer, len)
        })
    }

    /// Enqueues a copy between elements of memory of this device: `len` of them, from number `from` on to those from
    /// number `to` on.
    ///
    /// # Errors
    /// There are not as many, kinds or devices differ, or the two overlap.
    pub fn copy_part(
        &self,
        (target, to): (&DynMemory, usize),
        (source, from): (&DynMemory, usize),
        len: usize,
    ) -> Result<()> {
        target.same_kind(source)?;
        let (to, from) = (target.offset(to, len)?, source.offset(from, len)?);
        let bytes = len * target.kind().size();
        let (target, source) = (target.buffer(), source.buffer());
        self.traced(What::copy("copy", bytes), |queue| {
            queue.copy(target, to, source, from, bytes)
        })
    }

    /// Enqueues a copy from the host to elements from number `first` on.
    ///
    /// # Errors
    /// There are not as many; the device's.
    ///
    /// # Safety
    /// There are `len` elements at `from`, which nobody changes before the copy has been made.
    pub unsafe fn write(
        &self,
        to: &DynMemory,
        first: usize,
        from: *const u8,
        len: usize,
    ) -> Result<()> {
        let (offset, bytes) = (to.offset(first, len)?, len * to.kind().size());
        // SAFETY: by this function's contract.
        self.traced(What::from_host(bytes), |queue| unsafe {
            queue.write(to.buffer(), offset, from, bytes)
        })
    }

    /// Enqueues a copy to the host of elements from number `first` on.
    ///
    /// # Errors
    /// There are not as many; the device's.
    ///
    /// # Safety
    /// There is room for `len` elements at `to`, which nobody uses before the copy has been made.
    pub unsafe fn read(
        &self,
        from: &DynMemory,
        first: usize,
        to: *mut u8,
        len: usize,
    ) -> Result<()> {
        let (offset, bytes) = (from.offset(first, len)?, len * from.kind().size());
        // SAFETY: by this function's contract.
        self.traced(What::to_host(bytes), |queue| unsafe {
            queue.read(from.buffer(), offset, to, bytes)
        })
    }

    /// A copy, as a span of the timeline.
    fn traced(
        &self,
        what: What<'_>,
        copy: impl FnOnce(&dyn brook_driver::Queue) -> brook_driver::Result<()>,
    ) -> Result<()> {
        let queue = self.driver();
        Ok(trace::enqueuing(&self.device, Some(queue), what, || {
            copy(queue)
        })?)
    }

    fn transfer<H>(
        &self,
        host: H,
        what: What<'_>,
        enqueue: impl FnOnce(&dyn brook_driver::Queue) -> brook_driver::Result<()>,
    ) -> Result<Transfer<H>> {
        let host = ManuallyDrop::new(host);
        let enqueued = self.traced(what, enqueue);
        let enqueued = enqueued.and_then(|()| Ok(self.queue.record()?));
        match enqueued {
            Ok(event) => Ok(Transfer {
                event: Event { event },
                host,
            }),
            Err(error) => {
                // The copy may have been enqueued, and only what came after it failed.
                if self.queue.synchronize().is_ok() {
                    drop(ManuallyDrop::into_inner(host));
                }
                Err(error)
            }
        }
    }

    /// For copies from and to borrowed host memory: they are enqueued within the closure, and have been
    /// made when this returns.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), brook::runtime::Error> {
    /// # let device = brook::Device::detect()?;
    /// # let (x, y) = (device.zeros::<f32>(4)?, device.zeros::<f32>(4)?);
    /// let queue = device.queue()?;
    /// let (input, mut output) = ([1.0; 4], [0.0; 4]);
    /// queue.scope(|scope| {
    ///     scope.upload(&input, &x)?;
    ///     queue.copy(&x, &y)?;
    ///     scope.download(&y, &mut output)
    /// })??;
    /// assert_eq!(output, input);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of everything enqueued so far, as of [`Queue::wait`].
    pub fn scope<'env, R>(
        &'env self,
        enqueue: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
    ) -> Result<R> {
        /// Waits even where the closure panics.
        struct Waits<'q>(&'q Queue);
        impl Drop for Waits<'_> {
            fn drop(&mut self) {
                // A queue that cannot be waited for is broken, and does nothing any more.
                let _ = self.0.wait();
            }
        }
        let waits = Waits(self);
        let scope = Scope {
            queue: self,
            scope: PhantomData,
            env: PhantomData,
        };
        let result = enqueue(&scope);
        std::mem::forget(waits);
        self.wait().map(|()| result)
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Queue on {}", self.device.name())
    }
}

/// Copies from and to borrowed host memory: [`Queue::scope`].
pub struct Scope<'scope, 'env: 'scope> {
    queue: &'env Queue,
    /// Invariant, so that what is borrowed for the scope is borrowed to its end.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope> Scope<'scope, '_> {
    /// Enqueues a copy of all elements from host memory.
    ///
    /// # Errors
    /// Lengths or devices differ, or the device's.
    pub fn upload<T: Element>(&'scope self, from: &'scope [T], to: &Memory<T>) -> Result<()> {
        to.same_length(from.len())?;
        let bytes = bytes_of(from);
        // SAFETY: the scope waits before the borrow ends.
        let enqueued = unsafe {
            let queue = &self.queue.queue;
            queue.write(to.buffer(), 0, bytes.as_ptr(), bytes.len())
        };
        Ok(enqueued?)
    }

    /// Enqueues a copy of all elements to host memory.
    ///
    /// # Errors
    /// Lengths or devices differ, or the device's.
    pub fn download<T: Element>(&'scope self, from: &Memory<T>, to: &'scope mut [T]) -> Result<()> {
        from.same_length(to.len())?;
        let bytes = bytes_of_mut(to);
        // SAFETY: the scope waits before the borrow ends.
        let enqueued = unsafe {
            let queue = &self.queue.queue;
            queue.read(from.buffer(), 0, bytes.as_mut_ptr(), bytes.len())
        };
        Ok(enqueued?)
    }
}

/// A place in a queue. Clones are the same place.
#[derive(Clone)]
pub struct Event {
    event: Arc<dyn brook_driver::Event>,
}

impl Event {
    /// Whether everything before it has finished.
    ///
    /// # Errors
    /// The device's, or those of what came before.
    pub fn is_done(&self) -> Result<bool> {
        Ok(self.event.is_done()?)
    }

    /// Waits until everything before it has finished.
    ///
    /// # Errors
    /// The device's, or those of what came before.
    pub fn wait(&self) -> Result<()> {
        Ok(self.event.wait()?)
    }

    /// The vendor's object behind it (`CUevent`, `hipEvent_t`, `cl_event`); valid as long as this.
    pub fn native(&self) -> NativeEvent {
        self.event.native()
    }

    /// The time between an earlier event of the same device and this one, after both have happened; by
    /// the device's own clock where it has one.
    ///
    /// # Errors
    /// The events are of different devices; the device's.
    pub fn elapsed_since(&self, earlier: &Self) -> Result<Duration> {
        Ok(self.event.elapsed_since(&*earlier.event)?)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_done() {
            Ok(true) => f.write_str("Event (has happened)"),
            Ok(false) => f.write_str("Event (to come)"),
            Err(error) => write!(f, "Event ({error})"),
        }
    }
}

/// An asynchronous copy, which has the host's memory until it has been made. Dropping it waits.
#[must_use = "dropping it waits for the copy"]
pub struct Transfer<H> {
    event: Event,
    /// Dropped by hand: it is leaked where nobody can say whether the copy has been made.
    host: ManuallyDrop<H>,
}

impl<H> Transfer<H> {
    /// Whether the copy has been made.
    ///
    /// # Errors
    /// The device's.
    pub fn is_done(&self) -> Result<bool> {
        self.event.is_done()
    }

    /// Waits for the copy, and returns the host's memory.
    ///
    /// # Errors
    /// The device's, or those of what came before.
    pub fn wait(self) -> Result<H> {
        let mut this = ManuallyDrop::new(self);
        let waited = this.event.wait();
        // SAFETY: `this` is not dropped, so each field is taken once.
        let (_event, host) = unsafe {
            let host = ManuallyDrop::take(&mut this.host);
            (std::ptr::read(&this.event), ManuallyDrop::new(host))
        };
        waited.map(|()| ManuallyDrop::into_inner(host))
    }
}

impl<H> Drop for Transfer<H> {
    fn drop(&mut self) {
        if self.event.wait().is_ok() {
            // SAFETY: dropped here only: `wait` forgets the transfer.
            unsafe { ManuallyDrop::drop(&mut self.host) };
        }
    }
}

impl<H> fmt::Debug for Transfer<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transfer ({:?})", self.event)
    }
}

/// Host memory that can be given away for the time of an asynchronous copy: `Vec` and [`Pinned`].
///
/// # Safety
/// The elements stay where they are while the value is moved.
pub unsafe trait HostSlice<T: Element> {
    /// The elements.
    fn elements(&self) -> &[T];
    /// The elements, to be written.
    fn elements_mut(&mut self) -> &mut [T];
}

// SAFETY: a vector's elements lie on the heap.
unsafe impl<T: Element> HostSlice<T> for Vec<T> {
    fn elements(&self) -> &[T] {
        self
    }

    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

// SAFETY: pinned memory is the driver's, and stays where it is.
unsafe impl<T: Element> HostSlice<T> for Pinned<T> {
    fn elements(&self) -> &[T] {
        self
    }

    fn elements_mut(&mut self) -> &mut [T] {
        self
    }
}

/// A queue's argument error, in the words of launches.
pub(super) fn other_device(queue: &Queue, kernel: &str, device: &Device) -> Error {
    Error::argument(format!(
        "the queue is of device {}; kernel '{kernel}' was built for {}",
        queue.device.name(),
        device.name()
    ))
}

#[expect(dead_code, reason = "checked by the compiler")]
fn threads_may_share(queue: Queue, event: Event, memory: Memory<f32>, pinned: Pinned<f64>) {
    fn check<T: Send + Sync>(_: T) {}
    check(queue);
    check(event);
    check(memory);
    check(pinned);
    check::<Option<Transfer<Vec<u8>>>>(None);
    check::<Option<&dyn Buffer>>(None);
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
