//! A set of devices as one device of the drivers' promise. What the runtime above does not share out runs on the first of
//! them, which gets all of the memory it uses: right for every kernel, whatever it does.

use super::super::Device;
use super::super::error::driver_error;
use super::buffer::SpreadBuffer;
use super::directory::MOST_PARTS;
use super::storage::known_to_all;
use brook_driver::{
    Argument, AtOnce, Buffer, CompileOptions, DeviceInfo, Done, Error, Event, HostMemory, Image,
    ImageKind, Kernel, NativeDevice, NativeMemory, NativeQueue, Program, Queue, Residency, Result,
};
use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;

/// The devices of a set, as one.
pub(in super::super) struct SpreadDevice {
    devices: Arc<[Device]>,
    info: DeviceInfo,
}

impl SpreadDevice {
    /// Of those devices, which kernels of one compiler run on.
    ///
    /// # Errors
    /// They are not of one driver and one architecture, or too many.
    pub(in super::super) fn new(devices: Arc<[Device]>) -> std::result::Result<Self, String> {
        let [first, others @ ..] = &*devices else {
            return Err("a set of devices has at least one".to_string());
        };
        if devices.len() > MOST_PARTS {
            return Err(format!(
                "a set has {MOST_PARTS} devices at most; got {}",
                devices.len()
            ));
        }
        for other in others {
            let kinds = [first, other].map(|d| (d.driver_name(), d.info().architecture.as_str()));
            if kinds[0] != kinds[1] {
                let names = [first.name(), other.name()];
                return Err(format!(
                    "'{}' is {} and '{}' is {}: the devices of a set take the same kernels, so they are of one driver and \
                     one architecture",
                    names[0], kinds[0].1, names[1], kinds[1].1
                ));
            }
        }
        let all = devices.iter().map(|d| d.info().memory);
        let info = DeviceInfo {
            name: format!(
                "{} devices, the first being {}",
                devices.len(),
                first.info().name
            ),
            memory: all.sum(),
            ..first.info().clone()
        };
        Ok(Self { devices, info })
    }

    fn first(&self) -> &dyn brook_driver::Device {
        self.devices[0].driver()
    }

    /// Refuses what the others could not know of.
    fn of_one_process(&self, what: &str) -> Result<()> {
        match self.devices[0].ranks() {
            None => Ok(()),
            Some(_) => Err(Error::invalid(format!(
                "{what} cannot be shared out between the devices of several processes"
            ))),
        }
    }
}

impl brook_driver::Device for SpreadDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.first().compile(source, options)
    }

    fn load(&self, binary: &[u8]) -> Result<Arc<dyn Program>> {
        SpreadProgram::on(&self.devices, |device| device.load(binary))
    }

    fn image(&self, source: &str, options: &CompileOptions) -> Result<Image> {
        self.first().image(source, options)
    }

    fn fit(&self, kind: &ImageKind) -> std::result::Result<u32, String> {
        self.first().fit(kind)
    }

    fn load_image(&self, kind: &ImageKind, bytes: &[u8]) -> Result<Arc<dyn Program>> {
        SpreadProgram::on(&self.devices, |device| device.load_image(kind, bytes))
    }

    fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let buffer = SpreadBuffer::new(&self.devices, bytes, None);
        // Where there is not enough, that is said now.
        buffer.claim()?;
        Ok(Arc::new(buffer))
    }

    fn allocate_shared(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.of_one_process("memory that kernels and the host both use")?;
        let first = self.first().allocate_shared(bytes)?;
        Ok(Arc::new(SpreadBuffer::import(&self.devices, first)))
    }

    fn synchronize(&self) -> Result<()> {
        synchronize(&self.devices)
    }

    fn synchronize_context(&self) -> Result<()> {
        let all = self.devices.iter();
        all.map(|device| device.synchronize_context().map_err(driver_error))
            .fold(Ok(()), Result::and)
    }

    fn is_idle(&self) -> Result<bool> {
        is_idle(&self.devices)
    }

    fn default_queue(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(SpreadQueue(Arc::clone(&self.devices))))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>> {
        self.default_queue()
    }

    fn pinned(&self, bytes: usize) -> Result<Box<dyn HostMemory>> {
        self.first().pinned(bytes)
    }

    unsafe fn pin(&self, memory: *mut c_void, bytes: usize) -> Option<Box<dyn Any>> {
        // SAFETY: by this function's contract.
        unsafe { self.first().pin(memory, bytes) }
    }

    unsafe fn import(&self, memory: NativeMemory, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.of_one_process("somebody else's memory")?;
        // SAFETY: by this function's contract.
        let first = unsafe { self.first().import(memory, bytes) }?;
        Ok(Arc::new(SpreadBuffer::import(&self.devices, first)))
    }

    fn native(&self) -> NativeDevice {
        self.first().native()
    }
}

/// Waits for all of them, whichever fails.
fn synchronize(devices: &[Device]) -> Result<()> {
    let mut result = Ok(());
    for device in devices {
        let waited = device.synchronize().map_err(driver_error);
        result = result.and(known_to_all(device, waited));
    }
    result
}

fn is_idle(devices: &[Device]) -> Result<bool> {
    let mut idle = true;
    for device in devices {
        idle &= device.is_idle().map_err(driver_error)?;
    }
    Ok(idle)
}

/// A program on each device of a set.
struct SpreadProgram {
    parts: Vec<Arc<dyn Program>>,
    device: Device,
}

impl SpreadProgram {
    fn on(
        devices: &[Device],
        load: impl Fn(&dyn brook_driver::Device) -> Result<Arc<dyn Program>>,
    ) -> Result<Arc<dyn Program>> {
        let parts = devices.iter().map(|device| load(device.driver()));
        let parts = parts.collect::<Result<_>>()?;
        let device = devices[0].clone();
        Ok(Arc::new(Self { parts, device }))
    }
}

impl Program for SpreadProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let first = self.parts[0].kernel(name)?;
        let device = self.device.clone();
        Ok(Arc::new(SpreadKernel { first, device }))
    }

    fn part(&self, part: usize) -> Option<Arc<dyn Program>> {
        self.parts.get(part).cloned()
    }
}

/// A kernel that runs on the first device of a set.
struct SpreadKernel {
    first: Arc<dyn Kernel>,
    device: Device,
}

impl Kernel for SpreadKernel {
    fn reserve(&self, bytes: u64) -> Result<()> {
        self.first.reserve(bytes)
    }

    fn residency(&self, items: u32) -> Result<Option<Residency>> {
        self.first.residency(items)
    }

    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        let own = |argument: &Argument<'_>| -> Result<Option<(Arc<dyn Buffer>, bool)>> {
            let Some(buffer) = memory(argument) else {
                return Ok(None);
            };
            let Some(spread) = SpreadBuffer::of(buffer) else {
                return Err(Error::invalid("the memory is another device's"));
            };
            // It may read and write all of it.
            let all = 0..buffer.len();
            spread.bring(0, &all)?;
            Ok(Some((
                spread.part(0)?,
                matches!(argument, Argument::Whole(_)),
            )))
        };
        let parts: Vec<_> = arguments.iter().map(own).collect::<Result<_>>()?;
        let passed = arguments.iter().zip(&parts);
        let passed = passed.map(|(argument, part)| match part {
            Some((part, true)) => Argument::Whole(&**part),
            Some((part, false)) => Argument::Buffer(&**part),
            None => *argument,
        });
        let passed: Vec<Argument<'_>> = passed.collect();
        let launched = self.first.launch(grid, group, &passed);
        let launched = known_to_all(&self.device, launched);
        for spread in arguments
            .iter()
            .filter_map(memory)
            .filter_map(SpreadBuffer::of)
        {
            spread.written(0, &(0..spread.len()))?;
        }
        launched
    }

    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        match queue.as_any().downcast_ref::<SpreadQueue>() {
            Some(_) => self.launch(grid, group, arguments),
            None => Err(Error::invalid("the queue is another device's")),
        }
    }
}

/// The memory that an argument is.
fn memory<'a>(argument: &Argument<'a>) -> Option<&'a dyn Buffer> {
    match argument {
        Argument::Buffer(buffer) | Argument::Whole(buffer) => Some(*buffer),
        Argument::Null | Argument::Value(_) => None,
    }
}

/// A queue of a set: what is put into it is in order with everything else on each of the devices.
struct SpreadQueue(Arc<[Device]>);

impl Queue for SpreadQueue {
    unsafe fn write(
        &self,
        target: &dyn Buffer,
        offset: usize,
        from: *const u8,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: by this function's contract.
        unsafe { AtOnce.write(target, offset, from, bytes) }
    }

    unsafe fn read(
        &self,
        source: &dyn Buffer,
        offset: usize,
        to: *mut u8,
        bytes: usize,
    ) -> Result<()> {
        // SAFETY: by this function's contract.
        unsafe { AtOnce.read(source, offset, to, bytes) }
    }

    fn copy(
        &self,
        target: &dyn Buffer,
        offset: usize,
        source: &dyn Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        AtOnce.copy(target, offset, source, source_offset, bytes)
    }

    /// A mark in all queues of all devices is one that they have come by.
    fn record(&self) -> Result<Arc<dyn Event>> {
        synchronize(&self.0)?;
        Ok(Arc::new(Done(Instant::now())))
    }

    fn wait_for(&self, event: &Arc<dyn Event>) -> Result<()> {
        event.wait()
    }

    fn synchronize(&self) -> Result<()> {
        synchronize(&self.0)
    }

    fn is_idle(&self) -> Result<bool> {
        is_idle(&self.0)
    }

    /// The first device's own: what others put there is in order with kernels that are not shared out.
    fn native(&self) -> NativeQueue {
        let first = self.0[0].driver().default_queue();
        first.map_or(NativeQueue::Host, |queue| queue.native())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
