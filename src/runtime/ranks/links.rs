//! How the devices of several processes, one each, reach each other's memory: the driver's own way, or MPI where it takes the
//! addresses of device memory, which it always does where that is the host's.

use super::super::{Device, lock};
use super::exchange::{agree_on, first_of};
use brook_driver::{
    Buffer, Error, ErrorKind, Exchange, Message, NativeDevice, NativeMemory, Queue, Result, tell,
};
use brook_mpi::{Communicator, ORDERED_TAG, Transfer};
use std::ffi::c_void;
use std::sync::{Arc, Mutex};

/// Which ways will do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Reach {
    /// Those of drivers, and MPI where it takes GPUs' memory.
    Devices,
    /// These, and MPI from and to memory that is the host's anyway.
    DevicesAndHosts,
}

/// What has been joined: to begin takes a driver half a second, and memory.
static JOINED: Mutex<Vec<Joined>> = Mutex::new(Vec::new());

struct Joined {
    communicator: Communicator,
    /// The device's name.
    device: String,
    exchange: Arc<dyn Exchange>,
}

/// How a device reaches those of the other processes, each of which calls this at once with its own; `None` where one of them does not.
pub(in super::super) fn join(
    communicator: &Communicator,
    own: &Device,
    reach: Reach,
) -> Option<Arc<dyn Exchange>> {
    let mut joined = lock(&JOINED);
    let known =
        |joined: &&Joined| joined.communicator.is_same(communicator) && joined.device == own.name();
    // All have made the same calls, and so know the same.
    if let Some(joined) = joined.iter().find(known) {
        return Some(Arc::clone(&joined.exchange));
    }
    let keep = |joined: &mut Vec<Joined>, exchange: Arc<dyn Exchange>| {
        joined.push(Joined {
            communicator: communicator.clone(),
            device: own.name().to_string(),
            exchange: Arc::clone(&exchange),
        });
        exchange
    };
    let by_mpi = || -> Arc<dyn Exchange> { Arc::new(ByMpi(communicator.clone())) };
    let said = said_of_mpi();
    let everywhere = |is_so| first_of(communicator, is_so).is_ok_and(|(_, all)| all);
    // Who says that MPI takes device memory wants it so.
    if everywhere(said == Some(true) && is_of(own, (true, true))) {
        tell(|| format!("MPI takes the memory of {}", own.name()));
        return Some(keep(&mut joined, by_mpi()));
    }
    let made = join_devices(communicator, own);
    tell(|| match &made {
        Ok(_) => format!("{} reaches those of other processes", own.name()),
        Err(error) => format!(
            "devices of other processes are not reached: {}",
            error.message
        ),
    });
    if let Ok(exchange) = made {
        return Some(keep(&mut joined, exchange));
    }
    let aware = said.is_none().then(|| communicator.takes_devices());
    if everywhere(is_of(own, aware.unwrap_or_default())) {
        tell(|| format!("MPI takes the memory of {}", own.name()));
        return Some(keep(&mut joined, by_mpi()));
    }
    tell(|| "copies between processes go by the host".to_string());
    if reach == Reach::Devices {
        return None;
    }
    let memory = own.allocate(1).ok();
    let is_host = memory.is_some_and(|memory| memory.host().is_some());
    everywhere(is_host).then(by_mpi)
}

/// Whether a device is one of CUDA's or of ROCm's, as far as these count.
fn is_of(device: &Device, (cuda, rocm): (bool, bool)) -> bool {
    match device.driver().native() {
        NativeDevice::Cuda { .. } => cuda,
        NativeDevice::Hip { .. } => rocm,
        _ => false,
    }
}

/// Whether MPI may be given the memory of a device.
pub(super) fn may_be_given(communicator: &Communicator, device: &Device) -> bool {
    match said_of_mpi() {
        Some(said) => is_of(device, (said, said)),
        None => is_of(device, communicator.takes_devices()) && device.driver().can_join().is_err(),
    }
}

/// What `BROOK_GPU_AWARE_MPI` says of whether MPI takes addresses of GPUs' memory. Otherwise MPI is asked.
fn said_of_mpi() -> Option<bool> {
    let said = std::env::var("BROOK_GPU_AWARE_MPI").ok()?;
    match said.trim() {
        "" => None,
        "0" | "off" | "no" => Some(false),
        _ => Some(true),
    }
}

fn join_devices(communicator: &Communicator, own: &Device) -> Result<Arc<dyn Exchange>> {
    // Where one cannot, or has another driver, the others would wait for it.
    let rank = communicator.rank();
    let first = communicator.broadcast_any(own.driver_name().as_bytes().to_vec(), 0)?;
    let alike = match first == own.driver_name().as_bytes() {
        true => own.driver().can_join(),
        false => Err(Error::new(
            ErrorKind::Missing,
            "devices are of several drivers",
        )),
    };
    agree_on(communicator, alike)?;
    let ticket = match rank {
        0 => own.driver().ticket(),
        _ => Ok(Vec::new()),
    };
    let ticket = communicator.broadcast_any(ticket.unwrap_or_default(), 0)?;
    let joined = own.driver().join(&ticket, rank, communicator.size());
    let failed = joined.as_ref().err().cloned();
    agree_on(communicator, failed.map_or(Ok(()), Err))?;
    joined
}

/// Processes whose MPI takes the addresses of their devices' memory.
struct ByMpi(Communicator);

impl ByMpi {
    fn begin(&self, message: &Message<'_>) -> Result<Transfer> {
        let part = message.buffer.slice(message.offset, message.bytes)?;
        let address = address(&*part);
        let address = address.ok_or_else(|| Error::invalid("the memory has no address"))?;
        let (side, with) = ((address, message.bytes), message.with);
        let kept = Box::new(part);
        // SAFETY: the range was checked, and `part` keeps its memory; nobody else uses it before this exchange is done.
        unsafe {
            match message.goes {
                true => self.0.send_from(side, kept, with, ORDERED_TAG),
                false => self.0.receive_to(side, kept, with, ORDERED_TAG),
            }
        }
    }
}

/// Where MPI finds a buffer.
fn address(buffer: &dyn Buffer) -> Option<*mut c_void> {
    match (buffer.host(), buffer.native()) {
        (Some(host), _) => Some(host.cast()),
        (None, NativeMemory::Address(address)) => {
            Some(std::ptr::with_exposed_provenance_mut(address as usize))
        }
        _ => None,
    }
}

impl Exchange for ByMpi {
    fn enqueue(&self, queue: &dyn Queue, messages: &[Message<'_>]) -> Result<()> {
        // MPI knows nothing of queues.
        queue.synchronize()?;
        let (goes, comes): (Vec<_>, Vec<_>) = messages.iter().partition(|message| message.goes);
        let all = comes.into_iter().chain(goes);
        let begun: Vec<Transfer> = all.map(|m| self.begin(m)).collect::<Result<_>>()?;
        begun
            .into_iter()
            .try_for_each(|transfer| transfer.wait().map(drop))
    }

    fn waits(&self) -> bool {
        true
    }
}
