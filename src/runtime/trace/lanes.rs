//! Queues of devices as rows of a picture, and the devices' clocks.

use super::super::Device;
use brook_driver::{Event, NativeQueue, Queue};
use std::sync::Arc;
use std::time::Duration;

/// A device in the picture.
pub(super) struct Tracked {
    device: Device,
    /// Its own queue: to ask the device for it makes calls that wait, which have spans, too.
    own: Arc<dyn Queue>,
    pub(super) name: String,
    /// An event, and when the host saw that it had happened, which is when others of the device's events are told by.
    clock: Option<(Arc<dyn Event>, Duration)>,
}

/// A row of it.
pub(super) struct Lane {
    /// The device's number.
    pub(super) device: usize,
    pub(super) name: String,
    key: Key,
}

/// What tells the rows of a device apart: what the host waits for, and each queue by the vendor's object, where there are several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Host,
    Queue(Option<usize>),
}

#[derive(Default)]
pub(super) struct Lanes {
    pub(super) devices: Vec<Tracked>,
    pub(super) lanes: Vec<Lane>,
}

impl Lanes {
    /// The row of a queue, or of what the host waits for.
    pub(super) fn of(
        &mut self,
        (device, own): (&Device, &Arc<dyn Queue>),
        queue: Option<&dyn Queue>,
        now: &dyn Fn() -> Duration,
    ) -> usize {
        let known = self
            .devices
            .iter()
            .position(|d| d.device.is_identical(device));
        let number = known.unwrap_or_else(|| {
            let others = self.devices.iter();
            let name = match others.filter(|d| d.device.name() == device.name()).count() {
                0 => device.name().to_string(),
                others => format!("{} ({})", device.name(), others + 1),
            };
            let mut tracked = Tracked {
                device: device.clone(),
                own: Arc::clone(own),
                name,
                clock: None,
            };
            tracked.set_clock(now);
            self.devices.push(tracked);
            self.devices.len() - 1
        });
        let key = match queue.map(|queue| queue.native()) {
            None => Key::Host,
            Some(NativeQueue::Cuda(own) | NativeQueue::Hip(own) | NativeQueue::OpenCl(own)) => {
                Key::Queue(Some(own.addr()))
            }
            Some(_) => Key::Queue(None),
        };
        let mut lanes = self.lanes.iter();
        if let Some(lane) = lanes.position(|lane| lane.device == number && lane.key == key) {
            return lane;
        }
        let queues = self.lanes.iter();
        let queues = queues
            .filter(|l| l.device == number && l.key != Key::Host)
            .count();
        let name = match (key, queues) {
            (Key::Host, _) => "the host waits".to_string(),
            (Key::Queue(_), 0) => "queue".to_string(),
            (Key::Queue(_), others) => format!("queue {}", others + 1),
        };
        self.lanes.push(Lane {
            device: number,
            name,
            key,
        });
        self.lanes.len() - 1
    }

    /// When an event of a row's device happened.
    pub(super) fn time(&self, lane: usize, event: &Arc<dyn Event>) -> Option<Duration> {
        let device = &self.devices[self.lanes[lane].device];
        let (clock, seen) = device.clock.as_ref()?;
        Some(*seen + event.elapsed_since(&**clock).ok()?)
    }

    /// Waits for all devices, and compares their clocks with the host's.
    pub(super) fn set_clocks(&mut self, now: &dyn Fn() -> Duration) {
        self.devices
            .iter_mut()
            .for_each(|device| device.set_clock(now));
    }
}

impl Tracked {
    fn set_clock(&mut self, now: &dyn Fn() -> Duration) {
        let clock = self.own.record().and_then(|event| {
            event.wait()?;
            Ok(event)
        });
        self.clock = clock.ok().map(|event| (event, now()));
    }
}
