//! How the devices of several processes, one each, reach each other's memory: the driver's own way, or MPI where device memory is
//! the host's.

use super::super::{Device, lock};
use super::exchange::{agree_on, first_of};
use brook_driver::{Error, ErrorKind, Exchange, Message, Queue, Result, tell};
use brook_mpi::{Communicator, ORDERED_TAG, Transfer};
use std::sync::{Arc, Mutex};

/// Which ways will do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Reach {
    /// Those of drivers.
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
    let made = join_devices(communicator, own);
    tell(|| match &made {
        Ok(_) => format!("{} reaches those of other processes", own.name()),
        Err(error) => format!("copies between processes go by the host: {}", error.message),
    });
    if let Ok(exchange) = made {
        joined.push(Joined {
            communicator: communicator.clone(),
            device: own.name().to_string(),
            exchange: Arc::clone(&exchange),
        });
        return Some(exchange);
    }
    if reach == Reach::Devices {
        return None;
    }
    let memory = own.allocate(1).ok();
    let is_host = memory.is_some_and(|memory| memory.host().is_some());
    let (_, everywhere) = first_of(communicator, is_host).ok()?;
    everywhere.then(|| Arc::new(Hosts(communicator.clone())) as Arc<dyn Exchange>)
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

/// Processes whose devices compute in the hosts' memory.
struct Hosts(Communicator);

impl Exchange for Hosts {
    fn enqueue(&self, queue: &dyn Queue, messages: &[Message<'_>]) -> Result<()> {
        queue.synchronize()?;
        let mut coming: Vec<(Transfer, &Message<'_>)> = Vec::new();
        for message in messages.iter().filter(|message| !message.goes) {
            let comes = self.0.receive(message.bytes, message.with, ORDERED_TAG)?;
            coming.push((comes, message));
        }
        let mut going = Vec::new();
        for message in messages.iter().filter(|message| message.goes) {
            let mut bytes = vec![0; message.bytes];
            message.buffer.read(message.offset, &mut bytes)?;
            going.push(self.0.send(bytes, message.with, ORDERED_TAG)?);
        }
        for (transfer, message) in coming {
            message.buffer.write(message.offset, &transfer.wait()?)?;
        }
        going
            .into_iter()
            .try_for_each(|transfer| transfer.wait().map(drop))
    }

    fn waits(&self) -> bool {
        true
    }
}
