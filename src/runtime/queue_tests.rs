//! Queues over a device that does nothing before somebody waits: whatever is kept too short shows, under
//! Miri as the error that it is.
//!
//! `MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-ignore-leaks" cargo +nightly miri test --no-default-features
//! --features runtime --lib runtime::queue::tests`; two transfers are leaked on purpose.

use super::*;
use crate::runtime::register;
use brook_driver::{
    AlignedMemory, CompileOptions, DeviceInfo, DeviceKind, Driver, Error as DriverError, ErrorKind,
    HostMemory, Limits, NativeMemory, Program, check_range, copy_overlapping, other_device,
};
use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

type Bytes = Arc<Mutex<Vec<u8>>>;
type Task = Box<dyn FnOnce() + Send>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Late;

impl Driver for Late {
    fn backend(&self) -> &'static str {
        "late"
    }

    fn devices(&self) -> brook_driver::Result<Vec<DeviceInfo>> {
        Ok(vec![info()])
    }

    fn open(&self, _: usize) -> brook_driver::Result<Arc<dyn brook_driver::Device>> {
        Ok(Arc::new(LateDevice(info())))
    }
}

fn info() -> DeviceInfo {
    DeviceInfo {
        name: "late".into(),
        kind: DeviceKind::Cpu,
        units: 1,
        memory: None,
        architecture: "none".into(),
        compiler: Err("none".into()),
        limits: Limits {
            threads_per_group: 1,
            group: [1; 3],
            grid: [1; 3],
            shared_memory: 0,
        },
    }
}

struct LateDevice(DeviceInfo);

impl brook_driver::Device for LateDevice {
    fn info(&self) -> &DeviceInfo {
        &self.0
    }

    fn compile(&self, _: &str, _: &CompileOptions) -> brook_driver::Result<Vec<u8>> {
        Err(DriverError::missing("no compiler"))
    }

    fn load(&self, _: &[u8]) -> brook_driver::Result<Arc<dyn Program>> {
        Err(DriverError::missing("no programs"))
    }

    fn allocate(&self, bytes: usize) -> brook_driver::Result<Arc<dyn Buffer>> {
        Ok(Arc::new(LateBuffer {
            bytes: Arc::new(Mutex::new(vec![0xa5; bytes])),
            start: 0,
            len: bytes,
        }))
    }

    fn synchronize(&self) -> brook_driver::Result<()> {
        Ok(())
    }

    fn create_queue(&self) -> brook_driver::Result<Arc<dyn brook_driver::Queue>> {
        Ok(Arc::new(LateQueue::default()))
    }

    fn pinned(&self, bytes: usize) -> brook_driver::Result<Box<dyn HostMemory>> {
        Ok(Box::new(AlignedMemory::new(bytes)?))
    }
}

struct LateBuffer {
    bytes: Bytes,
    start: usize,
    len: usize,
}

impl Buffer for LateBuffer {
    fn len(&self) -> usize {
        self.len
    }

    fn write(&self, offset: usize, bytes: &[u8]) -> brook_driver::Result<()> {
        check_range(self.len, offset, bytes.len(), "write")?;
        lock(&self.bytes)[self.start + offset..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> brook_driver::Result<()> {
        check_range(self.len, offset, bytes.len(), "read")?;
        bytes.copy_from_slice(&lock(&self.bytes)[self.start + offset..][..bytes.len()]);
        Ok(())
    }

    fn zero(&self) -> brook_driver::Result<()> {
        lock(&self.bytes)[self.start..][..self.len].fill(0);
        Ok(())
    }

    fn copy_from(
        &self,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> brook_driver::Result<()> {
        copy_overlapping(self, offset, source, source_offset, bytes)
    }

    fn slice(&self, offset: usize, len: usize) -> brook_driver::Result<Arc<dyn Buffer>> {
        check_range(self.len, offset, len, "take")?;
        Ok(Arc::new(Self {
            bytes: self.bytes.clone(),
            start: self.start + offset,
            len,
        }))
    }

    fn native(&self) -> NativeMemory {
        NativeMemory::Address(Arc::as_ptr(&self.bytes).addr() as u64)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Default)]
struct LateQueue {
    tasks: Arc<Mutex<Vec<Task>>>,
    fails: AtomicBool,
}

/// Does all that a queue was told to do.
fn work(tasks: &Mutex<Vec<Task>>) {
    loop {
        let Some(task) = ({
            let mut tasks = lock(tasks);
            (!tasks.is_empty()).then(|| tasks.remove(0))
        }) else {
            return;
        };
        task();
    }
}

struct Place(*mut u8);
// SAFETY: by the contracts of `Queue::write` and `Queue::read`.
unsafe impl Send for Place {}

impl LateQueue {
    fn push(&self, task: impl FnOnce() + Send + 'static) {
        lock(&self.tasks).push(Box::new(task));
    }
}

fn late(buffer: &dyn Buffer) -> (Bytes, usize) {
    let own = buffer.as_any().downcast_ref::<LateBuffer>().unwrap();
    (own.bytes.clone(), own.start)
}

impl brook_driver::Queue for LateQueue {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        len: usize,
    ) -> brook_driver::Result<()> {
        let ((bytes, start), from) = (late(target), Place(from.cast_mut()));
        self.push(move || {
            let from = from;
            // SAFETY: by this function's contract.
            let from = unsafe { std::slice::from_raw_parts(from.0, len) };
            lock(&bytes)[start + offset..][..len].copy_from_slice(from);
        });
        Ok(())
    }

    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        len: usize,
    ) -> brook_driver::Result<()> {
        let ((bytes, start), to) = (late(source), Place(to));
        self.push(move || {
            let to = to;
            // SAFETY: by this function's contract.
            let to = unsafe { std::slice::from_raw_parts_mut(to.0, len) };
            to.copy_from_slice(&lock(&bytes)[start + offset..][..len]);
        });
        match self.fails.load(Ordering::Relaxed) {
            true => Err(DriverError::new(ErrorKind::Device, "enqueued, and failed")),
            false => Ok(()),
        }
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        len: usize,
    ) -> brook_driver::Result<()> {
        let ((to, to_start), (from, from_start)) = (late(target), late(source));
        self.push(move || {
            let part = lock(&from)[from_start + source_offset..][..len].to_vec();
            lock(&to)[to_start + offset..][..len].copy_from_slice(&part);
        });
        Ok(())
    }

    fn record(&self) -> brook_driver::Result<Arc<dyn brook_driver::Event>> {
        let happened = Arc::new(AtomicBool::new(false));
        let event = LateEvent {
            happened: happened.clone(),
            tasks: self.tasks.clone(),
        };
        self.push(move || happened.store(true, Ordering::Release));
        Ok(Arc::new(event))
    }

    fn wait_for(&self, event: &Arc<dyn brook_driver::Event>) -> brook_driver::Result<()> {
        event.wait()
    }

    fn synchronize(&self) -> brook_driver::Result<()> {
        work(&self.tasks);
        Ok(())
    }

    fn is_idle(&self) -> brook_driver::Result<bool> {
        Ok(lock(&self.tasks).is_empty())
    }

    fn native(&self) -> NativeQueue {
        NativeQueue::Host
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for LateQueue {
    fn drop(&mut self) {
        work(&self.tasks);
    }
}

struct LateEvent {
    happened: Arc<AtomicBool>,
    tasks: Arc<Mutex<Vec<Task>>>,
}

impl brook_driver::Event for LateEvent {
    fn is_done(&self) -> brook_driver::Result<bool> {
        Ok(self.happened.load(Ordering::Acquire))
    }

    fn wait(&self) -> brook_driver::Result<()> {
        work(&self.tasks);
        Ok(())
    }

    fn elapsed_since(&self, _: &dyn brook_driver::Event) -> brook_driver::Result<Duration> {
        Err(other_device())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn device() -> Device {
    register(Box::new(Late), "openmp");
    Device::open("late").unwrap()
}

#[test]
fn transfers_keep_host_memory() {
    let device = device();
    let queue = device.queue().unwrap();
    let (x, y) = (
        device.zeros::<u32>(4).unwrap(),
        device.zeros::<u32>(4).unwrap(),
    );
    let up = queue.upload(vec![1, 2, 3, 4], &x).unwrap();
    let moved = Box::new(up);
    queue.copy(&x, &y).unwrap();
    let down = queue
        .download(&y, device.pinned::<u32>(4).unwrap())
        .unwrap();
    assert!(!moved.is_done().unwrap() && !down.is_done().unwrap() && !queue.is_done().unwrap());
    assert_eq!(x.to_vec().unwrap(), [0; 4]);
    assert_eq!(*down.wait().unwrap(), [1, 2, 3, 4]);
    assert_eq!(moved.wait().unwrap(), [1, 2, 3, 4]);
    // Dropped and forgotten ones.
    drop(queue.download(&x, vec![0; 4]).unwrap());
    std::mem::forget(queue.download(&x, vec![0; 4]).unwrap());
    std::mem::forget(queue.upload(vec![7; 4], &y).unwrap());
    // Memory may go before the queue has done its work.
    let gone = device.upload(&[5u32; 4]).unwrap();
    queue.copy(&gone, &x).unwrap();
    drop(gone);
    drop(queue);
    assert_eq!(
        (x.to_vec().unwrap(), y.to_vec().unwrap()),
        (vec![5; 4], vec![7; 4])
    );
}

#[test]
fn failures_keep_host_memory_until_the_queue_is_empty() {
    let device = device();
    let queue = device.queue().unwrap();
    let x = device.upload(&[5u32; 4]).unwrap();
    let own = queue.queue.as_any().downcast_ref::<LateQueue>().unwrap();
    own.fails.store(true, Ordering::Relaxed);
    let error = queue.download(&x, vec![0u32; 4]).unwrap_err();
    assert_eq!(error.to_string(), "enqueued, and failed");
    assert!(queue.is_done().unwrap());
}

#[test]
fn scopes_wait() {
    let device = device();
    let queue = device.queue().unwrap();
    let x = device.zeros::<u8>(3).unwrap();
    let mut host = [0; 3];
    queue
        .scope(|scope| {
            scope.upload(&[1, 2, 3], &x).unwrap();
            scope.download(&x, &mut host).unwrap();
        })
        .unwrap();
    assert_eq!(host, [1, 2, 3]);
    let panics = std::panic::AssertUnwindSafe(|| {
        let mut host = vec![0; 3];
        queue
            .scope(|scope| {
                scope.download(&x, &mut host).unwrap();
                std::panic::resume_unwind(Box::new(()));
            })
            .unwrap();
    });
    assert!(std::panic::catch_unwind(panics).is_err());
    assert!(queue.is_done().unwrap());
}

#[test]
fn pools_wait_for_queues() {
    let device = device();
    let (queue, pool) = (device.queue().unwrap(), device.pool());
    let y = device.zeros::<u8>(4).unwrap();
    let x = pool.upload(&[1u8; 4]).unwrap();
    let place = x.native();
    queue.copy(&x, &y).unwrap();
    drop(x);
    // The queue still needs the first block.
    let other = pool.upload(&[2u8; 4]).unwrap();
    assert_ne!(other.native(), place);
    queue.wait().unwrap();
    let again = pool.upload(&[3u8; 4]).unwrap();
    assert_eq!(again.native(), place);
    assert_eq!(y.to_vec().unwrap(), [1; 4]);
    // So does the device's own queue, whose events have happened at once here.
    drop((again, other));
    assert_eq!(pool.idle_bytes(), 512);
}

#[test]
fn devices_know_their_queues() {
    let device = device();
    let (one, other) = (device.queue().unwrap(), device.queue().unwrap());
    let x = device.upload(&[1u8; 4]).unwrap();
    let transfer = one.download(&x, vec![0u8; 4]).unwrap();
    assert!(!device.is_idle().unwrap());
    other.wait_for(&one.record().unwrap()).unwrap();
    assert!(transfer.is_done().unwrap());
    let transfer = other.clone().download(&x, vec![0u8; 4]).unwrap();
    device.synchronize().unwrap();
    assert!(device.is_idle().unwrap() && transfer.is_done().unwrap());
    assert_eq!(format!("{transfer:?}"), "Transfer (Event (has happened))");
}
