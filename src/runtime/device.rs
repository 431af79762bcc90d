//! Finding a device, by name or by itself.

use super::drivers::{Registered, driver_named, gpus, known, misnamed, names, snapshot, split};
use super::fusion::Pending;
use super::ranks::{self, Seat};
use super::spread::{Lane, SpreadDevice};
use super::{Error, Package, Result, lock};
use crate::backend::Backend;
use brook_driver::{Buffer, DeviceInfo, DeviceKind, ErrorKind, Event, NativeDevice, Queue};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A device, open and ready. Clones share it.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

/// Memories for variables that a device keeps.
const MOST_VARIABLES: usize = 16;

struct Inner {
    name: String,
    driver: &'static str,
    backend: Backend,
    device: Arc<dyn brook_driver::Device>,
    /// Memory for intermediate results, kept from one call to the next.
    scratch: Mutex<Option<Arc<dyn Buffer>>>,
    /// Memories for what becomes variables of the host's, kept likewise.
    variables: Mutex<Vec<Arc<dyn Buffer>>>,
    /// Queues besides the device's own.
    queues: Mutex<Vec<Weak<dyn Queue>>>,
    /// Calls that wait.
    pending: Arc<Pending>,
    /// Of a set, its devices.
    parts: Option<Arc<[Device]>>,
    /// Calls and launches so far.
    launches: AtomicU64,
    /// What it has for copies from other devices of a set.
    lane: Lane,
    /// Of a set over several processes, or one of its devices, where that is.
    seat: Option<Seat>,
}

impl Device {
    /// The device that the environment asks for, else the best there is.
    ///
    /// `BROOK_DEVICE` names one as [`Device::open`] takes it. Else Brook+'s `BRT_RUNTIME` chooses
    /// between the processor (`cpu`) and a GPU (`cal`), and `BRT_ADAPTER` says which GPU. Else it is
    /// the first of: a CUDA GPU, a HIP GPU, an OpenCL GPU, the processor; one whose compiler is
    /// missing does not count.
    ///
    /// # Errors
    /// What was asked for is not there, or there is no device at all.
    pub fn detect() -> Result<Self> {
        match Self::chosen()? {
            Some(device) => Ok(device),
            None => Self::best(None),
        }
    }

    /// As [`Device::detect`], for programs that were compiled ahead of time: where the environment asks for none, the
    /// best device that takes all of them, whether or not there is a compiler for it. OpenCL's processors come last.
    ///
    /// # Errors
    /// What was asked for is not there, or no device takes them; the message says why not.
    pub fn detect_for(package: &Package) -> Result<Self> {
        match Self::chosen()? {
            Some(device) => Ok(device),
            None => Self::best(Some(package)),
        }
    }

    /// The device that the environment asks for, if it does.
    fn chosen() -> Result<Option<Self>> {
        let variable = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
        if let Some(name) = variable("BROOK_DEVICE") {
            return Self::open(name.trim()).map(Some);
        }
        let adapter = match variable("BRT_ADAPTER") {
            Some(text) => Some(text.trim().parse().map_err(|_| {
                Error::NoDevice(format!(
                    "BRT_ADAPTER is '{text}'; it must be the number of a GPU"
                ))
            })?),
            None => None,
        };
        match variable("BRT_RUNTIME").as_deref().map(str::trim) {
            Some("cpu") => Self::open("openmp:0").map(Some),
            Some("cal") => Self::gpu(adapter.unwrap_or(0)).map(Some),
            Some(other) => Err(Error::NoDevice(format!(
                "BRT_RUNTIME is '{other}'; it must be 'cpu' or 'cal'"
            ))),
            None => adapter.map(Self::gpu).transpose(),
        }
    }

    /// Opens a device by name: `cuda:0`, `opencl:1`, `openmp`; the number is 0 if left out. Several are a set, which is
    /// one device to whoever uses it: `cuda:0,cuda:1`, or `cuda:*` for all that there are. Streams of Brook+ are shared out
    /// between them by rows; see [`Device::parts`]. `mpi/cuda` is a set of the devices of all processes that `mpirun` has started,
    /// each of which opens it and then does the same as all others; `mpi` takes the best that each has.
    ///
    /// # Errors
    /// There is no such device; the message says which there are. The devices of a set are not of one kind.
    pub fn open(name: &str) -> Result<Self> {
        if let Some(own) = ranks::own_name(name) {
            return ranks::open(name, own);
        }
        match names(name)? {
            Some(names) => Self::set(&names),
            None => Self::open_single(name),
        }
    }

    /// Those devices as one.
    fn set(names: &[String]) -> Result<Self> {
        let parts = names.iter().map(|name| Self::open_single(name));
        let parts: Arc<[Self]> = parts.collect::<Result<_>>()?;
        let names: Vec<&str> = parts.iter().map(Self::name).collect();
        Self::set_of_parts(names.join(","), Arc::clone(&parts))
    }

    /// The same of devices that are open, under a name.
    pub(super) fn set_of_parts(name: String, parts: Arc<[Self]>) -> Result<Self> {
        if let [single] = &*parts {
            return Ok(single.clone());
        }
        let device = SpreadDevice::new(Arc::clone(&parts)).map_err(Error::NoDevice)?;
        let first = &parts[0].0;
        Ok(Self(Arc::new(Inner {
            seat: first.seat.clone(),
            parts: Some(Arc::clone(&parts)),
            ..Inner::new(name, first.driver, &first.backend, Arc::new(device))
        })))
    }

    /// A device of a set over processes, which are of this one's driver.
    pub(super) fn seated(
        &self,
        name: String,
        device: Arc<dyn brook_driver::Device>,
        seat: Seat,
    ) -> Self {
        Self(Arc::new(Inner {
            seat: Some(seat),
            ..Inner::new(name, self.0.driver, &self.0.backend, device)
        }))
    }

    pub(super) fn seat(&self) -> Option<&Seat> {
        self.0.seat.as_ref()
    }

    /// The driver's device, to be shared.
    pub(super) fn shared_driver(&self) -> Arc<dyn brook_driver::Device> {
        Arc::clone(&self.0.device)
    }

    /// The best there is, whatever the environment asks for.
    pub(super) fn open_best() -> Result<Self> {
        Self::best(None)
    }

    /// The devices of a set, in the order of the rows they have; nothing of any other device.
    pub fn parts(&self) -> &[Self] {
        self.set_of().map_or(&[], |parts| &**parts)
    }

    /// The same, to be shared.
    pub(super) fn set_of(&self) -> Option<&Arc<[Self]>> {
        self.0.parts.as_ref()
    }

    fn open_single(name: &str) -> Result<Self> {
        let found = split(name).and_then(|(driver, n)| Some((driver_named(driver)?, n)));
        let Some((registered, ordinal)) = found else {
            return Err(Error::NoDevice(format!("{}; {}", misnamed(name), known())));
        };
        open(&registered, ordinal).map_err(|error| match error {
            Error::Argument(message) => Error::NoDevice(format!("{message}; {}", known())),
            Error::Toolchain(e) => {
                Error::NoDevice(format!("no device '{name}': {}; {}", e.message, known()))
            }
            other => other,
        })
    }

    /// The first usable device; of OpenCL's only GPUs, since the processor has a driver of its own, which is of no use
    /// to what was compiled for OpenCL.
    fn best(package: Option<&Package>) -> Result<Self> {
        let mut reasons = Vec::new();
        let mut candidates = Vec::new();
        let mut last = Vec::new();
        for registered in snapshot() {
            let backend = registered.driver.backend();
            let devices = match registered.driver.devices() {
                Ok(devices) => devices,
                Err(error) => {
                    reasons.push(format!("{backend}: {}", error.message));
                    continue;
                }
            };
            for (ordinal, info) in devices.into_iter().enumerate() {
                let list = match backend == "opencl" && info.kind != DeviceKind::Gpu {
                    true => &mut last,
                    false => &mut candidates,
                };
                list.push((Arc::clone(&registered), ordinal, info));
            }
        }
        if package.is_some() {
            candidates.append(&mut last);
        }
        for (registered, ordinal, info) in candidates {
            let opened = || open(&registered, ordinal).map_err(|e| e.to_string());
            let usable = match (package, info.compiler) {
                (Some(package), _) => opened().and_then(|device| {
                    let checked = package.programs().try_for_each(|p| p.check(&device));
                    checked.map(|()| device).map_err(|e| e.to_string())
                }),
                (None, Ok(_)) => opened(),
                (None, Err(reason)) => Err(reason),
            };
            match usable {
                Ok(device) => return Ok(device),
                Err(reason) => {
                    let backend = registered.driver.backend();
                    reasons.push(format!("{backend}:{ordinal}: {reason}"));
                }
            }
        }
        Err(Error::NoDevice(format!(
            "no device can be used\n  {}",
            reasons.join("\n  ")
        )))
    }

    /// The GPU of that number.
    fn gpu(ordinal: usize) -> Result<Self> {
        let gpus = gpus();
        match (gpus.get(ordinal), gpus.len()) {
            (Some(name), _) => Self::open(name),
            (None, 0) => Err(Error::NoDevice(format!(
                "there is no GPU on this machine; {}",
                known()
            ))),
            (None, count) => Err(Error::NoDevice(format!(
                "there is no GPU number {ordinal}; the last is number {}",
                count - 1
            ))),
        }
    }

    /// Its name as [`Device::open`] takes it: `cuda:0`.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What is known about it.
    pub fn info(&self) -> &DeviceInfo {
        self.0.device.info()
    }

    /// The backend that kernels are translated for.
    pub fn backend(&self) -> &Backend {
        &self.0.backend
    }

    /// Waits for everything launched so far, in whichever queue, and reports errors that happened in
    /// it.
    ///
    /// # Errors
    /// The device's.
    pub fn synchronize(&self) -> Result<()> {
        self.catch_up()?;
        self.0.device.synchronize()?;
        for queue in self.queues() {
            queue.synchronize()?;
        }
        Ok(())
    }

    /// The same, and waits for everything else that this process has the device do: what other libraries put into streams of
    /// theirs, and what was launched in queues that were [borrowed](Self::borrow_queue). OpenCL knows nothing of those.
    ///
    /// # Errors
    /// The device's.
    pub fn synchronize_context(&self) -> Result<()> {
        self.synchronize()?;
        Ok(self.0.device.synchronize_context()?)
    }

    /// Whether it was opened in the same call: devices of a set may have one name.
    pub(super) fn is_identical(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(super) fn lane(&self) -> &Lane {
        &self.0.lane
    }

    /// Says that something is called or launched.
    pub(super) fn count_launch(&self) {
        self.0.launches.fetch_add(1, Ordering::Relaxed);
    }

    /// Calls and launches so far, also those that wait: copies do not count.
    pub(crate) fn launches(&self) -> u64 {
        self.0.launches.load(Ordering::Relaxed)
    }

    /// Whether everything launched so far has finished, in whichever queue. A device that cannot tell
    /// is waited for.
    ///
    /// # Errors
    /// The device's.
    pub fn is_idle(&self) -> Result<bool> {
        self.catch_up()?;
        let mut idle = self.0.device.is_idle()?;
        for queue in self.queues() {
            idle = idle && queue.is_idle()?;
        }
        Ok(idle)
    }

    /// The vendor's objects behind it, for programs that use the vendor's interface, too; valid as long
    /// as this.
    pub fn native(&self) -> NativeDevice {
        self.catch_up_later_told();
        self.0.device.native()
    }

    /// Queues besides the device's own that are still there.
    fn queues(&self) -> Vec<Arc<dyn Queue>> {
        let mut queues = self.queue_list();
        queues.retain(|queue| queue.strong_count() > 0);
        queues.iter().filter_map(Weak::upgrade).collect()
    }

    fn queue_list(&self) -> MutexGuard<'_, Vec<Weak<dyn Queue>>> {
        let queues = self.0.queues.lock();
        queues.unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a new queue among the device's.
    pub(super) fn remember(&self, queue: &Arc<dyn Queue>) {
        self.queue_list().push(Arc::downgrade(queue));
    }

    /// Marks behind everything enqueued so far. None are needed where there is one queue only: what
    /// comes later is later there.
    pub(super) fn marks(&self) -> Result<Vec<Arc<dyn Event>>> {
        self.catch_up()?;
        let mut queues = self.queues();
        if queues.is_empty() {
            return Ok(Vec::new());
        }
        queues.push(self.0.device.default_queue()?);
        let marks: brook_driver::Result<Vec<_>> = queues.iter().map(|q| q.record()).collect();
        Ok(marks?)
    }

    /// Makes what the device's own queue has been told to do to new memory visible to other queues.
    pub(super) fn settle(&self) -> Result<()> {
        match self.queues().is_empty() {
            true => Ok(()),
            false => Ok(self.0.device.synchronize()?),
        }
    }

    /// Untyped device memory, uninitialised. [`Memory`](super::Memory) is the typed kind.
    ///
    /// # Errors
    /// There is not enough of it.
    pub fn allocate(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.with_room(|device| device.allocate(bytes))
    }

    /// The same, which is there as far as it is [committed](Buffer::commit).
    ///
    /// # Errors
    /// There is not enough of it.
    pub(super) fn reserve(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        self.with_room(|device| device.reserve(bytes))
    }

    fn with_room<T>(
        &self,
        get: impl Fn(&dyn brook_driver::Device) -> brook_driver::Result<T>,
    ) -> Result<T> {
        match get(&*self.0.device) {
            // Calls that wait keep memory that nobody else needs.
            Err(error) if error.kind == ErrorKind::Memory && self.pending().is_any() => {
                self.catch_up()?;
                Ok(get(&*self.0.device)?)
            }
            done => Ok(done?),
        }
    }

    pub(super) fn pending(&self) -> &Pending {
        &self.0.pending
    }

    /// Calls `use_it` with scratch memory of at least `bytes` bytes, which nobody else launches over
    /// meanwhile: a device works in the order of the launches, so whoever has it next comes later
    /// there, too.
    pub(super) fn with_scratch<R>(
        &self,
        bytes: usize,
        use_it: impl FnOnce(&Arc<dyn Buffer>) -> Result<R>,
    ) -> Result<R> {
        // Whoever has taken it has it alone; others make their own meanwhile.
        let taken = lock(&self.0.scratch).take();
        let buffer = match taken.filter(|buffer| buffer.len() >= bytes) {
            Some(buffer) => buffer,
            None => self.allocate(bytes)?,
        };
        let result = use_it(&buffer);
        let mut kept = lock(&self.0.scratch);
        if kept.as_ref().is_none_or(|other| other.len() < buffer.len()) {
            *kept = Some(buffer);
        }
        result
    }

    /// Memory of so many bytes for what a reduction gives to a variable of the host's: the caller's alone until it is
    /// [kept](Self::keep_variable) for the next one.
    pub(super) fn take_variable(&self, bytes: usize) -> Result<Arc<dyn Buffer>> {
        let mut kept = lock(&self.0.variables);
        if let Some(fits) = kept.iter().position(|buffer| buffer.len() == bytes) {
            return Ok(kept.swap_remove(fits));
        }
        drop(kept);
        let made = self.with_room(|device| device.allocate_result(bytes));
        made.map_err(|error| {
            error.context(
                "Kernel Execution: Unable to create temporary stream required for reduction",
            )
        })
    }

    /// Gives back what was [taken](Self::take_variable).
    pub(super) fn keep_variable(&self, memory: Arc<dyn Buffer>) {
        let mut kept = lock(&self.0.variables);
        // Elements have few sizes, and few threads reduce at once.
        if kept.len() < MOST_VARIABLES {
            kept.push(memory);
        }
    }

    /// The driver's device, for programs that compile native kernels of their own beside those that
    /// are translated: same compiler, same memory (`&*buffer` of [`Device::allocate`],
    /// [`Memory::buffer`](super::Memory::buffer)), same queue.
    ///
    /// Names and types are those of the crate `brook-driver`.
    pub fn driver(&self) -> &dyn brook_driver::Device {
        // Whoever asks may enqueue something behind it; what fails is said by whatever is asked for next.
        self.catch_up_later_told();
        &*self.0.device
    }

    /// The driver's own name; differs from the backend's name for registered drivers.
    pub(crate) fn driver_name(&self) -> &'static str {
        self.0.driver
    }

    /// Whether memory of `other` can be used here. Drivers hand out one device per ordinal.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.name == other.0.name
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.0.name)
    }
}

fn open(registered: &Registered, ordinal: usize) -> Result<Device> {
    let device = registered.driver.open(ordinal)?;
    let driver = registered.driver.backend();
    let name = format!("{driver}:{ordinal}");
    let backend = Backend::built_in(&registered.source_backend)?;
    let inner = Inner::new(name, driver, &backend, device);
    Ok(Device(Arc::new(inner)))
}

impl Inner {
    fn new(
        name: String,
        driver: &'static str,
        backend: &Backend,
        device: Arc<dyn brook_driver::Device>,
    ) -> Self {
        Self {
            pending: Pending::of(&name),
            name,
            driver,
            backend: backend.clone(),
            device,
            scratch: Mutex::default(),
            variables: Mutex::default(),
            queues: Mutex::default(),
            parts: None,
            launches: AtomicU64::default(),
            lane: Lane::default(),
            seat: None,
        }
    }
}
